"""Runs that end before their budget: by the rule of their recipe, or as trials that diverge."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from musicrel.errors import UsageError
from musicrel.experiment.objectives.evaluation import Evaluation
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.study import run_watch
from musicrel.experiment.training.run_evaluation import RunEvaluation
from musicrel.experiment.training.train import TrainEvaluated, TrainFinished, TrainResult
from musicrel.model.card import read_card
from tests.helpers.recipes import tiny_recipe
from tests.helpers.runs import events_of, run, story


def with_rule(source: str, after: int, gain: float = 0.0, **values: Any) -> Recipe:
    """Return a recipe of twelve steps, evaluated after every second one, with a rule."""
    recipe = tiny_recipe(source)
    training = replace(
        recipe.training, evaluate_every=2, stop_after=after, stop_gain=gain, **values
    )
    return replace(recipe, training=training)


@pytest.fixture
def losses(monkeypatch: pytest.MonkeyPatch) -> dict[int, float]:
    """Return the losses on validation by step; those set there replace the real ones."""
    wanted: dict[int, float] = {}
    really = RunEvaluation.evaluate_split

    def evaluate(self: RunEvaluation, model: Any, split: str, given: Any) -> Any:
        found: Evaluation | None = yield from really(self, model, split, given)
        step = self._trainer.counters.step
        if found is None or split != "valid" or step not in wanted:
            return found
        nats = wanted[step]
        pieces = tuple(replace(piece, nats=nats * piece.notes) for piece in found.pieces)
        return replace(found, pieces=pieces)

    monkeypatch.setattr(RunEvaluation, "evaluate_split", evaluate)
    return wanted


def test_a_run_stops_after_two_evaluations_without_enough_improvement(
    source: str, tmp_path: Path, losses: dict[int, float]
) -> None:
    """The loss must fall by 0.1 in all, not from one evaluation to the next."""
    losses |= {2: 3.0, 4: 2.95, 6: 2.85, 8: 2.8, 10: 2.77, 12: 2.0}

    result, events = run(with_rule(source, 2, 0.1), tmp_path / "run")

    assert [event.step for event in events_of(TrainEvaluated, events)] == [2, 4, 6, 8, 10]
    assert (result.finished, result.step) == (True, 10)
    assert result.stopped == (
        "no improvement of 0.1 nats on validation in 2 evaluations, at step 10 after 83 % of the "
        "budget"
    )
    assert result.valid == pytest.approx(2.77)
    assert result.test is not None
    assert isinstance(events[-1], TrainFinished)
    assert events[-1].stopped == result.stopped
    assert TrainResult.of(RunFolder(tmp_path / "run")) == result
    watched = run_watch.read(tmp_path / "run", "vanilla", 0)
    assert watched.remarks == (f"stopped early: {result.stopped}",)


def test_a_run_that_improves_uses_its_whole_budget(
    source: str, tmp_path: Path, losses: dict[int, float]
) -> None:
    """Its result does not mention the rule."""
    losses |= {2: 3.0, 4: 3.1, 6: 2.8, 8: 2.9, 10: 2.7, 12: 2.75}

    result, _ = run(with_rule(source, 2), tmp_path / "run")

    assert (result.step, result.stopped) == (12, "")
    assert "stopped" not in (tmp_path / "run" / "result.json").read_text()


def test_a_resumed_run_stops_at_the_same_step(
    source: str, tmp_path: Path, losses: dict[int, float]
) -> None:
    """The evaluations without improvement are counted across the interruption."""
    losses |= {2: 3.0, 4: 3.1, 6: 3.1, 8: 3.1, 10: 2.0}
    recipe = with_rule(source, 3)

    whole, _ = run(recipe, tmp_path / "whole")
    run(recipe, tmp_path / "broken", stop_at=5)
    resumed, _ = run(recipe, tmp_path / "broken", resume=True)

    assert whole.step == resumed.step == 8
    assert whole.stopped == resumed.stopped
    assert story(tmp_path / "whole") == story(tmp_path / "broken")


def test_the_rule_needs_a_number_of_evaluations(source: str) -> None:
    """A decrease alone does nothing, and is refused."""
    with pytest.raises(UsageError, match=r"stop_gain is 0.1 and has no effect without stop_after"):
        with_rule(source, 0, 0.1)


def test_a_trial_does_not_look_at_the_test_split(source: str, tmp_path: Path) -> None:
    """Its result and its card have the loss on validation only."""
    recipe = with_rule(source, 0, trial=True)

    result, _ = run(recipe, tmp_path / "run")

    assert result.valid is not None
    assert (result.test, result.test_pieces) == (None, ())
    card = read_card(tmp_path / "run" / "model")
    assert (card.valid_nats_per_note, card.test_nats_per_note) == (result.valid, None)


def test_a_trial_that_diverges_is_finished(
    source: str, tmp_path: Path, losses: dict[int, float]
) -> None:
    """It is not rolled back: a lower rate than its own would not be a trial of it."""
    losses |= {4: float("nan")}

    result, events = run(with_rule(source, 0, trial=True), tmp_path / "run")

    assert (result.finished, result.valid, result.step) == (True, None, 4)
    assert result.stopped == "diverged: the loss on validation is nan"
    assert events_of(TrainFinished, events)[-1].stopped == result.stopped
    assert RunFolder(tmp_path / "run").state() == "finished"
