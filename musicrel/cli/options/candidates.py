"""``--candidates N``: several candidates, measured and ranked; the best is written."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from musicrel.chorale import STEPS_PER_QUARTER
from musicrel.cli import output
from musicrel.cli.options import arguments
from musicrel.cli.options.arguments import checked
from musicrel.cli.options.piece_options import numbers
from musicrel.errors import UsageError
from musicrel.generation import quality
from musicrel.presentation.files import exports

if TYPE_CHECKING:
    from musicrel.cli.options.destination import Destination
    from musicrel.generation.candidates.candidate_job import Candidate, CandidateEvent, CandidateSet
    from musicrel.generation.loaded_model import LoadedModel
    from musicrel.generation.request import GenerationRequest
    from musicrel.jobs import Job

_HEAD: Final = (
    "candidate", "score", "nats/note", "grade", "parallels", "crossing %", "spacing %",
    "2 bars copied %", "copied beats", "critic", "changed %", "cadences",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options of a run that writes candidates; see the help of the commands."""

    model: str
    candidates: int | None
    weights: Mapping[str, float]
    cadence: str
    out: str
    format: str | None
    device: str
    threads: int
    json: bool


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--candidates",
        type=arguments.number("candidates"),
        metavar="N",
        help="write N candidates with seeds from --seed on, measure and rank them, and store the "
        "best (all, if --out is a folder)",
    )
    parser.add_argument(
        "--weights",
        type=checked(numbers),
        default={},
        metavar="LIST",
        help="weights of the ranking, as in nats=1,grade=0.01,parallels=0.01,crossing=0.01,"
        "spacing=0.01,memorised=0.5,cadence=0.5,critic=0,changed=0 (these are the defaults); the "
        "candidate with the lowest weighted sum ranks first",
    )
    parser.add_argument(
        "--cadence",
        default="",
        metavar="KIND",
        help="cadence of the phrase ends: authentic, half, plagal or deceptive, one for all, the "
        "end included, or one for each as in half,,authentic; a model searches for it at "
        "--quality normal and high, and candidates rank higher the more of their phrases have it",
    )


def check(options: Options) -> None:
    """Check that there are several candidates if there are weights that rank them."""
    if options.weights and options.candidates is None:
        raise UsageError("--weights ranks candidates: give their number with --candidates")


def check_cadence(options: Options, request: GenerationRequest) -> None:
    """Check that the requested cadence is searched for, or ranks candidates."""
    searched = quality.searches(request.quality, request.temperature)
    if options.cadence and (options.candidates or 1) == 1 and not searched:
        raise UsageError(
            "--cadence only ranks candidates here: give a number above 1 with --candidates, or let "
            "the model search, with --quality normal and a temperature above 0"
        )


def run(job: Job[CandidateEvent, CandidateSet]) -> CandidateSet:
    """Run a job of ``candidate_job.generate_candidates`` with a progress bar."""
    from musicrel import jobs
    from musicrel.generation.candidates import candidate_job
    from musicrel.generation.causal.batch import Progress

    with output.ProgressBar("candidates", 0, "notes") as bar:

        def show(event: CandidateEvent) -> None:
            if isinstance(event, Progress):
                bar.set_total(event.total)
                bar.set_done(event.done)
                if event.notice:
                    output.print_message(event.notice)
            if isinstance(event, candidate_job.Stuck):
                output.print_message(f"candidate {event.number} is incomplete: {event.sentence}")

        return jobs.run(job, show)


def write(
    result: CandidateSet,
    target: Destination,
    model: LoadedModel,
    options: Options,
    *,
    with_table: bool,
    title: str = "",
) -> None:
    """Write the best candidate, or all if ``target`` is a folder; print the files.

    Args:
        title: title of each piece; "": its own.
    """
    chosen = result.ranked if target.stem is None else result.ranked[:1]
    files = []
    for candidate in chosen:
        piece = candidate.chorale
        for path in target.of(candidate.seed or 0):
            exports.write(replace(piece, title=title or piece.title), path)
            files.append(str(path))
    if options.json:
        output.print_json(_to_json(result, files, model, options.threads))
    else:
        output.print_text("\n".join([*([_table(result)] if with_table else []), *files]))


def _to_json(
    result: CandidateSet, files: list[str], model: LoadedModel, threads: int
) -> dict[str, Any]:
    """Return figures of the best candidate and of the whole run, then all candidates."""
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


def _table(result: CandidateSet) -> str:
    """Format the candidates; nats/note is the ranked one, with locked notes that follow."""
    return output.table(_HEAD, [_cells(candidate) for candidate in _listed(result)])


def _listed(result: CandidateSet) -> list[Candidate]:
    """Return the original, if there is one, then the best."""
    return [*([result.original] if result.original else []), *result.ranked]


def _candidate_json(candidate: Candidate) -> dict[str, Any]:
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
