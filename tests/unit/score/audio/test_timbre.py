"""Periods of organ and choir: loud as told, and without what a sample rate cannot hold."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Voice
from musicrel.score.audio.timbre import TABLE, TIMBRES, Sound, hertz, periods

SOUNDS: tuple[Sound, ...] = ("organ", "choir")


@pytest.mark.parametrize("sound", SOUNDS)
@pytest.mark.parametrize("pitch", [0, 36, 60, 81, 127])
def test_no_partial_lies_above_half_the_sample_rate(sound: Sound, pitch: int) -> None:
    """Where the fundamental itself fits."""
    for row, source in zip(
        periods(sound, Voice.BASS, pitch, 44_100), TIMBRES[sound].sources[Voice.BASS], strict=True
    ):
        amplitudes = np.abs(np.fft.rfft(row[:TABLE]))
        present = np.flatnonzero(amplitudes > 1e-4 * amplitudes.max())
        assert present.min() == 1
        assert present.max() * hertz(pitch, source) < max(0.45 * 44_100, hertz(pitch, source) + 1)


@pytest.mark.parametrize("sound", SOUNDS)
@pytest.mark.parametrize("voice", Voice)
def test_each_source_is_as_loud_as_its_level_at_every_pitch(sound: Sound, voice: Voice) -> None:
    """No note sticks out of a scale."""
    levels = [source.level for source in TIMBRES[sound].sources[voice]]

    for pitch in range(36, 82, 5):
        rows = periods(sound, voice, pitch, 48_000)[:, :TABLE]
        assert np.sqrt((rows**2).mean(axis=1)) == pytest.approx(levels, rel=1e-3)


def test_a_period_closes() -> None:
    """The sample after the last is the first, so reading between samples needs no seam."""
    rows = periods("choir", Voice.ALTO, 65, 44_100)

    assert rows.shape == (4, TABLE + 1)
    assert np.array_equal(rows[:, -1], rows[:, 0])


def test_a_sounds_at_440_hertz() -> None:
    """And an octave-high rank at twice that."""
    principal, octave = TIMBRES["organ"].sources[Voice.SOPRANO]

    assert hertz(69, principal) == 440
    assert hertz(57, octave) == pytest.approx(440, rel=1e-3)
