"""Files of weights that are damaged or hostile."""

from __future__ import annotations

import pickle
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.helpers.memory import Allocations
from tests.unit.model.model_changes import (
    Change,
    change_header,
    change_tensors,
    refused,
    weights_of,
)


@pytest.mark.parametrize("stop", [0, 1, 7, 8, 9, 500, 20_000, -1])
def test_truncated_weights_are_refused(directory: Path, allocated: Allocations, stop: int) -> None:
    """At any length; the error suggests copying the model again."""
    content = weights_of(directory).read_bytes()
    assert len(content) > 20_000
    weights_of(directory).write_bytes(content[:stop])

    refused(directory, r"truncated.*; copy the model again")

    assert allocated.total == 0


def test_weights_with_something_behind_them_are_refused(directory: Path) -> None:
    """Trailing bytes are an error."""
    with weights_of(directory).open("ab") as file:
        file.write(b"more")

    refused(directory, r"bytes: expected .*; copy the model again")


class Trap:
    """An object whose unpickling would run a command."""

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[object, ...]]:
        """Fail the test if anything unpickles this."""
        return pytest.fail, ("a pickle was opened",)


@pytest.mark.parametrize("protocol", [0, 2, 4])
def test_a_pickle_is_never_opened(directory: Path, protocol: int) -> None:
    """The error is that it is not a safetensors file."""
    weights_of(directory).write_bytes(pickle.dumps(Trap(), protocol) * 3)

    refused(directory, "it is not a safetensors file, or it is truncated")


def test_a_torch_file_is_refused(directory: Path) -> None:
    """A .pt file is a zip of pickles."""
    torch.save({"a": torch.zeros(3)}, weights_of(directory))

    refused(directory, "it is not a safetensors file")


@pytest.mark.parametrize("length", [0, 2_000_000, 2**63, 2**64 - 1])
def test_a_huge_header_is_not_read(directory: Path, allocated: Allocations, length: int) -> None:
    """The length in the file is not trusted."""
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
    """The error names the first that differs."""
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
    """The error shows the entry and what was expected."""
    change_header(directory, lambda header: header[NAME].update(entry))

    refused(directory, rf"tensor '{NAME}' is .*: expected F32 or F16 of shape \[48, 16\]")

    assert allocated.total == 0


@pytest.mark.parametrize("offsets", [[0, 1], [-1, 5], [10**15, 10**15 + 3072], "here", None])
def test_tensors_that_lie_elsewhere_are_refused(directory: Path, offsets: object) -> None:
    """Offsets outside the file, or overlapping."""
    change_header(directory, lambda header: header[NAME].update(data_offsets=offsets))

    refused(directory, r"model.safetensors: .*; copy the model again")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_non_finite_weights_are_refused(directory: Path, value: float) -> None:
    """The error names the tensor."""
    change_tensors(directory, lambda tensors: tensors[NAME][3, 3].fill_(value))

    refused(directory, f"tensor '{NAME}' has non-finite values")
