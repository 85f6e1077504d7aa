"""A study as a job: all its runs, as many side by side as its runner takes, then the verdict.

Each run has an ordinary run folder, ``runs/ARM-seedN``. Finished runs are never repeated and
interrupted ones are resumed. Requests in the study's own ``control.jsonl`` are forwarded to its
runs. Results are read from the folders in the order of the study, whatever the order of the runs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

from musicrel import jobs, paths
from musicrel.errors import UsageError
from musicrel.experiment.data import position_limits
from musicrel.experiment.data.dataset import DataSet, check_splits
from musicrel.experiment.data.dataset import load as load_data
from musicrel.experiment.runners import side_by_side
from musicrel.experiment.runners.runner import Node, Runner
from musicrel.experiment.runners.side_by_side import (
    Began,
    Ended,
    Happened,
    Lost,
    NodesFound,
    Placed,
    RunFailedError,
    RunnerEvent,
)
from musicrel.experiment.runs.event_log import EventLog
from musicrel.experiment.runs.folder_lock import writer_lock
from musicrel.experiment.runs.run_control import CombinedControl, RunControl
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.study import definition, published, results
from musicrel.experiment.study.results import StudyResults
from musicrel.experiment.study.study import Study
from musicrel.experiment.training.train_events import TrainEvent, to_json
from musicrel.jobs import Control, Job, KeepRunning


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyStarted:
    """The study starts or resumes.

    Attributes:
        study: its name.
        runs: number of all runs.
        finished: number of those that are finished.
        arms: name and number of parameters of each.
    """

    study: str
    runs: int
    finished: int
    arms: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunBegan:
    """A run of the study starts or resumes; ``number`` counts the runs from 1."""

    arm: str
    seed: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEvent:
    """An event of a run; None: no new event, so that the consumer is called regularly."""

    arm: str
    seed: int
    event: TrainEvent | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlaced:
    """A run has a place on the machine ``node`` of a cluster."""

    arm: str
    seed: int
    node: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLost:
    """The machine of a run was lost; the run continues from its last checkpoint on another one.

    ``node`` is the name of the lost machine.
    """

    arm: str
    seed: int
    node: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnded:
    """A run of the study is finished, with its losses in nats/note."""

    arm: str
    seed: int
    valid: float
    test: float
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NodesChanged:
    """The machines of the cluster, at first and whenever one is added or lost."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPaused:
    """All runs that were begun are paused, and with them the study."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyResumed:
    """The study continues after a pause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyStopped:
    """The study ended on request before its last run; ``saved`` unless it was cancelled."""

    finished: int
    saved: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyFinished:
    """All runs are finished and ``results.json`` is written."""

    sentence: str


StudyEvent: TypeAlias = (
    StudyStarted
    | RunBegan
    | RunEvent
    | RunPlaced
    | RunLost
    | RunEnded
    | NodesChanged
    | StudyPaused
    | StudyResumed
    | StudyStopped
    | StudyFinished
)


def compare(
    study: Study,
    folder: Path,
    *,
    runner: Runner,
    resume: bool = False,
    control: Control | None = None,
    since: int | None = None,
) -> Job[StudyEvent, StudyResults]:
    """Run ``study`` in ``folder``.

    Args:
        study: what to compare.
        folder: folder of the study; new, unless ``resume``.
        runner: starts the runs.
        resume: resume the study in the folder.
        control: polled beside ``control.jsonl`` in the folder: ``stop`` saves and ends, ``pause``
            waits.
        since: offset of the first request to read in ``control.jsonl``, in bytes; None: its end.

    Raises:
        UsageError: the folder holds another study, or none to resume.
        DataError: a split of the data has no pieces.
        FileError: the data cannot be read.
        MusicrelError: a run failed; the others are saved, and the study can be resumed.
    """
    if resume:
        definition.check_same(study, folder)
    else:
        jobs.run(check_data(study))
        definition.create(folder, study)
    controls = CombinedControl(RunControl(folder, since), control or KeepRunning())
    log = EventLog(folder / "events.jsonl")
    with writer_lock(folder):
        log.repair()
        definition.create_runs(folder, study)
        job = _events(study, folder, runner, controls)

        def record(event: StudyEvent) -> StudyEvent:
            if not isinstance(event, RunEvent):  # those are in the folders of the runs
                log.append(to_json(event))
            return event

        found: StudyResults = yield from jobs.map_events(job, record)
        return found


def check_data(study: Study) -> Job[None, None]:
    """Check that all arms can be trained and evaluated on their data; yields after each data set.

    Raises:
        DataError: a split of the data has no pieces.
        UsageError: a piece is longer than the positions of an arm.
        FileError: the data cannot be read.
    """
    loaded: dict[str, DataSet] = {}
    for arm in study.arms:
        source = arm.recipe.data.source
        if source not in loaded:
            loaded[source] = load_data(source)
            check_splits(loaded[source])
            yield
        try:
            position_limits.check(arm.recipe, loaded[source])
        except UsageError as reason:
            raise UsageError(f"arm {arm.name!r}: {reason}") from reason


def event_to_json(event: StudyEvent) -> dict[str, Any]:
    """Return an event as JSON values; the event of a run is nested as in the run's own log."""
    if isinstance(event, RunEvent):
        inner = None if event.event is None else to_json(event.event)
        return {"event": "RunEvent", "arm": event.arm, "seed": event.seed, "of_run": inner}
    return {"event": type(event).__name__, **asdict(event)}


def write_results(study: Study, folder: Path) -> StudyResults:
    """Write ``results.json`` from the folders of the runs of ``study``, and return its content.

    Raises:
        MusicrelError: see ``results.collect``.
    """
    found = results.collect(study, folder)
    findings = published.findings(folder, found)
    content = found.to_json() | ({"published": findings.to_json()} if findings else {})
    text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    paths.write_text(folder / results.RESULTS, text)
    return found


def _events(
    study: Study, folder: Path, runner: Runner, control: Control
) -> Job[StudyEvent, StudyResults]:
    runs = [(planned, RunFolder(folder / planned.folder)) for planned in study.runs]
    finished = sum(run.result() is not None for _, run in runs)
    yield StudyStarted(
        study=study.name,
        runs=len(runs),
        finished=finished,
        arms=tuple((arm.name, arm.parameters) for arm in study.arms),
    )
    open_runs = _OpenRuns(folder, study)
    job = side_by_side.run_side_by_side([*open_runs.planned], runner, control)
    try:
        for event in job:
            yield from open_runs.events_of_study(event)
    except RunFailedError as failed:
        where = open_runs.planned[failed.folder]
        message = f"{where.arm}, seed {where.seed}: {failed}; the study can be resumed"
        raise type(failed.reason)(message) from failed.reason
    finally:
        job.close()
    states = [run.state() for _, run in runs]
    if any(state != "finished" for state in states):
        yield StudyStopped(finished=states.count("finished"), saved="cancelled" not in states)
        return results.collect(study, folder)
    found = write_results(study, folder)
    yield StudyFinished(sentence=found.sentence)
    return found


class _OpenRuns:
    """The runs of a study that are not finished, by folder."""

    def __init__(self, folder: Path, study: Study) -> None:
        numbered = [
            (folder / planned.folder, planned, number)
            for number, planned in enumerate(study.runs, 1)
            if RunFolder(folder / planned.folder).result() is None
        ]
        self.planned = {path: planned for path, planned, _ in numbered}
        self._numbers = {path: number for path, _, number in numbered}

    def events_of_study(self, event: RunnerEvent) -> Iterator[StudyEvent]:
        """Yield the events of the study that correspond to one of the runner."""
        if isinstance(event, side_by_side.Paused):
            yield StudyPaused()
        elif isinstance(event, side_by_side.Resumed):
            yield StudyResumed()
        elif isinstance(event, NodesFound):
            yield NodesChanged(nodes=event.nodes)
        else:
            yield from self._events_of_run(event)

    def _events_of_run(
        self, event: Began | Placed | Happened | Lost | Ended
    ) -> Iterator[StudyEvent]:
        planned = self.planned[event.folder]
        names: dict[str, Any] = {"arm": planned.arm, "seed": planned.seed}
        match event:
            case Began(folder):
                yield RunBegan(**names, number=self._numbers[folder])
            case Happened(_, inner):
                yield RunEvent(**names, event=inner)
            case Placed(_, node):
                yield RunPlaced(**names, node=node)
            case Lost(_, node):
                yield RunLost(**names, node=node)
            case Ended(folder):
                values = RunFolder(folder).result()
                if values is not None:
                    keys = ("valid", "test", "seconds")
                    yield RunEnded(**names, **{key: values[key] for key in keys})
