"""Surprisal of one model, and the difference of two, A and B: values, colours of notes, words.

A note has the surprisal of its onset cell: -log p of that pitch beginning there, in nats. The sum
over all its cells is given in words only: as a colour it would grow with the note's length. The
scale runs from mean - 2.5 sd to mean + 2.5 sd of the known notes.

A note's difference is the sum over its cells of -log p under B minus that under A: positive where B
is surprised more, negative where A is. The differences of all notes sum to the last value of the
curve.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Chorale, Voice
from musicrel.interpretability.piece_analysis import PieceAnalysis, percent
from musicrel.language import decimal, tr
from musicrel.presentation.words import names
from musicrel.presentation.words.palette import Theme, rgb
from musicrel.score.editing.notes import Note, notes_in_time

Nats = npt.NDArray[np.float32]
Floats = npt.NDArray[np.float64]

TIP: Final = tr("Surprisal of each note's onset, -log p")
_TIP_OF_MODEL: Final = tr(
    "Surprisal of each note's onset, -log p, computed by {model}: "
    "from p = {low} to p = {high} or less"
)
_TIP_OF_TWO: Final = tr(
    "Which model is surprised less by a note, so that it predicts better; the last colours are "
    "from {full:.1f} nats on. A: {first}, B: {second}"
)
_DEVIATIONS: Final = 2.5
_MIN_SCALE_NATS: Final = 0.1
"""Least width of the scale in nats: noise must not look like a difference."""
_MIN_DIFFERENCE_NATS: Final = 0.5  # least end of the scale of differences in nats
_FULL_AT: Final = 0.98  # quantile of the notes' differences that gets the last colour
_SAME: Final = 0.005  # differences below this many nats are shown as none
_EDGE: Final = 0.4  # share of the text colour in the outline of a note


class NoteSurprisal(NamedTuple):
    onset: float
    whole: float


class Tint(NamedTuple):
    fill: str
    edge: str


class Scale(NamedTuple):
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


@dataclass(frozen=True, kw_only=True)
class NoteColours:
    """Colours of the notes of a roll by a value, in place of those of the voices."""

    theme: Theme
    colours: tuple[str, str, str]  # of the scale, evenly spaced
    shares: Mapping[Note, float] = field(default_factory=dict)  # places on it, 0 to 1
    words: Mapping[Note, str] = field(default_factory=dict)
    ends: tuple[str, str] = ("", "")  # texts of its ends
    bare: tuple[str, str] = ("", "")  # the same without the unit
    tip: str = TIP  # what it shows

    @cached_property
    def _by_step(self) -> dict[tuple[int, int], float]:
        return {
            (note.voice, step): share
            for note, share in self.shares.items()
            for step in range(note.start, note.stop)
        }

    def tint(self, voice: int, step: int) -> Tint | None:
        share = self._by_step.get((voice, step))
        return None if share is None else self.at(share)

    def at(self, share: float) -> Tint:
        stops = np.array([rgb(colour) for colour in self.colours], dtype=np.float64)
        places = np.linspace(0, 1, len(stops))
        fill = np.array([np.interp(share, places, channel) for channel in stops.T])
        return Tint(_hex(fill), _hex(fill + _EDGE * (np.array(rgb(self.theme.text)) - fill)))

    def describe(self, note: Note) -> str:
        return self.words.get(note, "")


def colours_of(
    notes: tuple[Note, ...], nats: Nats | None, theme: Theme, model: str = ""
) -> NoteColours:
    """Return the surprisal of every note as colours; nats: (T, 4), nan where unknown."""
    if nats is None:
        return NoteColours(theme=theme, colours=theme.surprisal)
    values = of_notes(notes, nats)
    scale = Scale.of(np.array([value.onset for value in values.values()], dtype=np.float32))
    low, high = (percent(math.exp(-end)) for end in scale)
    return NoteColours(
        theme=theme,
        colours=theme.surprisal,
        shares={note: scale.share(value.onset) for note, value in values.items()},
        words={note: _words(note, value) for note, value in values.items()},
        ends=(tr("{low:.1f} nats", low=scale.low), tr("{high:.1f} nats +", high=scale.high)),
        bare=(decimal(scale.low, ".1f"), f"{decimal(scale.high, '.1f')} +"),
        tip=_TIP_OF_MODEL.format(model=model, low=low, high=high),
    )


def of_notes(notes: tuple[Note, ...], nats: Nats) -> dict[Note, NoteSurprisal]:
    """Return the surprisal of all notes whose first cell is known; nats: (T, 4), else nan."""
    found = {}
    for note in notes:
        cells = nats[note.start : note.stop, note.voice]
        if cells.size and not np.isnan(cells[0]):
            found[note] = NoteSurprisal(float(cells[0]), float(np.nansum(cells)))
    return found


def _words(note: Note, value: NoteSurprisal) -> str:
    p = percent(math.exp(-value.onset))
    text = tr("{onset:.2f} nats (p = {p})", onset=value.onset, p=p)
    holds = note.stop - note.start > 1
    return tr("{text}, {whole:.2f} nats in total", text=text, whole=value.whole) if holds else text


def _hex(colour: npt.NDArray[np.float64]) -> str:
    return "#" + "".join(f"{round(channel):02x}" for channel in colour.tolist())


# -------------------------------------------------------------------- two models


@dataclass(frozen=True)
class ModelDifference:
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

    @cached_property
    def cells(self) -> Floats:
        return self.second_nats.astype(np.float64) - self.first_nats

    @cached_property
    def curve(self) -> Floats:
        """Return the running sum after each step, (T,): it rises where A predicts better."""
        curve: Floats = self.cells.sum(axis=1).cumsum()
        return curve

    @property
    def total(self) -> float:
        return float(self.cells.sum())

    @property
    def bars(self) -> tuple[float, ...]:
        """Return the difference of each bar in nats; a pickup belongs to the first."""
        lines = list(self.chorale.bar_line_steps())[1:]
        parts = np.split(self.cells.sum(axis=1), lines)
        return tuple(float(part.sum()) for part in parts if part.size)

    @cached_property
    def notes(self) -> dict[Note, tuple[float, float]]:
        notes = tuple(notes_in_time(self.chorale))
        first, second = of_notes(notes, self.first_nats), of_notes(notes, self.second_nats)
        return {note: (first[note].whole, second[note].whole) for note in first if note in second}

    @property
    def summary(self) -> str:
        bars = self.bars
        first, second = (float(nats.mean()) for nats in (self.first_nats, self.second_nats))
        text = tr(
            "A predicts this piece better in {better} of {bars} bars, {total:+.1f} nats in "
            "total; mean surprisal {first:.3f} nats/note under A, {second:.3f} under B"
        )
        return text.format(
            first=first, second=second, better=sum(bar > 0 for bar in bars), bars=len(bars),
            total=self.total,
        )  # fmt: skip

    @property
    def voices(self) -> str:
        by_voice = self.cells.sum(axis=0).tolist()
        parts = (f"{voice.letter} {decimal(by_voice[voice], '+.1f')}" for voice in Voice)
        return tr("B − A: {voices} nats", voices=", ".join(parts))

    def at_step(self, step: int) -> str:
        place = names.position(step, self.chorale.meter, self.chorale.pickup)
        text = tr("After {place}: {sum:+.1f} nats; here {here:+.2f}")
        return text.format(place=place, sum=self.curve[step], here=self.cells[step].sum())

    def table(self) -> Iterator[tuple[object, ...]]:
        yield ("step", "voice", "pitch", "steps", self.first, self.second, "difference",
               "running sum of the step")  # fmt: skip
        for note, (first, second) in self.notes.items():
            yield (
                note.start, Voice(note.voice).letter, note.pitch, note.stop - note.start,
                round(first, 5), round(second, 5), round(second - first, 5),
                round(float(self.curve[note.start]), 5),
            )  # fmt: skip

    def colours(self, theme: Theme) -> NoteColours:
        values = {note: second - first for note, (first, second) in self.notes.items()}
        sizes = np.abs(list(values.values()) or [0.0])
        full = max(float(np.quantile(sizes, _FULL_AT)), _MIN_DIFFERENCE_NATS)
        text = tr("A {first:.2f} nats, B {second:.2f}: {comparison}")
        return NoteColours(
            theme=theme,
            colours=(theme.models[1], theme.surprisal[0], theme.models[0]),  # of the better one
            shares={
                note: (min(max(value / full, -1.0), 1.0) + 1) / 2 for note, value in values.items()
            },
            words={
                note: text.format(first=first, second=second, comparison=comparison(second - first))
                for note, (first, second) in self.notes.items()
            },
            ends=(tr("B better"), tr("A better")),
            bare=("B", "A"),
            tip=_TIP_OF_TWO.format(first=self.first, second=self.second, full=full),
        )


def comparison(nats: float) -> str:
    if abs(nats) < _SAME:
        return tr("both are surprised alike")
    more = "B" if nats > 0 else "A"
    return tr("{more} is surprised more by {nats:.2f}", more=more, nats=abs(nats))
