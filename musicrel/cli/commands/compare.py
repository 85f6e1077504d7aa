"""``musicrel compare``: run a study. Ctrl+C saves and ends; the study can be resumed."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from musicrel import bounds, jobs, paths
from musicrel.cli import output
from musicrel.cli.commands.train import INTERRUPTED, StopOnInterrupt, messages
from musicrel.cli.options import arguments
from musicrel.cli.options.arguments import argument, flag
from musicrel.errors import UsageError
from musicrel.experiment.recipe.recipe import check_gpus
from musicrel.experiment.runners import resources, runner_choice
from musicrel.experiment.runners.ray_cluster import RayCluster
from musicrel.experiment.runners.resources import Resources
from musicrel.experiment.runners.runner_choice import RunnerChoice
from musicrel.experiment.runs import events, run_control
from musicrel.experiment.runs.events import LayerCost, RunEnded, RunEvent, StudyEvent, StudyStarted
from musicrel.experiment.study import study_folder
from musicrel.figures import report as report_files
from musicrel.figures.report import PAGE
from musicrel.model import devices
from musicrel.presentation.words import names

if TYPE_CHECKING:
    from musicrel.experiment.runners.side_by_side import Runner
    from musicrel.experiment.study.layer_costs import LayerCosts
    from musicrel.experiment.study.memory_study import MemoryStudy
    from musicrel.experiment.study.results import StudyResults
    from musicrel.experiment.study.study import Study


def _gpus(text: str) -> float:
    found = bounds.parse("gpus", text)
    check_gpus(found, text)
    return found


OPTIONS: Final = (
    argument(
        "--runner",
        "where to train: each run in its own process (local), all runs in this process "
        "(here), or on the nodes of a Ray cluster (ray)",
        default="local",
        choices=("local", "here", "ray"),
    ),
    argument(
        "--jobs",
        "runs side by side: a number, or auto, as many as threads and memory allow (default: 1 on "
        "this machine, auto on a cluster)",
        lambda text: runner_choice.AUTO if text == "auto" else int(bounds.parse("jobs", text)),
    ),
    argument("--address", "Ray: auto, the cluster of this machine (default), or HOST:PORT"),
    argument(
        "--gpus",
        "Ray: GPUs for each run, or a share of one, as in 0.25 (default: as in its recipe, else 1 "
        "on a GPU)",
        _gpus,
    ),
    flag(
        "--fetch",
        "Ray: the nodes do not share the folder of the study; fetch the files of the runs",
    ),
)
"""Options that choose a runner, without --device and --threads."""


@contextmanager
def chosen_runner(chosen: argparse.Namespace, study: Study, out: Path) -> Iterator[Runner]:
    from musicrel.experiment.runners import side_by_side

    _check_runner(chosen)
    if chosen.runner == "ray":
        with _on_cluster(chosen, study, out) as made:
            yield made
        return
    device, threads = devices.resolve(chosen.device), chosen.threads
    if chosen.runner == "here":
        yield side_by_side.in_process(device, threads)
        return
    slots = 1 if chosen.jobs is None else chosen.jobs
    if slots == runner_choice.AUTO:
        memory = [resources.memory_bytes(run.recipe, run.parameters) for run in study.every_run]
        slots = resources.local_slots(memory, threads, device.type)
    yield side_by_side.local(device.type, threads, slots)


def kept_choice(chosen: argparse.Namespace) -> RunnerChoice:
    on_cluster = chosen.runner == runner_choice.RAY
    default = runner_choice.AUTO if on_cluster else 1
    return runner_choice.RunnerChoice(
        runner=runner_choice.RAY if on_cluster else runner_choice.LOCAL,
        jobs=default if chosen.jobs is None else chosen.jobs,
        address=chosen.address or runner_choice.THIS_CLUSTER,
        fetch=chosen.fetch,
        gpus=chosen.gpus or 0.0,
    )


def _check_runner(chosen: argparse.Namespace) -> None:
    given = {"--address": chosen.address, "--gpus": chosen.gpus, "--fetch": chosen.fetch or None}
    misplaced = [name for name, value in given.items() if value is not None]
    if misplaced and chosen.runner != "ray":
        raise UsageError(f"{misplaced[0]} is for clusters: give --runner ray as well")
    if chosen.runner == "here" and chosen.jobs not in (None, 1):
        raise UsageError("--runner here makes one run after the other: leave --jobs out")


@contextmanager
def _on_cluster(chosen: argparse.Namespace, study: Study, out: Path) -> Iterator[Runner]:
    from musicrel.experiment.runners import side_by_side

    if chosen.device not in devices.DEVICES:
        devices.resolve(chosen.device)  # raises the error
    cluster = RayCluster(chosen.address or "auto")
    try:
        device = chosen.device
        if device == "auto":
            device = "cuda" if cluster.has_gpus() else "cpu"
        runs = {out / planned.folder: planned for planned in study.every_run}

        def needs(folder: Path) -> Resources:
            planned = runs[folder]
            gpus = chosen.gpus or planned.recipe.resources.gpus or 1.0
            return resources.needs(
                planned.recipe,
                planned.parameters,
                threads=chosen.threads,
                gpus=gpus if device == "cuda" else 0.0,
            )

        yield side_by_side.on_cluster(
            cluster,
            needs,
            device,
            chosen.threads,
            slots=chosen.jobs or side_by_side.MANY,
            fetch=chosen.fetch,
        )
    finally:
        cluster.close()


def add(parser: argparse.ArgumentParser) -> None:
    study = argument(
        "--study", f"a TOML file, or a bundled study: {', '.join(study_folder.bundled())}"
    )
    out = argument("--out", "folder of the study, created if missing", Path, required=True)
    resume = flag("--resume", "resume the study in --out")
    report = flag("--report", "train nothing; rewrite results and report of the study in --out")
    own = (study, out, resume, report, *OPTIONS, *arguments.EVENTS)
    arguments.add(parser, (*own, *arguments.DEVICE, arguments.JSON))


def run(chosen: argparse.Namespace) -> int:
    # read before torch is loaded: so that requests that arrive meanwhile are followed
    since = run_control.end_offset(chosen.out) if chosen.since is None else chosen.since
    if chosen.events and chosen.json:
        raise UsageError("--events and --json both print on standard output: give one of them")
    found = _report(chosen) if chosen.report else _run_study(chosen, since)
    if chosen.json:
        output.print_json(found.to_json())
    elif not chosen.events:
        output.print_text(found.sentence)
    return 0 if found.finished or chosen.report else INTERRUPTED


def _run_study(chosen: argparse.Namespace, since: int) -> StudyResults | LayerCosts:
    from musicrel.experiment.study import definition
    from musicrel.experiment.study.memory_study import MemoryStudy

    if chosen.study is None and not chosen.resume:
        raise UsageError("--study is missing: give a TOML file or the name of a bundled study")
    study = definition.load(chosen.study) if chosen.study else definition.read(chosen.out)
    if isinstance(study, MemoryStudy):
        return _measure_layers(chosen, study, since)
    return _train(chosen, study, since)


def _report(chosen: argparse.Namespace) -> StudyResults | LayerCosts:
    from musicrel.experiment.study import definition, layer_costs
    from musicrel.experiment.study.compare import write_results
    from musicrel.experiment.study.memory_study import MemoryStudy

    if chosen.study is not None:
        definition.check_same(definition.load(chosen.study), chosen.out)
    study = definition.read(chosen.out)
    paths.require_own_files(chosen.out)
    found: StudyResults | LayerCosts
    if isinstance(study, MemoryStudy):
        found = layer_costs.collect(study, chosen.out)
    else:
        found = write_results(study, chosen.out)
    for path in _write_report(chosen.out, found):
        output.print_message(str(path))
    return found


def _write_report(folder: Path, found: StudyResults | LayerCosts) -> list[Path]:
    from musicrel.experiment.study.results import StudyResults
    from musicrel.presentation.study import layer_report, study_report, study_tables

    if isinstance(found, StudyResults):
        report, table = study_report.read(found), study_tables.results_csv(found)
    else:
        report, table = layer_report.report(found), layer_report.results_csv(found)
    return report_files.write(folder, report, table)


def _measure_layers(chosen: argparse.Namespace, wanted: MemoryStudy, since: int) -> LayerCosts:
    """Measure the costs of layers in this process: nothing is trained."""
    from musicrel.experiment.study import layer_costs

    devices.use_threads(chosen.threads)
    with (
        StopOnInterrupt() as stopper,
        output.ProgressBar(wanted.name, len(wanted.rows), "rows") as bar,
    ):

        def show(row: LayerCost) -> None:
            bar.update()
            _print_cost(row, as_json=bool(chosen.events))

        job = layer_costs.measure(
            wanted,
            chosen.out,
            resume=chosen.resume,
            device=devices.resolve(chosen.device),
            threads=chosen.threads,
            control=stopper.command,
            since=since,
        )
        found = jobs.run(job, show)
    _write_report(chosen.out, found)
    output.print_message(f"results and report are in {chosen.out}")
    return found


def _print_cost(row: LayerCost, *, as_json: bool) -> None:
    if as_json:
        output.print_event(row)
        return
    origin = "estimated" if row.estimated else "measured"
    output.print_message(
        f"{row.arm}, {row.length:,} tokens: {row.seconds:.3f} s, "
        f"{row.peak_bytes / 1e6:,.1f} MB, {origin}"
    )


def _train(chosen: argparse.Namespace, wanted: Study, since: int) -> StudyResults:
    from musicrel.experiment.study.compare import compare

    with (
        StopOnInterrupt() as stopper,
        output.ProgressBar(wanted.name, 1000, "‰") as bar,
        chosen_runner(chosen, wanted, chosen.out) as runner,
    ):
        printed = _print_event if chosen.events else _StudyProgress(bar, wanted.measure.unit)

        def show(event: StudyEvent) -> None:
            if isinstance(event, StudyStarted):  # now the folder is that of this study
                runner_choice.write(chosen.out, kept_choice(chosen))
            printed(event)

        job = compare(
            wanted,
            chosen.out,
            runner=runner,
            resume=chosen.resume,
            control=stopper.command,
            since=since,
        )
        found = jobs.run(job, show)
    if found.finished:
        _write_report(chosen.out, found)
        page = chosen.out / PAGE
        output.print_message(f"done: the report is {page}, results and tables are beside it")
    else:
        output.print_message(f"stopped and saved; resume with --resume --out {chosen.out}")
    return found


class _StudyProgress:
    def __init__(self, bar: output.ProgressBar, unit: str) -> None:
        self._bar, self._unit = bar, unit
        self._runs, self._finished = 1, 0
        self._shares: dict[str, float] = {}

    def __call__(self, event: StudyEvent) -> None:
        match event:
            case events.StudyStarted(runs=runs, finished=finished, arms=arms):
                self._runs, self._finished = runs, finished
                named = ", ".join(f"{name} ({size:,} parameters)" for name, size in arms)
                number = names.count(runs, "run")
                output.print_message(f"{number}, {finished} finished: {named}")
            case events.RunEvent(of_run=events.TrainStep(progress=share, nats=nats)):
                self._shares[event.run] = share
                done = (self._finished + sum(self._shares.values())) / self._runs
                self._bar.set_done(round(1000 * done, 1), f"{event.run}: {nats:.3f} nats")
            case events.RunEvent(of_run=inner) if inner is not None:
                for message in messages(inner):
                    output.print_message(f"{event.run}: {message}")
            case events.RunLost(node=node):
                output.print_message(
                    f"{event.run}: the node {node} was lost; the run resumes on another one"
                )
            case events.RunEnded():
                self._finished += 1
                self._shares.pop(event.run, None)
                output.print_message(f"{event.run}: {_outcome(event, self._unit)}")
            case events.RatesChosen(rates=rates):
                named = ", ".join(f"{arm} {rate:g}" for arm, rate in rates.items())
                output.print_message(f"learning rates, chosen on validation: {named}")
            case _:
                pass


def _outcome(event: RunEnded, unit: str) -> str:
    losses = [
        f"{split} {loss:.4f}"
        for split, loss in (("validation", event.valid), ("test", event.test))
        if loss is not None
    ]
    measured = f"{', '.join(losses)} {unit}, " if losses else ""
    early = f"; stopped: {event.stopped}" if event.stopped else ""
    return f"{measured}{event.seconds:.0f} s{early}"


def _print_event(event: StudyEvent) -> None:
    if not (isinstance(event, RunEvent) and event.of_run is None):
        output.print_event(event)
