"""Takes: the pieces that a document has had, each with the settings that made it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from musicrel.chorale import Chorale
from musicrel.presentation.compose.form import Form

MAX_RATING: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Take:
    """One generated, rewritten, harmonised, recorded or opened piece."""

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
