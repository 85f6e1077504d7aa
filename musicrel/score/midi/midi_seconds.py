"""MIDI files in seconds (SMPTE): estimation of the quarter note.

By the standard a tempo has no meaning in them, but programs write the one of the score. It counts
if the notes fit its sixteenths and their usual distance is no dotted note; else this distance is a
quarter, or another note value that makes a tempo of about 120.
"""

from __future__ import annotations

import math
import statistics
from dataclasses import replace
from itertools import pairwise
from typing import Final

from musicrel.chorale import STEPS_PER_QUARTER
from musicrel.score.midi.midi_events import Event, MidiFile

_SHORTEST, _LONGEST = 0.1, 12.0
"""Seconds of a quarter."""
_MAX_DEVIATION: Final = 0.1
"""The mean deviation, in sixteenths, up to which notes fit; that of random ones is 0.25."""


def with_quarters(file: MidiFile) -> MidiFile:
    """Return a file in seconds with a division and one tempo; any other file itself."""
    rate = file.ticks_per_second
    if rate is None:
        return file
    events = [event for track in file.tracks for event in track]
    onsets = sorted({event.tick for event in events if event.kind == "note_on"})
    usual = float(statistics.median_low([b - a for a, b in pairwise(onsets)] or [rate / 2]))
    tempos = (int.from_bytes(event.data[:3]) / 1e6 for event in events if event.kind == "tempo")
    written = (rate * seconds for seconds in tempos if _SHORTEST < seconds < _LONGEST)
    near_120 = usual * 2.0 ** round(math.log2(rate / 2 / usual))
    quarter = next((ticks for ticks in written if _fits(onsets, usual, ticks)), near_120)
    tempo = Event(0, "tempo", -1, round(quarter / rate * 1e6).to_bytes(3))
    tracks = [tuple(e for e in track if e.kind != "tempo") for track in file.tracks]
    return replace(
        file,
        division=quarter,
        tracks=((tempo, *tracks[0]), *tracks[1:]),
        ticks_per_second=None,
        faults=file.faults | {("seconds", 0)},
    )


def _fits(onsets: list[int], usual: float, quarter: float) -> bool:
    """Return whether notes, most of them ``usual`` ticks apart, fit a ``quarter`` of ticks."""
    halvings = math.log2(quarter / usual)
    steps = [(tick - onsets[0]) * STEPS_PER_QUARTER / quarter for tick in onsets]
    off_grid = statistics.fmean(abs(at - round(at)) for at in steps or [0.0])
    return abs(halvings - round(halvings)) < _MAX_DEVIATION and off_grid <= _MAX_DEVIATION
