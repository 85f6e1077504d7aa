"""Harmonisations of folk tunes that no model was trained on.

    python -m training.folk_tunes [--models NAME ...] [--end authentic|tonic|free] [--store]

The tunes of ``training/folk_tunes.toml`` are harmonised once each with the seeds 0, 1, 2 ... and
all defaults of ``musicrel.harmonise``, which requests an authentic close where the melody allows
it; with ``--end free`` the close is the model's own. A model is given notes, meter and pickup; the
key is estimated, as for a file without one. Every tune ends on its tonic; nothing else was selected
or left out. ``--store`` adds the rows to ``training/results/folk_tunes.json`` and
``folk_tunes.md``.

The tunes are read from music21's essenFolksong, tunes of the Essen collection in ABC, as pieces of
one voice, and never bundled. A tune is read if it names one meter and one key and has single notes
on the sixteenth grid. The files name the tonic but hardly a mode: minor tunes have the signature of
the major key and accidentals at their notes. So the mode is that of the third above the tonic that
sounds longer; a tune without a third, or with both for the same time, is not read. Pitches are
those of the file, also below the soprano's range.
"""

from __future__ import annotations

import hashlib
import statistics
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import music21
from music21 import abcFormat, key, meter

import musicrel
from musicrel.analysis import cadences
from musicrel.chorale import REST, STEPS_PER_QUARTER, Chorale, Key, Meter, Mode, Voice
from musicrel.errors import DataError, MusicrelError
from musicrel.generation.constraints.last_chord import AUTHENTIC, CHORDS
from musicrel.score.notes import Note, from_notes, notes
from training import reports

FOLDER: Final = Path(music21.__file__).parent / "corpus" / "essenFolksong"
LIST: Final = Path(__file__).with_suffix(".toml")
"""File, number, title and the SHA-256 of the notes of each tune that models are judged by."""
WRITERS: Final = ("relative-infill", "vanilla-infill", "relative", "vanilla")
ENDS: Final[Mapping[str, str]] = {chord or "free": chord for chord in CHORDS}
"""Name of a requested end -> the last chord of a request."""
_THIRDS: Final[Mapping[Mode, int]] = {"major": 4, "minor": 3}
"""Semitones from the tonic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tune:
    file: str  # name of the ABC file
    number: int
    melody: Chorale  # the tune as the soprano of a piece, with meter, pickup and key

    @property
    def sha256(self) -> str:
        return hashlib.sha256(content(self.melody).encode()).hexdigest()


def content(melody: Chorale) -> str:
    """Write meter, pickup, length and key in one line, and a line ``start length pitch`` a note."""
    form = f"{melody.meter} {melody.pickup} {melody.steps} {melody.key}"
    heads = [f"{n.start} {n.length} {n.pitch}" for n in notes(melody, Voice.SOPRANO)]
    return "\n".join([form, *heads])


def tunes(file: str) -> Iterator[Tune]:
    of_numbers = _handler(file).splitByReferenceNumber()
    for number in sorted(number for number in of_numbers if number is not None):
        found = _tune(file, number, of_numbers[number])
        if found:
            yield found


def tune(file: str, number: int) -> Tune | None:
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


def listed(entries: Sequence[dict[str, Any]] | None = None) -> Iterator[Tune]:
    for entry in tomllib.loads(LIST.read_text("utf-8"))["tune"] if entries is None else entries:
        found = tune(entry["file"], entry["number"])
        if found is None or found.sha256 != entry["sha256"]:
            raise DataError(
                f"{entry['title']} ({entry['file']}, number {entry['number']}) has other notes "
                "than when it was drawn: expected the music21 of the list's first lines"
            )
        yield found


def figures(pieces: Sequence[Chorale], given: Sequence[Chorale]) -> dict[str, Any]:
    """Count the harmonisations that close as requested, and in the key of their tune."""
    wanted = [
        _key_of(tune).transposed(_shift(piece, tune))
        for piece, tune in zip(pieces, given, strict=True)
    ]
    pairs = list(zip(pieces, wanted, strict=True))
    return {
        "tunes": len(pairs),
        "authentic": sum(is_authentic(piece, key) for piece, key in pairs),
        "tonic": sum(_ends_on(piece, key) for piece, key in pairs),
        "keys": sum(piece.key == key for piece, key in pairs),
    }


def is_authentic(piece: Chorale, tonality: Key) -> bool:
    last = cadences.phrase_ends(replace(piece, key=tonality))[-1]
    return last.kind == "authentic" and _ends_on(piece, tonality)


def _ends_on(piece: Chorale, tonality: Key) -> bool:
    return int(piece.pitches[-1, Voice.BASS]) % 12 == tonality.pitch_class


def _shift(piece: Chorale, given: Chorale) -> int:
    lines = (one.pitches[:, Voice.SOPRANO] for one in (piece, given))
    made, before = (int(line[line != REST][0]) for line in lines)
    return made - before


def _key_of(given: Chorale) -> Key:
    if given.key is None:
        raise ValueError("a tune of the list has a key")
    return given.key


def measure(writer: str, given: Sequence[Chorale], end: str) -> dict[str, Any]:
    """Harmonise all tunes by one model, their keys not given, and count."""
    model, pieces, seconds = musicrel.load_model(writer), list[Chorale](), list[float]()
    for seed, one in enumerate(given):
        began = time.process_time()
        bare = replace(one, key=None)
        pieces.append(musicrel.harmonise(bare, model=model, seed=seed, last_chord=end))
        seconds.append(time.process_time() - began)
    found = figures(pieces, given)
    return found | {"seconds": statistics.median(seconds), "sha256": model.sha256}


def _table(_section: str, found: Mapping[str, Any]) -> str:
    head = ["", "authentic close", "last bass note on the tonic", "key found", "processor seconds"]
    rows = [
        [
            writer,
            f"{one['authentic']} of {one['tunes']}",
            *(str(one["tonic"]), str(one["keys"]), f"{one['seconds']:.1f}"),
        ]
        for writer, one in found.items()
    ]
    return reports.table(head, rows)


PAGE: Final = reports.Page(
    "folk_tunes",
    "Folk tunes",
    "Twenty tunes of music21's essenFolksong that no model was trained on "
    "(`training/folk_tunes.toml`), without their key, one sample each, seeds from 0 on. They were "
    "drawn from tunes that end on their tonic; others are not in the list. Where the requested "
    "close is authentic, the default, the last bass note is put on the tonic of the estimated key, "
    "and a bass of the dominant before it if the melody allows one; where it is free, the close is "
    "the model's own.",
    _table,
)


@reports.script
def main(words: Sequence[str]) -> None:
    parser = reports.parser("folk_tunes", __doc__)
    parser.add_argument("--models", nargs="+", default=list(WRITERS))
    parser.add_argument("--end", choices=ENDS, default=AUTHENTIC)
    parser.add_argument("--store", action="store_true")
    args = parser.parse_args(words)
    given = [one.melody for one in listed()]
    found = {}
    for writer in args.models:
        found[writer] = measure(writer, given, ENDS[args.end])
        print(writer, found[writer], flush=True)
    if args.store:
        PAGE.store(f"Requested close: {args.end}", reports.command("folk_tunes", words), found)


if __name__ == "__main__":
    sys.exit(main())
