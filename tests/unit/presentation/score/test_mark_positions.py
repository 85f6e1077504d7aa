"""Positions of marks on a roll, and their summary."""

from __future__ import annotations

from dataclasses import replace

from musicrel.chorale import REST, Chorale
from musicrel.presentation.roll import marks, roll
from musicrel.presentation.roll.roll import RollNote
from musicrel.presentation.score import mark_positions
from musicrel.presentation.score.mark_positions import Link, MarkPositions
from musicrel.presentation.score.score_picture import Column, Head, System

FIFTHS = Chorale.of([(67, REST, REST, 60)] * 20 + [(69, REST, REST, 62)] * 4)
UPPER, LOWER = RollNote(20, 24, 69, 0), RollNote(20, 24, 62, 3)


def test_marks_lie_on_the_notes_at_fault() -> None:
    """Each once, with a line between the two."""
    found = mark_positions.locate(roll.draw(FIFTHS), marks.marks(FIFTHS))
    assert found == MarkPositions((LOWER, UPPER), (Link(20, 21, 69, 62),))


def test_a_note_knows_its_marks() -> None:
    """And no other's."""
    found = marks.marks(FIFTHS)
    assert mark_positions.marks_of(found, UPPER) == found
    assert mark_positions.marks_of(found, RollNote(0, 20, 67, 0)) == ()


def test_a_marked_note_has_a_sentence_with_bachs_rate() -> None:
    """One sentence for each mark."""
    (text,) = mark_positions.descriptions(marks.marks(FIFTHS), UPPER)
    assert text.startswith("Parallel fifths: Soprano and Bass, bar 2, beat 2.")
    assert text.endswith("Bach: 0.64 per 1,000 notes.")


def test_marks_lie_on_the_heads_of_a_score() -> None:
    """Of the system that has their step, the highest on the page first."""
    heads = tuple(
        Head(note=note, start=note.start, stop=note.stop, x=0.0, y=float(-note.pitch))
        for note in (LOWER, RollNote(0, 20, 60, 3), UPPER)
    )
    system = System(
        ink=(), heads=heads, staves=(), columns=(Column(16, 0.0), Column(24, 9.0)), lines=(),
        top=0.0, bottom=1.0, right=9.0,
    )  # fmt: skip
    before = replace(system, columns=(Column(0, 0.0), Column(16, 9.0)))

    assert [
        [h.note for h in heads] for heads in mark_positions.on_system(system, marks.marks(FIFTHS))
    ] == [[UPPER, LOWER]]
    assert mark_positions.on_system(before, marks.marks(FIFTHS)) == ()


def test_marks_of_another_piece_lie_on_nothing() -> None:
    """No note sounds there."""
    silent = Chorale.of([(REST, REST, REST, 60)] * 24)
    assert mark_positions.locate(roll.draw(silent), marks.marks(FIFTHS)).links == ()
