"""``musicrel train``: train a model from a recipe.

Ctrl+C saves and ends; a second one ends without saving.
"""

from __future__ import annotations

import argparse
import signal
from contextlib import ExitStack
from pathlib import Path
from types import FrameType
from typing import Self

from musicrel import jobs
from musicrel.cli import output
from musicrel.cli.options import arguments
from musicrel.cli.options.arguments import argument, flag
from musicrel.experiment.recipe import recipe
from musicrel.experiment.runs import child_process, events, run_control
from musicrel.experiment.runs.events import TrainEvent, TrainResult
from musicrel.experiment.study.measures import MEASURES
from musicrel.jobs import RunCommand
from musicrel.model import devices
from musicrel.presentation.words import names

INTERRUPTED = 130


def add(parser: argparse.ArgumentParser) -> None:
    recipe_name = argument(
        "--recipe",
        "a TOML file, or the name of a bundled recipe, such as relative or tiny",
        required=True,
    )
    out = argument("--out", "folder of the run, created if missing", Path, required=True)
    resume = flag("--resume", "resume from the last checkpoint")
    own = (recipe_name, out, resume, *arguments.EVENTS, flag("--lifeline", argparse.SUPPRESS))
    arguments.add(parser, (*own, *arguments.DEVICE))


def run(options: argparse.Namespace) -> int:
    # read before torch is loaded: so that requests that arrive meanwhile are followed
    since = run_control.end_offset(options.out) if options.since is None else options.since
    from musicrel.experiment.training.train import train

    loaded = recipe.load(options.recipe)
    device = devices.resolve(options.device)
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
    return 0 if result.finished else INTERRUPTED


class StopOnInterrupt(ExitStack):
    """A control that stops and saves the job after the first Ctrl+C, or SIGTERM."""

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


def messages(event: TrainEvent) -> tuple[str, ...]:
    match event:
        case events.TrainStarted(notes=notes):
            return notes
        case events.TrainPaused(step=step):
            message = f"paused after step {step}"
        case events.TrainResumed():
            message = "resumed"
        case events.TrainRolledBack(step=step, reason=reason, rate_factor=factor):
            message = f"{reason}: resuming from step {step} with {factor:g} of the learning rate"
        case events.TrainMemoryShort(parts=parts):
            message = f"out of memory: each batch is processed in {parts} parts from now on"
        case events.TrainCalibrated(round=number, divergence=divergence):
            each = ", ".join(f"{name} {nats:.4f}" for name, nats in sorted(divergence.items()))
            message = f"calibrated in round {number}; divergence of its pieces: {each} nats"
        case _:
            return ()
    return (message,)


def _summary(out: Path, result: TrainResult, unit: str) -> str:
    if not result.finished:
        return f"stopped and saved at step {result.step}; resume with --resume --out {out}"
    steps, tokens = names.count(result.step, "step"), names.count(result.tokens, "token")
    done = f"done: {steps}, {tokens}, {result.seconds:.0f} s"
    early = f"; stopped: {result.stopped}" if result.stopped else ""
    if result.valid is None:
        return f"{done}{early}"
    test = "" if result.test is None else f", test {result.test:.4f}"
    return f"{done}, validation {result.valid:.4f}{test} {unit}{early}; the model is in {out}/model"
