"""Files of tensors (safetensors), whose header is checked before a tensor is read.

Torch and NumPy know some types of the format only, and have limits for shapes that it has not.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy.typing as npt
import safetensors
import safetensors.numpy

from musicrel import untrusted
from musicrel.errors import DataError
from musicrel.language import tr

BYTES: Final[Mapping[str, int]] = {"F64": 8, "F32": 4, "F16": 2}
"""The types that are read -> bytes of a number."""
_MAX_HEADER_BYTES: Final = 1_000_000
_MAX_DIMENSIONS: Final = 8
_MAX_LENGTH: Final = 1 << 32
_PREFIX: Final = 8


class Header(NamedTuple):
    """The header of a file."""

    tensors: dict[str, tuple[object, object]]  # name -> type and shape, as they are in the file
    texts: dict[str, Any]
    end: int  # offset of the values in bytes


def header(content: bytes) -> Header:
    """Return the header of a file."""
    length = struct.unpack("<Q", content[:_PREFIX])[0] if len(content) >= _PREFIX else 0
    if not 0 < length <= min(_MAX_HEADER_BYTES, len(content) - _PREFIX):
        raise DataError(tr("it is not a safetensors file, or it is truncated"))
    try:
        entries = untrusted.parse_json(content[_PREFIX : _PREFIX + length])
    except DataError as reason:
        raise DataError(tr("it is not a safetensors file: its header is not JSON")) from reason
    if not isinstance(entries, dict):
        raise DataError(tr("it is not a safetensors file: its header is not a table"))
    texts = entries.pop("__metadata__", {})
    tensors = {
        name: (entry.get("dtype"), entry.get("shape")) if isinstance(entry, dict) else (None, None)
        for name, entry in entries.items()
    }
    return Header(tensors, texts if isinstance(texts, dict) else {}, _PREFIX + length)


def check(content: bytes) -> None:
    """Check that all tensors of a file are of types and shapes that can be read."""
    for name, (kind, shape) in header(content).tensors.items():
        if not isinstance(kind, str) or kind not in BYTES:
            form = tr("tensor {name!r} is {kind}: expected {kinds}")
            raise DataError(form.format(name=name, kind=kind, kinds=", ".join(BYTES)))
        if not _is_shape(shape):
            raise DataError(
                tr("tensor {name!r} has the impossible shape {shape}", name=name, shape=shape)
            )


def read(content: bytes) -> dict[str, npt.NDArray[Any]]:
    """Return the tensors of a file."""
    check(content)
    try:
        tensors: dict[str, npt.NDArray[Any]] = safetensors.numpy.load(content)
    except safetensors.SafetensorError as reason:
        raise DataError(tr("it is a damaged safetensors file: {reason}", reason=reason)) from reason
    return tensors


def _is_shape(shape: object) -> bool:
    return (
        isinstance(shape, list)
        and len(shape) <= _MAX_DIMENSIONS
        and all(type(length) is int and 0 <= length <= _MAX_LENGTH for length in shape)
    )
