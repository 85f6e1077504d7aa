"""A run that is paused, stopped or cancelled, and its state."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from musicrel.experiment.runs import run_control
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.training.train import (
    TrainEvaluating,
    TrainEvent,
    TrainPaused,
    TrainResumed,
    TrainSaved,
    TrainStep,
    TrainStopped,
    train,
)
from musicrel.jobs import RunCommand
from tests.helpers.recipes import StopAfter, tiny_recipe
from tests.helpers.runs import events_of, run


def test_a_stop_saves_and_ends(source: str, tmp_path: Path) -> None:
    """No model and no result yet; the checkpoint is at the step it stopped."""
    result, events = run(tiny_recipe(source), tmp_path / "run", control=StopAfter(2))

    assert (result.finished, result.step, result.valid) == (False, 2, None)
    assert events[-2:] == [TrainSaved(step=2), TrainStopped(step=2, saved=True)]
    assert not (tmp_path / "run" / "model").exists()
    assert not (tmp_path / "run" / "result.json").exists()


def test_a_cancelled_run_ends_without_a_checkpoint_of_its_own(source: str, tmp_path: Path) -> None:
    """Earlier checkpoints are kept, and it can be resumed from them."""

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
    """In the middle of the run and at its end the result is the same."""
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
    """From its recipe to its result."""
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
    """A cancelled study also asks its run to stop; the run still ends at once."""
    folder = RunFolder(tmp_path / "run")
    job = train(tiny_recipe(source), folder.path)
    next(job)
    run_control.send_request(folder.path, "cancel")
    run_control.send_request(folder.path, "stop")

    assert list(job)[-1] == TrainStopped(step=0, saved=False)
    assert folder.state() == "cancelled"


class PauseOnce:
    """A control that pauses before the third step until it was asked four times."""

    def __init__(self) -> None:
        self.asked = 0

    def command(self) -> RunCommand:
        """See ``musicrel.jobs.Control``."""
        self.asked += 1
        return "pause" if 3 <= self.asked <= 6 else "run"


def test_a_pause_holds_the_run(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two events report it; the run then continues as if uninterrupted."""
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)

    result, events = run(tiny_recipe(source), tmp_path / "run", control=PauseOnce())

    noted = [e for e in events if isinstance(e, (TrainStep, TrainPaused, TrainResumed))]
    assert result.finished
    assert len(waits) == 3
    assert [type(event).__name__ for event in noted[:5]] == [
        "TrainStep", "TrainStep", "TrainPaused", "TrainResumed", "TrainStep",
    ]  # fmt: skip
