"""Charts of one model or two on a piece: a note, shares, surprisal, places, claims; agreement.

Lengths are pixels.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from musicrel.chorale import Chorale, Voice
from musicrel.figures import roll
from musicrel.figures.figure import Figure, Hit
from musicrel.figures.paint import MIDDLE, RIGHT, fill, text_width, translucent, write
from musicrel.generation.heads.mutes import Head, all_heads
from musicrel.interpretability import claim_rows, shown
from musicrel.interpretability.claim_rows import ClaimRow
from musicrel.interpretability.piece_analysis import percent
from musicrel.interpretability.results import Floats, Places
from musicrel.interpretability.shown import BY_VOICE, Groups, NoteAttention, SharePair
from musicrel.interpretability.surprisal import ModelDifference
from musicrel.interpretability.view import Heading
from musicrel.language import decimal, tr
from musicrel.presentation.two_models import Agreement
from musicrel.presentation.words import names
from musicrel.presentation.words.palette import Theme

MARGIN: Final = 18
_HEADING, _LINE, _LEGEND = 44, 19, 26  # heights of the texts of a page
_SQUARE, _SWATCH = 10.0, 9.0
_BOTTOM: Final = 20.0  # height of the numbers of bars
_NUMBERS_APART: Final = 26.0  # least distance of two bar numbers in pixels
_TICKS: Final = 5  # most ticks of a vertical axis


def page(body: Figure, heading: Heading, theme: Theme) -> Figure:
    has_legend = any(heading.models) or heading.scale is not None
    header = _HEADING + _LINE * len(heading.lines) + (_LEGEND if has_legend else 6)

    def paint(painter: QPainter) -> None:
        painter.save()
        write(painter, QRectF(MARGIN, 10, body.width, 26), heading.heading, theme.text, 18,
              bold=True)  # fmt: skip
        for place, text in enumerate(heading.lines):
            line = QRectF(MARGIN, _HEADING - 7 + _LINE * place, body.width, _LINE)
            write(painter, line, text, theme.quiet if place else theme.text)
        box = QRectF(MARGIN, header - _LEGEND, body.width, 20)
        x = legend(painter, box, heading.models, theme)
        if heading.scale is not None:
            _paint_scale(painter, box.adjusted(x, 0, 0, 0), heading.scale, theme)
        painter.translate(MARGIN, header)
        body.paint(painter)
        painter.restore()

    height = header + body.height + MARGIN
    return replace(body, width=body.width + 2 * MARGIN, height=height, paint=paint)


def legend(painter: QPainter, box: QRectF, names: tuple[str, str], theme: Theme) -> float:
    """Write the names of A and B beside their colours; return the width of all.

    Long names lose their middle, so that both fit.
    """
    room = box.width() / max(len(list(filter(None, names))), 1) - 3 * _SQUARE
    x = 0.0
    for letter, name, colour in zip("AB", names, theme.models, strict=True):
        if name:
            text = f"{letter}: {name}"
            square = QRectF(box.x() + x, box.center().y() - _SQUARE / 2, _SQUARE, _SQUARE)
            painter.fillRect(square, QColor(colour))
            width = min(text_width(painter, text), room)
            place = QRectF(square.right() + 5, box.y(), width, box.height())
            write(painter, place, text, theme.text, elide=Qt.TextElideMode.ElideMiddle)
            x += width + 3 * _SQUARE
    return x


def _paint_scale(
    painter: QPainter, box: QRectF, scale: tuple[str, tuple[str, ...], str], theme: Theme
) -> None:
    low, colours, high = scale
    write(painter, box, low, theme.text)
    x = box.x() + text_width(painter, low) + 5
    for colour in colours:
        painter.fillRect(QRectF(x, box.y() + 3, _SWATCH + 1, box.height() - 6), QColor(colour))
        x += _SWATCH
    write(painter, QRectF(x + 6, box.y(), 200, box.height()), high, theme.text)


def below(figures: Sequence[Figure], title: str) -> Figure:
    def paint(painter: QPainter) -> None:
        painter.save()
        for one in figures:
            painter.save()
            one.paint(painter)
            painter.restore()
            painter.translate(0, one.height)
        painter.restore()

    return replace(
        figures[0],
        width=max(one.width for one in figures),
        height=sum(one.height for one in figures),
        title=title,
        paint=paint,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class StepAxes:
    """The axes of a chart over some steps of a piece: bars below, values at the left."""

    chorale: Chorale
    steps: range
    low: float
    high: float
    width: int
    height: int
    left: float  # width of the values

    def x(self, step: float) -> float:
        share = (step - self.steps.start) / max(len(self.steps), 1)
        return self.left + share * (self.width - self.left)

    def y(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return (self.height - _BOTTOM) * (1 - share)

    def step_at(self, x: float, y: float) -> int | None:
        if not (self.left <= x < self.width and 0 <= y < self.y(self.low)):
            return None
        share = (x - self.left) / (self.width - self.left)
        return self.steps.start + math.floor(share * len(self.steps))

    def paint(
        self, painter: QPainter, theme: Theme, step: int | None, text: Callable[[float], str]
    ) -> None:
        bottom = self.y(self.low)
        if step is not None:
            chosen = QRectF(self.x(step), 0, self.x(step + 1) - self.x(step), bottom)
            painter.fillRect(chosen, translucent(theme.accent, 0.3))
        for value in self._ticks():
            y = self.y(value)
            painter.setPen(QPen(QColor(theme.quiet if value == 0 else theme.line_beat), 1))
            painter.drawLine(QLineF(self.left, y, self.width, y))
            label = QRectF(0, y - 8, self.left - 6, 16)
            write(painter, label, text(value), theme.quiet, side=RIGHT)
        free_from = 0.0
        for number, line in enumerate(self.chorale.bar_line_steps(), start=1):
            x = self.x(line)
            if line in self.steps:
                painter.setPen(QPen(QColor(theme.line_bar), 1))
                painter.drawLine(QLineF(x, 0, x, bottom))
                if x >= free_from:
                    free_from = x + _NUMBERS_APART
                    below = QRectF(x - 20, bottom + 2, 40, 16)
                    write(painter, below, str(number), theme.quiet, side=MIDDLE)
        painter.setPen(QPen(QColor(theme.line_bar), 1))
        corner = QPointF(self.left, bottom)
        painter.drawLine(corner, QPointF(self.left, 0))
        painter.drawLine(corner, QPointF(self.width, bottom))

    def _ticks(self) -> list[float]:
        """Return multiples of 1, 2 or 5 times a power of ten."""
        least = (self.high - self.low) / _TICKS
        power = 10 ** math.floor(math.log10(least))
        apart = power * next(unit for unit in (1, 2, 5, 10) if unit * power >= least)
        first, last = math.ceil(self.low / apart), math.floor(self.high / apart)
        return [number * apart for number in range(first, last + 1)]


_AXIS: Final = 58.0  # width of the values of a chart over steps
_SIDES: Final = 16.0  # width of the letters of the models beside them
_NUMBER: Final = 48.0  # width of the number of a bar


# -------------------------------------------------------------------- a note

_LEAST_SCALE: Final = 0.02
_NOTE_BAR: Final = 0.86  # width of a bar, where a step is 1 wide


def note(attention: NoteAttention, width: int, height: int, theme: Theme) -> Figure:
    """Return the weights of a note by step: bars of A rise, bars of B hang."""
    window, profiles = attention.window, attention.profiles
    first, second = (profile is not None for profile in profiles)
    seen = [
        np.zeros((len(window), 1)) if one is None else one.weights[window.start : window.stop]
        for one in profiles
    ]
    full = 1.02 * max(_LEAST_SCALE, *(float(one.sum(axis=1).max(initial=0)) for one in seen))
    axes = StepAxes(
        chorale=attention.chorale, steps=window, low=-full * second, high=full * first,
        width=width, height=height, left=_AXIS + _SIDES * second,
    )  # fmt: skip

    def paint(painter: QPainter) -> None:
        step = attention.cell // len(Voice)
        axes.paint(painter, theme, step, lambda value: percent(abs(value)))
        for model, weights in enumerate(seen):
            fills = theme.voices if weights.shape[1] == len(Voice) else (theme.models[model],)
            sign = 1 - 2 * model
            for step, row in zip(window, weights.tolist(), strict=True):
                left, right = axes.x(step + 0.5 - _NOTE_BAR / 2), axes.x(step + 0.5 + _NOTE_BAR / 2)
                for low, value, shade in zip(accumulate([0.0, *row]), row, fills, strict=False):
                    ends = sorted((axes.y(sign * low), axes.y(sign * (low + value))))
                    painter.fillRect(
                        QRectF(left, ends[0], right - left, ends[1] - ends[0]), QColor(shade)
                    )
            if second:
                y = axes.y(0) - sign * 16
                write(painter, QRectF(0, y - 8, _SIDES, 16), "AB"[model], theme.models[model])

    def at(x: float, y: float) -> Hit | None:
        step = axes.step_at(x, y)
        return None if step is None else Hit(attention.at_step(step), step * len(Voice))

    title = f"{attention.title}.  {attention.words}"
    return Figure(width, height, theme.panel, title, paint, at)


# -------------------------------------------------------------------- shares

_BESIDE_FROM: Final = 740  # least width for two groups side by side
_SHARE: Final = 0.6  # of the width of a group, left of the differences
_ROW, _ROW_OF_TWO, _TITLE, _GAP = 22, 40, 24, 8
"""Heights of a row with one bar and with two, of a title, and between groups."""


def shares(groups: Groups, width: int, _height: int, theme: Theme) -> Figure:
    places = list(_share_places(groups, width))
    differences = [abs(pair.difference or 0.0) for _, pairs in groups for pair in pairs]
    most = max(differences, default=0.0) or 1.0

    def paint(painter: QPainter) -> None:
        for title, pairs, box in places:
            top = QRectF(box.x(), box.y(), box.width(), _TITLE)
            write(painter, top, shown.GROUP_TITLES[title], theme.text, bold=True)
            below = box.adjusted(0, _TITLE, 0, 0)
            _group(painter, title, pairs, below, theme)
            if _has_second(pairs):
                _differences(painter, pairs, below, most, theme)

    def at(x: float, y: float) -> Hit | None:
        for _, pairs, box in places:
            row = (y - box.y() - _TITLE) // _row(pairs)
            if box.left() <= x < box.right() and 0 <= row < len(pairs):
                return Hit(tip=shown.describe(pairs[int(row)]))
        return None

    height = round(max((box.bottom() for _, _, box in places), default=0))
    words = "; ".join(shown.describe(pair) for _, pairs in groups for pair in pairs)
    return Figure(width, height, theme.panel, words, paint, at)


def _share_places(
    groups: Groups, width: int
) -> Iterator[tuple[str, tuple[SharePair, ...], QRectF]]:
    beside, x, y = width >= _BESIDE_FROM, 0.0, 0.0
    for title, pairs in groups:
        wide, high = width / 2 if beside else width, len(pairs) * _row(pairs) + _TITLE + _GAP
        yield title, pairs, QRectF(x, y, wide - MARGIN, high)
        x, y = (x + wide, y) if beside else (x, y + high)


def _group(
    painter: QPainter, title: str, pairs: Sequence[SharePair], box: QRectF, theme: Theme
) -> None:
    names = max(text_width(painter, pair.first.title) for pair in pairs) + 8
    two, high = _has_second(pairs), _row(pairs)
    thick = 0.44 * high if two else 0.8 * high
    for row, pair in enumerate(pairs):
        line = QRectF(box.x(), box.y() + row * high, box.width() * (_SHARE if two else 1), high)
        label = QRectF(line.x(), line.y(), names - 8, high)
        write(painter, label, pair.first.title, theme.text, side=RIGHT)
        single = theme.voices[row] if title == BY_VOICE else theme.accent
        for place, share in enumerate(one for one in (pair.first, pair.second) if one is not None):
            top = line.y() + (high - thick * (1 + two)) / 2 + place * thick
            groove = QRectF(line.x() + names, top + 3, line.width() - names - _NUMBER, thick - 6)
            fill(painter, groove, 0, 1, theme.edge)
            fill(painter, groove, 0, share.whole, theme.models[place] if two else single)
            if share.here is not None:
                x = groove.x() + share.here * groove.width()
                painter.setPen(QPen(QColor(theme.text), 1.5))
                painter.drawLine(QLineF(x, groove.y() - 2, x, groove.bottom() + 2))
            number = QRectF(groove.right() + 6, top, _NUMBER - 6, thick)
            write(painter, number, percent(share.whole), theme.quiet)


def _differences(
    painter: QPainter, pairs: Sequence[SharePair], box: QRectF, most: float, theme: Theme
) -> None:
    left = box.x() + _SHARE * box.width() + MARGIN
    write(painter, QRectF(left, box.y() - _TITLE, _NUMBER, _TITLE), "B − A", theme.quiet)
    for row, pair in enumerate(pairs):
        value, high = pair.difference or 0.0, _row(pairs)
        top = box.y() + row * high
        bar = QRectF(left, top + high / 2 - 8, box.right() - left - _NUMBER, 16)
        fill(painter, bar, 0.5, 0.5 + value / most / 2, theme.models[value > 0])
        painter.fillRect(QRectF(bar.center().x(), top, 1, high), QColor(theme.quiet))
        number = QRectF(bar.right() + 6, bar.y(), _NUMBER - 6, bar.height())
        write(painter, number, shown.points(value), theme.text)


def _has_second(pairs: Sequence[SharePair]) -> bool:
    return any(pair.second is not None for pair in pairs)


def _row(pairs: Sequence[SharePair]) -> int:
    return _ROW_OF_TWO if _has_second(pairs) else _ROW


# -------------------------------------------------------------------- surprisal

_CURVE: Final = 200  # height of an exported curve
_SWATCHES: Final = 13
_RISES: Final = tr(
    "Running sum of B − A in nats: it rises where A predicts better and falls where B does."
)


def curve(
    difference: ModelDifference, step: int | None, width: int, height: int, theme: Theme
) -> Figure:
    values = np.concatenate(([0.0], difference.curve))
    low, high = min(float(values.min()), -1.0), max(float(values.max()), 1.0)
    room = 0.04 * (high - low)
    axes = StepAxes(
        chorale=difference.chorale, steps=range(difference.chorale.steps), low=low - room,
        high=high + room, width=width, height=height, left=_AXIS,
    )  # fmt: skip

    def paint(painter: QPainter) -> None:
        axes.paint(painter, theme, step, lambda value: decimal(value, "g").replace("-", "−"))
        painter.setPen(QPen(QColor(theme.text), 1.5))
        painter.drawPolyline(
            [QPointF(axes.x(at), axes.y(value)) for at, value in enumerate(values.tolist())]
        )

    def at(x: float, y: float) -> Hit | None:
        found = axes.step_at(x, y)
        if found is None:
            return None
        return Hit(difference.at_step(found), found * len(Voice), difference.voices)

    words = tr("{summary}.  The curve rises where A predicts better.", summary=difference.summary)
    return Figure(width, height, theme.panel, words, paint, at)


def roll_and_curve(difference: ModelDifference, _width: int, _height: int, theme: Theme) -> Figure:
    colours = difference.colours(theme)
    above = roll.figure(difference.chorale, theme, colours.tint)
    names = difference.first, difference.second
    low, high = colours.ends
    swatches = tuple(colours.at(share).fill for share in np.linspace(0, 1, _SWATCHES))
    heading = Heading(
        tr("{first} and {second}: surprisal compared", first=names[0], second=names[1]),
        (difference.summary, _RISES),
        names,
        (low, swatches, high),
    )
    drawn = curve(difference, None, above.width - 2 * MARGIN, _CURVE, theme)
    return below((above, page(drawn, heading, theme)), heading.heading)


# -------------------------------------------------------------------- places


def places(
    found: Places, piece: Chorale, head: Head | None, cell: int | None,
    width: int, height: int, theme: Theme,
) -> Figure:  # fmt: skip
    """Return lines of the learned places over the steps: of the voices of a head, or of heads."""
    bar, first = piece.meter.steps, 1 - piece.pickup / piece.meter.steps
    bars_LHT4 = first + found.steps_LHT4 / bar
    least, most = float(bars_LHT4.min()), float(bars_LHT4.max())
    high = max(most, first + min(piece.steps, found.window / len(Voice)) / bar)
    axes = StepAxes(
        chorale=piece, steps=range(piece.steps), low=first, high=high + 0.02 * (high - first),
        width=width, height=height, left=_AXIS,
    )  # fmt: skip
    lines = {str(one): bars_LHT4[one].mean(axis=-1) for one in all_heads(*bars_LHT4.shape[:2])}
    colour = theme.accent if head is None else theme.faint
    drawn = [(values, colour, 1.0) for values in lines.values()]
    if head is not None:
        lines = {f"{head}, {voice.noun}": bars_LHT4[head][:, voice] for voice in Voice}
        drawn += [(line, theme.voices[n], 2.0) for n, line in enumerate(lines.values())]

    def paint(painter: QPainter) -> None:
        axes.paint(painter, theme, cell and cell // len(Voice), lambda value: decimal(value, "g"))
        _paint_lines(painter, axes, drawn)
        painter.setPen(QPen(QColor(theme.text), 1.5, Qt.PenStyle.DotLine))
        end = min(piece.steps, (high - first) * bar)
        painter.drawLine(QLineF(axes.x(0), axes.y(first), axes.x(end), axes.y(first + end / bar)))

    def at(x: float, y: float) -> Hit | None:
        step = axes.step_at(x, y)
        if step is None:
            return None
        name, values = min(lines.items(), key=lambda line: abs(axes.y(line[1][step]) - y))
        learned = round((float(values[step]) - first) * bar)
        here, there = (names.position(one, piece.meter, piece.pickup) for one in (step, learned))
        return Hit(
            tr("{name}: {here} is put at {there}", name=name, here=here, there=there),
            step * len(Voice),
        )

    title = tr("Learned places, bar {least:.1f} to {most:.1f}. Dotted: where the notes are.")
    return Figure(width, height, theme.panel, title.format(least=least, most=most), paint, at)


def _paint_lines(
    painter: QPainter, axes: StepAxes, lines: Sequence[tuple[Floats, str, float]]
) -> None:
    for values, colour, wide in lines:
        points = enumerate(values.tolist())
        painter.setPen(QPen(QColor(colour), wide))
        painter.drawPolyline([QPointF(axes.x(at + 0.5), axes.y(value)) for at, value in points])


# -------------------------------------------------------------------- claims

_MIN_COLUMN: Final = 280  # least width of a column of claims
_MAX_COLUMNS: Final = 3
_BAR, _TEXT, _APART = 22, 22, 12  # heights of a bar, of a line of text and between claims
_LETTERS, _VALUES = 40.0, 84.0
_ROOM: Final = 1.04  # length of the scale, where the largest end is 1


def claims(
    measured: Callable[[], Sequence[ClaimRow]], names: tuple[str, str], exported: bool,
    width: int, _height: int, theme: Theme,
) -> Figure:  # fmt: skip
    """Return bars with intervals for each model and Bach; exported: sentences, in one column."""
    rows = measured()
    columns = 1 if exported else int(min(max(width // _MIN_COLUMN, 1), _MAX_COLUMNS))
    top, places = 0.0 if exported else 2.0 * _TEXT, list[tuple[ClaimRow, QRectF]]()
    for first in range(0, len(rows), columns):
        some = rows[first : first + columns]
        high = max(
            _TEXT * (1 + bool(exported or row.remark)) + len(row.values) * _BAR + _APART
            for row in some
        )
        wide = width / columns
        places += [
            (row, QRectF(place * wide, top, wide - MARGIN, high)) for place, row in enumerate(some)
        ]
        top += high

    def paint(painter: QPainter) -> None:
        if not exported:
            x = legend(painter, QRectF(0, 0, width - 160, _TEXT), names, theme)
            write(painter, QRectF(x, 0, 160, _TEXT), tr("┊ equal weights"), theme.text)
        for row, box in places:
            _claim(painter, row, box, theme, exported=exported, with_letters=bool(names[1]))

    def at(x: float, y: float) -> Hit | None:
        found = (row for row, box in places if box.contains(x, y))
        return next((Hit(tip=claim_rows.in_words(row, names)) for row in found), None)

    words = (f"{row.measure.title}. {claim_rows.in_words(row, names)}" for row in rows)
    title = " ".join(words).replace("\n", "; ")
    return Figure(width, round(top), theme.panel, title, paint, at)


def _claim(
    painter: QPainter, row: ClaimRow, box: QRectF, theme: Theme, *, exported: bool,
    with_letters: bool,
) -> None:  # fmt: skip
    line = QRectF(box.x(), box.y(), box.width(), _TEXT)
    write(painter, line, row.measure.title, theme.text, bold=True)
    words = row.remark or (row.measure.claim if exported else "")
    if words:
        line = line.translated(0, _TEXT)
        write(painter, line, words, theme.quiet)
    fills = {"A": theme.models[0], "B": theme.models[1], "Bach": theme.quiet}
    full = row.full * _ROOM or 1.0
    for place, (letter, one) in enumerate(row.values):
        bar = QRectF(box.x() + _LETTERS, line.bottom() + place * _BAR,
                     box.width() - _LETTERS - _VALUES, _BAR)  # fmt: skip
        if with_letters or letter != "A":
            write(painter, QRectF(box.x(), bar.y(), _LETTERS - 6, _BAR), letter, theme.quiet,
                  side=RIGHT)  # fmt: skip
        fill(painter, bar.adjusted(0, 6, 0, -6), 0, one.value / full, fills[letter])
        if one.low < one.high:
            ends = [bar.x() + end / full * bar.width() for end in (one.low, one.high)]
            _interval(painter, ends, bar.center().y(), theme)
        number = QRectF(bar.right(), bar.y(), _VALUES, _BAR)
        write(painter, number, claim_rows.figure(row.measure, one.value), theme.text, side=RIGHT)
    if row.even is not None and row.values:
        x = box.x() + _LETTERS + row.even / full * (box.width() - _LETTERS - _VALUES)
        painter.setPen(QPen(QColor(theme.text), 1.5, Qt.PenStyle.DotLine))
        painter.drawLine(QLineF(x, line.bottom(), x, line.bottom() + len(row.values) * _BAR))


def _interval(painter: QPainter, ends: Sequence[float], y: float, theme: Theme) -> None:
    for colour, width in ((theme.panel, 3), (theme.text, 1)):
        painter.setPen(QPen(QColor(colour), width))
        painter.drawLine(QLineF(ends[0], y, ends[1], y))
        for x in ends:
            painter.drawLine(QLineF(x, y - 3, x, y + 3))


# -------------------------------------------------------------------- agreement


def of_agreement(
    agreement: Agreement, models: tuple[str, str], _width: int, _height: int, theme: Theme
) -> Figure:
    parts = [
        _side(agreement, side, f"{'AB'[side]}: {model}", theme) for side, model in enumerate(models)
    ]
    return below(parts, f"{tr(' and ').join(models)}: {agreement.describe()}")


def _side(agreement: Agreement, side: int, title: str, theme: Theme) -> Figure:
    piece = agreement.pieces[side]
    differing = {(note.voice, note.start) for note in agreement.only[side]}

    def colours(voice: int, step: int) -> tuple[str, str] | None:
        return None if (voice, step) in differing else (theme.edge, theme.line_bar)

    return roll.figure(replace(piece, title=title), theme, colours, agreement.pieces)
