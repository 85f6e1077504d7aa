"""Differences between a take and the piece it was made from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from musicrel.chorale import REST, Chorale
from musicrel.presentation.takes import changes
from musicrel.presentation.takes.changes import Changes

CHORDS = [(72, 67, 64, 48)] * 16
PIECE = Chorale.of(CHORDS)


def with_alto(pitch: int, start: int, stop: int) -> Chorale:
    """Return the piece with another pitch of the alto in some steps."""
    pitches = np.array(CHORDS)
    pitches[start:stop, 1] = pitch
    return Chorale.of(pitches)


def test_changed_notes_are_counted_and_their_steps_found() -> None:
    """Notes that are cut short by a new one have changed, too."""
    made = changes.compare(with_alto(69, 4, 8), PIECE)

    assert made.describe() == "3 notes changed"
    assert made.region == (4, 8)
    assert {(note.start, note.stop, note.pitch) for note in made.new} == {
        (0, 4, 67), (4, 8, 69), (8, 16, 67),
    }  # fmt: skip


def test_equal_pieces_have_no_changes() -> None:
    """Other attributes than the notes do not count."""
    made = changes.compare(Chorale.of(CHORDS, tempo=60.0, title="Other"), PIECE)

    assert made == Changes()
    assert (made.describe(), made.region) == ("no note changed", None)


def test_removed_notes_are_named() -> None:
    """Nothing was put in their place."""
    made = changes.compare(with_alto(REST, 0, 16), PIECE)

    assert made.describe() == "1 note removed"
    assert made.region == (0, 16)


def test_a_continuation_adds_bars() -> None:
    """Only the new bars have changed."""
    longer = Chorale.of([*CHORDS, *[(74, 69, 65, 50)] * 32])
    made = changes.compare(longer, PIECE)

    assert (made.describe(), made.added_bars) == ("2 bars added", 2)
    assert made.region == (16, 48)


def test_a_repeated_note_in_place_of_a_held_one_is_a_change() -> None:
    """The region has the steps with other onsets if all pitches are the same."""
    onsets = PIECE.onsets.copy()
    onsets[6, 1] = True
    made = changes.compare(replace(PIECE, onsets=onsets), PIECE)

    assert (made.region, made.describe()) == ((6, 7), "2 notes changed")


def test_a_shorter_piece_has_only_its_own_steps() -> None:
    """All its notes are shorter, but none has another pitch."""
    made = changes.compare(PIECE.cropped(0, 8), PIECE)

    assert (made.region, made.describe()) == (None, "4 notes changed")
