"""PDF export of the engraved score, as vector graphics and text."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QPageLayout, QPdfWriter

from musicrel import paths
from musicrel.chorale import Chorale
from musicrel.jobs import Job, map_events
from musicrel.presentation.score import engraver, pages
from musicrel.presentation.score.pages import Heading
from musicrel.score.musicxml.musicxml_writer import Layout
from musicrel.ui.score import paper
from musicrel.ui.score.paper import Paper

SUFFIX: Final = ".pdf"
_DOTS: Final = 1_200
"""Resolution of the coordinates, dots per inch."""


def export_pdf(
    piece: Chorale,
    path: Path,
    layout: Layout = "staves",
    *,
    sheet: QPageLayout | None = None,
    numerals: bool = False,
) -> Job[float, None]:
    """Write ``piece`` as a PDF; a file is written completely or not at all.

    Args:
        sheet: size and margins of the pages; None: of the paper of the user's country.
    """
    store = QBuffer()
    store.open(QIODevice.OpenModeFlag.WriteOnly)
    with Paper(writer(store, piece.title, sheet)) as sheets:
        yield from paint_score(piece, sheets, layout, numerals=numerals)
    paths.write_bytes(path, bytes(store.data().data()))


def paint_score(
    piece: Chorale, sheets: Paper, layout: Layout, *, numerals: bool = False
) -> Job[float, None]:
    """Engrave ``piece`` and paint its pages; see ``export_pdf``."""
    width = sheets.width / pages.SCALE
    engraving = engraver.engrave(piece, width=width, layout=layout, numerals=numerals)
    score = yield from map_events(engraving, lambda engraved: engraved.share)
    heading = Heading(piece.title, piece.composer)
    for page in pages.pages(score, heading, sheets.height):
        sheets.begin_page()
        sheets.paint_page(score, page)


def writer(store: QBuffer, title: str, sheet: QPageLayout | None = None) -> QPdfWriter:
    """Return a device that writes a PDF to ``store``."""
    device = QPdfWriter(store)
    device.setResolution(_DOTS)
    device.setTitle(title)
    device.setCreator("musicrel")
    device.setPageLayout(sheet or paper.layout())
    return device
