"""The voices of organ and choir: wavetables with vibrato and drift, shaped by an envelope.

Every sample is a pure function of the note, its number and its own position.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from musicrel.score.audio.timbre import (
    TABLE_SIZE,
    TIMBRES,
    Doubles,
    Samples,
    ToneSource,
    frequency_hz,
    wavetables,
)
from musicrel.score.audio.voice_renderer import VoiceRenderer
from musicrel.score.instruments import Sound
from musicrel.score.performance import TimedNote

_CONTROL: Final = 64
"""Control period in samples: the pitch is computed once per period and interpolated linearly."""
_VIBRATO_FADE_IN: Final = 0.7
"""Seconds until the vibrato reaches its full depth."""
_GOLDEN: Final = 0.618_033_988_749_895
"""Golden ratio conjugate: the fractional parts of its multiples give evenly spread start phases."""
_AIR: Final = 131_072
"""Period of the breath noise in samples."""
_CONCERT_A: Final = 69
_AIR_BAND: Final = (900.0, 6500.0)


class SynthVoice(VoiceRenderer):
    """A voice of the built-in synthesizer.

    Args:
        notes: the notes in order.
        sound: organ or choir.
        rate: sample rate in Hz.
    """

    def __init__(self, notes: tuple[TimedNote, ...], sound: Sound, rate: int) -> None:
        super().__init__(notes, rate, round(TIMBRES[sound].release * rate))
        self._sound: Sound = sound

    def _render(self, number: int, low: int, high: int) -> Samples:
        """Render samples ``low`` to ``high`` of a note from its start."""
        sound = self._tone(number, low, high)
        sound += self._breath(number, low, high)
        sound *= self._envelope(self._ends[number] - self._starts[number], low, high)
        return sound

    def _tone(self, number: int, low: int, high: int) -> Samples:
        """Render samples ``low`` to ``high`` of a note (from its start), without envelope."""
        note = self._notes[number]
        table = wavetables(self._sound, note.voice, note.pitch, self._rate)
        first, last = low // _CONTROL, -(-high // _CONTROL)
        seconds = np.arange(first, last + 1) * (_CONTROL / self._rate)
        total = np.zeros((last - first) * _CONTROL, dtype=np.float32)
        for part, source in enumerate(TIMBRES[self._sound].sources[note.voice]):
            seed = number * 7 + part * 3 + int(note.voice)
            total += _read(table[part], _phases(source, note.pitch, seed, seconds))
        return total[low - first * _CONTROL : high - first * _CONTROL]

    def _breath(self, number: int, low: int, high: int) -> Samples:
        """Render the breath noise of samples ``low`` to ``high`` of a note.

        Low notes have a softer onset: the power of the burst halves with each octave.
        """
        start, pitch = self._starts[number], self._notes[number].pitch
        burst = _burst(self._sound, self._rate)[low:high]
        level = np.full(high - low, TIMBRES[self._sound].air, dtype=np.float32)
        level[: len(burst)] += burst * np.float32(2 ** ((pitch - _CONCERT_A) / 24))
        return level * np.take(_air(self._rate), np.arange(start + low, start + high) % _AIR)

    def _envelope(self, length: int, low: int, high: int) -> Samples:
        """Return samples ``low`` to ``high`` of the envelope of a note.

        Args:
            length: duration of the note in samples, release included.
            low: first sample, counted from the start of the note.
            high: the sample after the last one.
        """
        timbre = TIMBRES[self._sound]
        envelope = np.full(high - low, timbre.sustain, dtype=np.float32)
        onset = _onset(self._sound, self._rate)[low:high]
        envelope[: len(onset)] = onset
        released = length - self._release
        if high > released:
            skipped = max(low - released, 0)
            tail = _release(self._sound, self._rate)[skipped : high - released]
            envelope[len(envelope) - len(tail) :] *= tail
        return envelope


def _phases(source: ToneSource, pitch: int, seed: int, seconds: Doubles) -> Doubles:
    """Return the phase of ``source`` in periods, ``seconds`` after the start of a note.

    Vibrato and drift modulate the phase: a deviation of A cents at r Hz has an amplitude of
    f * A * ln 2 / 1200 / (2 pi r) periods.
    """
    frequency = frequency_hz(pitch, source)
    phases = seconds * frequency + (seed * _GOLDEN) % 1
    full = np.minimum(seconds / _VIBRATO_FADE_IN, 1.0)
    for cents, rate, depth, offset in (
        (source.vibrato, source.vibrato_rate, full, 2),
        (source.drift, source.drift_rate, 1.0, 5),
    ):
        amplitude = frequency * cents * np.log(2) / 1200 / (2 * np.pi * rate)
        angle = 2 * np.pi * (rate * seconds + (seed * offset * _GOLDEN) % 1)
        phases += amplitude * depth * np.sin(angle)
    return phases


def _read(period: Samples, phases: Doubles) -> Samples:
    """Read the wavetable ``period`` (TABLE_SIZE + 1,), ``_CONTROL`` samples from phase to phase."""
    starts = (phases[:-1] % 1.0 * TABLE_SIZE).astype(np.float32)
    speeds = (np.diff(phases) * (TABLE_SIZE / _CONTROL)).astype(np.float32)
    place = (speeds[:, None] * np.arange(_CONTROL, dtype=np.float32) + starts[:, None]).ravel()
    whole = np.floor(place)
    place -= whole
    index = whole.astype(np.intp) & (TABLE_SIZE - 1)
    samples: Samples = period[index]
    samples += place * (period[index + 1] - samples)
    return samples


@lru_cache(maxsize=8)
def _onset(sound: Sound, rate: int) -> Samples:
    """Return the attack and decay of the envelope, from 0 to the sustain level."""
    timbre = TIMBRES[sound]
    rising, falling = round(timbre.attack * rate), round(timbre.decay * rate)
    rise = np.sin(np.linspace(0, np.pi / 2, rising, endpoint=False)) ** 2
    fall = np.cos(np.linspace(0, np.pi / 2, falling, endpoint=False)) ** 2
    onset = np.concatenate([rise, timbre.sustain + (1 - timbre.sustain) * fall])
    return onset.astype(np.float32)


@lru_cache(maxsize=8)
def _release(sound: Sound, rate: int) -> Samples:
    """Return the release of the envelope, from 1 to 0."""
    length = round(TIMBRES[sound].release * rate)
    fall = np.cos(np.linspace(0, np.pi / 2, length, endpoint=False)) ** 2
    return fall.astype(np.float32)


@lru_cache(maxsize=8)
def _burst(sound: Sound, rate: int) -> Samples:
    """Return the level of the extra breath noise at the onset of a note."""
    timbre = TIMBRES[sound]
    length = round(2 * timbre.attack * rate)
    swell = np.sin(np.linspace(0, np.pi, length)) ** 2
    return (timbre.onset_air * swell).astype(np.float32)


@lru_cache(maxsize=2)
def _air(rate: int) -> Samples:
    """Return one period of the breath noise: band-limited, RMS 1, float32 (_AIR,)."""
    spectrum = np.fft.rfft(np.random.default_rng(_AIR).standard_normal(_AIR))
    frequencies = np.fft.rfftfreq(_AIR, 1 / rate)
    low, high = _AIR_BAND
    spectrum *= 1 / (1 + (low / np.maximum(frequencies, 1)) ** 2) / (1 + (frequencies / high) ** 4)
    noise = np.fft.irfft(spectrum, _AIR)
    air: Samples = (noise / np.sqrt(np.mean(noise**2))).astype(np.float32)
    return air
