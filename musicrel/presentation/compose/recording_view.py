"""Texts and the growing piece of a MIDI recording."""

from __future__ import annotations

from typing import Final

import numpy as np

from musicrel.chorale import REST, Chorale, Meter
from musicrel.playback.recorder import TITLES, TakeSettings
from musicrel.presentation.words import names

KINDS: Final = (
    ("melody", "Melody", "One note at a time, to be harmonised"),
    ("chords", "Chords", "Up to four notes at a time, which become the four voices"),
)  # kinds of recording: the kind, its title and its tooltip
METERS: Final = (Meter(4, 4), Meter(3, 4), Meter(2, 4), Meter(6, 8))

HINT: Final = ("Play after the count-in", "Notes appear here as you play.")
NO_KEY: Final = "Play a note to test the keyboard"
NOTHING: Final = "No notes recorded"
DISCARDED: Final = "Recording discarded"
DONE: Final = {
    "melody": "Melody recorded: harmonise it with Ctrl+H",
    "chords": "Chords recorded in four voices",
}  # status message by kind of recording
BENT: Final = "the recording was changed:{report}"
LOST: Final = "the MIDI port {name} was disconnected; the notes played so far are kept"
LOST_EMPTY: Final = "the MIDI port {name} was disconnected; no notes were recorded"


def last_key(pitch: int | None) -> str:
    return NO_KEY if pitch is None else f"Received {names.pitch(pitch)}"


def click_position(bar: int, beat: int) -> str:
    """Return the position of the click: 'Count-in 3', then 'Bar 2 · 1'."""
    return f"Bar {bar} · {beat}" if bar else f"Count-in {beat}"


def padded_piece(piece: Chorale | None, plan: Chorale) -> Chorale:
    """Pad ``piece`` with silence to the length of ``plan``, or to the end of its last bar."""
    if piece is None:
        return plan
    bar = piece.meter.steps
    whole = piece.pickup + -(-(piece.steps - piece.pickup) // bar) * bar
    return piece.padded(max(plan.steps + piece.pickup, whole) - piece.steps)


def plan(settings: TakeSettings, bars: int) -> Chorale:
    """Return the silent piece that a recording starts with."""
    silence = np.full((bars * settings.meter.steps, 4), REST)
    fields = {"meter": settings.meter, "tempo": settings.tempo, "key": settings.key}
    return Chorale.of(silence, title=TITLES[settings.kind], **fields)
