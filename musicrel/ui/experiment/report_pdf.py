"""Reports as files of the user: as HTML, or as PDF on the pages of the user's paper."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF, QSizeF, Qt, QUrl
from PySide6.QtGui import (
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

from musicrel import paths
from musicrel.experiment.study.blocks import Figure, Report
from musicrel.figures import figure as figures
from musicrel.figures import report as report_files
from musicrel.figures.sheets import SUFFIX, page_layout, pdf_writer

_PICTURE: Final = '<p><img src="{name}" width="620"></p>'

_OBJECT: Final = "\N{OBJECT REPLACEMENT CHARACTER}"
"""Stands for a picture in a text."""


def save(report: Report, path: Path) -> None:
    if path.suffix.lower() == SUFFIX:
        write(report, path)
    else:
        paths.write_text(path, report_files.to_html(report, report_files.svg))


def write(report: Report, path: Path) -> None:
    store = QBuffer()
    store.open(QIODevice.OpenModeFlag.WriteOnly)
    sheet = page_layout()
    sheet.setMargins(QMarginsF())  # the document has its own
    sheets = pdf_writer(store, report.title, sheet)
    _print(pages(report, sheets), sheets)
    paths.write_bytes(path, bytes(store.data().data()))


def pages(report: Report, sheets: QPagedPaintDevice) -> QTextDocument:
    """Return ``report``, laid out on pages of the size of ``sheets``.

    A page begins at each heading or picture that would stand at the end of one, away from its text.
    """
    document = QTextDocument()
    font = QFont(document.defaultFont())
    font.setPointSizeF(9.0)
    document.setDefaultFont(font)

    def picture(figure: Figure) -> str:
        image = QImage.fromData(figures.to_png(report_files.drawn(figure)))
        name = f"picture-{id(figure)}"
        document.addResource(QTextDocument.ResourceType.ImageResource.value, QUrl(name), image)
        return _PICTURE.format(name=name)  # pixels at 96 dots an inch

    document.setHtml(report_files.to_html(report, picture, paper=True))
    document.documentLayout().setPaintDevice(sheets)
    frame = document.rootFrame().frameFormat()
    frame.setMargin(75)  # pixels at 96 dots an inch: 2 cm
    document.rootFrame().setFrameFormat(frame)
    document.setPageSize(QSizeF(sheets.width(), sheets.height()))
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


def _lonely(document: QTextDocument) -> QTextBlock | None:
    """Return the first block whose text begins on a later page, or None.

    It is a heading or a picture, the first one if several follow each other.
    """
    document.pageCount()  # lays it out to the end
    first, block = None, document.begin()
    while block.isValid():
        if not (block.blockFormat().headingLevel() or _OBJECT in block.text()):
            if first is not None and page_of(first) < page_of(block):
                return first
            first = None
        elif first is None:
            first = block
        block = block.next()
    return None


def _print(document: QTextDocument, sheets: QPagedPaintDevice) -> None:
    size = document.pageSize()
    margin = document.rootFrame().frameFormat().margin() * sheets.logicalDpiX() / 96
    foot = QRectF(margin, size.height() - margin, size.width() - 2 * margin, margin / 2)
    painter = QPainter(sheets)
    painter.setFont(document.defaultFont())
    for page in range(document.pageCount()):
        if page:
            sheets.newPage()
        painter.save()
        painter.translate(0, -page * size.height())
        document.drawContents(painter, QRectF(0, page * size.height(), size.width(), size.height()))
        painter.restore()
        painter.drawText(foot, Qt.AlignmentFlag.AlignRight, str(page + 1))
    painter.end()
