"""Reports as PDF: text, tables and pictures on the pages of the user's paper."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, QSizeF, Qt, QUrl
from PySide6.QtGui import (
    QColor,
    QFont,
    QImage,
    QPagedPaintDevice,
    QPainter,
    QTextBlock,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtSvg import QSvgRenderer

from musicrel import paths
from musicrel.presentation.drawing import svg
from musicrel.presentation.drawing.drawing import Drawing
from musicrel.presentation.report import html
from musicrel.presentation.report.blocks import Report
from musicrel.ui.score import paper, score_pdf

SUFFIX: Final = score_pdf.SUFFIX
_DOTS: Final = 96
"""Dots an inch in which margins are given."""
_OBJECT: Final = "\N{OBJECT REPLACEMENT CHARACTER}"
"""Stands for a picture in a text."""
_SHARP: Final = 4
"""Pixels of a picture for each pixel of its drawing."""
_WIDTH: Final = 620
"""Width of a picture on the page, in pixels at 96 dots an inch."""
_PICTURE: Final = '<p><img src="{name}" width="{width}"></p>'
_NAME: Final = "picture-{}"
_POINTS: Final = 9.0
_MARGIN: Final = 75
"""Margin of a page in pixels at 96 dots an inch: 2 cm."""
_STYLE: Final = """\
h1 { font-size: 18pt; } h2 { font-size: 13pt; } h3 { font-size: 10pt; }
p.lead { font-weight: bold; } p.warning { color: #6b3410; background-color: #fdeee2; }
p.note, p.caption { color: #565e6c; font-size: 8pt; }
th { text-align: left; } td, th { padding-right: 9px; padding-bottom: 2px; font-size: 7.5pt; }
"""


def write(report: Report, path: Path) -> None:
    """Write ``report`` as a PDF; the file is written completely or not at all."""
    store = QBuffer()
    store.open(QIODevice.OpenModeFlag.WriteOnly)
    sheet = paper.layout()
    sheet.setMargins(QMarginsF())  # the document has its own
    sheets = score_pdf.writer(store, report.title, sheet)
    _print(pages(report, sheets), sheets)
    paths.write_bytes(path, bytes(store.data().data()))


def pages(report: Report, sheets: QPagedPaintDevice) -> QTextDocument:
    """Return ``report``, laid out on pages of the size of ``sheets``.

    A page begins at each heading or picture that would stand at the end of one, away from its text.
    """
    document = _document(report)
    _lay_out(document, sheets)
    begin = QTextBlockFormat()
    begin.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
    for _ in range(document.blockCount()):
        lonely = _lonely(document)
        if lonely is None:
            break
        QTextCursor(lonely).mergeBlockFormat(begin)
    return document


def page_of(block: QTextBlock) -> int:
    """Return the page on which the first line of a block is, from 0."""
    lines = block.layout()
    first = lines.lineAt(0).y() if lines.lineCount() else 0.0
    return int((lines.position().y() + first) // block.document().pageSize().height())


def _document(report: Report) -> QTextDocument:
    document = QTextDocument()
    font = QFont(document.defaultFont())
    font.setPointSizeF(_POINTS)
    document.setDefaultFont(font)
    document.setDefaultStyleSheet(_STYLE)
    pictures: list[Drawing] = []

    def picture(drawing: Drawing) -> str:
        pictures.append(drawing)
        return _PICTURE.format(name=_NAME.format(len(pictures) - 1), width=_WIDTH)

    text = html.body_html(report, picture, links=False)
    for number, drawing in enumerate(pictures):
        kind = QTextDocument.ResourceType.ImageResource.value
        document.addResource(kind, QUrl(_NAME.format(number)), _image(drawing))
    document.setHtml(text)
    return document


def _lonely(document: QTextDocument) -> QTextBlock | None:
    """Return the first block whose text begins on a later page, or None.

    It is a heading or a picture, the first one if several follow each other.
    """
    document.pageCount()  # lays it out to the end
    first, block = None, document.begin()
    while block.isValid():
        if not _belongs_to_next(block):
            if first is not None and page_of(first) < page_of(block):
                return first
            first = None
        elif first is None:
            first = block
        block = block.next()
    return None


def _belongs_to_next(block: QTextBlock) -> bool:
    return bool(block.blockFormat().headingLevel()) or _OBJECT in block.text()


def _lay_out(document: QTextDocument, sheets: QPagedPaintDevice) -> None:
    """Put the document on pages of the size of the sheets, with margins."""
    document.documentLayout().setPaintDevice(sheets)
    frame = document.rootFrame().frameFormat()
    frame.setMargin(_MARGIN)
    document.rootFrame().setFrameFormat(frame)
    document.setPageSize(QSizeF(sheets.width(), sheets.height()))


def _print(document: QTextDocument, sheets: QPagedPaintDevice) -> None:
    """Paint the pages of a document that is laid out, with their numbers."""
    size = document.pageSize()
    painter = QPainter(sheets)
    painter.setFont(document.defaultFont())
    for page in range(document.pageCount()):
        if page:
            sheets.newPage()
        painter.save()
        painter.translate(0, -page * size.height())
        document.drawContents(painter, QRectF(0, page * size.height(), size.width(), size.height()))
        painter.restore()
        margin = document.rootFrame().frameFormat().margin() * sheets.logicalDpiX() / _DOTS
        foot = QRectF(margin, size.height() - margin, size.width() - 2 * margin, margin / 2)
        painter.drawText(foot, Qt.AlignmentFlag.AlignRight, str(page + 1))
    painter.end()


def _image(drawing: Drawing) -> QImage:
    renderer = QSvgRenderer(QByteArray(svg.to_svg(drawing).encode("utf-8")))
    image = QImage(drawing.width * _SHARP, drawing.height * _SHARP, QImage.Format.Format_RGB32)
    image.fill(QColor(drawing.background))
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    return image
