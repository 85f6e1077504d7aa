"""The ghost of a note: where a dragged note would be, or one that a click would write."""

from __future__ import annotations

from typing import NamedTuple

from musicrel.chorale import Key
from musicrel.presentation.score import staff_positions
from musicrel.presentation.score.score_picture import System
from musicrel.presentation.words import names


class Ghost(NamedTuple):
    """A head with the name of its note."""

    system: int
    voice: int  # of the note, for its colour
    x: float
    y: float
    ledgers: tuple[float, ...]  # the heights of its ledger lines
    name: str


def ghost(
    index: int, system: System, *, x: float, voice: int, degree: int, pitch: int, key: Key | None
) -> Ghost:
    """Return the ghost of a note.

    Args:
        voice: of the note; it gives the staff.
    """
    staff = staff_positions.staff_of(system, voice)
    return Ghost(
        system=index,
        voice=voice,
        x=x,
        y=staff_positions.y_of(staff, degree),
        ledgers=tuple(staff_positions.ledger_lines(staff, degree)),
        name=names.pitch(pitch, key),
    )
