"""What is known of a study, or of a run alone, while it goes on, read along from its folder.

Whoever watches does not write: any number may watch one study, beside the process that carries it
out. This file knows folders and runs; it knows nothing of how they are shown.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, TypeAlias

from musicrel.errors import FileError, MusicrelError
from musicrel.experiment.recipe import recipe
from musicrel.experiment.runs import child_process, folder_lock, run_folder
from musicrel.experiment.runs.run_folder import (
    RunFolder,
    RunState,
    check_version,
    read_table,
    state_of,
)
from musicrel.experiment.study import layer_costs, results, study_folder
from musicrel.experiment.study.layer_costs import LayerCosts
from musicrel.experiment.study.measures import MEASURES
from musicrel.experiment.study.run_watch import RunNow, RunWatch
from musicrel.experiment.study.study_folder import Kind

State: TypeAlias = RunState | Literal["failed", "unreadable", "gone"]
"""How a run or study stands; ``failed``: it ended and said why."""

RESULT: Final[dict[Kind, str]] = {"study": results.RESULTS, "run": "result.json"}
_ABOUT: Final[dict[Kind, str]] = {"study": results.ABOUT, "run": "run.json"}
_VERSIONS: Final[dict[Kind, dict[str, int]]] = {
    "study": {results.FORMAT: results.VERSION, layer_costs.FORMAT: layer_costs.VERSION},
    "run": {run_folder.FORMAT: run_folder.VERSION},
}
"""The formats of each kind, the usual one first."""
_SECONDS_BETWEEN_LOOKS_AROUND: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyNow:
    """A study as it stands.

    Attributes:
        folder: where it lies.
        name: what the user called it.
        kind: a study, or a run alone.
        state: of the whole.
        runs: in the order they are made.
        verdicts: what was found, a sentence for each pair of arms; empty before a seed is done.
        unit: of its losses.
        family: of its models.
        samples: whether its runs write small pieces on their way.
        costs: what was measured, where nothing is trained and there are no runs; else None.
        problem: why it failed or cannot be read, one sentence; "" where all is well.
        writer: the process at work on it, None: there is none.
        learned: seconds of learning that were watched; ``watched`` is how long that took.
        watched: seconds of a clock on the wall.
    """

    folder: Path
    name: str
    kind: Kind
    state: State
    runs: tuple[RunNow, ...] = ()
    verdicts: tuple[str, ...] = ()
    unit: str = MEASURES["causal"].unit
    family: str = "causal"
    samples: bool = True
    costs: LayerCosts | None = None
    problem: str = ""
    writer: int | None = None
    learned: float = 0.0
    watched: float = 0.0

    @property
    def alive(self) -> bool:
        """Whether a process is at work on it."""
        return self.state in ("running", "paused")

    @property
    def orphaned(self) -> bool:
        """Whether its process is dead while that of a run lives on."""
        return not self.alive and any(run.state in ("running", "paused") for run in self.runs)


def state(folder: Path, kind: Kind) -> State:
    """The state of what lies in ``folder``, whether or not anybody watches it."""
    try:
        _check_format(folder / _ABOUT[kind], _VERSIONS[kind])
    except MusicrelError:
        return "unreadable"
    found = state_of(folder, RESULT[kind])
    broken = found in ("crashed", "queued") and child_process.failure(folder / child_process.LOG)
    return "failed" if broken else found


def _check_format(about: Path, versions: dict[str, int]) -> None:
    told = read_table(about) or {}
    name = str(told.get("format"))
    name = name if name in versions else next(iter(versions))
    check_version(about, name, versions[name])


class StudyWatch:
    """Follows one study, or one run.

    Args:
        folder: of the study or run.
        clock: seconds.
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder, self._clock = folder, clock
        self._runs: list[RunWatch] | None = None
        self._now = StudyNow(folder=folder, name=folder.name, kind="study", state="queued")
        self._looked_around: float | None = None
        self._judged = -1
        self._last_learned: tuple[float, float] | None = None

    def look(self) -> StudyNow:
        """How it stands now; the same object while nothing has changed. It never raises."""
        try:
            self._now = self._looked()
        except MusicrelError as reason:
            self._now = self._unknown(str(reason))
        except (LookupError, TypeError, ValueError, OSError) as reason:
            self._now = self._unknown(
                f"{self._folder} holds what this program cannot read ({type(reason).__name__}: "
                f"{reason}): it is damaged, or of another version of musicrel"
            )
        return self._now

    def _unknown(self, problem: str) -> StudyNow:
        found: State = "unreadable" if self._folder.exists() else "gone"
        return replace(self._now, state=found, problem=problem, writer=None)

    def _looked(self) -> StudyNow:
        now = self._clock()
        last = self._looked_around
        thoroughly = last is None or now - last >= _SECONDS_BETWEEN_LOOKS_AROUND
        if thoroughly:
            self._looked_around = now
            self._look_around()
        runs = tuple(watch.look(thoroughly=thoroughly) for watch in self._runs or ())
        if [*map(id, runs)] != [*map(id, self._now.runs)]:
            self._count(runs, now)
            self._now = replace(self._now, runs=runs, verdicts=self._verdicts(runs))
        return self._now

    def _look_around(self) -> None:
        kind = study_folder.kind(self._folder)
        if kind is None:
            raise FileError(f"the folder {self._folder} is gone, or holds no study any more")
        if self._runs is None:
            self._open(kind)
        found = state(self._folder, kind)
        failed = (
            child_process.failure(self._folder / child_process.LOG) if found == "failed" else ""
        )
        seen = replace(
            self._now,
            state=found,
            problem=failed,
            writer=folder_lock.writer(self._folder),
            kind=kind,
        )
        if self._now.costs is not None:
            seen = _measured(seen, layer_costs.collect(self._now.costs.study, self._folder))
        if seen != self._now:
            self._now = seen

    def _open(self, kind: Kind) -> None:
        """Read what the folder asks for; that never changes.

        Raises:
            UsageError: it is of another version, or damaged.
        """
        measured = layer_costs.study_in(self._folder) if kind == "study" else None
        if measured is not None:
            self._runs = []
            found = layer_costs.collect(measured, self._folder)
            self._now = replace(self._now, kind=kind, name=measured.name, costs=found)
            return
        if kind == "study":
            asked = results.study_in(self._folder)
            name, first = asked.name, asked.arms[0].recipe
            planned = [(self._folder / run.folder, run.arm, run.seed) for run in asked.runs]
        else:
            first = recipe.parse(RunFolder(self._folder).recipe_toml(), "recipe.toml")
            name = first.name
            planned = [(self._folder, name, first.training.seed)]
        self._runs = [RunWatch(*one) for one in planned]
        self._now = replace(
            self._now,
            kind=kind,
            name=name,
            unit=MEASURES[first.model.family].unit,
            family=first.model.family,
            samples=first.training.samples,
        )

    def _count(self, runs: tuple[RunNow, ...], now: float) -> None:
        """Note how long the learning that was watched took."""
        learned = sum(run.seconds for run in runs)
        last, self._last_learned = self._last_learned, (now, learned)
        if last is not None and self._now.state == "running" and learned >= last[1]:
            self._now = replace(
                self._now,
                learned=self._now.learned + learned - last[1],
                watched=self._now.watched + now - last[0],
            )

    def _verdicts(self, runs: tuple[RunNow, ...]) -> tuple[str, ...]:
        """What the finished runs say; found anew only when another one is finished."""
        done = sum(run.result is not None for run in runs)
        if self._now.kind != "study" or done == self._judged:
            return self._now.verdicts
        self._judged = done
        written = read_table(self._folder / results.RESULTS) if done == len(runs) else None
        if written is not None:
            return tuple(verdict["sentence"] for verdict in written["verdicts"])
        found = results.collect(self._folder) if done > 1 else None
        return tuple(comparison.sentence for comparison in found.comparisons) if found else ()


def _measured(now: StudyNow, costs: LayerCosts) -> StudyNow:
    """The study with what was measured by now."""
    return replace(now, costs=costs, verdicts=(costs.sentence,) if costs.rows else ())
