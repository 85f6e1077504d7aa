"""Where the music is and what is repeated, as it is counted and shown.

Positions are steps of one sixteenth, fractions included. This file knows bars, beats and seconds;
it knows nothing of players or of Qt.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Meter
from musicrel.score.performance import TEMPO_FACTORS

Says: TypeAlias = Callable[[float], str]
"""Puts a value into words."""
FULL: Final = 100
"""A volume of 1, or a pan all the way to one side, as it is shown."""

_JUST_BEFORE: Final = 1e-6
_A_TOUCH: Final = 0.005


def place(step: float, meter: Meter, pickup: int) -> str:
    """Bar and beat as in '3.2'; a pickup is bar 0, its beats counted as the last of a bar.

    Args:
        step: where.
        meter: time signature.
        pickup: steps before the first bar line.
    """
    bar, within = divmod(int(step + _JUST_BEFORE) - pickup, meter.steps)
    return f"{bar + 1}.{within // beat_steps(meter) + 1}"


def time(seconds: float) -> str:
    """A time that has passed, as in '0:07': whole seconds, none before it is over."""
    minutes, rest = divmod(int(seconds + _JUST_BEFORE), 60)
    return f"{minutes}:{rest:02d}"


def beat_steps(meter: Meter) -> int:
    """Sixteenths in a beat."""
    return max(4 * STEPS_PER_QUARTER // meter.denominator, 1)


def grid(step: float, meter: Meter, pickup: int, steps: int) -> int:
    """The beat nearest to ``step``, or an end of the piece of ``steps`` where that is nearer."""
    beat = beat_steps(meter)
    offset = pickup % beat
    nearest = round((step - offset) / beat) * beat + offset
    return min((nearest, 0, steps), key=lambda line: (not 0 <= line <= steps, abs(line - step)))


def region(one: float, other: float, piece: Chorale) -> tuple[int, int] | None:
    """The beats from ``one`` step to ``other``, in either order; None where they are the same."""
    lines = [grid(step, piece.meter, piece.pickup, piece.steps) for step in (one, other)]
    first, last = min(lines), max(lines)
    return (first, last) if first < last else None


def fitting(loop: tuple[int, int] | None, steps: int) -> tuple[int, int] | None:
    """As much of ``loop`` as lies in a piece of ``steps``; None where that is nothing."""
    if loop is None or loop[0] >= steps:
        return None
    return (loop[0], min(loop[1], steps))


def tempo_bounds(written: float) -> tuple[int, int]:
    """The slowest and the fastest whole tempo for a piece of ``written`` quarters a minute."""
    low, high = TEMPO_FACTORS
    return -int(-written * low // 1), int(written * high)


def tempo_factor(wished: int, written: float) -> float:
    """How many times faster than ``written`` the tempo ``wished`` is, within what can be played."""
    low, high = TEMPO_FACTORS
    return min(max(wished / written, low), high)


def volume(share: float) -> str:
    """A volume in words, as in '80 %'."""
    return f"{round(share * FULL)} %"


def pan(side: float) -> str:
    """A place from left to right in words: 'left 45', 'centre', 'right 100'."""
    if abs(side) < _A_TOUCH:
        return "centre"
    return f"{'left' if side < 0 else 'right'} {round(abs(side) * FULL)}"
