"""Reports as PDF: text, tables and pictures on the pages of the user's paper."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QUrl
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QTextDocument
from PySide6.QtSvg import QSvgRenderer

from musicrel import paths
from musicrel.presentation.drawing import svg
from musicrel.presentation.drawing.drawing import Drawing
from musicrel.presentation.report import html
from musicrel.presentation.report.blocks import Report
from musicrel.ui.score import paper, score_pdf

SUFFIX: Final = score_pdf.SUFFIX
_SHARP: Final = 4
"""Pixels of a picture for each pixel of its drawing."""
_WIDTH: Final = 620
"""Width of a picture on the page, in pixels at 96 dots an inch."""
_PICTURE: Final = '<p><img src="{name}" width="{width}"></p>'
_NAME: Final = "picture-{}"
_POINTS: Final = 9.0
_STYLE: Final = """\
h1 { font-size: 18pt; } h2 { font-size: 13pt; } h3 { font-size: 10pt; }
p.lead { font-weight: bold; } p.warning { color: #6b3410; background-color: #fdeee2; }
p.note, p.caption { color: #565e6c; font-size: 8pt; }
th { text-align: left; } td, th { padding-right: 9px; padding-bottom: 2px; font-size: 7.5pt; }
"""


def write(report: Report, path: Path) -> None:
    """Write ``report`` as a PDF; the file is written completely or not at all.

    Raises:
        FileError: it cannot be written.
    """
    store = QBuffer()
    store.open(QIODevice.OpenModeFlag.WriteOnly)
    sheet = paper.layout()
    sheet.setMargins(QMarginsF())  # the document has its own, of 2 cm
    _document(report).print_(score_pdf.writer(store, report.title, sheet))
    paths.write_bytes(path, bytes(store.data().data()))


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


def _image(drawing: Drawing) -> QImage:
    renderer = QSvgRenderer(QByteArray(svg.to_svg(drawing).encode("utf-8")))
    image = QImage(drawing.width * _SHARP, drawing.height * _SHARP, QImage.Format.Format_RGB32)
    image.fill(QColor(drawing.background))
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    return image
