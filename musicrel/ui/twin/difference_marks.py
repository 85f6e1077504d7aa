"""Marks on the roll of one of two models: its letter, the notes that only it has, the first one.

Notes that both have are faint; each that only this piece has keeps its colour and has a tick below.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QLineF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen

from musicrel.generation.twin.lockstep import SIDES, Side
from musicrel.presentation.roll.roll import RollNote
from musicrel.presentation.twin.agreement import Agreement
from musicrel.ui.roll.roll_overlay import LanesOverlay
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.widgets.paint import fill_rounded, sized_font, translucent
from musicrel.ui.widgets.stylesheet import current_theme

_VEIL: Final = 0.66
"""Opacity of the paper's colour over a note that both pieces have."""
_LINE: Final = 2.0
_TICK: Final = 6.0
"""Greatest width of the line below the beginning of a note."""
_CHIP: Final = 18.0
_MARGIN: Final = 4.0
_LETTERS: Final = 12
_NAME_SHARE: Final = 0.3
"""Greatest share of the roll that the name of a model covers."""


class DifferenceMarks(LanesOverlay):
    """The marks on the roll of one side.

    Attributes:
        model: name of the model, shown beside the letter; "": neither.
    """

    def __init__(self, roll: RollView, side: Side) -> None:
        super().__init__(roll)
        self._side = SIDES.index(side)
        self.agreement: Agreement | None = None
        self.model = ""
        self.sounding = False

    @property
    def shown_name(self) -> str:
        """Return the name of the model, elided where it would cover too many notes."""
        middle, room = Qt.TextElideMode.ElideMiddle, self.width() * _NAME_SHARE
        return QFontMetricsF(self._font()).elidedText(self.model, middle, room)

    def show_marks(self, agreement: Agreement | None, model: str, *, sounding: bool) -> None:
        """Show other marks; see the attributes."""
        self.agreement, self.model, self.sounding = agreement, model, sounding
        self.rearrange()

    def has_content(self) -> bool:
        """Return whether there is anything to draw."""
        return bool(self.model)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            if self.agreement is not None:
                self._paint_notes(painter, self.agreement, event.rect())
                self._paint_first(painter, self.agreement)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_label(painter)

    def _paint_notes(self, painter: QPainter, agreement: Agreement, region: QRect) -> None:
        theme, only = current_theme(), agreement.only[self._side]
        veil = translucent(theme.lane, _VEIL)
        for note, box in self._boxes(region):
            if note in only:
                width, height = min(box.width(), _TICK), min(box.height() / 3, _LINE)
                tick = QRectF(box.left(), box.bottom() + 1, width, height)
                painter.fillRect(tick, QColor(theme.text))
            elif note.stop <= agreement.pieces[0].steps:
                painter.fillRect(box, veil)

    def _boxes(self, region: QRect) -> Iterator[tuple[RollNote, QRectF]]:
        """Yield the notes in a region with their rectangles; a moving playhead repaints a strip."""
        picture, view = self.roll.picture, self.roll.seen
        first, last = view.step_at(region.left() - 1), view.step_at(region.right() + 2)
        for note in picture.notes if picture is not None else ():
            if note.stop > first and note.start < last:
                left, right = round(view.x(note.start)) + 1, round(view.x(note.stop))
                top, bottom = round(view.y(note.pitch)), round(view.y(note.pitch - 1))
                yield note, QRectF(left, top, max(right - left, 1), max(bottom - top, 1))

    def _paint_first(self, painter: QPainter, agreement: Agreement) -> None:
        if agreement.first is not None:
            x = round(self.roll.seen.x(agreement.first)) + 0.5
            colour = QColor(current_theme().models[self._side])
            painter.setPen(QPen(colour, 1.5, Qt.PenStyle.DashLine))
            painter.drawLine(QLineF(x, 0, x, self.height()))

    def _font(self) -> QFont:
        return sized_font(self.font(), _LETTERS, QFont.Weight.Bold)

    def _paint_label(self, painter: QPainter) -> None:
        """Draw the letter on the model's colour, and its name."""
        theme, letter = current_theme(), SIDES[self._side]
        colour = theme.models[self._side]
        font = self._font()
        name = self.shown_name
        width = QFontMetricsF(font).horizontalAdvance(name) + _CHIP + 3 * _MARGIN
        top = self.height() - _CHIP - _MARGIN  # the sopranos are above, and basses rarely so low
        ground = QRectF(_MARGIN, top, width, _CHIP)
        fill_rounded(painter, ground, _MARGIN, colour if self.sounding else theme.field)
        chip = QRectF(_MARGIN, top, _CHIP, _CHIP)
        fill_rounded(painter, chip, _MARGIN, colour)
        painter.setFont(font)
        painter.setPen(QColor(theme.lane))
        painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, letter)
        painter.setPen(QColor(theme.lane if self.sounding else theme.text))
        beside = ground.adjusted(_CHIP + _MARGIN, 0, 0, 0)
        painter.drawText(beside, Qt.AlignmentFlag.AlignVCenter, name)
