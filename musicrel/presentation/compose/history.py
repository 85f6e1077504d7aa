"""All pieces of a session in the order they came: none is lost by going back or by a new one.

This file knows pieces; it knows nothing of where they are shown.
"""

from __future__ import annotations

from dataclasses import dataclass

from musicrel.chorale import Chorale, Flags
from musicrel.presentation.compose.form import Form


@dataclass(slots=True, kw_only=True)
class Entry:
    """One piece.

    Attributes:
        piece: the notes.
        form: what it was written after, where that is known.
        saved: whether there is a file of it.
        locked: the cells that are locked, bool (T, 4); None: it is for the piece to say.
    """

    piece: Chorale
    form: Form | None = None
    saved: bool = False
    locked: Flags | None = None


class History:
    """A line of pieces and the place in it; a new piece comes right after the place."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._place = -1

    @property
    def current(self) -> Entry | None:
        """The piece at the place."""
        return self._entries[self._place] if self._entries else None

    @property
    def before(self) -> Entry | None:
        """The piece to go back to."""
        return self._entries[self._place - 1] if self._place > 0 else None

    @property
    def after(self) -> Entry | None:
        """The piece to go on to."""
        following = self._place + 1
        return self._entries[following] if following < len(self._entries) else None

    def add(self, entry: Entry) -> None:
        """Put a new piece after the place and go there; all others stay."""
        self._place += 1
        self._entries.insert(self._place, entry)

    def go(self, entry: Entry) -> None:
        """Go to one of the pieces."""
        self._place = next(at for at, known in enumerate(self._entries) if known is entry)

    def mark_saved(self, piece: Chorale) -> None:
        """There is a file of ``piece`` now."""
        for entry in self._entries:
            if entry.piece is piece:
                entry.saved = True
