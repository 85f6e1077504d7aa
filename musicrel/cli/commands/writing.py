"""The commands that write: ``generate``, ``harmonise``, ``infill``, ``continue`` and ``vary``."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from musicrel import api, cores, jobs, paths
from musicrel.analysis.corpus import melodies
from musicrel.analysis.rules import RULES
from musicrel.api import Writing
from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Key, Voice
from musicrel.cli import arguments, inputs, output
from musicrel.cli.arguments import Argument, Command, Group, argument
from musicrel.errors import FileError, GenerationError, UsageError
from musicrel.figures import exports
from musicrel.generation import edit_requests, quality
from musicrel.generation.candidates import candidate_job
from musicrel.generation.candidates.candidate_job import (
    Candidate,
    CandidateEvent,
    CandidateSet,
    generate_pieces,
)
from musicrel.generation.causal.batch import Progress
from musicrel.generation.constraints import last_chord
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.events import Generated, GenerationStep, NoLegalNoteError, PhraseEndTrial
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.generation.transposition import Transposition, fit_to_vocabulary
from musicrel.jobs import Job
from musicrel.presentation.compose.hymn_form import AS_THE_METRE, BEGINNINGS, HymnForm
from musicrel.presentation.compose.words_form import DEFAULT_LANGUAGE
from musicrel.score.importing.conversion import ImportedPiece

_PART: Final = "as in soprano, 5-8, alto,tenor:5-8, first or last (chord)"
_SAMPLING: Final = (
    "temperature", "top_k", "top_p", "seed", "rules", "quality", "cadence", "mute", "mute_by",
)  # fmt: skip
_FORM: Final = ("bars", "meter", "pickup", "key", "phrases", "begins_on", "form", "tempo")
_OF_WORDS: Final = ("bars", "pickup", "phrases", "form", "original", "prompt", "lock")
_ABOUT_WORDS: Final = {  # option -> default
    "metre": "", "lines_begin": AS_THE_METRE, "language": DEFAULT_LANGUAGE,
}  # fmt: skip
_BARS: Final = 16  # of a piece with fixed notes, if no phrases are given
_CAUSAL: Final = (
    "A causal model, such as relative or vanilla, reads from left to right. At --quality normal "
    "and high it tries several ways at once to locked notes that lie ahead and keeps those that "
    "lead into them; at draft it does not see them. With --candidates, several results are ranked "
    "by the likelihood of all new notes together with the locked notes that follow them."
)


_HEAD: Final = (
    "candidate", "score", "nats/note", "grade", "parallels", "crossing %", "spacing %",
    "2 bars copied %", "copied beats", "changed %", "cadences",
)  # fmt: skip


# ---------------------------------------------------------------------- files


@dataclass(frozen=True, slots=True)
class Destination:
    folder: Path
    stem: str | None  # name of the one piece; None: each is named for its seed
    formats: tuple[str, ...]  # suffixes without the dot

    def of(self, seed: int) -> list[Path]:
        stem = self.stem if self.stem is not None else f"chorale-{seed}"
        return [self.folder / f"{stem}.{suffix}" for suffix in self.formats]

    def write(self, piece: Chorale, seed: int) -> list[str]:
        files = self.of(seed)
        for path in files:
            exports.write(piece, path)
        return [str(path) for path in files]


def destination(out: str, formats: str | None, pieces: int) -> Destination:
    if not out:
        raise UsageError("--out is empty: name a file or a folder")
    path = Path(out)
    suffixes = arguments.formats(formats) if formats is not None else ()
    has_suffix = path.suffix.lower() in exports.WRITABLE or (bool(path.suffix) and not suffixes)
    if _is_folder(out) or (pieces > 1 and not has_suffix):
        chosen = Destination(path, None, suffixes or ("mid",))
    elif has_suffix:
        chosen = _one_file(path, suffixes, pieces)
    else:
        chosen = Destination(path.parent, path.name, suffixes or ("mid",))
    paths.require_writable(chosen.folder)
    return chosen


def _is_folder(out: str) -> bool:
    try:
        return out.endswith(("/", "\\")) or Path(out).is_dir()
    except OSError as reason:
        raise FileError(f"cannot write {out[:40]}...: {reason.strerror}") from reason


def _one_file(path: Path, suffixes: tuple[str, ...], pieces: int) -> Destination:
    own = path.suffix[1:].lower()
    if pieces > 1:
        raise UsageError(f"{pieces} pieces do not fit into one file, {path}: name a folder")
    if suffixes not in ((), (own,)):
        raise UsageError(
            f"--format {','.join(suffixes)} does not fit the file {path}: leave out its suffix "
            "or name a folder"
        )
    exports.writer(path)
    return Destination(path.parent, path.stem, (path.suffix[1:],))


def _check_cadence(options: argparse.Namespace, request: GenerationRequest) -> None:
    searched = quality.searches(request.quality, request.temperature)
    if options.cadence and (options.candidates or 1) == 1 and not searched:
        raise UsageError(
            "--cadence only ranks candidates here: give a number above 1 with --candidates, or let "
            "the model search, with --quality normal and a temperature above 0"
        )


# ---------------------------------------------------------------------- candidates


def _run(job: Job[CandidateEvent, CandidateSet]) -> CandidateSet:
    with output.ProgressBar("candidates", 0, "notes") as bar:

        def show(event: CandidateEvent) -> None:
            if isinstance(event, Progress):
                bar.set_done(event.done, total=event.total)
                if event.notice:
                    output.print_message(event.notice)
            if isinstance(event, candidate_job.Stuck):
                output.print_message(f"candidate {event.number} is incomplete: {event.sentence}")

        return jobs.run(job, show)


def _write_candidates(
    found: CandidateSet,
    target: Destination,
    model: LoadedModel,
    options: argparse.Namespace,
    *,
    with_table: bool,
    title: str = "",
) -> None:
    files = []
    for one in found.ranked if target.stem is None else found.ranked[:1]:
        piece = one.chorale
        files += target.write(replace(piece, title=title or piece.title), one.seed or 0)
    listed = [*([found.original] if found.original else []), *found.ranked]
    table = [output.table(_HEAD, [*map(_cells, listed)])] if with_table else []
    best = found.ranked[0]
    values = (
        {"files": files, "model": model.name, "seed": best.seed}
        | _speed(model, found.tokens, found.seconds)
        | {
            "nats_per_note": best.measures.nats,
            "candidates": [_candidate_json(one) for one in listed],
            "stuck": [
                {"number": one.number, "seed": one.seed, "reason": one.sentence}
                for one in found.stuck
            ],
        }
    )
    output.print_result(values, "\n".join([*table, *files]), as_json=options.json)


def _speed(model: LoadedModel, tokens: int, seconds: float) -> dict[str, Any]:
    return {
        "device": str(model.device),
        "threads": cores.count(),
        "tokens": tokens,
        "seconds": round(seconds, 3),
        "tokens_per_second": round(tokens / seconds, 1),
    }


def _candidate_json(candidate: Candidate) -> dict[str, Any]:
    measures = candidate.measures
    rates, distance = measures.rates, measures.distance
    return {
        "number": candidate.number,
        "seed": candidate.seed,
        "score": candidate.score,
        "terms": dict(candidate.terms),
        "nats_per_note": measures.nats,
        "region_nats_per_note": measures.region_nats,
        "onward_nats_per_note": measures.region_to_end_nats,
        "grade": measures.grade,
        "violations": {
            rule: {"count": count, "rate": rates.of(rule), "unit": RULES[rule].unit.value}
            for rule, count in rates.counts.items()
        },
        "distance": {"changed": distance.changed, "interval": distance.interval}
        if distance
        else None,
        "memorisation": {"2": measures.memorised, "longest_steps": measures.longest},
        "cadences": list(measures.cadences),
    }


def _cells(candidate: Candidate) -> tuple[str, ...]:
    measures = candidate.measures
    name = "original" if candidate.seed is None else f"seed {candidate.seed}"
    return (
        name,
        f"{candidate.score:.3f}",
        f"{measures.region_to_end_nats:.3f}",
        "-" if measures.grade is None else f"{measures.grade:.2f}",
        *(f"{rate:.2f}" for rate in (measures.rates.parallels, measures.rates.crossing)),
        f"{measures.rates.spacing:.2f}",
        f"{100 * measures.memorised:.0f}",
        f"{measures.longest / STEPS_PER_QUARTER:g}",
        f"{100 * measures.distance.changed:.0f}" if measures.distance else "-",
        _initials(measures.cadences),
    )


def _initials(kinds: Iterable[str]) -> str:
    """Abbreviate kinds of cadences: ``aha-`` for authentic, half, authentic, none."""
    return "".join(kind[:1] or "-" for kind in kinds) or "-"


# ---------------------------------------------------------------------- new pieces


def _generate(options: argparse.Namespace) -> None:
    if options.candidates is not None and options.count > 1:
        raise UsageError(
            "--count writes several pieces, --candidates several candidates of one: "
            "give one of them"
        )
    if options.weights and options.candidates is None:
        raise UsageError("--weights ranks candidates: give their number with --candidates")
    request, original = _request(options)
    replace(request, seed=request.seed + options.count - 1)  # raises if a seed is out of bounds
    target = destination(options.out, options.format, options.count)
    model = inputs.open_model(options)
    _check_cadence(options, request)
    if remark := request.remark(model.conditions):
        output.print_message(remark)
    if options.candidates is None:
        seeds = range(request.seed, request.seed + options.count)
        requests = [replace(request, seed=seed).resolved(model.conditions) for seed in seeds]
        _write_pieces(options, model, requests, target, original)
        return
    task = Writing(request=request.resolved(model.conditions), original=original)
    with _saving_partial_piece(target, request.seed):
        found = _run(task.job(model, options.candidates, options.weights))
    _write_candidates(found, target, model, options, with_table=True)


def _request(options: argparse.Namespace) -> tuple[GenerationRequest, Chorale | None]:
    if options.words:
        return _hymn_request(options), None
    _require_no_words_options(options)
    fields = _sampling(options) | {"ranges": options.ranges, "locks": options.lock}
    if options.original:
        original = _original(options)
        fields |= {"keep": options.keep, "rewrite": options.rewrite}
        fields |= {"key": options.key} if options.key else {}
        return api.request(original, fields), original
    if options.keep or options.rewrite:
        raise UsageError("--keep and --rewrite name parts of a piece: give it with --from FILE")
    fields |= {name: getattr(options, name) for name in _FORM}
    if options.bars == api.AUTO and (options.prompt or options.lock):
        given = options.phrases if isinstance(options.phrases, tuple) else ()
        fields["bars"] = options.bars = sum(given) or _BARS
    if options.prompt:
        fields |= _of_prompt(options)
    return api.request(None, fields), None


def _hymn_request(options: argparse.Namespace) -> GenerationRequest:
    for name in _OF_WORDS:
        if getattr(options, name) not in (api.AUTO, None, []):
            raise UsageError(
                f"--{'from' if name == 'original' else name} does not go with --words, which give "
                "the form of a new piece: leave one of them out"
            )
    words = _words(
        options, metre=options.metre, lines_begin=options.lines_begin, meter=options.meter
    )
    named = (*_SAMPLING, "key", "tempo", "begins_on")
    fields = api.parsed({name: getattr(options, name) for name in named})
    if fields["begins_on"] == api.AUTO:
        fields["begins_on"] = None
    return edit_requests.with_ranges(
        GenerationRequest.singing(words.melody(), **fields), options.ranges
    )


def _require_no_words_options(options: argparse.Namespace) -> None:
    for name, default in _ABOUT_WORDS.items():
        if getattr(options, name, default) != default:
            raise UsageError(
                f"--{name.replace('_', '-')} is for a piece with words: give them with --words "
                "FILE, or leave it out"
            )


def _words(options: argparse.Namespace, **fields: Any) -> HymnForm:
    return HymnForm(text=inputs.read_text(options.words), language=options.language, **fields)


def _sampling(options: argparse.Namespace) -> dict[str, Any]:
    return {name: getattr(options, name) for name in _SAMPLING}


def _original(options: argparse.Namespace) -> Chorale:
    if options.prompt:
        raise UsageError("--from and --prompt both name a piece to start from: give one of them")
    if not options.keep and not options.rewrite:
        raise UsageError(
            f"--from is given without a part to rewrite: add --rewrite PART or --keep PART, {_PART}"
        )
    return inputs.read(options.original)


def _of_prompt(options: argparse.Namespace) -> dict[str, Any]:
    prompt = inputs.read(options.prompt)
    steps = GenerationRequest(bars=options.bars, meter=prompt.meter).steps
    fixed = Locks.of_prompt(prompt, steps)
    return {
        "meter": prompt.meter,
        "pickup": prompt.pickup,
        "tempo": prompt.tempo,
        "key": options.key or prompt.key,
        "locks": fixed | Locks.read(options.lock) if options.lock else fixed,
    }


@contextmanager
def _saving_partial_piece(target: Destination, seed: int) -> Iterator[None]:
    """Write the piece so far into ``target`` if locks and rules leave no note to continue."""
    try:
        yield
    except NoLegalNoteError as reason:
        if reason.written is None:
            raise
        first, *_ = target.write(reason.written, seed)
        raise GenerationError(f"{reason}; the piece up to there is in {first}") from reason


def _write_pieces(
    options: argparse.Namespace,
    model: LoadedModel,
    requests: list[GenerationRequest],
    target: Destination,
    original: Chorale | None,
) -> None:
    files: list[str] = []
    pieces: list[Generated] = []
    for request, job in zip(requests, generate_pieces(model, requests), strict=True):
        with _saving_partial_piece(target, request.seed):
            pieces.append(_one_piece(job, request))
        piece = pieces[-1].chorale
        written = target.write(piece.with_texts_of(original) if original else piece, request.seed)
        files += written
        if not options.json:
            output.print_text("\n".join(written))
    if options.json:
        tokens = sum(piece.tokens for piece in pieces)
        nats = sum(piece.nats_per_note * piece.tokens for piece in pieces) / tokens
        seconds = sum(piece.seconds for piece in pieces)
        output.print_json(
            {"files": files, "model": model.name, "seed": requests[0].seed}
            | _speed(model, tokens, seconds)
            | {"nats_per_note": nats}
        )


def _one_piece(job: Job[Any, Generated], request: GenerationRequest) -> Generated:
    with output.ProgressBar(f"seed {request.seed}", request.steps * 4, "tokens") as bar:

        def show(event: GenerationStep | PhraseEndTrial | CandidateEvent) -> None:
            if isinstance(event, GenerationStep):
                bar.set_done(event.index)
            elif isinstance(event, Progress):
                bar.set_done(event.done, total=event.total)

        return jobs.run(job, show)


# ---------------------------------------------------------------------- new notes in a piece


def _rewrite(task_of: Callable[[argparse.Namespace], Writing], options: argparse.Namespace) -> None:
    task = task_of(options).within(options.ranges)
    target = destination(options.out, options.format, 1)
    model = inputs.open_model(options)
    _check_cadence(options, task.request)
    count = options.candidates or 1
    found = _run(task.job(model, count, options.weights))
    piece = task.source or task.original
    title = task.title or (piece.title if piece and count == 1 else "")
    _write_candidates(found, target, model, options, with_table=count > 1, title=title)


def _harmonise(options: argparse.Namespace) -> Writing:
    voices = edit_requests.parse_voices(options.voice)
    if len(voices) != 1:
        raise UsageError(f"--voice {options.voice} names {len(voices)} voices: expected one")
    source = _read_melody(options.melody, voices[0])
    melody = _truncated(source.chorale, options.melody)
    if options.words:
        melody = _with_words(melody, voices[0], options)
    else:
        _require_no_words_options(options)
        melody = edit_requests.with_phrases(melody, options.phrases)
    fields = _fields(options)
    if options.last_chord:
        fields["last_chord"] = options.last_chord.replace("free", last_chord.FREE)
    return api.harmony(replace(source, chorale=melody), voices[0], fields)


def _with_words(melody: Chorale, voice: Voice, options: argparse.Namespace) -> Chorale:
    words = _words(options)
    if options.melody in melodies.names():
        onsets = melody.onsets.copy()
        onsets[:, voice] = words.on_tune(options.melody).onsets[:, Voice.SOPRANO]
        melody = replace(melody, onsets=onsets)
    melody = edit_requests.with_phrases(melody, options.phrases)
    output.report(words.misfits(melody, voice))
    return words.under(melody, voice)


def _infill(options: argparse.Namespace) -> Writing:
    voices = edit_requests.parse_voices(options.voices)
    span = edit_requests.parse_steps(options.steps) if options.steps is not None else None
    piece, transposition, fields = _piece(options)
    if options.verse and (span or len(voices) < len(Voice)):
        raise UsageError("--verse rewrites all lower voices: leave out --voices and --steps")
    task = api.infilling(piece, voices, span, options.verse, fields)
    return replace(task, transposition=transposition)


def _vary(options: argparse.Namespace) -> Writing:
    voices = edit_requests.parse_voices(options.voices)
    piece, transposition, fields = _piece(options)
    request = edit_requests.variation_request(piece, options.change, voices, **fields)
    return Writing(request=request, transposition=transposition, original=piece)


def _continue(options: argparse.Namespace) -> Writing:
    piece, transposition, fields = _piece(options, whole=True)
    request = edit_requests.continuation_request(piece, options.bars, **fields)
    return Writing(request=request, transposition=transposition, source=piece)


def _piece(
    options: argparse.Namespace, *, whole: bool = False
) -> tuple[Chorale, Transposition, dict[str, Any]]:
    read, transposition = fit_to_vocabulary(inputs.read(Path(options.score)), options.key)
    piece = read if whole else _truncated(read, options.score)
    return piece, transposition, _fields(options) | {"key": transposition.requested_key}


def _fields(options: argparse.Namespace) -> dict[str, Any]:
    return api.parsed(_sampling(options))


def _read_melody(name: str, voice: Voice) -> ImportedPiece:
    path = Path(name)
    if not path.suffix and not paths.is_file(path):
        path = melodies.path(name)
    return inputs.read_melody(path, voice)


def _truncated(chorale: Chorale, name: str) -> Chorale:
    """Cut ``chorale`` to the longest piece that can be generated; print a message if it is cut."""
    first = edit_requests.truncated(chorale)
    if first.steps < chorale.steps:
        cut = f"{Path(name).name}: it is too long, only its first {first.bars} bars are used"
        output.report([cut])
    return first


_FIXED: Final = (
    argument(
        "--from",
        "a piece to rewrite: it gives the form (not --bars, --meter, --pickup, --phrases, "
        "--tempo), and all notes but those of the part to rewrite are kept",
        Path,
        dest="original",
        metavar="FILE",
    ),
    argument(
        "--keep",
        f"part of --from to keep, {_PART}; without --rewrite, everything else is rewritten",
        default=[],
        action="append",
        metavar="PART",
    ),
    argument(
        "--rewrite",
        "part of --from to rewrite; everything else is kept, and all parts that --keep names",
        default=[],
        action="append",
        metavar="PART",
    ),
    argument(
        "--prompt",
        "a piece to continue; it gives meter, pickup, tempo and key, but no fermatas",
        Path,
        metavar="FILE",
    ),
    argument(
        "--lock",
        'JSON file with fixed notes: {"steps": T, "cells": [[step, voice, pitch], ...]}; '
        "voice 0 (soprano) to 3 (bass), pitch -1 is a rest",
        Path,
        metavar="FILE",
    ),
    arguments.RULES,
    arguments.RANGES,
)
_LANGUAGE: Final = argument(
    "--language",
    "language of --words, by which they are divided into syllables, as in German",
    str.capitalize,
    DEFAULT_LANGUAGE,
)
_WORDS: Final = (
    argument(
        "--words",
        "a text file with the words of a hymn, a line for each phrase and an empty line between "
        "verses; the first verse gives bars, pickup, phrases and the rhythm of the soprano",
        Path,
        metavar="FILE",
    ),
    _LANGUAGE,
    argument(
        "--metre",
        "metre that the first verse of --words must have, as in '8.7.8.7 D' or C.M. (default: "
        "counted)",
        default="",
    ),
    argument(
        "--lines-begin",
        "whether the lines of --words begin on an upbeat or on the beat (default: auto, as the "
        "metre suggests)",
        default=AS_THE_METRE,
        choices=tuple(BEGINNINGS),
    ),
)
_VOICES: Final = argument(
    "--voices", "voices to rewrite, as in A,T (default: all)", default="S,A,T,B"
)
_PIECE: Final = argument("score", arguments.A_PIECE)
_ANSWER: Final = (*arguments.OUTPUT, *arguments.DEVICE)
_NEW: Final = Command(
    _generate,
    (
        arguments.model(),
        *arguments.NEW_PIECE,
        *_WORDS,
        Group("fixed notes and rules", _CAUSAL, _FIXED),
        *arguments.CANDIDATES,
        argument(
            "--count",
            "number of pieces, with seeds from --seed on (default: 1)",
            arguments.number("count"),
            1,
        ),
        *_ANSWER,
        argument("--weight-type", argparse.SUPPRESS, arguments.weight_type),
        arguments.JSON,
    ),
)


def _rewriting(
    task: Callable[[argparse.Namespace], Writing], *own: Argument, model: str = "relative-infill"
) -> Command:
    more = (
        "; a causal one, such as relative or vanilla, leads less smoothly into fixed notes ahead "
        "in the same voice"
    )
    shared = (
        arguments.model(model, more),
        *arguments.sampling(),
        arguments.RULES,
        arguments.RANGES,
        argument("--key", "key, as in 'F# minor' (default: that of the file)", Key.parse),
        *arguments.CANDIDATES,
        *_ANSWER,
        arguments.JSON,
    )
    return Command(partial(_rewrite, task), (*own, *shared))


COMMANDS: Final = {
    "generate": _NEW,
    "harmonise": _rewriting(
        _harmonise,
        argument("melody", f"a {arguments.PIECE_FILES} file, or a bundled tune such as ode-to-joy"),
        argument("--voice", "the voice of the melody: S, A, T or B", default="S"),
        argument(
            "--phrases",
            "bars of each phrase, as in 4,4,4,4; each ends with a fermata; replaces the fermatas "
            "of the file",
            arguments.whole_numbers,
            (),
        ),
        argument(
            "--words",
            "a text file with words to set under the melody, a line for each phrase and an empty "
            "line between verses; those for a bundled tune have its metre",
            Path,
            metavar="FILE",
        ),
        _LANGUAGE,
        argument(
            "--last-chord",
            "end of the piece where the melody allows it: on the tonic after the dominant, on the "
            "tonic, or on any chord (default: authentic, unless --cadence asks for another)",
            choices=("authentic", "tonic", "free"),
        ),
        model="relative",
    ),
    "infill": _rewriting(
        _infill,
        _PIECE,
        _VOICES,
        argument(
            "--steps",
            "steps to rewrite, in sixteenths from 0, half-open, as in 16:32 (default: all)",
        ),
        argument(
            "--verse",
            "a verse that gets a harmony of its own: it is written out after the verses before it, "
            "with other lower voices",
            arguments.number("verse"),
        ),
    ),
    "continue": _rewriting(
        _continue, _PIECE, argument("--bars", "number of new bars", arguments.number("bars"), 4)
    ),
    "vary": _rewriting(
        _vary,
        _PIECE,
        argument(
            "--change",
            "share of the piece to rewrite, 0 (similar) to 1 (different; default: 0.3)",
            arguments.number("change"),
            0.3,
        ),
        _VOICES,
    ),
}
