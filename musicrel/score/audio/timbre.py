"""The timbres of organ and choir: wavetables of partials, and envelope times.

A note is the sum of a few *tone sources*: the ranks of an organ, the singers of a choir. Each
repeats one period, a sum of partials below half the sample rate, slightly detuned from the others.

Sources: vowel formants from the Csound manual, appendix "Formant Values" (after IRCAM's CHANT);
the organ's stops are estimates modelled on a small positive organ.

The voices of organ and choir: wavetables with vibrato and drift, shaped by an envelope.

Every sample is a pure function of the note, its number and its own position.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import starmap
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Voice
from musicrel.score.instruments import Sound
from musicrel.score.performance import TimedNote


class VoiceRenderer(ABC):
    """Renders the notes of one voice; its subclasses are the kinds of instruments."""

    def __init__(self, notes: tuple[TimedNote, ...], rate: int, release: int) -> None:
        self._notes = notes
        self._rate = rate
        self._release = release
        self._starts = [round(note.start * rate) for note in notes]
        self._ends = [round(note.stop * rate) + release for note in notes]

    def add_to(self, out: Samples, begin: int) -> None:
        """Add the samples from ``begin`` on to ``out``, float32 (n,)."""
        end = begin + len(out)
        first, last = bisect_right(self._ends, begin), bisect_left(self._starts, end)
        for number in range(first, last):
            start = self._starts[number]
            low, high = max(start, begin), min(self._ends[number], end)
            if low < high:
                sound = self._render(number, low - start, high - start)
                level = np.float32(self._notes[number].level)
                out[low - begin : low - begin + len(sound)] += level * sound

    @abstractmethod
    def _render(self, number: int, low: int, high: int) -> Samples:
        """Render samples ``low`` to ``high`` of a note from its start; may end early."""


# Control period in samples: the pitch is computed once per period and interpolated linearly.
_CONTROL: Final = 64
_VIBRATO_FADE_IN: Final = 0.7  # seconds until the vibrato reaches its full depth
# Golden ratio conjugate: the fractional parts of its multiples give evenly spread start phases.
_GOLDEN: Final = 0.618_033_988_749_895
_AIR: Final = 131_072  # period of the breath noise in samples
_CONCERT_A: Final = 69
_AIR_BAND: Final = (900.0, 6500.0)


class SynthVoice(VoiceRenderer):
    """A voice of the built-in synthesizer."""

    def __init__(self, notes: tuple[TimedNote, ...], sound: Sound, rate: int) -> None:
        own = TIMBRES[sound]
        super().__init__(notes, rate, round(own.release * rate))
        self._sound: Sound = sound
        rise = np.sin(_quarter(round(own.attack * rate))) ** 2
        fall = np.cos(_quarter(round(own.decay * rate))) ** 2
        onset = np.concatenate([rise, own.sustain + (1 - own.sustain) * fall])
        self._onset = onset.astype(np.float32)
        self._fade_out = (np.cos(_quarter(self._release)) ** 2).astype(np.float32)
        swell = np.sin(np.linspace(0, np.pi, round(2 * own.attack * rate))) ** 2
        self._burst = (own.onset_air * swell).astype(np.float32)  # breath noise at the onset

    def _render(self, number: int, low: int, high: int) -> Samples:
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
        burst = self._burst[low:high]
        level = np.full(high - low, TIMBRES[self._sound].air, dtype=np.float32)
        level[: len(burst)] += burst * np.float32(2 ** ((pitch - _CONCERT_A) / 24))
        return level * np.take(_air(self._rate), np.arange(start + low, start + high) % _AIR)

    def _envelope(self, length: int, low: int, high: int) -> Samples:
        own = TIMBRES[self._sound]
        envelope = np.full(high - low, own.sustain, dtype=np.float32)
        onset = self._onset[low:high]
        envelope[: len(onset)] = onset
        released = length - self._release
        if high > released:
            skipped = max(low - released, 0)
            tail = self._fade_out[skipped : high - released]
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


def _quarter(length: int) -> Doubles:
    """Return the first quarter of a period in ``length`` steps."""
    return np.linspace(0, np.pi / 2, length, endpoint=False)


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


Samples = npt.NDArray[np.float32]
# Float64 arrays, for values computed before the conversion to samples.
Doubles = npt.NDArray[np.floating[Any]]

TABLE_SIZE: Final = 2048  # samples per wavetable period, a power of two

_HIGHEST_SHARE: Final = 0.45  # partials stay below this share of the sample rate
_BRIGHTEST: Final = 9000.0  # highest frequency of a partial in Hz


@dataclass(frozen=True, slots=True, kw_only=True)
class ToneSource:
    """A rank of organ pipes or a singer."""

    cents: float = 0.0  # detuning in cents
    octave: float = 1.0  # frequency ratio to the written pitch: 1, 2 (an octave higher) or 0.5
    level: float = 1.0  # RMS level relative to the other sources
    vibrato: float = 0.0  # depth of the vibrato in cents, reached gradually
    vibrato_rate: float = 5.0
    drift: float = 0.0  # depth of the slow pitch drift in cents
    drift_rate: float = 0.3
    # factor for the formant frequencies, for vocal tracts of different length
    brightness: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Timbre:
    """The tone sources and envelope of a sound."""

    sources: tuple[tuple[ToneSource, ...], ...]  # of S, A, T, B
    attack: float  # attack time in seconds
    decay: float  # decay time in seconds
    sustain: float  # sustain level, relative to the peak at the end of the attack
    release: float  # release time in seconds
    onset_air: float  # level of the breath noise at the onset, relative to the tone
    air: float  # level of the steady breath noise


_PRINCIPAL = ToneSource(level=0.85, drift=0.6, drift_rate=0.23)
_OCTAVE = ToneSource(level=0.36, octave=2, cents=0.9, drift=0.8, drift_rate=0.31)
_SUBBASS = ToneSource(level=0.4, octave=0.5, cents=-0.5)


def _singers(depth: float, rate: float) -> tuple[ToneSource, ...]:
    """Build a choir section: a lead singer and three detuned ones at lower level.

    Equal levels would beat against each other like a tremolo.
    """
    return tuple(
        ToneSource(
            cents=cents,
            level=level,
            vibrato=depth * share,
            vibrato_rate=rate + offset,
            drift=4.0,
            drift_rate=drift_rate,
            brightness=brightness,
        )
        for cents, level, share, offset, drift_rate, brightness in (
            (0.0, 0.87, 0.8, 0.1, 0.37, 1.0),
            (-6.0, 0.29, 1.0, -0.45, 0.53, 0.94),
            (3.0, 0.28, 0.9, -0.15, 0.29, 1.06),
            (7.0, 0.27, 0.7, 0.5, 0.61, 0.98),
        )
    )


TIMBRES: Final[Mapping[Sound, Timbre]] = {
    "organ": Timbre(
        sources=(*[(_PRINCIPAL, _OCTAVE)] * 3, (_PRINCIPAL, _OCTAVE, _SUBBASS)),
        attack=0.035,
        decay=0.12,
        sustain=0.92,
        release=0.09,
        onset_air=0.04,
        air=0.003,
    ),
    "choir": Timbre(
        sources=tuple(starmap(_singers, ((16.0, 5.7), (14.0, 5.5), (14.0, 5.4), (11.0, 5.1)))),
        attack=0.075,
        decay=0.3,
        sustain=0.88,
        release=0.16,
        onset_air=0.03,
        air=0.004,
    ),
}

# Amplitudes of the partials of a mild principal with a stopped flute, from the fundamental on.
_STOPS: Final = np.array(
    [1.0, 0.42, 0.30, 0.16, 0.11, 0.07, 0.045, 0.03, 0.02, 0.013, 0.009, 0.006], dtype=np.float64
)

# Formants of an open "ah": frequency (Hz), level (dB), bandwidth (Hz; wide, for a section).
_VOWEL: Final[Mapping[Voice, tuple[tuple[float, float, float], ...]]] = {
    Voice.SOPRANO: ((800, 0, 160), (1150, -6, 180), (2900, -30, 240), (3900, -24, 300)),
    Voice.ALTO: ((800, 0, 160), (1150, -5, 180), (2800, -22, 240), (3500, -34, 300)),
    Voice.TENOR: ((650, 0, 150), (1080, -6, 170), (2650, -12, 240), (2900, -13, 260)),
    Voice.BASS: ((600, 0, 140), (1040, -7, 160), (2250, -13, 220), (2450, -14, 240)),
}
# Level and corner frequency (Hz) of the low-pass path beside the formants. It carries the
# fundamentals below the first formant.
_LOW_PASS: Final = (0.25, 500.0)


@lru_cache(maxsize=512)
def wavetables(sound: Sound, voice: Voice, pitch: int, rate: int) -> Samples:
    """Compute one period of each tone source at its level, (sources, TABLE_SIZE + 1), closed."""
    sources = TIMBRES[sound].sources[voice]
    rows = []
    for number, source in enumerate(sources):
        spectrum = _amplitudes(sound, voice, source, frequency_hz(pitch, source), rate)
        angles = np.random.default_rng((pitch, number)).uniform(0, 2 * np.pi, len(spectrum))
        rows.append(np.fft.irfft(spectrum * np.exp(1j * angles), TABLE_SIZE))
    periods_ = np.stack(rows)
    levels = np.array([[source.level] for source in sources])
    periods_ *= levels / np.sqrt(np.mean(periods_**2, axis=1, keepdims=True))
    closed: Samples = np.concatenate([periods_, periods_[:, :1]], axis=1).astype(np.float32)
    closed.setflags(write=False)
    return closed


def frequency_hz(pitch: int, source: ToneSource) -> float:
    """Return the frequency of ``source`` for the MIDI number ``pitch`` in Hz, without vibrato."""
    return float(440.0 * 2.0 ** ((pitch - 69 + source.cents / 100) / 12) * source.octave)


def _amplitudes(
    sound: Sound, voice: Voice, source: ToneSource, fundamental: float, rate: int
) -> Doubles:
    """Return the amplitudes of partials 0 (silent) to TABLE_SIZE / 2, band-limited."""
    numbers = np.arange(TABLE_SIZE // 2 + 1)
    frequencies = numbers * fundamental
    if sound == "organ":
        amplitudes = np.zeros(len(numbers))
        amplitudes[1 : 1 + len(_STOPS)] = _STOPS
    else:
        amplitudes = _vowel(voice, frequencies / source.brightness) / np.maximum(numbers, 1)
    highest = min(_HIGHEST_SHARE * rate, _BRIGHTEST)
    # keep the fundamental even of the highest MIDI numbers: it is all that remains of them
    amplitudes[2:][frequencies[2:] > highest] = 0
    amplitudes[0] = 0
    return amplitudes


def _vowel(voice: Voice, frequencies: Doubles) -> Doubles:
    """Return the amplitude response of the vocal tract at ``frequencies`` (Hz)."""
    level, corner = _LOW_PASS
    response = level / (1 + (frequencies / corner) ** 2)
    for centre, decibels, bandwidth in _VOWEL[voice]:
        distance = (frequencies - centre) / (bandwidth / 2)
        response += 10 ** (decibels / 20) / np.sqrt(1 + distance**2)
    return response
