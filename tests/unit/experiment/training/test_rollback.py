"""Divergence: a run returns to its last checkpoint with half the learning rate."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from musicrel.errors import ModelError
from musicrel.experiment.runs.events import TrainRolledBack, TrainStep
from musicrel.experiment.runs.run_folder import RunFolder, all_finite
from musicrel.experiment.training import learner
from musicrel.experiment.training.learner import Learner, StepInputs, StepLoss
from musicrel.experiment.training.train import train
from tests.helpers.recipes import tiny_recipe
from tests.helpers.runs import events_of, run


class Spoiled:
    """A learner whose loss is ``nats`` in a step, some times."""

    def __init__(self, step: int, times: int, nats: float = float("nan")) -> None:
        self._step, self._left, self._nats = step, times, nats

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        really = learner._checked

        def checked(found: list[float], tokens: list[int], number: int) -> StepLoss:
            if number == self._step and self._left:
                self._left -= 1
                found = [self._nats * count for count in tokens] + found[-1:]
            return really(found, tokens, number)

        monkeypatch.setattr(learner, "_checked", checked)


@pytest.mark.parametrize("nats", [float("nan"), float("inf"), 100.0])
def test_divergence_rolls_the_run_back_with_half_the_rate(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nats: float
) -> None:
    Spoiled(7, 1, nats).install(monkeypatch)

    result, events = run(tiny_recipe(source), tmp_path / "run")

    back = events_of(TrainRolledBack, events)
    assert [(e.step, e.exploded, e.rate_factor, e.count) for e in back] == [(6, 7, 0.5, 1)]
    assert [e.step for e in events_of(TrainStep, events)] == [*range(1, 8), *range(7, 13)]
    rates = {e.step: e.rate for e in events_of(TrainStep, events[: events.index(back[0])])}
    again = {e.step: e.rate for e in events_of(TrainStep, events[events.index(back[0]) :])}
    assert again[7] == rates[7] / 2
    assert (result.finished, result.rollbacks) == (True, 1)
    written = [e["step"] for e in RunFolder(tmp_path / "run").events() if e["event"] == "TrainStep"]
    assert written == list(range(1, 13))


def test_divergence_before_the_first_checkpoint_restarts_the_run(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Spoiled(1, 2).install(monkeypatch)

    result, events = run(tiny_recipe(source), tmp_path / "run")

    back = events_of(TrainRolledBack, events)
    assert [(e.step, e.rate_factor, e.count) for e in back] == [(0, 0.5, 1), (0, 0.25, 2)]
    firsts = [e.nats for e in events_of(TrainStep, events) if e.step == 1]
    assert len(firsts) == 3
    assert len(set(firsts)) == 1
    assert result.finished


def test_the_halved_rate_survives_a_crash(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Spoiled(7, 1).install(monkeypatch)
    job = train(tiny_recipe(source), tmp_path / "run")
    for event in job:
        if isinstance(event, TrainRolledBack):
            break
    job.close()

    _, events = run(tiny_recipe(source), tmp_path / "run", resume=True)

    first = events_of(TrainStep, events)[0]
    full = run(tiny_recipe(source), tmp_path / "other")[1]
    assert first.step == 7
    assert first.rate == next(e.rate for e in events_of(TrainStep, full) if e.step == 7) / 2


def test_a_run_that_diverges_repeatedly_is_given_up(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Spoiled(7, 100).install(monkeypatch)

    with pytest.raises(ModelError, match=r"diverged again after the rate was halved 5 times \(the"):
        run(tiny_recipe(source), tmp_path / "run")
    state = RunFolder(tmp_path / "run").latest_checkpoint()
    assert state is not None
    assert all_finite(state[0])
    assert RunFolder(tmp_path / "run").state() == "crashed"


def test_non_finite_weights_are_never_stored(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = Learner.start
    spoiled: list[int] = []

    def start(one: Learner, inputs: StepInputs, number: int, *how: Any) -> Callable[[], StepLoss]:
        loss = really(one, inputs, number, *how)
        if number == 5 and not spoiled:
            spoiled.append(number)
            with torch.no_grad():
                one.model.embed_token.weight[0, 0] = float("inf")
        return loss

    monkeypatch.setattr(Learner, "start", start)
    result, events = run(tiny_recipe(source), tmp_path / "run")

    back = events_of(TrainRolledBack, events)
    assert [(e.step, e.reason) for e in back] == [(3, "after step 6 weights are not finite")]
    assert result.finished


def test_a_learner_that_diverges_ends_the_run_with_a_sentence(source: str, tmp_path: Path) -> None:
    recipe = tiny_recipe(source, steps=500, learning_rate=1e3, warmup_steps=0, clip=1e3)

    with pytest.raises(ModelError, match="lower the learning rate"):
        run(recipe, tmp_path / "run")
