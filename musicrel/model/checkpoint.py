"""A model on disk: ``model.safetensors`` and ``card.json`` in one folder; never pickle.

Whoever wrote the folder is not trusted: sizes, names, shapes and types are compared with what the
card's config asks for before a tensor is allocated, and values must be finite.

This file knows weights and their files; it knows nothing of tokens or music.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import safetensors.torch
import torch
from torch import Tensor

from musicrel import paths
from musicrel.errors import FileError, ModelError
from musicrel.model.card import CARD, WEIGHTS, Card, read_card
from musicrel.model.families.model_families import build
from musicrel.model.families.transformer import Transformer

__all__ = ["Loaded", "load", "read_card", "save"]

_LARGEST_WEIGHTS: Final = 512_000_000
_LARGEST_HEADER: Final = 1_000_000
_BYTES: Final[Mapping[str, int]] = {"F32": 4, "F16": 2}


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model from disk.

    Attributes:
        model: float32, in evaluation mode.
        card: what is known of it.
        sha256: of the file of weights.
    """

    model: Transformer
    card: Card
    sha256: str


def save(directory: Path, model: Transformer, card: Card) -> None:
    """Write ``model`` and its card; the card last, so that a half-written folder is no model.

    Raises:
        FileError: the folder cannot be written.
    """
    tensors = {name: value.detach().cpu().contiguous() for name, value in _weights(model).items()}
    paths.write_bytes(directory / WEIGHTS, safetensors.torch.save(tensors))
    paths.write_text(directory / CARD, card.to_json())


def load(directory: Path, device: torch.device | str = "cpu") -> Loaded:
    """Read the model in ``directory``.

    Raises:
        ModelError: a file is missing, truncated, foreign, or does not fit the card.
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
    model.load_state_dict({name: value.float() for name, value in tensors.items()})
    sha256 = hashlib.sha256(content).hexdigest()
    return Loaded(model=model.to(device).eval(), card=card, sha256=sha256)


def weights_sha256(directory: Path) -> str:
    """The sha256 of the file of weights in ``directory``.

    Raises:
        ModelError: it is missing or too long.
    """
    return hashlib.sha256(_weights_file(directory)).hexdigest()


def _weights_file(directory: Path) -> bytes:
    try:
        return paths.read_bytes(directory / WEIGHTS, limit=_LARGEST_WEIGHTS)
    except FileError as reason:
        raise ModelError(f"{directory} holds no model: {reason}") from reason


def _weights(model: Transformer) -> dict[str, Tensor]:
    weights: dict[str, Tensor] = model.state_dict()
    return weights


def _expected_shapes(directory: Path, card: Card) -> dict[str, tuple[int, ...]]:
    """The shape of every tensor that the card's config asks for, found without memory."""
    try:
        with torch.device("meta"):
            empty = build(card.config)
    except ModelError as reason:
        raise ModelError(f"{directory}: {reason}") from reason
    return {name: tuple(value.shape) for name, value in _weights(empty).items()}


def _check_header(content: bytes, expected: Mapping[str, tuple[int, ...]]) -> None:
    """Compare the names, types and shapes in the file with those the config asks for."""
    header, start = _header(content)
    header.pop("__metadata__", None)
    if set(header) != set(expected):
        odd = min(set(header) ^ set(expected))
        raise ModelError(f"its tensors are not those of the card's config (first: {odd!r})")
    size = 0
    for name, shape in expected.items():
        entry = header[name]
        kind = str(entry.get("dtype")) if isinstance(entry, dict) else ""
        if kind not in _BYTES or entry.get("shape") != list(shape):
            raise ModelError(
                f"tensor {name!r} is {entry!r}: expected F32 or F16 of shape {list(shape)}"
            )
        size += _BYTES[kind] * torch.Size(shape).numel()
    if start + size != len(content):
        raise ModelError(f"it has {len(content):,} bytes: expected {start + size:,}, truncated?")


def _header(content: bytes) -> tuple[dict[str, Any], int]:
    """The file's table of tensors, and where their values begin."""
    prefix = 8
    length = struct.unpack("<Q", content[:prefix])[0] if len(content) >= prefix else 0
    if not 0 < length <= min(_LARGEST_HEADER, len(content) - prefix):
        raise ModelError("it is no safetensors file, or truncated")
    try:
        header = json.loads(content[prefix : prefix + length])
    except (ValueError, RecursionError) as reason:
        raise ModelError("it is no safetensors file: its header is no JSON") from reason
    if not isinstance(header, dict):
        raise ModelError("it is no safetensors file: its header is no table")
    return header, prefix + length


def _check_finite(tensors: Mapping[str, Tensor], directory: Path) -> None:
    for name, value in tensors.items():
        if not torch.isfinite(value).all():
            raise ModelError(f"{directory}: tensor {name!r} holds values that are no numbers")
