"""Ticks on the axes of an attention map: bars, beats and voices; places in cells."""

from __future__ import annotations

from typing import Final, NamedTuple

from musicrel.chorale import Chorale, Voice
from musicrel.meter_beats import written_unit

_VOICES: Final = len(Voice)


class Tick(NamedTuple):
    """A tick on both axes of a map: its place in cells, and its label."""

    place: float
    label: str


def bar_ticks(chorale: Chorale, most: int = 16) -> tuple[Tick, ...]:
    """Return ticks at bar lines, at most ``most``; place 0 is the first cell."""
    lines = list(enumerate(chorale.bar_line_steps(), start=1))
    stride = 1
    while len(lines) > most * stride:
        stride *= 2
    return tuple(Tick(step * _VOICES, str(number)) for number, step in lines[::stride])


def beat_ticks(chorale: Chorale) -> tuple[Tick, ...]:
    """Return ticks at all beats; that of bar 3, beat 2 is labelled '3.2'."""
    beat = written_unit(chorale.meter)
    found = []
    for step in range(chorale.pickup % beat, chorale.steps, beat):
        bar, within = divmod(step - chorale.pickup, chorale.meter.steps)
        found.append(Tick(step * _VOICES, f"{bar + 1}.{within // beat + 1}"))
    return tuple(found)


def voice_ticks(first: int, stop: int) -> tuple[Tick, ...]:
    """Return the letter of the voice in the middle of each cell from ``first`` to ``stop``."""
    return tuple(
        Tick(cell + 0.5, Voice(cell % _VOICES).letter) for cell in range(max(first, 0), stop)
    )


def ticks(chorale: Chorale, span: float, most: int = 8) -> tuple[Tick, ...]:
    """Return ticks at bars, or at beats where fewer than two bars are visible.

    Args:
        span: number of visible cells; ticks outside them are included, too.
        most: maximum number of visible bar ticks.
    """
    if span < 2 * chorale.meter.steps * _VOICES:
        return beat_ticks(chorale)
    return bar_ticks(chorale, most * max(round(chorale.steps * _VOICES / span), 1))
