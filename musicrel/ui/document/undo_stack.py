"""The undo line: the states of a document in order."""

from __future__ import annotations

from musicrel.project.state import State


class UndoStack:
    """States in order, and the current one; a new state discards those after the current one.

    Args:
        position: index of the current one; -1 without states.
    """

    def __init__(self, states: tuple[State, ...] = (), position: int = -1) -> None:
        self._states = list(states)
        self._position = position

    def __len__(self) -> int:
        return len(self._states)

    @property
    def states(self) -> tuple[State, ...]:
        return tuple(self._states)

    @property
    def position(self) -> int:
        """Return the index of the current state; -1 before the first."""
        return self._position

    @property
    def current(self) -> State | None:
        """Return the current state; None before the first."""
        return self._states[self._position] if self._states else None

    @property
    def before(self) -> State | None:
        return self._states[self._position - 1] if self._position > 0 else None

    @property
    def after(self) -> State | None:
        following = self._position + 1
        return self._states[following] if following < len(self._states) else None

    def push(self, state: State) -> None:
        """Add a state after the current one and make it current."""
        self._position += 1
        self._states[self._position :] = [state]

    def move(self, by: int) -> None:
        """Make the state ``by`` steps later current; the caller checks that there is one."""
        self._position += by
