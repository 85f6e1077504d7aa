"""Positions on a staff: which note a height means, and which voice and step a point is nearest to.

Degrees are letters counted from the C of octave 0, seven an octave, as in ``editing.degrees``; the
C on the first ledger line below the treble staff is 28.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from musicrel.chorale import STEPS_PER_QUARTER, Voice
from musicrel.editing.selection import Selection
from musicrel.presentation.score.score_picture import SPACE, Head, Staff, System

_HALF: Final = SPACE / 2
"""Distance of two degrees."""
_STAFF_DEGREES: Final = 8
"""Degrees between the outer lines of a staff."""
_TREBLE: Final = 30
_TREBLE_8: Final = 23
_BASS: Final = 18
_BOTTOM_LINES: Final[Mapping[tuple[int, ...], int]] = {
    (Voice.SOPRANO, Voice.ALTO): _TREBLE,
    (Voice.TENOR, Voice.BASS): _BASS,
    (Voice.SOPRANO,): _TREBLE,
    (Voice.ALTO,): _TREBLE,
    (Voice.TENOR,): _TREBLE_8,
    (Voice.BASS,): _BASS,
}
"""The voices of a staff, and the degree of its lowest line: E4, E3 or G2."""


def degree_at(staff: Staff, y: float) -> int:
    """Return the degree nearest to a height."""
    return _BOTTOM_LINES[staff.voices] + round((staff.bottom - y) / _HALF)


def y_of(staff: Staff, degree: int) -> float:
    """Return the height of a degree: the centre of its heads."""
    return staff.bottom - (degree - _BOTTOM_LINES[staff.voices]) * _HALF


def ledger_lines(staff: Staff, degree: int) -> list[float]:
    """Return the heights of the ledger lines that a head needs, from the staff outwards."""
    bottom = _BOTTOM_LINES[staff.voices]
    top = bottom + _STAFF_DEGREES
    lines = [*range(top + 2, degree + 1, 2), *range(bottom - 2, degree - 1, -2)]
    return [y_of(staff, line) for line in lines]


def staff_at(system: System, y: float) -> Staff:
    """Return the staff nearest to a height."""
    return min(system.staves, key=lambda staff: max(staff.top - y, y - staff.bottom, 0.0))


def staff_of(system: System, voice: int) -> Staff:
    return next(staff for staff in system.staves if voice in staff.voices)


def voice_at(system: System, x: float, y: float) -> int:
    """Return the voice nearest to a point: that of the nearest head at its time on its staff.

    On a staff without heads there it is the upper or lower voice by the middle line.
    """
    staff = staff_at(system, y)
    heads = [h for h in system.sounding(step_at(system, x)) if h.note.voice in staff.voices]
    if heads:
        return min(heads, key=lambda head: abs(head.y - y)).note.voice
    return staff.voices[0 if y <= (staff.top + staff.bottom) / 2 else -1]


def step_at(system: System, x: float, grid: int = STEPS_PER_QUARTER) -> int:
    """Return the nearest step of a bar that has a column or is on a grid.

    Args:
        grid: steps between two points of the grid, counted from the bar line.
    """
    first, last = bar_at(system, x)
    columns = {int(column.step) for column in system.columns if first <= column.step < last}
    return min(
        sorted(columns | {*range(first, last, grid)}), key=lambda step: abs(system.x_at(step) - x)
    )


def bar_at(system: System, x: float) -> tuple[int, int]:
    """Return the first step of the bar at ``x`` and that of the next."""
    before = [place for place, line in enumerate(system.lines[:-1]) if line.x <= x]
    place = before[-1] if before else 0
    return int(system.lines[place].step), int(system.lines[place + 1].step)


def cell_at(system: System, x: float, y: float) -> Selection:
    """Select the cell nearest to a point."""
    step = step_at(system, x)
    return Selection(voices=(voice_at(system, x, y),), start=step, stop=step + 1)


def selection_of(heads: Iterable[Head]) -> Selection | None:
    """Select the voices of some heads, from the first to the last; None without heads."""
    found = list(heads)
    if not found:
        return None
    return Selection(
        voices=tuple(sorted({head.note.voice for head in found})),
        start=min(head.start for head in found),
        stop=max(head.stop for head in found),
    )
