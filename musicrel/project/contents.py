"""The contents of a project, as the document holds them and a file keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from musicrel.presentation.compose.form import Form
from musicrel.project.state import State
from musicrel.project.take import Take


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contents:
    """All that a project keeps."""

    takes: tuple[Take, ...] = ()  # all takes, deleted ones too, by number
    states: tuple[State, ...] = ()  # the undo line, oldest first
    position: int = -1  # index of the current state; -1 without states
    present: bool = False  # False if the sheet is empty although there are states
    form: Form | None = None  # the form on screen; None: that of a new document
    # settings of the mixer as plain JSON values
    mixer: Mapping[str, Any] = field(default_factory=dict)

    @property
    def current(self) -> State | None:
        """Return the state on screen; None on an empty sheet."""
        return self.states[self.position] if self.present else None
