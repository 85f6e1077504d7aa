"""Build assets/melodies: a piece for each tune of melodies.toml, and SOURCE.md.

Run as ``python -m training.build_melodies``. The same tunes give the same bytes. Only the soprano
of a piece has notes; bars that do not add up, and notes outside the soprano's range, are refused.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from musicrel import paths
from musicrel.chorale import RANGES, STEPS_PER_QUARTER, Chorale, Key, Meter, Voice
from musicrel.errors import DataError
from musicrel.score import json_file
from musicrel.score.notes import Note, from_notes, from_spans
from training import reports

TUNES: Final = Path(__file__).with_name("melodies.toml")

_NOTE: Final = re.compile(r"([A-G])([#b]?)(\d)([whqes])(\.?)(\^?)")
_PITCH_CLASSES: Final[Mapping[str, int]] = {
    "C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11,
}  # fmt: skip
_ACCIDENTALS: Final[Mapping[str, int]] = {"#": 1, "": 0, "b": -1}
_QUARTERS: Final[Mapping[str, float]] = {"w": 4, "h": 2, "q": 1, "e": 0.5, "s": 0.25}
_HEAD: Final = """# The bundled tunes

Hymn and folk tunes, each a piece in which only the soprano sounds, with a fermata at the end of
each phrase. We wrote them down by hand in `training/melodies.toml`;
`python -m training.build_melodies` makes these files from it, so edit the tunes there. All tunes
are in the public domain, and so are these files. The first four are also the melodies of
chorales by Bach in `assets/corpus`, against which they were compared.

| file | title | source | year | why it is in the public domain |
|---|---|---|---|---|
"""


@reports.script
def main(words: Sequence[str]) -> None:
    reports.parser("build_melodies", __doc__).parse_args(words)
    print(f"{build(paths.assets() / 'melodies')} tunes written")


def build(folder: Path) -> int:
    """Write a piece for each tune into ``folder``, and SOURCE.md; return their number."""
    tunes = tomllib.loads(TUNES.read_text(encoding="utf-8"))["tune"]
    for tune in tunes:
        json_file.write(piece(tune), folder / f"{tune['file']}.json")
    paths.write_text(folder / "SOURCE.md", _source(tunes))
    return len(tunes)


def piece(tune: Mapping[str, Any]) -> Chorale:
    meter = Meter.parse(tune["meter"])
    bars = [bar.split() for bar in tune["notes"].split("|")]
    lengths = [sum(_read(word).length for word in bar) for bar in bars]
    pickup = lengths[0] if lengths[0] < meter.steps else 0
    _check_bars(tune["title"], lengths, pickup, meter)
    melody: list[Note] = []
    held: list[tuple[int, int]] = []
    for word in (word for bar in bars for word in bar):
        note = _read(word, melody[-1].stop if melody else 0)
        melody.append(note)
        if word.endswith("^"):
            held.append((note.start, note.stop))
    steps = melody[-1].stop
    pitches, onsets = from_notes([melody, [], [], []], steps)
    return Chorale(
        pitches=pitches,
        onsets=onsets,
        fermatas=from_spans(held, steps),
        meter=meter,
        pickup=pickup,
        key=Key.parse(tune["key"]),
        tempo=float(tune["tempo"]),
        title=tune["title"],
    )


def _read(word: str, start: int = 0) -> Note:
    match = _NOTE.fullmatch(word)
    if not match:
        raise DataError(f"{word!r} is no note: expected one as in F#4q.^")
    letter, accidental, octave, length, dot, _ = match.groups()
    pitch = 12 * (int(octave) + 1) + _PITCH_CLASSES[letter] + _ACCIDENTALS[accidental]
    low, high = RANGES[Voice.SOPRANO]
    if not low <= pitch <= high:
        raise DataError(f"{word!r} is outside the soprano's range")
    steps = _QUARTERS[length] * STEPS_PER_QUARTER * (1.5 if dot else 1)
    return Note(start, int(steps), pitch)


def _check_bars(title: str, lengths: Sequence[int], pickup: int, meter: Meter) -> None:
    """Check that every bar is whole; the pickup and the last bar make one together."""
    expected = [meter.steps] * len(lengths)
    if pickup:
        expected[0], expected[-1] = pickup, meter.steps - pickup
    for number, (length, full) in enumerate(zip(lengths, expected, strict=True)):
        if length != full:
            raise DataError(f"{title}: bar {number} has {length} sixteenths, expected {full}")


def _source(tunes: Sequence[Mapping[str, Any]]) -> str:
    rows = [
        f"| {tune['file']} | {tune['title']} | {tune['source']} | {tune['year']} | {tune['why']} |"
        for tune in tunes
    ]
    return _HEAD + "\n".join(rows) + "\n"


if __name__ == "__main__":
    sys.exit(main())
