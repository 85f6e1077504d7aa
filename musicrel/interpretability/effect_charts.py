"""Charts of a note: its most probable notes, the choices of each layer, and its sources.

Lengths are pixels.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter

from musicrel.figures.figure import Figure, Hit
from musicrel.figures.paint import RIGHT, SMALL, TEXT, fill, ink, mixed, text_width, tile, write
from musicrel.interpretability import effects
from musicrel.interpretability.effects import (
    LENS_CHOICES,
    MOST,
    Choice,
    NoteEffects,
    SourceList,
    SourceRow,
)
from musicrel.interpretability.piece_analysis import percent
from musicrel.presentation.words.palette import Theme

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
            for place, (text, colour) in enumerate(heads):
                x = _PITCH + 100 * place
                painter.fillRect(QRectF(x, y + 3, 9, 9), QColor(colour))
                room = 84 if not place else width - x - 13
                write(painter, QRectF(x + 13, y, room, 15), text, theme.quiet, SMALL)

    muted = (f", muted {percent(row.p_muted)}" if row.p_muted is not None else "" for row in rows)
    spoken = ", ".join(
        f"{row.name} {percent(row.p)}{after}" for row, after in zip(rows, muted, strict=True)
    )
    return Figure(width, height, theme.panel, f"{note.note}. {note.surprisal}. {spoken}", paint)


def _choice(painter: QPainter, row: Choice, box: QRectF, theme: Theme) -> None:
    name = QRectF(0, box.y(), _PITCH - 8, box.height())
    write(painter, name, row.name, theme.text, side=RIGHT, bold=row.is_note)
    shares = [row.p, *(() if row.p_muted is None else (row.p_muted,))]
    each, room = (box.height() - 5) / len(shares), box.width() - _PITCH - _PERCENT
    for place, (share, colour) in enumerate(zip(shares, theme.models, strict=False)):
        bar = QRectF(_PITCH, box.y() + 2.5 + place * each, room, each - 1)
        fill(painter, bar, 0, 1, mixed(theme.panel, theme.edge, 0.5))
        fill(painter, bar, 0, max(share, 1 / room), colour)
        right = QRectF(box.width() - _PERCENT, bar.y(), _PERCENT - 2, bar.height())
        size = TEXT if len(shares) == 1 else SMALL
        write(painter, right, percent(share), theme.text, size, side=RIGHT)


# -------------------------------------------------------------------- layers

_LAYER, _HIGHEST_LAYER, _TOP, _GAP = 96.0, 34.0, 16.0, 3.0


def layers(note: NoteEffects, width: int, height: int, theme: Theme) -> Figure:
    rows = note.layers()
    high = min((height - _TOP) / len(rows), _HIGHEST_LAYER)
    wide = (width - _LAYER) / LENS_CHOICES

    def paint(painter: QPainter) -> None:
        for place, text in enumerate(("Most probable", "Second", "Third")):
            box = QRectF(_LAYER + place * wide + 6, 0, wide - 6, _TOP - 2)
            write(painter, box, text, theme.quiet, SMALL)
        for row, (name, found) in enumerate(rows):
            y = _TOP + row * high
            write(painter, QRectF(0, y, _LAYER - 4, high - _GAP), name, theme.quiet, SMALL)
            for place, one in enumerate(found):
                box = QRectF(_LAYER + place * wide, y, wide - _GAP, high - _GAP)
                colour = mixed(theme.field, theme.models[0], one.p)
                tile(painter, box, colour, theme)
                inside, right = box.adjusted(6, 0, -46, 0), box.adjusted(0, 0, -5, 0)
                write(painter, inside, one.name, ink(colour), bold=one.is_note)
                write(painter, right, percent(one.p), ink(colour), SMALL, side=RIGHT)

    spoken = ". ".join(
        f"{name}: {', '.join(f'{one.name} {percent(one.p)}' for one in found)}"
        for name, found in rows
    )
    return Figure(width, height, theme.panel, spoken, paint)


# -------------------------------------------------------------------- sources

_ROW, _HEAD = 18.0, 22.0
_SOURCE, _EFFECT = 0.42, 0.68  # left ends of the bars of weights and of effects, in widths
_VALUE: Final = 40.0


def sources(found: SourceList, width: int, _height: int, theme: Theme) -> Figure:
    weight = max((row.weight for row in found.rows), default=0.0) or 1.0
    full = effects.full_effect(max((abs(row.effect) for row in found.rows), default=1.0))
    places = list(_places(found))
    height = round(max((top + _ROW for top, _ in places), default=0)) + 4

    def paint(painter: QPainter) -> None:
        for top, row in places:
            if isinstance(row, str):
                line = QRectF(0, top + 4, width, _HEAD - 4)
                write(painter, line, row, theme.quiet, SMALL, bold=True)
            else:
                _source(painter, row, QRectF(0, top, width, _ROW), (weight, full), theme)

    def at(_x: float, y: float) -> Hit:
        rows = (row for top, row in places if isinstance(row, SourceRow) and top <= y < top + _ROW)
        row = next(rows, None)
        return Hit(row.describe() if row else found.words, row)

    return Figure(width, height, theme.panel, f"Sources of {found.note}. {found.words}", paint, at)


def _places(found: SourceList) -> Iterator[tuple[float, SourceRow | str]]:
    """Yield headings and rows with their upper edges."""
    top = 0.0
    for is_random, rows in groupby(found.rows, lambda row: row.is_random):
        yield top, "Random others" if is_random else "Strongest by weight"
        top += _HEAD
        for row in rows:
            yield top, row
            top += _ROW


def _source(
    painter: QPainter, row: SourceRow, box: QRectF, full: tuple[float, float], theme: Theme
) -> None:
    left, middle, y = _SOURCE * box.width(), _EFFECT * box.width(), box.y()
    name = QRectF(0, y, left - 8, _ROW)
    is_long = text_width(painter, row.name, 11) > name.width()
    write(painter, name, row.short if is_long else row.name, theme.text, 11)
    weight = QRectF(left, y + 4, middle - left - _VALUE, _ROW - 8)
    colour = theme.accent if row.voice is None else theme.voices[row.voice]
    fill(painter, weight, 0, row.weight / full[0], colour)
    number = QRectF(middle - _VALUE, y, _VALUE - 8, _ROW)
    write(painter, number, percent(row.weight), theme.quiet, SMALL, side=RIGHT)
    effect = QRectF(middle, y + 4, box.width() - middle - _VALUE, _ROW - 8)
    share = max(min(row.effect / full[1], 1.0), -1.0) / 2
    fill(painter, effect, 0.5, 0.5 + share, theme.models[0 if row.effect > 0 else 1])
    painter.fillRect(QRectF(effect.center().x(), y, 1, _ROW), QColor(theme.line_bar))
    right = QRectF(box.width() - _VALUE, y, _VALUE - 2, _ROW)
    write(painter, right, effects.number(row.effect), theme.text, SMALL, side=RIGHT)
