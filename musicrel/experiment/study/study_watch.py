"""The status of a study, or of a run alone, read from its folder while it is running.

Observers only read: any number of them can watch a study beside the process that runs it.
"""

from __future__ import annotations

import math
import statistics
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from itertools import pairwise
from pathlib import Path
from typing import Final

from musicrel.errors import FileError, MusicrelError
from musicrel.experiment.recipe import recipe
from musicrel.experiment.runners import runner_choice
from musicrel.experiment.runs import child_process, events, folder_lock
from musicrel.experiment.runs.event_log import EventLog
from musicrel.experiment.runs.events import StudyEvent, TrainEvent
from musicrel.experiment.runs.run_folder import RunFolder, state_of
from musicrel.experiment.study import definition, layer_costs, results, run_watch, study_folder
from musicrel.experiment.study.memory_study import MemoryStudy
from musicrel.experiment.study.run_watch import RunStatus, RunWatch
from musicrel.experiment.study.statistics import advice
from musicrel.experiment.study.study import Study
from musicrel.experiment.study.study_folder import Kind
from musicrel.experiment.study.study_status import State, StudyStatus
from musicrel.language import tr

_PROCESS_POLL_SECONDS: Final = 0.5
_MAX_LOSSES: Final = 100
"""Newest losses of machines that are kept."""
_MARK_SECONDS: Final = 10.0
_PACE_SECONDS: Final = 300.0
"""Seconds between two measurements of the pace at least, and of those that count."""


def state(folder: Path, kind: Kind) -> State:
    try:
        if kind == "study":
            definition.check_version(folder)
        else:
            RunFolder(folder).check_version()
        found = state_of(folder, results.RESULTS if kind == "study" else "result.json")
    except MusicrelError:
        return "unreadable"
    failed = found in ("crashed", "queued") and child_process.failure_reason(folder)
    return "failed" if failed else found


def known() -> tuple[StudyStatus, ...]:
    """Return all known studies, newest first, with their states alone."""
    kinds = {folder: study_folder.kind_of(folder) for folder in study_folder.known_folders()}
    return tuple(
        StudyStatus(folder=folder, name=folder.name, kind=kind, state=state(folder, kind))
        for folder, kind in kinds.items()
        if kind is not None
    )


class StudyWatch:
    """An observer of one study, or of one run alone."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder, self._clock = folder, clock
        self._log, self._offset = EventLog(folder / "events.jsonl"), 0
        self._study: Study | None = None
        self._runs: list[RunWatch] | None = None  # None before the definition is read
        self._now = StudyStatus(folder=folder, name=folder.name, kind="study", state="queued")
        self._last_check = -math.inf
        self._compared = -1  # finished runs at the last comparison
        self._marks: deque[tuple[float, float]] = deque()

    def poll(self) -> StudyStatus:
        """Return the current status; the same object as long as nothing changes.

        Errors are reported in ``problem``; none are raised.
        """
        try:
            self._update()
        except MusicrelError as reason:
            self._fail(str(reason))
        except (LookupError, TypeError, ValueError, OSError) as reason:
            self._fail(
                tr(
                    "{folder} cannot be read ({error}: {reason}): it is damaged, or of another "
                    "version of musicrel",
                    folder=self._folder, error=type(reason).__name__, reason=reason,
                )
            )  # fmt: skip
        return self._now

    def _fail(self, problem: str) -> None:
        found: State = "unreadable" if self._folder.exists() else "gone"
        self._now = replace(self._now, state=found, problem=problem, writer=None)

    def _update(self) -> None:
        now = self._clock()
        check_process = now - self._last_check >= _PROCESS_POLL_SECONDS
        if check_process:
            self._last_check = now
            self._update_state()
        runs = tuple(watch.poll(check_process=check_process) for watch in self._runs or ())
        if [*map(id, runs)] != [*map(id, self._now.runs)]:
            self._update_pace(runs, now)
            rates = results.choose_rates([run for run in runs if run.rate is not None])
            self._now = replace(self._now, runs=runs, rates=rates)
            self._compare(runs)

    def _update_state(self) -> None:
        kind = study_folder.kind_of(self._folder)
        if kind is None:
            raise FileError(study_folder.GONE.format(folder=self._folder))
        if self._runs is None:
            self._open(kind)
        found = state(self._folder, kind)
        status = self._read_cluster() if kind == "study" else self._now
        status = replace(
            status,
            state=found,
            problem=child_process.failure_reason(self._folder) if found == "failed" else "",
            writer=folder_lock.writer(self._folder),
            runner=runner_choice.read(self._folder),
        )
        if status.costs is not None:
            costs = layer_costs.collect(status.costs.study, self._folder)
            status = replace(status, costs=costs, verdicts=(costs.sentence,) if costs.rows else ())
        if status != self._now:
            self._now = status

    def _read_cluster(self) -> StudyStatus:
        now = self._now
        lines, offset = self._log.follow(self._offset)
        if offset < self._offset:  # another study in the same folder
            now = replace(now, nodes=(), places={}, losses=())
        self._offset = offset
        return reduce(_after, map(events.read, lines), now)

    def _open(self, kind: Kind) -> None:
        """Read the definition in the folder, which never changes."""
        study = definition.read(self._folder) if kind == "study" else None
        if isinstance(study, MemoryStudy):
            costs = layer_costs.collect(study, self._folder)
            self._runs, self._now = [], replace(self._now, kind=kind, name=study.name, costs=costs)
            return
        if study is None:
            first = recipe.parse(RunFolder(self._folder).recipe_toml(), "recipe.toml")
            name = first.name
            self._runs = [RunWatch(self._folder, name, first.training.seed)]
        else:
            name, first = study.name, study.arms[0].recipe
            self._runs = run_watch.watches(self._folder, study.every_run)
        self._study = study
        self._now = replace(
            self._now,
            kind=kind,
            name=name,
            family=first.model.family,
            samples=first.training.samples,
        )

    def _update_pace(self, runs: tuple[RunStatus, ...], now: float) -> None:
        """Measure the pace between marks some seconds apart, at each of which training advanced.

        A sleeping machine or a long evaluation spoils one of the measurements, not their median.
        """
        marks, seconds = self._marks, sum(run.seconds for run in runs)
        if self._now.state != "running" or (marks and seconds < marks[-1][1]):
            marks.clear()
        if self._now.state != "running":
            return
        if marks and (now - marks[-1][0] < _MARK_SECONDS or seconds == marks[-1][1]):
            return
        marks.append((now, seconds))
        while marks[-1][0] - marks[0][0] > _PACE_SECONDS and len(marks) > 2:  # noqa: PLR2004
            marks.popleft()
        paces = [(end - begin) / (more - less)
                 for (begin, less), (end, more) in pairwise(marks)]  # fmt: skip
        if paces:
            self._now = replace(self._now, pace=statistics.median(paces))

    def _compare(self, runs: tuple[RunStatus, ...]) -> None:
        """Update the verdicts on the finished runs when another run is finished."""
        finished = sum(run.result is not None for run in runs)
        if self._study is None or finished == self._compared:
            return
        self._compared = finished
        compared = [run for run in runs if run.rate is None]
        found = results.compare_arms(self._study, compared)
        self._now = replace(
            self._now,
            verdicts=tuple(one.sentence for one in found),
            advice=advice(found),
        )


def _after(now: StudyStatus, event: TrainEvent | StudyEvent | None) -> StudyStatus:
    """Return the status after an event of a cluster."""
    match event:
        case events.StudyStarted() | events.StudyStopped() | events.StudyFinished():
            return replace(now, nodes=(), places={})
        case events.NodesChanged():
            return replace(now, nodes=event.nodes)
        case events.RunPlaced() | events.RunLost() | events.RunEnded():
            name = (event.arm, event.seed, event.rate)
            places = {other: node for other, node in now.places.items() if other != name}
            if isinstance(event, events.RunPlaced):
                places[name] = event.node
            lost = (event,) if isinstance(event, events.RunLost) else ()
            return replace(now, places=places, losses=(*now.losses, *lost)[-_MAX_LOSSES:])
    return now
