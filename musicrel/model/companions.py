"""Files beside the weights of a model that belong to these weights, and name their hash."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from musicrel import untrusted
from musicrel.errors import DataError, FileError
from musicrel.model import tensor_file

MEANS: Final = "head_means.safetensors"
"""Means of the outputs of the heads."""
DISCRIMINATOR: Final = "discriminator.json"
"""Log-odds of Bach against the model, which guide a search."""
WEIGHTS_HASH: Final = "weights_sha256"
"""Entry of each: the SHA-256 of the weights it belongs to."""
COMPANIONS: Final[Mapping[str, untrusted.Kind]] = MappingProxyType(
    {
        MEANS: "head means",
        DISCRIMINATOR: "discriminator",
    }
)
"""Name of each file -> its kind."""


def hash_in(path: Path) -> str:
    """Return the hash of the weights that a companion belongs to; "" where it is damaged."""
    try:
        return _hash_of_json(path) if path.name == DISCRIMINATOR else _hash_of_tensors(path)
    except (FileError, DataError):
        return ""


def _hash_of_tensors(path: Path) -> str:
    header = tensor_file.header(untrusted.read(path, COMPANIONS[path.name]))
    return str(header.texts.get(WEIGHTS_HASH, ""))


def _hash_of_json(path: Path) -> str:
    values = untrusted.parse_json(untrusted.read(path, COMPANIONS[path.name]), path.name)
    return str(values.get(WEIGHTS_HASH, "")) if isinstance(values, dict) else ""
