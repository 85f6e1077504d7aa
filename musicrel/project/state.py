"""The states of a document that Undo and Redo restore."""

from __future__ import annotations

from dataclasses import dataclass

from musicrel.chorale import Chorale, Flags
from musicrel.presentation.compose.form import Form


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class State:
    """A piece with its locks and its form, as one step of Undo restores it."""

    piece: Chorale
    locks: Flags  # the locked cells, bool (T, 4)
    form: Form
    generated: bool = False  # True if ``form`` generates exactly this piece
    # number of the take that this piece is or was edited from; None without one
    take: int | None = None
    deleted: frozenset[int] = frozenset()  # numbers of the takes that are deleted
