"""``musicrel compare``: a study of several runs. Ctrl-C saves and ends; it can be resumed.

This file knows arguments and lines; the study itself is ``musicrel.experiment.study.compare``'s.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from musicrel.cli import output
from musicrel.cli.commands.train import INTERRUPTED, StopOnInterrupt, sentences
from musicrel.cli.options import arguments
from musicrel.errors import UsageError
from musicrel.experiment.study import study_folder

if TYPE_CHECKING:
    from musicrel.experiment.study.compare import StudyEvent
    from musicrel.experiment.study.layer_costs import LayerCost, LayerCosts
    from musicrel.experiment.study.memory_study import MemoryStudy
    from musicrel.experiment.study.results import StudyResults
    from musicrel.experiment.study.runners import Runner


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument(
        "--study",
        help=f"a TOML file, or a study that comes along: {', '.join(study_folder.shipped())}",
    )
    parser.add_argument(
        "--out", required=True, type=Path, help="the folder of the study, made if missing"
    )
    parser.add_argument("--resume", action="store_true", help="go on with the study in --out")
    parser.add_argument(
        "--report",
        action="store_true",
        help="train nothing, write results and report of the study in --out anew",
    )
    parser.add_argument(
        "--runner",
        choices=("local", "here"),
        default="local",
        help="where runs are made: each in a process of its own (local, the default), or all in "
        "this one (here)",
    )
    parser.add_argument("--events", choices=("-",), help="-: print each event as a JSON line")
    parser.add_argument("--since", type=int, help=argparse.SUPPRESS)  # byte of control.jsonl
    arguments.add_device(parser)
    arguments.add_json(parser)


def run(asked: argparse.Namespace) -> int:
    """Carry the study out; the exit code."""
    from musicrel.experiment.runs import run_control

    # counted before torch is loaded: what is asked of the study meanwhile is heeded
    since = run_control.length(asked.out) if asked.since is None else asked.since
    if asked.events and asked.json:
        raise UsageError("--events and --json both print on standard output: choose one")
    found = _carried_out(asked, since)
    if asked.json:
        output.say_json(found.to_json())
    elif not asked.events:
        output.say(found.sentence)
    return 0 if found.finished or asked.report else INTERRUPTED


def _carried_out(asked: argparse.Namespace, since: int) -> StudyResults | LayerCosts:
    """What came of the study, of whichever kind it is."""
    from musicrel.experiment.study import layer_costs, memory_study

    if asked.report:
        untrained = layer_costs.study_in(asked.out)
        _check_named(asked, untrained)
        return _rewritten(asked.out) if untrained is None else _weighed_again(asked, untrained)
    if asked.study is None and not asked.resume:
        raise UsageError("--study names none: expected a TOML file or the name of a shipped study")
    untrained = memory_study.find(asked.study) if asked.study else layer_costs.study_in(asked.out)
    return _compared(asked, since) if untrained is None else _weighed(asked, untrained, since)


def _check_named(asked: argparse.Namespace, untrained: MemoryStudy | None) -> None:
    """See that the folder to report on holds the study that is named, if one is."""
    from musicrel.experiment.study import memory_study, results, study

    if asked.study is None:
        return
    wanted = memory_study.find(asked.study) or study.load(asked.study)
    there = untrained or results.study_in(asked.out)
    if isinstance(wanted, study.Study) and isinstance(there, study.Study):
        same = wanted.is_same(there)
    else:
        same = wanted == there
    if not same:
        raise UsageError(
            f"{asked.out} holds the study {there.name!r}, which is not {asked.study!r} as it is "
            "now: leave --study out to report on what is there, or choose another --out"
        )


def _weighed(asked: argparse.Namespace, wanted: MemoryStudy, since: int) -> LayerCosts:
    """A study of what layers cost: nothing is trained, so it runs in this process."""
    from musicrel import jobs
    from musicrel.experiment.study import layer_costs
    from musicrel.model import devices
    from musicrel.presentation.study import memory_report

    devices.use_threads(asked.threads)
    done = 0
    with (
        StopOnInterrupt() as stopper,
        output.Progress(wanted.name, len(wanted.rows), "rows") as progress,
    ):

        def show(row: LayerCost) -> None:
            nonlocal done
            done += 1
            progress.reach(done)
            if asked.events:
                print(json.dumps({"event": "LayerCost", **asdict(row)}), flush=True)
            else:
                told = "estimated" if row.estimated else "measured"
                output.note(
                    f"{row.arm}, {row.length:,} tokens: {row.seconds:.3f} s, "
                    f"{row.peak_bytes / 1e6:,.1f} MB, {told}"
                )

        job = layer_costs.measure(
            wanted,
            asked.out,
            resume=asked.resume,
            device=devices.resolve(asked.device),
            threads=asked.threads,
            control=stopper,
            since=since,
        )
        found = jobs.run(job, show)
    memory_report.write(asked.out, found)
    output.note(f"results and report are in {asked.out}")
    return found


def _weighed_again(asked: argparse.Namespace, wanted: MemoryStudy) -> LayerCosts:
    from musicrel.experiment.study import layer_costs
    from musicrel.presentation.study import memory_report

    found = layer_costs.collect(wanted, asked.out)
    for path in memory_report.write(asked.out, found):
        output.note(str(path))
    return found


def _rewritten(folder: Path) -> StudyResults:
    from musicrel.experiment.study.compare import write_results
    from musicrel.presentation.study import study_report

    found = write_results(folder)
    for path in study_report.write(folder, found):
        output.note(str(path))
    return found


def _compared(asked: argparse.Namespace, since: int) -> StudyResults:
    from musicrel import jobs
    from musicrel.experiment.study import results, study
    from musicrel.experiment.study.compare import compare
    from musicrel.presentation.study import study_report

    wanted = study.load(asked.study) if asked.study else results.study_in(asked.out)
    with StopOnInterrupt() as stopper, output.Progress(wanted.name, 1000, "‰") as progress:
        unit = wanted.measure.unit
        show = _print_line if asked.events else _Shower(progress, unit)
        job = compare(
            wanted,
            asked.out,
            runner=_runner(asked),
            resume=asked.resume,
            control=stopper,
            since=since,
        )
        found = jobs.run(job, show)
    if found.finished:
        study_report.write(asked.out, found)
        output.note(f"done: results and report are in {asked.out}")
    else:
        output.note(f"stopped and saved; go on with --resume --out {asked.out}")
    return found


def _runner(asked: argparse.Namespace) -> Runner:
    from musicrel.experiment.study.runners import InProcess, Local
    from musicrel.model import devices

    device = devices.resolve(asked.device)
    if asked.runner == "here":
        return InProcess(device, asked.threads)
    return Local(device.type, asked.threads)


class _Shower:
    """Shows a study as a bar over all its runs, and what the user should know as lines."""

    def __init__(self, progress: output.Progress, unit: str) -> None:
        self._progress, self._unit = progress, unit
        self._runs, self._before = 1, 0

    def __call__(self, event: StudyEvent) -> None:
        from musicrel.experiment.study import compare as told
        from musicrel.experiment.training.train_events import TrainStep

        match event:
            case told.StudyStarted(runs=runs, finished=finished, arms=arms):
                self._runs, self._before = runs, finished
                named = ", ".join(f"{name} ({size:,} parameters)" for name, size in arms)
                output.note(f"{runs} runs, {finished} of them finished: {named}")
            case told.RunEvent(arm=arm, seed=seed, event=TrainStep(progress=share, nats=nats)):
                done = (self._before + share) / self._runs
                self._progress.reach(round(1000 * done, 1), f"{arm}, seed {seed}: {nats:.3f} nats")
            case told.RunEvent(arm=arm, seed=seed, event=inner) if inner is not None:
                for sentence in sentences(inner):
                    output.note(f"{arm}, seed {seed}: {sentence}")
            case told.RunEnded(arm=arm, seed=seed, valid=valid, test=test, seconds=seconds):
                self._before += 1
                figures = f"valid {valid:.4f}, test {test:.4f} {self._unit}, {seconds:.0f} s"
                output.note(f"{arm}, seed {seed}: {figures}")
            case _:
                pass


def _print_line(event: StudyEvent) -> None:
    from musicrel.experiment.study.compare import RunEvent, event_to_json

    if not (isinstance(event, RunEvent) and event.event is None):
        print(json.dumps(event_to_json(event)), flush=True)
