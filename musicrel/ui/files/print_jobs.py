"""Jobs that print a piece, or write what would be printed to a PDF."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtSvg import QSvgRenderer

from musicrel import paths
from musicrel.chorale import Chorale
from musicrel.errors import MusicrelError, UsageError
from musicrel.jobs import Job, map_events
from musicrel.presentation.drawing import strips, svg
from musicrel.presentation.roll import roll_drawing
from musicrel.presentation.score import engraver, pages
from musicrel.presentation.score.pages import Heading
from musicrel.presentation.words import names
from musicrel.presentation.words.palette import LIGHT
from musicrel.ui.files.file_jobs import FileEvent, FileProgress, FileStarted, Written
from musicrel.ui.files.print_dialog import PrintChoice
from musicrel.ui.score import score_pdf
from musicrel.ui.score.paper import Paper

PRINTING: Final = "Printing {title}"
PRINTED: Final = "{pages} sent to {printer}"
SAVED: Final = "Saved {pages} as {name} in {folder}"
NAMELESS: Final = "the piece"
NOT_PRINTED: Final = "the piece is not printed: {reason}"
NOT_SAVED: Final = "the PDF is not saved: {reason}"
NO_PAGE: Final = "there is no page {first}: the piece has {pages}"
_ENGRAVING: Final = 0.8
"""Share of the time that engraving takes."""
_WHITE: Final = "#ffffff"
_PIXEL: Final = 25.4 / 96
"""Largest size of a pixel of a drawing in millimetres."""
_PageJob: TypeAlias = Callable[[Paper], None]


def print_piece(piece: Chorale, printer: QPrinter, choice: PrintChoice) -> Job[FileEvent, Written]:
    """Print a piece; nothing is printed if the job is cancelled."""
    yield FileStarted(doing=doing(piece))
    try:
        with Paper(printer, printer.abort) as paper:
            count = yield from _paint(piece, paper, choice, (printer.fromPage(), printer.toPage()))
    except MusicrelError as reason:
        raise type(reason)(NOT_PRINTED.format(reason=reason)) from reason
    where = Path(printer.outputFileName()).name or printer.printerName()
    return Written(sentence=PRINTED.format(pages=names.count(count, "page"), printer=where))


def save_pdf(piece: Chorale, path: Path, choice: PrintChoice) -> Job[FileEvent, Written]:
    """Write the pages that would be printed as a PDF."""
    yield FileStarted(doing=doing(piece))
    store = QBuffer()
    store.open(QIODevice.OpenModeFlag.WriteOnly)
    try:
        with Paper(score_pdf.writer(store, piece.title)) as paper:
            count = yield from _paint(piece, paper, choice)
        paths.write_bytes(path, bytes(store.data().data()))
    except MusicrelError as reason:
        raise type(reason)(NOT_SAVED.format(reason=reason)) from reason
    words = {"pages": names.count(count, "page"), "name": path.name, "folder": path.parent}
    return Written(sentence=SAVED.format(**words), folder=path.parent)


def doing(piece: Chorale) -> str:
    """Return what a job does, as a status text."""
    return PRINTING.format(title=piece.title or NAMELESS)


def _paint(
    piece: Chorale, paper: Paper, choice: PrintChoice, chosen: tuple[int, int] = (0, 0)
) -> Job[FileEvent, int]:
    """Paint the pages between two numbers, (0, 0) for all; return how many."""
    sheets = yield from _sheets(piece, paper, choice)
    first = max(chosen[0], 1)
    selected = sheets[first - 1 : chosen[1] or None]
    if not selected:
        raise UsageError(NO_PAGE.format(first=first, pages=names.count(len(sheets), "page")))
    for number, sheet in enumerate(selected, start=1):
        paper.begin_page()
        sheet(paper)
        yield FileProgress(share=_ENGRAVING + (1 - _ENGRAVING) * number / len(selected))
    return len(selected)


def _sheets(piece: Chorale, paper: Paper, choice: PrintChoice) -> Job[FileEvent, list[_PageJob]]:
    """Return a function for each page, which paints it."""
    found: list[_PageJob] = []
    if choice.content != "roll":
        width = paper.width / pages.SCALE
        engraving = engraver.engrave(
            piece, width=width, layout=choice.layout, numerals=choice.numerals
        )
        score = yield from map_events(
            engraving, lambda engraved: FileProgress(share=_ENGRAVING * engraved.share)
        )
        heading = Heading(piece.title, piece.composer)
        laid_out = pages.pages(score, heading, paper.height)
        found += [partial(Paper.paint_page, score=score, page=page) for page in laid_out]
    if choice.content != "score":
        found += _roll_sheets(piece, paper)
    return found


def _roll_sheets(piece: Chorale, paper: Paper) -> Iterator[_PageJob]:
    """Yield a function for each page of the piano roll."""
    drawing = replace(roll_drawing.draw(piece, LIGHT), background=_WHITE)
    size = min(paper.width / drawing.width, _PIXEL)
    picture = QByteArray(svg.to_svg(drawing).encode("utf-8"))
    for strip in strips.strips(drawing, paper.height / size):
        box = QRectF(0, strip.top, drawing.width, strip.bottom - strip.top)
        yield partial(_paint_roll, picture=picture, box=box, size=size)


def _paint_roll(paper: Paper, *, picture: QByteArray, box: QRectF, size: float) -> None:
    renderer = QSvgRenderer(picture)
    renderer.setViewBox(box)
    painter, target = paper.painter_for(box.width() * size, box.height() * size)
    painter.save()
    painter.setClipRect(target)
    renderer.render(painter, target)
    painter.restore()
