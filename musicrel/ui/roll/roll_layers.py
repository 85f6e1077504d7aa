"""The layers of the piano roll, cached as pixmaps: the paper, and the notes on it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPixmap

from musicrel.presentation.attention.surprisal import NoteColours
from musicrel.presentation.roll.roll import Roll
from musicrel.presentation.roll.viewport import Viewport
from musicrel.presentation.words.palette import Theme
from musicrel.ui.roll.roll_decor import Decor, decorate
from musicrel.ui.roll.roll_paint import KEYBOARD_WIDTH, RULER_HEIGHT, RollPainter


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewState:
    """Everything the layers depend on besides the notes."""

    view: Viewport  # the visible part of the roll
    theme: Theme
    font: QFont
    scale: float  # device pixels per logical pixel


class RollLayers:
    """A cache of the two layers; each is drawn on demand."""

    def __init__(self) -> None:
        self.heat: NoteColours | None = None
        """Colours of the notes from the next drawing on; None: by voice."""
        self.decor = Decor()
        """Locks and marks drawn on the notes from the next drawing on."""
        self._shown: ViewState | None = None
        self._paper = QPixmap()
        self._notes = QPixmap()

    def forget(self) -> None:
        """Drop both layers."""
        self._shown = None

    def pixmaps(self, roll: Roll, shown: ViewState) -> tuple[QPixmap, QPixmap]:
        """Return the paper and the notes; the notes start at the corner of the lanes."""
        if shown != self._shown:
            self._shown = shown
            view = shown.view
            whole = QSize(view.width + KEYBOARD_WIDTH, view.height + RULER_HEIGHT)
            self._paper = _blank(whole, shown.scale)
            with QPainter(self._paper) as painter:
                painter.setFont(shown.font)
                RollPainter(painter, roll, view, shown.theme).backdrop()
            self._notes = _blank(QSize(view.width, view.height), shown.scale)
            self.redraw_notes(roll, 0)
        return self._paper, self._notes

    def redraw_notes(self, roll: Roll, first: int) -> None:
        """Redraw the notes from the step ``first`` on; does nothing without layers."""
        if self._shown is None:
            return
        view = self._shown.view
        left = round(view.x(first))
        columns = QRectF(left, 0, view.width - left, view.height)
        with QPainter(self._notes) as painter:
            painter.setFont(self._shown.font)
            painter.setClipRect(columns)
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
            painter.fillRect(columns, Qt.GlobalColor.transparent)
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
            strokes = RollPainter(painter, roll, view, self._shown.theme, self.heat)
            strokes.notes(first)
            decorate(painter, strokes.box, self.decor, range(first, roll.steps), self._shown)


def _blank(size: QSize, scale: float) -> QPixmap:
    """Return a transparent pixmap of ``size`` logical pixels."""
    pixmap = QPixmap((size.toSizeF() * scale).toSize())
    pixmap.setDevicePixelRatio(scale)
    pixmap.fill(Qt.GlobalColor.transparent)
    return pixmap
