"""Locked cells of a piece, their description and their form in a file."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import Chorale, Provenance
from musicrel.editing.selection import Selection
from musicrel.presentation.roll import lock_cells, roll
from musicrel.presentation.roll.lock_cells import Span
from musicrel.presentation.roll.roll import RollNote

PIECE = Chorale.of([(72, 67, 64, 48)] * 4 + [(74, 65, 62, 50)] * 12)
ALTO = Selection(voices=(1,), start=2, stop=6)


def written(**settings: object) -> Chorale:
    """Return the piece with provenance."""
    return replace(PIECE, provenance=Provenance(model="m", sha256="0", seed=1, settings=settings))


def test_toggling_locks_a_part_and_unlocks_it_where_all_of_it_was() -> None:
    """A part that is locked half is locked whole first."""
    part = lock_cells.cells(PIECE, ALTO)
    half = lock_cells.cells(PIECE, replace(ALTO, stop=4))

    once = lock_cells.toggled(half, part)
    assert (once == part).all()
    assert not lock_cells.toggled(once, part).any()
    assert not lock_cells.holds(once, lock_cells.nothing(PIECE))


def test_voices_and_chords_are_parts() -> None:
    """The first chord lasts until anything moves, the last one from then to the end."""
    assert lock_cells.spans(lock_cells.of_voice(PIECE, 3)) == (Span(3, 0, 16),)
    assert lock_cells.spans(lock_cells.of_chord(PIECE, "first")) == tuple(
        Span(v, 0, 4) for v in range(4)
    )
    assert lock_cells.spans(lock_cells.of_chord(PIECE, "last")) == tuple(
        Span(v, 4, 16) for v in range(4)
    )


def test_notes_are_cut_where_the_lock_ends() -> None:
    """Two notes of the alto, half of the first and a part of the second."""
    picture = roll.draw(PIECE)
    assert lock_cells.parts(picture, lock_cells.cells(PIECE, ALTO)) == (
        RollNote(2, 4, 67, 1),
        RollNote(4, 6, 65, 1),
    )
    assert lock_cells.parts(picture, np.ones((8, 4), dtype=np.bool_)) == ()


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (lock_cells.nothing(PIECE), ""),
        (lock_cells.cells(PIECE, ALTO), "Locked: part of Alto"),
        (
            lock_cells.of_voice(PIECE, 3) | lock_cells.cells(PIECE, ALTO),
            "Locked: Bass, part of Alto",
        ),
        (lock_cells.of_chord(PIECE, "last"), "Locked: notes at bar 1, beat 2"),
        (~lock_cells.nothing(PIECE), "Everything is locked"),
    ],
)
def test_locks_are_described(cells: np.ndarray, words: str) -> None:
    """The description is short."""
    assert lock_cells.describe(PIECE, cells) == words


def test_locks_go_with_the_piece() -> None:
    """Into its settings and back; none leaves no trace; a piece from nowhere has no settings."""
    cells = lock_cells.cells(PIECE, ALTO)
    signed = lock_cells.with_locks_in_provenance(written(bars=1), cells)

    assert signed.provenance is not None
    assert signed.provenance.settings == {"bars": 1, "locked": [[1, 2, 6]]}
    assert (lock_cells.locks_from_provenance(signed) == cells).all()
    assert lock_cells.with_locks_in_provenance(signed, lock_cells.nothing(PIECE)) == written(bars=1)
    assert lock_cells.with_locks_in_provenance(PIECE, cells) is PIECE


@pytest.mark.parametrize(
    "stored", [7, [3], [[0, 1]], [["a", 0, 1]], [[4, 0, 1]], [[0, 5, 5]], [[0, 0, 99]]]
)
def test_locks_that_cannot_be_read_are_none(stored: object) -> None:
    """The file may hold anything."""
    assert not lock_cells.locks_from_provenance(written(locked=stored)).any()
