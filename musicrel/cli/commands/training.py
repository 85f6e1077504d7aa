"""The commands that train: ``train`` and ``compare``, which runs a study.

Ctrl+C saves and ends, and the work can be resumed; a second one ends without saving.
"""

from __future__ import annotations

import argparse
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Final, Self

from musicrel import bounds, jobs, paths
from musicrel.cli import arguments, inputs, output
from musicrel.cli.arguments import Command, argument, flag
from musicrel.errors import UsageError
from musicrel.experiment.recipe import recipe
from musicrel.experiment.recipe.recipe import Recipe, check_gpus
from musicrel.experiment.runners import resources, runner_choice
from musicrel.experiment.runners.ray_cluster import RayCluster
from musicrel.experiment.runners.resources import Resources
from musicrel.experiment.runners.runner_choice import RunnerChoice
from musicrel.experiment.runs import child_process, events, run_control
from musicrel.experiment.runs.events import (
    LayerCost,
    RunEnded,
    RunEvent,
    StudyEvent,
    StudyStarted,
    TrainEvent,
    TrainResult,
)
from musicrel.experiment.study import study_folder
from musicrel.experiment.study.measures import MEASURES
from musicrel.figures import report as report_files
from musicrel.figures.report import PAGE
from musicrel.jobs import RunCommand
from musicrel.language import count
from musicrel.model import devices

if TYPE_CHECKING:
    from musicrel.experiment.runners.side_by_side import Runner
    from musicrel.experiment.study.layer_costs import LayerCosts
    from musicrel.experiment.study.memory_study import MemoryStudy
    from musicrel.experiment.study.results import StudyResults
    from musicrel.experiment.study.study import Study

INTERRUPTED: Final = 130


def _gpus(text: str) -> float:
    found = bounds.parse("gpus", text)
    check_gpus(found, text)
    return found


RUNNER: Final = (
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
)  # options that choose a runner, without --device and --threads


def _since(options: argparse.Namespace) -> int:
    """Return where requests begin; called before torch is loaded, so that none is missed."""
    since: int | None = options.since
    return run_control.end_offset(options.out) if since is None else since


def _train(options: argparse.Namespace) -> int:
    since = _since(options)
    from musicrel.experiment.training.train import train

    loaded = _recipe(options)
    device = inputs.chosen_device(options.device, "training")
    with StopOnInterrupt() as stopper, output.ProgressBar(loaded.name, 1000, "‰") as bar:
        if options.lifeline:
            child_process.end_with_parent(stopper.stop)
        show = output.print_event if options.events else _RunProgress(bar)
        job = train(
            loaded,
            options.out,
            resume=options.resume,
            device=device,
            threads=options.threads,
            control=stopper.command,
            since=since,
        )
        result = jobs.run(job, show)
    output.print_message(_summary(options.out, result, MEASURES[loaded.model.family].unit))
    if result.taught:
        output.print_message(f"{result.taught}.")
        name = jobs.run(study_folder.install(options.out / "model", loaded.name))
        output.print_message(f"the model {name} is installed: --model {name}, or Compose > Models…")
    return 0 if result.finished else INTERRUPTED


def _recipe(options: argparse.Namespace) -> Recipe:
    """Return the recipe to train: one that is named, or that which teaches a model pieces."""
    from musicrel.experiment.training import teaching

    teaches = bool(options.base or options.data)
    if options.recipe and teaches:
        raise UsageError("--recipe names its own model and data: leave --from and --data out")
    if options.recipe:
        return recipe.load(options.recipe)
    if not (options.base and options.data):
        raise UsageError("what to train is missing: give --recipe, or --from and --data")
    return teaching.lesson(options.base, options.data, options.out.absolute().name)


class StopOnInterrupt(ExitStack):
    def __init__(self) -> None:
        super().__init__()
        self._interrupted = False

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM):
            self.callback(signal.signal, number, signal.signal(number, self.interrupt))
        return super().__enter__()

    def command(self) -> RunCommand:
        return "stop" if self._interrupted else "run"

    def stop(self) -> None:
        """Stop and save the job; may be called in another thread."""
        self._interrupted = True

    def interrupt(self, _number: int, _frame: FrameType | None) -> None:
        if self._interrupted:
            raise KeyboardInterrupt
        self.stop()
        output.print_message("saving; press Ctrl+C again to quit without saving")


class _RunProgress:
    def __init__(self, bar: output.ProgressBar) -> None:
        self._bar = bar
        self._validation = ""

    def __call__(self, event: TrainEvent) -> None:
        match event:
            case events.TrainStep(progress=share, nats=nats, tokens_per_second=speed):
                remark = f"{nats:.3f} nats, {speed:,.0f} tokens/s{self._validation}"
                self._bar.set_done(round(1000 * share, 1), remark)
            case events.TrainStarted():
                self._validation = ""
            case events.TrainEvaluated(valid=valid):
                self._validation = f", validation {valid:.4f}"
            case events.TrainEvaluating(split=events.READ_BY_TEACHERS, done=done, pieces=pieces):
                self._bar.set_done(0, f"the teachers read: piece {done} of {pieces}")
            case events.TrainCalibrating(round=number, rounds=rounds, done=done, pieces=pieces):
                remark = f"calibration, round {number} of {rounds}: piece {done} of {pieces}"
                self._bar.set_done(1000, remark)
            case _:
                pass
        for message in messages(event):
            output.print_message(message)


# Events of a run, and what is printed about them.
_MESSAGES: Final[Mapping[type[TrainEvent], str]] = {
    events.TrainPaused: "paused after step {0.step}",
    events.TrainResumed: "resumed",
    events.TrainRolledBack: (
        "{0.reason}: resuming from step {0.step} with {0.rate_factor:g} of the learning rate"
    ),
    events.TrainMemoryShort: (
        "out of memory: each batch is processed in {0.parts} parts from now on"
    ),
    events.TrainNoted: "{0.note}",
}


def messages(event: TrainEvent) -> tuple[str, ...]:
    if isinstance(event, events.TrainStarted):
        return event.notes
    if isinstance(event, events.TrainCalibrated):
        each = ", ".join(f"{name} {nats:.4f}" for name, nats in sorted(event.divergence.items()))
        return (f"calibrated in round {event.round}; divergence of its pieces: {each} nats",)
    message = _MESSAGES.get(type(event))
    return (message.format(event),) if message else ()


def _summary(out: Path, result: TrainResult, unit: str) -> str:
    if not result.finished:
        return f"stopped and saved at step {result.step}; resume with --resume --out {out}"
    steps, tokens = count(result.step, "step"), count(result.tokens, "token")
    done = f"done: {steps}, {tokens}, {result.seconds:.0f} s"
    early = f"; stopped: {result.stopped}" if result.stopped else ""
    if result.valid is None:
        return f"{done}{early}"
    test = "" if result.test is None else f", test {result.test:.4f}"
    return f"{done}, validation {result.valid:.4f}{test} {unit}{early}; the model is in {out}/model"


@contextmanager
def chosen_runner(chosen: argparse.Namespace, study: Study, out: Path) -> Iterator[Runner]:
    _check_runner(chosen)
    if chosen.runner != "ray":
        yield _on_this_machine(chosen, study)
        return
    from musicrel.experiment.runners import side_by_side

    if chosen.device not in devices.DEVICES:
        devices.resolve(chosen.device)  # raises the error
    cluster = RayCluster(chosen.address or "auto")
    try:
        device = chosen.device
        if device == "auto":
            device = "cuda" if cluster.has_gpus() else "cpu"
        yield side_by_side.on_cluster(
            cluster,
            _needs(chosen, study, out, device),
            device,
            chosen.threads,
            slots=chosen.jobs or side_by_side.MANY,
            fetch=chosen.fetch,
        )
    finally:
        cluster.close()


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


def _on_this_machine(chosen: argparse.Namespace, study: Study) -> Runner:
    from musicrel.experiment.runners import side_by_side

    device = devices.resolve(chosen.device)
    if chosen.runner == "here":
        return side_by_side.in_process(device, chosen.threads)
    slots = 1 if chosen.jobs is None else chosen.jobs
    if slots == runner_choice.AUTO:
        memory = [resources.memory_bytes(run.recipe, run.parameters) for run in study.every_run]
        slots = resources.local_slots(memory, chosen.threads, device.type)
    return side_by_side.local(device.type, chosen.threads, slots)


def _needs(
    chosen: argparse.Namespace, study: Study, out: Path, device: str
) -> Callable[[Path], Resources]:
    planned = {out / run.folder: run for run in study.every_run}

    def needs(folder: Path) -> Resources:
        run = planned[folder]
        gpus = (chosen.gpus or run.recipe.resources.gpus or 1.0) if device == "cuda" else 0.0
        return resources.needs(run.recipe, run.parameters, threads=chosen.threads, gpus=gpus)

    return needs


def _compare(chosen: argparse.Namespace) -> int:
    since = _since(chosen)
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
    if chosen.runner != "ray":  # before an interruption is a request to save
        chosen.device = inputs.chosen_device(chosen.device, "training")
    if isinstance(study, MemoryStudy):
        return _measure_layers(chosen, study, since)
    return _train_runs(chosen, study, since)


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
    from musicrel.experiment.study import layer_report, study_report, study_tables
    from musicrel.experiment.study.results import StudyResults

    if isinstance(found, StudyResults):
        report, table = study_report.read(found), study_tables.results_csv(found)
    else:
        report, table = layer_report.report(found), layer_report.results_csv(found)
    return report_files.write(folder, report, table)


def _measure_layers(chosen: argparse.Namespace, wanted: MemoryStudy, since: int) -> LayerCosts:
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


def _train_runs(chosen: argparse.Namespace, wanted: Study, since: int) -> StudyResults:
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
                number = count(runs, "run")
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


COMMANDS: Final = {
    "train": Command(
        _train,
        (
            argument(
                "--recipe",
                "a TOML file, or the name of a bundled recipe, such as relative or tiny",
            ),
            argument(
                "--from", "instead: the model to teach your pieces, as in relative", dest="base"
            ),
            argument(
                "--data", "the pieces to teach it, as in folder:PATH: MIDI, MusicXML, ABC or JSON"
            ),
            argument("--out", "folder of the run, created if missing", Path, required=True),
            flag("--resume", "resume from the last checkpoint"),
            *arguments.EVENTS,
            flag("--lifeline", argparse.SUPPRESS),
            *arguments.TRAINING_DEVICE,
        ),
    ),
    "compare": Command(
        _compare,
        (
            argument(
                "--study", f"a TOML file, or a bundled study: {', '.join(study_folder.bundled())}"
            ),
            argument("--out", "folder of the study, created if missing", Path, required=True),
            flag("--resume", "resume the study in --out"),
            flag("--report", "train nothing; rewrite results and report of the study in --out"),
            *RUNNER,
            *arguments.EVENTS,
            *arguments.TRAINING_DEVICE,
            arguments.JSON,
        ),
    ),
}
