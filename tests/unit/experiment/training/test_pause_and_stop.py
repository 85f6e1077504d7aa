"""A run that is paused, stopped or cancelled, or that ends before its budget by a rule."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from musicrel.errors import UsageError
from musicrel.experiment.objectives.evaluation import Evaluation
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.runs import run_control
from musicrel.experiment.runs.events import (
    TrainEvaluated,
    TrainEvaluating,
    TrainEvent,
    TrainFinished,
    TrainPaused,
    TrainResumed,
    TrainSaved,
    TrainStep,
    TrainStopped,
)
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.study.run_watch import RunWatch
from musicrel.experiment.training.train import Run, train
from musicrel.jobs import RunCommand
from musicrel.model.card import read_card
from tests.helpers.recipes import StopAfter, tiny_recipe
from tests.helpers.runs import events_of, run, story


def test_a_stop_saves_and_ends(source: str, tmp_path: Path) -> None:
    result, events = run(tiny_recipe(source), tmp_path / "run", control=StopAfter(2))

    assert (result.finished, result.step, result.valid) == (False, 2, None)
    assert events[-2:] == [TrainSaved(step=2), TrainStopped(step=2, saved=True)]
    assert not (tmp_path / "run" / "model").exists()
    assert not (tmp_path / "run" / "result.json").exists()


def test_a_cancelled_run_ends_without_a_checkpoint_of_its_own(source: str, tmp_path: Path) -> None:
    def cancel(event: TrainEvent) -> None:
        if isinstance(event, TrainStep) and event.step == 5:
            run_control.send_request(tmp_path / "run", "cancel")

    result, events = run(tiny_recipe(source), tmp_path / "run", cancel)

    assert events[-1] == TrainStopped(step=5, saved=False)
    assert not result.finished
    assert run(tiny_recipe(source), tmp_path / "run", resume=True)[1][0].step == 3


@pytest.mark.parametrize("at", [4, 12])
def test_an_evaluation_is_broken_off_by_a_stop_and_made_later(
    source: str, tmp_path: Path, at: int
) -> None:
    whole, noted = run(tiny_recipe(source), tmp_path / "whole")

    def stop(event: TrainEvent) -> None:
        if isinstance(event, TrainEvaluating) and event.step == at:
            run_control.send_request(tmp_path / "run", "stop")

    first, events = run(tiny_recipe(source), tmp_path / "run", stop)
    result, more = run(tiny_recipe(source), tmp_path / "run", resume=True)

    assert (first.finished, first.step) == (False, at)
    assert events[-1] == TrainStopped(step=at, saved=True)
    assert more[0].step == at
    assert (result.valid, result.test) == (whole.valid, whole.test)
    assert events_of(TrainStep, events + more)[-1].nats == events_of(TrainStep, noted)[-1].nats


def test_the_folder_shows_the_state_of_a_run(source: str, tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    recipe = tiny_recipe(source)
    folder.create(recipe.to_toml())
    found = [folder.state()]

    def look(event: TrainEvent) -> None:
        if isinstance(event, TrainStep) and event.step == 5:
            found.append(folder.state())
            run_control.send_request(folder.path, "stop")

    run(recipe, folder.path, look, resume=True)
    found.append(folder.state())
    job = train(recipe, folder.path, resume=True)
    next(job)
    run_control.send_request(folder.path, "pause")
    next(job)
    found.append(folder.state())
    job.close()
    found.append(folder.state())
    run(recipe, folder.path, resume=True)
    found.append(folder.state())

    assert found == ["queued", "running", "stopped", "paused", "crashed", "finished"]


def test_cancelling_is_not_undone_by_a_request_to_stop(source: str, tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    job = train(tiny_recipe(source), folder.path)
    next(job)
    run_control.send_request(folder.path, "cancel")
    run_control.send_request(folder.path, "stop")

    assert list(job)[-1] == TrainStopped(step=0, saved=False)
    assert folder.state() == "cancelled"


class PauseOnce:
    def __init__(self) -> None:
        self.asked = 0

    def __call__(self) -> RunCommand:
        self.asked += 1
        return "pause" if 3 <= self.asked <= 6 else "run"


def test_a_pause_holds_the_run(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)

    result, events = run(tiny_recipe(source), tmp_path / "run", control=PauseOnce())

    noted = [e for e in events if isinstance(e, (TrainStep, TrainPaused, TrainResumed))]
    assert result.finished
    assert len(waits) == 3
    assert [type(event).__name__ for event in noted[:5]] == [
        "TrainStep", "TrainStep", "TrainPaused", "TrainResumed", "TrainStep",
    ]  # fmt: skip


def with_rule(source: str, after: int, gain: float = 0.0, **values: Any) -> Recipe:
    recipe = tiny_recipe(source)
    training = replace(
        recipe.training, evaluate_every=2, stop_after=after, stop_gain=gain, **values
    )
    return replace(recipe, training=training)


@pytest.fixture
def losses(monkeypatch: pytest.MonkeyPatch) -> dict[int, float]:
    wanted: dict[int, float] = {}
    really = Run.evaluate_split

    def evaluate(self: Run, model: Any, split: str, given: Any) -> Any:
        found: Evaluation | None = yield from really(self, model, split, given)
        step = self._trainer.counters.step
        if found is None or split != "valid" or step not in wanted:
            return found
        nats = wanted[step]
        pieces = tuple(replace(piece, nats=nats * piece.notes) for piece in found.pieces)
        return replace(found, pieces=pieces)

    monkeypatch.setattr(Run, "evaluate_split", evaluate)
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
    assert RunFolder(tmp_path / "run").result() == result
    watched = RunWatch(tmp_path / "run", "vanilla", 0).poll(check_process=False)
    assert watched.remarks == (f"stopped early: {result.stopped}",)


def test_a_run_that_improves_uses_its_whole_budget(
    source: str, tmp_path: Path, losses: dict[int, float]
) -> None:
    losses |= {2: 3.0, 4: 3.1, 6: 2.8, 8: 2.9, 10: 2.7, 12: 2.75}

    result, _ = run(with_rule(source, 2), tmp_path / "run")

    assert (result.step, result.stopped) == (12, "")
    assert "stopped" not in (tmp_path / "run" / "result.json").read_text()


def test_a_resumed_run_stops_at_the_same_step(
    source: str, tmp_path: Path, losses: dict[int, float]
) -> None:
    losses |= {2: 3.0, 4: 3.1, 6: 3.1, 8: 3.1, 10: 2.0}
    recipe = with_rule(source, 3)

    whole, _ = run(recipe, tmp_path / "whole")
    run(recipe, tmp_path / "broken", stop_at=5)
    resumed, _ = run(recipe, tmp_path / "broken", resume=True)

    assert whole.step == resumed.step == 8
    assert whole.stopped == resumed.stopped
    assert story(tmp_path / "whole") == story(tmp_path / "broken")


def test_the_rule_needs_a_number_of_evaluations(source: str) -> None:
    with pytest.raises(UsageError, match=r"stop_gain is 0.1 and has no effect without stop_after"):
        with_rule(source, 0, 0.1)


def test_a_trial_does_not_look_at_the_test_split(source: str, tmp_path: Path) -> None:
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
