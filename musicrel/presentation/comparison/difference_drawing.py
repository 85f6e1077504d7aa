"""The difference of two models over a piece as a drawing: coloured roll above, curve below."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from musicrel.presentation.comparison import chart, model_difference
from musicrel.presentation.comparison.chart import ChartTexts, TimeAxis
from musicrel.presentation.comparison.model_difference import DifferenceColours, ModelDifference
from musicrel.presentation.drawing import arrangement
from musicrel.presentation.drawing.drawing import Drawing, Item, Line, Rectangle, Text
from musicrel.presentation.roll import roll_drawing
from musicrel.presentation.words.palette import Theme

_CURVE: Final = 190
"""Height of an exported curve in pixels."""
_TOP: Final = 8.0
_BOTTOM: Final = 20.0
_SCALE: Final = 150.0
_SCALE_PARTS: Final = 30
_SCALE_TOP: Final = 83.0
_SCALE_END: Final = 72.0
_AXES: Final = (
    "Running sum of B − A in nats: it rises where A predicts better and falls where B does."
)


def draw(difference: ModelDifference, theme: Theme) -> Drawing:
    """Draw the roll, each note in the colour of the model that is surprised more, and the curve."""
    colours = DifferenceColours(difference, theme)
    above = roll_drawing.draw(difference.chorale, theme, colours.tint)
    names = difference.first, difference.second
    texts = ChartTexts(
        heading=f"{names[0]} and {names[1]}: surprisal compared",
        piece=model_difference.summary(difference),
        words=_AXES,
        models=names,
    )
    curve = draw_curve(difference, theme, width=above.width, height=_CURVE)
    scale = _scale(colours.full, above.width - chart.RIGHT, theme)
    return arrangement.below((above, chart.headed(curve, texts, theme, scale)))


def axis(difference: ModelDifference, width: int) -> TimeAxis:
    """Return the horizontal axis of the curve: the whole piece."""
    return TimeAxis(difference.chorale, range(difference.chorale.steps), width)


def draw_curve(
    difference: ModelDifference, theme: Theme, *, width: int, height: int, step: int | None = None
) -> Drawing:
    """Draw the running sum over the whole piece in one line.

    Args:
        width: in pixels.
        height: in pixels.
        step: the marked step; None: none.
    """
    along, top, bottom = axis(difference, width), _TOP, height - _BOTTOM
    return Drawing(
        width=width,
        height=height,
        background=theme.panel,
        title=model_difference.summary(difference),
        items=(
            *along.bars(top, bottom, theme),
            *_curve(difference, along, (top, bottom), step, theme),
        ),
    )


def _curve(
    difference: ModelDifference, along: TimeAxis, ends: tuple[float, float], step: int | None,
    theme: Theme,
) -> Iterator[Item]:  # fmt: skip
    """Draw levels, zero line and curve, and the marked step."""
    values = np.concatenate(([0.0], difference.curve))
    low, high = min(float(values.min()), -1.0), max(float(values.max()), 1.0)
    scale = (ends[1] - ends[0]) / (high - low)

    def y(value: float) -> float:
        return ends[1] - (value - low) * scale

    tick = chart.round_step(max(high, -low))
    for number in range(math.ceil(low / tick), math.floor(high / tick) + 1):
        yield from along.level(y(number * tick), _signed(number * tick), theme)
    if step is not None:
        yield Rectangle(
            x=along.x(step), y=ends[0], width=max(along.step_width, 2), height=ends[1] - ends[0],
            fill=theme.accent, opacity=0.3,
        )  # fmt: skip
    yield Line(points=((chart.LEFT, y(0)), (along.right, y(0))), colour=theme.quiet)
    points = ((along.x(at), y(value)) for at, value in enumerate(values.tolist()))
    yield Line(points=tuple(points), colour=theme.text, width=2)


def _scale(full: float, right: float, theme: Theme) -> Iterator[Item]:
    """Draw the colours of the notes with their ends, as far to the right as ``right``."""
    part, x = _SCALE / _SCALE_PARTS, right - _SCALE - _SCALE_END
    for place in range(_SCALE_PARTS):
        share = 2 * place / (_SCALE_PARTS - 1) - 1
        fill = model_difference.tint(theme, share).fill
        yield Rectangle(x=x + place * part, y=_SCALE_TOP, width=part + 0.5, height=12, fill=fill)
    for at, text in ((x - 6, f"A +{full:.1f}"), (right, f"B +{full:.1f} nats")):
        yield Text(
            x=at, y=_SCALE_TOP + 10, text=text, size=chart.SMALL, colour=theme.quiet, anchor="end"
        )


def _signed(value: float) -> str:
    return f"{value:+g}" if value else "0"
