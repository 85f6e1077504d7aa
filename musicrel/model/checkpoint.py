"""A model on disk: ``model.safetensors`` and ``card.json`` in one folder; never pickle.

The folder is not trusted: sizes, names, shapes and types are compared with the card's config before
a tensor is allocated, and values must be finite. Torch is imported when a network is asked for, or
where only the network knows the shapes of its tensors.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
import safetensors.numpy

from musicrel import paths, untrusted
from musicrel.errors import DataError, FileError, ModelError
from musicrel.language import tr
from musicrel.legacy import tensor_name
from musicrel.model import tensor_file
from musicrel.model.card import CARD, WEIGHTS, Card, read_card
from musicrel.model.config import ModelConfig
from musicrel.model.devices import CPU, Device, apply_threads
from musicrel.model.tensor_shapes import Shapes, known_shapes

if TYPE_CHECKING:
    from musicrel.model.families.transformer import Transformer

Floats = npt.NDArray[np.float32]

_TYPES: Final = ("F32", "F16")
_DAMAGED: Final = tr("{path}: {reason}; copy the model again")
_DIFFERS: Final = tr(
    "{path} is damaged or was changed: its weights have the SHA-256 {found}…, its card names "
    "{expected}…; copy the model again from its source"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class LoadedWeights:
    """The weights of a model."""

    card: Card
    sha256: str  # hash of the weights file; "" where there is none
    tensors: Mapping[str, Floats] = field(repr=False)  # its float32 tensors by name
    device: Device = CPU
    directory: Path | None = None  # folder of its files, None where there is none
    # the network, where there is one already
    built: Transformer | None = field(default=None, repr=False)

    @classmethod
    def of(cls, network: Transformer, card: Card) -> LoadedWeights:
        """Return the weights of a network in no file yet; on a CPU they share its memory."""
        device = Device(network.head.weight.device)
        return LoadedWeights(
            card=card, sha256="", tensors=_tensors(network), device=device, built=network
        )

    @property
    def config(self) -> ModelConfig:
        return self.card.config

    @property
    def network(self) -> Transformer:
        """Return the transformer of torch, in evaluation mode; it is built when first asked for."""
        apply_threads()
        return self._built if self.built is None else self.built

    @cached_property
    def _built(self) -> Transformer:
        from musicrel.model import networks  # noqa: PLC0415  # it imports torch

        return networks.with_weights(self.config, self.tensors, self.device)


def save(directory: Path, model: Transformer, card: Card) -> None:
    """Write ``model`` and its card, which gets the hash of the weights.

    Both are on the disk before the first of them replaces an old file.

    Raises:
        FileError: the folder cannot be written.
    """
    content = safetensors.numpy.save(_tensors(model))
    named = replace(card, weights_sha256=hashlib.sha256(content).hexdigest())
    with (
        paths.replacing(directory / CARD) as card_file,
        paths.replacing(directory / WEIGHTS) as weights_file,  # takes its place first
    ):
        weights_file.write(content)
        card_file.write(named.to_json().encode())
        card_file.flush()


def load(directory: Path, device: str = CPU) -> LoadedWeights:
    """Read the model in ``directory``.

    Raises:
        ModelError: a file is missing, truncated, of another format, or does not match the card: its
            shapes differ, or its SHA-256 does, even in one bit.
    """
    card = read_card(directory)
    content = _weights_file(directory)
    expected = _expected_shapes(directory, card)
    try:
        _check_header(content, expected)
        stored = tensor_file.read(content)
    except (ModelError, DataError) as reason:
        raise ModelError(_DAMAGED.format(path=directory / WEIGHTS, reason=reason)) from reason
    _check_finite(stored, directory)
    tensors = {tensor_name(name): np.array(value, np.float32) for name, value in stored.items()}
    sha256 = hashlib.sha256(content).hexdigest()
    check_sha256(card, sha256, directory)
    return LoadedWeights(
        card=card, sha256=sha256, tensors=tensors, device=Device(device), directory=directory
    )


def check(directory: Path, shown: Path | None = None) -> None:
    """Check that the weights in ``directory`` are those of its card, without loading them.

    Args:
        shown: where the model comes from, which errors name; None: ``directory``.

    Raises:
        ModelError: a file is missing, truncated, of another format, or does not match the card.
    """
    expected = _expected_shapes(shown or directory, read_card(directory))
    try:
        _check_header(_weights_file(directory), expected)
    except (ModelError, DataError) as reason:
        path = shown or directory / WEIGHTS
        raise ModelError(_DAMAGED.format(path=path, reason=reason)) from reason


def check_sha256(card: Card, found: str, shown: Path) -> None:
    """Compare the SHA-256 of weights with that in their card, if it has one."""
    expected = card.weights_sha256.lower()
    if expected and found != expected:
        raise ModelError(_DIFFERS.format(path=shown, found=found[:12], expected=expected[:12]))


def tensor_shapes(config: ModelConfig) -> Shapes:
    """Return the shape of every tensor of a model by name, without allocating any."""
    shapes = known_shapes(config)
    if shapes is not None:
        return shapes
    from musicrel.model import networks  # noqa: PLC0415  # it imports torch

    return networks.tensor_shapes(config)


def weights_sha256(directory: Path) -> str:
    """Return the sha256 of the weights file in ``directory``."""
    return hashlib.sha256(_weights_file(directory)).hexdigest()


def _weights_file(directory: Path) -> bytes:
    try:
        return untrusted.read(directory / WEIGHTS, "weights")
    except FileError as reason:
        raise ModelError(
            tr("{directory} holds no model: {reason}", directory=directory, reason=reason)
        ) from reason


def _tensors(model: Transformer) -> dict[str, Any]:
    """Return the tensors of a network by name, as arrays of their own precision."""
    return {
        name: np.ascontiguousarray(value.detach().cpu().numpy())
        for name, value in model.state_dict().items()
    }


def _expected_shapes(directory: Path, card: Card) -> Shapes:
    try:
        return tensor_shapes(card.config)
    except ModelError as reason:
        raise ModelError(f"{directory}: {reason}") from reason


def _check_header(content: bytes, expected: Shapes) -> None:
    header = tensor_file.header(content)
    tensors = {tensor_name(name): entry for name, entry in header.tensors.items()}
    if set(tensors) != set(expected):
        odd = min(set(tensors) ^ set(expected))
        raise ModelError(
            tr("its tensors are not those of the card's config (first: {odd!r})", odd=odd)
        )
    size = 0
    for name, shape in expected.items():
        kind, found = tensors[name]
        if kind not in _TYPES or found != list(shape):
            raise ModelError(
                tr(
                    "tensor {name!r} is {kind} of shape {found}: expected F32 or F16 of shape "
                    "{shape}",
                    name=name, kind=kind, found=found, shape=list(shape),
                )
            )  # fmt: skip
        size += tensor_file.BYTES[str(kind)] * math.prod(shape)
    if header.end + size != len(content):
        raise ModelError(
            tr(
                "it has {found:,} bytes: expected {expected:,}, truncated?",
                found=len(content), expected=header.end + size,
            )
        )  # fmt: skip


def _check_finite(tensors: Mapping[str, npt.NDArray[Any]], directory: Path) -> None:
    for name, value in tensors.items():
        if not np.isfinite(value).all():
            raise ModelError(
                tr(
                    "{directory}: tensor {name!r} has non-finite values",
                    directory=directory, name=name,
                )
            )  # fmt: skip
