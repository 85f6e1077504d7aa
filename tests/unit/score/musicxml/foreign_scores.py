"""MusicXML as other programs write it: a hymn of two bars, and scores from their parts."""

from __future__ import annotations

from typing import Final

HYMN: Final = (
    (67, 72, 74, 71, 72, 69, 66, 67),
    (62, 64, 66, 67, 64, 64, 62, 62),
    (59, 60, 57, 62, 60, 60, 57, 59),
    (55, 48, 50, 55, 48, 52, 50, 43),
)
"""Two bars in G major, in quarters: S, A, T, B."""
VOICES: Final = ("Soprano", "Alto", "Tenor", "Bass")
_NAMES: Final = ("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B")


def hymn() -> str:
    """Build the hymn in four parts."""
    parts = []
    for line in HYMN:
        notes = [note(name(pitch), 4, "<type>quarter</type>") for pitch in line]
        key = "<key><fifths>1</fifths><mode>major</mode></key>"
        first = measure(attributes(inside=key), *notes[:4])
        parts.append(first + measure(*notes[4:], number="2"))
    return score(*parts, names=VOICES).decode()


def name(pitch: int) -> str:
    """Return the name of a MIDI pitch, as ``note`` takes it."""
    return f"{_NAMES[pitch % 12]}{pitch // 12 - 1}"


def score(*parts: str, head: str = "", names: tuple[str, ...] = ()) -> bytes:
    """Build a score; each of ``parts`` is the content of a part."""
    listed = "".join(
        f'<score-part id="P{number}"><part-name>{name}</part-name></score-part>'
        for number, name in enumerate(names or ("",) * len(parts))
    )
    music = "".join(f'<part id="P{n}">{part}</part>' for n, part in enumerate(parts))
    return (
        '<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE score-partwise PUBLIC '
        '"-//Recordare//DTD MusicXML 4.0 Partwise//EN" '
        '"http://www.musicxml.org/dtds/partwise.dtd">'
        f"<score-partwise>{head}<part-list>{listed}</part-list>{music}</score-partwise>"
    ).encode()


def measure(*inside: str, number: str = "1", implicit: bool = False) -> str:
    """Build a measure."""
    pickup = ' implicit="yes"' if implicit else ""
    return f'<measure number="{number}"{pickup}>{"".join(inside)}</measure>'


def attributes(divisions: int = 4, time: str = "4/4", inside: str = "") -> str:
    """Build the attributes at the start of a part."""
    beats, unit = time.split("/")
    return (
        f"<attributes><divisions>{divisions}</divisions>{inside}<time><beats>{beats}</beats>"
        f"<beat-type>{unit}</beat-type></time></attributes>"
    )


def note(name: str, duration: int, inside: str = "", *, chord: bool = False, voice: int = 1) -> str:
    """Build a note such as C4 or F#4, or a rest, named R."""
    pitch = "<rest/>"
    if name != "R":
        alter = "<alter>1</alter>" if "#" in name else ""
        pitch = f"<pitch><step>{name[0]}</step>{alter}<octave>{name[-1]}</octave></pitch>"
    together = "<chord/>" if chord else ""
    return (
        f"<note>{together}{pitch}<duration>{duration}</duration><voice>{voice}</voice>{inside}"
        "</note>"
    )
