"""Pieces that a measurement keeps, so that it can be resumed."""

from __future__ import annotations

from pathlib import Path

from musicrel.chorale import Chorale
from tests.helpers.music import random_chorale
from training.pieces.kept_pieces import KeptPieces

SHA = "0123456789abcdef"


def never() -> Chorale:
    """Fail: this piece is there already."""
    raise AssertionError("the piece was made twice")


def test_a_piece_is_made_once_and_read_afterwards(tmp_path: Path) -> None:
    """With its notes, in a folder that need not exist."""
    made = random_chorale(0, 20)
    kept = KeptPieces.of(tmp_path / "new", "tiny", SHA, "new")
    first, second = kept.piece(3, lambda: made), kept.piece(3, never)
    assert (first.pitches == made.pitches).all()
    assert (second.pitches == made.pitches).all()


def test_pieces_of_other_weights_or_another_task_are_not_taken(tmp_path: Path) -> None:
    """A model of the same name with other weights writes its own."""
    one, other = random_chorale(0, 20), random_chorale(1, 20)
    KeptPieces.of(tmp_path, "tiny", SHA, "new").piece(0, lambda: one)
    for sha256, task in ((SHA[::-1], "new"), (SHA, "melodies")):
        found = KeptPieces.of(tmp_path, "tiny", sha256, task).piece(0, lambda: other)
        assert (found.pitches == other.pitches).all()


def test_nothing_is_kept_without_a_folder() -> None:
    """Each call makes a piece."""
    one, other = random_chorale(0, 20), random_chorale(1, 20)
    kept = KeptPieces.of(None, "tiny", SHA, "new")
    assert kept.piece(0, lambda: one) is one
    assert kept.piece(0, lambda: other) is other
