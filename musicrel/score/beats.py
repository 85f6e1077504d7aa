"""The beats of a piece, for the metronome, the count-in and click tracks.

A beat is a note of the meter's denominator. In a compound meter (6/8, 9/8, 12/8, 6/4 ...) three of
them make one beat; while these come slowly, the three notes are clicked as well, softer.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Final, Literal, NamedTuple, TypeAlias

from musicrel import meter_beats
from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Meter

# 0: first beat of a bar, 1: another beat, 2: a note between the beats of a compound meter.
Stress: TypeAlias = Literal[0, 1, 2]

# Beats a minute of a compound meter below which the notes between them are clicked.
SLOWEST_COMPOUND_BEAT: Final = 60.0


class Beat(NamedTuple):
    """One click."""

    step: int  # its step; negative in a count-in
    stress: Stress


def beats(meter: Meter, pickup: int, first: int, stop: int, tempo: float) -> list[Beat]:
    """List the beats from step ``first``, which may be negative, up to ``stop``.

    ``pickup`` is the step of any bar line, ``tempo`` that of quarters a minute, as played.
    """
    beat = meter_beats.beat(meter)
    slow = tempo * STEPS_PER_QUARTER / beat < SLOWEST_COMPOUND_BEAT
    every = meter_beats.written_unit(meter) if slow else beat
    begin = first + (pickup - first) % every
    return [Beat(step, _stress(meter, step - pickup)) for step in range(begin, stop, every)]


def of_piece(chorale: Chorale, tempo_factor: float = 1.0) -> list[Beat]:
    """List the beats of a piece, played at a multiple of its tempos."""
    starts = [mark.start for mark in chorale.marks if mark.kind == "tempo"]
    return [
        beat
        for first, stop in pairwise([0, *starts, chorale.steps])
        for beat in beats(
            chorale.meter, chorale.pickup, first, stop, chorale.tempo_at(first) * tempo_factor
        )
    ]


def count_in_start(chorale: Chorale, step: float) -> int:
    """Return the step, mostly negative, at which a count-in for playback from ``step`` begins.

    It is one bar, and what is missing between the bar line and ``step``: the beats before a
    pickup, or those of a bar that is entered in its middle.
    """
    bar = chorale.meter.steps
    return chorale.pickup + (math.floor((step - chorale.pickup) / bar) - 1) * bar


def _stress(meter: Meter, steps: int) -> Stress:
    if steps % meter.steps == 0:
        return 0
    return 1 if steps % meter_beats.beat(meter) == 0 else 2
