"""MIDI files in seconds (SMPTE): estimation of the quarter note.

By the standard a tempo has no meaning in them, but programs write the one of the score. It counts
if the notes fit its sixteenths; else the usual distance of two notes is a quarter, or another note
value that makes a tempo of about 120.
"""

from __future__ import annotations

import statistics
from dataclasses import replace
from itertools import pairwise
from typing import Final

from musicrel.chorale import STEPS_PER_QUARTER
from musicrel.score.midi.midi_events import Event, MidiFile

_SLOWEST, _FASTEST = 85.0, 170.0
_MAX_DEVIATION: Final = 0.1
"""The mean deviation, in sixteenths, up to which notes fit; that of random ones is 0.25."""


def with_quarters(file: MidiFile) -> MidiFile:
    """Return a file in seconds with a division and one tempo; any other file itself."""
    rate = file.ticks_per_second
    if rate is None:
        return file
    events = [event for track in file.tracks for event in track]
    onsets = sorted({event.tick for event in events if event.kind == "note_on"})
    tempos = [int.from_bytes(e.data[:3]) / 1e6 for e in events if e.kind == "tempo"]
    quarter = next((rate * seconds for seconds in tempos if _fits(onsets, rate * seconds)), None)
    if quarter is None:
        quarter = float(statistics.median_low([b - a for a, b in pairwise(onsets)] or [rate / 2]))
        while quarter * _FASTEST < 60 * rate:
            quarter *= 2
        while quarter * _SLOWEST > 60 * rate:
            quarter /= 2
    tempo = Event(0, "tempo", -1, round(quarter / rate * 1e6).to_bytes(3))
    tracks = [tuple(e for e in track if e.kind != "tempo") for track in file.tracks]
    return replace(
        file,
        division=quarter,
        tracks=((tempo, *tracks[0]), *tracks[1:]),
        ticks_per_second=None,
        faults=file.faults | {("seconds", 0)},
    )


def _fits(onsets: list[int], quarter: float) -> bool:
    """Return whether notes at these ticks lie on the sixteenths of a ``quarter`` of ticks."""
    step = quarter / STEPS_PER_QUARTER
    if not onsets or not step:
        return False
    steps = [(tick - onsets[0]) / step for tick in onsets]
    return statistics.fmean(abs(at - round(at)) for at in steps) <= _MAX_DEVIATION
