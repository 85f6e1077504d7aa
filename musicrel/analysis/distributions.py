"""What a piece is made of, as eight distributions: the raw material of the grade.

    note        semitones above the tonic of every cell of the grid, or "rest"      by mode
    rhythm      lengths in sixteenths of all events of the four voices, rests too
    harmony     pitch-class set of every sonority, up to transposition              by mode
    soprano ..  semitones from one note of the voice to the next, rests skipped     by mode
    parallels   "fifths" and "octaves" (unisons too), over all six pairs of voices

Repeats are merged; key and mode are those the notes speak for (``keys``), whatever the piece says
of itself, so that all music is measured alike.

This file knows one piece; it knows nothing of what it is compared with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from musicrel.analysis import events, keys, voice_leading
from musicrel.analysis.wasserstein import Counts
from musicrel.chorale import REST, Chorale, Mode, Pitches, Voice
from musicrel.errors import DataError

LINES: Final = tuple(voice.name.lower() for voice in Voice)
BY_MODE: Final = ("note", "harmony", *LINES)
"""Features whose distributions are kept apart for major and minor."""

FEATURES: Final = ("note", "rhythm", "harmony", *LINES, "parallels")
NEVER: Final = "never"
"""What a voice does that has no second note: an interval no reference has."""

_SILENCE: Final = "silence"
_REST: Final = "rest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Distributions:
    """The eight distributions of a piece.

    Attributes:
        mode: major or minor, as the notes say.
        notes: notes of all voices, repeats merged.
        counts: for each of ``FEATURES`` how often each symbol occurs; "parallels" may be empty.
    """

    mode: Mode
    notes: int
    counts: Mapping[str, Counts]


def of(chorale: Chorale) -> Distributions:
    """The eight distributions of ``chorale``.

    Raises:
        DataError: it has no note.
    """
    notes = events.count_notes(chorale.pitches)
    if not notes:
        raise DataError(f"{chorale.title or 'the piece'} has no note: there is nothing to compare")
    key = keys.analysed(chorale.pitches)
    counts = {
        "note": _notes(chorale.pitches, key.pitch_class),
        "rhythm": _rhythm(chorale.pitches),
        "harmony": _harmony(chorale.pitches),
        **{line: _intervals(chorale.pitches[:, voice]) for voice, line in enumerate(LINES)},
        "parallels": _parallels(chorale),
    }
    return Distributions(mode=key.mode, notes=notes, counts=counts)


def _notes(pitches: Pitches, tonic: int) -> Counts:
    degrees = np.where(pitches != REST, (pitches - tonic) % 12, REST)
    return {_REST if n == REST else str(n): count for n, count in _counted(degrees).items()}


def _rhythm(pitches: Pitches) -> Counts:
    lengths = np.concatenate([events.merged(pitches[:, voice])[1] for voice in Voice])
    return {str(length): count for length, count in _counted(lengths).items()}


def _harmony(pitches: Pitches) -> Counts:
    sets = events.pitch_class_sets(pitches)[events.sonority_begins(pitches)]
    counts: Counter[str] = Counter()
    for pitch_classes, count in _counted(sets).items():
        counts[set_class(pitch_classes)] += count
    return counts


def _intervals(line: events.Line) -> Counts:
    pitches = events.merged(line)[0].astype(np.int64)
    intervals = _counted(np.diff(pitches[pitches != REST]))
    return {f"{n:+d}": count for n, count in intervals.items()} or {NEVER: 1}


def _parallels(chorale: Chorale) -> Counts:
    found = voice_leading.rates(chorale, rules=voice_leading.PARALLELS).counts
    fifths, octaves = found["parallel_fifths"], found["parallel_octaves"]
    both = {"fifths": fifths, "octaves": octaves + found["parallel_unisons"]}
    return {name: count for name, count in both.items() if count}


def _counted(values: npt.NDArray[np.integer[Any]]) -> dict[int, int]:
    """How often each value occurs, in the order of their first occurrence."""
    symbols, first, counts = np.unique(values, return_index=True, return_counts=True)
    order = np.argsort(first)
    return dict(zip(symbols[order].tolist(), counts[order].tolist(), strict=True))


@cache
def set_class(pitch_classes: int) -> str:
    """The name of a pitch-class set, the same for all its transpositions.

    Args:
        pitch_classes: bit n for pitch class n.

    Returns:
        The smallest list of semitones above any of its members, as in "0 4 7"; "silence" for none.
    """
    members = [n for n in range(12) if pitch_classes >> n & 1]
    rotations = [sorted((n - root) % 12 for n in members) for root in members]
    return " ".join(map(str, min(rotations))) if rotations else _SILENCE
