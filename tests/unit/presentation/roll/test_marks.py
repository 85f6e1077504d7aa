"""Where a piece breaks a rule, to be drawn at the notes."""

from __future__ import annotations

from musicrel.analysis.rules import RULES, USUAL
from musicrel.chorale import REST, Chorale, Voice
from musicrel.presentation.roll import marks
from musicrel.presentation.roll.marks import Mark
from tests.helpers.music import random_chorale

FIFTHS = Chorale.of([(67, REST, REST, 60)] * 20 + [(69, REST, REST, 62)] * 4)


def test_a_mark_says_where_who_and_what() -> None:
    """With Bach's own rate beside it."""
    assert marks.marks(FIFTHS) == (
        Mark(
            step=20,
            stop=21,
            previous=19,
            voices=(Voice.SOPRANO, Voice.BASS),
            rule="parallel_fifths",
            sentence="Parallel fifths: Soprano and Bass, bar 2, beat 2. Two voices a fifth or "
            "twelfth apart move the same way and are so again.",
            bach="Bach: 0.64 per 1,000 notes",
        ),
    )


def test_a_passage_is_one_mark() -> None:
    """From its first step to the one after its last."""
    crossed = Chorale.of([(60, 67, 54, 43)] * 3 + [(72, 67, 55, 43)] * 3)
    found = [(mark.step, mark.stop, mark.previous) for mark in marks.marks(crossed, ("crossing",))]
    assert found == [(0, 3, None)]


def test_counts_stand_beside_bachs_rates() -> None:
    """Every rule looked for, also those that are kept."""
    counts = {count.rule: count for count in marks.counts(FIFTHS)}
    assert tuple(counts) == USUAL
    fifths = counts["parallel_fifths"]
    assert (fifths.found, fifths.rate, fifths.unit) == (1, 250.0, "per 1,000 notes")
    assert 0 < fifths.bach < 1
    assert counts["crossing"].found == 0


def test_there_is_a_mark_for_every_finding() -> None:
    """In the order of the steps, each in a sentence."""
    music = random_chorale(3, 60)
    found = marks.marks(music, tuple(RULES))
    assert len(found) == sum(count.found for count in marks.counts(music, tuple(RULES)))
    assert [mark.step for mark in found] == sorted(mark.step for mark in found)
    assert all(mark.sentence.endswith(".") for mark in found)
