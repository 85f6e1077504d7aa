"""Models on disk, and hostile cards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import safetensors.torch
import torch

from musicrel.errors import FileError, ModelError
from musicrel.legacy import TENSOR_PARTS
from musicrel.model import checkpoint
from musicrel.model.card import CARD
from musicrel.model.positions.table import SCHEMES
from musicrel.tokens.vocabulary import PITCHES
from tests.helpers.memory import Allocations
from tests.helpers.models import tiny_card, tiny_config, tiny_ids, tiny_model, tiny_rows
from tests.helpers.processes import printed
from tests.unit.model.model_changes import (
    change_card,
    change_header,
    change_tensors,
    refused,
    weights_of,
)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_model_comes_back_to_the_last_bit(tmp_path: Path, scheme: str) -> None:
    """The logits are equal; the model is in evaluation mode."""
    model = tiny_model(tiny_config(scheme, conditions=("voice", "key")))
    checkpoint.save(tmp_path, model, tiny_card(model, commit="abc"))
    ids, rows = tiny_ids(model.config, 2, 9), tiny_rows(model.config, 2, 9)

    loaded = checkpoint.load(tmp_path)

    assert not loaded.model.training
    assert loaded.card.commit == "abc"
    assert len(loaded.sha256) == 64
    assert torch.equal(loaded.model(ids, rows).logits_BTV, model(ids, rows).logits_BTV)


_LOADING = """
import sys
from pathlib import Path
from musicrel.model import checkpoint

loaded = checkpoint.load(Path({directory!r}))
print("torch" in sys.modules)
loaded.model
print("torch._dynamo" in sys.modules)
"""


@pytest.mark.parametrize(
    ("scheme", "needs_torch"), [("relative", "False"), ("sinusoidal", "False"), ("rope", "True")]
)
def test_torch_is_imported_where_it_is_needed(
    tmp_path: Path, scheme: str, needs_torch: str
) -> None:
    """For the network, and for shapes without a formula; its compiler is never imported."""
    model = tiny_model(tiny_config(scheme))
    checkpoint.save(tmp_path, model, tiny_card(model))

    assert printed(_LOADING.format(directory=str(tmp_path))) == [needs_torch, "False"]


def test_half_precision_is_read_as_single(directory: Path) -> None:
    """A published model may be half as large."""
    expected = checkpoint.load(directory).model.state_dict()

    change_tensors(directory, lambda t: t.update({name: v.half() for name, v in t.items()}))
    found = checkpoint.load(directory).model.state_dict()

    for name, value in expected.items():
        assert found[name].dtype == torch.float32
        torch.testing.assert_close(found[name], value, atol=2e-3, rtol=0)


def test_tensors_with_the_names_of_version_1_are_read(tmp_path: Path) -> None:
    """Names are translated by the table in ``legacy``."""
    shape: dict[str, Any] = {"conditions": ("voice",), "pitches": PITCHES, "counterpoint": PITCHES}
    model = tiny_model(tiny_config("relative", **shape))
    checkpoint.save(tmp_path, model, tiny_card(model))
    stored = {today: name for name, today in TENSOR_PARTS.items()}

    def rename(tensors: dict[str, torch.Tensor]) -> None:
        for name in list(tensors):
            old = ".".join(stored.get(part, part) for part in name.split("."))
            tensors[old] = tensors.pop(name)

    change_tensors(tmp_path, rename)
    found = checkpoint.load(tmp_path).model.state_dict()

    assert "intervals.say.weight" in safetensors.torch.load(weights_of(tmp_path).read_bytes())
    for name, value in model.state_dict().items():
        assert torch.equal(found[name], value)


def test_metadata_in_the_weights_are_ignored(directory: Path) -> None:
    """The format has an optional table of texts."""
    change_header(directory, lambda header: header.update({"__metadata__": {"by": "me"}}))

    checkpoint.load(directory)


def test_saving_again_replaces_the_model(directory: Path) -> None:
    """The best model of a run is saved this way."""
    other = tiny_model(tiny_config("sinusoidal"), seed=9)

    checkpoint.save(directory, other, tiny_card(other))

    assert checkpoint.load(directory).card.config.scheme == "sinusoidal"
    assert sorted(path.name for path in directory.iterdir()) == ["card.json", "model.safetensors"]


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """In this test a file is in its place."""
    model = tiny_model(tiny_config("relative"))
    (tmp_path / "file").touch()

    with pytest.raises(FileError, match=r"cannot write .*card.json: a part of its path is a file"):
        checkpoint.save(tmp_path / "file", model, tiny_card(model))


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    """The error names it."""
    refused(tmp_path / "nothing", "holds no model: its card.json is missing or unreadable")


def test_a_missing_card_is_refused(directory: Path) -> None:
    """Weights alone are not a model."""
    (directory / CARD).unlink()

    refused(directory, r"holds no model: its card.json is missing or unreadable")


def test_missing_weights_are_refused(directory: Path) -> None:
    """A card alone is not a model."""
    weights_of(directory).unlink()

    refused(directory, r"holds no model: cannot read .*model.safetensors")


@pytest.mark.parametrize(
    "content", [b"\xff\xfe\x00", b"\x80\x04K\x07.", b"{}", b"[]", b'{"name": "left-pad"}', b""]
)
def test_a_foreign_card_is_refused(directory: Path, content: bytes) -> None:
    """Bytes, a pickle, another program's JSON, an empty file."""
    (directory / CARD).write_bytes(content)

    refused(directory, r"card.json")


def test_a_huge_card_is_not_read(directory: Path) -> None:
    """A card has some kilobytes."""
    (directory / CARD).write_bytes(b" " * 1_000_001)

    refused(directory, r"missing or unreadable .*1,000,001 bytes, but at most 1,000,000")


def test_a_newer_card_is_refused(directory: Path) -> None:
    """The error suggests an update."""
    change_card(directory, lambda card: card.update(version=2))

    refused(directory, "has version 2, this program reads 1: update musicrel")


def test_an_unknown_scheme_is_refused(directory: Path) -> None:
    """The error lists the known ones."""
    change_card(directory, lambda card: card["config"].update(scheme="astrology"))

    refused(directory, "unknown positional scheme 'astrology': expected one of .*relative")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"colour": 1}, "scheme relative has no option colour: it takes max_distance, shared"),
        ({"max_distance": 0}, "option max_distance of scheme relative is 0: expected 1 to 16384"),
        ({"max_distance": 10**12}, "expected 1 to 16384"),
        ({"max_distance": 2.5}, "option max_distance of scheme relative is 2.5: expected int"),
        ({"shared": 1}, "option shared of scheme relative is 1: expected bool"),
        ({"shared": []}, "expected bool"),
        (7, "not a table"),
    ],
)
def test_impossible_options_are_refused(directory: Path, options: object, sentence: str) -> None:
    """Each has a type and bounds."""
    change_card(directory, lambda card: card["config"].update(options=options))

    refused(directory, sentence)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"width": 10**12}, "width is 1000000000000: expected a whole number 8 to 2048"),
        ({"layers": -1}, "layers is -1: expected a whole number 1 to 24"),
        ({"scheme": ["relative"]}, "expected the name of a positional scheme"),
        (
            {"width": 2048, "layers": 24, "heads": 64, "feedforward": 8192, "tokens": 4096},
            "its tensors are not those of the card's config",
        ),
        (
            {"layers": 2, "heads": 1, "options": {"max_distance": 16384}},
            r"tensor .* is .*: expected F32 or F16 of shape \[1, 16385, 16\]",
        ),
    ],
)
def test_absurd_numbers_are_refused_before_memory_is_taken(
    directory: Path, allocated: Allocations, values: dict[str, Any], sentence: str
) -> None:
    """1.2 billion parameters in the card, none of them in memory."""
    change_card(directory, lambda card: card["config"].update(values))

    refused(directory, sentence)

    assert allocated.total == 0


def test_a_saved_card_has_the_hash_of_its_weights(directory: Path) -> None:
    """So a changed file is noticed wherever it comes from."""
    assert checkpoint.load(directory).card.weights_sha256 == checkpoint.weights_sha256(directory)


@pytest.mark.parametrize("place", [-1, -1000, -2001])
def test_one_flipped_bit_is_refused(directory: Path, place: int) -> None:
    """The values are finite and of the right shapes, but not those that were trained."""
    content = bytearray(weights_of(directory).read_bytes())
    content[place] ^= 1
    weights_of(directory).write_bytes(bytes(content))

    refused(directory, r"is damaged or was changed: its weights have the SHA-256 \w{12}…, its card")


def test_a_card_without_a_hash_is_accepted(directory: Path) -> None:
    """Cards of before it was stored; a hash in capitals is the same."""
    change_card(directory, lambda card: card.update(weights_sha256=""))
    assert checkpoint.load(directory).card.weights_sha256 == ""

    sha256 = checkpoint.weights_sha256(directory).upper()
    change_card(directory, lambda card: card.update(weights_sha256=sha256))
    assert checkpoint.load(directory).sha256 == sha256.lower()


def test_weights_are_checked_without_being_loaded(directory: Path) -> None:
    """Names, shapes and sizes in the header are compared with the card."""
    checkpoint.check(directory)
    weights = directory / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-4])

    with pytest.raises(ModelError, match=r"expected .*, truncated\?; copy the model again"):
        checkpoint.check(directory)
