"""Writers of a piece as a score or a picture, by suffix."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, Unpack

from musicrel import jobs
from musicrel.analysis import numeral_search
from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.jobs import Job
from musicrel.presentation.words.palette import LIGHT
from musicrel.score import chord_markers, files
from musicrel.score.files import one_of
from musicrel.score.midi import midi_writer
from musicrel.score.musicxml import musicxml_writer
from musicrel.score.musicxml.musicxml_writer import Layout
from musicrel.score.notation import repeats


def write_roll(chorale: Chorale, path: Path) -> None:
    from musicrel.figures import figure, roll  # Qt, for pictures only

    figure.write(roll.figure(chorale, LIGHT), path)


# Lower-case suffix -> writer.
WRITERS: Final[Mapping[str, Callable[[Chorale, Path], None]]] = {
    **{suffix: kind.write for suffix, kind in files.FORMATS.items() if kind.write},
    **dict.fromkeys((".svg", ".png"), write_roll),
}
WRITABLE: Final = tuple(WRITERS)
# Lower-case suffix -> writer of a score.
_SCORES: Final[Mapping[str, Callable[..., None]]] = {
    ".musicxml": musicxml_writer.write,
    ".mxl": musicxml_writer.write,
}


def writer(path: Path, others: Sequence[str] = ()) -> Callable[[Chorale, Path], None]:
    suffix = path.suffix.lower()
    found = WRITERS.get(suffix)
    if found is None:
        known = one_of((*WRITABLE, *others))
        raise UsageError(f"cannot write {path}: expected a name that ends in {known}{hint(suffix)}")
    return found


def hint(suffix: str) -> str:
    """Return the end of a sentence that refuses ``suffix``: who writes it, if anyone does."""
    return "; a PDF is exported by the window (File > Export…)" if suffix == ".pdf" else ""


def is_score(path: Path) -> bool:
    return path.suffix.lower() in _SCORES


def check_score(path: Path, *, numerals: bool, repeat_signs: bool = False) -> None:
    if (numerals or repeat_signs) and not is_score(path):
        what, known = "Roman numerals" if numerals else "repeat signs", one_of([*_SCORES])
        raise UsageError(f"{path} has no place for {what}: expected a name that ends in {known}")


def write_score(
    chorale: Chorale, path: Path, *, numerals: bool, repeat_signs: bool = False
) -> None:
    check_score(path, numerals=numerals, repeat_signs=repeat_signs)
    jobs.run(write_score_job(chorale, path, numerals=numerals, repeat_signs=repeat_signs))


def write_score_job(
    chorale: Chorale,
    path: Path,
    layout: Layout = "parts",
    *,
    numerals: bool,
    figures: bool = False,
    repeat_signs: bool = False,
) -> Job[float, None]:
    found = (yield from numeral_search.analyse(chorale)) if numerals else ()
    yield 1.0
    signs = repeats.find(chorale) if repeat_signs else ()
    write = _SCORES[path.suffix.lower()]
    write(chorale, path, layout=layout, numerals=found, figures=figures, repeats=signs)


def write_midi_job(
    chorale: Chorale, path: Path, *, chords: bool, **options: Unpack[midi_writer.Options]
) -> Job[float, None]:
    """Write a MIDI file, if asked with chords and phrases as markers; yields the share done."""
    if chords:
        found = yield from numeral_search.analyse(chorale)
        options["markers"] = chord_markers.markers(chorale, found)
    yield 1.0
    midi_writer.write(chorale, path, **options)


def write(chorale: Chorale, path: Path) -> None:
    writer(path)(chorale, path)
