"""The claims about relative attention as a drawing and a table: bars with intervals."""

from __future__ import annotations

from collections.abc import Iterator

from musicrel.analysis.claims.intervals import Estimate
from musicrel.presentation.attention.claim_rows import ClaimRow, figure
from musicrel.presentation.comparison import chart
from musicrel.presentation.comparison.chart import ChartTexts
from musicrel.presentation.drawing.drawing import Drawing, Item, Rectangle, Text
from musicrel.presentation.words.palette import Theme

_HEADING = "Claims about relative attention"
_WORDS = "Bars: this piece, with intervals of 95 % over its bars. Grey: Bach, or equal weights."
_TITLE = 40
_LINE = 20
_BETWEEN = 12
_BAR_LEFT = 90.0
_NUMBERS = 130.0
_COLUMNS = ("claim", "of", "value", "low", "high")


def draw(rows: tuple[ClaimRow, ...], models: tuple[str, str], piece: str, theme: Theme) -> Drawing:
    """Draw a group of bars for each claim: both models, and Bach where there is a value.

    Args:
        models: names of A and B; "" without B.
    """
    items: list[Item] = []
    y = 0.0
    for row in rows:
        items += _group(row, y, theme)
        y += _TITLE + _LINE * max(len(_values(row)), 1) + _BETWEEN
    body = Drawing(
        width=chart.PAGE, height=round(y), background=theme.panel, title=_HEADING,
        items=tuple(items),
    )  # fmt: skip
    texts = ChartTexts(heading=_HEADING, piece=piece, words=_WORDS, models=models)
    return chart.headed(body, texts, theme)


def table(rows: tuple[ClaimRow, ...], legend: tuple[str, str]) -> Iterator[tuple[object, ...]]:
    """Yield the values with the ends of their intervals by rows.

    Args:
        legend: names of A and B with their heads, "" without B.
    """
    yield _COLUMNS
    names = {"A": legend[0], "B": legend[1], "Bach": "Bach"}
    for row in rows:
        for letter, value in _values(row):
            yield (row.measure.name, names[letter], *(round(number, 6) for number in value))
        if row.even is not None:
            yield (row.measure.name, "equal weights", round(row.even, 6), "", "")


def _values(row: ClaimRow) -> tuple[tuple[str, Estimate], ...]:
    named = (("A", row.first), ("B", row.second), ("Bach", row.bach))
    return tuple((letter, value) for letter, value in named if value is not None)


def _group(row: ClaimRow, y: float, theme: Theme) -> Iterator[Item]:
    x = chart.MARGIN
    yield Text(x=x, y=y + 14, text=row.measure.title, size=13, colour=theme.text, bold=True)
    words = row.remark or row.measure.claim
    yield Text(x=x, y=y + 31, text=words, size=chart.TEXT, colour=theme.quiet)
    scale = (chart.PAGE - _BAR_LEFT - _NUMBERS) / (row.full or 1.0)
    colours = {"A": theme.models[0], "B": theme.models[1], "Bach": theme.quiet}
    for place, (letter, value) in enumerate(_values(row)):
        top = y + _TITLE + place * _LINE
        yield Text(x=x, y=top + 11, text=letter, size=chart.TEXT, colour=theme.text)
        yield Rectangle(
            x=_BAR_LEFT, y=top, width=value.value * scale, height=12, fill=colours[letter]
        )
        low, high = value.low * scale, value.high * scale
        yield Rectangle(x=_BAR_LEFT + low, y=top + 5, width=high - low, height=2, fill=theme.text)
        for end in (low, high):
            yield Rectangle(x=_BAR_LEFT + end - 1, y=top + 1, width=2, height=10, fill=theme.text)
        yield Text(
            x=chart.PAGE - chart.MARGIN, y=top + 11, text=figure(row.measure, value.value),
            size=chart.TEXT, colour=theme.text, anchor="end",
        )  # fmt: skip
    if row.even is not None:
        height = _LINE * len(_values(row)) - 4
        yield Rectangle(
            x=_BAR_LEFT + row.even * scale, y=y + _TITLE - 2, width=2, height=height,
            fill=theme.quiet,
        )  # fmt: skip
