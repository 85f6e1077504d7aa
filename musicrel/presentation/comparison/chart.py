"""Parts of the charts that compare two models: heading, legend of A and B, bar lines, ticks."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from musicrel.chorale import Chorale
from musicrel.presentation.drawing import arrangement
from musicrel.presentation.drawing.drawing import (
    Drawing,
    Item,
    Rectangle,
    Text,
    shortened,
    shortened_inside,
    width_of,
)
from musicrel.presentation.words.palette import Theme

PAGE: Final = 960
"""Width of an exported chart in pixels."""
LEFT: Final = 52.0
RIGHT: Final = 14.0
TEXT: Final = 12.0
SMALL: Final = 10.0
MARGIN: Final = 18.0

_HEADER: Final = 104
_TITLE: Final = 18.0
_SWATCH: Final = 10.0
_NUMBER_ROOM: Final = 26.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartTexts:
    heading: str
    piece: str
    words: str
    models: tuple[str, str]  # names of A and B for the legend; "" without one


def headed(body: Drawing, texts: ChartTexts, theme: Theme, more: Iterable[Item] = ()) -> Drawing:
    """Return a chart below its texts, the legend of A and B, and ``more``."""
    lines = ((30, texts.heading, _TITLE, theme.text), (52, texts.piece, TEXT, theme.text),
             (70, texts.words, TEXT, theme.quiet))  # fmt: skip
    room = body.width - 2 * MARGIN
    items: list[Item] = [
        Text(x=MARGIN, y=y, text=shortened(text, size, room), size=size, colour=colour,
             bold=size == _TITLE)
        for y, text, size, colour in lines
    ]  # fmt: skip
    items += (*legend(texts.models, MARGIN, 93, theme), *more)
    top = replace(body, height=_HEADER, title=texts.heading, items=tuple(items))
    return arrangement.below((top, body))


def legend(names: tuple[str, str], x: float, y: float, theme: Theme) -> Iterator[Item]:
    """Draw the colours of A and B with the names of the models; "" is left out.

    Long names lose their middle, so that both fit on a page.
    """
    room = (PAGE - x - MARGIN) / len(names) - _SWATCH - 24
    for letter, name, colour in zip("AB", names, theme.models, strict=True):
        if name:
            yield Rectangle(x=x, y=y - _SWATCH + 1, width=_SWATCH, height=_SWATCH, fill=colour)
            text = shortened_inside(f"{letter}: {name}", TEXT, room)
            yield Text(x=x + _SWATCH + 5, y=y, text=text, size=TEXT, colour=theme.text)
            x += _SWATCH + 24 + width_of(text, TEXT)


@dataclass(frozen=True, slots=True)
class TimeAxis:
    """The horizontal axis of a chart: steps of a piece."""

    chorale: Chorale
    steps: range  # the shown ones
    width: int  # of the whole chart in pixels, with its margins

    @property
    def step_width(self) -> float:
        """Return the pixels of a step."""
        return (self.right - LEFT) / max(len(self.steps), 1)

    @property
    def right(self) -> float:
        """Return the right edge of the last step."""
        return self.width - RIGHT

    def x(self, step: float) -> float:
        """Return the left edge of a step."""
        return LEFT + (step - self.steps.start) * self.step_width

    def step_at(self, x: float) -> int | None:
        """Return the step at a place in pixels; None outside the axis."""
        step = math.floor(self.steps.start + (x - LEFT) / self.step_width)
        return step if step in self.steps else None

    def bars(self, top: float, bottom: float, theme: Theme) -> Iterator[Item]:
        """Draw the bar lines, with numbers below where there is room."""
        free_from = -math.inf
        for number, step in enumerate(self.chorale.bar_line_steps(), start=1):
            if step not in self.steps:
                continue
            at = self.x(step)
            yield Rectangle(x=at, y=top, width=1, height=bottom - top, fill=theme.line_bar)
            if at >= free_from:
                free_from = at + _NUMBER_ROOM
                yield Text(
                    x=at + 3, y=bottom + SMALL + 3, text=str(number), size=SMALL,
                    colour=theme.quiet,
                )  # fmt: skip

    def level(self, y: float, label: str, theme: Theme) -> Iterator[Item]:
        """Draw a horizontal line with its label at the left."""
        yield Rectangle(x=LEFT, y=y, width=self.right - LEFT, height=1, fill=theme.line_beat)
        yield Text(x=LEFT - 6, y=y + 4, text=label, size=SMALL, colour=theme.quiet, anchor="end")


def round_step(most: float) -> float:
    """Return a round distance of ticks, so that about three fit below ``most``."""
    raw = max(most, 1e-9) / 3
    power = 10.0 ** math.floor(math.log10(raw))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw)
