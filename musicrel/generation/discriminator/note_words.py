"""Notes of a voice as words: the interval to the next note, the length, the place in the beat.

A word is counted in the beat in which the next note begins, alone and with the word before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from musicrel.chorale import STEPS_PER_QUARTER, Voice
from musicrel.generation.discriminator.beat import Beat, Note

_LARGEST: Final = 7
"""Largest interval in semitones; a larger one counts as this."""
_LONGEST: Final = 12
"""Greatest length in steps; a longer note counts as this."""


def words(beat: Beat) -> Iterator[str]:
    """Yield the words that a beat completes, as in "S+2/4@0" and "B-5/2@2 B+2/4@0"."""
    offset = beat.position - beat.first
    for voice in Voice:
        if not any(onsets[voice] for onsets in beat.onsets[beat.first :]):
            continue
        notes = beat.notes(voice, before=2)
        known = _of_notes(notes, voice.letter, offset)
        new = sum(note.start >= beat.first for note in notes)
        for before, word in pairwise(["", *known][-new - 1 :]):
            yield word
            if before:
                yield f"{before} {word}"


def _of_notes(notes: Sequence[Note], letter: str, offset: int) -> list[str]:
    """Return the words of all notes but the last, whose interval is unknown."""
    return [
        f"{letter}{_clipped(after.pitch - note.pitch):+d}/{min(note.length, _LONGEST)}"
        f"@{(note.start + offset) % STEPS_PER_QUARTER}"
        for note, after in pairwise(notes)
    ]


def _clipped(interval: int) -> int:
    return max(-_LARGEST, min(_LARGEST, interval))
