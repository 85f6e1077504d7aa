"""Chorales as JSON: lossless, and easy to write by hand or by a script.

    {"format": "musicrel-chorale", "version": 1, "title": "", "composer": "", "tempo": 80.0,
     "meter": "4/4", "pickup": 0, "key": "G major", "steps": 16,
     "voices": {"soprano": [[start, length, pitch], ...], "alto": ..., "tenor": ..., "bass": ...},
     "fermatas": [[start, stop], ...],
     "provenance": {"model", "sha256", "seed", "settings", "machine"}}

Steps are sixteenths from 0, ranges half-open, pitches MIDI numbers; steps without a note are rests.
``format``, ``version``, ``steps`` and ``voices`` are required, the rest is optional; unknown
entries are ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Never

from musicrel import gate, paths
from musicrel.chorale import MAX_STEPS, Chorale, Flags, Key, Meter, Pitches, Voice, spans
from musicrel.errors import DataError, FileError, UsageError
from musicrel.score import plain_json, provenance
from musicrel.score.notes import Note, from_notes, from_spans, notes

FORMAT: Final = "musicrel-chorale"
VERSION: Final = 1
MAX_BYTES: Final = gate.LIMITS["chorale"]
"""Size limit, also for writing."""

_NOTE: Final = ("start", "length", "pitch")
_MAX_NUMBER: Final = 1_000_000
"""Limit for numbers: far above any number in a chorale, and exact as a float."""

CellReader = Callable[[Mapping[str, object], int], tuple[Pitches, Flags, Flags]]


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
        "provenance": provenance.to_plain(chorale.provenance),
    }


def header(chorale: Chorale) -> dict[str, Any]:
    """Return the entries of ``to_json`` but notes, fermatas and provenance."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "title": chorale.title,
        "composer": chorale.composer,
        "tempo": float(chorale.tempo),
        "meter": str(chorale.meter),
        "pickup": int(chorale.pickup),
        "key": str(chorale.key) if chorale.key else None,
        "steps": chorale.steps,
    }


def from_json(value: object) -> Chorale:
    """Build the chorale that ``value``, parsed JSON, describes.

    Raises:
        DataError: the value is not a chorale, has a newer version, or holds an invalid entry.
    """

    def cells(entries: Mapping[str, object], steps: int) -> tuple[Pitches, Flags, Flags]:
        pitches, onsets = from_notes(_voices(entries.get("voices")), steps)
        fermatas = _rows({"fermatas": [], **entries}, "fermatas", ("start", "stop"))
        return pitches, onsets, from_spans(((start, stop) for start, stop in fermatas), steps)

    return with_cells(value, cells)


def with_cells(value: object, cells: CellReader) -> Chorale:
    """Build the chorale of a header and a provenance, with cells from ``cells``.

    Args:
        value: parsed JSON.
        cells: function of the entries and the number of steps; returns pitches, onsets and
            fermatas.

    Raises:
        DataError: see ``from_json``.
    """
    entries = _entries(value)
    steps = _integer(entries.get("steps"), "steps", 1, MAX_STEPS)
    pitches, onsets, fermatas = cells(entries, steps)
    try:
        return Chorale(
            pitches=pitches,
            onsets=onsets,
            fermatas=fermatas,
            meter=Meter.parse(_text(entries, "meter", "4/4")),
            pickup=_integer(entries.get("pickup", 0), "pickup", 0, MAX_STEPS),
            key=Key.parse(_text(entries, "key", "")) if entries.get("key") is not None else None,
            tempo=_number(entries.get("tempo", 80.0), "tempo"),
            title=_text(entries, "title", ""),
            composer=_text(entries, "composer", ""),
            provenance=provenance.from_plain(entries.get("provenance")),
        )
    except UsageError as reason:
        raise DataError(str(reason)) from reason


def to_bytes(chorale: Chorale) -> bytes:
    """Serialise ``chorale`` as UTF-8, one entry and one voice a line.

    Raises:
        DataError: a text cannot be represented in JSON and UTF-8, or the file would be too long.
    """
    text = _layout(to_json(chorale))
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as reason:
        raise DataError(
            f"a text holds {text[reason.start]!r}, which UTF-8 cannot represent: change the title "
            "or the composer"
        ) from reason
    if len(content) > MAX_BYTES:
        raise DataError(f"the file would have {len(content):,} bytes, more than {MAX_BYTES:,}")
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
    content = gate.read(path, "chorale")
    if not content:
        raise FileError(f"cannot read {path}: it is empty")
    try:
        return from_json(gate.parse_json(content))
    except DataError as reason:
        raise FileError(f"cannot read {path}: {reason}") from reason


def _layout(entries: Mapping[str, Any]) -> str:
    lines = [f"  {plain_json.dumps(name)}: {_entry(value)}" for name, value in entries.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _entry(value: object) -> str:
    """Format one entry; an object gets one line for each of its own entries."""
    if not isinstance(value, dict) or not value:
        return plain_json.dumps(value)
    lines = [f"    {plain_json.dumps(name)}: {plain_json.dumps(v)}" for name, v in value.items()]
    return "{\n" + ",\n".join(lines) + "\n  }"


def _entries(value: object) -> Mapping[str, object]:
    found = value.get("format") if isinstance(value, dict) else None
    if not isinstance(value, dict) or found != FORMAT:
        raise DataError(
            f"it is not a musicrel chorale: its format is {found!r}, expected {FORMAT!r}"
        )
    version = _integer(value.get("version"), "version", 1, _MAX_NUMBER)
    if version > VERSION:
        raise DataError(
            f"it has version {version} and this musicrel reads up to {VERSION}: update musicrel"
        )
    return value


def _voices(value: object) -> list[list[Note]]:
    if not isinstance(value, dict):
        _refuse("voices", value, "an object with soprano, alto, tenor and bass")
    return [[Note(*row) for row in _rows(value, voice.name.lower(), _NOTE)] for voice in Voice]


def _rows(entries: Mapping[str, object], name: str, columns: Sequence[str]) -> list[list[int]]:
    """Return the entry ``name``, a list of rows with one whole number for each of ``columns``."""
    rows = entries.get(name)
    if not isinstance(rows, list):
        _refuse(name, rows, f"a list of [{', '.join(columns)}]")
    for row in rows:
        if not isinstance(row, list) or len(row) != len(columns):
            _refuse(f"an entry of {name}", row, f"[{', '.join(columns)}]")
    return [[_integer(number, name, 0, MAX_STEPS) for number in row] for row in rows]


def _integer(value: object, name: str, low: int, high: int) -> int:
    # JSON's true is an int in Python, but not a number
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        _refuse(name, value, f"a whole number, {low} to {high}")
    return value


def _number(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > _MAX_NUMBER:
        _refuse(name, value, "a number")
    return float(value)


def _text(entries: Mapping[str, object], name: str, default: str) -> str:
    value = entries.get(name, default)
    return value if isinstance(value, str) else _refuse(name, value, "a text")


def _refuse(name: str, value: object, expected: str) -> Never:
    shown = repr(value) if isinstance(value, str | int | float | None) else type(value).__name__
    raise DataError(f"{name} is {shown[:60]}: expected {expected}")
