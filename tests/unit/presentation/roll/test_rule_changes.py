"""Changes of the rule violations by a change of a piece."""

from __future__ import annotations

from dataclasses import replace

import pytest

from musicrel.chorale import REST, Chorale, Provenance
from musicrel.generation.request import GenerationRequest
from musicrel.presentation.roll import marks, rule_changes
from musicrel.presentation.roll.rule_changes import RuleChanges

SIXTH = (69, REST, REST, 60)
FIFTH = (67, REST, REST, 60)
HIGHER = (69, REST, REST, 62)
FINE = Chorale.of([SIXTH] * 16 + [HIGHER] * 16)
WRONG = Chorale.of([FIFTH] * 16 + [HIGHER] * 16)


def changes(before: Chorale, after: Chorale) -> RuleChanges:
    """Return what the change did."""
    return rule_changes.compare(before, after, marks.marks(after))


def test_a_broken_rule_is_new_and_a_removed_one_fixed() -> None:
    """With rule, voices and place."""
    what = "parallel fifths, Soprano and Bass, bar 2, beat 1"
    assert changes(FINE, WRONG).describe() == f"New: {what}"
    assert changes(WRONG, FINE).describe() == f"Fixed: {what}"
    assert changes(WRONG, WRONG) == RuleChanges()
    assert RuleChanges().describe() == ""


@pytest.mark.parametrize("bars", [1, 2])
def test_violations_after_inserted_bars_are_not_new(bars: int) -> None:
    """Nor are they in a shorter piece."""
    silence = Chorale.of([(REST,) * 4] * 16 * bars)
    longer = Chorale.of([*silence.pitches, *WRONG.pitches])
    assert changes(WRONG, longer) == RuleChanges()
    assert changes(longer, WRONG) == RuleChanges()


def test_a_passage_that_gets_longer_is_the_same_violation() -> None:
    """Crossed voices stay crossed."""
    crossed, apart = (60, 67, 54, 43), (72, 67, 55, 43)
    short = Chorale.of([crossed] * 3 + [apart] * 5)
    longer = Chorale.of([crossed] * 4 + [apart] * 4)
    found = changes(short, longer)
    assert "crossing" not in [mark.rule for mark in (*found.new, *found.fixed)]
    assert "crossing" in [mark.rule for mark in changes(FINE, short).new]


def test_other_ranges_of_a_request_break_no_rule() -> None:
    """The bass is below a range that only the generated piece was requested with."""
    low = Chorale.of([(67, 60, 55, 37)] * 16)
    request = GenerationRequest(bars=1, ranges=((60, 81), (53, 76), (48, 69), (40, 64)))
    origin = Provenance(model="relative", sha256="0", seed=1, settings=request.to_json())
    narrow = replace(low, provenance=origin)
    assert [mark.rule for mark in marks.marks(narrow)] == ["range"]
    assert changes(low, narrow) == changes(narrow, low) == RuleChanges()


def test_many_violations_are_counted() -> None:
    """Their places would not fit in a line, and their rules are in that of the piece."""
    steps = [FIFTH, HIGHER] * 8
    piece = Chorale.of([step for step in steps for _ in range(2)])
    still = Chorale.of([FIFTH] * 32)
    assert (changes(still, piece).describe(), changes(still, piece).count()) == ("", "15 new")
    assert (changes(piece, still).describe(), changes(piece, still).count()) == ("", "15 fixed")
    assert changes(FINE, WRONG).count() == ""
