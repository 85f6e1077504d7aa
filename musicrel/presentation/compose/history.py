"""The history of a session: all its pieces; adding one after going back loses none."""

from __future__ import annotations

from dataclasses import dataclass

from musicrel.chorale import Chorale, Flags
from musicrel.presentation.compose.form import Form


@dataclass(slots=True, kw_only=True)
class Entry:
    """A piece of the history.

    Attributes:
        piece: the notes.
        form: the form it was generated from, if known.
        saved: True if it is in a file.
        locked: the locked cells, bool (T, 4); None: as in the piece's provenance.
    """

    piece: Chorale
    form: Form | None = None
    saved: bool = False
    locked: Flags | None = None


class History:
    """The pieces in order and the current position; a new piece is inserted after it."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._place = -1

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def current(self) -> Entry | None:
        """Return the current piece."""
        return self._entries[self._place] if self._entries else None

    @property
    def before(self) -> Entry | None:
        """Return the piece before the current one."""
        return self._entries[self._place - 1] if self._place > 0 else None

    @property
    def after(self) -> Entry | None:
        """Return the piece after the current one."""
        following = self._place + 1
        return self._entries[following] if following < len(self._entries) else None

    def add(self, entry: Entry) -> None:
        """Insert a piece after the current one and make it current."""
        self._place += 1
        self._entries.insert(self._place, entry)

    def go(self, entry: Entry) -> None:
        """Make one of the pieces current."""
        self._place = next(at for at, known in enumerate(self._entries) if known is entry)

    def mark_saved(self, piece: Chorale) -> None:
        """Mark ``piece`` as saved."""
        for entry in self._entries:
            if entry.piece is piece:
                entry.saved = True
