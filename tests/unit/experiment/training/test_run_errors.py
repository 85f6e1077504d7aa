"""Errors before and during a run: folders, disks, recipes and data."""

from __future__ import annotations

import errno
import os
import shutil
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from musicrel import jobs, paths
from musicrel.errors import DataError, FileError, ModelError, UsageError
from musicrel.experiment.training.train import (
    TrainEvaluating,
    TrainEvent,
    TrainSaved,
    TrainStep,
    train,
)
from musicrel.replacement import replacement
from tests.helpers.music import jsb_file, random_chorale
from tests.helpers.recipes import tiny_recipe
from tests.helpers.runs import run


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS])
def test_a_disk_that_takes_no_more_ends_the_run_with_a_sentence(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """Full, or become read-only; the checkpoint before is whole and the run goes on later."""
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
    """It is not made again, half empty."""

    def vanish(happened: TrainEvent) -> None:
        if isinstance(happened, event) and (tmp_path / "run").exists():
            shutil.rmtree(tmp_path / "run")

    with pytest.raises(FileError, match=r"the folder of the run, .*, was deleted: the run cannot"):
        run(tiny_recipe(source), tmp_path / "run", vanish)
    assert not (tmp_path / "run").exists()


def test_a_second_writer_of_a_run_is_refused(source: str, tmp_path: Path) -> None:
    """The first one continues undisturbed."""
    job = train(tiny_recipe(source), tmp_path / "run")
    for _ in range(3):
        next(job)

    with pytest.raises(FileError, match="is being written by this very process: wait for its end"):
        run(tiny_recipe(source), tmp_path / "run", resume=True)

    assert jobs.run(job).finished


def test_a_folder_with_another_run_is_refused(whole: Path, source: str) -> None:
    """Both for a new run and for a resumed one."""
    with pytest.raises(UsageError, match="already holds a run"):
        run(tiny_recipe(source), whole)
    with pytest.raises(
        UsageError, match="holds a run of recipe 'tiny' with other values than 'tiny' has now"
    ):
        run(tiny_recipe(source, seed=1), whole, resume=True)


def test_a_folder_without_a_run_cannot_be_resumed(source: str, tmp_path: Path) -> None:
    """Nothing is made."""
    with pytest.raises(UsageError, match="holds no run to resume"):
        run(tiny_recipe(source), tmp_path / "run", resume=True)
    assert not (tmp_path / "run").exists()


def test_a_folder_that_cannot_be_written_is_named(source: str, tmp_path: Path) -> None:
    """Here a file stands in its place."""
    (tmp_path / "file").touch()

    with pytest.raises(FileError, match=r"cannot write .*; choose a folder you may write to"):
        run(tiny_recipe(source), tmp_path / "file" / "run")


def test_an_invalid_recipe_leaves_no_folder(source: str, tmp_path: Path) -> None:
    """It can be corrected and used with the same folder."""
    good = tiny_recipe(source)
    bad = [
        (tiny_recipe(source, "astrology"), "unknown positional scheme 'astrology'"),
        (replace(good, model=replace(good.model, heads=5)), "16 is not a multiple of heads 5"),
        (replace(good, model=replace(good.model, options={"colour": 1})), "no option colour"),
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
    """The run fails before its first step."""
    pieces = {name: [random_chorale(1)] for name in ("train", "valid", "test")} | {split: []}
    source = f"jsb:{jsb_file(tmp_path / 'dataset.json', pieces)}"

    with pytest.raises(DataError, match=f"the {split} split of 'jsb' is empty"):
        run(tiny_recipe(source), tmp_path / "run")
