"""The key the notes speak for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.analysis import keys
from musicrel.chorale import REST, Chorale, Key
from tests.helpers.music import random_chorale

CADENCE = np.array([[69, 65, 60, 53], [71, 67, 62, 55], [72, 67, 64, 48]], dtype=np.int16)


def test_a_cadence_speaks_for_its_key() -> None:
    """F, G and C major make C major, a tone higher D major."""
    assert keys.analysed(CADENCE) == Key("C", "major")
    assert keys.analysed(CADENCE + np.int16(2)) == Key("D", "major")


@pytest.mark.parametrize("seed", range(5))
def test_a_fit_is_the_correlation_with_the_profile(seed: int) -> None:
    """As numpy computes it."""
    pitches = random_chorale(seed, 40).pitches
    heard = np.bincount(pitches[pitches != REST] % 12, minlength=12)
    of_keys = keys.fits(pitches)
    assert len(of_keys) == 24
    for key, fit in of_keys.items():
        profile = np.roll(keys.KRUMHANSL_KESSLER[key.mode], key.pitch_class)
        assert fit == pytest.approx(np.corrcoef(heard, profile)[0, 1], abs=1e-12)


def test_silence_and_all_twelve_tones_fit_no_key_better() -> None:
    """Zero for all, without a warning."""
    silent = np.full((2, 4), REST, dtype=np.int16)
    chromatic = np.arange(60, 72, dtype=np.int16).reshape(3, 4)
    assert set(keys.fits(silent).values()) == {0.0}
    assert set(keys.fits(chromatic).values()) == {0.0}


def test_a_piece_is_given_a_key_only_where_it_names_none_and_sounds() -> None:
    """The key that was named stays, and silence has none."""
    piece = Chorale.of(CADENCE)
    assert keys.with_key(piece).key == Key("C", "major")
    named = replace(piece, key=Key("A", "minor"))
    assert keys.with_key(named) is named
    silent = Chorale.of(np.full((4, 4), REST))
    assert keys.with_key(silent).key is None
