"""Soft targets: averages over keys and teachers, their files, and the key of a cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import torch

from musicrel import jobs
from musicrel.chorale import Chorale
from musicrel.experiment.data import dataset
from musicrel.experiment.data.dataset import Batch, Batches
from musicrel.experiment.objectives.evaluation import evaluate
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.training import needed_models
from musicrel.experiment.training.needed_models import FOLDER, SoftTargets
from musicrel.model import checkpoint
from musicrel.model.tokens import codec, conditions
from musicrel.model.tokens.vocabulary import ARTICULATED, PAD, PITCH
from tests.helpers.models import tiny_config, tiny_model
from tests.helpers.music import random_chorale

CPU = torch.device("cpu")
NAMES = ARTICULATED.symbols()


def soft_targets_of(recipe: Recipe, folder: Path) -> SoftTargets:
    return SoftTargets(recipe, dataset.load(recipe.data.source), folder)


def read(recipe: Recipe, folder: Path) -> tuple[SoftTargets, list[tuple[int, int]]]:
    found = soft_targets_of(recipe, folder)
    return found, list(found.read_missing(CPU))


def higher(token: int, semitones: int) -> int | None:
    name = NAMES[token]
    digits = name.rstrip("_")
    if not digits.isdigit():
        return token
    other = str(int(digits) + semitones) + name[len(digits) :]
    return NAMES.index(other) if other in NAMES else None


def naive_rows(recipe: Recipe, piece: Chorale, teacher: str) -> torch.Tensor:
    """Return the average over keys in the written key, float64, a probability at a time."""
    model = checkpoint.load(Path(teacher)).network.double().eval()
    names = recipe.data.conditions
    total = torch.zeros(piece.steps * 4 + 1, len(NAMES), dtype=torch.float64)
    for shift in piece.shifts() if recipe.data.transpose else [0]:
        other = piece.transposed(shift)
        ids = torch.from_numpy(codec.encode(other, ARTICULATED))[None, :-1]
        rows = torch.from_numpy(conditions.rows(other, names, names))[None, :-1]
        with torch.inference_mode():
            p = model(ids, rows).logits_BTV[0].softmax(-1)
        for token in range(len(NAMES)):
            if (there := higher(token, shift)) is not None:
                total[:, token] += p[:, there]
    return total / total.sum(-1, keepdim=True)


def origin(recipe: Recipe, batch: Batch, row: int) -> Iterator[tuple[int, int]]:
    start, real = int(batch.starts_B[row]), int((batch.targets_BT[row] != PAD).sum())
    for index, piece in enumerate(dataset.load(recipe.data.source).pieces["train"]):
        for shift in piece.shifts():
            ids = codec.encode(piece.transposed(shift), ARTICULATED)
            if ids[start : start + real].tolist() == batch.ids_BT[row, :real].tolist():
                yield index, shift


@pytest.mark.parametrize("transpose", [True, False])
def test_soft_targets_are_the_teachers_average_over_all_keys_in_the_key_of_the_cut(
    student: Recipe, tmp_path: Path, transpose: bool
) -> None:
    """Written out in float64, by the names of the tokens; without transposition one key."""
    recipe = student.changed(data={"transpose": transpose})
    pieces = dataset.load(recipe.data.source).pieces["train"]
    batch = Batches(pieces, recipe.data, recipe.training.batch, recipe.training.seed).at(5)
    found, _ = read(recipe, tmp_path / "run")

    wanted = found.at(5, batch)

    assert wanted is not None
    for row in range(len(batch.ids_BT)):
        piece, shift = next(origin(recipe, batch, row))
        names = recipe.training.teachers
        mean = sum(naive_rows(recipe, pieces[piece], name) for name in names) / len(names)
        assert isinstance(mean, torch.Tensor)
        start, real = int(batch.starts_B[row]), int((batch.targets_BT[row] != PAD).sum())
        moved = torch.zeros(real, len(NAMES), dtype=torch.float64)
        for token in range(len(NAMES)):
            if (there := higher(token, shift)) is not None:
                moved[:, there] = mean[start : start + real, token]
        moved /= moved.sum(-1, keepdim=True)
        torch.testing.assert_close(wanted[row, :real].double(), moved, atol=5e-4, rtol=0)


def test_without_teachers_there_are_none_and_nothing_is_written(
    student: Recipe, tmp_path: Path
) -> None:
    alone = student.changed(training={"teachers": (), "distil": 0.0})

    found, progress = read(alone, tmp_path / "run")
    batch = Batches(dataset.load(alone.data.source).pieces["train"], alone.data, 2, 0).at(0)

    assert (found.at(0, batch), progress, found.sha256) == (None, [], ())
    assert not (tmp_path / "run").exists()


def test_a_teacher_reads_in_the_context_of_the_evaluations() -> None:
    config = tiny_config("relative", conditions=("voice", "beat"), vocabulary=PITCH)
    model, piece = tiny_model(config), random_chorale(3, 30)
    names = tuple(config.conditions)
    ids = codec.encode(piece, PITCH)
    cut = (ids, conditions.rows(piece, names, names), 0)

    for window in (0, 48):
        p = needed_models.probabilities(model, cut, window)

        nats = -np.log(p[np.arange(len(ids) - 1), ids[1:]].astype(np.float64))[:-1]
        expected = jobs.run(evaluate(model, [piece], PITCH, window=window)).nats_per_note
        assert p.shape == (len(ids) - 1, PITCH.size)
        assert nats.mean() == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[: len(content) // 2],
        lambda _: b"",
        lambda content: content[:-100] + bytes([content[-100] ^ 1]) + content[-99:],
        None,
    ],
    ids=["truncated", "empty", "flipped", "missing"],
)
def test_damaged_soft_targets_are_read_again(
    student: Recipe, tmp_path: Path, damage: Callable[[bytes], bytes] | None
) -> None:
    run = tmp_path / "run"
    _, first = read(student, run)
    before = contents(run)
    _, again = read(student, run)
    file = run / FOLDER / min(before)
    if damage is None:
        file.unlink()
    else:
        file.write_bytes(damage(file.read_bytes()))

    _, repaired = read(student, run)

    pieces = len(dataset.load(student.data.source).pieces["train"])
    assert [len(first), len(again), len(repaired)] == [2 * pieces, 0, pieces]
    assert repaired[-1] == (pieces, pieces)
    assert contents(run) == before


def test_soft_targets_of_another_file_are_not_taken_for_those_of_a_teacher(
    student: Recipe, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    read(student, run)
    one, two = sorted((run / FOLDER).iterdir())
    before = two.read_bytes()
    two.write_bytes(one.read_bytes())

    read(student, run)

    assert two.read_bytes() == before


def test_an_interrupted_reading_keeps_the_teachers_that_are_done(
    student: Recipe, tmp_path: Path
) -> None:
    pieces = len(dataset.load(student.data.source).pieces["train"])
    first = soft_targets_of(student, tmp_path / "run").read_missing(CPU)
    list(islice(first, pieces + 2))
    first.close()

    _, progress = read(student, tmp_path / "run")

    read(student, tmp_path / "whole")
    assert len(progress) == pieces
    assert contents(tmp_path / "run") == contents(tmp_path / "whole")


def test_other_data_have_other_files(student: Recipe, tmp_path: Path) -> None:
    data = student.data
    variants = (data, replace(data, transpose=False), replace(data, measured="window"))
    for part in variants:
        read(replace(student, data=part), tmp_path / "run")

    assert len(contents(tmp_path / "run")) == 2 * len(variants)


def contents(run: Path) -> Mapping[str, bytes]:
    return {file.name: file.read_bytes() for file in (run / FOLDER).iterdir()}


def test_pitches_that_leave_the_vocabulary_are_dropped() -> None:
    """Pitches that enter it are 0; tokens without a pitch stay."""
    rows = np.arange(2 * len(NAMES), dtype=np.float32).reshape(2, -1) + 1
    for semitones in (-60, -3, 0, 5):
        found = needed_models.moved(rows, semitones, ARTICULATED)

        expected = np.zeros_like(rows)
        for token in range(len(NAMES)):
            if (there := higher(token, semitones)) is not None:
                expected[:, there] = rows[:, token]
        np.testing.assert_array_equal(found, expected)
