"""Conversion between the grid of a chorale and lists of notes and fermata spans.

Conventions: starts, stops and lengths are steps of one sixteenth, counted from 0; ranges are
half-open. Every file format writes these notes and spans.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from musicrel.chorale import MAX_STEPS, REST, Chorale, Flags, Pitches, Voice
from musicrel.errors import DataError
from musicrel.language import tr


@dataclass(frozen=True, slots=True, order=True)
class Note:
    """One note of a voice."""

    start: int  # first step
    length: int  # duration in steps, at least 1
    pitch: int  # MIDI number, 0 to 127

    @property
    def stop(self) -> int:
        return self.start + self.length


def notes(chorale: Chorale, voice: Voice) -> list[Note]:
    """List the notes of ``voice`` in order; repeated notes are separate, rests are gaps."""
    pitches = chorale.pitches[:, voice].tolist()
    ranges = note_spans(chorale.pitches[:, voice], chorale.onsets[:, voice])
    return [Note(start, stop - start, pitches[start]) for start, stop in ranges]


def note_spans(pitches: npt.NDArray[np.int16], onsets: Flags) -> list[tuple[int, int]]:
    """List the half-open ranges of the notes of one voice, (T,), in order."""
    starts = np.flatnonzero(onsets)
    ends = np.append(np.flatnonzero(onsets | (pitches == REST)), len(pitches))
    stops = ends[np.searchsorted(ends, starts, side="right")]
    return list(zip(starts.tolist(), stops.tolist(), strict=True))


def from_notes(voices: Sequence[Iterable[Note]], steps: int) -> tuple[Pitches, Flags]:
    """Build the grid from the notes of four voices: the inverse of ``notes``."""
    if not 1 <= steps <= MAX_STEPS:
        sentence = tr("the piece has {steps} sixteenths: expected 1 to {most}")
        raise DataError(sentence.format(steps=steps, most=MAX_STEPS))
    pitches = np.full((steps, len(Voice)), REST, dtype=np.int16)
    onsets = np.zeros((steps, len(Voice)), dtype=np.bool_)
    for voice, voice_notes in zip(Voice, voices, strict=True):
        free = 0
        for note in sorted(voice_notes):
            _check_note(note, voice, free, steps)
            pitches[note.start : note.stop, voice] = note.pitch
            onsets[note.start, voice] = True
            free = note.stop
    return pitches, onsets


def from_spans(ranges: Iterable[tuple[int, int]], steps: int) -> Flags:
    """Build flags, bool (T,), that are True within ``ranges``: the inverse of ``chorale.spans``."""
    flags = np.zeros(steps, dtype=np.bool_)
    for start, stop in ranges:
        if not 0 <= start < stop <= steps:
            raise DataError(
                tr(
                    "a fermata covers steps {start}:{stop}: expected a range within 0:{steps}",
                    start=start,
                    stop=stop,
                    steps=steps,
                )
            )
        flags[start:stop] = True
    return flags


def _check_note(note: Note, voice: Voice, free: int, steps: int) -> None:
    where = tr("{voice}, step {step}", voice=voice.title, step=note.start)
    if note.length < 1 or note.start < 0 or note.stop > steps:
        sentence = tr("{where}: a note of {length} steps lies outside the piece of {steps} steps")
        raise DataError(sentence.format(where=where, length=note.length, steps=steps))
    if note.start < free:
        raise DataError(
            tr(
                "{where}: the note overlaps the one before: expected one note at a time in a voice",
                where=where,
            )
        )
    if not 0 <= note.pitch <= 127:  # noqa: PLR2004
        sentence = tr("{where}: pitch {pitch} is not a MIDI number: expected 0 to 127")
        raise DataError(sentence.format(where=where, pitch=note.pitch))
