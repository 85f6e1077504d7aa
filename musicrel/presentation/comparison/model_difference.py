"""The difference in surprisal of two models, A and B, that read the same piece.

A note's difference is the sum over its cells of -log p under B minus that under A, in nats:
positive where B is surprised more, negative where A is. The differences of all notes sum to the
last value of the curve.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Chorale, Voice
from musicrel.editing.notes import Note
from musicrel.presentation.attention.piece_analysis import PieceAnalysis, cell_name
from musicrel.presentation.attention.surprisal import Nats, Tint, between, of_notes
from musicrel.presentation.roll import roll
from musicrel.presentation.words.palette import Theme

Floats = npt.NDArray[np.float64]

_FULL_AT: Final = 0.98
"""Quantile of the notes' differences that gets the last colour."""
_MIN_SCALE_NATS: Final = 0.5
"""Least end of the scale in nats: noise must not look like a difference."""
_SAME: Final = 0.005
"""Differences below this many nats are shown as none."""


@dataclass(frozen=True)
class ModelDifference:
    """Two models' surprisal of one piece."""

    chorale: Chorale
    first: str
    second: str
    first_nats: Nats  # -log p of every cell under A, (T, 4)
    second_nats: Nats  # the same under B

    @classmethod
    def of(cls, first: PieceAnalysis, second: PieceAnalysis) -> ModelDifference | None:
        if first.nats.shape != second.nats.shape:
            return None
        if np.isnan(first.nats).any() or np.isnan(second.nats).any():
            return None
        return cls(first.chorale, first.model, second.model, first.nats, second.nats)

    @property
    def cells(self) -> Floats:
        return self.second_nats.astype(np.float64) - self.first_nats

    @property
    def curve(self) -> Floats:
        """Return the running sum after each step, (T,): it rises where A predicts better."""
        curve: Floats = self.cells.sum(axis=1).cumsum()
        return curve

    @property
    def total(self) -> float:
        return float(self.cells.sum())

    @property
    def per_note(self) -> tuple[float, float]:
        notes = max(int(self.chorale.onsets.sum()), 1)
        return float(self.first_nats.sum()) / notes, float(self.second_nats.sum()) / notes

    @property
    def by_voice(self) -> tuple[float, ...]:
        return tuple(self.cells.sum(axis=0).tolist())

    @property
    def bars(self) -> tuple[float, ...]:
        """Return the difference of each bar in nats; a pickup belongs to the first."""
        lines = list(self.chorale.bar_line_steps())[1:]
        parts = np.split(self.cells.sum(axis=1), lines)
        return tuple(float(part.sum()) for part in parts if part.size)

    @cached_property
    def notes(self) -> dict[Note, tuple[float, float]]:
        picture = roll.draw(self.chorale)
        first = of_notes(picture.notes, self.first_nats)
        second = of_notes(picture.notes, self.second_nats)
        return {note: (first[note].whole, second[note].whole) for note in first if note in second}


class DifferenceColours:
    """The difference of every note as colours: A's colour where A is surprised more, else B's.

    Attributes:
        full: the difference in nats from which on the last colour is used.
    """

    def __init__(self, difference: ModelDifference, theme: Theme) -> None:
        self._difference, self._theme = difference, theme
        values = {note: second - first for note, (first, second) in difference.notes.items()}
        sizes = np.abs(list(values.values()) or [0.0])
        self.full = max(float(np.quantile(sizes, _FULL_AT)), _MIN_SCALE_NATS)
        self._values = {
            (note.voice, step): value
            for note, value in values.items()
            for step in range(note.start, note.stop)
        }

    def tint(self, voice: int, step: int) -> Tint | None:
        value = self._values.get((voice, step))
        return None if value is None else tint(self._theme, value / self.full)

    def describe(self, note: Note) -> str:
        known = self._difference.notes.get(note)
        if known is None:
            return ""
        return f"A {known[0]:.2f} nats, B {known[1]:.2f}: {comparison(known[1] - known[0])}"


def tint(theme: Theme, share: float) -> Tint:
    return at(theme, (min(max(share, -1.0), 1.0) + 1) / 2)


def at(theme: Theme, place: float) -> Tint:
    """Return the colours at a place of the scale: 0 is A, one half no difference, 1 is B."""
    return between((theme.models[0], theme.surprisal[0], theme.models[1]), place, theme)


def comparison(nats: float) -> str:
    if abs(nats) < _SAME:
        return "both are surprised alike"
    return f"{'B' if nats > 0 else 'A'} is surprised more by {abs(nats):.2f}"


def summary(difference: ModelDifference) -> str:
    """Return the result of the whole piece in one line."""
    first, second = difference.per_note
    bars = difference.bars
    better = sum(bar > 0 for bar in bars)
    return (
        f"A {first:.3f}, B {second:.3f} nats per note; A predicts better in {better} of "
        f"{len(bars)} bars, {difference.total:+.1f} nats in total"
    )


def voices(difference: ModelDifference) -> str:
    parts = (f"{Voice(n).letter} {nats:+.1f}" for n, nats in enumerate(difference.by_voice))
    return "B − A: " + ", ".join(parts) + " nats"


def at_step(difference: ModelDifference, step: int) -> str:
    piece = difference.chorale
    place = cell_name(piece, len(Voice) * step).partition("(")[2].rstrip(")")
    return f"After {place}: {difference.curve[step]:+.1f} nats; here {_here(difference, step):+.2f}"


def table(difference: ModelDifference) -> Iterator[tuple[object, ...]]:
    yield ("step", "voice", "pitch", "steps", difference.first, difference.second,
           "difference", "running sum of the step")  # fmt: skip
    curve = difference.curve
    for note, (first, second) in difference.notes.items():
        yield (
            note.start, Voice(note.voice).letter, note.pitch, note.stop - note.start,
            round(first, 5), round(second, 5), round(second - first, 5),
            round(float(curve[note.start]), 5),
        )  # fmt: skip


def _here(difference: ModelDifference, step: int) -> float:
    return float(difference.cells[step].sum())
