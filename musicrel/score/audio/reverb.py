"""The room around the voices: a small chapel, as the answer of its walls to one clap.

The answer is a few early reflections and noise that dies away, treble sooner than bass, made from
a fixed seed; sound is put into the room by fast convolution (overlap-save), piece by piece. This
file knows nothing of notes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.score.audio.timbre import Samples

Spectrum = npt.NDArray[np.complex64] | npt.NDArray[np.complex128]

LENGTH: Final = 65_536
"""Samples of the answer, and of each piece of sound put into the room."""

_SEED: Final = 1685
_BANDS: Final = ((0.0, 250.0, 1.5), (250.0, 1500.0, 1.6), (1500.0, 4000.0, 1.1), (4000.0, 1e9, 0.6))
"""From hertz, to hertz, seconds until the band is 60 decibels softer."""
_BAND_LEVELS: Final = (0.7, 1.0, 0.7, 0.35)
_PREDELAY: Final = 0.018
_SWELL: Final = 0.04
"""Seconds in which the noise sets in, after the early reflections."""
_EARLY: Final = (
    (0.0113, 0.30, 0.10), (0.0167, 0.08, 0.28), (0.0231, 0.20, 0.06), (0.0293, 0.05, 0.22),
    (0.0379, 0.15, 0.12), (0.0457, 0.10, 0.16),
)  # fmt: skip
"""Second, left and right amplitude of each early reflection, beside noise of energy 1."""
_DECIBELS_60: Final = 6.9078
_FADE_SHARE: Final = 0.2


@lru_cache(maxsize=4)
def response(rate: int) -> Samples:
    """The answer to one clap, of energy 1 in each ear.

    Args:
        rate: samples a second.

    Returns:
        float32 (2, LENGTH): left and right.
    """
    ears = np.stack([_noise(rate, ear) for ear in range(2)])
    ears /= np.sqrt((ears**2).sum(axis=1, keepdims=True))
    for second, left, right in _EARLY:
        ears[:, round(second * rate)] += left, right
    heard: Samples = (ears / np.sqrt((ears**2).sum(axis=1, keepdims=True))).astype(np.float32)
    heard.setflags(write=False)
    return heard


def reverberate(before: Samples, sound: Samples, rate: int) -> Samples:
    """What the room adds to ``sound``.

    Args:
        before: float32 (..., 1 or 2, LENGTH), what sounded just before: the same for both ears,
            or left and right.
        sound: what sounds now, of the same shape.
        rate: samples a second.

    Returns:
        float32 (..., 2, LENGTH): left and right while ``sound`` sounds, tails of ``before`` in it.
    """
    spectrum = np.fft.rfft(np.concatenate([before, sound], axis=-1))
    answered = np.fft.irfft(spectrum * _spectrum(rate), 2 * LENGTH)
    return answered[..., LENGTH:].astype(np.float32, copy=False)


@lru_cache(maxsize=4)
def _spectrum(rate: int) -> Spectrum:
    return np.fft.rfft(response(rate), 2 * LENGTH)


def _noise(rate: int, ear: int) -> npt.NDArray[np.float64]:
    """Noise that dies away, float64 (LENGTH,)."""
    white = np.random.default_rng((_SEED, ear)).standard_normal(LENGTH)
    spectrum, frequencies = np.fft.rfft(white), np.fft.rfftfreq(LENGTH, 1 / rate)
    seconds = np.arange(LENGTH) / rate - _PREDELAY
    total = np.zeros(LENGTH)
    for (low, high, lasting), level in zip(_BANDS, _BAND_LEVELS, strict=True):
        band = np.where((frequencies >= low) & (frequencies < high), spectrum, 0)
        total += level * np.fft.irfft(band, LENGTH) * np.exp(-_DECIBELS_60 * seconds / lasting)
    return total * np.clip(seconds / _SWELL, 0, 1) * np.clip(_to_the_end(), 0, 1)


def _to_the_end() -> npt.NDArray[np.float64]:
    """Falls from above 1 to 0 where the answer is cut off, so that the cut is not heard."""
    return np.linspace(1, 0, LENGTH) / _FADE_SHARE
