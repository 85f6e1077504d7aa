"""The corpus file format."""

from __future__ import annotations

import io

import numpy as np
import pytest

from musicrel.chorale import Chorale, Key, Meter
from musicrel.corpus import archive
from musicrel.corpus.splits import Split
from musicrel.errors import FileError

CHORD = [67, 62, 59, 43]
REPEATED = np.array([[True] * 4, [True] * 4, [False] * 4])


def pieces() -> dict[Split, list[Chorale]]:
    one = Chorale.of(
        [CHORD] * 3,
        onsets=REPEATED.copy(),
        fermatas=np.array([False, True, True]),
        meter=Meter(3, 4),
        pickup=2,
        key=Key("G", "major"),
        title="BWV 1 Süßer Trost",
    )
    return {"train": [one, Chorale.of([CHORD])], "valid": [], "test": [Chorale.of([CHORD, CHORD])]}


def test_packed_pieces_are_restored() -> None:
    """Pitches, onsets, fermatas, meter, pickup, key and title survive; an unknown key stays so."""
    assert archive.unpack(archive.pack(pieces())) == pieces()


def test_the_same_pieces_give_the_same_bytes() -> None:
    """The file depends on no timestamp and no set order."""
    assert archive.pack(pieces()) == archive.pack(pieces())


@pytest.mark.parametrize("damage", [b"", b"PK", b"not a zip"])
def test_bytes_of_another_kind_are_called_damaged(damage: bytes) -> None:
    """The message advises to install again."""
    with pytest.raises(FileError, match=r"the corpus file is damaged .*: install musicrel again"):
        archive.unpack(damage)


def test_a_cut_file_is_called_damaged() -> None:
    """Half a file is no corpus."""
    content = archive.pack(pieces())
    with pytest.raises(FileError, match="the corpus file is damaged"):
        archive.unpack(content[: len(content) // 2])


def test_a_flipped_byte_is_called_damaged() -> None:
    """A checksum inside the file detects it."""
    content = bytearray(archive.pack(pieces()))
    content[60] ^= 0xFF
    with pytest.raises(FileError, match="the corpus file is damaged"):
        archive.unpack(bytes(content))


def test_pickled_objects_are_never_opened() -> None:
    """A file that could run code is refused as damaged."""
    content = io.BytesIO()
    np.savez(content, lengths=np.array([object()], dtype=object))
    with pytest.raises(FileError, match="the corpus file is damaged"):
        archive.unpack(content.getvalue())
