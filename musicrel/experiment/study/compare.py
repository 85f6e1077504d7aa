"""A study as a job: all its runs, one after the other, then the verdict.

Every run is an ordinary run folder in ``runs/ARM-seedN``; what is finished is never made again, and
what broke off goes on. The study's folder has a ``control.jsonl`` of its own, whose wishes are
passed on to the run at work.

This file knows the order of a study; runs are a runner's, figures are ``results``'.
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
from musicrel.experiment.runs.folder_lock import WriterLock
from musicrel.experiment.runs.run_control import Either, FolderControl
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.study import published, results
from musicrel.experiment.study.results import StudyResults
from musicrel.experiment.study.runners import Runner, Waiting
from musicrel.experiment.study.study import PlannedRun, Study
from musicrel.experiment.training.train_events import TrainEvent, TrainPaused, TrainResumed, to_json
from musicrel.jobs import Control, Job, KeepRunning


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyStarted:
    """The study begins or goes on.

    Attributes:
        study: its name.
        runs: in all.
        finished: of them.
        arms: name and parameters of each.
    """

    study: str
    runs: int
    finished: int
    arms: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunBegan:
    """A run of the study begins or goes on; ``number`` of all, from 1."""

    arm: str
    seed: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEvent:
    """Something happened in a run; None: nothing new, only a sign of life."""

    arm: str
    seed: int
    event: TrainEvent | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnded:
    """A run of the study is finished; nats/note."""

    arm: str
    seed: int
    valid: float
    test: float
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPaused:
    """The run at work holds, and so does the study."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyResumed:
    """The study goes on after a pause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyStopped:
    """The study ended before its last run, as asked; ``saved`` unless it was cancelled."""

    finished: int
    saved: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyFinished:
    """All runs are finished, ``results.json`` is written."""

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
    """Carry out ``study`` in ``folder``.

    Args:
        study: what to compare.
        folder: the study's folder; new, unless ``resume``.
        runner: where the runs are carried out.
        resume: go on with the study in the folder.
        control: asked beside ``control.jsonl`` in the folder: ``stop`` saves and ends, ``pause``
            waits.
        since: byte of ``control.jsonl`` from which on its wishes count; None: those made from now.

    Raises:
        UsageError: the folder holds another study, or none to resume.
        DataError: a split of the data has no pieces.
        FileError: the data cannot be read.
        MusicrelError: a run failed; the others are kept, and the study can be resumed.
    """
    if resume:
        _check_same(study, results.study_in(folder))
    else:
        jobs.run(checked(study))
        results.begin(folder, study)
    steered = Either(FolderControl(folder, since), control or KeepRunning())
    log = EventLog(folder / "events.jsonl")
    with WriterLock(folder):
        log.mend()
        results.queue(folder, study)
        job = _events(study, folder, runner, steered)

        def written_down(event: StudyEvent) -> StudyEvent:
            if not isinstance(event, RunEvent):  # those stand in the folders of the runs
                log.append(to_json(event))
            return event

        found: StudyResults = yield from jobs.mapped(job, written_down)
        return found


def checked(study: Study) -> Job[None, None]:
    """See that all arms can learn from their data, and be measured on them; yields now and then.

    Raises:
        DataError: a split of the data has no pieces.
        UsageError: a piece is longer than an arm's positions reach.
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
    """A frozen event as JSON values; a run's own event is nested as it stands in its folder."""
    if isinstance(event, RunEvent):
        inner = None if event.event is None else to_json(event.event)
        return {"event": "RunEvent", "arm": event.arm, "seed": event.seed, "of_run": inner}
    return {"event": type(event).__name__, **asdict(event)}


def write_results(folder: Path) -> StudyResults:
    """Write ``results.json`` anew from the folders of the runs.

    Raises:
        MusicrelError: see ``results.collect``.
    """
    found = results.collect(folder)
    besides = published.findings(folder, found)
    content = found.to_json() | ({"published": besides.to_json()} if besides else {})
    text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    paths.write_text(folder / results.RESULTS, text)
    return found


def _events(
    study: Study, folder: Path, runner: Runner, control: Control
) -> Job[StudyEvent, StudyResults]:
    done = [planned for planned in study.runs if _result(folder, planned) is not None]
    yield StudyStarted(
        study=study.name,
        runs=len(study.runs),
        finished=len(done),
        arms=tuple((arm.name, arm.parameters) for arm in study.arms),
    )
    for number, planned in enumerate(study.runs, 1):
        if planned in done:
            continue
        if control.wish() != "stop":
            yield RunBegan(arm=planned.arm, seed=planned.seed, number=number)
            yield from _watched(planned, folder, runner, control)
        if _result(folder, planned) is None:
            saved = RunFolder(folder / planned.folder).state() != "cancelled"
            yield StudyStopped(finished=len(done), saved=saved)
            return results.collect(folder)
        done.append(planned)
        yield _ended(planned, folder)
    found = write_results(folder)
    yield StudyFinished(sentence=found.sentence)
    return found


def _watched(
    planned: PlannedRun, folder: Path, runner: Runner, control: Control
) -> Generator[StudyEvent]:
    """The events of one run, and the study's own that follow from them."""
    job = runner.run(folder / planned.folder, control)
    try:
        for event in job:
            told = None if isinstance(event, Waiting) else event
            yield RunEvent(arm=planned.arm, seed=planned.seed, event=told)
            if isinstance(told, TrainPaused):
                yield StudyPaused()
            elif isinstance(told, TrainResumed):
                yield StudyResumed()
    except MusicrelError as reason:
        where = f"{planned.arm}, seed {planned.seed}"
        raise type(reason)(f"{where}: {reason}; the study can be resumed") from reason
    finally:
        job.close()


def _ended(planned: PlannedRun, folder: Path) -> RunEnded:
    values = _result(folder, planned) or {}
    return RunEnded(
        arm=planned.arm,
        seed=planned.seed,
        valid=values["valid"],
        test=values["test"],
        seconds=values["seconds"],
    )


def _result(folder: Path, planned: PlannedRun) -> dict[str, Any] | None:
    return RunFolder(folder / planned.folder).result()


def _check_same(now: Study, then: Study) -> None:
    if not now.is_same(then):
        raise UsageError(
            f"the folder holds the study {then.name!r} with other values than {now.name!r} has "
            "now: resume it with its own study.toml, or choose another --out"
        )
