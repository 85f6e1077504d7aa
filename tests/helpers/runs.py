"""Training runs, their events, and the comparison of two runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from musicrel import jobs
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.runs import run_control
from musicrel.experiment.runs.events import TrainEvaluated, TrainEvent, TrainResult, TrainStep
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.training.train import train

OnEvent = Callable[[TrainEvent], object]


def run(
    recipe: Recipe,
    folder: Path,
    on_event: OnEvent = id,
    *,
    stop_at: int | None = None,
    **how: Any,
) -> tuple[TrainResult, list[TrainEvent]]:
    """Run a training to its end, or stop it after a step; return its result and all events."""
    events: list[TrainEvent] = []

    def note(event: TrainEvent) -> None:
        events.append(event)
        if isinstance(event, TrainStep) and event.step == stop_at:
            run_control.send_request(folder, "stop")
        on_event(event)

    return jobs.run(train(recipe, folder, **how), note), events


def events_of(kind: type[Any], events: list[TrainEvent]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def story(folder: Path) -> list[tuple[Any, ...]]:
    return [
        (event["event"], event["step"], event["tokens"], event.get("nats"), event.get("valid"),
         event.get("gradient_norm"), event.get("rate"))
        for event in RunFolder(folder).events()
        if event["event"] in ("TrainStep", "TrainEvaluated")
    ]  # fmt: skip


def assert_same_run(one: Path, other: Path) -> None:
    assert story(one) == story(other)
    for part in ("model/model.safetensors", "checkpoints/step-00000012.safetensors"):
        assert (one / part).read_bytes() == (other / part).read_bytes()


def evaluation(step: int, loss: float, *, tokens: int = 0, seconds: float = 0.0) -> TrainEvaluated:
    return TrainEvaluated(step=step, tokens=tokens, seconds=seconds, valid=loss, best=loss)


def train_step(step: int, loss: float, *, tokens: int = 0, seconds: float = 0.0) -> TrainStep:
    return TrainStep(step=step, tokens=tokens, seconds=seconds, nats=loss, progress=0.0,
                     gradient_norm=1.0, rate=0.1, tokens_per_second=0.0)  # fmt: skip
