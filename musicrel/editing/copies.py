"""Copies of notes that are dragged with the mouse."""

from __future__ import annotations

from musicrel.chorale import Chorale
from musicrel.editing.draft import Draft
from musicrel.editing.edit import Edit
from musicrel.editing.notes import Note, notes_in
from musicrel.editing.selection import Selection


def copy_by(piece: Chorale, selection: Selection, *, steps: int, semitones: int) -> Edit:
    """Copy the notes to another place and pitch; the notes themselves stay where no copy lies.

    The copies replace what lies under them. The piece grows by whole bars if they end after it.
    """
    found = notes_in(piece, selection)
    copies = [Note(n.start + steps, n.stop + steps, n.pitch + semitones, n.voice) for n in found]
    if not copies:
        return Edit(piece=piece, selection=selection)
    draft = Draft(piece)
    for note in copies:
        draft.put(note)
    return draft.edit_of(copies)
