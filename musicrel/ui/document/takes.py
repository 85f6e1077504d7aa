"""The takes of a document."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QObject, Signal

from musicrel.chorale import Chorale
from musicrel.presentation.compose.form import Form
from musicrel.project.take import MAX_RATING, Take

_NAME: Final = "Take {number}"


class Takes(QObject):
    """The takes by number; adding, rating and renaming one is no step of Undo."""

    changed = Signal()  # a take was added, changed, deleted or restored

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._takes: dict[int, Take] = {}
        self._deleted: frozenset[int] = frozenset()

    @property
    def all(self) -> tuple[Take, ...]:
        """Return all takes by number, deleted ones too."""
        return tuple(self._takes.values())

    @property
    def visible(self) -> tuple[Take, ...]:
        """Return the takes by number, without deleted ones."""
        return tuple(take for take in self.all if take.number not in self._deleted)

    def get(self, number: int | None) -> Take | None:
        """Return the take with this number, a deleted one too; None if there is none."""
        return None if number is None else self._takes.get(number)

    def add(
        self,
        piece: Chorale,
        form: Form,
        action: str,
        *,
        parent: int | None = None,
        accepted: bool = False,
    ) -> int:
        """Add a take and return its number.

        Args:
            parent: number of the take it was made from; None without one.
            accepted: True if it becomes the current piece.
        """
        number = max(self._takes, default=0) + 1
        self._takes[number] = Take(
            number=number,
            name=self._unused(piece.title or _NAME.format(number=number)),
            piece=piece,
            form=form,
            action=action,
            parent=parent,
            accepted=accepted,
            created=time.time(),
        )
        self.changed.emit()
        return number

    def accept(self, number: int) -> None:
        """Mark a take as one that is or was the current piece."""
        if not self._takes[number].accepted:
            self._takes[number] = replace(self._takes[number], accepted=True)
            self.changed.emit()

    def rate(self, number: int, rating: int) -> None:
        rating = min(max(rating, 0), MAX_RATING)
        if rating != self._takes[number].rating:
            self._takes[number] = replace(self._takes[number], rating=rating)
            self.changed.emit()

    def rename(self, number: int, name: str) -> None:
        """Rename a take; a name that another take has gets a number, an empty one is ignored."""
        name = " ".join(name.split())
        if name and name != self._takes[number].name:
            self._takes[number] = replace(self._takes[number], name=self._unused(name))
            self.changed.emit()

    def set_deleted(self, numbers: frozenset[int]) -> None:
        """Hide these takes and no others; called by the document, which can undo it."""
        if numbers != self._deleted:
            self._deleted = numbers
            self.changed.emit()

    def restore(self, takes: Iterable[Take], deleted: frozenset[int]) -> None:
        """Replace all takes by those of a project."""
        self._takes, self._deleted = {take.number: take for take in takes}, deleted
        self.changed.emit()

    def _unused(self, name: str) -> str:
        used = {take.name for take in self._takes.values()}
        count, free = 2, name
        while free in used:
            count, free = count + 1, f"{name} ({count})"
        return free
