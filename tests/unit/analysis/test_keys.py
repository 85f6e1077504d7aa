"""Key estimation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.analysis import keys
from musicrel.chorale import REST, Chorale, Key
from tests.helpers.music import random_chorale

CADENCE = np.array([[69, 65, 60, 53], [71, 67, 62, 55], [72, 67, 64, 48]], dtype=np.int16)


def test_a_cadence_determines_its_key() -> None:
    """F, G and C major give C major, a tone higher D major."""
    assert keys.estimate(CADENCE) == Key("C", "major")
    assert keys.estimate(CADENCE + np.int16(2)) == Key("D", "major")


@pytest.mark.parametrize("seed", range(5))
def test_a_fit_is_the_correlation_with_the_profile(seed: int) -> None:
    """The values equal those of numpy."""
    pitches = random_chorale(seed, 40).pitches
    duration = np.bincount(pitches[pitches != REST] % 12, minlength=12)
    of_keys = keys.correlations(pitches)
    assert len(of_keys) == 24
    for key, fit in of_keys.items():
        profile = np.roll(keys.KRUMHANSL_KESSLER[key.mode], key.pitch_class)
        assert fit == pytest.approx(np.corrcoef(duration, profile)[0, 1], abs=1e-12)


def test_silence_and_all_twelve_tones_fit_no_key_better() -> None:
    """All correlations are zero, without a warning."""
    silent = np.full((2, 4), REST, dtype=np.int16)
    chromatic = np.arange(60, 72, dtype=np.int16).reshape(3, 4)
    assert set(keys.correlations(silent).values()) == {0.0}
    assert set(keys.correlations(chromatic).values()) == {0.0}


def test_only_a_sounding_piece_without_a_key_gets_one() -> None:
    """An existing key stays, and silence has none."""
    piece = Chorale.of(CADENCE)
    assert keys.with_key(piece).key == Key("C", "major")
    named = replace(piece, key=Key("A", "minor"))
    assert keys.with_key(named) is named
    silent = Chorale.of(np.full((4, 4), REST))
    assert keys.with_key(silent).key is None
