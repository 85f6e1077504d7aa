"""Thumbnails of takes, painted when they are first shown; only the latest ones are kept."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPixmap

from musicrel.chorale import Chorale
from musicrel.presentation.takes import thumbnail
from musicrel.project.take_table import TakeRow
from musicrel.ui.widgets.stylesheet import current_theme

MAX_KEPT: Final = 64
"""Thumbnails that are kept, 40 kilobytes each: those on the screen, and some to scroll back to."""


class Picture(NamedTuple):
    """A thumbnail, and what differs from the piece before, as '12 notes changed', or ""."""

    pixmap: QPixmap
    changes: str


class _Kept(NamedTuple):
    """A picture, and the pieces and the look that it was painted for."""

    picture: Picture
    piece: Chorale
    before: Chorale | None
    look: tuple[object, ...]


class Thumbnails:
    def __init__(self) -> None:
        self._kept: OrderedDict[int, _Kept] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def picture(self, row: TakeRow, size: QSize, ratio: float) -> Picture:
        """Return the thumbnail of a take.

        Args:
            size: in pixels of the screen's coordinates.
            ratio: device pixels per pixel.
        """
        look = (size.width(), size.height(), ratio, current_theme().name)
        kept = self._kept.pop(row.number, None)
        if kept is None or (kept.piece, kept.before, kept.look) != (row.piece, row.before, look):
            kept = _Kept(_painted(row, size, ratio), row.piece, row.before, look)
        self._kept[row.number] = kept
        if len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)
        return kept.picture


def _painted(row: TakeRow, size: QSize, ratio: float) -> Picture:
    theme = current_theme()
    drawn = thumbnail.draw(row.piece, row.before, size.width(), size.height())
    pixmap = QPixmap(size * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        muted, voices = QColor(theme.line_bar), [QColor(colour) for colour in theme.voices]
        for box in drawn.boxes:
            place = QRectF(box.left, box.top, box.width, box.height)
            painter.fillRect(place, muted if box.muted else voices[box.voice])
    return Picture(pixmap, drawn.changes.describe() if drawn.changes is not None else "")
