"""Objectives by family, and whole runs of each."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from musicrel import jobs
from musicrel.errors import DataError, GenerationError, ModelError
from musicrel.experiment.data import bytes_data, dataset
from musicrel.experiment.data.bytes_data import Labelled
from musicrel.experiment.data.dataset import check_splits
from musicrel.experiment.objectives import objectives
from musicrel.experiment.objectives.evaluation import Objective, batch_logits, evaluate
from musicrel.experiment.recipe.recipe import (
    DataPart,
    MaskingPart,
    ModelPart,
    Recipe,
    masking_from_card,
)
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.training.train import train
from musicrel.generation.causal import causal_generator
from musicrel.generation.loaded_model import load_model
from musicrel.generation.request import GenerationRequest
from musicrel.model.card import read_card
from musicrel.model.networks import build
from musicrel.model.tokens.vocabulary import ARTICULATED, PAD
from tests.helpers.models import tiny_config, tiny_model
from tests.helpers.music import random_chorale
from tests.helpers.recipes import few_bytes, tiny_recipe

ACCURACIES = ["valid", "40", "60", "once in 40", "once in 60"]


@pytest.fixture(autouse=True)
def _few_and_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """40 sequences to learn from, of 8 to 40 bytes, tried at 40 and 60."""
    few_bytes(monkeypatch)


def bytes_recipe(scheme: str = "bias", **options: Any) -> Recipe:
    recipe = tiny_recipe("chorales", batch=4)
    return replace(
        recipe,
        model=ModelPart(scheme=scheme, options=options, width=16, layers=1, heads=2,
                        feedforward=32, family="classifier"),
        data=DataPart(source="bytes:honest", window=40, buckets=2),
    )  # fmt: skip


def classes(recipe: Recipe) -> Objective:
    return objectives.for_recipe(recipe, dataset.load(recipe.data.source))


def test_bytes_are_data_like_others() -> None:
    loaded = dataset.load("bytes:honest")

    check_splits(loaded)
    assert (loaded.name, loaded.sizes) == ("bytes:honest", {"train": 40, "valid": 10, "test": 12})
    assert loaded.sha256 == bytes_data.sha256("honest")


def test_a_batch_has_a_class_for_each_sequence() -> None:
    """Byte b is token b + 1, so that PAD is no byte; classes count from 1."""
    batch = objectives.batch_of(
        [Labelled(np.array([0, 255, 170], dtype=np.uint8), 1),
         Labelled(np.array([7], dtype=np.uint8), 0)]
    )  # fmt: skip

    assert batch.ids_BT.tolist() == [[1, 256, 171], [8, PAD, PAD]]
    assert batch.targets_BT.tolist() == [[2], [1]]
    assert batch.mask[:, 0, 0].tolist() == [[True] * 3, [True, False, False]]
    assert batch.tokens == 2


def test_an_epoch_of_bytes_is_every_sequence_once() -> None:
    first, again = classes(bytes_recipe()), classes(bytes_recipe())
    later = [again.at(step) for step in reversed(range(10))][::-1]
    rows: list[tuple[int, ...]] = []
    for step in range(10):
        batch = first.at(step)
        assert torch.equal(batch.ids_BT, later[step].ids_BT)
        rows += [tuple(row[row != PAD].tolist()) for row in batch.ids_BT]

    train_split = bytes_data.splits("honest")["train"]
    expected = [tuple(int(byte) + 1 for byte in one.content) for one in train_split]
    assert sorted(rows) == sorted(expected)


def test_sequences_are_judged_one_by_one() -> None:
    recipe = bytes_recipe()
    torch.manual_seed(1)
    model = build(recipe.config()).eval()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.3)

    found = jobs.run(classes(recipe).evaluate(model, "test", ()))

    for loss, one in zip(found.pieces, bytes_data.splits("honest")["test"], strict=True):
        batch = objectives.batch_of([one])
        with torch.inference_mode():
            log_p = batch_logits(model, batch)[0, 0].double().log_softmax(-1)
        assert loss.nats == pytest.approx(-float(log_p[one.label]), abs=1e-5)
        assert loss.right == (int(log_p.argmax()) == one.label)
        assert loss.notes == 1
    assert found.accuracy == sum(bool(loss.right) for loss in found.pieces) / 12


def test_a_run_on_bytes_ends_with_accuracies(tmp_path: Path) -> None:
    result = jobs.run(train(bytes_recipe(), tmp_path))
    card = read_card(tmp_path / "model")

    assert list(result.further) == ACCURACIES
    assert all(0 <= float(share) <= 1 for share in result.further.values())
    assert card.figures["accuracy"] == result.further
    assert card.vocabulary["name"] == "bytes"
    assert (card.config.family, card.config.classes, card.config.tokens) == ("classifier", 2, 257)
    assert RunFolder(tmp_path).result() == result


def test_lengths_beyond_a_table_are_reported_as_refused(tmp_path: Path) -> None:
    result = jobs.run(train(bytes_recipe("learned", max_length=40), tmp_path))

    assert result.finished
    assert result.further["60"] == result.further["once in 60"] == "refused"
    assert result.further["40"] != "refused"


def test_a_masked_run_is_measured_on_the_same_notes_every_time(source: str, tmp_path: Path) -> None:
    recipe = tiny_recipe(source)
    recipe = replace(
        recipe,
        model=replace(recipe.model, family="masked"),
        masking=MaskingPart(mode="token", rate=0.4),
    )

    result = jobs.run(train(recipe, tmp_path))

    model = load_model(str(tmp_path / "model"))
    pieces = dataset.load(source).pieces["test"]
    masks = masking_from_card(model.card.recipe)
    again = jobs.run(evaluate(model.network, pieces, ARTICULATED, masks=masks))
    assert masks == recipe.masking
    assert result.test == pytest.approx(again.nats_per_note, abs=1e-6)
    assert result.test_pieces[0].notes < 4 * pieces[0].steps


def test_a_model_of_another_family_writes_no_music(source: str, tmp_path: Path) -> None:
    recipe = tiny_recipe(source)
    jobs.run(train(recipe.changed(model={"family": "masked"}), tmp_path / "m"))
    jobs.run(train(bytes_recipe(), tmp_path / "c"))

    masked = load_model(str(tmp_path / "m" / "model"))
    with pytest.raises(GenerationError, match="'model' is of family masked: it finds hidden notes"):
        jobs.run(causal_generator.generate(masked, GenerationRequest(bars=1)))
    with pytest.raises(ModelError, match=r"model predicts classes \(family classifier\)"):
        load_model(str(tmp_path / "c" / "model"))
    classifier = tiny_model(tiny_config("bias", family="classifier", classes=2))
    with pytest.raises(DataError, match="the model is a classifier: expected one"):
        jobs.run(evaluate(classifier, [random_chorale(0)], ARTICULATED))
