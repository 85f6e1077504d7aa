"""The synthesizer: renders a performance as audio, chunk by chunk.

Each note is read from a few wavetables (``timbre``) with vibrato and drift, shaped by an envelope
and followed by reverb (``reverb``). Every sample is a pure function of the performance and its own
position, so any chunk can be rendered alone and adjacent chunks join exactly. Positions are whole
samples.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import numpy as np

from musicrel.chorale import Chorale, Voice
from musicrel.errors import UsageError
from musicrel.score.audio.mixer import Mix, gains, limit
from musicrel.score.audio.reverb import LENGTH, reverberate
from musicrel.score.audio.timbre import (
    TABLE_SIZE,
    TIMBRES,
    Doubles,
    Samples,
    ToneSource,
    frequency_hz,
    wavetables,
)
from musicrel.score.performance import Performance, Sound, Style, TimedNote, perform

RATES: Final = (44_100, 48_000)
"""Supported sample rates in Hz."""
DEFAULT_RATE: Final = 44_100

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


class Synthesizer:
    """Renders the four voices of a performance separately, in chunks of ``LENGTH`` samples.

    Not thread-safe.

    Args:
        performance: the timed notes.
        sound: organ or choir.
        rate: sample rate in Hz, one of ``RATES``.

    Raises:
        UsageError: the rate is not supported.
    """

    def __init__(self, performance: Performance, sound: Sound, rate: int = DEFAULT_RATE) -> None:
        if rate not in RATES:
            raise UsageError(f"the sample rate is {rate}: expected {RATES[0]} or {RATES[1]}")
        self.rate = rate
        self.frames = round(performance.times.seconds * rate) + LENGTH
        """Length of the sound in samples, reverb included."""
        self._voices = [_VoiceRenderer(notes, sound, rate) for notes in performance.notes]
        self._cache: dict[int, Samples] = {}

    @property
    def chunks(self) -> int:
        """Return the number of chunks."""
        return -(-self.frames // LENGTH)

    def dry(self, chunk: int) -> Samples:
        """Render the dry voices, float32 (4, LENGTH); silence before and after the music."""
        if chunk not in self._cache:
            rendered = np.zeros((len(Voice), LENGTH), dtype=np.float32)
            for voice, renderer in enumerate(self._voices):
                renderer.add_to(rendered[voice], chunk * LENGTH)
            previous = {chunk - 1: self._cache[chunk - 1]} if chunk - 1 in self._cache else {}
            self._cache = previous | {chunk: rendered}
        return self._cache[chunk]

    def stems(self, chunk: int) -> Samples:
        """Render each voice as float32 (3, 4, LENGTH): dry, reverb left, reverb right; S A T B."""
        before, now = self.dry(chunk - 1), self.dry(chunk)
        wet = reverberate(before[:, None], now[:, None], self.rate)
        return np.stack([now, wet[:, 0], wet[:, 1]])


def blocks(
    chorale: Chorale,
    mix: Mix | None = None,
    *,
    style: Style | None = None,
    rate: int = DEFAULT_RATE,
    size: int = LENGTH,
) -> Iterator[Samples]:
    """Render ``chorale`` as audio, block by block, in bounded memory.

    Args:
        chorale: the piece.
        mix: the mixer settings; None: the default choir.
        style: tempo and fermatas; None: the default style, with fermatas held.
        rate: sample rate in Hz, one of ``RATES``.
        size: samples per block, at least 1; the sound does not depend on it.

    Yields:
        float32 (size, 2) within ±0.97, left and right; the last block may be shorter.

    Raises:
        UsageError: the rate is not supported or the size is below 1.
    """
    if size < 1:
        raise UsageError(f"the size of a block is {size}: expected 1 sample or more")
    waiting = np.empty((0, 2), dtype=np.float32)
    for chunk in _mixed(chorale, mix or Mix(), style, rate):
        waiting = np.concatenate([waiting, chunk])
        whole = len(waiting) // size * size
        yield from np.split(waiting[:whole], range(size, whole, size)) if whole else ()
        waiting = waiting[whole:]
    if len(waiting):
        yield waiting


def render(
    chorale: Chorale,
    mix: Mix | None = None,
    *,
    style: Style | None = None,
    rate: int = DEFAULT_RATE,
) -> Samples:
    """Render all of ``chorale``, float32 (frames, 2); the arguments are those of ``blocks``."""
    return np.concatenate(list(blocks(chorale, mix, style=style, rate=rate)))


def _mixed(chorale: Chorale, mix: Mix, style: Style | None, rate: int) -> Iterator[Samples]:
    """Yield stereo chunks, float32 (LENGTH, 2), the last one shorter."""
    synthesizer = Synthesizer(perform(chorale, style), mix.sound, rate)
    table = gains(mix)
    before = np.zeros((2, LENGTH), dtype=np.float32)
    for chunk in range(synthesizer.chunks):
        buses = np.einsum("gv,vn->gn", table, synthesizer.dry(chunk))  # dry l, r; reverb l, r
        mixed = limit(buses[:2] + reverberate(before, buses[2:], rate))
        before = buses[2:]
        yield mixed.T[: synthesizer.frames - chunk * LENGTH]


class _VoiceRenderer:
    """Renders the notes of one voice.

    Args:
        notes: the notes in order.
        sound: organ or choir.
        rate: sample rate in Hz.
    """

    def __init__(self, notes: tuple[TimedNote, ...], sound: Sound, rate: int) -> None:
        self._notes = notes
        self._sound: Sound = sound
        self._rate = rate
        self._release = round(TIMBRES[sound].release * rate)
        self._starts = [round(note.start * rate) for note in notes]
        self._ends = [round(note.stop * rate) + self._release for note in notes]

    def add_to(self, out: Samples, begin: int) -> None:
        """Add the samples from ``begin`` on to ``out``, float32 (n,)."""
        end = begin + len(out)
        first, last = bisect_right(self._ends, begin), bisect_left(self._starts, end)
        for number in range(first, last):
            start, stop = self._starts[number], self._ends[number]
            low, high = max(start, begin), min(stop, end)
            if low < high:
                tone = self._tone(number, low - start, high - start)
                tone += self._breath(number, low, high)
                tone *= self._envelope(stop - start, low - start, high - start)
                out[low - begin : high - begin] += tone

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
        """Render the breath noise of a note from sample ``low`` to ``high`` of the piece.

        Low notes have a softer onset: the power of the burst halves with each octave.
        """
        start, pitch = self._starts[number], self._notes[number].pitch
        burst = _burst(self._sound, self._rate)[low - start : high - start]
        level = np.full(high - low, TIMBRES[self._sound].air, dtype=np.float32)
        level[: len(burst)] += burst * np.float32(2 ** ((pitch - _CONCERT_A) / 24))
        return level * np.take(_air(self._rate), np.arange(low, high) % _AIR)

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
