"""A study as a job: all its runs, one after the other, then the verdict.

Each run has an ordinary run folder, ``runs/ARM-seedN``. Finished runs are never repeated and
interrupted ones are resumed. Requests in the study's own ``control.jsonl`` are forwarded to the
current run.
"""

from __future__ import annotations

import json
from collections.abc import Generator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

from musicrel import jobs, paths
from musicrel.errors import MusicrelError, UsageError
from musicrel.experiment.data import position_limits
from musicrel.experiment.data.dataset import DataSet, check_splits
from musicrel.experiment.data.dataset import load as load_data
from musicrel.experiment.runs.event_log import EventLog
from musicrel.experiment.runs.folder_lock import writer_lock
from musicrel.experiment.runs.run_control import CombinedControl, RunControl
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.study import definition, published, results
from musicrel.experiment.study.results import StudyResults
from musicrel.experiment.study.runners import RunEvents, Runner
from musicrel.experiment.study.study import PlannedRun, Study
from musicrel.experiment.training.train_events import TrainEvent, TrainPaused, TrainResumed, to_json
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
class RunEnded:
    """A run of the study is finished, with its losses in nats/note."""

    arm: str
    seed: int
    valid: float
    test: float
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPaused:
    """The current run is paused, and with it the study."""


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
    | RunEnded
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
        MusicrelError: a run failed; the others are kept, and the study can be resumed.
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
    for number, (planned, run) in enumerate(runs, 1):
        if run.result() is not None:
            continue
        names: dict[str, Any] = {"arm": planned.arm, "seed": planned.seed}
        if control.command() != "stop":
            yield RunBegan(**names, number=number)
            yield from _run_events(planned, runner.run(run.path, control))
        values = run.result()
        if values is None:
            yield StudyStopped(finished=finished, saved=run.state() != "cancelled")
            return results.collect(study, folder)
        finished += 1
        yield RunEnded(**names, **{key: values[key] for key in ("valid", "test", "seconds")})
    found = write_results(study, folder)
    yield StudyFinished(sentence=found.sentence)
    return found


def _run_events(planned: PlannedRun, job: RunEvents) -> Generator[StudyEvent]:
    """Yield the events of one run, and those of the study that follow from them."""
    try:
        for event in job:
            yield RunEvent(arm=planned.arm, seed=planned.seed, event=event)
            if isinstance(event, TrainPaused):
                yield StudyPaused()
            elif isinstance(event, TrainResumed):
                yield StudyResumed()
    except MusicrelError as reason:
        where = f"{planned.arm}, seed {planned.seed}"
        raise type(reason)(f"{where}: {reason}; the study can be resumed") from reason
    finally:
        job.close()
