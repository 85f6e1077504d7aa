"""Rules about two voices as tables, against the masks they stand for."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import REST, Voice
from musicrel.generation.constraints.locks import UNKNOWN
from musicrel.generation.constraints.rule_tables import columns_of, pair_tables
from musicrel.generation.constraints.rules import COLUMNS, REST_COLUMN, PairRules
from musicrel.tokens.vocabulary import HIGHEST_PITCH, LOWEST_PITCH

ROWS = 3000


@pytest.mark.parametrize("rules", [("crossing",), ("parallels",), ("crossing", "parallels")])
@pytest.mark.parametrize("voice", list(Voice))
def test_looked_up_pitches_are_those_of_the_masks(rules: tuple[str, ...], voice: Voice) -> None:
    """Between all pairs of voices, with rests and unknown pitches."""
    random = np.random.default_rng(int(voice))
    pitches = np.array([REST, UNKNOWN, *range(LOWEST_PITCH, HIGHEST_PITCH + 1, 1)])
    before, now, after = pitches[random.integers(0, len(pitches), size=(3, ROWS, len(Voice)))]
    expected = PairRules(rules).legal_pitches(voice, before, now, after)

    at_once, moved = pair_tables(rules)
    sets = np.full(ROWS, ~np.uint64(0))
    for other in (other for other in Voice if other != voice):
        present = columns_of(now[:, other])
        sets &= at_once[voice, other, present]
        for step in (before, after):
            sets &= moved[columns_of(step[:, voice]), columns_of(step[:, other]), present]
    found = (sets[:, None] >> np.arange(COLUMNS, dtype=np.uint64)) & np.uint64(1)

    assert np.array_equal(found.astype(np.bool_), expected)
    assert not expected.all()


def test_without_rules_there_are_no_tables() -> None:
    """They would take a quarter of a second."""
    at_once, moved = pair_tables(())

    assert at_once.size == moved.size == 0


def test_rests_and_unknown_pitches_share_a_column() -> None:
    """Neither breaks a rule."""
    found = columns_of(np.array([LOWEST_PITCH, HIGHEST_PITCH, REST, UNKNOWN]))

    assert found.tolist() == [0, REST_COLUMN - 1, REST_COLUMN, REST_COLUMN]
