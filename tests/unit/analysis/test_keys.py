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


@pytest.mark.parametrize("semitones", [0, 5])
@pytest.mark.parametrize("tune", ["C D E F G F E D", "C B C", "E F E", "G E C", "C"])
def test_a_short_tune_in_the_white_notes_is_in_c_major(tune: str, semitones: int) -> None:
    """Passing notes do not outweigh the first note, the last one and the scale."""
    pitches = {"C": 72, "D": 74, "E": 76, "F": 77, "G": 67, "B": 71}
    line = [(pitches[name] + semitones,) for name in tune.split()]
    assert keys.estimate(np.array(line, dtype=np.int16)) == Key.of(semitones, "major")


def test_a_short_tune_with_a_minor_third_is_in_minor() -> None:
    """A C B A with G# is in A minor, wherever the melody stands among the voices."""
    line = [69, 72, 71, 69, 68, 69]
    alone = np.full((6, 4), REST, dtype=np.int16)
    alone[:, 2] = line
    assert keys.estimate(alone) == Key("A", "minor")


def test_four_voices_are_judged_by_correlation_alone() -> None:
    """First and last notes count in a melody only."""
    for seed in range(5):
        pitches = random_chorale(seed, 40).pitches
        of_keys = keys.correlations(pitches)
        assert keys.estimate(pitches) == max(of_keys, key=of_keys.__getitem__)
