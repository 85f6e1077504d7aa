"""Chorales as JSON: lossless, and easy to write by hand or by a script.

    {"format": "musicrel-chorale", "version": 1, "title": "", "subtitle": "", "composer": "",
     "poet": "", "tune": "", "copyright": "", "tempo": 80.0, "meter": "4/4", "pickup": 0,
     "key": "G major",
     "steps": 16, "lyrics": {"soprano": [[verse, step, text, hyphen, extends], ...], ...},
     "voices": {"soprano": [[start, length, pitch], ...], "alto": ..., "tenor": ..., "bass": ...},
     "fermatas": [[start, stop], ...], "marks": [[kind, start, stop, value], ...],
     "provenance": {"model", "sha256", "seed", "settings", "machine"}}

Steps are sixteenths from 0, ranges half-open, pitches MIDI numbers; steps without a note are rests.
``hyphen`` is true if the next syllable belongs to the same word, ``extends`` if the syllable is
held over the next notes. Marks are of the kinds of ``chorale.Mark``: ["key", 16, 16, "D major"],
["tempo", 16, 16, 96.0], ["slowing", 28, 32, 70.0], ["dynamic", 0, 0, "mf"], ["slur", 0, 8, "alto"],
["hairpin", 8, 16, "crescendo"].
``format``, ``version``, ``steps`` and ``voices`` are required, the rest is optional; unknown
entries are ignored.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import astuple, dataclass, field
from itertools import starmap
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec

from musicrel import paths, untrusted
from musicrel.chorale import (
    LINES,
    MAX_STEPS,
    Chorale,
    Flags,
    Key,
    Lyric,
    Mark,
    MarkKind,
    Meter,
    Pitches,
    Provenance,
    Voice,
    spans,
)
from musicrel.errors import DataError, FileError, UsageError
from musicrel.language import tr
from musicrel.score.notes import Note, from_notes, from_spans, notes
from musicrel.validated import convert


def dumps(value: object, *, ascii_only: bool = False) -> str:
    """Format ``value`` as standard JSON on one line; ``untrusted.parse_json`` reads it."""
    try:
        return json.dumps(value, allow_nan=False, ensure_ascii=ascii_only)
    except (TypeError, ValueError, RecursionError) as reason:
        raise DataError(f"cannot be written as JSON: {reason}") from reason


def provenance_to_plain(provenance: Provenance | None) -> dict[str, Any] | None:
    """Convert ``provenance`` to plain JSON values; None stays None."""
    if provenance is None:
        return None
    plain = {
        "model": provenance.model,
        "sha256": provenance.sha256,
        "seed": int(provenance.seed),
        "settings": dict(provenance.settings),
    }
    return plain | ({"machine": dict(provenance.machine)} if provenance.machine else {})


def provenance_from_plain(value: object) -> Provenance | None:
    """Build a provenance from plain values: the inverse of ``provenance_to_plain``."""
    return None if value is None else convert(value, Provenance, "its provenance", error=DataError)


FORMAT: Final = "musicrel-chorale"
VERSION: Final = 1
MAX_BYTES: Final = untrusted.LIMITS["chorale"]  # size limit, also for writing

_WHERE: Final = tr("the chorale")
_Row = tuple[int, int, int]  # start, length, pitch
_Word = tuple[int, int, str, bool, bool]  # verse, step, text, hyphen, extends
MarkRow = tuple[MarkKind, int, int, float | str]  # kind, start, stop, value

CellReader = Callable[[int], tuple[Pitches, Flags, Flags]]


def to_json(chorale: Chorale) -> dict[str, Any]:
    """Convert ``chorale`` to plain JSON values; ``from_json`` restores every field exactly."""
    voices = {
        voice.name.lower(): [
            [note.start, note.length, note.pitch] for note in notes(chorale, voice)
        ]
        for voice in Voice
    }
    return {
        **header(chorale),
        "voices": voices,
        "fermatas": [list(span) for span in spans(chorale.fermatas)],
        "provenance": provenance_to_plain(chorale.provenance),
    }


def header(chorale: Chorale) -> dict[str, Any]:
    """Return the entries of ``to_json`` but notes, fermatas and provenance.

    Subtitle, poet, tune, copyright, lyrics and marks are left out where there are none, as in files
    of before.
    """
    lyrics = {
        voice.name.lower(): [list(astuple(word)[1:]) for word in words]
        for voice in Voice
        if (words := [word for word in chorale.lyrics if word.voice == voice])
    }
    texts = {name: getattr(chorale, name) for name in LINES}
    texts |= {"lyrics": lyrics, "marks": mark_rows(chorale.marks)}
    return {
        "format": FORMAT,
        "version": VERSION,
        "title": chorale.title,
        "composer": chorale.composer,
        **{name: value for name, value in texts.items() if value},
        "tempo": float(chorale.tempo),
        "meter": str(chorale.meter),
        "pickup": int(chorale.pickup),
        "key": str(chorale.key) if chorale.key else None,
        "steps": chorale.steps,
    }


class _Words(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    soprano: tuple[_Word, ...] = ()
    alto: tuple[_Word, ...] = ()
    tenor: tuple[_Word, ...] = ()
    bass: tuple[_Word, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Header:
    version: int
    steps: Annotated[int, msgspec.Meta(ge=1, le=MAX_STEPS)]
    meter: str = "4/4"
    pickup: int = 0
    key: str | None = None
    tempo: float = 80.0
    title: str = ""
    subtitle: str = ""
    composer: str = ""
    poet: str = ""
    tune: str = ""
    copyright: str = ""
    lyrics: _Words = field(default_factory=_Words)
    marks: list[MarkRow] = field(default_factory=list)
    provenance: Provenance | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Voices:
    soprano: list[_Row]
    alto: list[_Row]
    tenor: list[_Row]
    bass: list[_Row]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cells:
    voices: _Voices
    fermatas: list[tuple[int, int]] = field(default_factory=list)


def from_json(value: object) -> Chorale:
    """Build the chorale that ``value``, parsed JSON, describes.

    Raises:
        DataError: the value is not a chorale, has a newer version, or holds an invalid entry.
    """

    def cells(steps: int) -> tuple[Pitches, Flags, Flags]:
        found = convert(value, _Cells, _WHERE, error=DataError)
        voices = [found.voices.soprano, found.voices.alto, found.voices.tenor, found.voices.bass]
        pitches, onsets = from_notes([starmap(Note, rows) for rows in voices], steps)
        return pitches, onsets, from_spans(found.fermatas, steps)

    return with_cells(value, cells)


def with_cells(value: object, cells: CellReader) -> Chorale:
    """Build the chorale of a header and a provenance, with cells from ``cells``."""
    header = _header(value)
    pitches, onsets, fermatas = cells(header.steps)
    try:
        lyrics = [Lyric(v, *word) for v in Voice for word in getattr(header.lyrics, v.name.lower())]
        chorale = Chorale(
            pitches=pitches,
            onsets=onsets,
            fermatas=fermatas,
            meter=Meter.parse(header.meter),
            pickup=header.pickup,
            key=None if header.key is None else Key.parse(header.key),
            tempo=header.tempo,
            lyrics=tuple(lyrics),
            marks=tuple(marks_from_rows(header.marks)),
            **{name: getattr(header, name) for name in LINES},
            provenance=header.provenance,
        )
    except UsageError as reason:
        raise DataError(str(reason)) from reason
    for word in sorted({*lyrics} - {*chorale.lyrics}):
        sentence = tr(
            "{voice}, verse {verse}, step {step}: the syllable {text!r} stands under no note: "
            "expected the first step of one"
        )
        values = {"voice": word.voice.title, "verse": word.verse, "step": word.step}
        raise DataError(sentence.format(**values, text=word.text[:100]))
    return chorale


def mark_rows(marks: Iterable[Mark]) -> list[MarkRow]:
    """Convert marks to plain values."""
    return [(mark.kind, mark.start, mark.stop, _plain(mark.value)) for mark in marks]


def _plain(value: Key | Voice | str | float) -> str | float:
    if isinstance(value, Voice):
        return value.name.lower()
    return str(value) if isinstance(value, Key) else value


def marks_from_rows(rows: Iterable[MarkRow]) -> Iterator[Mark]:
    """Build marks from plain values: the inverse of ``mark_rows``."""
    for kind, start, stop, value in rows:
        known: Key | Voice | str | float = value
        if kind == "key":
            known = Key.parse(str(value))
        elif kind == "slur" and str(value).upper() in Voice.__members__:
            known = Voice[str(value).upper()]
        yield Mark(kind=kind, start=start, stop=stop, value=known)


def to_bytes(chorale: Chorale) -> bytes:
    """Serialise ``chorale`` as UTF-8, one entry and one voice a line.

    Raises:
        DataError: a text cannot be represented in JSON and UTF-8, or the file would be too long.
    """
    lines = [f"  {dumps(name)}: {_entry(value)}" for name, value in to_json(chorale).items()]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as reason:
        raise DataError(
            tr(
                "a text holds {character!r}, which UTF-8 cannot represent: change the title, a "
                "name or the words",
                character=text[reason.start],
            )
        ) from reason
    if len(content) > MAX_BYTES:
        sentence = tr("the file would have {size:,} bytes, more than {most:,}")
        raise DataError(sentence.format(size=len(content), most=MAX_BYTES))
    return content


def write(chorale: Chorale, path: Path) -> None:
    """Write ``chorale`` to ``path``.

    Raises:
        DataError: see ``to_bytes``.
        FileError: the file cannot be written.
    """
    paths.write_bytes(path, to_bytes(chorale))


def read(path: Path) -> Chorale:
    """Read the chorale in the JSON file ``path``.

    Raises:
        FileError: the file is missing, too long, not JSON, not a chorale, or of a newer version.
    """
    content = untrusted.read(path, "chorale")
    if not content:
        raise FileError(tr("cannot read {path}: {reason}", path=path, reason=tr("it is empty")))
    try:
        return from_json(untrusted.parse_json(content))
    except DataError as reason:
        raise FileError(tr("cannot read {path}: {reason}", path=path, reason=reason)) from reason


def _entry(value: object) -> str:
    if not isinstance(value, dict) or not value:
        return dumps(value)
    lines = [f"    {dumps(name)}: {dumps(v)}" for name, v in value.items()]
    return "{\n" + ",\n".join(lines) + "\n  }"


def _header(value: object) -> _Header:
    found = value.get("format") if isinstance(value, dict) else None
    if not isinstance(value, dict) or found != FORMAT:
        raise DataError(
            tr(
                "it is not a musicrel chorale: its format is {found!r}, expected {expected!r}",
                found=found,
                expected=FORMAT,
            )
        )
    version = value.get("version")
    if isinstance(version, int) and version > VERSION:
        raise DataError(
            tr(
                "it has version {version} and this musicrel reads up to {known}: update musicrel",
                version=version,
                known=VERSION,
            )
        )
    return convert(value, _Header, _WHERE, error=DataError)
