"""Grids of the heads of a model, a row for each layer: their maps as thumbnails, or their effects.

Lengths are pixels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from musicrel.chorale import Voice
from musicrel.figures.figure import Figure, Hit
from musicrel.figures.paint import MIDDLE, SMALL, ink, mixed, text_width, tile, write
from musicrel.generation.heads.mutes import WHOLE, Head, Mutes, all_heads
from musicrel.interpretability.effects import HELPED, HINDERED, ZERO, HeadEffects, number
from musicrel.interpretability.maps import colour_map
from musicrel.interpretability.piece_analysis import (
    MAX_LEVEL,
    Levels,
    PieceAnalysis,
    full_weights,
    head_name,
)
from musicrel.presentation.words.palette import Theme

_NAMES, _TOP, _FOOT, _GAP, _STRIP = 38.0, 16.0, 18.0, 3.0, 4.0
_VOICE_GAP: Final = 6.0
_WIDEST_TILE: Final = 132.0
_NUMBER: Final = 38.0
_SWATCHES: Final = (-1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0)
_PALEST: Final = 0.12  # share of the colour that a small effect has, so that its sign is seen
_FRAME, _CROSS = 2.5, 1.6


@dataclass(frozen=True, slots=True)
class HeadGrid:
    layers: int
    heads: int
    width: int
    height: int
    has_mean: bool = False  # a row above the first layer, with the mean of all heads
    has_voices: bool = False  # a row below the last layer
    foot: float = 0.0  # height below the rows

    @property
    def row(self) -> float:
        used = _TOP + self.foot + (_VOICE_GAP if self.has_voices else 0)
        return max(self.height - used, 1) / (self.layers + self.has_voices + self.has_mean)

    def head(self, head: Head | None) -> QRectF:
        """Return the tile of a head; None: of the mean."""
        row, column = (0, 0) if head is None else (head.layer + self.has_mean, head.head)
        return self._tile(_TOP + row * self.row, column, self.heads)

    def layer(self, layer: int) -> QRectF:
        top = _TOP + (layer + self.has_mean) * self.row
        return QRectF(0, top, _NAMES - _GAP, self.row - _GAP)

    def voice(self, voice: int) -> QRectF:
        return self._tile(_TOP + self.layers * self.row + _VOICE_GAP, voice, len(Voice))

    def at(self, x: float, y: float) -> Head | Voice | None:
        places: list[tuple[Head | Voice, QRectF]] = [
            *((head, self.head(head)) for head in all_heads(self.layers, self.heads)),
            *((Head(n, WHOLE), self.layer(n)) for n in range(self.layers)),
            *((voice, self.voice(voice)) for voice in Voice if self.has_voices),
        ]
        return next((found for found, box in places if box.contains(x, y)), None)

    def _tile(self, top: float, column: int, columns: int) -> QRectF:
        place = min((self.width - _NAMES) / columns, _WIDEST_TILE * self.heads / columns)
        return QRectF(_NAMES + column * place, top, place - _GAP, self.row - _GAP)

    def write_names(self, painter: QPainter, theme: Theme) -> None:
        rows = [(self.layer(layer), f"L{layer + 1}") for layer in range(self.layers)]
        if self.has_mean:
            rows.append((self.layer(-1), "Mean"))
        if self.has_voices:
            rows.append((QRectF(0, self.voice(0).y(), _NAMES - _GAP, self.row - _GAP), "Voice"))
        for head in range(self.heads):
            box = self.head(Head(0, head))
            rows.append((QRectF(box.x(), 0, box.width(), _TOP - 2), f"H{head + 1}"))
        for box, text in rows:
            write(painter, box, text, theme.quiet, SMALL, side=MIDDLE)

    def frame(self, painter: QPainter, head: Head | None, theme: Theme) -> None:
        painter.setPen(QPen(QColor(theme.accent), _FRAME))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(self.head(head))


# -------------------------------------------------------------------- thumbnails


def thumbnails(
    analysis: PieceAnalysis, mutes: Mutes, chosen: Head | None, width: int, height: int,
    theme: Theme,
) -> Figure:  # fmt: skip
    grid = HeadGrid(analysis.layers, analysis.heads, width, height, has_mean=True)
    maps = stretched(analysis.thumbnails)

    def paint(painter: QPainter) -> None:
        grid.write_names(painter, theme)
        for levels, head in zip(maps, (None, *all_heads(grid.layers, grid.heads)), strict=True):
            box = grid.head(head)
            painter.drawImage(box, image(levels, theme))
            painter.setPen(QPen(QColor(theme.edge), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box)
            if head is not None and head in mutes:
                _cross(painter, box, theme)
        grid.frame(painter, chosen, theme)

    def at(x: float, y: float) -> Hit | None:
        if grid.head(None).contains(x, y):
            return Hit(value=None)
        head = grid.at(x, y)
        return Hit(value=head) if isinstance(head, Head) and head.head != WHOLE else None

    name = head_name(chosen)
    words = f"{name}, muted" if chosen is not None and chosen in mutes else name
    return Figure(width, height, theme.panel, words, paint, at)


def stretched(thumbnails: Levels) -> Levels:
    """Return thumbnails whose strongest weights have the last colour."""
    stretch = 1 / np.sqrt(full_weights(thumbnails))
    levels: Levels = np.minimum(thumbnails * stretch[:, None, None], MAX_LEVEL).astype(np.uint8)
    return levels


def image(levels: Levels, theme: Theme) -> QImage:
    colours = colour_map(theme).getLookupTable(nPts=MAX_LEVEL + 1, alpha=False)
    dots = np.ascontiguousarray(colours[levels])
    rows, columns, channels = dots.shape
    size = columns, rows, channels * columns
    return QImage(dots.data, *size, QImage.Format.Format_RGB888).copy()


# -------------------------------------------------------------------- effects


def effects(
    effects: HeadEffects, mutes: Mutes, chosen: Head | None, width: int, height: int, theme: Theme
) -> Figure:
    """Return the effects of heads and voices; strips show where a head looks, by voice."""
    grid = effect_grid(effects, width, height)
    is_framed = chosen in all_heads(*effects.shape)

    def paint(painter: QPainter) -> None:
        grid.write_names(painter, theme)
        for one in all_heads(*effects.shape):
            _head(painter, effects, one, grid.head(one), theme, is_muted=one in mutes)
        for voice in Voice if effects.by_voice is not None else ():
            _voice(painter, effects, voice, grid.voice(voice), theme)
        if is_framed:
            grid.frame(painter, chosen, theme)
        _scale(painter, effects.full, height - _FOOT + 2, theme)

    def words(place: Head | Voice) -> str:
        if isinstance(place, Voice):
            return effects.describe_voice(place)
        text = str(place) if place.head == WHOLE else effects.describe(place)
        return f"{text}; muted" if place.head != WHOLE and place in mutes else text

    def at(x: float, y: float) -> Hit | None:
        place = grid.at(x, y)
        return None if place is None else Hit(words(place), place, words(place))

    summary = effects.summary(mutes)
    spoken = f"{words(chosen)}. {summary}" if chosen is not None and is_framed else summary
    return Figure(width, height, theme.panel, spoken, paint, at)


def effect_grid(effects: HeadEffects, width: int, height: int) -> HeadGrid:
    has_voices = effects.by_voice is not None
    return HeadGrid(*effects.shape, width, height, has_voices=has_voices, foot=_FOOT)


def colour(effect: float, full: float, theme: Theme) -> str:
    """Return the colour of an effect in nats: one for parts that helped, one for the others."""
    if abs(effect) < ZERO:
        return theme.field
    share = _PALEST + (1 - _PALEST) * min(abs(effect) / full, 1.0)
    return mixed(theme.field, theme.models[0 if effect > 0 else 1], share)


def _head(
    painter: QPainter, effects: HeadEffects, head: Head, box: QRectF, theme: Theme, *,
    is_muted: bool,
) -> None:  # fmt: skip
    effect = float(effects.by_head[head])
    known = bool(np.isfinite(effect))
    fill = colour(effect, effects.full, theme) if known and not is_muted else theme.panel
    tile(painter, box, fill, theme)
    if is_muted:
        _cross_out(painter, box, fill, theme)
    if known:
        above = box if effects.looks is None else box.adjusted(0, 0, 0, -_STRIP)
        write(painter, above, number(effect), theme.text if is_muted else ink(fill), side=MIDDLE)
    if effects.looks is not None:
        x, width = box.x() + 1, box.width() - 2
        shares = effects.looks[head].tolist()
        for share, shade in zip(shares, (*theme.voices, theme.faint), strict=True):
            strip = QRectF(x, box.bottom() - _STRIP - 1, share * width, _STRIP)
            painter.fillRect(strip, QColor(shade))
            x += share * width


def _cross_out(painter: QPainter, box: QRectF, fill: str, theme: Theme) -> None:
    """Draw crosses side by side, so that one is left on each side of the number."""
    count = max(round(box.width() / box.height()), 1)
    step = box.width() / count
    for place in range(count):
        if count == 1 or 2 * place != count - 1:  # the number is there
            one = QRectF(box.x() + place * step, box.y(), step, box.height())
            _cross(painter, one.adjusted(2, 2, -2, -2), theme)
    width = min(_NUMBER, box.width())
    patch = QRectF(box.center().x() - width / 2, box.y() + 1, width, box.height() - 2)
    painter.fillRect(patch, QColor(fill))


def _cross(painter: QPainter, box: QRectF, theme: Theme) -> None:
    painter.setPen(QPen(QColor(theme.on_warning), _CROSS))
    painter.drawLine(QLineF(box.topLeft(), box.bottomRight()))
    painter.drawLine(QLineF(box.bottomLeft(), box.topRight()))


def _voice(
    painter: QPainter, effects: HeadEffects, voice: Voice, box: QRectF, theme: Theme
) -> None:
    effect = 0.0 if effects.by_voice is None else float(effects.by_voice[voice])
    fill = colour(effect, effects.full, theme)
    tile(painter, box, fill, theme)
    strip = QRectF(box.x() + 1, box.y() + 1, _STRIP, box.height() - 2)
    painter.fillRect(strip, QColor(theme.voices[voice]))
    write(painter, box, f"{voice.letter} {number(effect)}", ink(fill), side=MIDDLE)


def _scale(painter: QPainter, full: float, y: float, theme: Theme) -> None:
    low = f"{HINDERED} −{full:g}"
    x = _NAMES + text_width(painter, low, SMALL) + 6
    write(painter, QRectF(_NAMES, y, x, 14), low, theme.quiet, SMALL)
    for share in _SWATCHES:
        tile(painter, QRectF(x, y + 2, 11, 10), colour(share * full, full, theme), theme)
        x += 11
    high = f"+{full:g} nats {HELPED}"
    write(painter, QRectF(x + 6, y, 200, 14), high, theme.quiet, SMALL)
