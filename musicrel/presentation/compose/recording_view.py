"""What is seen of a take while it is played: words for where one is, and the growing sheet.

This file knows pieces and places; it knows nothing of keyboards, clicks or windows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from musicrel.chorale import REST, Chorale, Meter
from musicrel.playback.recorder import Asked
from musicrel.playback.take import TITLES
from musicrel.presentation.words import names

KINDS: Final = (
    ("melody", "A melody", "One note at a time; three voices can be written to it"),
    ("chords", "Chords", "Up to four notes at a time; they become the four voices"),
)
"""What can be played: the kind, its name, and what becomes of it."""
METERS: Final = (Meter(4, 4), Meter(3, 4), Meter(2, 4), Meter(6, 8))

HINT: Final = ("Play after the count-in", "The notes appear here as you play them.")
NO_KEY: Final = "Play a note to try the keyboard"
NOTHING: Final = "Nothing was played"
DISCARDED: Final = "What was played is discarded"
DONE: Final = {
    "melody": "What was played is on the sheet: have it harmonised (Ctrl+H)",
    "chords": "What was played is on the sheet, in four voices",
}
"""What is said of a take by its kind."""
BENT: Final = "what was played is on the sheet, but {report}"
LOST: Final = "the MIDI port {name} is gone; what was played until then is kept"
LOST_EMPTY: Final = "the MIDI port {name} is gone; nothing was played until then"


def heard(pitch: int | None) -> str:
    """The key that was struck last, in words."""
    return NO_KEY if pitch is None else f"Heard {names.pitch(pitch)}"


def place(bar: int, beat: int) -> str:
    """Where the click is: 'Count-in 3', then 'Bar 2 · 1'."""
    return f"Bar {bar} · {beat}" if bar else f"Count-in {beat}"


def sheet(piece: Chorale | None, plan: Chorale) -> Chorale:
    """``piece`` on a sheet as long as ``plan``, or to the end of its last bar where it is longer.

    Args:
        piece: what was played, None where nothing was yet.
        plan: an empty sheet of the same meter.
    """
    if piece is None:
        return plan
    bar = piece.meter.steps
    whole = piece.pickup + -(-(piece.steps - piece.pickup) // bar) * bar
    more = max(plan.steps + piece.pickup, whole) - piece.steps
    return replace(
        piece,
        pitches=np.pad(piece.pitches, ((0, more), (0, 0)), constant_values=REST),
        onsets=np.pad(piece.onsets, ((0, more), (0, 0))),
        fermatas=np.pad(piece.fermatas, (0, more)),
    )


def plan(asked: Asked, bars: int) -> Chorale:
    """The empty sheet for what is about to be played."""
    silence = np.full((bars * asked.meter.steps, 4), REST)
    fields = {"meter": asked.meter, "tempo": asked.tempo, "key": asked.key}
    return Chorale.of(silence, title=TITLES[asked.kind], **fields)
