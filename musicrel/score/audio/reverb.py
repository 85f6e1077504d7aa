"""Convolution reverb with the synthetic impulse response of a small chapel.

The impulse response is a few early reflections and exponentially decaying noise, treble faster than
bass, generated from a fixed seed. Sound is convolved chunk by chunk with overlap-save.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.score.audio.timbre import Samples

Spectrum = npt.NDArray[np.complex64] | npt.NDArray[np.complex128]

LENGTH: Final = 65_536
"""Samples of the impulse response, and of each chunk of sound."""

_SEED: Final = 1685
_BANDS: Final = ((0.0, 250.0, 1.5), (250.0, 1500.0, 1.6), (1500.0, 4000.0, 1.1), (4000.0, 1e9, 0.6))
"""Lower and upper frequency (Hz) and decay time RT60 (s) of each band."""
_BAND_LEVELS: Final = (0.7, 1.0, 0.7, 0.35)
_PREDELAY: Final = 0.018
_SWELL: Final = 0.04
"""Seconds over which the diffuse noise fades in."""
_EARLY: Final = (
    (0.0113, 0.30, 0.10), (0.0167, 0.08, 0.28), (0.0231, 0.20, 0.06), (0.0293, 0.05, 0.22),
    (0.0379, 0.15, 0.12), (0.0457, 0.10, 0.16),
)  # fmt: skip
"""Delay (s), left and right amplitude of each early reflection, relative to noise of energy 1."""
_DECIBELS_60: Final = 6.9078
"""Natural logarithm of 60 dB (a factor of 1000)."""
_FADE_SHARE: Final = 0.2


@lru_cache(maxsize=4)
def impulse_response(rate: int) -> Samples:
    """Return the stereo impulse response, normalised to energy 1 in each channel.

    Args:
        rate: sample rate in Hz.

    Returns:
        float32 (2, LENGTH): left and right.
    """
    channels = np.stack([_noise(rate, channel) for channel in range(2)])
    channels /= np.sqrt((channels**2).sum(axis=1, keepdims=True))
    for second, left, right in _EARLY:
        channels[:, round(second * rate)] += left, right
    channels /= np.sqrt((channels**2).sum(axis=1, keepdims=True))
    normalised: Samples = channels.astype(np.float32)
    normalised.setflags(write=False)
    return normalised


def reverberate(before: Samples, sound: Samples, rate: int) -> Samples:
    """Convolve one chunk of sound with the impulse response.

    Args:
        before: float32 (..., 1 or 2, LENGTH), the previous chunk, mono or stereo.
        sound: the current chunk, of the same shape.
        rate: sample rate in Hz.

    Returns:
        float32 (..., 2, LENGTH): the stereo reverb during ``sound``, with the tail of ``before``.
    """
    spectrum = np.fft.rfft(np.concatenate([before, sound], axis=-1))
    convolved = np.fft.irfft(spectrum * _spectrum(rate), 2 * LENGTH)
    return convolved[..., LENGTH:].astype(np.float32, copy=False)


@lru_cache(maxsize=4)
def _spectrum(rate: int) -> Spectrum:
    return np.fft.rfft(impulse_response(rate), 2 * LENGTH)


def _noise(rate: int, channel: int) -> npt.NDArray[np.float64]:
    """Generate the decaying noise of one channel, float64 (LENGTH,)."""
    white = np.random.default_rng((_SEED, channel)).standard_normal(LENGTH)
    spectrum, frequencies = np.fft.rfft(white), np.fft.rfftfreq(LENGTH, 1 / rate)
    seconds = np.arange(LENGTH) / rate - _PREDELAY
    total = np.zeros(LENGTH)
    for (low, high, decay), level in zip(_BANDS, _BAND_LEVELS, strict=True):
        band = np.where((frequencies >= low) & (frequencies < high), spectrum, 0)
        total += level * np.fft.irfft(band, LENGTH) * np.exp(-_DECIBELS_60 * seconds / decay)
    fade_out = np.linspace(1, 0, LENGTH) / _FADE_SHARE  # no click where the response is cut
    return total * np.clip(seconds / _SWELL, 0, 1) * np.clip(fade_out, 0, 1)
