"""A study as a job: all its runs, as many side by side as its runner takes, then the verdict.

Each run has a folder, ``runs/ARM-seedN``, where its results are read. Finished runs are never
repeated and interrupted ones are resumed. A search for learning rates comes first: its trials are
runs, too, ``runs/ARM-lrRATE-seedN``.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Sequence
from pathlib import Path

from musicrel import jobs, paths
from musicrel.errors import ModelError, UsageError
from musicrel.experiment.data import dataset
from musicrel.experiment.data.dataset import DataSet
from musicrel.experiment.runners.side_by_side import Runner, run_side_by_side
from musicrel.experiment.runs import events
from musicrel.experiment.runs.events import StudyEvent
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.study import definition, published, results, run_watch
from musicrel.experiment.study.results import StudyResults
from musicrel.experiment.study.study import PlannedRun, Study
from musicrel.jobs import Control, Job, keep_running


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
    if not resume:
        jobs.run(check_data(study))
    opened = definition.opened(study, folder, resume=resume, control=control, since=since)
    with opened as (log, controls):
        definition.create_runs(folder, study.trials or study.runs)
        job = _events(study, folder, runner, controls)

        def record(event: StudyEvent) -> StudyEvent:
            if not isinstance(event, events.RunEvent):  # those are in the folders of the runs
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
    yield events.StudyStarted(
        study=study.name,
        runs=len(study.every_run),
        finished=finished,
        arms=tuple((arm.name, arm.parameters) for arm in study.arms),
    )
    for queued in (study.trials, study.runs):
        if queued is study.runs and study.trials:
            rates = _chosen_rates(study, folder)
            yield events.RatesChosen(rates=rates)
            definition.create_runs(folder, study.with_rates(rates).runs)
        yield from _run_all(study, queued, folder, runner, control)
        states = [RunFolder(folder / one.folder).state() for one in queued]
        if any(state != "finished" for state in states):
            done = [RunFolder(folder / one.folder).state() for one in study.every_run]
            saved = "cancelled" not in states
            yield events.StudyStopped(finished=done.count("finished"), saved=saved)
            return results.collect(study, folder)
    found = write_results(study, folder)
    yield events.StudyFinished(sentence=found.sentence)
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
        folder / run.folder: events.RunBegan(
            arm=run.arm, seed=run.seed, rate=run.rate, number=numbers[run.folder]
        )
        for run in queued
        if RunFolder(folder / run.folder).result() is None
    }
    return run_side_by_side(begun, runner, control)
