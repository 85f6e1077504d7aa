"""The states of a document that Undo and Redo restore."""

from __future__ import annotations

from dataclasses import dataclass

from musicrel.chorale import Chorale, Flags
from musicrel.presentation.compose.form import Form


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class State:
    """A piece with its locks and its form, as one step of Undo restores it.

    Attributes:
        piece: the notes.
        locks: the locked cells, bool (T, 4).
        form: the form on screen.
        generated: True if ``form`` generates exactly this piece.
    """

    piece: Chorale
    locks: Flags
    form: Form
    generated: bool = False


class UndoStack:
    """States in order, and the current one; a new state discards those after the current one."""

    def __init__(self) -> None:
        self._states: list[State] = []
        self._index = -1

    def __len__(self) -> int:
        return len(self._states)

    def __contains__(self, state: State) -> bool:
        return state in self._states

    @property
    def current(self) -> State | None:
        """Return the current state; None before the first."""
        return self._states[self._index] if self._states else None

    @property
    def before(self) -> State | None:
        """Return the state before the current one, if any."""
        return self._states[self._index - 1] if self._index > 0 else None

    @property
    def after(self) -> State | None:
        """Return the state after the current one, if any."""
        return self._states[self._index + 1] if self._index + 1 < len(self._states) else None

    def last_of(self, piece: Chorale) -> State | None:
        """Return the last state with ``piece``, if any."""
        return next((state for state in reversed(self._states) if state.piece is piece), None)

    def push(self, state: State) -> None:
        """Add a state after the current one and make it current."""
        self._index += 1
        self._states[self._index :] = [state]

    def move(self, by: int) -> None:
        """Make the state ``by`` steps later current; the caller checks that there is one."""
        self._index += by
