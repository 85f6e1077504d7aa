"""Candidates that a command writes: their files, the progress, the table and the JSON.

The options that fix notes of a new piece, and the request for it: --from, --keep, --lock, ...
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from musicrel import api, jobs, paths
from musicrel.analysis.rules import RULES
from musicrel.chorale import STEPS_PER_QUARTER, Chorale
from musicrel.cli import output
from musicrel.cli.options import arguments, source_file
from musicrel.cli.options.arguments import argument
from musicrel.errors import FileError, UsageError
from musicrel.figures import exports
from musicrel.generation import quality
from musicrel.generation.candidates import candidate_job
from musicrel.generation.candidates.candidate_job import Candidate, CandidateEvent, CandidateSet
from musicrel.generation.causal.batch import Progress
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.jobs import Job
from musicrel.score.files import one_of

_PART: Final = "as in soprano, 5-8, alto,tenor:5-8, first or last (chord)"
_SAMPLING: Final = (
    "temperature", "top_k", "top_p", "seed", "rules", "quality", "cadence", "mute", "mute_by",
)  # fmt: skip
_FORM: Final = ("bars", "meter", "pickup", "key", "phrases", "tempo")
_CAUSAL: Final = (
    "A causal model, such as relative or vanilla, reads from left to right. At --quality normal "
    "and high it tries several ways at once to locked notes that lie ahead and keeps those that "
    "lead into them; at draft it does not see them. With --candidates, several results are ranked "
    "by the likelihood of all new notes together with the locked notes that follow them."
)
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


def add_fixed_notes(parser: argparse.ArgumentParser) -> None:
    arguments.add(parser.add_argument_group("fixed notes and rules", _CAUSAL), _FIXED)


def sampling(options: argparse.Namespace) -> dict[str, Any]:
    return {name: getattr(options, name) for name in _SAMPLING}


def request(options: argparse.Namespace) -> tuple[GenerationRequest, Chorale | None]:
    fields = sampling(options) | {"ranges": options.ranges, "locks": options.lock}
    if options.original:
        original = _original(options)
        fields |= {"keep": options.keep, "rewrite": options.rewrite}
        fields |= {"key": options.key} if options.key else {}
        return api.request(original, fields), original
    if options.keep or options.rewrite:
        raise UsageError("--keep and --rewrite name parts of a piece: give it with --from FILE")
    fields |= {name: getattr(options, name) for name in _FORM}
    if options.prompt:
        fields |= _of_prompt(options)
    return api.request(None, fields), None


def _original(options: argparse.Namespace) -> Chorale:
    if options.prompt:
        raise UsageError("--from and --prompt both name a piece to start from: give one of them")
    if not options.keep and not options.rewrite:
        raise UsageError(
            f"--from is given without a part to rewrite: add --rewrite PART or --keep PART, {_PART}"
        )
    return source_file.read(options.original)


def _of_prompt(options: argparse.Namespace) -> dict[str, Any]:
    """Return form and locks of a piece that begins with the prompt."""
    prompt = source_file.read(options.prompt)
    steps = GenerationRequest(bars=options.bars, meter=prompt.meter).steps
    fixed = Locks.of_prompt(prompt, steps)
    return {
        "meter": prompt.meter,
        "pickup": prompt.pickup,
        "tempo": prompt.tempo,
        "key": options.key or prompt.key,
        "locks": fixed | Locks.read(options.lock) if options.lock else fixed,
    }


_HEAD: Final = (
    "candidate", "score", "nats/note", "grade", "parallels", "crossing %", "spacing %",
    "2 bars copied %", "copied beats", "critic", "changed %", "cadences",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Destination:
    folder: Path
    stem: str | None  # name of the one piece; None: each is named for its seed
    formats: tuple[str, ...]  # suffixes without the dot

    def of(self, seed: int) -> list[Path]:
        stem = self.stem if self.stem is not None else f"chorale-{seed}"
        return [self.folder / f"{stem}.{suffix}" for suffix in self.formats]


def destination(out: str, formats: str | None, pieces: int) -> Destination:
    """Interpret --out and --format.

    Args:
        out: FILE, FILE without suffix, or DIR (one that exists, ends in a slash, or is meant
            because there are several pieces).
        formats: ``mid,json``; None: by the suffix of ``out``, or mid.
    """
    if not out:
        raise UsageError("--out is empty: name a file or a folder")
    path = Path(out)
    suffixes = parse_formats(formats) if formats is not None else ()
    has_suffix = path.suffix.lower() in exports.WRITABLE or (bool(path.suffix) and not suffixes)
    if _is_folder(out) or (pieces > 1 and not has_suffix):
        chosen = Destination(path, None, suffixes or ("mid",))
    elif has_suffix:
        chosen = _one_file(path, suffixes, pieces)
    else:
        chosen = Destination(path.parent, path.name, suffixes or ("mid",))
    paths.require_writable(chosen.folder)
    return chosen


def parse_formats(formats: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip().lower() for name in formats.split(",")))
    for name in names:
        if f".{name}" not in exports.WRITABLE:
            known = one_of([suffix[1:] for suffix in exports.WRITABLE])
            raise UsageError(f"format {name!r}: expected {known}{exports.hint(f'.{name}')}")
    return names


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


def check(options: argparse.Namespace) -> None:
    if options.weights and options.candidates is None:
        raise UsageError("--weights ranks candidates: give their number with --candidates")


def check_cadence(options: argparse.Namespace, request: GenerationRequest) -> None:
    searched = quality.searches(request.quality, request.temperature)
    if options.cadence and (options.candidates or 1) == 1 and not searched:
        raise UsageError(
            "--cadence only ranks candidates here: give a number above 1 with --candidates, or let "
            "the model search, with --quality normal and a temperature above 0"
        )


def run(job: Job[CandidateEvent, CandidateSet]) -> CandidateSet:
    with output.ProgressBar("candidates", 0, "notes") as bar:

        def show(event: CandidateEvent) -> None:
            if isinstance(event, Progress):
                bar.set_done(event.done, total=event.total)
                if event.notice:
                    output.print_message(event.notice)
            if isinstance(event, candidate_job.Stuck):
                output.print_message(f"candidate {event.number} is incomplete: {event.sentence}")

        return jobs.run(job, show)


def write(
    result: CandidateSet,
    target: Destination,
    model: LoadedModel,
    options: argparse.Namespace,
    *,
    with_table: bool,
    title: str = "",
) -> None:
    """Write the best candidate, or all if ``target`` is a folder; print the files."""
    chosen = result.ranked if target.stem is None else result.ranked[:1]
    files = []
    for candidate in chosen:
        piece = candidate.chorale
        for path in target.of(candidate.seed or 0):
            exports.write(replace(piece, title=title or piece.title), path)
            files.append(str(path))
    table = [output.table(_HEAD, [*map(_cells, _listed(result))])] if with_table else []
    values = _to_json(result, files, model, options.threads)
    output.print_result(values, "\n".join([*table, *files]), as_json=options.json)


def _to_json(
    result: CandidateSet, files: list[str], model: LoadedModel, threads: int
) -> dict[str, Any]:
    best = result.ranked[0]
    return {
        "files": files,
        "model": model.name,
        "seed": best.seed,
        "device": str(model.device),
        "threads": threads,
        "tokens": result.tokens,
        "seconds": round(result.seconds, 3),
        "tokens_per_second": round(result.tokens / result.seconds, 1),
        "nats_per_note": best.measures.nats,
        "candidates": [_candidate_json(candidate) for candidate in _listed(result)],
        "stuck": [
            {"number": stuck.number, "seed": stuck.seed, "reason": stuck.sentence}
            for stuck in result.stuck
        ],
    }


def _listed(result: CandidateSet) -> list[Candidate]:
    return [*([result.original] if result.original else []), *result.ranked]


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
        "critic": measures.critic,
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
        "-" if measures.critic is None else f"{measures.critic:.2f}",
        f"{100 * measures.distance.changed:.0f}" if measures.distance else "-",
        _initials(measures.cadences),
    )


def _initials(kinds: Iterable[str]) -> str:
    """Abbreviate kinds of cadences: ``aha-`` for authentic, half, authentic, none."""
    return "".join(kind[:1] or "-" for kind in kinds) or "-"
