"""Effects of an edit on notes other than those that it was about."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from musicrel.chorale import Chorale, Voice
from musicrel.editing.notes import Note
from musicrel.presentation.takes.edit_kinds import is_part
from musicrel.presentation.takes.edit_names import different_notes
from musicrel.presentation.words import names

REPLACED: Final = "replaced"
SHORTENED: Final = "shortened"
_OF_A_VOICE: Final = "{notes} of the {voice} {what}"
_NOTES: Final = "{notes} {what}"


def describe(before: Chorale, after: Chorale, edited: Collection[Note]) -> str:
    """Name the notes that an edit replaced or cut, as '2 notes of the alto replaced'.

    Args:
        after: the piece after; no bars were inserted or removed.
    """
    new, gone = different_notes(before, after)
    others = gone - frozenset(edited)
    shortened = [note for note in others if any(is_part(each, note) for each in new)]
    replaced = [note for note in others if note not in shortened]
    parts = ((replaced, REPLACED), (shortened, SHORTENED))
    return ", ".join(_text(notes, what) for notes, what in parts if notes)


def _text(notes: Sequence[Note], what: str) -> str:
    count = names.count(len(notes), "note")
    voices = {note.voice for note in notes}
    if len(voices) > 1:
        return _NOTES.format(notes=count, what=what)
    return _OF_A_VOICE.format(notes=count, voice=Voice(min(voices)).name.lower(), what=what)
