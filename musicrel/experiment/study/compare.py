"""A study as a job: all its runs, as many side by side as its runner takes, then the verdict.

Each run has an ordinary run folder, ``runs/ARM-seedN``. Finished runs are never repeated and
interrupted ones are resumed. Requests in the study's own ``control.jsonl`` are forwarded to its
runs. Results are read from the folders in the order of the study, whatever the order of the runs.
A search for learning rates comes first: its trials are runs, too, ``runs/ARM-lrRATE-seedN``.
"""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Generator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from musicrel import jobs, paths
from musicrel.errors import ModelError, MusicrelError, UsageError
from musicrel.experiment.data import dataset
from musicrel.experiment.data.dataset import DataSet
from musicrel.experiment.runners.runner import Runner, RunPoll
from musicrel.experiment.runs import events, run_control
from musicrel.experiment.runs.event_log import EventLog
from musicrel.experiment.runs.events import (
    Node,
    NodesChanged,
    RatesChosen,
    RunBegan,
    RunEnded,
    RunEvent,
    RunLost,
    RunPlaced,
    StudyEvent,
    StudyFinished,
    StudyPaused,
    StudyResumed,
    StudyStarted,
    StudyStopped,
    TrainEvent,
    TrainPaused,
    TrainResumed,
    TrainStarted,
    TrainStopped,
)
from musicrel.experiment.runs.folder_lock import writer_lock
from musicrel.experiment.runs.run_control import RunControl, combined
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.study import definition, published, results, run_watch
from musicrel.experiment.study.results import StudyResults
from musicrel.experiment.study.study import PlannedRun, Study
from musicrel.jobs import Control, Job, RunCommand, keep_running


def compare(
    study: Study,
    folder: Path,
    *,
    runner: Runner,
    resume: bool = False,
    control: Control = keep_running,
    since: int | None = None,
) -> Job[StudyEvent, StudyResults]:
    """Run ``study`` in ``folder``.

    Args:
        folder: folder of the study; new, unless ``resume``.
        since: offset of the first request to read in ``control.jsonl``, in bytes; None: its end.
    """
    if resume:
        definition.check_same(study, folder)
    else:
        jobs.run(check_data(study))
        definition.create(folder, study)
    controls = combined(RunControl(folder, since).command, control)
    log = EventLog(folder / "events.jsonl")
    with writer_lock(folder):
        log.repair()
        definition.create_runs(folder, study.trials or study.runs)
        job = _events(study, folder, runner, controls)

        def record(event: StudyEvent) -> StudyEvent:
            if not isinstance(event, RunEvent):  # those are in the folders of the runs
                log.append(event)
            return event

        found: StudyResults = yield from jobs.map_events(job, record)
        return found


def check_data(study: Study) -> Job[None, None]:
    """Check that all arms can be trained and evaluated on their data; yield after each data set."""
    loaded: dict[str, DataSet] = {}
    for arm in study.arms:
        source = arm.recipe.data.source
        if source not in loaded:
            loaded[source] = dataset.load(source)
            dataset.check_splits(loaded[source])
            yield
        try:
            dataset.check_positions(arm.recipe, loaded[source])
        except UsageError as reason:
            raise UsageError(f"arm {arm.name!r}: {reason}") from reason


def write_results(study: Study, folder: Path) -> StudyResults:
    found = results.collect(study, folder)
    findings = published.findings(found)
    content = found.to_json() | ({"published": findings.to_json()} if findings else {})
    text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    paths.write_text(folder / results.RESULTS, text)
    return found


def _events(
    study: Study, folder: Path, runner: Runner, control: Control
) -> Job[StudyEvent, StudyResults]:
    finished = sum(RunFolder(folder / one.folder).result() is not None for one in study.every_run)
    yield StudyStarted(
        study=study.name,
        runs=len(study.every_run),
        finished=finished,
        arms=tuple((arm.name, arm.parameters) for arm in study.arms),
    )
    for queued in (study.trials, study.runs):
        if queued is study.runs and study.trials:
            rates = _chosen_rates(study, folder)
            yield RatesChosen(rates=rates)
            definition.create_runs(folder, study.with_rates(rates).runs)
        yield from _run_all(study, queued, folder, runner, control)
        states = [RunFolder(folder / one.folder).state() for one in queued]
        if any(state != "finished" for state in states):
            done = [RunFolder(folder / one.folder).state() for one in study.every_run]
            saved = "cancelled" not in states
            yield StudyStopped(finished=done.count("finished"), saved=saved)
            return results.collect(study, folder)
    found = write_results(study, folder)
    yield StudyFinished(sentence=found.sentence)
    return found


def _chosen_rates(study: Study, folder: Path) -> dict[str, float]:
    rates = results.choose_rates(run_watch.read_all(folder, study.trials))
    for arm in study.arms:
        if arm.name not in rates:
            tried = ", ".join(f"{one.rate:g}" for one in study.trials if one.arm == arm.name)
            raise ModelError(
                f"the loss of arm {arm.name!r} diverged with every learning rate of [search], "
                f"{tried}: start another study with lower ones"
            )
    return rates


def _run_all(
    study: Study, queued: Sequence[PlannedRun], folder: Path, runner: Runner, control: Control
) -> Generator[StudyEvent]:
    numbers = {run.folder: number for number, run in enumerate(study.every_run, 1)}
    begun = {
        folder / run.folder: RunBegan(
            arm=run.arm, seed=run.seed, rate=run.rate, number=numbers[run.folder]
        )
        for run in queued
        if RunFolder(folder / run.folder).result() is None
    }
    return run_side_by_side(begun, runner, control)


_POLL_SECONDS: Final = 0.1
_CHANGES: Final = (TrainStarted, TrainPaused, TrainResumed, TrainStopped)
"""Events after which a run is paused, or is not."""


def run_side_by_side(
    queued: Mapping[Path, RunBegan], runner: Runner, control: Control
) -> Generator[StudyEvent]:
    """Run the runs queued in folders, in this order as far as slots are free.

    If a run fails or is stopped, the others save and end, too. Closing the generator cancels all.

    Args:
        queued: by folder, the event of a run's beginning, which names it.

    Raises:
        MusicrelError: a run has failed; the message names the first one that did.
    """
    queue = _Queue(queued, runner, control)
    try:
        while queue.active or (queue.waiting and queue.command() != "stop"):
            yield from queue.submit()
            yield from queue.poll_all()
            yield from queue.nodes()
            yield from queue.pauses()
            if queue.idle:
                folder = next(iter((*queue.active, *queue.waiting, *queued)))
                yield RunEvent(**queue.name(folder), of_run=None)
                time.sleep(_POLL_SECONDS)
    finally:
        queue.cancel()
    if queue.failure is not None:
        raise queue.failure


class _Active:
    """A submitted run: how far its log was read, and what is known of it."""

    def __init__(self, folder: Path) -> None:
        self.log = RunFolder(folder).log
        self.offset = self.log.end_offset()
        self.last = RunPoll(state="waiting")
        self.paused = False


class _Queue:
    """The runs that wait, and those that are submitted."""

    def __init__(self, queued: Mapping[Path, RunBegan], runner: Runner, control: Control) -> None:
        self.waiting, self.active = deque(queued), dict[Path, _Active]()
        self.stopped, self._control = False, control
        self.failure: MusicrelError | None = None
        self._queued = queued
        self.idle = True
        self._runner, self._paused = runner, False
        self._nodes: tuple[Node, ...] = ()

    def command(self) -> RunCommand:
        return "stop" if self.stopped else self._control()

    def name(self, folder: Path) -> dict[str, Any]:
        begun = self._queued[folder]
        return {"arm": begun.arm, "seed": begun.seed, "rate": begun.rate}

    def submit(self) -> Generator[StudyEvent]:
        while self.waiting and len(self.active) < self._runner.slots and self.command() == "run":
            folder = self.waiting.popleft()
            yield self._queued[folder]
            try:
                followed = _Active(folder)
                self._runner.submit(folder, self.command)
            except MusicrelError as reason:
                self._fail(folder, reason)
            else:
                self.active[folder] = followed

    def poll_all(self) -> Generator[StudyEvent]:
        self.idle = True
        for folder in [*self.active]:
            try:
                yield from self._poll(folder, self.active[folder])
            except MusicrelError as reason:
                self._fail(folder, reason)

    def nodes(self) -> Generator[StudyEvent]:
        """Yield an event if the machines of the cluster are others than before."""
        found = self._runner.nodes()
        if found != self._nodes:
            self._nodes = found
            yield NodesChanged(nodes=found)

    def pauses(self) -> Generator[StudyEvent]:
        requested = self.command() == "pause"
        submitted = [
            active.paused or (requested and active.last.state == "waiting")
            for active in self.active.values()
        ]
        paused = all(submitted) if submitted else requested
        if paused != self._paused:
            self._paused = paused
            yield StudyPaused() if paused else StudyResumed()

    def cancel(self) -> None:
        for folder in self.active:
            with suppress(MusicrelError):  # its folder was deleted
                run_control.send_request(folder, "cancel")
        while self.active:
            folder, _ = self.active.popitem()
            with suppress(MusicrelError):
                self._runner.cancel(folder)

    def _poll(self, folder: Path, active: _Active) -> Generator[StudyEvent]:
        found, before = self._runner.poll(folder), active.last  # before the last events are read
        active.last = found
        if found.losses > before.losses:
            self.idle = False
            yield RunLost(**self.name(folder), node=before.node)
        if found.node not in ("", before.node):
            yield RunPlaced(**self.name(folder), node=found.node)
        yield from self._events(folder, active)
        if found.state == "ended":
            self.idle = False
            self._runner.collect(folder)
            del self.active[folder]
            yield from self._events(folder, active)
            result = RunFolder(folder).result()
            if result is None:  # stopped on request, and so are the others
                self.stopped = True
                return
            yield RunEnded(
                **self.name(folder),
                valid=result.valid,
                test=result.test,
                seconds=result.seconds,
                stopped=result.stopped,
            )

    def _events(self, folder: Path, active: _Active) -> Generator[StudyEvent]:
        while True:
            lines, active.offset = active.log.follow(active.offset)
            if not lines:
                return
            self.idle = False
            for event in map(events.read, lines):
                if isinstance(event, _CHANGES):
                    active.paused = isinstance(event, TrainPaused)
                if isinstance(event, TrainEvent):
                    yield RunEvent(**self.name(folder), of_run=event)

    def _fail(self, folder: Path, reason: MusicrelError) -> None:
        self.stopped = True
        if self.active.pop(folder, None):
            with suppress(MusicrelError):
                self._runner.cancel(folder)
        if self.failure is None:
            message = f"{self._queued[folder].run}: {reason}; the study can be resumed"
            self.failure = type(reason)(message)
            self.failure.__cause__ = reason
