"""Pairing of note-on and note-off events."""

from __future__ import annotations

import pytest

from musicrel.score.importing.note_pairing import KeyEvent, ended, paired
from musicrel.score.importing.source import RawNote

_END = 20.0


def _events(text: str) -> list[KeyEvent]:
    """Parse events such as ``+60@4``, a press of 60 at step 4, and ``-60@8``, its release."""
    found = []
    for word in text.split():
        pitch, time = word[1:].split("@")
        found.append(KeyEvent(float(time), word[0] == "+", int(pitch)))
    return found


def _notes(text: str) -> list[RawNote]:
    """Parse notes such as ``60:4-8``."""
    found = []
    for word in text.split():
        pitch, span = word.split(":")
        start, stop = span.split("-")
        found.append(RawNote(float(start), float(stop), int(pitch)))
    return found


@pytest.mark.parametrize(
    ("events", "notes"),
    [
        ("+60@0 -60@4 +60@4 -60@8", "60:0-4 60:4-8"),
        ("+60@0 +60@4 -60@4 -60@8", "60:0-4 60:4-8"),
        ("+60@0 +60@4 -60@4.2 +60@8 -60@8.2 -60@12", "60:0-4.2 60:4-8.2 60:8-12"),
        ("+60@0 +60@4 -60@7 +60@8 -60@11 -60@12", "60:0-7 60:4-11 60:8-12"),
        ("+60@0 +60@4 +60@8 -60@12 -60@12 -60@12", "60:0-12 60:4-12 60:8-12"),
        ("+60@0 +60@0 -60@4 -60@4 +60@4 -60@8", "60:0-4 60:0-4 60:4-8"),
        ("+60@0 +60@0 -60@4 +60@4 -60@4 +62@4 -60@8 -62@8", "60:0-4 60:0-4 60:4-8 62:4-8"),
        ("+60@0 -60@4 -60@4 -60@6 +60@8 -60@12", "60:0-4 60:8-12"),
        ("+60@4 -60@4 +62@4 -62@8", "62:4-8"),
        ("-60@0 +60@4 -60@8", "60:4-8"),
    ],
    ids=[
        *("repeated", "started before ended", "legato", "long overlaps", "held by a pedal"),
        *("unison", "unison, then one", "ended twice", "no length", "ended before"),
    ],
)
def test_each_note_on_has_its_note_off(events: str, notes: str) -> None:
    """The first on of a pitch gets the first off."""
    assert ended(paired(_events(events)), _END) == _notes(notes)


@pytest.mark.parametrize(
    ("events", "notes"),
    [
        ("+60@0 +62@4 -62@8", "60:0-4 62:4-8"),
        ("+60@0 +60@4 -60@8", "60:0-4 60:4-8"),
        ("+60@0 +62@4 -62@8 +60@8 -60@12", "60:0-4 60:8-12 62:4-8"),
        ("+60@0 -60@4 +62@4", "60:0-4 62:4-20"),
        ("+60@0 +62@4 +64@8", "60:0-4 62:4-8 64:8-20"),
        ("+60@16 -60@20 +62@20", "60:16-20 62:20-24"),
        ("+60@0 +60@4 -60@4.2 +60@8 -60@8.2", "60:0-4.2 60:4-8.2 60:8-20"),
        ("+8@0 +60@0 -60@4 +62@4 -62@8 +9@8 -9@9 +60@8 -60@9", "8:0-8 60:0-4 62:4-8 9:8-9 60:8-9"),
        ("+1@0 +5@0 +8@0 -5@4 -8@4 +2@4 +5@4 -2@8 -5@8", "1:0-4 5:0-4 8:0-4 2:4-8 5:4-8"),
        ("+48@0 +52@0 +47@4 +50@4", "47:4-20 48:0-4 50:4-20 52:0-4"),
    ],
    ids=[
        *("before the next note", "before its repetition", "with a later note of its pitch"),
        *("at the end", "every note", "where its track ends", "after legato"),
        *("a bass under a melody", "in a chord", "chords without any end"),
    ],
)  # fmt: skip
def test_a_note_without_an_end_leaves_the_others_alone(events: str, notes: str) -> None:
    """It ends as soon as more notes than usual would sound, at the latest with the track."""
    assert ended(paired(_events(events)), _END) == sorted(_notes(notes))
