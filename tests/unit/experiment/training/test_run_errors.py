"""Errors before and during a run: folders, disks, recipes, data, and too little memory."""

from __future__ import annotations

import errno
import os
import shutil
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
import torch

from musicrel import paths
from musicrel.errors import DataError, FileError, ModelError, UsageError
from musicrel.experiment.data.dataset import Batch, Batches
from musicrel.experiment.runs.events import (
    TrainEvaluating,
    TrainEvent,
    TrainMemoryShort,
    TrainSaved,
    TrainStep,
)
from musicrel.replacement import replacement
from tests.helpers.music import jsb_file, random_chorale
from tests.helpers.recipes import tiny_recipe
from tests.helpers.runs import events_of, run

TOO_LITTLE = [
    torch.OutOfMemoryError("CUDA out of memory"),
    RuntimeError("[enforce fail] . DefaultCPUAllocator: can't allocate memory"),
    MemoryError(),
]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS])
def test_a_disk_that_takes_no_more_ends_the_run_with_a_sentence(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    whole = run(tiny_recipe(source), tmp_path / "whole")[0]
    really = replacement

    def write(path: Path) -> AbstractContextManager[Path]:
        if path.name.startswith("step-00000009"):
            raise OSError(code, os.strerror(code))
        return really(path)

    monkeypatch.setattr(paths, "replacement", write)
    sentence = "is full: earlier checkpoints are intact" if code == errno.ENOSPC else "Read-only"
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
    def vanish(happened: TrainEvent) -> None:
        if isinstance(happened, event) and (tmp_path / "run").exists():
            shutil.rmtree(tmp_path / "run")

    with pytest.raises(FileError, match=r"the folder of the run, .*, was deleted: the run cannot"):
        run(tiny_recipe(source), tmp_path / "run", vanish)
    assert not (tmp_path / "run").exists()


def test_a_folder_with_another_run_is_refused(whole: Path, source: str) -> None:
    with pytest.raises(UsageError, match="already holds a run"):
        run(tiny_recipe(source), whole)
    with pytest.raises(UsageError, match="holds a run of recipe 'tiny' with other values than"):
        run(tiny_recipe(source, seed=1), whole, resume=True)


def test_a_folder_without_a_run_cannot_be_resumed(source: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no run to resume"):
        run(tiny_recipe(source), tmp_path / "run", resume=True)
    assert not (tmp_path / "run").exists()


def test_a_folder_that_cannot_be_written_is_named(source: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    with pytest.raises(FileError, match=r"cannot write .*; choose a folder you may write to"):
        run(tiny_recipe(source), tmp_path / "file" / "run")


def test_an_invalid_recipe_leaves_no_folder(source: str, tmp_path: Path) -> None:
    good = tiny_recipe(source)
    bad = [
        (tiny_recipe(source, "astrology"), "unknown positional scheme 'astrology'"),
        (good.changed(model={"heads": 5}), "16 is not a multiple of heads 5"),
        (good.changed(model={"options": {"colour": 1}}), "no option colour"),
    ]
    for recipe, sentence in bad:
        with pytest.raises(ModelError, match=sentence):
            run(recipe, tmp_path / "run")
    with pytest.raises(UsageError, match="unknown data 'bach'"):
        run(tiny_recipe("bach"), tmp_path / "run")
    with pytest.raises(UsageError, match="threads is 0: expected 1 to 256"):
        run(good, tmp_path / "run", threads=0)

    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("split", ["train", "valid", "test"])
def test_an_empty_split_is_refused_before_work_begins(tmp_path: Path, split: str) -> None:
    pieces = {name: [random_chorale(1)] for name in ("train", "valid", "test")} | {split: []}
    source = f"jsb:{jsb_file(tmp_path / 'dataset.json', pieces)}"

    with pytest.raises(DataError, match=f"the {split} split of 'jsb' is empty"):
        run(tiny_recipe(source), tmp_path / "run")


class Small:
    def __init__(self, sequences: int, error: BaseException) -> None:
        self._sequences, self._error = sequences, error

    def install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        really = Batch.parts

        def parts(batch: Batch, number: int) -> list[Batch]:
            found = list(really(batch, number))
            if max(len(part.ids_BT) for part in found) > self._sequences:
                raise self._error
            return found

        monkeypatch.setattr(Batch, "parts", parts)


@pytest.mark.parametrize("error", TOO_LITTLE, ids=["gpu", "cpu", "python"])
def test_with_too_little_memory_batches_are_learned_in_parts(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    recipe = tiny_recipe(source, batch=4)
    recipe = recipe.changed(model={"dropout": 0.0})
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
    Small(0, TOO_LITTLE[0]).install(monkeypatch)

    with pytest.raises(ModelError, match="memory does not hold even one sequence of 32 tokens"):
        run(tiny_recipe(source), tmp_path / "run")


def test_another_runtime_error_is_not_taken_for_too_little_memory(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Small(0, RuntimeError("shapes do not fit")).install(monkeypatch)

    with pytest.raises(RuntimeError, match="shapes do not fit"):
        run(tiny_recipe(source), tmp_path / "run")


def test_the_parts_of_a_batch_are_the_batch(source: str) -> None:
    recipe = tiny_recipe(source)
    pieces = [random_chorale(seed, 20) for seed in range(4)]
    batch = Batches(pieces, recipe.data, 5, 0).at(0)

    for number in (1, 2, 3, 5):
        parts = list(batch.parts(number))
        assert len(parts) <= number
        for name in Batch.__slots__:
            joined = torch.cat([getattr(part, name) for part in parts])
            assert torch.equal(joined, getattr(batch, name))
