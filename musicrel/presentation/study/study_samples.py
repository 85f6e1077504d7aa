"""The samples of a study side by side: one of each arm after the same number of steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from musicrel.presentation.words import display_names

if TYPE_CHECKING:
    from musicrel.experiment.study.run_watch import RunStatus, Sample


class ArmSample(NamedTuple):
    run: RunStatus
    sample: Sample

    @property
    def title(self) -> str:
        """Return a title, as 'Relative · seed 0 · step 200'."""
        return (
            f"{display_names.arm(self.run.arm)} · seed {self.run.seed} · step {self.sample.step:,}"
        )


def seeds(runs: Sequence[RunStatus]) -> list[int]:
    return list(dict.fromkeys(run.seed for run in runs if run.samples))


def steps(runs: Sequence[RunStatus], seed: int) -> list[int]:
    """Return the steps with samples of a seed, the latest first."""
    return sorted(
        {sample.step for run in runs if run.seed == seed for sample in run.samples}, reverse=True
    )


def pieces(runs: Sequence[RunStatus], seed: int, step: int) -> list[ArmSample]:
    """Return the latest sample of each arm up to ``step`` steps."""
    found = []
    for run in runs:
        before = [sample for sample in run.samples if sample.step <= step]
        if run.seed == seed and before:
            found.append(ArmSample(run, max(before, key=lambda sample: sample.step)))
    return found
