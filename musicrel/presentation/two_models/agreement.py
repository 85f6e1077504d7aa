"""The agreement of two pieces of the same form: which notes both have, where they differ.

A note agrees if the other piece has one of the same voice, beginning, length and pitch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from musicrel.chorale import Chorale, Voice
from musicrel.editing.notes import Note, notes
from musicrel.presentation.words import names

if TYPE_CHECKING:
    from musicrel.generation.two_models.cross_surprisal import CrossSurprisal
    from musicrel.generation.two_models.lockstep import Side

_COUNT: Final = "{percent} of notes agree"
_EQUAL: Final = "All notes agree"
_NO_NOTES: Final = "No notes to compare yet"
_SHORT: Final = "Nats per note: A {aa:.2f}, under B {ab:.2f}; B {bb:.2f}, under A {ba:.2f}"
_LINE: Final = "{piece}: {own:.2f} nats per note under itself, {other:.2f} under {model}"
_OTHERS: Final[tuple[tuple[Side, Side], ...]] = (("A", "B"), ("B", "A"))
HEADER: Final = (
    "piece", "model", "voice", "position", "step", "length", "note", "midi"
)  # fmt: skip
"""Columns of ``table``."""
_FIRST: Final = "{count}; first difference {place}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Agreement:
    """The comparison of the pieces of A and B."""

    pieces: tuple[Chorale, Chorale]  # of A and B, cut to the compared steps
    notes: int  # number of notes of both pieces together
    only: tuple[frozenset[Note], frozenset[Note]]
    first: int | None  # first step at which they differ; None: they are equal

    @property
    def share(self) -> float:
        differing = sum(len(notes) for notes in self.only)
        return 1 - differing / self.notes if self.notes else 1.0

    def describe(self) -> str:
        """Describe it, as '61 % of notes agree; first difference bar 3, beat 2'."""
        if not self.notes:
            return _NO_NOTES
        if self.first is None:
            return _EQUAL
        count = _COUNT.format(percent=percent(self.share))
        piece = self.pieces[0]
        place = names.position(self.first, piece.meter, piece.pickup)
        return _FIRST.format(count=count, place=place)


def compare(first: Chorale, second: Chorale, written: int | None = None) -> Agreement | None:
    """Compare the pieces of A and B step by step, from the beginning of both.

    Args:
        written: steps that both have written; None: all.
    """
    steps = min(first.steps, second.steps, first.steps if written is None else written)
    if not steps or (first.meter, first.pickup) != (second.meter, second.pickup):
        return None
    one, other = first.cropped(0, steps), second.cropped(0, steps)
    ours, theirs = frozenset(notes(one)), frozenset(notes(other))
    return Agreement(
        pieces=(one, other),
        notes=len(ours) + len(theirs),
        only=(ours - theirs, theirs - ours),
        first=_first_difference(one, other),
    )


def percent(share: float) -> str:
    """Return a share as '61 %'; '100 %' and '0 %' only where it is exactly that."""
    rounded = round(100 * share)
    return f"{min(max(rounded, int(share > 0)), 100 - int(share < 1))} %"


def _first_difference(one: Chorale, other: Chorale) -> int | None:
    differs = ((one.pitches != other.pitches) | (one.onsets != other.onsets)).any(axis=1)
    return int(np.argmax(differs)) if differs.any() else None


def table(agreement: Agreement, models: tuple[str, str]) -> Iterator[tuple[object, ...]]:
    """Yield the header, then each note that only one piece has, by step, voice and piece.

    Steps and lengths are sixteenths, steps counted from 0.
    """
    yield HEADER
    found = [(note, side) for side, notes in enumerate(agreement.only) for note in notes]
    for note, side in sorted(found, key=lambda one: (one[0].start, one[0].voice, one[1])):
        yield _row(agreement, note, side, models[side])


def _row(agreement: Agreement, note: Note, side: int, model: str) -> tuple[object, ...]:
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


def surprisal(surprisals: CrossSurprisal) -> str:
    return _SHORT.format(
        aa=surprisals.mean("A", "A"),
        ab=surprisals.mean("A", "B"),
        bb=surprisals.mean("B", "B"),
        ba=surprisals.mean("B", "A"),
    )


def surprisal_lines(surprisals: CrossSurprisal) -> tuple[str, str]:
    first, second = (
        _LINE.format(
            piece=side,
            own=surprisals.mean(side, side),
            other=surprisals.mean(side, other),
            model=other,
        )
        for side, other in _OTHERS
    )
    return first, second
