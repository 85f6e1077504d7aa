"""What organ and choir sound like: tables of partials, and how notes begin and end.

A note is sung by a few *sources* at once: the ranks of an organ, the singers of a choir. Each
repeats one period, a sum of partials below half the sample rate, a little out of tune and time
with the others. This file knows one period and the shapes around it; it knows nothing of pieces.

Sources: vowel formants from the Csound manual, appendix "Formant Values" (after IRCAM's CHANT);
the organ's stops by ear after a small positive.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Voice

Sound = Literal["choir", "organ"]
Samples = npt.NDArray[np.float32]
Exact = npt.NDArray[np.floating[Any]]
"""Double precision, for what becomes samples only later."""

TABLE: Final = 2048
"""Samples of one period, a power of two."""

_HIGHEST_SHARE: Final = 0.45
"""Partials stay below this share of the sample rate."""
_BRIGHTEST: Final = 9000.0
"""Hertz above which nothing of either sound is heard."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One rank of pipes or one singer.

    Attributes:
        cents: how far it is out of tune.
        octave: 1 where it sounds as written, 2 an octave higher, 0.5 an octave lower.
        level: its loudness (root mean square) beside the others.
        vibrato: depth of the vibrato in cents, reached slowly.
        vibrato_rate: turns a second.
        drift: cents it strays from its pitch and back.
        drift_rate: turns a second.
        brightness: times the formants' frequencies; no two throats are the same size.
    """

    cents: float = 0.0
    octave: float = 1.0
    level: float = 1.0
    vibrato: float = 0.0
    vibrato_rate: float = 5.0
    drift: float = 0.0
    drift_rate: float = 0.3
    brightness: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Timbre:
    """How a sound begins, lasts and ends, and who makes it.

    Attributes:
        sources: for each voice, who sounds together.
        attack: seconds until a note is loud.
        decay: seconds in which it then settles.
        sustain: how loud it then stays, 1 = as at the end of the attack.
        release: seconds in which it dies away once let go.
        onset_air: loudness of the breath that begins a note, beside the tone.
        air: loudness of the breath that stays.
    """

    sources: Mapping[Voice, tuple[Source, ...]]
    attack: float
    decay: float
    sustain: float
    release: float
    onset_air: float
    air: float


_PRINCIPAL = Source(level=0.85, drift=0.6, drift_rate=0.23)
_OCTAVE = Source(level=0.36, octave=2, cents=0.9, drift=0.8, drift_rate=0.31)
_SUBBASS = Source(level=0.4, octave=0.5, cents=-0.5)


def _singers(depth: float, rate: float) -> tuple[Source, ...]:
    """A section: one who leads and three out of tune and time, as trained amateurs are.

    Were they all as loud, the sum would swell and fade like a tremolo.
    """
    return tuple(
        Source(
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
        sources={
            Voice.SOPRANO: (_PRINCIPAL, _OCTAVE),
            Voice.ALTO: (_PRINCIPAL, _OCTAVE),
            Voice.TENOR: (_PRINCIPAL, _OCTAVE),
            Voice.BASS: (_PRINCIPAL, _OCTAVE, _SUBBASS),
        },
        attack=0.035,
        decay=0.12,
        sustain=0.92,
        release=0.09,
        onset_air=0.04,
        air=0.003,
    ),
    "choir": Timbre(
        sources={
            Voice.SOPRANO: _singers(16.0, 5.7),
            Voice.ALTO: _singers(14.0, 5.5),
            Voice.TENOR: _singers(14.0, 5.4),
            Voice.BASS: _singers(11.0, 5.1),
        },
        attack=0.075,
        decay=0.3,
        sustain=0.88,
        release=0.16,
        onset_air=0.03,
        air=0.004,
    ),
}

_STOPS: Final = np.array(
    [1.0, 0.42, 0.30, 0.16, 0.11, 0.07, 0.045, 0.03, 0.02, 0.013, 0.009, 0.006], dtype=np.float64
)
"""Partials of a mild principal with a stopped flute beside it, amplitudes from the fundamental."""

_VOWEL: Final[Mapping[Voice, tuple[tuple[float, float, float], ...]]] = {
    Voice.SOPRANO: ((800, 0, 160), (1150, -6, 180), (2900, -30, 240), (3900, -24, 300)),
    Voice.ALTO: ((800, 0, 160), (1150, -5, 180), (2800, -22, 240), (3500, -34, 300)),
    Voice.TENOR: ((650, 0, 150), (1080, -6, 170), (2650, -12, 240), (2900, -13, 260)),
    Voice.BASS: ((600, 0, 140), (1040, -7, 160), (2250, -13, 220), (2450, -14, 240)),
}
"""Formants of an open "ah": hertz, decibels, bandwidth in hertz, wide since a section sings."""
_CHEST: Final = (0.25, 500.0)
"""What passes beside the formants: how much, and the hertz above which it soon falls. It carries
the fundamentals below the first formant."""


@lru_cache(maxsize=512)
def periods(sound: Sound, voice: Voice, pitch: int, rate: int) -> Samples:
    """One period of each source of a note.

    Args:
        sound: organ or choir.
        voice: who sings it.
        pitch: MIDI number.
        rate: samples a second.

    Returns:
        float32 (sources, TABLE + 1), each of the source's level; the last sample is the first.
    """
    sources = TIMBRES[sound].sources[voice]
    rows = []
    for number, source in enumerate(sources):
        spectrum = _amplitudes(sound, voice, source, hertz(pitch, source), rate)
        angles = np.random.default_rng((pitch, number)).uniform(0, 2 * np.pi, len(spectrum))
        rows.append(np.fft.irfft(spectrum * np.exp(1j * angles), TABLE))
    periods_ = np.stack(rows)
    levels = np.array([[source.level] for source in sources])
    periods_ *= levels / np.sqrt(np.mean(periods_**2, axis=1, keepdims=True))
    closed: Samples = np.concatenate([periods_, periods_[:, :1]], axis=1).astype(np.float32)
    closed.setflags(write=False)
    return closed


def hertz(pitch: int, source: Source) -> float:
    """The frequency at which ``source`` sounds the MIDI number ``pitch``, without its vibrato."""
    return float(440.0 * 2.0 ** ((pitch - 69 + source.cents / 100) / 12) * source.octave)


def _amplitudes(sound: Sound, voice: Voice, source: Source, fundamental: float, rate: int) -> Exact:
    """Amplitudes of partials 0 (none) to TABLE / 2, none above what may sound."""
    numbers = np.arange(TABLE // 2 + 1)
    frequencies = numbers * fundamental
    if sound == "organ":
        amplitudes = np.zeros(len(numbers))
        amplitudes[1 : 1 + len(_STOPS)] = _STOPS
    else:
        amplitudes = _vowel(voice, frequencies / source.brightness) / np.maximum(numbers, 1)
    highest = min(_HIGHEST_SHARE * rate, _BRIGHTEST)
    # the fundamental of the highest MIDI numbers is above it, and still is their only sound
    amplitudes[2:][frequencies[2:] > highest] = 0
    amplitudes[0] = 0
    return amplitudes


def _vowel(voice: Voice, frequencies: Exact) -> Exact:
    """How much the throat lets through at ``frequencies``."""
    level, corner = _CHEST
    passed = level / (1 + (frequencies / corner) ** 2)
    for centre, decibels, bandwidth in _VOWEL[voice]:
        distance = (frequencies - centre) / (bandwidth / 2)
        passed += 10 ** (decibels / 20) / np.sqrt(1 + distance**2)
    return passed
