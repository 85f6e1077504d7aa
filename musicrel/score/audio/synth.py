"""The synthesizer: a performance as sound, piece by piece.

Each note is a few periods read at slightly unsteady speed (``timbre``), shaped at both ends, and
put into a room (``room``). Every sample is a pure function of the performance and its own time,
so any piece of the sound can be made alone, and pieces fit each other to the bit. Times within are
whole samples. This file knows nothing of files or devices.
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
    TABLE,
    TIMBRES,
    Exact,
    Samples,
    Sound,
    Source,
    hertz,
    periods,
)
from musicrel.score.performance import Performance, Style, TimedNote, perform

RATES: Final = (44_100, 48_000)
"""Samples a second there can be."""
USUAL_RATE: Final = 44_100

_CONTROL: Final = 64
"""Samples between two moments at which the pitch is computed; it changes linearly between."""
_VIBRATO_SETS_IN: Final = 0.7
"""Seconds until a singer's vibrato has its full depth."""
_GOLDEN: Final = 0.618_033_988_749_895
"""Multiples of it, whole part dropped, spread evenly: where in its cycle each source begins."""
_AIR: Final = 131_072
"""Samples after which the breath's noise repeats."""
_CONCERT_A: Final = 69
_AIR_BAND: Final = (900.0, 6500.0)


class Synthesizer:
    """The four voices of one performance, each alone, in pieces of ``LENGTH`` samples.

    Not to be used by two threads at once.

    Args:
        performance: what is played.
        sound: organ or choir.
        rate: one of ``RATES``.

    Raises:
        UsageError: the rate is none of them.
    """

    def __init__(self, performance: Performance, sound: Sound, rate: int = USUAL_RATE) -> None:
        if rate not in RATES:
            raise UsageError(f"the sample rate is {rate}: expected {RATES[0]} or {RATES[1]}")
        self.rate = rate
        self.frames = round(performance.times.seconds * rate) + LENGTH
        """Samples until the room is silent again."""
        self._lines = [_Line(notes, sound, rate) for notes in performance.notes]
        self._kept: dict[int, Samples] = {}

    @property
    def pieces(self) -> int:
        """How many pieces there are."""
        return -(-self.frames // LENGTH)

    def dry(self, piece: int) -> Samples:
        """The voices without the room, float32 (4, LENGTH); silent before and after the music."""
        if piece not in self._kept:
            made = np.zeros((len(Voice), LENGTH), dtype=np.float32)
            for voice, line in enumerate(self._lines):
                line.add_to(made[voice], piece * LENGTH)
            self._kept = {
                number: kept for number, kept in self._kept.items() if number == piece - 1
            }
            self._kept[piece] = made
        return self._kept[piece]

    def stems(self, piece: int) -> Samples:
        """Each voice and its room, float32 (3, 4, LENGTH): dry, room left, room right; S A T B."""
        before, now = self.dry(piece - 1), self.dry(piece)
        wet = reverberate(before[:, None], now[:, None], self.rate)
        return np.stack([now, wet[:, 0], wet[:, 1]])


def blocks(
    chorale: Chorale,
    mix: Mix | None = None,
    *,
    style: Style | None = None,
    rate: int = USUAL_RATE,
    size: int = LENGTH,
) -> Iterator[Samples]:
    """``chorale`` as sound, block by block, whatever its length.

    Args:
        chorale: the piece.
        mix: the mixer; None: a choir as it stands.
        style: how it is played; None: fermatas held longer.
        rate: samples a second, one of ``RATES``.
        size: samples of a block, at least 1; it changes nothing in the sound.

    Yields:
        float32 (size, 2) within ±0.97, left and right; the last block may be shorter.

    Raises:
        UsageError: the rate or the size is none there can be.
    """
    if size < 1:
        raise UsageError(f"the size of a block is {size}: expected 1 sample or more")
    waiting = np.empty((0, 2), dtype=np.float32)
    for piece in _mixed(chorale, mix or Mix(), style, rate):
        waiting = np.concatenate([waiting, piece])
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
    rate: int = USUAL_RATE,
) -> Samples:
    """All of ``chorale`` as sound, float32 (frames, 2); the arguments are those of ``blocks``."""
    return np.concatenate(list(blocks(chorale, mix, style=style, rate=rate)))


def _mixed(chorale: Chorale, mix: Mix, style: Style | None, rate: int) -> Iterator[Samples]:
    """Pieces (LENGTH, 2), the last one shorter."""
    synthesizer = Synthesizer(perform(chorale, style), mix.sound, rate)
    table = gains(mix)
    before = np.zeros((2, LENGTH), dtype=np.float32)
    for piece in range(synthesizer.pieces):
        ears = np.einsum("gv,vn->gn", table, synthesizer.dry(piece))
        mixed = limit(ears[:2] + reverberate(before, ears[2:], rate))
        before = ears[2:]
        yield mixed.T[: synthesizer.frames - piece * LENGTH]


class _Line:
    """One voice: its notes as samples.

    Args:
        notes: in order.
        sound: organ or choir.
        rate: samples a second.
    """

    def __init__(self, notes: tuple[TimedNote, ...], sound: Sound, rate: int) -> None:
        self._notes = notes
        self._sound: Sound = sound
        self._rate = rate
        self._release = round(TIMBRES[sound].release * rate)
        self._starts = [round(note.start * rate) for note in notes]
        self._ends = [round(note.stop * rate) + self._release for note in notes]

    def add_to(self, out: Samples, begin: int) -> None:
        """Add samples ``begin`` and following to ``out``, float32 (n,)."""
        end = begin + len(out)
        first, last = bisect_right(self._ends, begin), bisect_left(self._starts, end)
        for number in range(first, last):
            start, stop = self._starts[number], self._ends[number]
            low, high = max(start, begin), min(stop, end)
            if low < high:
                tone = self._tone(number, low - start, high - start)
                tone += self._breath(number, low, high)
                tone *= self._shape(stop - start, low - start, high - start)
                out[low - begin : high - begin] += tone

    def _tone(self, number: int, low: int, high: int) -> Samples:
        """Samples ``low`` to ``high`` of a note, counted from its start, at full loudness."""
        note = self._notes[number]
        table = periods(self._sound, note.voice, note.pitch, self._rate)
        first, last = low // _CONTROL, -(-high // _CONTROL)
        seconds = np.arange(first, last + 1) * (_CONTROL / self._rate)
        total = np.zeros((last - first) * _CONTROL, dtype=np.float32)
        for part, source in enumerate(TIMBRES[self._sound].sources[note.voice]):
            seed = number * 7 + part * 3 + int(note.voice)
            total += _read(table[part], _turns(source, note.pitch, seed, seconds))
        return total[low - first * _CONTROL : high - first * _CONTROL]

    def _breath(self, number: int, low: int, high: int) -> Samples:
        """The noise of pipe or throat from sample ``low`` to ``high`` of the piece.

        Low notes speak more softly: the power of their burst halves with each octave.
        """
        start, pitch = self._starts[number], self._notes[number].pitch
        burst = _burst(self._sound, self._rate)[low - start : high - start]
        level = np.full(high - low, TIMBRES[self._sound].air, dtype=np.float32)
        level[: len(burst)] += burst * np.float32(2 ** ((pitch - _CONCERT_A) / 24))
        return level * np.take(_air(self._rate), np.arange(low, high) % _AIR)

    def _shape(self, length: int, low: int, high: int) -> Samples:
        """How loud a note of ``length`` samples, release included, is from ``low`` to ``high``."""
        timbre = TIMBRES[self._sound]
        shape = np.full(high - low, timbre.sustain, dtype=np.float32)
        begun = _onset(self._sound, self._rate)[low:high]
        shape[: len(begun)] = begun
        released = length - self._release
        if high > released:
            skipped = max(low - released, 0)
            tail = _release(self._sound, self._rate)[skipped : high - released]
            shape[len(shape) - len(tail) :] *= tail
        return shape


def _turns(source: Source, pitch: int, seed: int, seconds: Exact) -> Exact:
    """How many periods ``source`` has gone through ``seconds`` after a note's start.

    Vibrato and drift move the phase to and fro: a swing of A cents at r turns a second is
    f * A * ln 2 / 1200 / (2 pi r) periods wide.
    """
    frequency = hertz(pitch, source)
    turns = seconds * frequency + (seed * _GOLDEN) % 1
    full = np.minimum(seconds / _VIBRATO_SETS_IN, 1.0)
    for cents, rate, depth, offset in (
        (source.vibrato, source.vibrato_rate, full, 2),
        (source.drift, source.drift_rate, 1.0, 5),
    ):
        swing = frequency * cents * np.log(2) / 1200 / (2 * np.pi * rate)
        angle = 2 * np.pi * (rate * seconds + (seed * offset * _GOLDEN) % 1)
        turns += swing * depth * np.sin(angle)
    return turns


def _read(period: Samples, turns: Exact) -> Samples:
    """``period`` (TABLE + 1,) read at ``turns``, ``_CONTROL`` samples from each to the next."""
    begins = (turns[:-1] % 1.0 * TABLE).astype(np.float32)
    speeds = (np.diff(turns) * (TABLE / _CONTROL)).astype(np.float32)
    place = (speeds[:, None] * np.arange(_CONTROL, dtype=np.float32) + begins[:, None]).ravel()
    before = np.floor(place)
    place -= before
    index = before.astype(np.intp) & (TABLE - 1)
    low: Samples = period[index]
    low += place * (period[index + 1] - low)
    return low


@lru_cache(maxsize=8)
def _onset(sound: Sound, rate: int) -> Samples:
    """Loudness from a note's start to where it has settled: a smooth rise, then a slow fall."""
    timbre = TIMBRES[sound]
    rising, falling = round(timbre.attack * rate), round(timbre.decay * rate)
    rise = np.sin(np.linspace(0, np.pi / 2, rising, endpoint=False)) ** 2
    fall = np.cos(np.linspace(0, np.pi / 2, falling, endpoint=False)) ** 2
    onset = np.concatenate([rise, timbre.sustain + (1 - timbre.sustain) * fall])
    return onset.astype(np.float32)


@lru_cache(maxsize=8)
def _release(sound: Sound, rate: int) -> Samples:
    """Loudness after a note is let go, down to 0."""
    length = round(TIMBRES[sound].release * rate)
    fall = np.cos(np.linspace(0, np.pi / 2, length, endpoint=False)) ** 2
    return fall.astype(np.float32)


@lru_cache(maxsize=8)
def _burst(sound: Sound, rate: int) -> Samples:
    """The breath that begins a note, beside the one that stays."""
    timbre = TIMBRES[sound]
    length = round(2 * timbre.attack * rate)
    swell = np.sin(np.linspace(0, np.pi, length)) ** 2
    return (timbre.onset_air * swell).astype(np.float32)


@lru_cache(maxsize=2)
def _air(rate: int) -> Samples:
    """Breath: noise of loudness 1 in the band where it is heard, float32 (_AIR,)."""
    spectrum = np.fft.rfft(np.random.default_rng(_AIR).standard_normal(_AIR))
    frequencies = np.fft.rfftfreq(_AIR, 1 / rate)
    low, high = _AIR_BAND
    spectrum *= 1 / (1 + (low / np.maximum(frequencies, 1)) ** 2) / (1 + (frequencies / high) ** 4)
    noise = np.fft.irfft(spectrum, _AIR)
    air: Samples = (noise / np.sqrt(np.mean(noise**2))).astype(np.float32)
    return air
