"""A model on disk: ``model.safetensors`` and ``card.json`` in one folder; never pickle.

The folder is not trusted: sizes, names, shapes and types are compared with the card's config before
a tensor is allocated, and values must be finite.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import safetensors.torch
import torch
from torch import Tensor

from musicrel import paths
from musicrel.errors import FileError, ModelError
from musicrel.legacy import tensor_name
from musicrel.model.card import CARD, MAX_WEIGHTS_BYTES, WEIGHTS, Card, read_card
from musicrel.model.families.model_families import build
from musicrel.model.families.transformer import Transformer

_MAX_HEADER_BYTES: Final = 1_000_000
_BYTES: Final[Mapping[str, int]] = {"F32": 4, "F16": 2}


@dataclass(frozen=True, slots=True)
class LoadedWeights:
    """A model from disk.

    Attributes:
        model: float32, in evaluation mode.
        card: its card.
        sha256: hash of the weights file.
    """

    model: Transformer
    card: Card
    sha256: str


def save(directory: Path, model: Transformer, card: Card) -> None:
    """Write ``model`` and its card, the card last: a half-written folder is not a model.

    The card gets the hash of the weights.

    Raises:
        FileError: the folder cannot be written.
    """
    tensors = {
        name: value.detach().cpu().contiguous() for name, value in model.state_dict().items()
    }
    content = safetensors.torch.save(tensors)
    named = replace(card, weights_sha256=hashlib.sha256(content).hexdigest())
    paths.write_bytes(directory / WEIGHTS, content)
    paths.write_text(directory / CARD, named.to_json())


def load(directory: Path, device: torch.device | str = "cpu") -> LoadedWeights:
    """Read the model in ``directory``.

    Raises:
        ModelError: a file is missing, truncated, of another format, or does not match the card.
    """
    card = read_card(directory)
    content = _weights_file(directory)
    expected = _expected_shapes(directory, card)
    try:
        _check_header(content, expected)
        tensors = safetensors.torch.load(content)
    except (ModelError, safetensors.SafetensorError) as reason:
        raise ModelError(f"{directory / WEIGHTS}: {reason}; copy the model again") from reason
    _check_finite(tensors, directory)
    model = build(card.config)
    model.load_state_dict({tensor_name(name): value.float() for name, value in tensors.items()})
    sha256 = hashlib.sha256(content).hexdigest()
    return LoadedWeights(model=model.to(device).eval(), card=card, sha256=sha256)


def check(directory: Path, shown: Path | None = None) -> None:
    """Check that the weights in ``directory`` are those of its card, without loading them.

    Args:
        directory: the folder.
        shown: where the model comes from, which errors name; None: ``directory``.

    Raises:
        ModelError: a file is missing, truncated, of another format, or does not match the card.
    """
    expected = _expected_shapes(shown or directory, read_card(directory))
    try:
        _check_header(_weights_file(directory), expected)
    except ModelError as reason:
        raise ModelError(
            f"{shown or directory / WEIGHTS}: {reason}; copy the model again"
        ) from reason


def weights_sha256(directory: Path) -> str:
    """Return the sha256 of the weights file in ``directory``.

    Raises:
        ModelError: the file is missing or too large.
    """
    return hashlib.sha256(_weights_file(directory)).hexdigest()


def _weights_file(directory: Path) -> bytes:
    try:
        return paths.read_bytes(directory / WEIGHTS, limit=MAX_WEIGHTS_BYTES)
    except FileError as reason:
        raise ModelError(f"{directory} holds no model: {reason}") from reason


def _expected_shapes(directory: Path, card: Card) -> dict[str, tuple[int, ...]]:
    """Return the shape of every tensor of the card's config, on the meta device (no memory)."""
    try:
        with torch.device("meta"):
            empty = build(card.config)
    except ModelError as reason:
        raise ModelError(f"{directory}: {reason}") from reason
    return {name: tuple(value.shape) for name, value in empty.state_dict().items()}


def _check_header(content: bytes, expected: Mapping[str, tuple[int, ...]]) -> None:
    """Compare the names, types and shapes in the file with those of the config."""
    header, start = _header(content)
    header.pop("__metadata__", None)
    header = {tensor_name(name): entry for name, entry in header.items()}
    if set(header) != set(expected):
        odd = min(set(header) ^ set(expected))
        raise ModelError(f"its tensors are not those of the card's config (first: {odd!r})")
    size = 0
    for name, shape in expected.items():
        entry = header[name] if isinstance(header[name], dict) else {}
        kind, found = str(entry.get("dtype")), entry.get("shape")
        if kind not in _BYTES or found != list(shape):
            raise ModelError(
                f"tensor {name!r} is {kind} of shape {found}: "
                f"expected F32 or F16 of shape {list(shape)}"
            )
        size += _BYTES[kind] * torch.Size(shape).numel()
    if start + size != len(content):
        raise ModelError(f"it has {len(content):,} bytes: expected {start + size:,}, truncated?")


def _header(content: bytes) -> tuple[dict[str, Any], int]:
    """Return the file's table of tensors and the offset of their values in bytes."""
    prefix = 8
    length = struct.unpack("<Q", content[:prefix])[0] if len(content) >= prefix else 0
    if not 0 < length <= min(_MAX_HEADER_BYTES, len(content) - prefix):
        raise ModelError("it is not a safetensors file, or it is truncated")
    try:
        header = json.loads(content[prefix : prefix + length])
    except (ValueError, RecursionError) as reason:
        raise ModelError("it is not a safetensors file: its header is not JSON") from reason
    if not isinstance(header, dict):
        raise ModelError("it is not a safetensors file: its header is not a table")
    return header, prefix + length


def _check_finite(tensors: Mapping[str, Tensor], directory: Path) -> None:
    for name, value in tensors.items():
        if not torch.isfinite(value).all():
            raise ModelError(f"{directory}: tensor {name!r} has non-finite values")
