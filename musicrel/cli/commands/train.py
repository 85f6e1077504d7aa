"""``musicrel train``: one run after a recipe. Ctrl-C saves and ends; a second one ends at once.

This file knows arguments, signals and lines; the run itself is ``musicrel.experiment.training.train``'s.
"""

from __future__ import annotations

import argparse
import json
import signal
from pathlib import Path
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, Self

from musicrel.cli import output
from musicrel.cli.options import arguments
from musicrel.jobs import Wish

if TYPE_CHECKING:
    from musicrel.experiment.training.train import TrainEvent, TrainResult

INTERRUPTED = 130


def add(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument(
        "--recipe",
        required=True,
        help="a TOML file, or the name of a shipped one, such as relative or tiny",
    )
    parser.add_argument("--out", required=True, help="the folder of the run, made if missing")
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    parser.add_argument("--events", choices=("-",), help="-: print each event as a JSON line")
    parser.add_argument("--since", type=int, help=argparse.SUPPRESS)  # byte of control.jsonl
    arguments.add_device(parser)


def run(asked: argparse.Namespace) -> int:
    """Train; the exit code."""
    from musicrel.experiment.runs import run_control

    # counted before torch is loaded: what is asked of the run meanwhile is heeded
    since = run_control.length(Path(asked.out)) if asked.since is None else asked.since
    from musicrel import jobs
    from musicrel.experiment.recipe import recipe
    from musicrel.experiment.study.measures import MEASURES
    from musicrel.experiment.training.train import train
    from musicrel.model import devices

    recipe_ = recipe.load(asked.recipe)
    device = devices.resolve(asked.device)
    with StopOnInterrupt() as stopper, output.Progress(recipe_.name, 1000, "‰") as progress:
        show = _print_line if asked.events else _Shower(progress)
        job = train(
            recipe_,
            Path(asked.out),
            resume=asked.resume,
            device=device,
            threads=asked.threads,
            control=stopper,
            since=since,
        )
        result = jobs.run(job, show)
    output.note(_summary(asked, result, MEASURES[recipe_.model.family].unit))
    return 0 if result.finished else INTERRUPTED


class StopOnInterrupt:
    """A control that asks the job to save and end after the first Ctrl-C, or SIGTERM.

    It hears them between ``with`` and its end.
    """

    def __init__(self) -> None:
        self._asked = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._before[number] = signal.signal(number, self.ask)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)

    def wish(self) -> Wish:
        """See ``musicrel.jobs.Control``."""
        return "stop" if self._asked else "run"

    def ask(self, number: int, frame: FrameType | None) -> None:
        """The handler of the signals."""
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
        from musicrel.experiment.training import train_events as told

        match event:
            case told.TrainStep(progress=share, nats=nats, tokens_per_second=speed):
                remark = f"{nats:.3f} nats, {speed:,.0f} tokens/s{self._valid}"
                self._progress.reach(round(1000 * share, 1), remark)
            case told.TrainStarted(notes=notes):
                self._valid = ""
                for note in notes:
                    output.note(note)
            case told.TrainEvaluated(valid=valid):
                self._valid = f", valid {valid:.4f}"
            case told.TrainWriting(round=number, rounds=rounds, done=done, pieces=pieces):
                remark = f"writing, round {number} of {rounds}: {done} of {pieces} pieces"
                self._progress.reach(1000, remark)
            case _:
                for sentence in sentences(event):
                    output.note(sentence)


def sentences(event: TrainEvent) -> tuple[str, ...]:
    """What the user should be told of an event beside the bar."""
    from musicrel.experiment.training import train_events as told

    match event:
        case told.TrainStarted(notes=notes):
            return notes
        case told.TrainPaused(step=step):
            said = f"paused after step {step}"
        case told.TrainResumed():
            said = "going on"
        case told.TrainRolledBack(step=step, reason=reason, rate_factor=factor):
            said = f"{reason}: going on from step {step} with {factor:g} of the rate"
        case told.TrainMemoryShort(parts=parts):
            said = f"memory does not suffice: each batch is learned in {parts} parts from now on"
        case told.TrainWeighed(round=number, astray=astray):
            each = ", ".join(f"{name} {nats:.4f}" for name, nats in sorted(astray.items()))
            said = f"weighed by round {number}; its pieces were astray by {each} nats"
        case _:
            return ()
    return (said,)


def _print_line(event: TrainEvent) -> None:
    from musicrel.experiment.training.train_events import to_json

    print(json.dumps(to_json(event)), flush=True)


def _summary(asked: argparse.Namespace, result: TrainResult, unit: str) -> str:
    if not result.finished:
        return f"stopped and saved at step {result.step}; go on with --resume --out {asked.out}"
    return (
        f"done: {result.step} steps, {result.tokens:,} tokens, {result.seconds:.0f} s, valid "
        f"{result.valid:.4f}, test {result.test:.4f} {unit}; the model is in {asked.out}/model"
    )
