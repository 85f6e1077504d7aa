"""``musicrel train``: train a model from a recipe.

Ctrl+C saves and ends; a second one ends without saving.
"""

from __future__ import annotations

import argparse
import json
import signal
from pathlib import Path
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, Self

from musicrel import jobs
from musicrel.cli import output
from musicrel.cli.options import arguments
from musicrel.experiment.recipe import recipe
from musicrel.experiment.runs import lifeline, run_control
from musicrel.experiment.study.measures import MEASURES
from musicrel.jobs import RunCommand

if TYPE_CHECKING:
    from musicrel.experiment.training.train import TrainEvent, TrainResult

INTERRUPTED = 130


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--recipe",
        required=True,
        help="a TOML file, or the name of a bundled recipe, such as relative or tiny",
    )
    parser.add_argument(
        "--out", required=True, type=Path, help="folder of the run, created if missing"
    )
    parser.add_argument("--resume", action="store_true", help="resume from the last checkpoint")
    parser.add_argument("--events", choices=("-",), help="-: print each event as a JSON line")
    parser.add_argument(
        "--since", type=arguments.number("since"), help=argparse.SUPPRESS
    )  # byte of control.jsonl
    parser.add_argument("--lifeline", action="store_true", help=argparse.SUPPRESS)
    arguments.add_device(parser)


def run(options: argparse.Namespace) -> int:
    """Train; return the exit code."""
    # read before torch is loaded: so that requests that arrive meanwhile are followed
    since = run_control.end_offset(options.out) if options.since is None else options.since
    from musicrel.experiment.training.train import train
    from musicrel.model import devices

    loaded = recipe.load(options.recipe)
    device = devices.resolve(options.device)
    with StopOnInterrupt() as stopper, output.ProgressBar(loaded.name, 1000, "‰") as bar:
        if options.lifeline:
            lifeline.end_with_parent(stopper.stop)
        show = _print_event if options.events else _RunProgress(bar)
        job = train(
            loaded,
            options.out,
            resume=options.resume,
            device=device,
            threads=options.threads,
            control=stopper,
            since=since,
        )
        result = jobs.run(job, show)
    output.print_message(_summary(options.out, result, MEASURES[loaded.model.family].unit))
    return 0 if result.finished else INTERRUPTED


class StopOnInterrupt:
    """A control that stops and saves the job after the first Ctrl+C, or SIGTERM.

    It handles these signals inside its ``with`` block.
    """

    def __init__(self) -> None:
        self._interrupted = False
        self._handlers: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._handlers[number] = signal.signal(number, self.interrupt)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def command(self) -> RunCommand:
        return "stop" if self._interrupted else "run"

    def stop(self) -> None:
        """Stop and save the job; may be called in another thread."""
        self._interrupted = True

    def interrupt(self, _number: int, _frame: FrameType | None) -> None:
        """Handle a signal."""
        if self._interrupted:
            raise KeyboardInterrupt
        self.stop()
        output.print_message("saving; press Ctrl+C again to quit without saving")


class _RunProgress:
    """Shows a run as a bar, and notable events as lines."""

    def __init__(self, bar: output.ProgressBar) -> None:
        self._bar = bar
        self._validation = ""

    def __call__(self, event: TrainEvent) -> None:
        from musicrel.experiment.training import train_events as events

        match event:
            case events.TrainStep(progress=share, nats=nats, tokens_per_second=speed):
                remark = f"{nats:.3f} nats, {speed:,.0f} tokens/s{self._validation}"
                self._bar.set_done(round(1000 * share, 1), remark)
            case events.TrainStarted():
                self._validation = ""
            case events.TrainEvaluated(valid=valid):
                self._validation = f", validation {valid:.4f}"
            case events.TrainEvaluating(split=events.READ_BY_TEACHERS, done=done, pieces=pieces):
                self._bar.set_done(0, f"the teachers read: {done} of {pieces} pieces")
            case events.TrainCalibrating(round=number, rounds=rounds, done=done, pieces=pieces):
                remark = f"calibration, round {number} of {rounds}: {done} of {pieces} pieces"
                self._bar.set_done(1000, remark)
            case _:
                pass
        for message in messages(event):
            output.print_message(message)


def messages(event: TrainEvent) -> tuple[str, ...]:
    """Return the messages of an event for the user, one line each."""
    from musicrel.experiment.training import train_events as events

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


def _print_event(event: TrainEvent) -> None:
    from musicrel.experiment.training.train_events import to_json

    output.print_text(json.dumps(to_json(event)), flush=True)


def _summary(out: Path, result: TrainResult, unit: str) -> str:
    if not result.finished:
        return f"stopped and saved at step {result.step}; resume with --resume --out {out}"
    done = f"done: {result.step} steps, {result.tokens:,} tokens, {result.seconds:.0f} s"
    early = f"; stopped: {result.stopped}" if result.stopped else ""
    if result.valid is None:
        return f"{done}{early}"
    test = "" if result.test is None else f", test {result.test:.4f}"
    return f"{done}, validation {result.valid:.4f}{test} {unit}{early}; the model is in {out}/model"
