"""The status of a study, or of a run alone, as it is shown; without torch, slow to import."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from musicrel.experiment.runners.runner_choice import RunnerChoice
from musicrel.experiment.runs.events import Node, RunLost
from musicrel.experiment.study import study_folder
from musicrel.experiment.study.measures import MEASURES
from musicrel.experiment.study.study_folder import Kind

if TYPE_CHECKING:
    from musicrel.experiment.runs.run_folder import RunState
    from musicrel.experiment.study.layer_costs import LayerCosts
    from musicrel.experiment.study.run_watch import RunStatus

State: TypeAlias = "RunState | Literal['failed', 'unreadable', 'gone']"
"""State of a run or study; ``failed``: it ended with an error message."""

RunName: TypeAlias = tuple[str, int, float | None]
"""Arm and seed of a run, and its learning rate if it is a trial of a search."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyStatus:
    folder: Path
    name: str
    kind: Kind  # a study, or a run alone
    state: State
    runs: tuple[RunStatus, ...] = ()
    # a sentence for each pair of arms; empty before a seed is finished
    verdicts: tuple[str, ...] = ()
    advice: str = ""  # what to run next where a pair has no verdict, a sentence; else ""
    family: str = "causal"
    samples: bool = True  # whether its runs generate samples
    costs: LayerCosts | None = None  # results of a memory study, which has no runs; else None
    problem: str = ""  # reason of a failure or of an unreadable folder, one sentence; else ""
    writer: int | None = None  # id of the process that runs it; None if there is none
    # the runner that is used now, or next time
    runner: RunnerChoice = field(default_factory=RunnerChoice)
    # machines of its cluster, lost ones, too; empty if the study runs on this one alone
    nodes: tuple[Node, ...] = ()
    places: Mapping[RunName, str] = field(default_factory=dict)  # run -> name of its machine
    losses: tuple[RunLost, ...] = ()  # the last runs that lost their machine, oldest first
    # wall-clock seconds for each second of training, the median over the last minutes; more than
    # 1 with evaluations or a busy machine, less with runs side by side; None until it is known
    pace: float | None = None
    # learning rate of each arm whose search is finished
    rates: Mapping[str, float] = field(default_factory=dict)

    @property
    def archived(self) -> bool:
        return study_folder.is_archived(self.folder)

    @property
    def unit(self) -> str:
        return MEASURES[self.family].unit

    @property
    def compared(self) -> tuple[RunStatus, ...]:
        """Return the runs that are compared: all but the trials of a search."""
        return tuple(run for run in self.runs if run.rate is None)

    @property
    def alive(self) -> bool:
        return self.state in ("running", "paused")

    @property
    def orphaned(self) -> bool:
        """Return whether its process has died while that of a run is alive."""
        return not self.alive and any(run.state in ("running", "paused") for run in self.runs)

    @property
    def listed(self) -> tuple[RunStatus, ...]:
        """Return the runs as they are listed: a search that is over comes last."""
        trials = tuple(run for run in self.runs if run.rate is not None)
        over = all(run.result is not None for run in trials)
        return (*self.compared, *trials) if over else self.runs
