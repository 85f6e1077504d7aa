"""The options that several commands share, each defined once, and how text becomes values.

The options of sound: --sound and --soundfont, and those of practice files.
"""

from __future__ import annotations

import argparse
from argparse import SUPPRESS
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from musicrel import bounds, legacy
from musicrel.chorale import Key, Meter, Voice
from musicrel.errors import UsageError
from musicrel.generation import quality
from musicrel.generation.constraints import voice_ranges
from musicrel.generation.constraints.rules import DEFAULT, HARD_RULES
from musicrel.generation.heads.mutes import REPLACEMENTS
from musicrel.generation.loaded_model import NO_WEIGHT_TYPES
from musicrel.generation.request import DEFAULT_TOP_P
from musicrel.score import instruments

if TYPE_CHECKING:
    from musicrel.score.audio.metronome import Metronome
    from musicrel.score.audio.mixer import Mix

PIECE_FILES = (
    "MIDI, MusicXML, ABC or JSON"  # the formats of pieces that commands read, for help texts
)
A_PIECE = f"a piece: {PIECE_FILES}"
NOTE = "voice, bar and beat, as in alto:5.2; the third sixteenth of the beat is alto:5.2.3"


class Argument(NamedTuple):
    names: tuple[str, ...]
    settings: Mapping[str, Any]


class Group(NamedTuple):
    title: str
    description: str
    arguments: tuple[Argument, ...]


class Command(NamedTuple):
    """A command, or a task of one: ``add`` makes its parser."""

    run: Callable[[argparse.Namespace], int | None] | None = None  # returns the exit code, None: 0
    arguments: tuple[Argument | Group, ...] = ()
    summary: str = ""  # of a task; those of commands are in ``main.COMMANDS``
    tasks: Mapping[str, Command] = MappingProxyType({})  # by the word that follows the command
    moved: bool = False  # whether it is not listed, and refuses any words


def argument(
    name: str,
    text: str,
    parse: Callable[[str], object] | None = None,
    default: object = None,
    **settings: Any,
) -> Argument:
    """Define an argument; its help is ``text`` and its default, where it is a word or a number."""
    if SUPPRESS not in (text, default) and default != "" and isinstance(default, str | int | float):
        shown = f"{default:g}" if isinstance(default, float) else default
        text += "" if "default:" in text else f" (default: {shown})"
    parse = parse or (str.lower if "choices" in settings else None)
    settings |= {"type": parse} if parse else {}
    settings |= {"default": default} if default is not None else {}
    return Argument(tuple(name.split()), {"help": text, **settings})


def flag(name: str, text: str) -> Argument:
    return Argument(tuple(name.split()), {"help": text, "action": "store_true"})


def add(parser: argparse.ArgumentParser, command: Command) -> None:
    parser.set_defaults(run=command.run)
    for one in command.arguments:
        if isinstance(one, Group):
            group = parser.add_argument_group(one.title, one.description)
            _add_to(group, one.arguments)
        else:
            _add_to(parser, (one,))
    if command.tasks:
        shown = "|".join(name for name, task in command.tasks.items() if not task.moved)
        tasks = parser.add_subparsers(dest="task", required=True, metavar=shown)
        for name, task in command.tasks.items():
            more = (
                {"prefix_chars": "+", "add_help": False} if task.moved else {"help": task.summary}
            )
            add(tasks.add_parser(name, description=task.summary, **more), task)


def _add_to(box: argparse._ActionsContainer, arguments: Iterable[Argument]) -> None:
    for names, settings in arguments:
        box.add_argument(*names, **settings)


def number(name: str, label: str = "") -> Callable[[str], float]:
    return lambda text: bounds.parse(name, text, label)


def whole_numbers(text: str, expected: str = "the bars of each, at least 1") -> tuple[int, ...]:
    try:
        return tuple(int(bounds.parse("bars", part)) for part in text.split(","))
    except UsageError:
        raise UsageError(f"phrases are {text!r}: expected {expected}, as in 2,2,4") from None


def _phrases(text: str) -> tuple[int, ...] | str:
    if text.lower() in ("auto", "none"):
        return text.lower()
    return whole_numbers(text, "auto, none or the bars of each")


def _bars(text: str) -> int | str:
    try:
        return "auto" if text.lower() == "auto" else int(bounds.parse("bars", text))
    except UsageError as reason:
        raise UsageError(f"{reason}, or auto") from None


def _pickup(text: str) -> int | str:
    return "auto" if text.lower() == "auto" else int(bounds.parse("pickup", text))


def _rules(text: str) -> tuple[str, ...]:
    parts = tuple(part.strip().lower() for part in text.split(","))
    if "" in parts:
        raise UsageError(
            f"{text!r} is not a list of rules: expected some of {', '.join(HARD_RULES)}, as in "
            f"{','.join(list(HARD_RULES)[:2])}, or none for no rule"
        )
    return () if parts == ("none",) else parts


def _weights(text: str) -> dict[str, float]:
    pairs = [part.partition("=") for part in text.split(",")]
    try:
        return {name.strip().lower(): bounds.parse("weight", text) for name, _, text in pairs}
    except UsageError:
        raise UsageError(
            f"{text!r} is not a list of weights: expected e.g. nats=1,grade=0.01"
        ) from None


def formats(text: str) -> tuple[str, ...]:
    from musicrel.figures import exports
    from musicrel.score.files import one_of

    names = tuple(dict.fromkeys(name.strip().lower() for name in text.split(",")))
    for name in names:
        if f".{name}" not in exports.WRITABLE:
            known = one_of([suffix[1:] for suffix in exports.WRITABLE])
            raise UsageError(f"format {name!r}: expected {known}{exports.hint(f'.{name}')}")
    return names


def weight_type(text: str) -> str:
    """Refuse what version 1 had beside float32."""
    if text != "float32":
        raise UsageError(NO_WEIGHT_TYPES.format(text))
    return text


def _device(auto: str) -> Argument:
    return argument("--device", f"cpu, cuda or mps (default: auto, {auto})", default="auto")


_FASTER: Final = _device("the faster one, which is measured once")
_FIRST: Final = _device("the first available of CUDA, MPS and CPU")
_CORES: Final = argument(
    "--threads", "processor threads (default: one for each core)", number("threads")
)
_ONE_THREAD: Final = argument("--threads", "processor threads", number("threads"), 1)
DEVICE: Final = (_FASTER, _CORES)
TRAINING_DEVICE: Final = (_FASTER, _ONE_THREAD)
CHECKED_DEVICE: Final = (_FIRST, _ONE_THREAD)
MEASURED_DEVICE: Final = (_FIRST, _CORES)
EVENTS: Final = (
    argument("--events", "-: print each event as a JSON line", choices=("-",)),
    argument("--since", SUPPRESS, number("since")),  # byte of control.jsonl
)
JSON: Final = flag("--json", "print the result as one JSON object")
OUTPUT: Final = (
    argument("--out", "a file, or a folder for several; created if missing", required=True),
    argument("--format", "file formats, as in mid,json (default: by the suffix of --out, or mid)"),
)
MUTES: Final = (
    argument(
        "--mute",
        "heads of the model to mute, as in 2.3,4: head 3 of layer 2 and all of layer 4",
        default="",
        metavar="HEADS",
    ),
    argument(
        "--mute-by",
        "output of muted heads: their mean over the training pieces, or zero",
        default="mean",
        choices=REPLACEMENTS,
    ),
)
KEY: Final = argument("--key", "key, as in 'F# minor' (default: any)", Key.parse)
PHRASES: Final = argument(
    "--phrases",
    "bars of each phrase, as in 4,4,4,4; each ends with a fermata; none: the model's choice "
    "(default: auto, drawn from the chorales with the seed)",
    _phrases,
    "auto",
)
# The form of a new piece; see ``GenerationRequest``.
FORM: Final = (
    argument(
        "--bars",
        "length in bars (default: auto, that of the phrases, or drawn from the chorales with the "
        "seed; with fixed notes 16)",
        _bars,
        "auto",
    ),
    argument("--meter", "time signature, as in 3/4 (default: 4/4)", Meter.parse, Meter()),
    argument(
        "--pickup",
        "sixteenths before the first bar line; most chorales have 4, and with them the models end "
        "on the tonic more often (default: auto, drawn from the chorales with the seed; without "
        "phrases 0)",
        _pickup,
        "auto",
    ),
    KEY,
    PHRASES,
    argument(
        "--begins-on",
        "first chord: tonic, dominant, or any; a model searches for it at --quality normal and "
        "high (default: auto, drawn from the chorales with the seed)",
        default="auto",
        choices=("auto", "tonic", "dominant", "any"),
    ),
    argument(
        "--form",
        "aab: the first phrases come twice, with the same notes or another ending, or "
        "through-composed (default: auto, drawn with the seed if the bars are)",
        default="auto",
        choices=("auto", "aab", "through-composed"),
    ),
    argument("--tempo", "quarter notes per minute", number("tempo"), 80.0),
)
RULES: Final = argument(
    "--rules",
    f"rules that no new note may break, some of {','.join(HARD_RULES)}, or none "
    f"(default: {','.join(DEFAULT)})",
    _rules,
    DEFAULT,
    metavar="LIST",
)
RANGES: Final = argument(
    "--ranges",
    f"ranges of the voices for the rule range: {', '.join(voice_ranges.PRESETS)}, or the lowest "
    "and highest MIDI number of S, A, T and B as in 60-81,55-74,48-69,40-64; those with a name are "
    "widened by fixed notes beside new ones",
    default=voice_ranges.DEFAULT,
    metavar="LIST",
)
CANDIDATES: Final = (
    argument(
        "--candidates",
        "write N candidates with seeds from --seed on, measure and rank them, and store the best "
        "(all, if --out is a folder)",
        number("candidates"),
        metavar="N",
    ),
    argument(
        "--weights",
        "weights of the ranking, as in nats=1,grade=0.01,parallels=0.01,crossing=0.01,"
        "spacing=0.01,memorised=0.5,cadence=0.5,changed=0 (these are the defaults); the "
        "candidate with the lowest weighted sum ranks first",
        _weights,
        {},
        metavar="LIST",
    ),
    argument(
        "--cadence",
        "cadence of the phrase ends: authentic, half, plagal or deceptive, one for all, the end "
        "included, or one for each as in half,,authentic; a model searches for it at --quality "
        "normal and high, and candidates rank higher the more of their phrases have it",
        default="",
        metavar="KIND",
    ),
)


def sampling(top_p: float = 1.0) -> tuple[Argument, ...]:
    return (
        argument("--patience", SUPPRESS, legacy.quality, SUPPRESS, dest="quality"),
        argument(
            "--quality",
            f"{quality.DESCRIPTION[0].lower()}{quality.DESCRIPTION[1:]}: "
            f"{', '.join(quality.QUALITIES)}",
            legacy.quality,
            quality.NORMAL,
        ),
        argument(
            "--temperature",
            "sampling temperature: 0 always takes the likeliest note, 1 samples from the model's "
            "own distribution",
            number("temperature"),
            1.0,
        ),
        argument(
            "--top-k",
            "sample each note from this number of the likeliest (default: 0, all)",
            number("top-k"),
            0,
        ),
        argument(
            "--top-p",
            "nucleus sampling: sample each note from the likeliest that together have this "
            "probability; 1: all",
            number("top-p"),
            top_p,
        ),
        argument("--seed", "random seed: the same seed gives the same notes", number("seed"), 0),
        *MUTES,
    )


NEW_PIECE: Final = (*FORM, *sampling(DEFAULT_TOP_P))


def model(name: str = "relative", more: str = "") -> Argument:
    text = f"name or folder of a model (default: {name}){more}"
    return argument("--model", text, default=name)


def a_piece(name: str = "source", metavar: str = "FILE", text: str = A_PIECE) -> Argument:
    return argument(name, text, Path, metavar=metavar)


HELD: Final = "held"
_ALL: Final = "all"
_NAMES: Final = {voice.name.lower(): voice for voice in Voice}


def _voices(text: str) -> tuple[Voice, ...]:
    name = text.strip().lower()
    if name == _ALL:
        return tuple(Voice)
    if name not in _NAMES:
        raise UsageError(f"practice is {text!r}: expected {', '.join(_NAMES)} or {_ALL}")
    return (_NAMES[name],)


SOUND: Final = (
    argument(
        "--sound",
        "instrument of all voices, or four for S,A,T,B as in organ,strings,oboe,brass "
        "(default: choir)",
        instruments.parse,
        metavar=f"{{{','.join(instruments.INSTRUMENTS)}}}",
    ),
    argument(
        "--soundfont",
        "SoundFont of all instruments but choir and organ (default: that of pretty_midi)",
        Path,
        metavar="SF2",
    ),
)
METRONOME: Final = (
    flag("--metronome", "click on the beats"),
    flag("--count-in", "click for one bar before, and for what is missing before a pickup"),
)
PRACTICE: Final = (
    argument(
        "--practice",
        "make this voice stand out: soprano, alto, tenor or bass; all: a file for each, as in "
        "'OUT – Soprano practice.mp3' (audio and .mid)",
        _voices,
        metavar="VOICE",
    ),
    flag("--minus-one", "with --practice: leave the voice out instead"),
    *METRONOME,
    argument(
        "--fermatas",
        "hold notes under a fermata longer, or as written (default: held in audio, written in "
        ".mid; a MIDI file slows the tempo down for them)",
        choices=(HELD, "written"),
    ),
)


def given_practice(options: argparse.Namespace) -> str:
    """Return the names of the given options of practice, as in "--practice, --metronome", or ""."""
    names = ("practice", "minus_one", "metronome", "count_in", "fermatas")
    if options.minus_one and not options.practice:
        raise UsageError("--minus-one needs a voice to leave out: add --practice, as in alto")
    return ", ".join(f"--{name.replace('_', '-')}" for name in names if getattr(options, name))


def mix(options: argparse.Namespace) -> Mix:
    from musicrel.score.audio import soundfont
    from musicrel.score.audio.mixer import Mix

    sounds = options.sound or instruments.for_voices("choir")
    if options.soundfont is not None or instruments.needs_soundfont(sounds):
        soundfont.check(options.soundfont)
    return Mix(sound=sounds, soundfont=options.soundfont)


def metronome(options: argparse.Namespace) -> Metronome:
    from musicrel.score.audio.metronome import Metronome

    return Metronome(on=options.metronome, count_in="start" if options.count_in else "never")
