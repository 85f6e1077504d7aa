"""Notes that are dragged with the mouse."""

from __future__ import annotations

import pytest

from musicrel.presentation.roll import drag
from musicrel.presentation.roll.drag import Shift
from musicrel.presentation.roll.roll import RollNote
from musicrel.presentation.roll.viewport import Viewport

LOW, HIGH = RollNote(4, 8, 60, 1), RollNote(8, 10, 67, 1)


def dragged(kind: drag.Kind = "move", *notes: RollNote) -> drag.NoteDrag:
    """Return a drag of notes that begins in the middle of step 5 on C4."""
    return drag.NoteDrag(kind=kind, notes=notes or (LOW, HIGH), step=5.5, pitch=60)


@pytest.mark.parametrize(
    ("step", "pitch", "shift"),
    [(5.9, 60, (0, 0)), (6.1, 60, (1, 0)), (9.5, 62, (4, 2)), (0.0, 30, (-4, -30))],
)
def test_notes_move_by_whole_sixteenths(step: float, pitch: int, shift: tuple[int, int]) -> None:
    """They do not move before the beginning."""
    assert dragged().shift(step, pitch) == shift


def test_notes_stay_within_midi_numbers() -> None:
    """The highest and the lowest note of the drag are the limits."""
    assert dragged().shift(5.5, 200).semitones == 127 - 67
    assert dragged().shift(5.5, -80).semitones == -60


def test_one_direction_is_kept() -> None:
    """Shift lets notes move in time or in pitch only."""
    assert dragged().shift(9.5, 64, "time") == (4, 0)
    assert dragged().shift(9.5, 64, "pitch") == (0, 4)


def test_end_leaves_a_sixteenth() -> None:
    """The pitch does not change with the end."""
    assert dragged("resize", LOW).shift(1.0, 72) == (-3, 0)
    assert dragged("resize", LOW).moved(Shift(-3, 0)) == (RollNote(4, 5, 60, 1),)


def test_moved_notes_keep_their_distances() -> None:
    """Time and pitch change by the same amount for all."""
    assert dragged().moved(Shift(2, -1)) == (RollNote(6, 10, 59, 1), RollNote(10, 12, 66, 1))


def test_right_edge_of_a_short_note_is_narrow() -> None:
    """A third of it at most, so that the rest can be moved."""
    wide, narrow = Viewport(width=800, step_width=10.0), Viewport(width=800, step_width=2.0)
    assert drag.on_edge(wide, LOW, 74.0)
    assert not drag.on_edge(wide, LOW, 72.0)
    assert drag.on_edge(narrow, LOW, 14.0)
    assert not drag.on_edge(narrow, LOW, 12.0)
