"""Pieces as bytes: smaller than the JSON of a piece, and read twenty times as fast.

A line of JSON (the entries of ``json_file`` without notes) is followed by the pitches, one byte a
cell, voice by voice, and by the onsets and fermatas, one bit a cell.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Final

import numpy as np

from musicrel import gate
from musicrel.chorale import Chorale, Flags, Pitches, Voice
from musicrel.errors import DataError
from musicrel.score import json_file, plain_json, provenance

MAX_BYTES: Final = json_file.MAX_BYTES
"""Size limit of a piece; compressed bytes that hold more are refused."""


def to_bytes(piece: Chorale) -> bytes:
    """Return all of ``piece``; equal pieces have equal bytes."""
    header = json_file.header(piece) | {"provenance": provenance.to_plain(piece.provenance)}
    if not piece.composer:
        del header["composer"]  # as in files of before: equal pieces have equal bytes
    content = b"".join(
        (
            plain_json.dumps(header, ascii_only=True).encode("ascii"),
            b"\n",
            piece.pitches.T.astype(np.int8).tobytes(),
            np.packbits(piece.onsets).tobytes(),
            np.packbits(piece.fermatas).tobytes(),
        )
    )
    if len(content) > MAX_BYTES:
        raise DataError(f"a piece would have {len(content):,} bytes, more than {MAX_BYTES:,}")
    return content


def from_bytes(content: bytes) -> Chorale:
    line, _, cells = content.partition(b"\n")

    def read(_entries: Mapping[str, object], steps: int) -> tuple[Pitches, Flags, Flags]:
        return _cells(cells, steps)

    try:
        return json_file.with_cells(gate.parse_json(line.decode("ascii")), read)
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
    """Return flags, bool (T, 4), from bits."""
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
