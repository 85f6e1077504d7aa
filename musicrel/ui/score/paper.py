"""Sheets of paper, of a PDF file or a printer, on which scores and drawings are painted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Self

from PySide6.QtCore import QLocale, QMarginsF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPagedPaintDevice,
    QPageLayout,
    QPageSize,
    QPainter,
)

from musicrel.errors import FileError
from musicrel.presentation.score.pages import MARGIN, Page, PageText, Where, scale
from musicrel.presentation.score.score_picture import Score
from musicrel.ui.score.score_paint import FAMILIES, ScorePainter

REFUSED: Final = "the printer accepts nothing: check that it is switched on, or save a PDF instead"
_INCH: Final = 25.4
"""In millimetres."""
_POINTS: Final = 72.0
"""Per inch."""
_LEAST: Final = 9.0
"""Least size of type in points."""
_LINE: Final = 1.4
"""Height of a line in sizes of its type."""
_SIDES: Final[Mapping[Where, Qt.AlignmentFlag]] = {
    "left": Qt.AlignmentFlag.AlignLeft,
    "centre": Qt.AlignmentFlag.AlignHCenter,
    "right": Qt.AlignmentFlag.AlignRight,
}


class Paper:
    """The pages of a device, painted one after the other; a context that ends the last one.

    Attributes:
        width: of the room between the margins in millimetres.
    """

    def __init__(
        self, device: QPagedPaintDevice, abort: Callable[[], object] | None = None
    ) -> None:
        self._device, self._dots = device, device.logicalDpiX() / _INCH
        self._abort = abort
        room = device.pageLayout().paintRect(QPageLayout.Unit.Millimeter)
        self.width, self.height = room.width(), room.height()
        self._painter = QPainter()

    def __enter__(self) -> Self:
        """Return the paper; nothing is begun yet."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """End the last page, or abort after an error and where the job was cancelled."""
        if not self._painter.isActive():
            return
        if kind is not None and self._abort is not None:
            self._abort()
        self._painter.end()

    def begin_page(self) -> None:
        active = self._painter.isActive()
        if not (self._device.newPage() if active else self._painter.begin(self._device)):
            raise FileError(REFUSED)

    def paint_page(self, score: Score, page: Page) -> None:
        ink = ScorePainter(score, scale(score) * self._dots, snaps=False)
        for system, top in page.systems:
            ink.paint(
                self._painter, system, QPointF(0, top * self._dots), QColor(Qt.GlobalColor.black)
            )
        for text in page.texts:
            self._text(text)

    def painter_for(self, width: float, height: float) -> tuple[QPainter, QRectF]:
        """Return the painter, and the rectangle in its units from the upper left corner."""
        return self._painter, QRectF(0, 0, width * self._dots, height * self._dots)

    def _text(self, text: PageText) -> None:
        font, shown = fitted(text.text, text.points, self.width * self._dots, self._dots * _INCH)
        high = _LINE * text.points / _POINTS * _INCH
        top = self.height - high if text.top is None else text.top
        box = QRectF(0, top * self._dots, self.width * self._dots, high * self._dots)
        self._painter.setFont(font)
        self._painter.setPen(QColor(Qt.GlobalColor.black))
        self._painter.drawText(box, _SIDES[text.where] | Qt.AlignmentFlag.AlignVCenter, shown)


def layout(*, letter: bool | None = None) -> QPageLayout:
    """Return the layout of a sheet.

    Args:
        letter: US Letter instead of A4; None: the paper of the user's country.
    """
    if letter is None:
        letter = QLocale().measurementSystem() == QLocale.MeasurementSystem.ImperialUSSystem
    size = QPageSize.PageSizeId.Letter if letter else QPageSize.PageSizeId.A4
    return QPageLayout(
        QPageSize(size),
        QPageLayout.Orientation.Portrait,
        QMarginsF(MARGIN, MARGIN, MARGIN, MARGIN),
        QPageLayout.Unit.Millimeter,
    )


def fitted(text: str, points: float, width: float, resolution: float) -> tuple[QFont, str]:
    """Return a font in which ``text`` fits the page, and the text, elided if it is too long."""
    font = QFont(FAMILIES)
    font.setStyleHint(QFont.StyleHint.Serif)
    font.setPixelSize(round(points / _POINTS * resolution))
    wide = QFontMetricsF(font).horizontalAdvance(text)
    if wide > width:
        font.setPixelSize(int(max(points * width / wide, _LEAST) / _POINTS * resolution))
    shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, width)
    return font, shown
