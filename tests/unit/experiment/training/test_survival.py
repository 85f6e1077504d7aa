"""What a run lives through: explosions, too little memory, full disks, vanishing folders."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from musicrel import jobs, paths
from musicrel.errors import DataError, FileError, ModelError, UsageError
from musicrel.experiment.data.dataset import Batch, Batches
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.runs import run_control
from musicrel.experiment.runs.checkpoints import all_finite
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.training.learner import Learner, StepLoss
from musicrel.experiment.training.train import (
    TrainEvaluating,
    TrainEvent,
    TrainMemoryShort,
    TrainResult,
    TrainRolledBack,
    TrainSaved,
    TrainStep,
    TrainStopped,
    train,
)
from musicrel.model import checkpoint
from musicrel.model.card import read_card
from tests.helpers.music import jsb_file, random_chorale
from tests.helpers.recipes import tiny_recipe

OnEvent = Callable[[TrainEvent], object]


def run(
    recipe: Recipe, folder: Path, on_event: OnEvent = id, **how: Any
) -> tuple[TrainResult, list[TrainEvent]]:
    """The result and all events."""
    events: list[TrainEvent] = []

    def note(event: TrainEvent) -> None:
        events.append(event)
        on_event(event)

    return jobs.run(train(recipe, folder, **how), note), events


def of(kind: type[Any], events: list[TrainEvent]) -> list[Any]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]


class Spoiled:
    """Makes the loss of a step no number, the first ``times`` it is made."""

    def __init__(self, step: int, times: int, nats: float = float("nan")) -> None:
        self._step, self._left, self._nats = step, times, nats
        self._really = Learner._gradients

    def __call__(self, learner: Learner, batch: Batch, parts: int) -> float:
        """In place of ``Learner._gradients``."""
        nats = self._really(learner, batch, parts)
        if self.number == self._step and self._left:
            self._left -= 1
            return self._nats
        return nats

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Into every learner."""
        really = Learner.step

        def step(learner: Learner, batch: Batch, number: int, *how: Any) -> StepLoss:
            self.number = number
            return really(learner, batch, number, *how)

        monkeypatch.setattr(Learner, "step", step)
        spoil = self

        def gradients(learner: Learner, batch: Batch, parts: int) -> float:
            return spoil(learner, batch, parts)

        monkeypatch.setattr(Learner, "_gradients", gradients)


@pytest.mark.parametrize("nats", [float("nan"), float("inf"), 100.0])
def test_an_explosion_takes_the_run_back_with_half_the_rate(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nats: float
) -> None:
    """To the checkpoint of the sixth step; the eighth is made again, an event tells it."""
    Spoiled(7, 1, nats).install(monkeypatch)

    result, events = run(tiny_recipe(source), tmp_path / "run")

    back = of(TrainRolledBack, events)
    assert [(e.step, e.exploded, e.rate_factor, e.count) for e in back] == [(6, 7, 0.5, 1)]
    assert [e.step for e in of(TrainStep, events)] == [*range(1, 8), *range(7, 13)]
    rates = {e.step: e.rate for e in of(TrainStep, events[: events.index(back[0])])}
    again = {e.step: e.rate for e in of(TrainStep, events[events.index(back[0]) :])}
    assert again[7] == rates[7] / 2
    assert (result.finished, result.rollbacks) == (True, 1)
    written = [e["step"] for e in RunFolder(tmp_path / "run").events() if e["event"] == "TrainStep"]
    assert written == list(range(1, 13))


def test_an_explosion_before_the_first_checkpoint_starts_anew(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the same beginning, with half the rate; twice, with a quarter."""
    Spoiled(1, 2).install(monkeypatch)

    result, events = run(tiny_recipe(source), tmp_path / "run")

    back = of(TrainRolledBack, events)
    assert [(e.step, e.rate_factor, e.count) for e in back] == [(0, 0.5, 1), (0, 0.25, 2)]
    firsts = [e.nats for e in of(TrainStep, events) if e.step == 1]
    assert len(firsts) == 3
    assert len(set(firsts)) == 1
    assert result.finished


def test_the_halved_rate_is_not_forgotten_by_a_death(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The checkpoint gone back to holds it from then on."""
    Spoiled(7, 1).install(monkeypatch)
    job = train(tiny_recipe(source), tmp_path / "run")
    for event in job:
        if isinstance(event, TrainRolledBack):
            break
    job.close()

    _, events = run(tiny_recipe(source), tmp_path / "run", resume=True)

    first = of(TrainStep, events)[0]
    full = run(tiny_recipe(source), tmp_path / "other")[1]
    assert first.step == 7
    assert first.rate == next(e.rate for e in of(TrainStep, full) if e.step == 7) / 2


def test_a_run_that_explodes_again_and_again_is_given_up(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After five halvings, with one sentence; the checkpoint is whole."""
    Spoiled(7, 100).install(monkeypatch)

    with pytest.raises(ModelError, match=r"exploded again after the rate was halved 5 times \(the"):
        run(tiny_recipe(source), tmp_path / "run")
    state = RunFolder(tmp_path / "run").latest_checkpoint()
    assert state is not None
    assert all_finite(state[0])
    assert RunFolder(tmp_path / "run").state() == "crashed"


def test_weights_that_are_no_numbers_are_never_stored(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run goes back instead."""
    really = Learner.step
    spoiled: list[int] = []

    def step(learner: Learner, batch: Batch, number: int, *how: Any) -> StepLoss:
        loss = really(learner, batch, number, *how)
        if number == 5 and not spoiled:
            spoiled.append(number)
            with torch.no_grad():
                learner.model.embed_token.weight[0, 0] = float("inf")
        return loss

    monkeypatch.setattr(Learner, "step", step)
    result, events = run(tiny_recipe(source), tmp_path / "run")

    back = of(TrainRolledBack, events)
    assert [(e.step, e.reason) for e in back] == [(3, "after step 6 weights are no numbers")]
    assert result.finished


class Small:
    """A memory that holds batches of at most so many sequences."""

    def __init__(self, sequences: int, error: BaseException) -> None:
        self._sequences, self._error = sequences, error

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Into every learner."""
        really = Batch.parts

        def parts(batch: Batch, number: int) -> list[Batch]:
            found = list(really(batch, number))
            if max(len(part.ids_BT) for part in found) > self._sequences:
                raise self._error
            return found

        monkeypatch.setattr(Batch, "parts", parts)


TOO_LITTLE = [
    torch.OutOfMemoryError("CUDA out of memory"),
    RuntimeError("[enforce fail] . DefaultCPUAllocator: can't allocate memory"),
    MemoryError(),
]


@pytest.mark.parametrize("error", TOO_LITTLE, ids=["gpu", "cpu", "python"])
def test_with_too_little_memory_batches_are_learned_in_parts(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    """Halved twice at once, and for good; the losses are those of whole batches."""
    recipe = tiny_recipe(source, batch=4)
    recipe = replace(recipe, model=replace(recipe.model, dropout=0.0))
    whole = of(TrainStep, run(recipe, tmp_path / "whole")[1])
    Small(1, error).install(monkeypatch)

    result, events = run(recipe, tmp_path / "run")

    assert [(e.step, e.parts) for e in of(TrainMemoryShort, events)] == [(0, 2), (0, 4)]
    assert result.finished
    found = [(e.nats, e.tokens) for e in of(TrainStep, events)]
    assert [nats for nats, _ in found] == pytest.approx([e.nats for e in whole], rel=1e-4)
    assert [tokens for _, tokens in found] == [e.tokens for e in whole]


def test_a_memory_that_holds_nothing_ends_the_run_with_a_sentence(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is nothing left to halve."""
    Small(0, TOO_LITTLE[0]).install(monkeypatch)

    with pytest.raises(ModelError, match="memory does not hold even one sequence of 32 tokens"):
        run(tiny_recipe(source), tmp_path / "run")


def test_another_runtime_error_is_not_taken_for_too_little_memory(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is a fault of the program and shows itself."""
    Small(0, RuntimeError("shapes do not fit")).install(monkeypatch)

    with pytest.raises(RuntimeError, match="shapes do not fit"):
        run(tiny_recipe(source), tmp_path / "run")


def test_the_parts_of_a_batch_are_the_batch(source: str) -> None:
    """Every row once, in order, in no more parts than rows."""
    recipe = tiny_recipe(source)
    pieces = [random_chorale(seed, 20) for seed in range(4)]
    batch = Batches(pieces, recipe.data, 5, 0).at(0)

    for number in (1, 2, 3, 5):
        parts = list(batch.parts(number))
        assert len(parts) <= number
        for name in Batch.__slots__:
            joined = torch.cat([getattr(part, name) for part in parts])
            assert torch.equal(joined, getattr(batch, name))


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS])
def test_a_disk_that_takes_no_more_ends_the_run_with_a_sentence(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """Full, or become read-only; the checkpoint before is whole and the run goes on later."""
    whole = run(tiny_recipe(source), tmp_path / "whole")[0]
    really = paths._replace

    def write(path: Path, content: bytes) -> None:
        if path.name.startswith("step-00000009"):
            raise OSError(code, os.strerror(code))
        really(path, content)

    monkeypatch.setattr(paths, "_replace", write)
    sentence = "is full: what was saved before is whole" if code == errno.ENOSPC else "Read-only"
    with pytest.raises(FileError, match=sentence):
        run(tiny_recipe(source), tmp_path / "run")
    monkeypatch.undo()
    result, events = run(tiny_recipe(source), tmp_path / "run", resume=True)

    assert events[0].step == 6
    assert (result.valid, result.test) == (whole.valid, whole.test)


@pytest.mark.parametrize("event", [TrainStep, TrainEvaluating, TrainSaved])
def test_a_folder_that_vanishes_ends_the_run_with_a_sentence(
    source: str, tmp_path: Path, event: type[Any]
) -> None:
    """It is not made anew, half empty."""

    def vanish(happened: TrainEvent) -> None:
        if isinstance(happened, event) and (tmp_path / "run").exists():
            shutil.rmtree(tmp_path / "run")

    with pytest.raises(FileError, match=r"the folder of the run, .*, is gone: the run cannot go"):
        run(tiny_recipe(source), tmp_path / "run", vanish)
    assert not (tmp_path / "run").exists()


def test_a_second_writer_of_a_run_is_refused(source: str, tmp_path: Path) -> None:
    """While the first is at work; it goes on unharmed."""
    job = train(tiny_recipe(source), tmp_path / "run")
    for _ in range(3):
        next(job)

    with pytest.raises(FileError, match="is being written by this very process: wait for its end"):
        run(tiny_recipe(source), tmp_path / "run", resume=True)

    assert jobs.run(job).finished


def test_a_run_of_an_older_format_is_refused(source: str, tmp_path: Path) -> None:
    """It has no ``run.json``; a newer one says so itself."""
    folder = tmp_path / "run"
    run(tiny_recipe(source), folder)
    (folder / "run.json").unlink()
    with pytest.raises(UsageError, match="is of format version 1, this program reads 2: start it"):
        run(tiny_recipe(source), folder, resume=True)
    (folder / "run.json").write_text(json.dumps({"format": "musicrel-run", "version": 3}))
    with pytest.raises(UsageError, match="is of format version 3, this program reads 2: update"):
        run(tiny_recipe(source), folder, resume=True)


def test_a_run_whose_data_have_changed_is_refused(tmp_path: Path) -> None:
    """It would not be the run it was."""
    pieces = {name: [random_chorale(1)] for name in ("train", "valid", "test")}
    recipe = tiny_recipe(f"jsb:{jsb_file(tmp_path / 'data.json', pieces)}")
    run(recipe, tmp_path / "run", lambda _: run_control.ask(tmp_path / "run", "stop"))
    jsb_file(tmp_path / "data.json", {**pieces, "train": [random_chorale(2)]})

    with pytest.raises(DataError, match=r"the data 'jsb:.*' are not those the run began with"):
        run(recipe, tmp_path / "run", resume=True)


def test_a_run_on_top_of_a_model_says_so_and_goes_on_with_that_one_only(
    source: str, tmp_path: Path
) -> None:
    """Its card names the weights; when they are others, the run would not be the run it was."""
    base, folder = tmp_path / "base", tmp_path / "run"
    recipe = tiny_recipe(source)
    run(recipe, base)
    upper = replace(
        recipe,
        model=replace(recipe.model, counterpoint=True),
        training=replace(recipe.training, begins=str(base / "model")),
    )

    run(upper, folder, lambda _: run_control.ask(folder, "stop"))
    result, _ = run(upper, folder, resume=True)

    assert result.finished
    known = read_card(folder / "model")
    assert known.training["begun_with_sha256"] == checkpoint.weights_sha256(base / "model")
    stopped = tmp_path / "stopped"
    run(upper, stopped, lambda _: run_control.ask(stopped, "stop"))
    run(replace(recipe, training=replace(recipe.training, seed=1)), tmp_path / "other")
    shutil.copytree(tmp_path / "other" / "model", base / "model", dirs_exist_ok=True)
    with pytest.raises(DataError, match=r"the model '.*' is not the one the run began with"):
        run(upper, stopped, resume=True)


def test_a_cancelled_run_ends_without_a_checkpoint_of_its_own(source: str, tmp_path: Path) -> None:
    """What was saved before is kept, and it can go on from there."""

    def cancel(event: TrainEvent) -> None:
        if isinstance(event, TrainStep) and event.step == 5:
            run_control.ask(tmp_path / "run", "cancel")

    result, events = run(tiny_recipe(source), tmp_path / "run", cancel)

    assert events[-1] == TrainStopped(step=5, saved=False)
    assert not result.finished
    assert run(tiny_recipe(source), tmp_path / "run", resume=True)[1][0].step == 3


@pytest.mark.parametrize("at", [4, 12])
def test_an_evaluation_is_broken_off_by_a_stop_and_made_later(
    source: str, tmp_path: Path, at: int
) -> None:
    """In the middle of the run and at its end; the result is the same."""
    whole, told = run(tiny_recipe(source), tmp_path / "whole")

    def stop(event: TrainEvent) -> None:
        if isinstance(event, TrainEvaluating) and event.step == at:
            run_control.ask(tmp_path / "run", "stop")

    first, events = run(tiny_recipe(source), tmp_path / "run", stop)
    result, more = run(tiny_recipe(source), tmp_path / "run", resume=True)

    assert (first.finished, first.step) == (False, at)
    assert events[-1] == TrainStopped(step=at, saved=True)
    assert more[0].step == at
    assert (result.valid, result.test) == (whole.valid, whole.test)
    assert of(TrainStep, events + more)[-1].nats == of(TrainStep, told)[-1].nats


def test_the_state_of_a_run_is_told_by_its_folder(source: str, tmp_path: Path) -> None:
    """From its recipe to its result."""
    folder = RunFolder(tmp_path / "run")
    recipe = tiny_recipe(source)
    folder.begin(recipe.to_toml())
    found = [folder.state()]

    def look(event: TrainEvent) -> None:
        if isinstance(event, TrainStep) and event.step == 5:
            found.append(folder.state())
            run_control.ask(folder.path, "stop")

    run(recipe, folder.path, look, resume=True)
    found.append(folder.state())
    job = train(recipe, folder.path, resume=True)
    next(job)
    run_control.ask(folder.path, "pause")
    next(job)
    found.append(folder.state())
    job.close()
    found.append(folder.state())
    run(recipe, folder.path, resume=True)
    found.append(folder.state())

    assert found == ["queued", "running", "stopped", "paused", "crashed", "finished"]


def test_cancelling_is_not_undone_by_a_wish_to_stop(source: str, tmp_path: Path) -> None:
    """A study that is cancelled itself asks its run to stop; the run ends at once all the same."""
    folder = RunFolder(tmp_path / "run")
    job = train(tiny_recipe(source), folder.path)
    next(job)
    run_control.ask(folder.path, "cancel")
    run_control.ask(folder.path, "stop")

    assert list(job)[-1] == TrainStopped(step=0, saved=False)
    assert folder.state() == "cancelled"


def test_half_written_files_are_tidied_away(source: str, tmp_path: Path) -> None:
    """Left by a death in the middle of a write."""
    recipe = tiny_recipe(source)
    run(recipe, tmp_path / "run", lambda _: run_control.ask(tmp_path / "run", "stop"))
    states = tmp_path / "run" / "checkpoints"
    (states / ".step-00000003.safetensors.ab12").write_bytes(b"half")
    (states / "step-00000003.safetensors").write_bytes(b"no counters yet")

    next(train(recipe, tmp_path / "run", resume=True))

    names = sorted(path.name for path in states.iterdir())
    assert names == ["step-00000000.json", "step-00000000.safetensors"]


def test_small_pieces_are_written_at_each_evaluation(source: str, tmp_path: Path) -> None:
    """Eight bars, the same request each time, named by their step."""
    from musicrel.score import files

    run(tiny_recipe(source, samples=True, evaluate_every=6), tmp_path / "run")

    written = sorted(path.name for path in (tmp_path / "run" / "samples").iterdir())
    assert written == ["step-12.json", "step-6.json"]
    piece = files.read(tmp_path / "run" / "samples" / "step-6.json")
    assert (piece.bars, piece.title) == (8, "Chorale 0")
