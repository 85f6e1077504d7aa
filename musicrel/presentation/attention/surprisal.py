"""Notes coloured by surprisal: values, colour scale and description.

A note has the surprisal of its onset cell: -log p of that pitch beginning there, in nats. The sum
over all its cells is given in words only: as a colour it would grow with the note's length. The
scale runs from mean - 2.5 sd to mean + 2.5 sd of the known notes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from musicrel.editing.notes import Note
from musicrel.presentation.attention.piece_analysis import percent
from musicrel.presentation.words.palette import Theme, rgb

Nats = npt.NDArray[np.float32]

_DEVIATIONS: Final = 2.5
_MIN_SCALE_NATS: Final = 0.1
"""Least width of the scale in nats: noise must not look like a difference."""
_EDGE: Final = 0.4
"""Share of the text colour in the outline of a note."""


class NoteSurprisal(NamedTuple):
    """Surprisal of a note in nats: of its onset cell, and of all its cells."""

    onset: float
    whole: float


class Tint(NamedTuple):
    """The colours of a note."""

    fill: str
    edge: str


class NoteColours(Protocol):
    """Colours of the notes of a roll by a value, in place of those of the voices."""

    def tint(self, voice: int, step: int) -> Tint | None: ...

    def describe(self, note: Note) -> str: ...


@dataclass(frozen=True, slots=True)
class Scale:
    """Ends of the colour scale in nats."""

    low: float
    high: float

    @classmethod
    def of(cls, nats: Nats) -> Scale:
        """Return the scale for these values: mean -+ 2.5 sd, not below 0."""
        if not nats.size:
            return cls(0.0, 1.0)
        mean, spread = float(nats.mean()), _DEVIATIONS * float(nats.std())
        low = max(mean - spread, 0.0)
        return cls(low, max(min(mean + spread, float(nats.max())), low + _MIN_SCALE_NATS))

    def share(self, nats: float) -> float:
        return min(max((nats - self.low) / (self.high - self.low), 0.0), 1.0)


class SurprisalColours:
    """The surprisal of every note as colours.

    Args:
        nats: of every cell (T, 4), nan where unknown.
    """

    def __init__(self, notes: tuple[Note, ...], nats: Nats, theme: Theme) -> None:
        self._values = of_notes(notes, nats)
        self._theme = theme
        onsets = [value.onset for value in self._values.values()]
        self.scale = Scale.of(np.array(onsets, dtype=np.float32))
        self._onsets = {
            (note.voice, step): value.onset
            for note, value in self._values.items()
            for step in range(note.start, note.stop)
        }

    def tint(self, voice: int, step: int) -> Tint | None:
        onset = self._onsets.get((voice, step))
        return None if onset is None else tint(self._theme, self.scale.share(onset))

    def describe(self, note: Note) -> str:
        value = self._values.get(note)
        if value is None:
            return ""
        text = f"{value.onset:.2f} nats (p = {percent(math.exp(-value.onset))})"
        holds = note.stop - note.start > 1
        return f"{text}, {value.whole:.2f} nats in total" if holds else text


def of_notes(notes: tuple[Note, ...], nats: Nats) -> dict[Note, NoteSurprisal]:
    """Return the surprisal of all notes whose first cell is known.

    Args:
        nats: of every cell (T, 4), nan where unknown.
    """
    found = {}
    for note in notes:
        cells = nats[note.start : note.stop, note.voice]
        if cells.size and not np.isnan(cells[0]):
            found[note] = NoteSurprisal(float(cells[0]), float(np.nansum(cells)))
    return found


def tint(theme: Theme, share: float) -> Tint:
    return between(theme.surprisal, share, theme)


def between(colours: tuple[str, ...], share: float, theme: Theme) -> Tint:
    """Return the colours at a position, 0 to 1, of a scale through evenly spaced ``colours``."""
    stops = np.array([rgb(colour) for colour in colours], dtype=np.float64)
    places = np.linspace(0, 1, len(stops))
    fill = np.array([np.interp(share, places, channel) for channel in stops.T])
    edge = fill + _EDGE * (np.array(rgb(theme.text)) - fill)
    return Tint(_hex(fill), _hex(edge))


def _hex(colour: npt.NDArray[np.float64]) -> str:
    return "#" + "".join(f"{round(channel):02x}" for channel in colour.tolist())
