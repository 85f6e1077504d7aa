"""Wavetables of organ and choir: levels and band limits."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Voice
from musicrel.score.audio.timbre import TABLE_SIZE, TIMBRES, frequency_hz, wavetables
from musicrel.score.instruments import Sound

SOUNDS: tuple[Sound, ...] = ("organ", "choir")


@pytest.mark.parametrize("sound", SOUNDS)
@pytest.mark.parametrize("pitch", [0, 36, 60, 81, 127])
def test_no_partial_lies_above_half_the_sample_rate(sound: Sound, pitch: int) -> None:
    """Except for a fundamental that is itself above."""
    for row, source in zip(
        wavetables(sound, Voice.BASS, pitch, 44_100),
        TIMBRES[sound].sources[Voice.BASS],
        strict=True,
    ):
        amplitudes = np.abs(np.fft.rfft(row[:TABLE_SIZE]))
        present = np.flatnonzero(amplitudes > 1e-4 * amplitudes.max())
        assert present.min() == 1
        assert present.max() * frequency_hz(pitch, source) < max(
            0.45 * 44_100, frequency_hz(pitch, source) + 1
        )


@pytest.mark.parametrize("sound", SOUNDS)
@pytest.mark.parametrize("voice", Voice)
def test_each_source_has_its_level_at_every_pitch(sound: Sound, voice: Voice) -> None:
    """A scale has an even loudness."""
    levels = [source.level for source in TIMBRES[sound].sources[voice]]

    for pitch in range(36, 82, 5):
        rows = wavetables(sound, voice, pitch, 48_000)[:, :TABLE_SIZE]
        assert np.sqrt((rows**2).mean(axis=1)) == pytest.approx(levels, rel=1e-3)


def test_a_period_closes() -> None:
    """The last sample repeats the first, for interpolation."""
    rows = wavetables("choir", Voice.ALTO, 65, 44_100)

    assert rows.shape == (4, TABLE_SIZE + 1)
    assert np.array_equal(rows[:, -1], rows[:, 0])


def test_a_sounds_at_440_hertz() -> None:
    """And an octave-high rank at twice that."""
    principal, octave = TIMBRES["organ"].sources[Voice.SOPRANO]

    assert frequency_hz(69, principal) == 440
    assert frequency_hz(57, octave) == pytest.approx(440, rel=1e-3)
