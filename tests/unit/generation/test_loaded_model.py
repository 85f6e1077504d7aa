"""A loaded model with vocabulary and conditions."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from musicrel.cli.main import main
from musicrel.errors import ModelError, UsageError
from musicrel.generation import kernel
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.quality import DESCRIPTION, QUALITIES
from musicrel.model import checkpoint, devices
from musicrel.model.tokens.conditions import CONDITIONS
from musicrel.model.tokens.vocabulary import ARTICULATED, END, START
from tests.helpers.models import tiny_card, tiny_config, tiny_model, tiny_model_directory
from tests.helpers.music import random_chorale


def softmax(logits: np.ndarray) -> np.ndarray:
    raised = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(raised / raised.sum(-1, keepdims=True))


def test_a_model_is_loaded_with_its_vocabulary(tmp_path: Path) -> None:
    """Vocabulary, conditions, device and SHA-256 are known."""
    model = load_model(str(tiny_model_directory(tmp_path / "tiny")))

    assert (model.name, model.vocabulary, str(model.device)) == ("tiny", ARTICULATED, "cpu")
    assert model.conditions == tuple(CONDITIONS)
    assert not model.network.training
    assert len(model.sha256) == 64


def test_pieces_become_ids_and_come_back(any_model: LoadedModel) -> None:
    piece = random_chorale(5)

    ids = any_model.encode(piece)

    assert ids.dtype == np.int64
    assert (ids[0], ids[-1]) == (START, END)
    assert np.array_equal(any_model.decode(ids, like=piece).pitches, piece.pitches)


def test_logits_are_those_of_the_next_token(any_model: LoadedModel) -> None:
    ids = any_model.encode(random_chorale(5))
    logits = any_model.logits(ids)
    other = ids.copy()
    other[10:] = START

    assert logits.shape == (len(ids), any_model.vocabulary.size)
    assert logits.dtype == np.float32
    np.testing.assert_allclose(any_model.logits(other)[:10], logits[:10], atol=1e-5)


def test_conditions_change_the_logits_and_by_default_are_positional(model: LoadedModel) -> None:
    piece = random_chorale(5)
    ids = model.encode(piece)
    logits, plain = model.logits(ids), model.decode(ids)

    positional = model.logits(ids, model.condition_rows(plain, ("voice", "beat")))
    conditioned = model.logits(ids, model.condition_rows(piece, tuple(CONDITIONS)))

    np.testing.assert_array_equal(logits[:-1], positional[:-1])
    assert np.abs(conditioned - logits).max() > 1e-2


def test_attention_looks_back_only(any_model: LoadedModel) -> None:
    """Row n sums to 1 over 0 ... n, for every layer and head."""
    ids = any_model.encode(random_chorale(5))

    attention = any_model.attention(ids)

    assert attention.shape == (2, 2, len(ids), len(ids))
    assert attention.dtype == np.float32
    np.testing.assert_allclose(attention.sum(-1), 1.0, atol=1e-5)
    assert (np.triu(attention, 1) == 0).all()


def test_a_single_token_can_be_read(any_model: LoadedModel) -> None:
    """START alone: the distribution of the first note."""
    assert softmax(any_model.logits([START])).sum() == pytest.approx(1.0)
    assert any_model.attention([START]).tolist() == [[[[1.0]]] * 2] * 2


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        *[
            (ids, "the ids have shape .*: expected one row of at least one")
            for ids in ([], [[5]], 7)
        ],
        *[([START, ids], "the ids run from .*: expected 0 to 96") for ids in (-1, 97)],
    ],
)
def test_ids_are_one_row_of_the_vocabulary(model: LoadedModel, ids: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        model.logits(ids)


def test_an_unknown_model_or_device_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no model 'nope'"):
        load_model("nope")
    with pytest.raises(UsageError, match="unknown device 'gpu'"):
        load_model(str(tiny_model_directory(tmp_path)), device="gpu")
    with pytest.raises(UsageError, match="threads is 0"):
        load_model(str(tmp_path), threads=0)


def forged(directory: Path, change: Callable[[dict[str, Any]], None]) -> str:
    """Change the card of a model; return its directory."""
    path = tiny_model_directory(directory) / "card.json"
    values = json.loads(path.read_text())
    change(values)
    path.write_text(json.dumps(values))
    return str(directory)


@pytest.mark.parametrize(
    "vocabulary",
    [
        {"name": "pitch", "symbols": []},
        {"name": "words", "symbols": []},
        {"name": "articulated", "symbols": [*reversed(ARTICULATED.symbols())]},
        {"name": "articulated", "symbols": None},
    ],
    ids=["size", "name", "order", "kind"],
)
def test_another_vocabulary_is_refused(tmp_path: Path, vocabulary: dict[str, Any]) -> None:
    """Name, size and order of the symbols must match."""
    with pytest.raises(ModelError, match=r"its vocabulary .* is unknown to this program"):
        load_model(forged(tmp_path, lambda card: card.update(vocabulary=vocabulary)))


@pytest.mark.parametrize("conditions", [{"mood": 5}, {"key": 13}], ids=["name", "size"])
def test_an_unknown_condition_is_refused(tmp_path: Path, conditions: dict[str, int]) -> None:
    model = tiny_model(dataclasses.replace(tiny_config("relative"), conditions=conditions))
    checkpoint.save(tmp_path, model, tiny_card(model))

    with pytest.raises(
        ModelError, match=r"its condition '\w+' with \d+ rows is unknown to this program"
    ):
        load_model(str(tmp_path))


def test_the_threads_are_set_for_the_process(tmp_path: Path) -> None:
    torch.set_num_threads(2)
    load_model(str(tiny_model_directory(tmp_path)))

    assert torch.get_num_threads() == 1


def test_conditions_of_another_shape_are_refused(model: LoadedModel) -> None:
    with pytest.raises(ModelError, match=r"the conditions have shape \(2, 1\): expected rows"):
        model.logits([START, 5, 6], np.zeros((2, 1), dtype=np.int64))


def by_torch(model: LoadedModel) -> LoadedModel:
    return dataclasses.replace(model, may_compile=False)


def test_the_kernel_and_torch_return_the_same(any_model: LoadedModel) -> None:
    piece = random_chorale(5, 40)
    ids, rows = any_model.encode(piece), any_model.condition_rows(piece, tuple(CONDITIONS))
    expected = by_torch(any_model).logits(ids, rows)

    logits = any_model.logits(ids, rows)

    assert any_model.compiled is not None
    assert by_torch(any_model).compiled is None
    np.testing.assert_allclose(logits, expected, atol=1e-5 * np.abs(expected).max(), rtol=0)
    np.testing.assert_allclose(
        any_model.attention(ids, rows), by_torch(any_model).attention(ids, rows), atol=1e-5
    )


def test_an_unsaved_model_has_the_weights_of_its_network() -> None:
    network = tiny_model(tiny_config("relative"))
    model = LoadedModel.unsaved(network, tiny_card(network), ARTICULATED)

    assert model.network is network
    assert model.sha256 == ""
    assert model.device == "cpu"
    np.testing.assert_allclose(
        model.logits([START, 5]), by_torch(model).logits([START, 5]), atol=1e-4
    )


def test_the_provenance_names_kernel_and_precision(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = model.provenance(3, {}).machine
    assert (machine["kernel"], machine["precision"]) == ("compiled", "single")
    assert by_torch(model).provenance(3, {}).machine["kernel"] == "torch"

    monkeypatch.setenv(kernel.SWITCH, "off")

    assert model.provenance(3, {}).machine["kernel"] == "torch"


@pytest.mark.parametrize("precision", ["single", "mixed"])
def test_the_processor_decides_the_precision_of_infilling(
    infill_model: LoadedModel, monkeypatch: pytest.MonkeyPatch, precision: str
) -> None:
    """The layers are computed in bfloat16 where the processor can; the rest by the kernel."""
    monkeypatch.setattr(devices, "has_bfloat16", lambda: precision == "mixed")

    machine = infill_model.provenance(0, {}).machine

    assert infill_model.precision == precision
    assert (machine["precision"], machine["kernel"]) == (precision, "compiled")
    assert infill_model.provenance(0, {}, "single").machine["kernel"] == "compiled"


def test_the_help_is_made_from_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["generate", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert DESCRIPTION[1:] in text.replace("relative- infill", "relative-infill")
    assert ", ".join(QUALITIES) in text
