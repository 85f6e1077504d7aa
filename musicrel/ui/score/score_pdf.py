"""PDF export of the engraved score, as vector graphics and text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPageLayout, QPageSize, QPainter, QPdfWriter

from musicrel import paths
from musicrel.chorale import Chorale
from musicrel.jobs import Job, map_events
from musicrel.presentation.score import engraver
from musicrel.presentation.score.score_picture import BETWEEN, SPACE, Score, System
from musicrel.score.musicxml.musicxml_writer import Layout
from musicrel.ui.score.score_paint import FAMILIES, ScorePainter

SUFFIX: Final = ".pdf"
_SPACE: Final = 1.65
"""Millimetres between two staff lines, as in hymn books."""
_MARGIN: Final = 15.0
_DOTS: Final = 1_200
"""Resolution of the coordinates, dots per inch."""
_MILLIMETRE: Final = _DOTS / 25.4
_SCALE: Final = _SPACE / SPACE * _MILLIMETRE
_TITLE: Final = 17.0
_FOOT: Final = 9.0
_TITLE_ROOM: Final = 14 * _MILLIMETRE
_FOOT_ROOM: Final = 8 * _MILLIMETRE
_POINTS: Final = 72.0
"""Per inch."""


def export_pdf(piece: Chorale, path: Path, layout: Layout = "staves") -> Job[float, None]:
    """Write ``piece`` as a PDF on A4; a file is written completely or not at all.

    Yields:
        The engraved share of the piece, 0 to 1.

    Raises:
        DataError: the piece cannot be engraved; see ``engraver.engrave``.
        FileError: the file cannot be written.
    """
    store = QBuffer()
    store.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = _writer(store, piece.title)
    room = QRectF(QPointF(), writer.pageLayout().paintRectPixels(_DOTS).size().toSizeF())
    engraving = engraver.engrave(piece, width=room.width() / _SCALE, layout=layout)
    score = yield from map_events(engraving, lambda engraved: engraved.share)
    with QPainter(writer) as painter:
        _paint(painter, writer, score, piece.title, room)
    paths.write_bytes(path, bytes(store.data().data()))


def _writer(store: QBuffer, title: str) -> QPdfWriter:
    writer = QPdfWriter(store)
    writer.setResolution(_DOTS)
    writer.setTitle(title)
    writer.setCreator("musicrel")
    margins = QMarginsF(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
    page = QPageSize(QPageSize.PageSizeId.A4)
    writer.setPageLayout(
        QPageLayout(page, QPageLayout.Orientation.Portrait, margins, QPageLayout.Unit.Millimeter)
    )
    return writer


def _paint(painter: QPainter, writer: QPdfWriter, score: Score, title: str, room: QRectF) -> None:
    """Paint all pages; the title on the first, page numbers if there are several."""
    black = QColor(Qt.GlobalColor.black)
    ink = ScorePainter(score, min(_SCALE, room.width() / score.widest), snaps=False)
    pages = list(_pages(score, room.height()))
    for number, page in enumerate(pages, start=1):
        if number > 1:
            writer.newPage()
        else:
            _text(painter, title, _TITLE, room, Qt.AlignmentFlag.AlignTop)
        if len(pages) > 1:
            _text(painter, str(number), _FOOT, room, Qt.AlignmentFlag.AlignBottom)
        for system, top in page:
            ink.paint(painter, system, QPointF(0, top), black)


def _pages(score: Score, height: float) -> Iterator[list[tuple[System, float]]]:
    """Yield the systems of each page with the top of their ink, in dots."""
    page: list[tuple[System, float]] = []
    top, scale = _TITLE_ROOM, min(_SCALE, _SCALE * score.width / score.widest)
    for system in score.systems:
        if page and top + system.height * scale > height - _FOOT_ROOM:
            yield _spread(page, height - _FOOT_ROOM - top + BETWEEN * scale)
            page, top = [], 0.0
        page.append((system, top))
        top += (system.height + BETWEEN) * scale
    if page:
        yield page


def _spread(page: list[tuple[System, float]], free: float) -> list[tuple[System, float]]:
    """Return a full page with its systems spread over the ``free`` dots, within a limit."""
    more = min(free / max(len(page) - 1, 1), 3 * BETWEEN * _SCALE)
    return [(system, top + at * more) for at, (system, top) in enumerate(page)]


def _text(
    painter: QPainter, text: str, points: float, room: QRectF, where: Qt.AlignmentFlag
) -> None:
    font, shown = fitted_title(text, points, room.width())
    painter.setFont(font)
    painter.setPen(QColor(Qt.GlobalColor.black))
    painter.drawText(room, where | Qt.AlignmentFlag.AlignHCenter, shown)


def fitted_title(text: str, points: float, width: float) -> tuple[QFont, str]:
    """Return a font in which ``text`` fits the page, and the text, elided if it is too long.

    Args:
        text: one line.
        points: largest size.
        width: of the page in dots.
    """
    font = QFont(FAMILIES)
    font.setStyleHint(QFont.StyleHint.Serif)
    font.setPixelSize(round(points / _POINTS * _DOTS))
    wide = QFontMetricsF(font).horizontalAdvance(text)
    if wide > width:
        font.setPixelSize(int(max(points * width / wide, _FOOT) / _POINTS * _DOTS))
    shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, width)
    return font, shown
