"""Measures of two voices and more: motion, intervals, spacing, rules."""

from __future__ import annotations

from typing import Final

import numpy as np

from musicrel.analysis import voice_leading
from musicrel.analysis.rules import Motion
from musicrel.chorale import REST
from training.examination.reading import Family, Ints, Reading, share, voices

_IMPERFECT: Final = (3, 4, 8, 9)


def _motion(reading: Reading, letters: str) -> Motion:
    upper, lower = voices(letters)
    return Motion.of(reading.piece.pitches, upper, lower)


def _of_kind(reading: Reading, variant: str) -> float:
    """Return the share of the moves of a pair of voices that are of a kind, as in "SB contrary"."""
    letters, kind = variant.split()
    found = _motion(reading, letters)
    moves = found.sounding & ((found.upper != 0) | (found.lower != 0))
    kinds = {"contrary": found.contrary(), "similar": found.similar()}
    kinds["oblique"] = moves & ((found.upper == 0) | (found.lower == 0))
    return share(kinds[kind][moves].tolist())


def _thirds(reading: Reading, letters: str) -> float:
    """Return the share of the moves of both voices that lead from third or sixth to another."""
    found = _motion(reading, letters)
    both = found.sounding & (found.upper != 0) & (found.lower != 0)
    imperfect = np.isin(found.before % 12, _IMPERFECT) & np.isin(found.after % 12, _IMPERFECT)
    return share((imperfect & found.similar())[both].tolist())


def _distance(reading: Reading, letters: str) -> float:
    upper, lower = (reading.piece.pitches[:, voice].astype(int) for voice in voices(letters))
    sounds = (upper != REST) & (lower != REST)
    return float((upper - lower)[sounds].mean()) if sounds.any() else float("nan")


def _rule(reading: Reading, name: str) -> float:
    return voice_leading.rates(reading.piece, rules=(name,)).of(name)


def _moves(reading: Reading) -> Ints:
    """Return the intervals of all voices from beat to beat, int64 (beats - 1, 4)."""
    pitches = reading.piece.pitches[reading.beats].astype(np.int64)
    return pitches[1:] - pitches[:-1]


def _movers(reading: Reading, number: str) -> float:
    """Return the share of beats to which ``number`` voices move to another pitch."""
    return share(((_moves(reading) != 0).sum(axis=1) == int(number)).tolist())


def _same_way(reading: Reading, number: str) -> float:
    """Return the share of beats to which ``number`` voices or more move in the same direction."""
    moves = _moves(reading)
    most = np.maximum((moves > 0).sum(axis=1), (moves < 0).sum(axis=1))
    return share((most >= int(number)).tolist())


def _unisons(reading: Reading, letters: str) -> float:
    """Return the share of beats on which two voices are on the same pitch."""
    upper, lower = (reading.piece.pitches[reading.beats, voice] for voice in voices(letters))
    return share(((upper == lower) & (upper != REST)).tolist())


FAMILIES: Final = (
    Family("motion", _of_kind, ("SB contrary", "AT similar", "TB oblique"),
           ("SB similar", "AT contrary", "SA oblique")),
    Family("parallel thirds and sixths", _thirds, ("SA", "TB"), ("SB", "AT")),
    Family("distance", _distance, ("AT",), ("SA", "TB")),
    Family("rule", _rule, ("parallel_fifths", "hidden_octaves", "crossing", "spacing"),
           ("parallel_octaves", "hidden_fifths", "overlap", "awkward_leap")),
    Family("voices that move", _movers, ("2", "4"), ("1", "3")),
    Family("voices in one direction", _same_way, ("3",), ("4",)),
    Family("unisons", _unisons, ("AT",), ("TB",)),
)  # fmt: skip
