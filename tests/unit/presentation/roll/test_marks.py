"""Marks at rule violations."""

from __future__ import annotations

from musicrel.analysis import voice_leading
from musicrel.analysis.rules import RULES
from musicrel.chorale import REST, Chorale, Voice
from musicrel.editing.selection import Selection
from musicrel.presentation.roll import marks
from musicrel.presentation.roll.marks import Mark
from tests.helpers.music import random_chorale

FIFTHS = Chorale.of([(67, REST, REST, 60)] * 20 + [(69, REST, REST, 62)] * 4)


def test_a_mark_has_place_voices_and_rule() -> None:
    """With Bach's own rate beside it."""
    assert marks.marks(FIFTHS) == (
        Mark(
            step=20,
            stop=21,
            previous=19,
            voices=(Voice.SOPRANO, Voice.BASS),
            rule="parallel_fifths",
            where="bar 2, beat 2",
            bach="Bach: 0.64 per 1,000 notes",
        ),
    )


def test_a_mark_describes_the_violation_and_names_its_source() -> None:
    """In a sentence, and in parts for a list."""
    (mark,) = marks.marks(FIFTHS)
    assert mark.sentence == (
        "Parallel fifths: Soprano and Bass, bar 2, beat 2. Two voices a fifth or twelfth apart "
        "move in the same direction to another fifth or twelfth."
    )
    assert (mark.title, mark.who) == ("Parallel fifths", "Soprano and Bass")
    assert mark.source == "Source: Fux, Gradus ad Parnassum (1725)"
    assert mark.sentence.endswith(mark.explanation)


def test_a_violation_selects_both_notes_of_its_voices() -> None:
    """Up to the next note of either; a passage selects its own steps."""
    piece = Chorale.of(
        [(67, REST, REST, 60)] * 4 + [(69, REST, REST, 62)] * 4 + [(71, REST, REST, 62)] * 2
    )
    (mark,) = marks.marks(piece)
    assert marks.selected_by(piece, mark) == Selection(voices=(0, 3), start=0, stop=8)
    crossed = Chorale.of([(72, 67, 55, 43)] * 2 + [(60, 67, 54, 43)] * 3)
    (mark,) = marks.marks(crossed, ("crossing",))
    assert marks.selected_by(crossed, mark) == Selection(voices=(0, 1), start=2, stop=5)


def test_a_passage_is_one_mark() -> None:
    """From its first step to the one after its last."""
    crossed = Chorale.of([(60, 67, 54, 43)] * 3 + [(72, 67, 55, 43)] * 3)
    found = [(mark.step, mark.stop, mark.previous) for mark in marks.marks(crossed, ("crossing",))]
    assert found == [(0, 3, None)]


def test_there_is_a_mark_for_every_finding() -> None:
    """In the order of the steps, each in a sentence."""
    music = random_chorale(3, 60)
    found = marks.marks(music, tuple(RULES))
    assert len(found) == voice_leading.rates(music, rules=tuple(RULES)).total
    assert [mark.step for mark in found] == sorted(mark.step for mark in found)
    assert all(mark.sentence.endswith(".") for mark in found)


def test_summary_names_what_is_broken_beside_bach() -> None:
    """A line, and one for each broken rule."""
    rates = voice_leading.rates(FIFTHS)

    assert marks.summary_line(rates) == "1 violation: parallel fifths 1"
    assert marks.summary_line(rates, "1 new") == "1 violation (1 new): parallel fifths 1"
    assert marks.summary_line(voice_leading.rates(FIFTHS.cropped(0, 20))) == marks.NO_VIOLATIONS
    assert marks.summary_lines(rates) == ("Parallel fifths: 1, 250.00 per 1,000 notes, Bach 0.64",)


def test_summary_has_the_most_frequent_rule_first() -> None:
    """A passage counts once, however long it is."""
    crossed = [(60, 67, 54, 43)] * 5 + [(72, 67, 55, 43)] * 3
    piece = Chorale.of([*crossed, *FIFTHS.pitches, *FIFTHS.pitches])

    assert marks.summary_line(voice_leading.rates(piece)) == (
        "7 violations: parallel fifths 3, voice crossing 1, overlap 1, wide spacing 1, "
        "leap beyond an octave 1"
    )
    assert len(marks.marks(piece)) == 7
