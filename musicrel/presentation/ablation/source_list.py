"""Earlier notes as sources of a note: where the model looked beside what mattered.

Bars to the left are weights, bars to the right effects; the strongest notes by weight come first,
then random ones of the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, NamedTuple

import numpy as np

from musicrel.chorale import Chorale, Voice
from musicrel.presentation.ablation import effect_scale, page
from musicrel.presentation.ablation.page import PageTexts
from musicrel.presentation.attention.piece_analysis import cell_name, percent
from musicrel.presentation.comparison.views import View
from musicrel.presentation.compose import position_text
from musicrel.presentation.drawing.drawing import (
    Drawing,
    Item,
    Rectangle,
    Text,
    shortened,
    width_of,
)
from musicrel.presentation.words import names
from musicrel.presentation.words.palette import Theme

STRONGEST: Final = "Strongest by weight"
RANDOM: Final = "Random others"
_HEADING: Final = "Sources of {note}"
_WORDS: Final = "Left: attention, mean of all heads. Right: effect of removing the source, in nats."
_SUMMARY: Final = (
    "Rank correlation of weight and size of effect: {correlation}. Mean size: {strongest:.3f} nats "
    "strongest, {random:.3f} random"
)
_ALONE: Final = "Rank correlation of weight and size of effect: {correlation}"
_NO_SOURCES: Final = "No note comes before this one"
_ALL_VOICES: Final = "All voices ({position})"
_SHORT_STEP: Final = "bar {place}"
_ROW: Final = 18.0
_HEAD: Final = 22.0
_NAMES: Final = 0.42
_MIDDLE: Final = 0.68
_TEXT: Final = 11.0
_SMALL: Final = 10.0
_NUMBER: Final = 40.0
_FEWEST: Final = 3
"""Fewest sources with a rank correlation."""


class SourceRow(NamedTuple):
    name: str  # the note and its place
    short: str  # the same in few letters, as "A F♯4 2.1"
    voice: int | None  # of the note; None for all voices of a step
    start: int  # its first step
    stop: int  # the step after its last
    weight: float  # attention on it, mean of all heads, 0 to 1
    effect: float  # of removing it, in nats
    is_random: bool  # whether it was drawn; else it is one of the strongest


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceList:
    chorale: Chorale
    cell: int  # 4 step + voice
    rows: tuple[SourceRow, ...]  # the strongest by weight, then random ones

    @property
    def correlation(self) -> float | None:
        """Return Spearman's rank correlation of weight and size of effect; None for too few."""
        if len(self.rows) < _FEWEST:
            return None
        ranks = [
            _ranks(values)
            for values in (
                [row.weight for row in self.rows],
                [abs(row.effect) for row in self.rows],
            )
        ]
        deviations = [rank - rank.mean() for rank in ranks]
        sizes = [float(np.sqrt((one**2).sum())) for one in deviations]
        if not all(sizes):
            return None
        return float((deviations[0] * deviations[1]).sum() / (sizes[0] * sizes[1]))

    @property
    def words(self) -> str:
        """Return correlation and mean sizes of the effects."""
        found = self.correlation
        if not self.rows:
            return _NO_SOURCES
        correlation = "–" if found is None else f"{found:+.2f}".replace("-", "−")
        sizes = [
            [abs(row.effect) for row in self.rows if row.is_random == is_random]
            for is_random in (False, True)
        ]
        if not all(sizes):
            return _ALONE.format(correlation=correlation)
        strongest, random = (float(np.mean(each)) for each in sizes)
        return _SUMMARY.format(correlation=correlation, strongest=strongest, random=random)


def source_name(chorale: Chorale, voice: int | None, start: int) -> str:
    """Return the name of a source, as 'Alto F♯4 (bar 2, beat 1½)' or 'All voices (bar 2)'."""
    if voice is None:
        position = names.position(start, chorale.meter, chorale.pickup)
        return _ALL_VOICES.format(position=position)
    return cell_name(chorale, start * len(Voice) + voice)


def short_name(chorale: Chorale, voice: int | None, start: int) -> str:
    """Return the name of a source in few letters: 'A F♯4 2.1', or 'bar 2.1' for all voices."""
    place = position_text.bar_and_beat(start, chorale.meter, chorale.pickup)
    if voice is None:
        return _SHORT_STEP.format(place=place)
    midi = int(chorale.pitches[start, voice])
    return f"{Voice(voice).letter} {names.pitch(midi, chorale.key)} {place}"


def row_at(sources: SourceList, y: float) -> SourceRow | None:
    """Return the source at a height of the drawing; None beside all rows."""
    for top, row in _places(sources):
        if isinstance(row, SourceRow) and top <= y < top + _ROW:
            return row
    return None


def draw_chart(sources: SourceList, width: int, theme: Theme) -> Drawing:
    """Draw a row for each source; the height follows from their number."""
    items: list[Item] = []
    bottom = 0.0
    for top, row in _places(sources):
        if isinstance(row, str):
            items.append(
                Text(x=0, y=top + 15, text=row, size=_SMALL, colour=theme.quiet, bold=True)
            )
            bottom = top + _HEAD
        else:
            items += _row(row, top, width, _scale(sources), theme)
            bottom = top + _ROW
    note = cell_name(sources.chorale, sources.cell)
    title = f"{_HEADING.format(note=note)}. {sources.words}"
    return Drawing(
        width=width, height=round(bottom) + 4, background=theme.panel, title=title,
        items=tuple(items),
    )  # fmt: skip


def describe(row: SourceRow) -> str:
    """Return a source with weight and effect in words."""
    return f"{row.name}: weight {percent(row.weight)}, {effect_scale.words(row.effect)}"


def table(sources: SourceList) -> Iterator[tuple[object, ...]]:
    """Yield source, place, weight, effect and group by rows."""
    yield ("source", "voice", "start", "stop", "weight", "effect in nats", "group")
    for row in sources.rows:
        voice = "" if row.voice is None else Voice(row.voice).letter
        group = "random" if row.is_random else "strongest"
        numbers = (f"{row.weight:.6f}", f"{row.effect:.6f}")
        yield (row.name, voice, row.start, row.stop, *numbers, group)


def view(sources: SourceList, model: str) -> View:
    """Return the list as a picture and a table."""
    texts = PageTexts(
        heading=_HEADING.format(note=cell_name(sources.chorale, sources.cell)),
        piece=sources.chorale.title,
        model=model,
        words=f"{_WORDS} {sources.words}.",
    )
    return page.view(
        texts, lambda theme: draw_chart(sources, page.WIDTH, theme), lambda: table(sources)
    )


def _places(sources: SourceList) -> Iterator[tuple[float, SourceRow | str]]:
    """Yield headings and rows with their upper edges in pixels."""
    top = 0.0
    for is_random, rows in groupby(sources.rows, lambda row: row.is_random):
        yield top, RANDOM if is_random else STRONGEST
        top += _HEAD
        for row in rows:
            yield top, row
            top += _ROW


def _scale(sources: SourceList) -> tuple[float, float]:
    """Return the ends of the scales of weights and of effects."""
    weight = max((row.weight for row in sources.rows), default=1.0)
    effect = max((abs(row.effect) for row in sources.rows), default=1.0)
    return weight or 1.0, effect_scale.full_effect(effect)


def _row(
    row: SourceRow, top: float, width: int, scale: tuple[float, float], theme: Theme
) -> Iterator[Item]:
    """Draw name, weight and effect of a source."""
    name, middle, y = _NAMES * width, _MIDDLE * width, top + _ROW / 2 + 4
    full_weight, full_effect = scale
    yield Text(x=0, y=y, text=_fitting(row, name - 8), size=_TEXT, colour=theme.text)
    room = middle - name - _NUMBER
    fill = theme.accent if row.voice is None else theme.voices[row.voice]
    yield Rectangle(
        x=name, y=top + 4, width=row.weight / full_weight * room, height=_ROW - 8, fill=fill
    )
    yield Text(
        x=middle - 8, y=y, text=percent(row.weight), size=_SMALL, colour=theme.quiet, anchor="end"
    )
    half = (width - middle - _NUMBER) / 2
    zero = middle + half
    length = min(abs(row.effect) / full_effect, 1.0) * half
    x = zero if row.effect > 0 else zero - length
    fill = theme.models[0 if row.effect > 0 else 1]
    yield Rectangle(x=x, y=top + 4, width=length, height=_ROW - 8, fill=fill)
    yield Rectangle(x=zero, y=top, width=1, height=_ROW, fill=theme.line_bar)
    yield Text(
        x=width - 2, y=y, text=effect_scale.number(row.effect), size=_SMALL, colour=theme.text,
        anchor="end",
    )  # fmt: skip


def _fitting(row: SourceRow, width: float) -> str:
    """Return the name of a source, the short one where there is less room."""
    is_long = width_of(row.name, _TEXT) > width
    return shortened(row.short if is_long else row.name, _TEXT, width)


def _ranks(values: Sequence[float]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the ranks of values from 1; equal ones share the mean of theirs."""
    _, group, counts = np.unique(np.asarray(values), return_inverse=True, return_counts=True)
    last = counts.cumsum()
    return (last - (counts - 1) / 2)[group]
