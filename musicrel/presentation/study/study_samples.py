"""The small pieces of a study, side by side: one of each arm, written after as many steps.

This file knows runs as they stand; it knows nothing of what is in the pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from musicrel.experiment.study.run_watch import RunNow, Sample


class Heard(NamedTuple):
    """A small piece and the run that wrote it."""

    run: RunNow
    sample: Sample

    @property
    def title(self) -> str:
        """As in 'relative · seed 0 · step 200'."""
        return f"{self.run.arm} · seed {self.run.seed} · step {self.sample.step:,}"


def seeds(runs: Sequence[RunNow]) -> list[int]:
    """The seeds whose runs wrote pieces."""
    return list(dict.fromkeys(run.seed for run in runs if run.samples))


def steps(runs: Sequence[RunNow], seed: int) -> list[int]:
    """After how many steps there are pieces of a seed, the latest first."""
    return sorted(
        {sample.step for run in runs if run.seed == seed for sample in run.samples}, reverse=True
    )


def pieces(runs: Sequence[RunNow], seed: int, step: int) -> list[Heard]:
    """The pieces that were written after ``step`` steps, or last before, one of each arm."""
    found = []
    for run in runs:
        before = [sample for sample in run.samples if sample.step <= step]
        if run.seed == seed and before:
            found.append(Heard(run, max(before, key=lambda sample: sample.step)))
    return found
