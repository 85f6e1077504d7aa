"""Pieces as bytes: smaller than the JSON of a piece, and read twenty times as fast.

A line of JSON (the entries of ``json_file`` without notes) is followed by the pitches, one byte a
cell, voice by voice, and by the onsets and fermatas, one bit a cell.

The Compose form as plain JSON values, for all fields but the muted heads, which are not kept.

Values are read leniently, because a form is no reason to refuse a piece: unknown entries are
ignored; a missing entry, one of the wrong type or one out of bounds gets its default.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Annotated, Any, Final, get_type_hints

import msgspec
import numpy as np

from musicrel import untrusted
from musicrel.chorale import LINES, Chorale, Flags, Key, Meter, Pitches, Voice
from musicrel.errors import DataError, UsageError
from musicrel.generation.phrasing import planned_phrase
from musicrel.generation.quality import QUALITIES
from musicrel.generation.request import MAX_BARS
from musicrel.language import tr
from musicrel.presentation.compose.form import AUTO, BEGINNINGS, FORMS, MAX_SEED, Form
from musicrel.score import json_file

# Size limit of a piece; compressed bytes that hold more are refused.
MAX_BYTES: Final = json_file.MAX_BYTES


def to_bytes(piece: Chorale) -> bytes:
    """Return all of ``piece``; equal pieces have equal bytes.

    Half of a surrogate pair, which JSON cannot represent, becomes a question mark.
    """
    lines: dict[str, Any] = {name: whole_characters(getattr(piece, name)) for name in LINES}
    words = [replace(word, text=whole_characters(word.text)) for word in piece.lyrics]
    header = json_file.header(replace(piece, **lines, lyrics=tuple(words))) | {
        "provenance": json_file.provenance_to_plain(piece.provenance),
    }
    if not piece.composer:
        del header["composer"]  # as in files of before: equal pieces have equal bytes
    content = b"".join(
        (
            json_file.dumps(header, ascii_only=True).encode("ascii"),
            b"\n",
            piece.pitches.T.astype(np.int8).tobytes(),
            np.packbits(piece.onsets).tobytes(),
            np.packbits(piece.fermatas).tobytes(),
        )
    )
    if len(content) > MAX_BYTES:
        size, most = len(content), MAX_BYTES
        raise DataError(
            tr("a piece would have {size:,} bytes, more than {most:,}", size=size, most=most)
        )
    return content


def whole_characters(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def from_bytes(content: bytes) -> Chorale:
    line, _, cells = content.partition(b"\n")

    try:
        return json_file.with_cells(
            untrusted.parse_json(line.decode("ascii")), partial(_cells, cells)
        )
    except UnicodeDecodeError as reason:
        raise DataError("a piece does not begin with JSON") from reason


def pack(content: bytes) -> bytes:
    return zlib.compress(content)


def unpack(packed: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        content = unpacker.decompress(packed, MAX_BYTES)
    except zlib.error as reason:
        raise DataError("a compressed piece is damaged") from reason
    if not unpacker.eof:
        raise DataError(f"a compressed piece is cut off, or holds more than {MAX_BYTES:,} bytes")
    return content


def pack_flags(flags: Flags) -> bytes:
    return np.packbits(flags).tobytes()


def unpack_flags(bits: bytes, steps: int) -> Flags:
    return _flags(bits, steps * len(Voice)).reshape(steps, len(Voice))


def _cells(content: bytes, steps: int) -> tuple[Pitches, Flags, Flags]:
    count = steps * len(Voice)
    onsets_end = count + -(-count // 8)
    pitches = np.frombuffer(content[:count], dtype=np.int8)
    if pitches.size != count:
        raise DataError(f"a piece of {steps} steps has {pitches.size} pitches: expected {count}")
    return (
        pitches.reshape(len(Voice), steps).T.astype(np.int16, order="C"),
        unpack_flags(content[count:onsets_end], steps),
        _flags(content[onsets_end:], steps),
    )


def _flags(bits: bytes, count: int) -> Flags:
    if len(bits) != -(-count // 8):
        raise DataError(f"{count} flags have {len(bits)} bytes: expected {-(-count // 8)}")
    return np.unpackbits(np.frombuffer(bits, dtype=np.uint8), count=count).astype(np.bool_)


_MAX_TEXT: Final = 10_000
_MAX_NUMBER: Final = 2**63 - 1
# Lowest and highest number of an entry; other numbers are only finite.
_BOUNDS: Final[Mapping[str, tuple[float, float]]] = {
    "bars": (0, MAX_BARS),
    "pickup": (-1, 512),
    "temperature": (0, 10),
    "top_p": (0, 1),
    "seed": (0, MAX_SEED),
    "candidates": (1, 1000),
}


_CHOICES: Final[Mapping[str, Collection[object]]] = {
    "quality": QUALITIES,
    "begins_on": BEGINNINGS,
    "form": FORMS,
}
# Entries that forms of version 1 lack, and what pieces were then.
_EARLIER: Final[Mapping[str, str]] = {"begins_on": "", "form": ""}


def form_to_plain(form: Form) -> dict[str, Any]:
    return {name: _plain(name, getattr(form, name)) for name in _kinds()}


def form_from_plain(values: object) -> Form:
    if not isinstance(values, dict):
        return Form()
    known: dict[str, Any] = {name: _EARLIER[name] for name in _EARLIER.keys() - values.keys()}
    for name, kind in _kinds().items():
        try:
            found = _read(name, values[name], kind)
        except (KeyError, msgspec.ValidationError, DataError, UsageError):
            continue
        if _is_in_bounds(name, found):
            known[name] = found
    return Form(**known)


def _plain(name: str, value: Any) -> object:
    if name == "phrases":
        return AUTO if value is None else planned_phrase.to_text(value)
    if isinstance(value, Meter | Key):
        return str(value)
    return msgspec.to_builtins(value)


def _read(name: str, value: object, kind: Any) -> object:
    if name == "phrases":
        text = msgspec.convert(value, Annotated[str, msgspec.Meta(max_length=_MAX_TEXT)])
        return None if text.strip() == AUTO else planned_phrase.parse(text)
    if kind is Meter:
        return Meter.parse(msgspec.convert(value, str))
    if kind == Key | None:
        return None if value is None else Key.parse(msgspec.convert(value, str))
    return msgspec.convert(value, kind)


def _is_in_bounds(name: str, value: object) -> bool:
    if name in _CHOICES:
        return value in _CHOICES[name]
    if isinstance(value, str):
        return len(value) <= _MAX_TEXT
    low, high = _BOUNDS.get(name, (-_MAX_NUMBER, _MAX_NUMBER))
    return not isinstance(value, int | float) or low <= value <= high


@cache
def _kinds() -> Mapping[str, Any]:
    return {name: hint for name, hint in get_type_hints(Form).items() if name != "muted"}
