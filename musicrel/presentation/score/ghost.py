"""The ghost of a note: where a dragged note would be, or one that a click would write."""

from __future__ import annotations

from typing import NamedTuple

from musicrel.chorale import Key
from musicrel.presentation.score import staff_positions
from musicrel.presentation.score.score_picture import System
from musicrel.presentation.words import names


class Ghost(NamedTuple):
    """A head with the name of its note.

    Attributes:
        system: index of the system.
        voice: of the note, for its colour.
        x: its centre.
        y: its centre.
        ledgers: the heights of its ledger lines.
        name: as 'F♯4'.
    """

    system: int
    voice: int
    x: float
    y: float
    ledgers: tuple[float, ...]
    name: str


def ghost(
    index: int, system: System, *, x: float, voice: int, degree: int, pitch: int, key: Key | None
) -> Ghost:
    """Return the ghost of a note.

    Args:
        index: of the system.
        system: the system.
        x: its centre.
        voice: of the note; it gives the staff.
        degree: its height, see ``staff_positions``.
        pitch: MIDI number.
        key: for the name.
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
