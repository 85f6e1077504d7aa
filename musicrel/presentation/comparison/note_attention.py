"""The attention of one note in two models on one scale: data, drawing and table.

Bars of A rise from the middle line, bars of B hang from it. The steps around the note are shown,
and all up to the largest weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from musicrel.chorale import Chorale, Voice
from musicrel.generation.heads.mutes import Head
from musicrel.presentation.attention.piece_analysis import (
    PieceAnalysis,
    Profile,
    cell_name,
    percent,
    with_heads,
)
from musicrel.presentation.comparison import chart
from musicrel.presentation.comparison.chart import ChartTexts, TimeAxis
from musicrel.presentation.drawing.drawing import Drawing, Item, Line, Rectangle, Text
from musicrel.presentation.words import names
from musicrel.presentation.words.palette import Theme

BARS_SHOWN: Final = 2
"""Least number of bars that are shown on either side of the note."""
_LEAST_SCALE: Final = 0.02
_HEIGHT: Final = 300
"""Height of an exported chart of two models in pixels."""
_LOW: Final = 180
"""Height of that of one."""
_TOP: Final = 8.0
_BOTTOM: Final = 20.0
_LETTER: Final = 13.0
"""Font size of A and B."""
_LETTER_X: Final = 4.0
_GAP_FROM: Final = 4.0
"""Least width of a step in pixels with a gap beside its bar."""
AXES: Final = "Above: weights of A. Below: weights of B, on the same scale. Colours: voices."
ALONE: Final = "Weights by step. Colours: voices."


@dataclass(frozen=True)
class NoteAttention:
    """The attention of a cell in one or two models."""

    chorale: Chorale
    cell: int  # the query, 4 step + voice
    models: tuple[str, str]  # names of A and B; "" without one
    heads: tuple[Head | None, Head | None]  # the chosen head of each; None: the mean of all heads
    profiles: tuple[Profile | None, Profile | None]  # the weights of each; None without the model
    both_sides: bool  # whether the models see the steps after the note, too

    @classmethod
    def of(
        cls,
        analyses: tuple[PieceAnalysis | None, PieceAnalysis | None],
        heads: tuple[Head | None, Head | None],
        cell: int | None,
    ) -> NoteAttention | None:
        """Return the attention of ``cell``; None where no model knows it."""
        known = [_known(analysis, cell) for analysis in analyses]
        first = next((one for one in known if one is not None), None)
        if first is None or cell is None:
            return None
        pairs = tuple(zip(known, heads, strict=True))
        profiles = [one.profile(cell, head) if one else None for one, head in pairs]
        return cls(
            chorale=first.chorale,
            cell=cell,
            models=(_name(known[0]), _name(known[1])),
            heads=heads,
            profiles=(profiles[0], profiles[1]),
            both_sides=first.cells_per_column > 1,
        )

    @property
    def full(self) -> float:
        """Return the end of the scale: the largest sum of weights of one step in either model."""
        sums = [float(one.weights.sum(axis=1).max()) for one in self.profiles if one is not None]
        return max(*sums, _LEAST_SCALE) if sums else _LEAST_SCALE

    @property
    def window(self) -> range:
        """Return the steps that are shown.

        They are some bars before the note, and after it if they count, and all up to the largest
        weight of each model, which ``words`` names.
        """
        around, step = BARS_SHOWN * self.chorale.meter.steps, self.cell // len(Voice)
        after = around if self.both_sides else around // (2 * BARS_SHOWN)
        before = around if self.both_sides else 2 * around
        first = max(step - before, 0)
        stop = min(max(step + after, first + around), self.chorale.steps)
        largest = [place[0] for place in map(_largest, self.profiles) if place is not None]
        return range(min((first, *largest)), max((stop, *(most + 1 for most in largest))))

    @property
    def title(self) -> str:
        return cell_name(self.chorale, self.cell)

    @property
    def legend(self) -> tuple[str, str]:
        """Return name and head of each model; "" without one."""
        return with_heads(self.models, self.heads)

    @property
    def words(self) -> str:
        """Return the largest weight of each model and its weight of START."""
        parts = []
        for letter, profile in zip("AB", self.profiles, strict=True):
            place = _largest(profile)
            if profile is not None and place is not None:
                step, voice = place
                most = percent(float(profile.weights[step, voice]))
                part = f"{letter}: most, {most}, on {_place(self.chorale, step, voice, profile)}"
                parts.append(part + (f"; START {percent(profile.start)}" if profile.start else ""))
        return ".  ".join(parts)

    def at_step(self, step: int) -> str:
        """Return the weights of both models on a step."""
        parts = [
            f"{letter} {percent(float(profile.weights[step].sum()))}"
            for letter, profile in zip("AB", self.profiles, strict=True)
            if profile is not None
        ]
        place = names.position(step, self.chorale.meter, self.chorale.pickup)
        return f"{place[:1].upper() + place[1:]}: {', '.join(parts)}"


def colours(theme: Theme, model: int, columns: int) -> tuple[str, ...]:
    """Return the colours of the columns of a profile: voices, or the model's colour for a step."""
    return theme.voices if columns == len(Voice) else (theme.models[model],)


def draw(attention: NoteAttention, theme: Theme) -> Drawing:
    """Draw the weights of one note over the steps around it, with a heading."""
    has_both = all(attention.models)
    texts = ChartTexts(
        heading=f"Attention of {attention.title}",
        piece=f"{attention.chorale.title}. {attention.words}",
        words=AXES if has_both else ALONE,
        models=attention.legend,
    )
    height = _HEIGHT if has_both else _LOW
    body = draw_chart(attention, theme, width=chart.PAGE, height=height)
    return chart.headed(replace(body, title=attention.words), texts, theme)


def axis(attention: NoteAttention, width: int) -> TimeAxis:
    """Return the horizontal axis: the steps around the note."""
    return TimeAxis(attention.chorale, attention.window, width)


def draw_chart(attention: NoteAttention, theme: Theme, *, width: int, height: int) -> Drawing:
    """Draw the weights of one note over the steps around it.

    Args:
        width: in pixels.
        height: in pixels.
    """
    along, top, bottom = axis(attention, width), _TOP, height - _BOTTOM
    has_both = all(attention.models)
    middle = (top + bottom) / 2 if has_both else bottom if attention.models[0] else top
    scale = (middle - top or bottom - top) / attention.full
    return Drawing(
        width=width,
        height=height,
        background=theme.panel,
        title=f"Attention of {attention.title}; {attention.words}",
        items=(
            *along.bars(top, bottom, theme),
            *_levels(attention, along, middle, scale, theme),
            Rectangle(
                x=along.x(attention.cell // len(Voice)), y=top, width=along.step_width,
                height=bottom - top, fill=theme.accent, opacity=0.2,
            ),
            *_weights(attention, along, middle, scale, theme),
            *_letters(attention, (top, middle, bottom), theme),
            Line(points=((chart.LEFT, middle), (along.right, middle)), colour=theme.quiet),
        ),
    )  # fmt: skip


def table(attention: NoteAttention) -> Iterator[tuple[object, ...]]:
    """Yield the weights of both models on every step and voice, and their difference, by rows."""
    first, second = attention.profiles
    yield ("step", "voice", *(name or "-" for name in attention.legend), "difference")
    shown = first or second
    if shown is None:
        return
    if shown.start:
        yield ("START", "", *_cells(first, second, None))
    for step in range(len(shown.weights)):
        for column in range(shown.weights.shape[1]):
            voice = Voice(column).letter if shown.weights.shape[1] == len(Voice) else ""
            yield (step, voice, *_cells(first, second, (step, column)))


def _cells(
    first: Profile | None, second: Profile | None, place: tuple[int, int] | None
) -> tuple[object, ...]:
    """Return the weights of both models at a place (None: START), and B − A."""
    values = [
        None if one is None else one.start if place is None else float(one.weights[place])
        for one in (first, second)
    ]
    a, b = values
    both = "" if a is None or b is None else round(b - a, 6)
    return (*("" if value is None else round(value, 6) for value in values), both)


def _levels(
    attention: NoteAttention, along: TimeAxis, middle: float, scale: float, theme: Theme
) -> Iterator[Item]:
    tick = chart.round_step(attention.full)
    for number in range(1, int(attention.full / tick) + 1):
        for side, model in zip((-1, 1), attention.models, strict=True):
            if model:
                y = middle + side * number * tick * scale
                yield from along.level(y, percent(number * tick), theme)


def _letters(
    attention: NoteAttention, heights: tuple[float, float, float], theme: Theme
) -> Iterator[Item]:
    """Draw A beside the bars that rise and B beside those that hang; one model has no letter."""
    if not attention.models[1]:
        return
    halves = pairwise(heights)
    for letter, model, (top, bottom), colour in zip(
        "AB", attention.models, halves, theme.models, strict=True
    ):
        if model:
            yield Text(
                x=_LETTER_X, y=(top + bottom + _LETTER) / 2 - 1, text=letter, size=_LETTER,
                colour=colour, bold=True,
            )  # fmt: skip


def _weights(
    attention: NoteAttention, along: TimeAxis, middle: float, scale: float, theme: Theme
) -> Iterator[Item]:
    """Draw the bars of both models."""
    gap = 1 if along.step_width > _GAP_FROM else 0
    for model, profile in enumerate(attention.profiles):
        if profile is None:
            continue
        lower = (profile.weights.cumsum(axis=1) - profile.weights) * scale
        heights = profile.weights * scale
        for step in along.steps:
            for column, fill in enumerate(colours(theme, model, heights.shape[1])):
                high, base = float(heights[step, column]), float(lower[step, column])
                yield Rectangle(
                    x=along.x(step) + gap / 2, y=middle + base if model else middle - base - high,
                    width=along.step_width - gap, height=high, fill=fill,
                )  # fmt: skip


def _known(analysis: PieceAnalysis | None, cell: int | None) -> PieceAnalysis | None:
    if analysis is None or not analysis.has_weights or not analysis.has_cell(cell):
        return None
    return analysis


def _name(analysis: PieceAnalysis | None) -> str:
    return analysis.model if analysis is not None else ""


def _largest(profile: Profile | None) -> tuple[int, int] | None:
    """Return step and column of the largest weight; None without weights."""
    if profile is None or not profile.weights.size:
        return None
    step, column = divmod(int(profile.weights.argmax()), profile.weights.shape[1])
    return step, column


def _place(chorale: Chorale, step: int, voice: int, profile: Profile) -> str:
    if profile.weights.shape[1] == len(Voice):
        return cell_name(chorale, step * len(Voice) + voice)
    return names.position(step, chorale.meter, chorale.pickup)
