"""The contents of a project, as the document holds them and a file keeps them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from musicrel.chorale import Chorale, Flags
from musicrel.presentation.compose.form import Form

MAX_RATING: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Take:
    number: int  # identity within the project, counted from 1 and never used twice
    name: str  # shown to the user and changed by him
    piece: Chorale
    form: Form  # the settings that made it
    # participle of what made it: "generated", "rewritten", "varied", "continued", "harmonised",
    # "recorded", "opened" or "edited"
    action: str = "generated"
    parent: int | None = None  # number of the take it was made from; None without one
    accepted: bool = False  # True if it was the current piece at some time
    rating: int = 0  # 0 (none) to ``MAX_RATING``
    created: float = 0.0  # seconds since 1970, UTC


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class State:
    piece: Chorale
    locks: Flags  # the locked cells, bool (T, 4)
    form: Form
    generated: bool = False  # True if ``form`` generates exactly this piece
    # number of the take that this piece is or was edited from; None without one
    take: int | None = None
    deleted: frozenset[int] = frozenset()  # numbers of the takes that are deleted


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contents:
    takes: tuple[Take, ...] = ()  # all takes, deleted ones too, by number
    states: tuple[State, ...] = ()  # the undo line, oldest first
    position: int = -1  # index of the current state; -1 without states
    present: bool = False  # False if the sheet is empty although there are states
    form: Form | None = None  # the form on screen; None: that of a new document
    # settings of the mixer as plain JSON values
    mixer: Mapping[str, Any] = field(default_factory=dict)

    @property
    def current(self) -> State | None:
        return self.states[self.position] if self.present else None
