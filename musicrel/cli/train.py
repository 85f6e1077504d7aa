"""``musicrel train``: one run after a recipe. Ctrl-C saves and ends; a second one ends at once.

This file knows arguments, signals and lines; the run itself is ``musicrel.experiment.train``'s.
"""

from __future__ import annotations

import argparse
import json
import signal
from dataclasses import asdict
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from musicrel.cli import arguments, output
from musicrel.jobs import Wish

if TYPE_CHECKING:
    from musicrel.experiment.train import TrainEvent, TrainResult

INTERRUPTED = 130


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("--recipe", required=True, help="a TOML file, or the name of a shipped one")
    parser.add_argument("--out", required=True, help="the run's folder")
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    parser.add_argument("--events", choices=("-",), help="- prints each event as a JSON line")
    arguments.add_device(parser)


def run(asked: argparse.Namespace) -> int:
    """Train; the exit code."""
    from musicrel import jobs
    from musicrel.experiment import recipe
    from musicrel.experiment.train import train
    from musicrel.model import devices

    recipe_ = recipe.load(asked.recipe)
    device = devices.resolve(asked.device)
    stopper = StopOnInterrupt()
    before = signal.signal(signal.SIGINT, stopper.ask)
    try:
        with output.Progress(recipe_.name, 1000, "‰") as progress:
            show = _print_line if asked.events else _Shower(progress)
            result = jobs.run(
                train(
                    recipe_,
                    Path(asked.out),
                    resume=asked.resume,
                    device=device,
                    threads=asked.threads,
                    control=stopper,
                ),
                show,
            )
    finally:
        signal.signal(signal.SIGINT, before)
    output.note(_summary(asked, result))
    return 0 if result.finished else INTERRUPTED


class StopOnInterrupt:
    """A control that asks the job to save and end after the first Ctrl-C."""

    def __init__(self) -> None:
        self._asked = False

    def wish(self) -> Wish:
        """See ``musicrel.jobs.Control``."""
        return "stop" if self._asked else "run"

    def ask(self, number: int, frame: FrameType | None) -> None:
        """The handler of SIGINT."""
        del number, frame
        if self._asked:
            raise KeyboardInterrupt
        self._asked = True
        output.note("saving; press Ctrl-C again to end at once")


class _Shower:
    """Shows a run as a bar, and what the user should know as lines."""

    def __init__(self, progress: output.Progress) -> None:
        self._progress = progress
        self._valid = ""

    def __call__(self, event: TrainEvent) -> None:
        from musicrel.experiment.train import TrainEvaluated, TrainStarted, TrainStep

        match event:
            case TrainStarted(notes=notes):
                for note in notes:
                    output.note(note)
            case TrainStep(progress=share, nats=nats, tokens_per_second=speed):
                remark = f"{nats:.3f} nats, {speed:,.0f} tokens/s{self._valid}"
                self._progress.reach(round(1000 * share, 1), remark)
            case TrainEvaluated(valid=valid):
                self._valid = f", valid {valid:.4f}"
            case _:
                pass


def _print_line(event: TrainEvent) -> None:
    print(json.dumps({"event": type(event).__name__, **asdict(event)}), flush=True)


def _summary(asked: argparse.Namespace, result: TrainResult) -> str:
    if not result.finished:
        return f"stopped and saved at step {result.step}; go on with --resume --out {asked.out}"
    return (
        f"done: {result.step} steps, {result.tokens:,} tokens, {result.seconds:.0f} s, valid "
        f"{result.valid:.4f}, test {result.test:.4f} nats/note; the model is in {asked.out}/model"
    )
