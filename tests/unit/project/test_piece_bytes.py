"""Pieces as bytes."""

from __future__ import annotations

import zlib
from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import MAX_STEPS, Chorale, Provenance
from musicrel.errors import DataError
from musicrel.project import piece_bytes
from tests.helpers.music import minuet, random_chorale


@pytest.mark.parametrize("steps", [1, 2, 7, 8, 9, 64, 333])
def test_every_field_is_restored(steps: int) -> None:
    """Of pieces whose flags fill whole bytes and of others."""
    piece = replace(
        random_chorale(steps, steps),
        tempo=66.7,
        title="Ä ♪ \n日本 \ud800",
        composer="J. S. Bäch \udfff",
        provenance=Provenance(model="m", sha256="s", seed=2**62, settings={"locks": [[1, 2]]}),
    )

    restored = piece_bytes.from_bytes(piece_bytes.to_bytes(piece))

    assert restored == piece
    assert restored.pitches.dtype == np.int16
    assert restored.onsets.dtype == np.bool_


def test_a_piece_of_an_earlier_version_has_no_composer() -> None:
    """Its bytes are those that it has today, so that it is stored once."""
    piece = random_chorale(3, 8)
    content = piece_bytes.to_bytes(piece)

    assert b"composer" not in content
    assert piece_bytes.from_bytes(content) == piece
    assert piece_bytes.to_bytes(replace(piece, composer="Jörg")) != content


def test_the_longest_piece_has_place() -> None:
    """It is smaller than the limit, also when it is read."""
    piece = random_chorale(0, MAX_STEPS)

    packed = piece_bytes.pack(piece_bytes.to_bytes(piece))

    assert piece_bytes.from_bytes(piece_bytes.unpack(packed)) == piece


@pytest.mark.parametrize("steps", [1, 7, 16])
def test_flags_of_cells_are_restored(steps: int) -> None:
    """From one bit each."""
    flags = np.random.default_rng(steps).random((steps, 4)) < 0.5

    bits = piece_bytes.pack_flags(flags)

    assert len(bits) == -(-steps * 4 // 8)
    assert piece_bytes.unpack_flags(bits, steps).tolist() == flags.tolist()


def test_flags_of_another_length_are_refused() -> None:
    """The message counts them."""
    with pytest.raises(DataError, match="32 flags have 3 bytes: expected 4"):
        piece_bytes.unpack_flags(b"abc", 8)


def test_a_long_provenance_is_refused() -> None:
    """It would not be read again."""
    origin = Provenance(model="x" * piece_bytes.MAX_BYTES, sha256="", seed=0)
    with pytest.raises(DataError, match=r"a piece would have 4,000,... bytes, more than 4,000,000"):
        piece_bytes.to_bytes(replace(minuet(), provenance=origin))


@pytest.mark.parametrize(
    ("start", "end", "message"),
    [
        (b"{", b"", "it is not valid JSON"),
        (b"\xff", b"", "a piece does not begin with JSON"),
        (b"[1]\n", b"", "it is not a musicrel chorale"),
        (b"", b"more", "7 flags have 5 bytes: expected 1"),
    ],
)
def test_other_bytes_are_refused(start: bytes, end: bytes, message: str) -> None:
    """Whatever is wrong is a ``DataError``."""
    content = start + piece_bytes.to_bytes(minuet()) + end
    with pytest.raises(DataError, match=message):
        piece_bytes.from_bytes(content)


def test_a_piece_that_is_cut_off_is_refused() -> None:
    """At whatever byte."""
    content = piece_bytes.to_bytes(minuet())
    for length in range(len(content)):
        with pytest.raises(DataError):
            piece_bytes.from_bytes(content[:length])


def test_invalid_notes_are_refused() -> None:
    """The rules of ``Chorale`` apply."""
    content = piece_bytes.to_bytes(Chorale.of([[60, 55, 50, 45]] * 8))
    with pytest.raises(DataError, match="pitches run from -2"):
        piece_bytes.from_bytes(content.replace(bytes([60]), b"\xfe", 1))


@pytest.mark.parametrize(
    ("packed", "message"),
    [
        (b"", "cut off"),
        (b"no zlib", "is damaged"),
        (zlib.compress(b"a piece")[:-1], "cut off"),
        (zlib.compress(bytes(piece_bytes.MAX_BYTES + 1)), "holds more than 4,000,000 bytes"),
    ],
)
def test_damaged_and_oversized_bytes_are_not_unpacked(packed: bytes, message: str) -> None:
    """A few kilobytes that stand for gigabytes are refused before they are unpacked."""
    with pytest.raises(DataError, match=message):
        piece_bytes.unpack(packed)
