"""``musicrel generate --candidates N``: several proposals, measured, ranked, the best written.

This file knows arguments, files and tables; the measures are ``musicrel.generation``'s.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from musicrel.chorale import STEPS_PER_QUARTER
from musicrel.cli import output
from musicrel.cli.options.arguments import checked
from musicrel.cli.options.piece_options import numbers, request_of
from musicrel.errors import UsageError
from musicrel.presentation.files import exports

if TYPE_CHECKING:
    from musicrel.chorale import Chorale
    from musicrel.cli.options.destination import Destination
    from musicrel.generation.candidates.candidate_job import Candidate, Event, Proposals
    from musicrel.generation.loaded_model import LoadedModel
    from musicrel.generation.request import GenerationRequest

_HEAD: Final = (
    "candidate", "score", "nats/note", "grade", "parallels", "crossing %", "spacing %",
    "2 bars known %", "known beats", "critic", "changed %", "cadences",
)  # fmt: skip


def add(parser: argparse.ArgumentParser) -> None:
    """The arguments."""
    parser.add_argument(
        "--candidates",
        type=int,
        metavar="N",
        help="make N proposals with seeds from --seed on, measure and rank them, write the best "
        "(all, where --out is a folder)",
    )
    parser.add_argument(
        "--weights",
        type=checked(numbers),
        default={},
        metavar="LIST",
        help="of the ranking, as in nats=1,grade=0.01,parallels=0.01,crossing=0.01,spacing=0.01,"
        "memorised=0.5,cadence=0.5,critic=0,changed=0 (these are the defaults); the lowest sum "
        "comes first",
    )
    parser.add_argument(
        "--cadence",
        default="",
        metavar="KIND",
        help="how phrases should close: authentic, half, plagal or deceptive; of several "
        "candidates those come first of which most fermatas, and the end, close so",
    )


def check(asked: argparse.Namespace) -> None:
    """See that what ranks proposals has several to rank.

    Raises:
        UsageError: it has not.
    """
    if asked.weights and asked.candidates is None:
        raise UsageError("--weights rank proposals: say how many with --candidates")
    if asked.cadence and (asked.candidates or 1) == 1:
        raise UsageError("--cadence ranks proposals: ask for several with --candidates")


def propose(
    asked: argparse.Namespace, model: LoadedModel, target: Destination
) -> tuple[Proposals, list[str]]:
    """Make the proposals and write what is to be written: the proposals, and the files."""
    request, original = request_of(asked)
    made = proposals(model, request, asked.candidates, original, asked.weights)
    return made, write(made, target)


def proposals(
    model: LoadedModel,
    request: GenerationRequest,
    count: int,
    original: Chorale | None,
    weights: Mapping[str, float],
) -> Proposals:
    """Make the proposals, telling how far they are; see ``musicrel.generation.candidates.candidate_job``."""
    from musicrel import jobs
    from musicrel.generation.candidates import candidate_job
    from musicrel.generation.causal.batch import Progress

    with output.Progress("proposals", 0, "notes") as progress:

        def show(event: Event) -> None:
            if isinstance(event, Progress):
                progress.expect(event.total)
                progress.reach(event.done)
                if event.notice:
                    output.note(event.notice)
            if isinstance(event, candidate_job.Stuck):
                output.note(f"candidate {event.number} came to no end: {event.sentence}")

        job = candidate_job.propose(model, request, count, original=original, weights=weights)
        return jobs.run(job, show)


def write(
    made: Proposals,
    target: Destination,
    finished: Callable[[Chorale], Chorale] = lambda chorale: chorale,
) -> list[str]:
    """Write the best proposal, or all where ``target`` is a folder: the files.

    Args:
        made: the proposals.
        target: where they go.
        finished: what is done to each before.
    """
    chosen = made.ranked if target.stem is None else made.ranked[:1]
    files = []
    for candidate in chosen:
        for path in target.of(candidate.seed or 0):
            exports.write(finished(candidate.chorale), path)
            files.append(str(path))
    return files


def figures(made: Proposals, files: list[str], model: LoadedModel, threads: int) -> dict[str, Any]:
    """The best proposal and how it came about as plain values, then all proposals."""
    best = made.ranked[0]
    return {
        "files": files,
        "model": model.name,
        "seed": best.seed,
        "device": str(model.device),
        "threads": threads,
        "tokens": made.tokens,
        "seconds": round(made.seconds, 3),
        "tokens_per_second": round(made.tokens / made.seconds, 1),
        "nats_per_note": best.measures.nats,
    } | to_json(made)


def to_json(made: Proposals) -> dict[str, Any]:
    """The proposals as plain values, the original first, then the best."""
    listed = [*([made.original] if made.original else []), *made.ranked]
    return {
        "candidates": [_of(candidate) for candidate in listed],
        "stuck": [
            {"number": stuck.number, "seed": stuck.seed, "reason": stuck.sentence}
            for stuck in made.stuck
        ],
    }


def text(made: Proposals) -> str:
    """The table of the proposals; its nats are those that are ranked by, locked notes ahead too."""
    listed = [*([made.original] if made.original else []), *made.ranked]
    return output.table(_HEAD, [_cells(candidate) for candidate in listed])


def _of(candidate: Candidate) -> dict[str, Any]:
    from musicrel.analysis.rules import RULES

    measures = candidate.measures
    rates, distance = measures.rates, measures.distance
    return {
        "number": candidate.number,
        "seed": candidate.seed,
        "score": candidate.score,
        "terms": dict(candidate.terms),
        "nats_per_note": measures.nats,
        "region_nats_per_note": measures.region_nats,
        "onward_nats_per_note": measures.onward_nats,
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
        f"{measures.onward_nats:.3f}",
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
    """``aha-`` for authentic, half, authentic, none."""
    return "".join(kind[:1] or "-" for kind in kinds) or "-"
