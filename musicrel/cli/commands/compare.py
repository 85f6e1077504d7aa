"""``musicrel compare``: run a study. Ctrl+C saves and ends; the study can be resumed."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from musicrel import jobs, paths
from musicrel.cli import output
from musicrel.cli.commands.train import INTERRUPTED, StopOnInterrupt, messages
from musicrel.cli.options import arguments, runner_options
from musicrel.cli.options.runner_options import RunnerOptions
from musicrel.errors import UsageError
from musicrel.experiment.runs import run_control
from musicrel.experiment.study import study_folder
from musicrel.presentation.study import memory_report

if TYPE_CHECKING:
    from musicrel.experiment.study.compare import RunEnded, RunEvent, RunLost, StudyEvent
    from musicrel.experiment.study.layer_costs import LayerCost, LayerCosts
    from musicrel.experiment.study.memory_study import MemoryStudy
    from musicrel.experiment.study.results import StudyResults
    from musicrel.experiment.study.study import Study


@dataclass(frozen=True, slots=True, kw_only=True)
class _Options:
    """Options of a run; see the help of the command."""

    study: str | None
    out: Path
    resume: bool
    report: bool
    runner: RunnerOptions
    events: str | None
    since: int | None
    device: str
    threads: int
    json: bool


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--study",
        help=f"a TOML file, or a bundled study: {', '.join(study_folder.bundled())}",
    )
    parser.add_argument(
        "--out", required=True, type=Path, help="folder of the study, created if missing"
    )
    parser.add_argument("--resume", action="store_true", help="resume the study in --out")
    parser.add_argument(
        "--report",
        action="store_true",
        help="train nothing; rewrite results and report of the study in --out",
    )
    runner_options.add(parser)
    parser.add_argument("--events", choices=("-",), help="-: print each event as a JSON line")
    parser.add_argument(
        "--since", type=arguments.number("since"), help=argparse.SUPPRESS
    )  # byte of control.jsonl
    arguments.add_device(parser)
    arguments.add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Run the study; return the exit code."""
    options.runner = arguments.typed(options, RunnerOptions)
    chosen = arguments.typed(options, _Options)
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


def _run_study(chosen: _Options, since: int) -> StudyResults | LayerCosts:
    """Run a study of either kind and return its results."""
    from musicrel.experiment.study import definition
    from musicrel.experiment.study.memory_study import MemoryStudy

    if chosen.study is None and not chosen.resume:
        raise UsageError("--study is missing: give a TOML file or the name of a bundled study")
    study = definition.load(chosen.study) if chosen.study else definition.read(chosen.out)
    if isinstance(study, MemoryStudy):
        return _measure_layers(chosen, study, since)
    return _train(chosen, study, since)


def _report(chosen: _Options) -> StudyResults | LayerCosts:
    """Write results and report of the study in ``chosen.out`` from its runs."""
    from musicrel.experiment.study import definition, layer_costs
    from musicrel.experiment.study.compare import write_results
    from musicrel.experiment.study.memory_study import MemoryStudy
    from musicrel.presentation.report import study_page
    from musicrel.presentation.study import study_report

    if chosen.study is not None:
        definition.check_same(definition.load(chosen.study), chosen.out)
    study = definition.read(chosen.out)
    paths.require_own_files(chosen.out)
    found: StudyResults | LayerCosts
    if isinstance(study, MemoryStudy):
        found = layer_costs.collect(study, chosen.out)
        files = memory_report.write(chosen.out, found)
    else:
        found = write_results(study, chosen.out)
        files = [*study_report.write(chosen.out, found), *study_page.write(chosen.out, found)]
    for path in files:
        output.print_message(str(path))
    return found


def _measure_layers(chosen: _Options, wanted: MemoryStudy, since: int) -> LayerCosts:
    """Measure the costs of layers in this process: nothing is trained."""
    from musicrel.experiment.study import layer_costs
    from musicrel.model import devices

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
            control=stopper,
            since=since,
        )
        found = jobs.run(job, show)
    memory_report.write(chosen.out, found)
    output.print_message(f"results and report are in {chosen.out}")
    return found


def _print_cost(row: LayerCost, *, as_json: bool) -> None:
    if as_json:
        output.print_text(json.dumps({"event": "LayerCost", **asdict(row)}), flush=True)
        return
    origin = "estimated" if row.estimated else "measured"
    output.print_message(
        f"{row.arm}, {row.length:,} tokens: {row.seconds:.3f} s, "
        f"{row.peak_bytes / 1e6:,.1f} MB, {origin}"
    )


def _train(chosen: _Options, wanted: Study, since: int) -> StudyResults:
    """Train the models of the study and compare them."""
    from musicrel.experiment.runners import runner_choice
    from musicrel.experiment.study.compare import StudyStarted, compare
    from musicrel.presentation.report import study_page
    from musicrel.presentation.study import study_report

    with (
        StopOnInterrupt() as stopper,
        output.ProgressBar(wanted.name, 1000, "‰") as bar,
        runner_options.runner(chosen.runner, wanted, chosen.out) as runner,
    ):
        printed = _print_event if chosen.events else _StudyProgress(bar, wanted.measure.unit)

        def show(event: StudyEvent) -> None:
            if isinstance(event, StudyStarted):  # now the folder is that of this study
                runner_choice.write(chosen.out, runner_options.choice(chosen.runner))
            printed(event)

        job = compare(
            wanted,
            chosen.out,
            runner=runner,
            resume=chosen.resume,
            control=stopper,
            since=since,
        )
        found = jobs.run(job, show)
    if found.finished:
        study_report.write(chosen.out, found)
        study_page.write(chosen.out, found)
        page = chosen.out / study_page.FILE
        output.print_message(f"done: the report is {page}, results and tables are beside it")
    else:
        output.print_message(f"stopped and saved; resume with --resume --out {chosen.out}")
    return found


class _StudyProgress:
    """Shows a study as a bar over all its runs, and notable events as lines."""

    def __init__(self, bar: output.ProgressBar, unit: str) -> None:
        self._bar, self._unit = bar, unit
        self._runs, self._finished = 1, 0
        self._shares: dict[str, float] = {}

    def __call__(self, event: StudyEvent) -> None:
        from musicrel.experiment.study import compare as events
        from musicrel.experiment.training.train_events import TrainStep

        match event:
            case events.StudyStarted(runs=runs, finished=finished, arms=arms):
                self._runs, self._finished = runs, finished
                named = ", ".join(f"{name} ({size:,} parameters)" for name, size in arms)
                output.print_message(f"{runs} runs, {finished} of them finished: {named}")
            case events.RunEvent(event=TrainStep(progress=share, nats=nats)):
                self._shares[_name(event)] = share
                done = (self._finished + sum(self._shares.values())) / self._runs
                self._bar.set_done(round(1000 * done, 1), f"{_name(event)}: {nats:.3f} nats")
            case events.RunEvent(event=inner) if inner is not None:
                for message in messages(inner):
                    output.print_message(f"{_name(event)}: {message}")
            case events.RunLost(node=node):
                output.print_message(
                    f"{_name(event)}: the node {node} was lost; the run resumes on another one"
                )
            case events.RunEnded():
                self._finished += 1
                self._shares.pop(_name(event), None)
                output.print_message(f"{_name(event)}: {_outcome(event, self._unit)}")
            case events.RatesChosen(rates=rates):
                named = ", ".join(f"{arm} {rate:g}" for arm, rate in rates.items())
                output.print_message(f"learning rates, chosen on validation: {named}")
            case _:
                pass


def _name(event: RunEvent | RunLost | RunEnded) -> str:
    rate = "" if event.rate is None else f", learning rate {event.rate:g}"
    return f"{event.arm}{rate}, seed {event.seed}"


def _outcome(event: RunEnded, unit: str) -> str:
    """Return the losses of a finished run, its time, and why it stopped early."""
    losses = [
        f"{split} {loss:.4f}"
        for split, loss in (("validation", event.valid), ("test", event.test))
        if loss is not None
    ]
    measured = f"{', '.join(losses)} {unit}, " if losses else ""
    early = f"; stopped: {event.stopped}" if event.stopped else ""
    return f"{measured}{event.seconds:.0f} s{early}"


def _print_event(event: StudyEvent) -> None:
    from musicrel.experiment.study.compare import RunEvent, event_to_json

    if not (isinstance(event, RunEvent) and event.event is None):
        output.print_text(json.dumps(event_to_json(event)), flush=True)
