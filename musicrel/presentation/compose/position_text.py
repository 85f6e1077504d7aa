"""Positions, loops, tempo, volume and pan as they are counted and shown.

Positions are steps of one sixteenth, fractions included.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from musicrel.chorale import Chorale, Meter
from musicrel.language import tr
from musicrel.meter_beats import written_unit
from musicrel.score.performance import TEMPO_FACTORS

Formatter: TypeAlias = Callable[[float], str]  # A formatter of a value for people
FULL: Final = 100  # A volume of 1, or a hard pan, in percent

_JUST_BEFORE: Final = 1e-6
_A_TOUCH: Final = 0.005


def bar_and_beat(step: float, meter: Meter, pickup: int) -> str:
    """Return bar and beat, as '3.2'; a pickup is bar 0, its beats counted as the last of a bar."""
    bar, within = divmod(int(step + _JUST_BEFORE) - pickup, meter.steps)
    return f"{bar + 1}.{within // written_unit(meter) + 1}"


def beat(step: float, meter: Meter, pickup: int) -> str:
    """Return the beat at ``step`` as it is counted in its bar, as '3'."""
    return bar_and_beat(step, meter, pickup).rpartition(".")[2]


def beat_below(step: float, meter: Meter, pickup: int) -> float:
    """Return the beginning of the beat in which a playhead at ``step`` is, not before 0."""
    unit = written_unit(meter)
    within = (int(step + _JUST_BEFORE) - pickup) % unit
    return max(float(int(step + _JUST_BEFORE) - within), 0.0)


def time(seconds: float) -> str:
    """Return an elapsed time in seconds, rounded down, as '0:07'."""
    minutes, rest = divmod(int(seconds + _JUST_BEFORE), 60)
    return f"{minutes}:{rest:02d}"


def grid(step: float, meter: Meter, pickup: int, steps: int) -> int:
    """Return the beat nearest to ``step``, or the nearer end of a piece of ``steps``."""
    beat = written_unit(meter)
    offset = pickup % beat
    nearest = round((step - offset) / beat) * beat + offset
    return min((nearest, 0, steps), key=lambda line: (not 0 <= line <= steps, abs(line - step)))


def region(one: float, other: float, piece: Chorale) -> tuple[int, int] | None:
    """Return the range of beats between two steps in either order; None if it is empty."""
    lines = [grid(step, piece.meter, piece.pickup, piece.steps) for step in (one, other)]
    first, last = min(lines), max(lines)
    return (first, last) if first < last else None


def fitting(loop: tuple[int, int] | None, steps: int) -> tuple[int, int] | None:
    """Return the part of ``loop`` within a piece of ``steps``; None if it is empty."""
    if loop is None or loop[0] >= steps:
        return None
    return (loop[0], min(loop[1], steps))


def tempo_bounds(written: float) -> tuple[int, int]:
    """Return the slowest and fastest tempo (whole BPM) for a piece of ``written`` BPM."""
    low, high = TEMPO_FACTORS
    return -int(-written * low // 1), int(written * high)


def tempo_factor(tempo: int, written: float) -> float:
    """Return ``tempo`` relative to ``written``, clipped to the playable factors."""
    low, high = TEMPO_FACTORS
    return min(max(tempo / written, low), high)


def volume(share: float) -> str:
    """Return a volume (1: full) in percent, as '80 %'."""
    return f"{round(share * FULL)} %"


def pan(side: float) -> str:
    """Return a pan from -1 to 1, as '45 % left', 'centre', '100 % right'."""
    if abs(side) < _A_TOUCH:
        return tr("centre")
    text = tr("{share} % left") if side < 0 else tr("{share} % right")
    return text.format(share=round(abs(side) * FULL))
