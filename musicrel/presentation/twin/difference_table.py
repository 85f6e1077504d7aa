"""The differing notes of two pieces as a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from musicrel.chorale import Voice
from musicrel.presentation.roll.roll import RollNote
from musicrel.presentation.twin.agreement import Agreement
from musicrel.presentation.words import names

HEADER: Final = (
    "piece", "model", "voice", "position", "step", "length", "note", "midi"
)  # fmt: skip


def rows(agreement: Agreement, models: tuple[str, str]) -> Iterator[tuple[object, ...]]:
    """Yield the header, then each note that only one piece has, by step, voice and piece.

    Steps and lengths are sixteenths, steps counted from 0.
    """
    yield HEADER
    found = [(note, side) for side, notes in enumerate(agreement.only) for note in notes]
    for note, side in sorted(found, key=lambda one: (one[0].start, one[0].voice, one[1])):
        yield _row(agreement, note, side, models[side])


def _row(agreement: Agreement, note: RollNote, side: int, model: str) -> tuple[object, ...]:
    piece = agreement.pieces[side]
    return (
        "AB"[side],
        model,
        Voice(note.voice).title,
        names.position(note.start, piece.meter, piece.pickup),
        note.start,
        note.stop - note.start,
        names.pitch(note.pitch, piece.key),
        note.pitch,
    )
