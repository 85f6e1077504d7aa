"""The notes of a piece with their voices: which ones a selection means, and where they lie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Voice
from musicrel.score.editing.selection import Selection, Sounding
from musicrel.score.notes import note_spans

GRID: Final = STEPS_PER_QUARTER // 2  # notes drawn with the mouse begin and end on eighths


class Note(NamedTuple):
    start: int  # the first step
    stop: int  # the step after the last
    pitch: int  # MIDI number, 0 to 127
    voice: int  # 0 soprano ... 3 bass

    @property
    def length(self) -> int:
        return self.stop - self.start

    def moved(self, steps: int, semitones: int = 0) -> Note:
        pitch = self.pitch + semitones
        return Note(self.start + steps, self.stop + steps, pitch, self.voice)


def notes(piece: Chorale) -> list[Note]:
    return [note for voice in Voice for note in voice_notes(piece, voice)]


def notes_in_time(piece: Chorale) -> list[Note]:
    return sorted(notes(piece), key=lambda note: (note.start, note.voice))


def voice_notes(piece: Chorale, voice: int) -> list[Note]:
    pitches = piece.pitches[:, voice]
    return [
        Note(start, stop, int(pitches[start]), int(voice))
        for start, stop in note_spans(pitches, piece.onsets[:, voice])
    ]


def notes_in(piece: Chorale, selection: Selection) -> list[Note]:
    """List the whole notes that sound in the selection: what every edit applies to.

    A note that begins before the selection or ends after it belongs to it with its whole length.
    They are listed voice by voice, each in order of time.
    """
    return [
        note
        for voice in selection.voices
        for note in voice_notes(piece, voice)
        if selection.touches(note)
    ]


def note_at(piece: Chorale, voice: int, step: int) -> Note | None:
    if not 0 <= step < piece.steps or piece.pitches[step, voice] == REST:
        return None
    return notes_in(piece, Selection(voices=(voice,), start=step, stop=step + 1))[0]


def note_before(piece: Chorale, voice: int, step: int) -> Note | None:
    return next((n for n in reversed(voice_notes(piece, voice)) if n.start < step), None)


def voice_end(piece: Chorale, voice: int) -> int:
    last = note_before(piece, voice, piece.steps)
    return last.stop if last else 0


def extent(found: Sequence[Sounding]) -> Selection:
    return Selection(
        voices=tuple(sorted({note.voice for note in found})),
        start=min(note.start for note in found),
        stop=max(note.stop for note in found),
    )


def span_between(ends: tuple[float, float], length: int) -> tuple[int, int]:
    """Return the steps from one position of the mouse to another, on the grid of eighths.

    Args:
        ends: where the button was pressed and released, in steps; a quarter is meant if both are
            the same.
    """
    first, last = sorted(min(max(step, 0.0), length - 1) for step in ends)
    start = int(first) // GRID * GRID
    stop = (int(last) // GRID + 1) * GRID
    return start, min(max(stop, start + STEPS_PER_QUARTER) if first == last else stop, length)
