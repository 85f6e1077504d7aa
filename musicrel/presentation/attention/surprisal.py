"""Notes coloured by how surprising they were: which value has which colour, and in which words.

A note has the surprise of the cell it begins in: -log p of that pitch beginning there, in nats. The
cells that hold it are a choice too; their sum with it is told beside it, but not coloured, or long
notes would look surprising for their length. Nats are the logarithmic scale of a probability; the
colours run from mean - 2.5 sd to mean + 2.5 sd of the notes known, and no further.

This file knows values and colours; it knows nothing of models or Qt.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.presentation.attention.colour_scale import rgb
from musicrel.presentation.attention.piece_analysis import percent
from musicrel.presentation.roll.roll import RollNote
from musicrel.presentation.words.palette import Theme

Nats = npt.NDArray[np.float32]

_DEVIATIONS: Final = 2.5
_LEAST_WIDTH: Final = 0.1
"""Nats between the ends of the scale, at least: chance alone must not look like a difference."""
_EDGE: Final = 0.4
"""How far the line around a note goes from its colour towards that of text."""


class NoteNats(NamedTuple):
    """How surprising a note was: the cell it begins in, and all its cells together, in nats."""

    onset: float
    whole: float


class Tint(NamedTuple):
    """The colours of a note: inside, and the line around it."""

    fill: str
    edge: str


@dataclass(frozen=True, slots=True)
class Scale:
    """From which value to which the colours run, in nats."""

    low: float
    high: float

    @classmethod
    def of(cls, nats: Nats) -> Scale:
        """The scale for these values: mean -+ 2.5 sd, never below 0."""
        if not nats.size:
            return cls(0.0, 1.0)
        mean, spread = float(nats.mean()), _DEVIATIONS * float(nats.std())
        low = max(mean - spread, 0.0)
        return cls(low, max(min(mean + spread, float(nats.max())), low + _LEAST_WIDTH))

    def share(self, nats: float) -> float:
        """Where a value lies, 0 to 1; what is beyond an end lies on it."""
        return min(max((nats - self.low) / (self.high - self.low), 0.0), 1.0)


class NoteHeat:
    """The surprise of every note, ready to be drawn.

    Args:
        notes: of the picture.
        nats: of every cell (T, 4), nan where it is not known.
        theme: the colours.
    """

    def __init__(self, notes: tuple[RollNote, ...], nats: Nats, theme: Theme) -> None:
        self._values = of_notes(notes, nats)
        self._theme = theme
        onsets = [value.onset for value in self._values.values()]
        self.scale = Scale.of(np.array(onsets, dtype=np.float32))
        self._begins = _begins(tuple(self._values), nats.shape)

    def tint(self, voice: int, step: int) -> Tint | None:
        """The colours of the note that ``voice`` has at ``step``; None where nothing is known."""
        note = self._begins[voice].get(step)
        value = self._values.get(note) if note is not None else None
        if value is None:
            return None
        return tint(self._theme, self.scale.share(value.onset))

    def describe(self, note: RollNote) -> str:
        """As in '2.31 nats (p = 10 %), 2.55 nats with its holds'; "" where it is not known."""
        value = self._values.get(note)
        if value is None:
            return ""
        said = f"{value.onset:.2f} nats (p = {percent(math.exp(-value.onset))})"
        holds = note.stop - note.start > 1
        return f"{said}, {value.whole:.2f} nats with its holds" if holds else said


def of_notes(notes: tuple[RollNote, ...], nats: Nats) -> dict[RollNote, NoteNats]:
    """The surprise of all notes whose first cell is known.

    Args:
        notes: of a picture.
        nats: of every cell (T, 4), nan where it is not known.
    """
    found = {}
    for note in notes:
        cells = nats[note.start : note.stop, note.voice]
        if cells.size and not np.isnan(cells[0]):
            found[note] = NoteNats(float(cells[0]), float(np.nansum(cells)))
    return found


def tint(theme: Theme, share: float) -> Tint:
    """The colours at a place of the scale, 0 to 1."""
    stops = np.array([rgb(colour) for colour in theme.surprise], dtype=np.float64)
    places = np.linspace(0, 1, len(stops))
    fill = np.array([np.interp(share, places, channel) for channel in stops.T])
    edge = fill + _EDGE * (np.array(rgb(theme.text)) - fill)
    return Tint(_hex(fill), _hex(edge))


def _begins(notes: tuple[RollNote, ...], shape: tuple[int, ...]) -> list[dict[int, RollNote]]:
    """For each voice the note at every step."""
    found: list[dict[int, RollNote]] = [{} for _ in range(shape[1])]
    for note in notes:
        found[note.voice] |= dict.fromkeys(range(note.start, note.stop), note)
    return found


def _hex(colour: npt.NDArray[np.float64]) -> str:
    return "#" + "".join(f"{round(channel):02x}" for channel in colour.tolist())
