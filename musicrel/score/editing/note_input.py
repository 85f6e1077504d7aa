"""Note input from the keyboard: a cursor in one voice, letters, rests and durations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from musicrel.chorale import MAX_STEPS, RANGES, STEPS_PER_QUARTER, Chorale, Voice
from musicrel.errors import UsageError
from musicrel.language import tr
from musicrel.score.editing import note_edits
from musicrel.score.editing.draft import Draft, Edit
from musicrel.score.editing.note_edits import put
from musicrel.score.editing.notes import Note, note_at, note_before, notes_in
from musicrel.score.editing.selection import Selection

# Keys of the durations as in MuseScore, from a sixteenth to a whole note, and their steps.
DURATIONS: Final[Mapping[str, int]] = {"3": 1, "4": 2, "5": 4, "6": 8, "7": 16}

# Names of notes by their steps.
DURATION_NAMES: Final[Mapping[int, str]] = {
    1: tr("sixteenth"), 2: tr("eighth"), 4: tr("quarter"), 8: tr("half", "note"),
    16: tr("whole", "note"),
}  # fmt: skip

SHORTEST: Final = tr(
    "a sixteenth is the shortest note and cannot be dotted: choose a longer one first"
)

NOTHING_TO_TIE: Final = tr("no note ends at the cursor: write one first, then tie it to another")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor:
    voice: int  # 0 soprano ... 3 bass
    step: int  # where the next note begins; at the end of the piece a note adds a bar
    duration: int = STEPS_PER_QUARTER  # steps of the note without its dot, one of ``DURATIONS``
    dotted: bool = False  # whether it is half as long again

    @property
    def length(self) -> int:
        return self.duration * 3 // 2 if self.dotted else self.duration

    def with_duration(self, duration: int) -> Cursor:
        return replace(self, duration=duration, dotted=False)

    def with_dot(self) -> Cursor:
        if self.duration == 1:
            raise UsageError(SHORTEST)
        return replace(self, dotted=not self.dotted)

    def next(self, piece: Chorale) -> Cursor:
        """Move to the end of the note at the cursor, or through a rest by the duration."""
        note = note_at(piece, self.voice, self.step)
        if note is None:
            later = Selection(voices=(self.voice,), start=self.step, stop=self.step + self.length)
            starts = [each.start for each in notes_in(piece, later)]
            return replace(self, step=min([later.stop, piece.steps, *starts]))
        return replace(self, step=note.stop)

    def previous(self, piece: Chorale) -> Cursor:
        """Move to the start of the note before the cursor, or through a rest by the duration."""
        before = note_before(piece, self.voice, self.step)
        if before is not None and before.stop >= self.step:
            return replace(self, step=before.start)
        return replace(self, step=max(self.step - self.length, before.stop if before else 0))

    def in_voice(self, voices: int) -> Cursor:
        return replace(self, voice=min(max(self.voice + voices, 0), len(Voice) - 1))


def enter(piece: Chorale, cursor: Cursor, letter: str) -> tuple[Edit, Cursor]:
    """Write the note of a letter at the cursor, and move the cursor to its end.

    It is the nearest one to the note before, a fourth away at most, or to the middle of the
    voice's range if there is none; the key signature applies. Existing notes are cut as by
    ``note_edits.put``. At the end of the piece a bar is added.
    """
    before = note_before(piece, cursor.voice, cursor.step)
    near = before.pitch if before else sum(RANGES[Voice(cursor.voice)]) // 2
    key = piece.key_at(cursor.step)
    return write(piece, cursor, note_edits.nearest(letter.upper(), near, key))


def write(piece: Chorale, cursor: Cursor, pitch: int) -> tuple[Edit, Cursor]:
    """Write a note at the cursor, and move the cursor to its end."""
    stop = cursor.step + cursor.length
    return put(piece, Note(cursor.step, stop, pitch, cursor.voice)), replace(cursor, step=stop)


def tie(piece: Chorale, cursor: Cursor) -> tuple[Edit, Cursor]:
    """Lengthen the note before the cursor by the duration, as one tied to it would.

    Raises:
        UsageError: no note ends at the cursor.
    """
    before = note_before(piece, cursor.voice, cursor.step)
    if before is None or before.stop != cursor.step:
        raise UsageError(NOTHING_TO_TIE)
    stop = cursor.step + cursor.length
    return put(piece, before._replace(stop=stop)), replace(cursor, step=stop)


def rest(piece: Chorale, cursor: Cursor) -> tuple[Edit, Cursor]:
    stop = cursor.step + cursor.length
    draft = Draft(piece)
    draft.grow(stop)
    draft.clear(cursor.voice, cursor.step, stop)
    selection = Selection(voices=(cursor.voice,), start=cursor.step, stop=stop)
    return draft.edit(selection), replace(cursor, step=stop)


def backspace(piece: Chorale, cursor: Cursor, *, least: int = MAX_STEPS) -> tuple[Edit, Cursor]:
    """Remove the note before the cursor, move the cursor to its start, select the note before.

    Through a rest the cursor moves back by its duration, up to the note before.

    Args:
        least: steps that are kept; whole bars of rests after them and the cursor are removed.
    """
    draft, moved = Draft(piece), cursor.previous(piece)
    draft.clear_notes(note for note in [note_at(piece, cursor.voice, cursor.step - 1)] if note)
    draft.trim(max(least, moved.step))
    edit = draft.edit(None)
    return replace(edit, selection=selection_before(edit.piece, moved)), moved


def selection_before(piece: Chorale, cursor: Cursor) -> Selection | None:
    """Select the note that ends at the cursor or sounds there; None after a rest."""
    note = note_before(piece, cursor.voice, cursor.step)
    return Selection.of_note(note) if note is not None and note.stop >= cursor.step else None
