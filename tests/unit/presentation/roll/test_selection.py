"""Some voices over some time."""

from __future__ import annotations

import pytest

from musicrel.chorale import Chorale
from musicrel.editing.selection import Selection
from musicrel.errors import UsageError
from musicrel.presentation.roll import roll
from musicrel.presentation.roll.selection import describe, in_band, parts_in

PICTURE = roll.draw(Chorale.of([[72, 67, 64, 48]] * 8 + [[74, 65, 62, 50]] * 8))


def some(voices: tuple[int, ...] = (1,), start: int = 4, stop: int = 8) -> Selection:
    return Selection(voices=voices, start=start, stop=stop)


@pytest.mark.parametrize(
    ("voices", "start", "stop", "text"),
    [
        ((), 0, 1, r"selected voices are \(\): expected at least one of 0 to 3"),
        ((2, 1), 0, 1, "in order"),
        ((4,), 0, 1, r"selected voices are \(4,\)"),
        ((0,), 3, 3, "selected steps are 3 to 3: expected at least one"),
        ((0,), -1, 3, "at least one, from 0"),
    ],
)
def test_nothing_cannot_be_selected(
    voices: tuple[int, ...], start: int, stop: int, text: str
) -> None:
    """Nor what no piece has."""
    with pytest.raises(UsageError, match=text):
        some(voices, start, stop)


def test_note_is_selected_from_its_beginning_to_its_end() -> None:
    """Its first cell is the one it begins in."""
    selected = Selection.of_note(PICTURE.notes[5])

    assert selected == some((1,), 8, 16)
    assert selected.cell == 33


def test_joined_selections_cover_both() -> None:
    """All voices of both, and the time between them too."""
    assert some((1,), 0, 2).joined(some((3,), 6, 7)) == some((1, 3), 0, 7)


def test_voices_are_put_in_and_out() -> None:
    """The last one stays."""
    assert some((1,)).toggled(3) == some((1, 3))
    assert some((1, 3)).toggled(1) == some((3,))
    assert some((1,)).toggled(1) == some((1,))


def test_cell_is_moved_within_the_piece() -> None:
    """From the first cell of what was selected."""
    assert some((1, 2), 4, 8).moved(1, 0, 16) == some((1,), 5, 6)
    assert some((0,), 0, 1).moved(-1, -1, 16) == some((0,), 0, 1)
    assert some((3,), 15, 16).moved(1, 1, 16) == some((3,), 15, 16)


def test_end_is_stretched_within_the_piece() -> None:
    """One step stays."""
    assert some(start=4, stop=8).stretched(1, 16).stop == 9
    assert some(start=4, stop=5).stretched(-1, 16).stop == 5
    assert some(start=4, stop=16).stretched(1, 16).stop == 16


def test_rubber_band_selects_voices_with_a_note_in_it() -> None:
    """Whole steps, whichever way it is drawn."""
    assert in_band(PICTURE, (9.7, 3.2), (60, 66)) == some((1, 2), 3, 10)
    assert in_band(PICTURE, (1.0, 2.0), (80, 76)) is None
    assert in_band(PICTURE, (-5.0, 99.0), (36, 82)) == some((0, 1, 2, 3), 0, 16)


def test_notes_are_cut_at_the_edges() -> None:
    """So that what is outlined is what is selected."""
    parts = parts_in(PICTURE, some((1,), 6, 10))

    assert [(note.start, note.stop, note.pitch) for note in parts] == [(6, 8, 67), (8, 10, 65)]


def test_a_selection_is_described() -> None:
    """A single step has one place."""
    assert describe(some((0, 3), 0, 8), PICTURE) == "Soprano, Bass: bar 1, beat 1 to bar 1, beat 2¾"
    assert describe(some((2,), 4, 5), PICTURE) == "Tenor: bar 1, beat 2"
