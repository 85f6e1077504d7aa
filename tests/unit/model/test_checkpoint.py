"""Models on disk, whole and hostile."""

from __future__ import annotations

import json
import pickle
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import safetensors.torch
import torch

from musicrel.errors import FileError, ModelError
from musicrel.model import checkpoint
from musicrel.model.card import CARD, WEIGHTS
from musicrel.model.positions.table import SCHEMES
from tests.helpers.memory import Allocations
from tests.helpers.models import tiny_card, tiny_config, tiny_ids, tiny_model, tiny_rows

Change = Callable[[dict[str, Any]], None]


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A whole model."""
    model = tiny_model(tiny_config("relative", told=("voice",)))
    checkpoint.save(tmp_path / "tiny", model, tiny_card(model))
    return tmp_path / "tiny"


@pytest.fixture
def allocated() -> Iterator[Allocations]:
    """What is allocated while the test runs."""
    with Allocations() as mode:
        yield mode


def weights_of(directory: Path) -> Path:
    """The file of weights."""
    return directory / WEIGHTS


def change_card(directory: Path, change: Change) -> None:
    """Change the values in a card."""
    path = directory / CARD
    values = json.loads(path.read_text())
    change(values)
    path.write_text(json.dumps(values))


def change_header(directory: Path, change: Change) -> None:
    """Change the table at the beginning of the weights, the tensors unmoved."""
    content = weights_of(directory).read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    change(header)
    text = json.dumps(header).encode()
    weights_of(directory).write_bytes(struct.pack("<Q", len(text)) + text + content[8 + length :])


def change_tensors(directory: Path, change: Change) -> None:
    """Change the tensors, in a file that is well-formed."""
    tensors = safetensors.torch.load(weights_of(directory).read_bytes())
    change(tensors)
    weights_of(directory).write_bytes(safetensors.torch.save(tensors))


def refused(directory: Path, sentence: str) -> None:
    """The model is not loaded, and the message names its folder."""
    with pytest.raises(ModelError, match=sentence) as caught:
        checkpoint.load(directory)
    assert str(directory) in str(caught.value)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_model_comes_back_to_the_last_bit(tmp_path: Path, scheme: str) -> None:
    """The same weights give the same logits; it is ready for use."""
    model = tiny_model(tiny_config(scheme, told=("voice", "key")))
    checkpoint.save(tmp_path, model, tiny_card(model, commit="abc"))
    ids, rows = tiny_ids(model.config, 2, 9), tiny_rows(model.config, 2, 9)

    loaded = checkpoint.load(tmp_path)

    assert not loaded.model.training
    assert loaded.card.commit == "abc"
    assert len(loaded.sha256) == 64
    assert torch.equal(loaded.model(ids, rows).logits_BTV, model(ids, rows).logits_BTV)


def test_half_precision_is_read_as_single(directory: Path) -> None:
    """A published model may be half as large."""
    expected = checkpoint.load(directory).model.state_dict()

    change_tensors(directory, lambda t: t.update({name: v.half() for name, v in t.items()}))
    found = checkpoint.load(directory).model.state_dict()

    for name, value in expected.items():
        assert found[name].dtype == torch.float32
        torch.testing.assert_close(found[name], value, atol=2e-3, rtol=0)


def test_remarks_in_the_weights_are_passed_over(directory: Path) -> None:
    """The format allows a table of texts."""
    change_header(directory, lambda header: header.update({"__metadata__": {"by": "me"}}))

    checkpoint.load(directory)


def test_saving_again_replaces_the_model(directory: Path) -> None:
    """As the best model of a run is."""
    other = tiny_model(tiny_config("sinusoidal"), seed=9)

    checkpoint.save(directory, other, tiny_card(other))

    assert checkpoint.load(directory).card.config.scheme == "sinusoidal"
    assert sorted(path.name for path in directory.iterdir()) == ["card.json", "model.safetensors"]


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """Here a file stands where the folder should."""
    model = tiny_model(tiny_config("relative"))
    (tmp_path / "file").touch()

    with pytest.raises(FileError, match=r"cannot write .*model.safetensors"):
        checkpoint.save(tmp_path / "file", model, tiny_card(model))


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    """Nothing is there."""
    refused(tmp_path / "nothing", "holds no model: its card.json is missing or unreadable")


def test_a_missing_card_is_refused(directory: Path) -> None:
    """Weights alone mean nothing."""
    (directory / CARD).unlink()

    refused(directory, r"holds no model: its card.json is missing or unreadable")


def test_missing_weights_are_refused(directory: Path) -> None:
    """A card alone says nothing."""
    weights_of(directory).unlink()

    refused(directory, r"holds no model: cannot read .*model.safetensors")


@pytest.mark.parametrize(
    "content", [b"\xff\xfe\x00", b"\x80\x04K\x07.", b"{}", b"[]", b'{"name": "left-pad"}', b""]
)
def test_a_foreign_card_is_refused(directory: Path, content: bytes) -> None:
    """Bytes, a pickle, another program's JSON, nothing."""
    (directory / CARD).write_bytes(content)

    refused(directory, r"card.json")


def test_an_endless_card_is_not_read(directory: Path) -> None:
    """A card has some kilobytes."""
    (directory / CARD).write_bytes(b" " * 1_000_001)

    refused(directory, r"missing or unreadable .*1,000,001 bytes, but at most 1,000,000")


def test_a_newer_card_is_refused(directory: Path) -> None:
    """With the way out."""
    change_card(directory, lambda card: card.update(version=2))

    refused(directory, "has version 2, this program reads 1: update musicrel")


def test_an_unknown_scheme_is_refused(directory: Path) -> None:
    """The message lists those there are."""
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
        (7, "no table"),
    ],
)
def test_impossible_options_are_refused(directory: Path, options: object, sentence: str) -> None:
    """Each has a kind and bounds."""
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
    """1.2 thousand million parameters on paper, not one of them in memory."""
    change_card(directory, lambda card: card["config"].update(values))

    refused(directory, sentence)

    assert allocated.total == 0


@pytest.mark.parametrize("stop", [0, 1, 7, 8, 9, 500, 20_000, -1])
def test_truncated_weights_are_refused(directory: Path, allocated: Allocations, stop: int) -> None:
    """Wherever the download stopped; with the way out."""
    content = weights_of(directory).read_bytes()
    assert len(content) > 20_000
    weights_of(directory).write_bytes(content[:stop])

    refused(directory, r"truncated.*; copy the model again")

    assert allocated.total == 0


def test_weights_with_something_behind_them_are_refused(directory: Path) -> None:
    """Nothing may hide there."""
    with weights_of(directory).open("ab") as file:
        file.write(b"more")

    refused(directory, r"bytes: expected .*; copy the model again")


class Trap:
    """Unpickling it would run a command."""

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[object, ...]]:
        """Fail the test, should anything unpickle this."""
        return pytest.fail, ("a pickle was opened",)


@pytest.mark.parametrize("protocol", [0, 2, 4])
def test_a_pickle_is_never_opened(directory: Path, protocol: int) -> None:
    """It is refused as no safetensors file."""
    weights_of(directory).write_bytes(pickle.dumps(Trap(), protocol) * 3)

    refused(directory, "it is no safetensors file, or truncated")


def test_a_torch_file_is_refused(directory: Path) -> None:
    """A .pt file is a zip of pickles."""
    torch.save({"a": torch.zeros(3)}, weights_of(directory))

    refused(directory, "it is no safetensors file")


@pytest.mark.parametrize("length", [0, 2_000_000, 2**63, 2**64 - 1])
def test_a_huge_header_is_not_read(directory: Path, allocated: Allocations, length: int) -> None:
    """The file says how long its table is; it is not believed."""
    weights_of(directory).write_bytes(struct.pack("<Q", length) + b"{" * 2_500_000)

    refused(directory, "it is no safetensors file, or truncated")

    assert allocated.total == 0


@pytest.mark.parametrize(
    ("header", "sentence"),
    [
        (b"{", "its header is no JSON"),
        (b"\xff\xff", "its header is no JSON"),
        (b"[" * 200_000, "its header is no JSON"),
        (b"[]", "its header is no table"),
        (b"{}", "its tensors are not those of the card's config"),
    ],
)
def test_a_header_of_another_kind_is_refused(directory: Path, header: bytes, sentence: str) -> None:
    """The table must be JSON with the tensors of the card."""
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
    """The first that differs is named."""
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
    """The message shows what stands there and what was expected."""
    change_header(directory, lambda header: header[NAME].update(entry))

    refused(directory, rf"tensor '{NAME}' is .*: expected F32 or F16 of shape \[48, 16\]")

    assert allocated.total == 0


@pytest.mark.parametrize("offsets", [[0, 1], [-1, 5], [10**15, 10**15 + 3072], "here", None])
def test_tensors_that_lie_elsewhere_are_refused(directory: Path, offsets: object) -> None:
    """Places outside the file, or on one another."""
    change_header(directory, lambda header: header[NAME].update(data_offsets=offsets))

    refused(directory, r"model.safetensors: .*; copy the model again")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_weights_that_are_no_numbers_are_refused(directory: Path, value: float) -> None:
    """They would write silence or noise."""
    change_tensors(directory, lambda tensors: tensors[NAME][3, 3].fill_(value))

    refused(directory, f"tensor '{NAME}' holds values that are no numbers")
