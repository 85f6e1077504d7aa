"""Reader of music21's essenFolksong, tunes of the Essen collection in ABC, as pieces of one voice.

A tune is read if it names one meter and one key and has single notes on the sixteenth grid. The
files name the tonic but hardly a mode: minor tunes have the signature of the major key and
accidentals at their notes. So the mode is that of the third above the tonic that sounds longer; a
tune without a third, or with both for the same time, is not read. Pitches are those of the file,
also below the soprano's range.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import music21
from music21 import abcFormat, key, meter

from musicrel.chorale import STEPS_PER_QUARTER, Chorale, Key, Meter, Mode, Voice
from musicrel.errors import MusicrelError
from musicrel.score.notes import Note, from_notes, notes

VERSION: Final[str] = music21.__version__
FOLDER: Final = Path(music21.__file__).parent / "corpus" / "essenFolksong"
_THIRDS: Final[Mapping[Mode, int]] = {"major": 4, "minor": 3}
"""Semitones from the tonic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tune:
    """A tune and its place in the collection.

    Attributes:
        file: name of the ABC file.
        number: its reference number there (``X:``).
        melody: the tune as the soprano of a piece, with meter, pickup and key.
    """

    file: str
    number: int
    melody: Chorale

    @property
    def sha256(self) -> str:
        """Return the SHA-256 of the notes with their form, in hex; see ``content``."""
        return hashlib.sha256(content(self.melody).encode()).hexdigest()


def content(melody: Chorale) -> str:
    """Write meter, pickup, length and key in one line, and a line ``start length pitch`` a note."""
    form = f"{melody.meter} {melody.pickup} {melody.steps} {melody.key}"
    heads = [f"{n.start} {n.length} {n.pitch}" for n in notes(melody, Voice.SOPRANO)]
    return "\n".join([form, *heads])


def files() -> list[str]:
    """List the names of all files of the collection in alphabetical order."""
    return sorted(path.name for path in FOLDER.glob("*.abc"))


def tunes(file: str) -> Iterator[Tune]:
    """Yield the tunes of a file that can be read, in the order of their numbers."""
    of_numbers = _handler(file).splitByReferenceNumber()
    for number in sorted(number for number in of_numbers if number is not None):
        found = _tune(file, number, of_numbers[number])
        if found:
            yield found


def tune(file: str, number: int) -> Tune | None:
    """Read one tune of a file; None if it cannot be read."""
    return _tune(file, number, _handler(file, number))


def _handler(file: str, number: int | None = None) -> Any:
    source = abcFormat.ABCFile()
    source.open(FOLDER / file)
    try:
        return source.read(number)
    finally:
        source.close()


def _tune(file: str, number: int, handler: Any) -> Tune | None:
    """Convert the tokens of a tune; None if music21 cannot read them or a rule is broken."""
    try:
        score = abcFormat.translate.abcToStreamScore(handler)
        melody = _melody(score)
    except (music21.exceptions21.Music21Exception, MusicrelError, ArithmeticError, LookupError):
        return None
    return Tune(file=file, number=number, melody=melody) if melody else None


def _melody(score: Any) -> Chorale | None:
    part = score.parts[0]
    bars = list(part.getElementsByClass(music21.stream.Measure))
    named = {mark.ratioString for mark in part.recurse().getElementsByClass(meter.TimeSignature)}
    heads = list(part.recurse().notes)
    starts = [float(h.getOffsetInHierarchy(part)) * STEPS_PER_QUARTER for h in heads]
    lengths = [float(h.quarterLength) * STEPS_PER_QUARTER for h in heads]
    on_grid = all(time % 1 == 0 for time in [*starts, *lengths]) and min(lengths, default=0) >= 1
    if len(named) != 1 or not bars or not on_grid or any(not h.isNote or h.tie for h in heads):
        return None
    metre = Meter.parse(named.pop())
    first = round(float(bars[0].highestTime) * STEPS_PER_QUARTER)
    melody = [
        Note(round(start), round(length), head.pitch.midi)
        for head, start, length in zip(heads, starts, lengths, strict=True)
    ]
    found = _key(score, melody)
    if found is None:
        return None
    return _piece(melody, metre, first % metre.steps, found, str(score.metadata.title))


def _key(score: Any, melody: list[Note]) -> Key | None:
    """Return the named tonic in the mode of the notes; None if they leave it open."""
    marks = list(score.recurse().getElementsByClass(key.Key))
    if len(marks) != 1:
        return None
    tonic = marks[0].tonic.pitchClass
    lengths = {
        mode: sum(note.length for note in melody if (note.pitch - tonic) % 12 == third)
        for mode, third in _THIRDS.items()
    }
    longer = max(lengths, key=lengths.__getitem__)
    return None if len(set(lengths.values())) == 1 else Key.of(tonic, longer)


def _piece(melody: list[Note], metre: Meter, pickup: int, tonality: Key, title: str) -> Chorale:
    """Build the piece from the first note to the end of the last."""
    steps = melody[-1].stop
    pitches, onsets = from_notes([melody, [], [], []], steps)
    whole = Chorale(
        pitches=pitches, onsets=onsets, fermatas=Chorale.of(pitches).fermatas,
        meter=metre, pickup=pickup, key=tonality, title=title,
    )  # fmt: skip
    return whole.cropped(melody[0].start, steps)
