"""Differences of two models: in surprisal over a piece, as roll and curve, and of their pieces."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np

from musicrel.figures import charts, plots, roll
from musicrel.figures.charts import Canvas, Heading
from musicrel.figures.figure import Figure
from musicrel.presentation.comparison import model_difference
from musicrel.presentation.comparison.model_difference import DifferenceColours, ModelDifference
from musicrel.presentation.two_models import Agreement
from musicrel.presentation.words.palette import Theme

_CURVE: Final = 200  # height of an exported curve in pixels
_AXIS: Final = 52
_SWATCHES: Final = 13
_WORDS: Final = (
    "Running sum of B − A in nats: it rises where A predicts better and falls where B does."
)


def make(canvas: Canvas, difference: ModelDifference, step: int | None = None) -> Any:
    """Add the curve over the whole piece; return its plot, whose horizontal axis is in steps."""
    plot, piece = canvas.add_plot(), difference.chorale
    canvas.show_bars(plot, piece, range(piece.steps), _AXIS)
    if step is not None:
        canvas.mark_step(plot, step)
    values = np.concatenate(([0.0], difference.curve))
    pen = plots.library().mkPen(canvas.theme.text, width=2)
    plot.addItem(plots.library().PlotCurveItem(np.arange(len(values)), values, pen=pen))
    plot.setYRange(min(float(values.min()), -1.0), max(float(values.max()), 1.0), padding=0.04)
    return plot


def figure(difference: ModelDifference, theme: Theme) -> Figure:
    """Return the roll in the colours of the models that are surprised more, and the curve."""
    colours = DifferenceColours(difference, theme)
    above = roll.figure(difference.chorale, theme, colours.tint)
    names = difference.first, difference.second
    fills = [model_difference.tint(theme, one).fill for one in np.linspace(-1, 1, _SWATCHES)]
    scale = "".join(f'<span style="color:{fill}">█</span>' for fill in fills)
    heading = Heading(
        heading=f"{names[0]} and {names[1]}: surprisal compared",
        piece=model_difference.summary(difference),
        words=_WORDS,
        models=names,
        more=f"A +{colours.full:.1f} {scale} B +{colours.full:.1f} nats",
    )
    curve = charts.headed(
        lambda canvas: make(canvas, difference), heading, theme, width=above.width, height=_CURVE
    )
    return charts.below((above, curve), curve.title)


def of_agreement(agreement: Agreement, models: tuple[str, str], theme: Theme) -> Figure:
    """Return both pieces one below the other; notes that agree are faint."""
    parts = [
        _side(agreement, side, f"{'AB'[side]}: {model}", theme) for side, model in enumerate(models)
    ]
    title = f"{models[0]} and {models[1]}: {agreement.describe()}"
    return charts.below(parts, title)


def _side(agreement: Agreement, side: int, title: str, theme: Theme) -> Figure:
    piece = agreement.pieces[side]
    differing = {(note.voice, note.start) for note in agreement.only[side]}

    def colours(voice: int, step: int) -> tuple[str, str] | None:
        return None if (voice, step) in differing else (theme.edge, theme.line_bar)

    return roll.figure(replace(piece, title=title), theme, colours, agreement.pieces)
