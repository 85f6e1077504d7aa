"""``python -m musicrel.experiment.device_speeds TASK DEVICE...``: how fast devices write or train.

Each line of the output is a JSON object with a device, and with the share of its measurement that
is done, its tokens a second, or the reason why it failed.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from musicrel import jobs
from musicrel.chorale import Voice
from musicrel.experiment.recipe import recipe
from musicrel.experiment.runs.events import TrainStep
from musicrel.generation.candidates.candidate_job import generate_piece
from musicrel.generation.events import GenerationStep
from musicrel.generation.loaded_model import load_model
from musicrel.generation.request import GenerationRequest
from musicrel.jobs import Job
from musicrel.model.device_choice import Task

MODEL: Final = "relative"
RECIPE: Final = "relative-base"
BARS: Final = 8
_PREPARED: Final = 4  # steps of training before those that are timed
_STEPS: Final = 3  # that are timed at least,
_SECONDS: Final = 2.0  # and until so long
_NEVER: Final = 1_000_000


def written(device: str) -> Job[float, float]:
    """Write a piece twice, with the default model and quality; return the speed of the second.

    With the first one the device is prepared. Yields the share that is done.
    """
    model = load_model(MODEL, device)
    request = GenerationRequest(bars=BARS).resolved(model.conditions)
    tokens, began = request.steps * len(Voice), 0.0
    for number in range(2):
        began = time.perf_counter()
        with closing(generate_piece(model, request)) as events:
            for event in events:
                if isinstance(event, GenerationStep):
                    yield (number + event.index / tokens) / 2
    return tokens / (time.perf_counter() - began)


def trained(device: str) -> Job[float, float]:
    """Train a model for a few steps with one thread; return its speed once it is steady.

    Yields the share that is done.
    """
    from musicrel.experiment.training.train import train  # noqa: PLC0415  # it imports torch

    whole = recipe.load(RECIPE)
    steps = replace(whole.training, tokens=0, steps=_NEVER, evaluate_every=_NEVER)
    plan = replace(whole, training=replace(steps, checkpoint_every=_NEVER))
    began, before, number = 0.0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        job = train(plan, Path(folder) / "run", device=device)
        with closing(job) as events:
            for event in events:
                if not isinstance(event, TrainStep):
                    continue
                number += 1
                seconds = time.perf_counter() - began
                if number == _PREPARED:
                    began, before = time.perf_counter(), event.tokens
                elif number >= _PREPARED + _STEPS and seconds >= _SECONDS:
                    return (event.tokens - before) / seconds
                yield min(number / (_PREPARED + _STEPS), 1.0)
    raise RuntimeError("the run ended before it was measured")


WORK: Final[Mapping[Task, Callable[[str], Job[float, float]]]] = {
    "writing": written,
    "training": trained,
}


def main(task: Task, *devices: str) -> None:
    for device in devices:
        try:
            rate = jobs.run(WORK[task](device), partial(_print_share, device))
            _print(device, tokens_per_second=rate)
        except Exception as reason:  # noqa: BLE001  # drivers have errors of all kinds
            _print(device, failed=str(reason).partition("\n")[0] or type(reason).__name__)


def _print_share(device: str, share: float) -> None:
    _print(device, share=share)


def _print(device: str, **values: Any) -> None:
    sys.stdout.write(json.dumps({"device": device, **values}) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])  # type: ignore[arg-type]  # a task comes first
