"""Differences of two arms by piece, from the test losses of their runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from musicrel.experiment.objectives.evaluation import PieceLoss
    from musicrel.experiment.study.results import StudyResults
    from musicrel.experiment.study.statistics import Comparison


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceDifference:
    """The losses of two arms on one piece, in the unit of the study."""

    index: int
    title: str
    notes: int
    first: float  # loss of the first arm, mean over the seeds finished in both
    second: float  # the same of the second arm
    by_seed: tuple[float, ...]

    @property
    def difference(self) -> float:
        """Return the loss of the first arm minus that of the second."""
        return self.first - self.second

    @property
    def agreeing(self) -> int:
        """Return the number of seeds whose difference has the sign of the mean."""
        return sum((one > 0) == (self.difference > 0) for one in self.by_seed)


def by_piece(found: StudyResults, pair: Comparison) -> list[PieceDifference]:
    """Return the difference of each test piece, in the order of the split."""
    first, second = (_pieces(found, arm) for arm in (pair.first, pair.second))
    seeds = [seed for seed in first if seed in second]
    rows = zip(*(first[seed] for seed in seeds), *(second[seed] for seed in seeds), strict=True)
    return [_difference(row[: len(seeds)], row[len(seeds) :]) for row in rows]


def most_different(pieces: Sequence[PieceDifference]) -> list[PieceDifference]:
    """Sort pieces by the size of their difference, the largest first."""
    return sorted(pieces, key=lambda piece: -abs(piece.difference))


def _pieces(found: StudyResults, arm: str) -> dict[int, tuple[PieceLoss, ...]]:
    """Return the test losses by piece of the finished runs of an arm, by seed."""
    return {
        run.planned.seed: run.result.test_pieces
        for run in found.runs
        if run.planned.arm == arm and run.result is not None
    }


def _difference(first: Sequence[PieceLoss], second: Sequence[PieceLoss]) -> PieceDifference:
    """Return the difference on one piece from its losses under each seed."""
    piece = first[0]
    losses = [[one.nats / piece.notes for one in arm] for arm in (first, second)]
    one, other = (sum(arm) / len(arm) for arm in losses)
    return PieceDifference(
        index=piece.index,
        title=piece.title,
        notes=piece.notes,
        first=one,
        second=other,
        by_seed=tuple(a - b for a, b in zip(*losses, strict=True)),
    )
