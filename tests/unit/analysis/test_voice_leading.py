"""Findings in order, rates in their units, and Bach's own rates."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.analysis import voice_leading
from musicrel.analysis.rules import DEFAULT_RULES, RULES, Unit
from musicrel.chorale import REST, Chorale
from musicrel.errors import UsageError
from tests.helpers import published
from tests.helpers.music import random_chorale

FIFTHS = Chorale.of([(67, REST, REST, 60), (69, REST, REST, 62)])


def test_findings_come_by_step() -> None:
    """The order does not depend on the rule."""
    steps = [finding.step for finding in voice_leading.find(random_chorale(3, 60))]
    assert len(steps) > 10
    assert steps == sorted(steps)


def test_only_the_rules_that_are_asked_for_are_checked() -> None:
    """One by name, or the default ones."""
    music = random_chorale(3, 60)
    asked = voice_leading.find(music, ("overlap",))
    usual = voice_leading.find(music)
    assert {finding.rule for finding in asked} == {"overlap"}
    assert {finding.rule for finding in usual} <= set(DEFAULT_RULES)
    assert [finding for finding in usual if finding.rule == "overlap"] == asked


def test_an_unknown_rule_is_named() -> None:
    """The message lists the known ones."""
    with pytest.raises(UsageError, match="there is no rule 'fun': expected one of parallel_fifths"):
        voice_leading.find(FIFTHS, ("fun",))


def test_every_rule_has_an_explanation_and_a_source() -> None:
    """Titles, explanations and sources are complete."""
    for rule in RULES.values():
        assert rule.explanation.endswith(".")
        assert rule.source
    assert len({rule.title for rule in RULES.values()}) == len(RULES)


def test_rates_are_by_note_or_by_step() -> None:
    """One parallel in four notes; one crossing in half the steps."""
    rates = voice_leading.rates(FIFTHS)
    assert (rates.notes, rates.steps) == (4, 2)
    assert rates.parallels == rates.of("parallel_fifths") == 250.0
    crossed = voice_leading.rates(Chorale.of([(60, 67, 54, 43), (72, 67, 55, 43)]))
    assert (crossed.crossing, crossed.spacing) == (50.0, 50.0)


def test_a_passage_counts_once_and_its_rate_by_its_steps() -> None:
    """The count is that of the findings for every rule."""
    piece = Chorale.of([(60, 67, 54, 43)] * 5 + [(72, 67, 55, 43)] * 3 + [(60, 67, 50, 43)] * 2)
    rates = voice_leading.rates(piece, rules=tuple(RULES))
    found = [finding.rule for finding in voice_leading.find(piece, tuple(RULES))]
    assert rates.counts == {rule: found.count(rule) for rule in RULES}
    assert rates.total == len(found)
    assert (rates.counts["crossing"], rates.crossing) == (2, 70.0)


def test_held_notes_count_once() -> None:
    """Notes are events, rests are none."""
    assert voice_leading.rates(Chorale.of([(60, REST, 55, 48)] * 4)).notes == 3


def test_several_pieces_are_pooled() -> None:
    """A long piece weighs more."""
    long = Chorale.of([(67, 60, 52, 45)] * 18)
    both = voice_leading.rates(FIFTHS, long)
    assert (both.notes, both.steps) == (8, 20)
    assert both.parallels == 125.0


def test_silence_has_no_parallels() -> None:
    """There is no division by zero notes."""
    assert voice_leading.rates(Chorale.of([[REST] * 4])).parallels == 0.0


PUBLISHED = {
    "train": (0.65, 0.59, 1.46, 0.53, 28.1, 2.37, 1.32, 0.59),
    "valid": (0.75, 0.38, 1.32, 0.69, 30.7, 2.95, 1.12, 0.50),
    "test": (0.86, 0.34, 1.71, 0.34, 24.9, 1.99, 1.59, 0.46),
    "js-fakes": (4.59, 4.71, 1.78, 0.61, 16.4, 1.14, 0.79, 0.58),
}
"""Fifths, octaves and unisons, hidden fifths, hidden octaves, overlap, crossing, spacing, leaps."""


def pieces_of(name: str) -> list[Chorale]:
    return published.js_fakes() if name == "js-fakes" else published.jsb16(name)


@published.needs_both
@pytest.mark.parametrize("name", list(PUBLISHED))
def test_the_rates_of_bach_and_his_imitation_are_the_published_ones(name: str) -> None:
    """They agree to the printed digits."""
    rates = voice_leading.rates(*pieces_of(name))
    octaves = rates.of("parallel_octaves") + rates.of("parallel_unisons")
    found = [rates.of("parallel_fifths"), octaves]
    rules = ("hidden_fifths", "hidden_octaves", "overlap", "crossing", "spacing", "wide_leap")
    found += [rates.of(rule) for rule in rules]
    for figure, expected in zip(found, PUBLISHED[name], strict=True):
        assert figure == pytest.approx(expected, abs=0.051 if expected > 10 else 0.0051)


@published.needs_both
@pytest.mark.parametrize(
    ("name", "share"), [("train", 82), ("valid", 83), ("test", 82), ("js-fakes", 24)]
)
def test_the_share_of_pieces_without_parallels_is_the_published_one(name: str, share: int) -> None:
    """In per cent."""
    pieces = pieces_of(name)
    clean = sum(not voice_leading.find(piece, voice_leading.PARALLELS) for piece in pieces)
    assert round(100 * clean / len(pieces)) == share


def test_units_are_printed_with_their_figures() -> None:
    """Passages are counted by step, motions by note."""
    by_step = {name for name, rule in RULES.items() if rule.unit is Unit.STEPS}
    assert by_step == {"crossing", "spacing", "range"}
    assert not any(RULES[name].moves for name in by_step)


def test_a_rule_is_broken_in_cells_that_the_violation_touches() -> None:
    """The motion to and from them counts; other voices do not."""
    music = Chorale.of([(67, REST, REST, 60)] * 4 + [(69, REST, REST, 62)] * 4)
    cells = np.zeros((8, 4), dtype=np.bool_)
    assert not voice_leading.breaks(music, "parallel_fifths", cells)
    cells[3, 3] = True
    assert voice_leading.breaks(music, "parallel_fifths", cells)
    assert not voice_leading.breaks(music, "parallel_octaves", cells)
    cells[:, 3], cells[:, 1:3], cells[:3, 0], cells[5:, 0] = False, True, True, True
    assert not voice_leading.breaks(music, "parallel_fifths", cells)
