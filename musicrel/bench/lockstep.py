"""The lockstep part of ``musicrel bench``: two models that take turns, beside each of them alone.

Each alone and both together are timed in turn. A ratio is the speed of each of the two in lockstep,
relative to one alone (the mean time of both); a half is the most that is possible in one thread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from musicrel import jobs
from musicrel.bench import rewriting, workloads
from musicrel.bench.timing import Row, best, row
from musicrel.generation.candidates.candidate_job import bundled_evaluator, generate_candidates
from musicrel.generation.causal.causal_generator import generate
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.request import GenerationRequest
from musicrel.generation.twin.writing import in_lockstep
from musicrel.jobs import Job

_WRITING: Final = ("relative", "vanilla")
_REWRITING: Final = ("relative-infill", "vanilla-infill")
_BARS: Final = 16
_QUALITIES: Final = ("draft", "normal")

MakeJob = Callable[[], Job[Any, Any]]


def rows(device: str, threads: int, bars: int = _BARS) -> list[Row]:
    """Return three rows for each pair and quality; tests use smaller sizes."""
    writers, rewriters = (
        {name: load_model(name, device, threads) for name in pair}
        for pair in (_WRITING, _REWRITING)
    )
    bundled_evaluator()  # loaded once, not part of the measurement
    found: list[Row] = []
    for quality in _QUALITIES:
        request = GenerationRequest(bars=bars, quality=quality)
        writing = _jobs(writers, partial(generate, request=request, record=True))
        found += _pair_rows(f"write {bars} bars, {quality}, attention recorded", writing)
    piece = workloads.unlearned_piece(bars)
    for quality in _QUALITIES:
        request = rewriting.rewrite_request(piece, quality)
        again = _jobs(rewriters, partial(generate_candidates, request=request, count=1))
        found += _pair_rows(f"{rewriting.name(bars)}, {quality}", again)
    return found


def _jobs(
    models: Mapping[str, LoadedModel], make: Callable[[LoadedModel], Job[Any, Any]]
) -> dict[str, MakeJob]:
    return {name: partial(make, model) for name, model in models.items()}


def _pair_rows(work: str, alone: Mapping[str, MakeJob]) -> list[Row]:
    """Return the seconds of each model alone, and of both with the speed of each."""
    together = f"{work}, {' and '.join(alone)} in lockstep"
    works: dict[str, Callable[[], object]] = {
        f"{work}, {name}": partial(_run, make) for name, make in alone.items()
    }
    works[together] = partial(_run_both, *alone.values())
    seconds = best(works)
    both = seconds.pop(together)
    mean = sum(seconds.values()) / len(seconds)
    return [
        *(row(name, taken, "s") for name, taken in seconds.items()),
        row(together, both, "s", "the speed of one alone", mean / both),
    ]


def _run(make: MakeJob) -> None:
    jobs.run(make())


def _run_both(first: MakeJob, second: MakeJob) -> None:
    for end in jobs.run(in_lockstep((first(), second()))):
        if end.error is not None:
            raise end.error
