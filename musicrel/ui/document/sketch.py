"""Notes that are drawn while they are generated or recorded."""

from __future__ import annotations

from dataclasses import dataclass

from musicrel.chorale import Chorale


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sketch:
    """Notes that are drawn but not played: a piece while it is being generated or recorded."""

    piece: Chorale
    written: int | None = None  # number of steps that are written; None: all
