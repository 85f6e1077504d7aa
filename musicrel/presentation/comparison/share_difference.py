"""Shares of attention of two models by distance and voice, and their difference."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import starmap, zip_longest
from typing import Final, NamedTuple, TypeAlias

from musicrel.generation.heads.mutes import Head
from musicrel.presentation.attention.piece_analysis import (
    LAG_MEANINGS,
    PieceAnalysis,
    Share,
    percent,
)
from musicrel.presentation.comparison import chart
from musicrel.presentation.comparison.chart import ChartTexts
from musicrel.presentation.drawing import arrangement
from musicrel.presentation.drawing.drawing import Drawing, Item, Rectangle, Text
from musicrel.presentation.words.palette import Theme

BY_DISTANCE: Final = "By distance"
BY_VOICE: Final = "By voice"
ALONE: Final = "Bars: mean over the piece. Marks: the chosen note."
WORDS: Final = "Bars: mean over the piece. Marks: the chosen note. Right: B − A in points."
_DIFFERENCE: Final = "B − A"
_FOOT: Final = 16.0
"""Baseline of the titles."""
_BESIDE_FROM: Final = 760
"""Least width in pixels for two groups side by side."""
_TITLE: Final = 28.0
_NAMES: Final = 104.0
_NUMBERS: Final = 110.0
_POINTS: Final = 44.0
_BAR_SHARE: Final = 0.56
"""Share of the bars in the room that they have together with the differences."""
_ROOM_ABOVE: Final = 4.0
_ROW: Final = 22.0
_HALF: Final = 9.0
_MIDDLE: Final = 10.0
"""Middle of the letters of a row, below its upper edge."""


class SharePair(NamedTuple):
    """The shares of one class of cells in models A and B."""

    first: Share
    second: Share | None  # of B; None without a second model

    @property
    def name(self) -> str:
        return self.first.name

    @property
    def difference(self) -> float | None:
        """Return B − A over the piece, -1 to 1; None without B."""
        return None if self.second is None else self.second.whole - self.first.whole

    @property
    def here(self) -> float | None:
        """Return B − A of the chosen note; None without one or without B."""
        if self.second is None or self.first.here is None or self.second.here is None:
            return None
        return self.second.here - self.first.here


Groups: TypeAlias = tuple[tuple[str, tuple[SharePair, ...]], ...]


def groups(
    first: PieceAnalysis,
    second: PieceAnalysis | None,
    heads: tuple[Head | None, Head | None],
    cell: int | None,
) -> Groups:
    """Return the shares by distance, and by voice where a key is one voice.

    Args:
        second: of B, with the same classes of distance; None without a second model.
        heads: of each; None: the mean of all heads.
        cell: the chosen note; None: none.
    """
    by_lag = first.by_lag(heads[0], cell), second.by_lag(heads[1], cell) if second else ()
    by_voice = first.by_voice(heads[0], cell), second.by_voice(heads[1], cell) if second else ()
    found = ((BY_DISTANCE, by_lag), (BY_VOICE, by_voice))
    return tuple(
        (title, tuple(starmap(SharePair, zip_longest(*shares))))
        for title, shares in found
        if shares[0]
    )


def points(difference: float) -> str:
    """Return a difference of shares in percentage points, as '+7' or '−0.4'."""
    value = 100 * difference
    text = f"{value:+.1f}" if abs(value) < 1 else f"{value:+.0f}"
    return "0" if float(text) == 0 else text.replace("-", "−")


def describe(pair: SharePair) -> str:
    """Return the shares of a class in one line, with the meaning of a distance."""
    meaning = LAG_MEANINGS.get(pair.name, "")
    name = f"{pair.name} ({meaning})" if meaning else pair.name
    parts = [f"{name}: A {percent(pair.first.whole)}{_note(pair.first)}"]
    if pair.second is not None and pair.difference is not None:
        parts.append(f"B {percent(pair.second.whole)}{_note(pair.second)}")
        parts.append(f"B − A {points(pair.difference)} points")
    return ", ".join(parts)


def _note(share: Share) -> str:
    return "" if share.here is None else f" (this note {percent(share.here)})"


def draw(
    shown: Groups, models: tuple[str, str], legend: tuple[str, str], piece: str, theme: Theme
) -> Drawing:
    """Draw the shares of both models as bars, with their difference and a heading.

    Args:
        models: names of A and B, "" without B.
    """
    named = " and ".join(filter(None, models))
    texts = ChartTexts(
        heading=f"Shares of attention: {named}",
        piece=piece,
        words=WORDS if models[1] else ALONE,
        models=legend,
    )
    return chart.headed(draw_chart(shown, theme, width=chart.PAGE), texts, theme)


def draw_chart(shown: Groups, theme: Theme, *, width: int) -> Drawing:
    """Draw the shares of both models; the groups are side by side if there is room.

    Args:
        width: in pixels.
    """
    has_room = width >= _BESIDE_FROM
    room = width // len(shown) if has_room else width
    most = max((abs(pair.difference or 0) for _, pairs in shown for pair in pairs), default=1.0)
    if len(shown) == 1:
        return _group("", shown[0][1], most or 1.0, width, theme)
    parts = [_group(title, pairs, most or 1.0, room, theme) for title, pairs in shown]
    drawing = arrangement.beside(parts) if has_room else arrangement.below(parts)
    return replace(drawing, width=width)


def table(shown: Groups, legend: tuple[str, str]) -> Iterator[tuple[object, ...]]:
    """Yield the shares over the piece and of the chosen note by rows.

    Args:
        legend: names of A and B with their heads, "" without B.
    """
    yield ("group", "class", *legend, "difference",
           *(name and f"{name}, note" for name in legend), "difference, note")  # fmt: skip
    for title, pairs in shown:
        for pair in pairs:
            wholes = [share.whole if share else None for share in pair]
            heres = [share.here if share else None for share in pair]
            values = (*wholes, pair.difference, *heres, pair.here)
            cells = ("" if value is None else round(value, 6) for value in values)
            yield (title, pair.name, *cells)


def _group(
    title: str, pairs: tuple[SharePair, ...], most: float, width: int, theme: Theme
) -> Drawing:
    has_second = any(pair.second is not None for pair in pairs)
    top = _TITLE if title or has_second else _ROOM_ABOVE
    items: list[Item] = [
        Text(x=chart.MARGIN, y=_FOOT, text=title, size=chart.TEXT, colour=theme.text, bold=True)
    ]
    if has_second:
        items += _columns(width, theme)
    for place, pair in enumerate(pairs):
        items += _row(pair, top + place * _ROW, most, width, theme)
    return Drawing(
        width=width,
        height=round(top + len(pairs) * _ROW),
        background=theme.panel,
        title="; ".join(describe(pair) for pair in pairs),
        items=tuple(items),
    )


def _columns(width: int, theme: Theme) -> Iterator[Item]:
    """Draw the names of the columns of numbers: A, B and their difference."""
    _, bar, _ = _widths(width)
    for place, colour in enumerate(theme.models):
        yield Text(
            x=_number_x(bar, place), y=_FOOT, text="AB"[place], size=chart.TEXT, colour=colour,
            anchor="end", bold=True,
        )  # fmt: skip
    yield Text(
        x=width - chart.MARGIN, y=_FOOT, text=_DIFFERENCE, size=chart.TEXT, colour=theme.quiet,
        anchor="end",
    )  # fmt: skip


def _widths(width: int) -> tuple[float, float, float]:
    """Return the left end of the bars, their greatest length, and that of a difference."""
    x = chart.MARGIN + _NAMES
    room = width - x - _NUMBERS - _POINTS - chart.MARGIN
    return x, room * _BAR_SHARE, room * (1 - _BAR_SHARE) / 2


def _number_x(bar: float, place: int) -> float:
    """Return the right end of the numbers of a model."""
    return chart.MARGIN + _NAMES + bar + _NUMBERS / 2 * (place + 1) - 6


def _row(pair: SharePair, y: float, most: float, width: int, theme: Theme) -> Iterator[Item]:
    """Draw both bars of a class, their numbers, and the difference as a bar to either side."""
    foot, middle = y + 14, y + _MIDDLE
    x, bar, side = _widths(width)
    tops = _tops(middle, sum(share is not None for share in pair))
    yield Text(x=chart.MARGIN, y=foot, text=pair.name, size=chart.TEXT, colour=theme.text)
    for place, (share, colour) in enumerate(zip(pair, theme.models, strict=True)):
        if share is not None:
            yield from _bar(share, (x, tops[place]), bar, colour, theme)
            yield Text(
                x=_number_x(bar, place), y=foot, text=percent(share.whole), size=chart.TEXT,
                colour=theme.quiet, anchor="end",
            )  # fmt: skip
    if pair.difference is None:
        return
    zero, length = x + bar + _NUMBERS + side, abs(pair.difference) / most * side
    left = zero - length if pair.difference < 0 else zero
    fill = theme.models[pair.difference > 0]
    yield Rectangle(x=left, y=middle - 6, width=length, height=12, fill=fill)
    yield Rectangle(x=zero, y=middle - 9, width=1, height=18, fill=theme.quiet)
    yield Text(
        x=width - chart.MARGIN, y=foot, text=points(pair.difference), size=chart.TEXT,
        colour=theme.text, anchor="end",
    )  # fmt: skip


def _tops(middle: float, count: int) -> tuple[float, ...]:
    """Return the upper edges of the bars of a class, whose middle is that of its name."""
    first = middle - (count * _HALF - 1) // 2
    return tuple(first + place * _HALF for place in range(count))


def _bar(
    share: Share, place: tuple[float, float], width: float, colour: str, theme: Theme
) -> Iterator[Item]:
    """Draw the share of one model as a bar in its groove, with a mark for the chosen note."""
    x, top = place
    yield Rectangle(x=x, y=top, width=width, height=_HALF - 2, fill=theme.edge)
    yield Rectangle(x=x, y=top, width=width * share.whole, height=_HALF - 2, fill=colour)
    if share.here is not None:
        yield Rectangle(
            x=x + width * share.here - 1, y=top - 1, width=2, height=_HALF, fill=theme.text
        )
