"""Feature extraction for the grade: a piece as eight distributions.

    note        semitones above the tonic of every cell of the grid, or "rest"      by mode
    rhythm      lengths in sixteenths of all events of the four voices, rests too
    harmony     pitch-class set of every sonority, up to transposition              by mode
    soprano ..  semitones from one note of the voice to the next, rests skipped     by mode
    parallels   "fifths" and "octaves" (unisons too), over all six pairs of voices

Repeats are merged. Key and mode are estimated from the notes (``keys``) and never taken from the
piece's own signature, so that all music is measured alike.
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
from musicrel.analysis.wasserstein import SymbolCounts
from musicrel.chorale import REST, Chorale, Mode, Pitches, Voice
from musicrel.errors import DataError

LINES: Final = tuple(voice.name.lower() for voice in Voice)
BY_MODE: Final = ("note", "harmony", *LINES)
"""Features whose distributions are kept apart for major and minor."""

FEATURES: Final = ("note", "rhythm", "harmony", *LINES, "parallels")
NO_INTERVAL: Final = "never"
"""The symbol for a voice without a second note: an interval that no reference has."""

_SILENCE: Final = "silence"
_REST: Final = "rest"


@dataclass(frozen=True, slots=True, kw_only=True)
class Distributions:
    """The eight distributions of a piece.

    Attributes:
        mode: major or minor, estimated from the notes.
        notes: notes of all voices, repeats merged.
        counts: for each of ``FEATURES`` the count of each symbol; "parallels" may be empty.
    """

    mode: Mode
    notes: int
    counts: Mapping[str, SymbolCounts]


def of(chorale: Chorale) -> Distributions:
    """Extract the eight distributions of ``chorale``.

    Raises:
        DataError: it has no note.
    """
    notes = events.count_notes(chorale.pitches)
    if not notes:
        raise DataError(f"{chorale.title or 'the piece'} has no note: there is nothing to compare")
    key = keys.estimate(chorale.pitches)
    counts = {
        "note": _notes(chorale.pitches, key.pitch_class),
        "rhythm": _rhythm(chorale.pitches),
        "harmony": _harmony(chorale.pitches),
        **{line: _intervals(chorale.pitches[:, voice]) for voice, line in enumerate(LINES)},
        "parallels": _parallels(chorale),
    }
    return Distributions(mode=key.mode, notes=notes, counts=counts)


def _notes(pitches: Pitches, tonic: int) -> SymbolCounts:
    degrees = np.where(pitches != REST, (pitches - tonic) % 12, REST)
    return {_REST if n == REST else str(n): count for n, count in _counted(degrees).items()}


def _rhythm(pitches: Pitches) -> SymbolCounts:
    lengths = np.concatenate([events.merge_repeats(pitches[:, voice])[1] for voice in Voice])
    return {str(length): count for length, count in _counted(lengths).items()}


def _harmony(pitches: Pitches) -> SymbolCounts:
    sets = events.pitch_class_sets(pitches)[events.sonority_onsets(pitches)]
    return Counter(map(set_class, sets.tolist()))


def _intervals(line: events.Line) -> SymbolCounts:
    pitches = events.merge_repeats(line)[0].astype(np.int64)
    intervals = _counted(np.diff(pitches[pitches != REST]))
    return {f"{n:+d}": count for n, count in intervals.items()} or {NO_INTERVAL: 1}


def _parallels(chorale: Chorale) -> SymbolCounts:
    found = voice_leading.rates(chorale, rules=voice_leading.PARALLELS).counts
    fifths, octaves = found["parallel_fifths"], found["parallel_octaves"]
    both = {"fifths": fifths, "octaves": octaves + found["parallel_unisons"]}
    return {name: count for name, count in both.items() if count}


def _counted(values: npt.NDArray[np.integer[Any]]) -> dict[int, int]:
    """Count each value, in the order of their first occurrence."""
    symbols, first, counts = np.unique(values, return_index=True, return_counts=True)
    order = np.argsort(first)
    return dict(zip(symbols[order].tolist(), counts[order].tolist(), strict=True))


@cache
def set_class(pitch_classes: int) -> str:
    """Name a pitch-class set; all its transpositions have the same name.

    Args:
        pitch_classes: bit n for pitch class n.

    Returns:
        The smallest list of semitones above any of its members, as in "0 4 7"; "silence" for none.
    """
    members = [n for n in range(12) if pitch_classes >> n & 1]
    rotations = [sorted((n - root) % 12 for n in members) for root in members]
    return " ".join(map(str, min(rotations))) if rotations else _SILENCE
