"""Models on disk, and hostile cards."""

from __future__ import annotations

import io
import pickle
import struct
from collections.abc import Callable
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
from musicrel.model.tokens.vocabulary import PITCHES
from tests.helpers.memory import Allocations
from tests.helpers.models import tiny_card, tiny_config, tiny_ids, tiny_model, tiny_rows
from tests.helpers.processes import printed
from tests.unit.model.model_changes import (
    Change,
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

    assert not loaded.network.training
    assert loaded.card.commit == "abc"
    assert len(loaded.sha256) == 64
    assert torch.equal(loaded.network(ids, rows).logits_BTV, model(ids, rows).logits_BTV)


_LOADING = """
import sys
from pathlib import Path
from musicrel.model import checkpoint

loaded = checkpoint.load(Path({directory!r}))
print("torch" in sys.modules)
loaded.network
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
    expected = checkpoint.load(directory).network.state_dict()

    change_tensors(directory, lambda t: t.update({name: v.half() for name, v in t.items()}))
    found = checkpoint.load(directory).network.state_dict()

    for name, value in expected.items():
        assert found[name].dtype == torch.float32
        torch.testing.assert_close(found[name], value, atol=2e-3, rtol=0)


def test_tensors_with_the_names_of_version_1_are_read(tmp_path: Path) -> None:
    shape: dict[str, Any] = {"conditions": ("voice",), "pitches": PITCHES, "counterpoint": PITCHES}
    model = tiny_model(tiny_config("relative", **shape))
    checkpoint.save(tmp_path, model, tiny_card(model))
    stored = {today: name for name, today in TENSOR_PARTS.items()}

    def rename(tensors: dict[str, torch.Tensor]) -> None:
        for name in list(tensors):
            old = ".".join(stored.get(part, part) for part in name.split("."))
            tensors[old] = tensors.pop(name)

    change_tensors(tmp_path, rename)
    found = checkpoint.load(tmp_path).network.state_dict()

    assert "intervals.say.weight" in safetensors.torch.load(weights_of(tmp_path).read_bytes())
    for name, value in model.state_dict().items():
        assert torch.equal(found[name], value)


def test_metadata_in_the_weights_are_ignored(directory: Path) -> None:
    change_header(directory, lambda header: header.update({"__metadata__": {"by": "me"}}))

    checkpoint.load(directory)


def test_saving_again_replaces_the_model(directory: Path) -> None:
    other = tiny_model(tiny_config("sinusoidal"), seed=9)

    checkpoint.save(directory, other, tiny_card(other))

    assert checkpoint.load(directory).card.config.scheme == "sinusoidal"
    assert sorted(path.name for path in directory.iterdir()) == ["card.json", "model.safetensors"]


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    model = tiny_model(tiny_config("relative"))
    (tmp_path / "file").touch()

    with pytest.raises(FileError, match=r"cannot write .*card.json: a part of its path is a file"):
        checkpoint.save(tmp_path / "file", model, tiny_card(model))


@pytest.mark.parametrize(
    ("missing", "sentence"),
    [
        ("", "holds no model: its card.json is missing or unreadable"),
        ("card.json", "holds no model: its card.json is missing or unreadable"),
        ("model.safetensors", r"holds no model: cannot read .*model.safetensors"),
    ],
)
def test_missing_files_are_refused(directory: Path, missing: str, sentence: str) -> None:
    (directory / missing).rename(directory.parent / "moved")

    refused(directory, sentence)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        *[(text, "card.json") for text in
          (b"\xff\xfe\x00", b"\x80\x04K\x07.", b"{}", b"[]", b'{"name": "left-pad"}', b"")],
        (b" " * 1_000_001, "missing or unreadable .*1,000,001 bytes, but at most 1,000,000"),
    ],
)  # fmt: skip
def test_a_foreign_or_huge_card_is_refused(directory: Path, content: bytes, sentence: str) -> None:
    (directory / CARD).write_bytes(content)

    refused(directory, sentence)


def test_a_newer_card_is_refused(directory: Path) -> None:
    change_card(directory, lambda card: card.update(version=2))

    refused(directory, "has version 2, this program reads 1: update musicrel")


@pytest.mark.parametrize(
    ("entries", "sentence"),
    [
        ({"scheme": "astrology"}, "unknown positional scheme 'astrology': expected .*relative"),
        *[({"options": options}, sentence) for options, sentence in [
            ({"colour": 1}, "scheme relative has no option colour: it takes max_distance, shared"),
            ({"max_distance": 0},
             "option max_distance of scheme relative is 0: expected 1 to 16384"),
            ({"max_distance": 10**12}, "expected 1 to 16384"),
            ({"max_distance": 2.5}, "option max_distance of scheme relative is 2.5: expected int"),
            ({"shared": 1}, "option shared of scheme relative is 1: expected bool"),
            ({"shared": []}, "expected bool"),
            (7, "config.options is 7: expected a table"),
        ]],
    ],
)  # fmt: skip
def test_impossible_schemes_and_options_are_refused(
    directory: Path, entries: dict[str, Any], sentence: str
) -> None:
    change_card(directory, lambda card: card["config"].update(entries))

    refused(directory, sentence)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"width": 10**12}, "width is 1000000000000: expected a whole number 8 to 2048"),
        ({"layers": -1}, "layers is -1: expected a whole number 1 to 24"),
        ({"scheme": ["relative"]}, "config.scheme is .*: expected a text"),
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
    checkpoint.check(directory)
    weights = directory / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-4])

    with pytest.raises(ModelError, match=r"expected .*, truncated\?; copy the model again"):
        checkpoint.check(directory)


@pytest.mark.parametrize("stop", [0, 1, 7, 8, 9, 500, 20_000, -1, None])
def test_truncated_and_longer_weights_are_refused(
    directory: Path, allocated: Allocations, stop: int | None
) -> None:
    """At any length; the error suggests copying the model again."""
    content = weights_of(directory).read_bytes()
    assert len(content) > 20_000
    weights_of(directory).write_bytes(content + b"more" if stop is None else content[:stop])

    wrong = "bytes: expected .*" if stop is None else "truncated.*"
    refused(directory, f"{wrong}; copy the model again")

    assert allocated.total == 0


class Trap:
    """An object whose unpickling would run a command."""

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[object, ...]]:
        return pytest.fail, ("a pickle was opened",)


def torch_file() -> bytes:
    torch.save({"a": torch.zeros(3)}, file := io.BytesIO())
    return file.getvalue()


@pytest.mark.parametrize(
    "content", [*(pickle.dumps(Trap(), protocol) * 3 for protocol in (0, 2, 4)), torch_file()]
)
def test_a_pickle_is_never_opened(directory: Path, content: bytes) -> None:
    weights_of(directory).write_bytes(content)

    refused(directory, "it is not a safetensors file, or it is truncated")


@pytest.mark.parametrize("length", [0, 2_000_000, 2**63, 2**64 - 1])
def test_a_huge_header_is_not_read(directory: Path, allocated: Allocations, length: int) -> None:
    weights_of(directory).write_bytes(struct.pack("<Q", length) + b"{" * 2_500_000)

    refused(directory, "it is not a safetensors file, or it is truncated")

    assert allocated.total == 0


@pytest.mark.parametrize(
    ("header", "sentence"),
    [
        (b"{", "its header is not JSON"),
        (b"\xff\xff", "its header is not JSON"),
        (b"[" * 200_000, "its header is not JSON"),
        (b"[]", "its header is not a table"),
        (b"{}", "its tensors are not those of the card's config"),
    ],
)
def test_a_header_of_another_kind_is_refused(directory: Path, header: bytes, sentence: str) -> None:
    """The header must be JSON with the tensors of the card."""
    weights_of(directory).write_bytes(struct.pack("<Q", len(header)) + header)

    refused(directory, sentence)


NAME = "blocks.0.attention.project_in.weight"


@pytest.mark.parametrize(
    "change",
    [
        lambda header: header.pop(NAME),
        lambda header: header.update({"extra": header[NAME]}),
        lambda header: header.update({NAME + "x": header.pop(NAME)}),
    ],
    ids=["missing", "extra", "renamed"],
)
def test_other_tensors_than_the_cards_are_refused(directory: Path, change: Change) -> None:
    change_header(directory, change)

    refused(directory, "its tensors are not those of the card's config")


@pytest.mark.parametrize(
    "entry",
    [
        {"shape": [16, 48]},
        {"shape": [48]},
        {"shape": "48, 16"},
        {"dtype": "I32"},
        {"dtype": "F64"},
        {"dtype": None},
        {"dtype": ["F32"]},
    ],
)
def test_a_tensor_of_another_shape_or_type_is_refused(
    directory: Path, allocated: Allocations, entry: dict[str, Any]
) -> None:
    change_header(directory, lambda header: header[NAME].update(entry))

    refused(directory, rf"tensor '{NAME}' is .*: expected F32 or F16 of shape \[48, 16\]")

    assert allocated.total == 0


@pytest.mark.parametrize("offsets", [[0, 1], [-1, 5], [10**15, 10**15 + 3072], "here", None])
def test_tensors_that_lie_elsewhere_are_refused(directory: Path, offsets: object) -> None:
    change_header(directory, lambda header: header[NAME].update(data_offsets=offsets))

    refused(directory, r"model.safetensors: .*; copy the model again")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_non_finite_weights_are_refused(directory: Path, value: float) -> None:
    change_tensors(directory, lambda tensors: tensors[NAME][3, 3].fill_(value))

    refused(directory, f"tensor '{NAME}' has non-finite values")
