"""Effects on a note: of heads as a grid, of sources as bars, most probable notes, layers.

Lengths are pixels. An exported page is the figure of the window below texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from musicrel.chorale import Voice
from musicrel.figures.figure import Figure
from musicrel.generation.heads.mutes import WHOLE, Head, Mutes
from musicrel.presentation.ablation import head_effects
from musicrel.presentation.ablation.head_effects import HINDERED, ZERO, HeadEffects, number
from musicrel.presentation.ablation.note_effects import (
    LENS_CHOICES,
    MOST,
    Choice,
    NoteEffects,
    SourceList,
    SourceRow,
)
from musicrel.presentation.attention.piece_analysis import percent
from musicrel.presentation.words.palette import Theme

WIDTH: Final = 924  # width of a figure on an exported page
_MARGIN: Final = 18
_TEXT, _SMALL = 12, 10
_RIGHT, _MIDDLE = Qt.AlignmentFlag.AlignRight, Qt.AlignmentFlag.AlignHCenter


# -------------------------------------------------------------------- heads

_NAMES, _TOP, _FOOT, _GAP, _STRIP = 34.0, 16.0, 18.0, 3.0, 4.0
_VOICE_GAP: Final = 6.0
_WIDEST_TILE: Final = 132.0
_NUMBER: Final = 38.0
_SWATCHES: Final = (-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0)
_PALEST: Final = 0.12  # share of the colour that a small effect has, so that its sign is seen


@dataclass(frozen=True, slots=True)
class EffectGrid:
    """The places of the tiles: a row for each layer, and one for the four voices."""

    effects: HeadEffects
    width: int
    height: int

    @property
    def row(self) -> float:
        voices = self.effects.by_voice is not None
        used = _TOP + _FOOT + (_VOICE_GAP if voices else 0)
        return max(self.height - used, 1) / (self.effects.layers + voices)

    def head(self, head: Head) -> QRectF:
        return self._tile(_TOP + head.layer * self.row, head.head, self.effects.heads)

    def layer(self, layer: int) -> QRectF:
        return QRectF(0, _TOP + layer * self.row, _NAMES - _GAP, self.row - _GAP)

    def voice(self, voice: int) -> QRectF:
        return self._tile(_TOP + self.effects.layers * self.row + _VOICE_GAP, voice, len(Voice))

    def at(self, x: float, y: float) -> Head | Voice | None:
        heads = ((head, self.head(head)) for head in self.effects.all_heads)
        layers = ((Head(n, WHOLE), self.layer(n)) for n in range(self.effects.layers))
        voices = ((one, self.voice(one)) for one in Voice if self.effects.by_voice is not None)
        places: tuple[tuple[Head | Voice, QRectF], ...] = (*heads, *layers, *voices)
        return next((found for found, box in places if box.contains(x, y)), None)

    def _tile(self, top: float, column: int, columns: int) -> QRectF:
        place = min((self.width - _NAMES) / columns, _WIDEST_TILE * self.effects.heads / columns)
        return QRectF(_NAMES + column * place, top, place - _GAP, self.row - _GAP)


def grid(
    effects: HeadEffects,
    width: int,
    height: int,
    theme: Theme,
    mutes: Mutes,
    *,
    chosen: Head | None = None,
) -> Figure:
    """Return the grid of the effects of heads and voices.

    A strip below each number shows where the head looks, in the colours of the voices.
    """
    places = EffectGrid(effects, width, height)

    def paint(painter: QPainter) -> None:
        for layer in range(effects.layers):
            _write(painter, places.layer(layer), f"L{layer + 1}", theme.quiet, _SMALL, side=_MIDDLE)
        for head in range(effects.heads):
            box = places.head(Head(0, head))
            above = QRectF(box.x(), 0, box.width(), _TOP - 2)
            _write(painter, above, f"H{head + 1}", theme.quiet, _SMALL, side=_MIDDLE)
        for one in effects.all_heads:
            _head(painter, effects, one, places.head(one), theme, is_muted=one in mutes)
        if effects.by_voice is not None:
            first = places.voice(0)
            beside = QRectF(0, first.y(), _NAMES - _GAP, first.height())
            _write(painter, beside, "Voice", theme.quiet, _SMALL, side=_MIDDLE)
            for voice in Voice:
                _voice(painter, effects, voice, places.voice(voice), theme)
        if chosen is not None and effects.has(chosen) and chosen.head != WHOLE:
            painter.setPen(QPen(QColor(theme.accent), 2.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(places.head(chosen))
        _scale(painter, effects.full, height - _FOOT + 2, theme)

    return _figure(width, height, theme, effects.summary(mutes), paint)


def _head(
    painter: QPainter,
    effects: HeadEffects,
    head: Head,
    box: QRectF,
    theme: Theme,
    *,
    is_muted: bool,
) -> None:
    effect = effects.of_head(head)
    known = bool(np.isfinite(effect))
    fill = colour(effect, effects.full, theme) if known and not is_muted else theme.panel
    _tile(painter, box, fill, theme)
    if is_muted:
        _cross_out(painter, box, fill, theme)
    if known:
        above = box if effects.looks is None else box.adjusted(0, 0, 0, -_STRIP)
        shade = theme.text if is_muted else ink(fill)
        _write(painter, above, number(effect), shade, _TEXT, side=_MIDDLE)
    if effects.looks is not None:
        x, width = box.x() + 1, box.width() - 2
        shares = effects.looks[head.layer, head.head].tolist()
        for share, shade in zip(shares, (*theme.voices, theme.faint), strict=True):
            strip = QRectF(x, box.bottom() - _STRIP - 1, share * width, _STRIP)
            painter.fillRect(strip, QColor(shade))
            x += share * width


def _cross_out(painter: QPainter, box: QRectF, fill: str, theme: Theme) -> None:
    """Draw crosses side by side, so that one is left on each side of the number."""
    count = max(round(box.width() / box.height()), 1)
    step = box.width() / count
    painter.setPen(QPen(QColor(theme.on_warning), 1.6))
    for place in range(count):
        if count > 1 and 2 * place == count - 1:  # the number is there
            continue
        one = QRectF(box.x() + place * step, box.y(), step, box.height()).adjusted(2, 2, -2, -2)
        painter.drawLine(QLineF(one.topLeft(), one.bottomRight()))
        painter.drawLine(QLineF(one.bottomLeft(), one.topRight()))
    width = min(_NUMBER, box.width())
    patch = QRectF(box.center().x() - width / 2, box.y() + 1, width, box.height() - 2)
    painter.fillRect(patch, QColor(fill))


def _voice(
    painter: QPainter, effects: HeadEffects, voice: Voice, box: QRectF, theme: Theme
) -> None:
    effect = 0.0 if effects.by_voice is None else float(effects.by_voice[voice])
    fill = colour(effect, effects.full, theme)
    _tile(painter, box, fill, theme)
    strip = QRectF(box.x() + 1, box.y() + 1, _STRIP, box.height() - 2)
    painter.fillRect(strip, QColor(theme.voices[voice]))
    _write(painter, box, f"{voice.letter} {number(effect)}", ink(fill), _TEXT, side=_MIDDLE)


def _scale(painter: QPainter, full: float, y: float, theme: Theme) -> None:
    low = f"{HINDERED} −{full:g}"
    x = _NAMES + QFontMetricsF(_font(painter, _SMALL)).horizontalAdvance(low) + 6
    _write(painter, QRectF(_NAMES, y, x, 14), low, theme.quiet, _SMALL)
    for share in _SWATCHES:
        _tile(painter, QRectF(x, y + 2, 11, 10), colour(share * full, full, theme), theme)
        x += 11
    high = f"+{full:g} nats {head_effects.HELPED}"
    _write(painter, QRectF(x + 6, y, 200, 14), high, theme.quiet, _SMALL)


# -------------------------------------------------------------------- most probable notes

_PITCH, _PERCENT = 84.0, 46.0
_LOWEST_ROW, _LOWEST_PAIR, _HIGHEST_ROW, _LEGEND = 20.0, 27.0, 36.0, 22.0


def choices(note: NoteEffects, width: int, height: int, theme: Theme) -> Figure:
    is_pair = note.log_p_muted is not None
    room = max(height - _LEGEND, _LOWEST_ROW)
    fitting = int(room / (_LOWEST_PAIR if is_pair else _LOWEST_ROW))
    rows = note.choices(min(max(fitting, 2), MOST))
    high = min(room / len(rows), _HIGHEST_ROW)

    def paint(painter: QPainter) -> None:
        for place, row in enumerate(rows):
            _choice(painter, row, QRectF(0, place * high, width, high), theme)
        if is_pair:
            y = len(rows) * high + 4
            heads = zip(("all heads", f"{note.mutes} muted"), theme.models, strict=True)
            for place, (text, fill) in enumerate(heads):
                x = _PITCH + 100 * place
                painter.fillRect(QRectF(x, y + 3, 9, 9), QColor(fill))
                room = 84 if not place else width - x - 13
                _write(painter, QRectF(x + 13, y, room, 15), text, theme.quiet, _SMALL)

    muted = (f", muted {percent(row.p_muted)}" if row.p_muted is not None else "" for row in rows)
    spoken = ", ".join(
        f"{row.name} {percent(row.p)}{after}" for row, after in zip(rows, muted, strict=True)
    )
    return _figure(width, height, theme, f"{note.note}. {note.surprisal}. {spoken}", paint)


def _choice(painter: QPainter, row: Choice, box: QRectF, theme: Theme) -> None:
    name = QRectF(0, box.y(), _PITCH - 8, box.height())
    _write(painter, name, row.name, theme.text, _TEXT, side=_RIGHT, bold=row.is_note)
    shares = [row.p, *(() if row.p_muted is None else (row.p_muted,))]
    each, room = (box.height() - 5) / len(shares), box.width() - _PITCH - _PERCENT
    for place, (share, fill) in enumerate(zip(shares, theme.models, strict=False)):
        bar = QRectF(_PITCH, box.y() + 2.5 + place * each, room, each - 1)
        behind = QColor(theme.edge)
        behind.setAlphaF(0.5)
        painter.fillRect(bar, behind)
        painter.fillRect(QRectF(bar.topLeft(), bar.bottomLeft() + QPointF(max(share * room, 1), 0)),
                         QColor(fill))  # fmt: skip
        right = QRectF(box.width() - _PERCENT, bar.y(), _PERCENT - 2, bar.height())
        size = _TEXT if len(shares) == 1 else _SMALL
        _write(painter, right, percent(share), theme.text, size, side=_RIGHT)


# -------------------------------------------------------------------- layers

_LAYER, _HIGHEST_LAYER = 96.0, 34.0


def layers(note: NoteEffects, width: int, height: int, theme: Theme) -> Figure:
    rows = note.layers()
    high = min((height - _TOP) / len(rows), _HIGHEST_LAYER)
    wide = (width - _LAYER) / LENS_CHOICES

    def paint(painter: QPainter) -> None:
        for place, text in enumerate(("Most probable", "Second", "Third")):
            box = QRectF(_LAYER + place * wide + 6, 0, wide - 6, _TOP - 2)
            _write(painter, box, text, theme.quiet, _SMALL)
        for row, (name, found) in enumerate(rows):
            y = _TOP + row * high
            _write(painter, QRectF(0, y, _LAYER - 4, high - _GAP), name, theme.quiet, _SMALL)
            for place, one in enumerate(found):
                box = QRectF(_LAYER + place * wide, y, wide - _GAP, high - _GAP)
                fill = _mixed(theme.field, theme.models[0], one.p)
                _tile(painter, box, fill, theme)
                inside = box.adjusted(6, 0, -46, 0)
                _write(painter, inside, one.name, ink(fill), _TEXT, bold=one.is_note)
                right = box.adjusted(0, 0, -5, 0)
                _write(painter, right, percent(one.p), ink(fill), _SMALL, side=_RIGHT)

    spoken = ". ".join(
        f"{name}: {', '.join(f'{one.name} {percent(one.p)}' for one in found)}"
        for name, found in rows
    )
    return _figure(width, height, theme, spoken, paint)


# -------------------------------------------------------------------- sources

_ROW, _HEAD = 18.0, 22.0
_SOURCE, _EFFECT = 0.42, 0.68  # left ends of the bars of weights and of effects, in widths
_VALUE: Final = 40.0


def sources(found: SourceList, width: int, theme: Theme) -> Figure:
    weight = max((row.weight for row in found.rows), default=0.0) or 1.0
    full = head_effects.full_effect(max((abs(row.effect) for row in found.rows), default=1.0))
    places = list(_places(found))
    height = round(max((box.bottom() for box, _ in places), default=0)) + 4

    def paint(painter: QPainter) -> None:
        for box, row in places:
            if isinstance(row, str):
                line = QRectF(0, box.y() + 4, width, _HEAD - 4)
                _write(painter, line, row, theme.quiet, _SMALL, bold=True)
            else:
                _source(painter, row, QRectF(0, box.y(), width, _ROW), (weight, full), theme)

    title = f"Sources of {found.note}. {found.words}"
    return _figure(width, height, theme, title, paint)


def source_at(found: SourceList, y: float) -> SourceRow | None:
    at = (row for box, row in _places(found) if box.top() <= y < box.bottom())
    row = next(at, None)
    return row if isinstance(row, SourceRow) else None


def _places(found: SourceList) -> Iterator[tuple[QRectF, SourceRow | str]]:
    """Yield headings and rows with their places from the top down."""
    top = 0.0
    for is_random, rows in groupby(found.rows, lambda row: row.is_random):
        yield QRectF(0, top, 1, _HEAD), "Random others" if is_random else "Strongest by weight"
        top += _HEAD
        for row in rows:
            yield QRectF(0, top, 1, _ROW), row
            top += _ROW


def _source(
    painter: QPainter, row: SourceRow, box: QRectF, full: tuple[float, float], theme: Theme
) -> None:
    left, middle, y = _SOURCE * box.width(), _EFFECT * box.width(), box.y()
    name = QRectF(0, y, left - 8, _ROW)
    is_long = QFontMetricsF(_font(painter, 11)).horizontalAdvance(row.name) > name.width()
    _write(painter, name, row.short if is_long else row.name, theme.text, 11)
    fill = theme.accent if row.voice is None else theme.voices[row.voice]
    length = row.weight / full[0] * (middle - left - _VALUE)
    painter.fillRect(QRectF(left, y + 4, length, _ROW - 8), QColor(fill))
    number_box = QRectF(middle - _VALUE, y, _VALUE - 8, _ROW)
    _write(painter, number_box, percent(row.weight), theme.quiet, _SMALL, side=_RIGHT)
    half = (box.width() - middle - _VALUE) / 2
    length = min(abs(row.effect) / full[1], 1.0) * half
    helped = row.effect > 0
    bar = QRectF(middle + half - (0 if helped else length), y + 4, length, _ROW - 8)
    painter.fillRect(bar, QColor(theme.models[0 if helped else 1]))
    painter.fillRect(QRectF(middle + half, y, 1, _ROW), QColor(theme.line_bar))
    right = QRectF(box.width() - _VALUE, y, _VALUE - 2, _ROW)
    _write(painter, right, number(row.effect), theme.text, _SMALL, side=_RIGHT)


# -------------------------------------------------------------------- exported pages


def page(body: Figure, heading: str, lines: Sequence[str], theme: Theme) -> Figure:
    """Return a figure of width ``WIDTH`` below a heading and lines of text."""
    header = 48 + 18 * len(lines)

    def paint(painter: QPainter) -> None:
        _write(painter, QRectF(_MARGIN, 10, WIDTH, 26), heading, theme.text, 18, bold=True)
        for place, text in enumerate(lines):
            line = QRectF(_MARGIN, 37 + 18 * place, WIDTH, 18)
            _write(painter, line, text, theme.quiet if place else theme.text, _TEXT)
        painter.translate(_MARGIN, header)
        body.paint(painter)

    height = header + body.height + _MARGIN
    return replace(body, width=WIDTH + 2 * _MARGIN, height=height, paint=paint)


# -------------------------------------------------------------------- colours and text


def colour(effect: float, full: float, theme: Theme) -> str:
    """Return the colour of an effect in nats: one for parts that helped, one for the others."""
    if abs(effect) < ZERO:
        return theme.field
    share = _PALEST + (1 - _PALEST) * min(abs(effect) / full, 1.0)
    return _mixed(theme.field, theme.models[0 if effect > 0 else 1], share)


def ink(fill: str) -> str:
    """Return the colour of text on a filled tile, the one of more contrast (WCAG 2.1)."""
    shade = QColor(fill)
    red, green, blue = map(_linear, (shade.redF(), shade.greenF(), shade.blueF()))
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return "#000000" if (luminance + 0.05) ** 2 > 1.05 * 0.05 else "#ffffff"


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4  # noqa: PLR2004


def _mixed(low: str, high: str, share: float) -> str:
    one, other = QColor(low), QColor(high)
    pairs = (
        (one.red(), other.red()), (one.green(), other.green()), (one.blue(), other.blue()),
    )  # fmt: skip
    return QColor(*(round(first + share * (last - first)) for first, last in pairs)).name()


def _figure(
    width: int, height: int, theme: Theme, title: str, paint: Callable[[QPainter], None]
) -> Figure:
    return Figure(width=width, height=height, background=theme.panel, title=title, paint=paint)


def _font(painter: QPainter, size: int, *, bold: bool = False) -> QFont:
    font = QFont(painter.font())
    font.setPixelSize(size)
    font.setBold(bold)
    return font


def _write(
    painter: QPainter,
    box: QRectF,
    text: str,
    shade: str,
    size: int,
    *,
    side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    bold: bool = False,
) -> None:
    """Write a line in the middle of the height of a box; what does not fit ends with "…"."""
    font = _font(painter, size, bold=bold)
    painter.setFont(font)
    painter.setPen(QColor(shade))
    fitting = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, box.width() + 1)
    painter.drawText(box, side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip, fitting)


def _tile(painter: QPainter, box: QRectF, fill: str, theme: Theme) -> None:
    painter.fillRect(box, QColor(fill))
    painter.setPen(QPen(QColor(theme.edge), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
