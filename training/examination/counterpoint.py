"""Measures of two voices and more: motion, intervals, spacing, rules."""

from __future__ import annotations

from typing import Final

import numpy as np

from musicrel.analysis import voice_leading
from musicrel.analysis.rules import Motion
from musicrel.chorale import REST
from training.examination.reading import Ints, Reading, share, voices

_IMPERFECT: Final = (3, 4, 8, 9)
_VOICES: Final = 4


def _motion(reading: Reading, letters: str) -> Motion:
    upper, lower = voices(letters)
    return Motion.of(reading.piece.pitches, upper, lower)


def motion(reading: Reading, variant: str) -> float:
    """Return the share of the moves of a pair of voices that are of a kind, as in "SB contrary"."""
    letters, kind = variant.split()
    found = _motion(reading, letters)
    moves = found.sounding & ((found.upper != 0) | (found.lower != 0))
    kinds = {"contrary": found.contrary(), "similar": found.similar()}
    kinds["oblique"] = moves & ((found.upper == 0) | (found.lower == 0))
    return share(kinds[kind][moves].tolist())


def thirds(reading: Reading, letters: str) -> float:
    """Return the share of the moves of both voices that lead from third or sixth to another."""
    found = _motion(reading, letters)
    both = found.sounding & (found.upper != 0) & (found.lower != 0)
    imperfect = np.isin(found.before % 12, _IMPERFECT) & np.isin(found.after % 12, _IMPERFECT)
    return share((imperfect & found.similar())[both].tolist())


def distance(reading: Reading, letters: str) -> float:
    """Return the mean distance of two voices in semitones."""
    upper, lower = (reading.piece.pitches[:, voice].astype(int) for voice in voices(letters))
    sounds = (upper != REST) & (lower != REST)
    return float((upper - lower)[sounds].mean()) if sounds.any() else float("nan")


def rule(reading: Reading, name: str) -> float:
    """Return the rate of violations of a rule of ``analysis.rules``."""
    return voice_leading.rates(reading.piece, rules=(name,)).of(name)


def movers(reading: Reading, number: str) -> float:
    """Return the share of beats to which ``number`` voices move to another pitch."""
    return share((_moving(reading) == int(number)).tolist())


def _moving(reading: Reading) -> Ints:
    at = reading.piece.pitches[reading.beats]
    return np.asarray((np.diff(at.astype(np.int64), axis=0) != 0).sum(axis=1))


def same_way(reading: Reading, number: str) -> float:
    """Return the share of beats to which ``number`` voices or more move in the same direction."""
    moves = np.diff(reading.piece.pitches[reading.beats].astype(np.int64), axis=0)
    most = np.maximum((moves > 0).sum(axis=1), (moves < 0).sum(axis=1))
    return share((most >= int(number)).tolist())


def inner_unisons(reading: Reading, letters: str) -> float:
    """Return the share of beats on which two voices are on the same pitch."""
    upper, lower = (reading.piece.pitches[reading.beats, voice] for voice in voices(letters))
    return share(((upper == lower) & (upper != REST)).tolist())
