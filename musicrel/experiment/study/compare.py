"""A study as a job: all its runs, as many side by side as its runner takes, then the verdict.

Each run has an ordinary run folder, ``runs/ARM-seedN``. Finished runs are never repeated and
interrupted ones are resumed. Requests in the study's own ``control.jsonl`` are forwarded to its
runs. Results are read from the folders in the order of the study, whatever the order of the runs.
A search for learning rates comes first: its trials are runs, too, ``runs/ARM-lrRATE-seedN``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

from musicrel import jobs, paths
from musicrel.errors import ModelError, UsageError
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
from musicrel.experiment.study import definition, learning_rates, published, results
from musicrel.experiment.study.results import StudyResults
from musicrel.experiment.study.study import PlannedRun, Study
from musicrel.experiment.training.train_events import TrainEvent, TrainResult, to_json
from musicrel.jobs import Control, Job, KeepRunning


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyStarted:
    study: str
    runs: int  # number of all runs, trials of the search for learning rates included
    finished: int  # number of those that are finished
    arms: tuple[tuple[str, int], ...]  # name and number of parameters of each


@dataclass(frozen=True, slots=True, kw_only=True)
class RunBegan:
    """A run of the study starts or resumes."""

    arm: str
    seed: int
    number: int
    # learning rate that a trial tries; None for other runs. So in the events below
    rate: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEvent:
    """An event of a run; None: no new event, so that the consumer is called regularly."""

    arm: str
    seed: int
    event: TrainEvent | None
    rate: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlaced:
    """A run has a place on the machine ``node`` of a cluster."""

    arm: str
    seed: int
    node: str
    rate: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLost:
    """The machine of a run was lost; the run continues from its last checkpoint on another one.

    ``node`` is the name of the lost machine.
    """

    arm: str
    seed: int
    node: str
    rate: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnded:
    """A run of the study is finished, with its losses in nats/note.

    ``valid`` is None if a trial diverged, ``test`` for each trial. ``stopped``: see
    ``TrainResult``.
    """

    arm: str
    seed: int
    valid: float | None
    test: float | None
    seconds: float
    stopped: str = ""
    rate: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RatesChosen:
    """All trials are finished; ``rates`` are the learning rates of the arms, by name."""

    rates: Mapping[str, float]


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
    | RatesChosen
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
        folder: folder of the study; new, unless ``resume``.
        since: offset of the first request to read in ``control.jsonl``, in bytes; None: its end.
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
        definition.create_runs(folder, study.trials or study.runs)
        job = _events(study, folder, runner, controls)

        def record(event: StudyEvent) -> StudyEvent:
            if not isinstance(event, RunEvent):  # those are in the folders of the runs
                log.append(to_json(event))
            return event

        found: StudyResults = yield from jobs.map_events(job, record)
        return found


def check_data(study: Study) -> Job[None, None]:
    """Check that all arms can be trained and evaluated on their data; yield after each data set."""
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
        named = {"arm": event.arm, "seed": event.seed, "rate": event.rate}
        return {"event": "RunEvent", **named, "of_run": inner}
    return {"event": type(event).__name__, **asdict(event)}


def write_results(study: Study, folder: Path) -> StudyResults:
    """Write ``results.json`` from the folders of the runs of ``study``, and return its content."""
    found = results.collect(study, folder)
    findings = published.findings(folder, found)
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
        yield from _run_all(_OpenRuns(folder, queued, study), runner, control)
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
    """Return the learning rate of each arm."""
    rates = learning_rates.rates(learning_rates.trials(study, folder))
    for arm in study.arms:
        if arm.name not in rates:
            tried = ", ".join(f"{one.rate:g}" for one in study.trials if one.arm == arm.name)
            raise ModelError(
                f"the loss of arm {arm.name!r} diverged with every learning rate of [search], "
                f"{tried}: start another study with lower ones"
            )
    return rates


def _run_all(open_runs: _OpenRuns, runner: Runner, control: Control) -> Iterator[StudyEvent]:
    """Run all open runs as far as they are not stopped."""
    job = side_by_side.run_side_by_side([*open_runs.planned], runner, control)
    try:
        for event in job:
            yield from open_runs.events_of_study(event)
    except RunFailedError as failed:
        where = open_runs.planned[failed.folder]
        rate = "" if where.rate is None else f", learning rate {where.rate:g}"
        message = f"{where.arm}{rate}, seed {where.seed}: {failed}; the study can be resumed"
        raise type(failed.reason)(message) from failed.reason
    finally:
        job.close()


class _OpenRuns:
    """Those of some runs of a study that are not finished, by folder."""

    def __init__(self, folder: Path, queued: Sequence[PlannedRun], study: Study) -> None:
        numbers = {run.folder: number for number, run in enumerate(study.every_run, 1)}
        self.planned = {
            folder / run.folder: run
            for run in queued
            if RunFolder(folder / run.folder).result() is None
        }
        self._numbers = {path: numbers[run.folder] for path, run in self.planned.items()}

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
        names: dict[str, Any] = {"arm": planned.arm, "seed": planned.seed, "rate": planned.rate}
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
                result = TrainResult.of(RunFolder(folder))
                if result is not None:
                    keys = ("valid", "test", "seconds", "stopped")
                    yield RunEnded(**names, **{key: getattr(result, key) for key in keys})
