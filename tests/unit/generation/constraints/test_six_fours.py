"""Untreated 6-4 chords."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from musicrel.chorale import REST
from musicrel.generation.constraints import six_fours

D_MINOR, C_OVER_G, G, C = (74, 69, 65, 50), (76, 72, 67, 55), (74, 71, 67, 55), (76, 72, 67, 48)
F_OVER_F, C_OVER_E = (72, 69, 65, 53), (72, 67, 60, 52)


def untreated(*chords: Sequence[int]) -> bool:
    """Return whether the second chord of some is an untreated 6-4 chord."""
    return six_fours.is_untreated(np.repeat(np.array(chords), 4, axis=0), 4)


def test_a_chord_that_is_reached_or_left_by_leap_is_untreated() -> None:
    """Over a bass that moves on."""
    assert untreated(D_MINOR, C_OVER_G, C)
    assert untreated((72, 69, 65, 53), C_OVER_G, C)


def test_a_cadential_one_is_treated() -> None:
    """Another chord follows over its bass."""
    assert not untreated(D_MINOR, C_OVER_G, G)


def test_a_passing_one_is_treated() -> None:
    """Its bass comes and goes by step."""
    g_over_d = (71, 67, 62, 50)
    assert not untreated((72, 67, 64, 48), g_over_d, C_OVER_E)


@pytest.mark.parametrize("chord", [C, G, (76, 72, REST, 55)])
def test_other_chords_are_none(chord: Sequence[int]) -> None:
    """Nor are those with a rest."""
    assert not untreated(D_MINOR, chord, F_OVER_F)
