"""Too little memory: batches are learned in parts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from musicrel.errors import ModelError
from musicrel.experiment.data.dataset import Batch, Batches
from musicrel.experiment.training.train import TrainMemoryShort, TrainStep
from tests.helpers.music import random_chorale
from tests.helpers.recipes import tiny_recipe
from tests.helpers.runs import events_of, run


class Small:
    """A memory that holds batches of at most ``sequences`` sequences."""

    def __init__(self, sequences: int, error: BaseException) -> None:
        self._sequences, self._error = sequences, error

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Patch every learner."""
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
    whole = events_of(TrainStep, run(recipe, tmp_path / "whole")[1])
    Small(1, error).install(monkeypatch)

    result, events = run(recipe, tmp_path / "run")

    assert [(e.step, e.parts) for e in events_of(TrainMemoryShort, events)] == [(0, 2), (0, 4)]
    assert result.finished
    found = [(e.nats, e.tokens) for e in events_of(TrainStep, events)]
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
    """It is a fault of the program and is raised."""
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
