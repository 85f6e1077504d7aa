"""MusicXML as other programs write it: a hymn of two bars, and scores from their parts."""

from __future__ import annotations

import re
from typing import Final

from musicrel.chorale import Voice
from musicrel.score.importing import satb_import
from musicrel.score.importing.conversion import ImportedPiece
from musicrel.score.musicxml import musicxml_reader
from musicrel.score.notes import notes

HYMN: Final = (
    (67, 72, 74, 71, 72, 69, 66, 67),
    (62, 64, 66, 67, 64, 64, 62, 62),
    (59, 60, 57, 62, 60, 60, 57, 59),
    (55, 48, 50, 55, 48, 52, 50, 43),
)
"""Two bars in G major, in quarters: S, A, T, B."""
VOICES: Final = ("Soprano", "Alto", "Tenor", "Bass")
BACK: Final = "<backup><duration>16</duration></backup>"
IN_BAR_2: Final = r'(number="2">)'
ODD: Final = r"\1<attributes>{}</attributes>"
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


def read(text: str | bytes) -> ImportedPiece:
    """Import a score as four voices."""
    content = text if isinstance(text, bytes) else text.encode()
    return satb_import.import_satb(musicxml_reader.from_bytes(content))


def pitches(piece: ImportedPiece) -> tuple[tuple[int, ...], ...]:
    """Return the pitches of the notes of each voice."""
    return tuple(tuple(note.pitch for note in notes(piece.chorale, voice)) for voice in Voice)


def nth(text: str, pattern: str, new: str, index: int = 0) -> str:
    """Replace the match of ``pattern`` at ``index`` (from 0)."""
    found = list(re.finditer(pattern, text))[index]
    return text[: found.start()] + found.expand(new) + text[found.end() :]


def one_line(*bars: str, **of_attributes: str) -> str:
    """Build a score of one part."""
    first = attributes(**of_attributes)  # type: ignore[arg-type]
    numbered = [measure(first * (n == 0), bar, number=str(n + 1)) for n, bar in enumerate(bars)]
    return score("".join(numbered)).decode()
