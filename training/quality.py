"""How well the shipped models write: pieces of each, uncurated, beside Bach and an imitation.

    python -m training.quality [--models NAME ...] [--pieces 100] [--keep]
    python -m training.quality --choose --models NAME ...
    python -m training.quality --pickup 4 --models NAME ...

The pieces have seeds 0, 1, 2 ... and the lengths of the test split in turn; nothing else is asked
for, so that the key is drawn with the seed where a model hears keys; all rules are off but range
and hold legality, and temperature and top-p are the same for all (``SAMPLING``). They were chosen
with ``--choose``, on the lengths of the validation split and other seeds. Writes
``training/results/quality.json`` and ``quality.md``; with ``--keep`` what stands there of other
models stays.

This file knows what is compared; what is measured stands in ``musicrel.analysis``.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import musicrel
from musicrel import jobs, paths
from musicrel.analysis import cadences, corpus_profile, grade_reference, keys, memorisation, meters
from musicrel.analysis.corpus_profile import COPIED_STEPS, Portrait
from musicrel.chorale import Chorale, Key, Meter
from musicrel.corpus import bundled, jsb
from musicrel.corpus.splits import Split
from musicrel.errors import MusicrelError
from musicrel.generation import generation_job
from musicrel.generation.request import GenerationRequest

MODELS: Final = (
    "vanilla", "relative", "vanilla-infill", "relative-infill", "vanilla-jsb", "relative-jsb"
)  # fmt: skip
SAMPLING: Final[dict[str, Any]] = {"temperature": 1.0, "top_p": 0.9, "patience": "normal"}
"""The same for all models; of ``CHOICES`` that with the best grade for the relative model on valid
that keeps crossing within 3 % and spacing within 2 %."""
CHOICES: Final = ((1.0, 1.0), (0.95, 1.0), (0.9, 1.0), (1.0, 0.95), (1.0, 0.9))
_CHOOSING: Final = 10_000
"""The first seed of pieces that temperature and top-p are chosen with."""
_STEPS_A_BAR: Final = 16
_KEY_BARS: Final = 8
_ASKED: Final = 24
METERS: Final = (Meter(4, 4), Meter(3, 4))
"""What a piece may be asked to be in, for the models to be told of it."""
_BUNDLED: Final = "Bach, bundled test"
_FAKES: Final = Path("js-fakes/js-fakes-16th.json")
_LONGEST_FAKES: Final = 32 * 1024 * 1024
_MADE: Final = (
    "`{command}`, {machine}. Seeds from 0 on, lengths of the test split, nothing asked for but the "
    "length (a model that hears keys draws one with the seed), rules off but range and hold "
    "legality, temperature {temperature}, top-p {top_p}, patience {patience}; none was left out."
)
_COLUMNS_MEAN: Final = (
    "Grade: median, lower is nearer to Bach. Parallels per 1,000 notes; without: pieces with none. "
    "Copied: two-bar chunks that are in the bundled training chorales, in any key. Repeated: bars "
    "that came before in the same piece. At home: the last chord is the tonic triad."
)
_KEPT_MEANS: Final = (
    "What is asked for is kept, by an analysis of the notes: one of the 24 keys (48 pieces of 8 "
    "bars), a meter (24 pieces of 8 bars each), a cadence at the ends of phrases of two bars (24 "
    "pieces of four phrases). Bach's line says what the analysis finds where it is so; a dash: the "
    "model cannot be asked."
)
_RESULTS: Final = Path(__file__).parent / "results"
_COLUMNS: Final[dict[str, Callable[[Portrait], str]]] = {
    "pieces": lambda p: str(p.pieces),
    "grade": lambda p: f"{p.grade:.2f}",
    "parallels": lambda p: f"{p.parallels:.1f}",
    "without %": lambda p: f"{p.clean:.0f}",
    "crossing %": lambda p: f"{p.crossing:.2f}",
    "spacing %": lambda p: f"{p.spacing:.2f}",
    "copied %": lambda p: f"{p.copied:.2f}",
    "repeated %": lambda p: f"{p.repeated:.1f}",
    "at home %": lambda p: f"{p.cadence:.0f}",
}


def lengths(split: Split) -> list[int]:
    """The lengths of a split's pieces in whole bars of 4/4."""
    return [-(-piece.steps // _STEPS_A_BAR) for piece in bundled.load(split)]


def written(
    model: musicrel.LoadedModel, bars: Sequence[int], first_seed: int, **wishes: Any
) -> Iterator[Chorale]:
    """A piece for each entry of ``bars``, with seeds from ``first_seed`` on."""
    for seed, length in enumerate(bars, start=first_seed):
        request = GenerationRequest(bars=length, seed=seed, **wishes)
        yield jobs.run(generation_job.write(model, request)).chorale


def in_turn(values: Sequence[int], count: int) -> list[int]:
    """``count`` of ``values``, from the first again after the last."""
    return [values[n % len(values)] for n in range(count)]


def keys_kept(model: musicrel.LoadedModel) -> float | None:
    """% of 48 short pieces that are in the key asked for; None for a model that cannot be asked."""
    if "key" not in model.conditions:
        return None
    asked = [Key.of(tonic, mode) for tonic in range(12) for mode in ("major", "minor")] * 2
    kept = 0
    for seed, key in enumerate(asked):
        (piece,) = written(model, [_KEY_BARS], seed, key=key, **SAMPLING)
        found = keys.analysed(piece.pitches)
        kept += (found.pitch_class, found.mode) == (key.pitch_class, key.mode)
    return 100 * kept / len(asked)


def meters_kept(model: musicrel.LoadedModel) -> dict[str, float] | None:
    """% of 24 short pieces each in the meter asked for; None for a model that cannot be asked."""
    if "bar" not in model.conditions:
        return None
    pieces = {
        meter: list(written(model, [_KEY_BARS] * _ASKED, 0, meter=meter, **SAMPLING))
        for meter in METERS
    }
    return {str(meter): in_meter(of_meter, meter) for meter, of_meter in pieces.items()}


def in_meter(pieces: Sequence[Chorale], meter: Meter) -> float:
    """% of ``pieces`` whose notes speak for ``meter``."""
    return 100 * sum(meters.analysed(piece, METERS) == meter for piece in pieces) / len(pieces)


def phrases_kept(model: musicrel.LoadedModel) -> float | None:
    """% of the phrase ends asked for that close with a cadence; None for one that cannot be asked.

    In 24 short pieces of four phrases.
    """
    if "fermata" not in model.conditions:
        return None
    asked = {"phrases": (_KEY_BARS // 4,) * 4, **SAMPLING}
    return closing(list(written(model, [_KEY_BARS] * _ASKED, 0, **asked)))


def closing(pieces: Sequence[Chorale]) -> float:
    """% of all phrase ends that close with a cadence of a known kind."""
    closes = [close for piece in pieces for close in cadences.closes(piece)]
    return 100 * sum(close.kind != "" for close in closes) / len(closes)


def measure(names: Sequence[str], pieces: int) -> dict[str, Any]:
    """All figures, by name of what was measured."""
    reference = grade_reference.load().reference
    known = memorisation.chunk_set(bundled.load("train"), COPIED_STEPS)
    figures: dict[str, Any] = {}
    for name, others in _others().items():
        figures[name] = asdict(corpus_profile.portrait(others, reference, known))
        if name == _BUNDLED:
            own = {meter: [one for one in others if one.meter == meter] for meter in METERS}
            figures[name] |= {
                "keys_kept": _keys_found(others),
                "meters_kept": {str(meter): in_meter(own[meter], meter) for meter in METERS},
                "phrases_kept": closing(others),
            }
    for name in names:
        began = time.monotonic()
        model = musicrel.load_model(name)
        songs = list(written(model, in_turn(lengths("test"), pieces), 0, **SAMPLING))
        seconds = time.monotonic() - began
        figures[name] = asdict(corpus_profile.portrait(songs, reference, known)) | {
            "seconds": seconds,
            "sha256": model.sha256,
            "keys_kept": keys_kept(model),
            "meters_kept": meters_kept(model),
            "phrases_kept": phrases_kept(model),
        }
        print(name, figures[name], flush=True)
    return figures


def _keys_found(pieces: Sequence[Chorale]) -> float:
    """% of pieces whose notes speak for the key that they name."""
    named = [(piece.key, keys.analysed(piece.pitches)) for piece in pieces if piece.key]
    return (
        100
        * sum(
            (key.pitch_class, key.mode) == (found.pitch_class, found.mode) for key, found in named
        )
        / len(named)
    )


def choose(names: Sequence[str], pieces: int) -> None:
    """Print the figures of each of ``CHOICES``, on the lengths of valid."""
    bars = in_turn(lengths("valid"), pieces)
    for temperature, top_p in CHOICES:
        wishes = {"temperature": temperature, "top_p": top_p}
        for name in names:
            tell(name, bars, _CHOOSING, **wishes)


def tell(name: str, bars: Sequence[int], first_seed: int, **wishes: Any) -> None:
    """Print the figures of the pieces that a model writes so; nothing is kept."""
    songs = list(written(musicrel.load_model(name), bars, first_seed, **wishes))
    found = corpus_profile.portrait(songs, grade_reference.load().reference, frozenset())
    cells = ", ".join(f"{head} {cell(found)}" for head, cell in _COLUMNS.items())
    asked = ", ".join(f"{what} {value}" for what, value in wishes.items())
    print(f"{name}, {asked}: {cells}, authentic {found.closes['authentic']:.0f}", flush=True)


def report(figures: dict[str, Any], command: str) -> str:
    """The figures as Markdown."""
    rows = {name: Portrait(**_portrait_of(entry)) for name, entry in figures.items()}
    head = ["", *_COLUMNS]
    machine = f"{platform.system()}, Python {platform.python_version()}, CPU"
    lines = [
        "# How well the models write",
        "",
        _MADE.format(command=command, machine=machine, **SAMPLING),
        "",
        *_table(head, [[n, *(cell(p) for cell in _COLUMNS.values())] for n, p in rows.items()]),
        "",
        _COLUMNS_MEAN,
        "",
        "Lengths of notes, % of all (repeats merged):",
        "",
        *_table(
            ["", *corpus_profile.NOTE_LENGTHS],
            [[n, *(f"{share:.1f}" for share in p.lengths.values())] for n, p in rows.items()],
        ),
        "",
        "How the last phrase closes, % of the pieces:",
        "",
        *_table(
            ["", *cadences.KINDS, corpus_profile.OTHERWISE],
            [[n, *(f"{share:.0f}" for share in p.closes.values())] for n, p in rows.items()],
        ),
        "",
        _KEPT_MEANS,
        "",
        *_table(
            ["", "key %", *(f"{meter} %" for meter in METERS), "phrases %"],
            [[name, *_kept(entry)] for name, entry in figures.items() if "keys_kept" in entry],
        ),
    ]
    return "\n".join(lines) + "\n"


def _kept(entry: dict[str, Any]) -> list[str]:
    """The shares of what was asked for; a dash where a model cannot be asked."""
    of_meters = entry["meters_kept"] or {}
    shares = [
        entry["keys_kept"],
        *(of_meters.get(str(meter)) for meter in METERS),
        entry["phrases_kept"],
    ]
    return ["-" if share is None else f"{share:.0f}" for share in shares]


def _portrait_of(entry: dict[str, Any]) -> dict[str, Any]:
    return {name: entry[name] for name in Portrait.__dataclass_fields__}


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [
        "| " + " | ".join(cells) + " |"
        for cells in (head, ["---", *["---:"] * (len(head) - 1)], *rows)
    ]


def _others() -> dict[str, list[Chorale]]:
    """Music to stand beside: the bundled test split, and what lies in the shared folder."""
    found = {_BUNDLED: bundled.load("test")}
    published = paths.shared_data() / "jsb" / jsb.FILE_NAME
    if published.exists():
        found["Bach, JSB16 test"] = jsb.read(published)["test"]
    if (paths.shared_data() / _FAKES).exists():
        found["JS Fakes"] = js_fakes()
    return found


def js_fakes() -> list[Chorale]:
    """The 500 JS Fakes.

    Raises:
        FileError: they do not lie in the shared folder.
    """
    content = paths.read_bytes(paths.shared_data() / _FAKES, limit=_LONGEST_FAKES)
    return [Chorale.of(piece) for piece in json.loads(content)]


def _before() -> dict[str, Any]:
    """The figures that stand in the results."""
    content = (_RESULTS / "quality.json").read_text(encoding="utf-8")
    figures: dict[str, Any] = json.loads(content)["figures"]
    return figures


def main(words: list[str] | None = None) -> int:
    """The command; its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, prog="training.quality")
    parser.add_argument("--models", nargs="+", default=list(MODELS))
    parser.add_argument("--pieces", type=int, default=100)
    parser.add_argument("--choose", action="store_true")
    parser.add_argument("--pickup", type=int, default=0, help="sixteenths; prints, keeps nothing")
    parser.add_argument("--keep", action="store_true", help="keep the figures of other models")
    asked = parser.parse_args(words)
    try:
        if asked.choose:
            choose(asked.models, asked.pieces)
            return 0
        if asked.pickup:
            for name in asked.models:
                bars = in_turn(lengths("test"), asked.pieces)
                tell(name, bars, 0, pickup=asked.pickup, **SAMPLING)
            return 0
        measured = measure(asked.models, asked.pieces)
        figures = (_before() if asked.keep else {}) | measured
    except MusicrelError as reason:
        print(reason, file=sys.stderr)
        return 1
    command = f"python -m training.quality --pieces {asked.pieces}"
    content = json.dumps({"command": command, "sampling": SAMPLING, "figures": figures}, indent=1)
    paths.write_text(_RESULTS / "quality.json", content + "\n")
    paths.write_text(_RESULTS / "quality.md", report(figures, command))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
