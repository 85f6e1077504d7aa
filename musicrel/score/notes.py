"""The grid of a chorale as runs, and back: notes of a voice, spans a fermata holds.

Conventions: starts, stops and lengths are steps of one sixteenth from 0, ranges half-open.
Every file format writes these runs. This file knows nothing of files.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from musicrel.chorale import MAX_STEPS, REST, Chorale, Flags, Pitches, Voice
from musicrel.errors import DataError


@dataclass(frozen=True, slots=True, order=True)
class Note:
    """One sung note.

    Attributes:
        start: the step at which it begins.
        length: steps it lasts, at least 1.
        pitch: MIDI number, 0 to 127.
    """

    start: int
    length: int
    pitch: int

    @property
    def stop(self) -> int:
        """The first step it no longer sounds."""
        return self.start + self.length


def notes(chorale: Chorale, voice: Voice) -> list[Note]:
    """The notes of ``voice`` in order; a repeated note is a note of its own, rests are gaps."""
    pitches, onsets = chorale.pitches[:, voice], chorale.onsets[:, voice]
    starts = np.flatnonzero(onsets)
    ends = np.append(np.flatnonzero(onsets | (pitches == REST)), chorale.steps)
    stops = ends[np.searchsorted(ends, starts, side="right")]
    return [
        Note(start, stop - start, pitch)
        for start, stop, pitch in zip(
            starts.tolist(), stops.tolist(), pitches[starts].tolist(), strict=True
        )
    ]


def from_notes(voices: Sequence[Iterable[Note]], steps: int) -> tuple[Pitches, Flags]:
    """The grid that sings ``voices``: the inverse of ``notes``.

    Args:
        voices: the notes of S, A, T, B in any order within a voice.
        steps: length T of the piece in sixteenths.

    Returns:
        pitches int16 (T, 4) and onsets bool (T, 4), as a ``Chorale`` holds them.

    Raises:
        DataError: the length is none a piece can have, a note lies outside the piece or the MIDI
            range, or two notes of a voice overlap.
    """
    if not 1 <= steps <= MAX_STEPS:
        raise DataError(f"the piece has {steps} sixteenths: expected 1 to {MAX_STEPS}")
    pitches = np.full((steps, len(Voice)), REST, dtype=np.int16)
    onsets = np.zeros((steps, len(Voice)), dtype=np.bool_)
    for voice, sung in zip(Voice, voices, strict=True):
        free = 0
        for note in sorted(sung):
            _check_note(note, voice, free, steps)
            pitches[note.start : note.stop, voice] = note.pitch
            onsets[note.start, voice] = True
            free = note.stop
    return pitches, onsets


def spans(flags: Flags) -> list[tuple[int, int]]:
    """The half-open ranges in which ``flags`` (bool (T,)) is True."""
    padded = np.concatenate([[False], flags, [False]]).astype(np.int8)
    edges: npt.NDArray[np.intp] = np.flatnonzero(np.diff(padded))
    return [(start, stop) for start, stop in edges.reshape(-1, 2).tolist()]


def from_spans(ranges: Iterable[tuple[int, int]], steps: int) -> Flags:
    """Flags bool (T,) that are True within ``ranges``: the inverse of ``spans``.

    Raises:
        DataError: a range is empty or lies outside the piece.
    """
    flags = np.zeros(steps, dtype=np.bool_)
    for start, stop in ranges:
        if not 0 <= start < stop <= steps:
            raise DataError(
                f"a fermata holds steps {start}:{stop}: expected a range within 0:{steps}"
            )
        flags[start:stop] = True
    return flags


def _check_note(note: Note, voice: Voice, free: int, steps: int) -> None:
    where = f"{voice.title}, step {note.start}"
    if note.length < 1 or note.start < 0 or note.stop > steps:
        raise DataError(
            f"{where}: a note of {note.length} steps lies outside the piece of {steps} steps"
        )
    if note.start < free:
        raise DataError(
            f"{where}: a note begins while another still sounds; a voice sings one at a time"
        )
    if not 0 <= note.pitch <= 127:  # noqa: PLR2004
        raise DataError(f"{where}: pitch {note.pitch} is no MIDI number, expected 0 to 127")
