"""Sheets of paper, of a PDF file or a printer: the pages of a score and of a piano roll.

Lengths are millimetres from the upper left corner of the room between the margins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, Literal, NamedTuple, Self, TypeAlias

from PySide6.QtCore import QBuffer, QIODevice, QLocale, QMarginsF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPagedPaintDevice,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
)

from musicrel import paths
from musicrel.chorale import Chorale
from musicrel.errors import FileError, UsageError
from musicrel.figures import engraver, roll
from musicrel.figures.engraver import Engraved
from musicrel.figures.figure import Figure
from musicrel.figures.score import BETWEEN, SPACE, Score, ScorePainter, System, serif
from musicrel.jobs import Job, map_events
from musicrel.language import count, tr
from musicrel.presentation.words.palette import LIGHT
from musicrel.score.musicxml.musicxml_writer import Layout

SUFFIX: Final = ".pdf"
REFUSED: Final = tr(
    "the printer accepts nothing: check that it is switched on, or save a PDF instead"
)
MARGIN: Final = 15.0  # margin on all sides of the paper
SCALE: Final = 1.65 / SPACE  # millimetres per unit of a score: the staves of hymn books
_REDUCED: Final = 1.45 / SPACE  # the staves of octavo editions, for what then fits on one page
_DOTS: Final = 1_200  # resolution of the coordinates of a PDF, dots per inch
_INCH: Final = 25.4
_PIXEL: Final = _INCH / 96  # largest size of a pixel of a figure
_POINTS: Final = 72.0  # per inch
_LEAST: Final = 9.0  # least size of type in points
_LINE: Final = 1.4  # height of a line in sizes of its type
_ENGRAVING: Final = 0.8  # share of the time that engraving takes
Where = Literal["left", "centre", "right"]
_SIDES: Final[Mapping[Where, Qt.AlignmentFlag]] = {
    "left": Qt.AlignmentFlag.AlignLeft,
    "centre": Qt.AlignmentFlag.AlignHCenter,
    "right": Qt.AlignmentFlag.AlignRight,
}
Content = Literal["score", "roll", "both"]
_PaintPage: TypeAlias = Callable[[], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintChoice:
    content: Content = "score"  # the score, the piano roll, or both, the score first
    layout: Layout = "staves"
    numerals: bool = False  # whether the score has Roman numerals
    figures: bool = False  # whether it has a figured bass
    repeat_signs: bool = False  # whether what comes twice is printed once

    def engrave(self, piece: Chorale, width: float) -> Job[Engraved, Score]:
        return engraver.engrave(
            piece,
            width=width,
            layout=self.layout,
            numerals=self.numerals,
            figures=self.figures,
            repeat_signs=self.repeat_signs,
        )


class Paper:
    """The pages of a device, painted one after the other; a context that ends the last one.

    Attributes:
        width, height: of the room between the margins.
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

    def paint_score(self, size: float, page: Page) -> None:
        black = QColor(Qt.GlobalColor.black)
        ink = ScorePainter(self._painter, size * self._dots, black, snaps=False)
        for system, top in page.systems:
            ink.paint(system, QPointF(0, top * self._dots))
        for text in page.texts:
            self._text(text)

    def paint_figure(self, figure: Figure, size: float, top: float, bottom: float) -> None:
        painter = self._painter
        painter.save()
        painter.scale(size * self._dots, size * self._dots)
        painter.translate(0, -top)
        painter.setClipRect(QRectF(0, top, figure.width, bottom - top))
        figure.paint(painter)
        painter.restore()

    def _text(self, text: PageText) -> None:
        room = self.width * self._dots * text.share
        font, shown = fitted(text.text, text.points, room, self._dots * _INCH)
        high = _LINE * text.points / _POINTS * _INCH
        top = self.height - high if text.top is None else text.top
        box = QRectF(0, top * self._dots, self.width * self._dots, high * self._dots)
        self._painter.setFont(font)
        self._painter.setPen(QColor(Qt.GlobalColor.black))
        self._painter.drawText(box, _SIDES[text.where] | Qt.AlignmentFlag.AlignVCenter, shown)


def write_pdf(
    piece: Chorale, path: Path, choice: PrintChoice, sheet: QPageLayout | None = None
) -> Job[float, int]:
    """Write ``piece`` as a PDF of vectors and text, completely or not at all; return its pages."""
    store = QBuffer()
    store.open(QIODevice.OpenModeFlag.WriteOnly)
    with Paper(pdf_writer(store, piece.title, sheet)) as paper:
        count = yield from paint(piece, paper, choice)
    paths.write_bytes(path, bytes(store.data().data()))
    return count


def paint(
    piece: Chorale, paper: Paper, choice: PrintChoice, chosen: tuple[int, int] = (0, 0)
) -> Job[float, int]:
    """Paint the pages between two numbers, (0, 0) for all; return how many."""
    found: list[_PaintPage] = []
    if choice.content != "roll":
        found += yield from _score_pages(piece, paper, choice)
    if choice.content != "score":
        found += _roll_pages(piece, paper)
    first = max(chosen[0], 1)
    selected = found[first - 1 : chosen[1] or None]
    if not selected:
        pages = count(len(found), "page")
        raise UsageError(
            tr("there is no page {first}: the piece has {pages}", first=first, pages=pages)
        )
    for number, paint_page in enumerate(selected, start=1):
        paper.begin_page()
        paint_page()
        yield _ENGRAVING + (1 - _ENGRAVING) * number / len(selected)
    return len(selected)


def _score_pages(piece: Chorale, paper: Paper, choice: PrintChoice) -> Job[float, list[_PaintPage]]:
    found = list[list[_PaintPage]]()
    for number, wanted in enumerate((SCALE, _REDUCED)):
        engraving = choice.engrave(piece, paper.width / wanted)
        share = partial(_share_of, number * _ENGRAVING / 2, _ENGRAVING / 2)
        score = yield from map_events(engraving, share)
        size = scale(score, paper.width)
        laid_out = pages(score, piece, paper.height, size)
        found.append([partial(paper.paint_score, size, page) for page in laid_out])
        if not _nearly_fits(laid_out, paper.height, size):
            break
    return min(found, key=len)


def _roll_pages(piece: Chorale, paper: Paper) -> Iterator[_PaintPage]:
    figure = roll.figure(piece, LIGHT)
    size = min(paper.width / figure.width, _PIXEL)
    first, *others = roll.systems(piece)
    top, bottom = first.top, first.bottom
    for system in others:
        if (system.bottom - top) * size > paper.height:
            yield partial(paper.paint_figure, figure, size, top, bottom)
            top = system.top
        bottom = system.bottom
    yield partial(paper.paint_figure, figure, size, top, bottom)


def write_captioned(
    pieces: Sequence[tuple[Chorale, str]], path: Path, choice: PrintChoice
) -> Job[float, int]:
    """Write the scores of several pieces, each under a caption, as one PDF; return its pages."""
    store, title = QBuffer(), pieces[0][0].title
    store.open(QIODevice.OpenModeFlag.WriteOnly)
    with Paper(pdf_writer(store, title)) as paper:
        scores: list[tuple[Score, str]] = []
        for piece, caption in pieces:
            done = len(scores) / len(pieces)
            engraving = choice.engrave(piece, paper.width / SCALE)
            share = partial(_share_of, done, 1 / len(pieces))
            scores.append(((yield from map_events(engraving, share)), caption))
        size = min(scale(score, paper.width) for score, _ in scores)
        laid_out = captioned_pages(scores, title, paper.height, size)
        for page in laid_out:
            paper.begin_page()
            paper.paint_score(size, page)
    paths.write_bytes(path, bytes(store.data().data()))
    return len(laid_out)


def _share_of(done: float, part: float, engraved: engraver.Engraved) -> float:
    return done + part * engraved.share


def pdf_writer(store: QBuffer, title: str, sheet: QPageLayout | None = None) -> QPdfWriter:
    device = QPdfWriter(store)
    device.setResolution(_DOTS)
    device.setTitle(title)
    device.setCreator("musicrel")
    device.setPageLayout(sheet or page_layout())
    return device


def page_layout(*, letter: bool | None = None) -> QPageLayout:
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
    font = serif(round(points / _POINTS * resolution))
    wide = QFontMetricsF(font).horizontalAdvance(text)
    if wide > width:
        font.setPixelSize(int(max(points * width / wide, _LEAST) / _POINTS * resolution))
    shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, width)
    return font, shown


# ------------------------------------------------------------------------------- pages of a score

_TITLE, _SUBTITLE, _COMPOSER, _SMALL = 18.0, 13.0, 11.0, 9.0  # sizes of type in points
_TITLE_ROOM, _COMPOSER_ROOM, _RUNNING_ROOM, _FOOT_ROOM = 13.0, 6.0, 9.0, 8.0
_SUBTITLE_ROOM: Final = 7.0
_COMPOSER_BELOW_TITLE: Final = 9.5
_SUBTITLE_BELOW_TITLE: Final = 8.5
_HALF_LINE: Final = 0.48  # of a line with two names
_CAPTION_ROOM: Final = 8.0
_MOST_BETWEEN: Final = 3 * BETWEEN  # is added at most between two systems of a full page
_CAN_SPARE: Final = 3  # least number of systems on a page that can give one away


class PageText(NamedTuple):
    text: str  # shortened by the painter if it is too long
    points: float  # size of its type
    where: Where  # its place between left and right
    top: float | None = 0.0  # upper edge of the line; None: it stands at the foot of the page
    share: float = 1.0  # the part of the line that it may take


class Page(NamedTuple):
    texts: tuple[PageText, ...]
    systems: tuple[tuple[System, float], ...]  # each with the top of its ink


def scale(score: Score, width: float) -> float:
    """Return the millimetres per unit of ``score`` with which its widest system fills ``width``."""
    return width / score.widest


def _nearly_fits(laid_out: Sequence[Page], height: float, size: float) -> bool:
    """Return True if what is on the second and last page takes less than half of it."""
    group = [system for system, _ in laid_out[-1].systems] if laid_out else []
    return len(laid_out) == 2 and _height(group, size) < height / 2  # noqa: PLR2004


def pages(score: Score, piece: Chorale, height: float, size: float) -> tuple[Page, ...]:
    """Lay out ``score`` on pages with the texts of ``piece``, ``size`` as from ``scale``.

    The first page begins with title and subtitle, the poet on the left, and the composer and the
    name of the tune on the right, and ends with the copyright line. The others begin with the title
    in small type; several pages are numbered, the first one only without a copyright line. A last
    page has no single system where the page before can spare one.
    """
    names_below = max(bool(piece.poet), bool(piece.composer) + bool(piece.tune))
    titles = bool(piece.title) * _TITLE_ROOM + bool(piece.subtitle) * _SUBTITLE_ROOM
    room = titles + names_below * _COMPOSER_ROOM
    tops = (room, _RUNNING_ROOM if piece.title else 0.0)
    rooms = (height - tops[0] - _FOOT_ROOM, height - tops[1] - _FOOT_ROOM)
    groups = _without_widow(list(_groups(score.systems, rooms, size)))
    found: list[Page] = []
    more = 0.0
    for number, group in enumerate(groups):
        free = rooms[min(number, 1)] - _height(group, size)
        most = more if number == len(groups) - 1 else _MOST_BETWEEN * size
        more = max(min(free / max(len(group) - 1, 1), most), 0.0)
        systems = tuple(_placed(group, tops[min(number, 1)], size, more))
        found.append(Page(tuple(_texts(piece, number, len(groups))), systems))
    return tuple(found)


def captioned_pages(
    scores: Sequence[tuple[Score, str]], title: str, height: float, size: float
) -> list[Page]:
    """Lay out scores one below the other, each with its caption, and a title on the first page.

    Args:
        size: millimetres per unit of the scores.
    """
    found: list[Page] = []
    texts = [PageText(title, _TITLE, "centre")] if title else []
    systems: list[tuple[System, float]] = []
    top = _TITLE_ROOM if title else 0.0
    for score, caption in scores:
        for number, system in enumerate(score.systems):
            room = 0.0 if number else _CAPTION_ROOM
            if systems and top + room + system.height * size > height:
                found.append(Page(tuple(texts), tuple(systems)))
                texts, systems, top = [], [], 0.0
            if not number:
                texts.append(PageText(caption, _COMPOSER, "left", top))
            systems.append((system, top + room))
            top += room + (system.height + BETWEEN) * size
    return [*found, Page(tuple(texts), tuple(systems))]


def _texts(piece: Chorale, page: int, count: int) -> Iterator[PageText]:
    if piece.title:
        yield PageText(piece.title, _SMALL if page else _TITLE, "centre")
    if page == 0 and piece.subtitle:
        top = _SUBTITLE_BELOW_TITLE if piece.title else 0.0
        yield PageText(piece.subtitle, _SUBTITLE, "centre", top)
    if page == 0:
        yield from _names(piece)
    if page == 0 and piece.copyright:
        yield PageText(piece.copyright, _SMALL, "centre", None)
    elif count > 1:
        yield PageText(str(page + 1), _SMALL, "centre", None)


def _names(piece: Chorale) -> Iterator[PageText]:
    """Yield the names below the titles, on one line or two."""
    top = _COMPOSER_BELOW_TITLE if piece.title else 0.0
    top += bool(piece.subtitle) * _SUBTITLE_ROOM
    on_right = [name for name in (piece.composer, piece.tune) if name]
    share = _HALF_LINE if piece.poet and on_right else 1.0
    if piece.poet:
        yield PageText(piece.poet, _COMPOSER, "left", top, share)
    for line, name in enumerate(on_right):
        yield PageText(name, _COMPOSER, "right", top + line * _COMPOSER_ROOM, share)


def _groups(
    systems: Sequence[System], rooms: tuple[float, float], size: float
) -> Iterator[list[System]]:
    group: list[System] = []
    room = rooms[0]
    for system in systems:
        if group and _height([*group, system], size) > room:
            yield group
            group, room = [], rooms[1]
        group.append(system)
    if group:
        yield group


def _without_widow(groups: list[list[System]]) -> list[list[System]]:
    """Give a last page with a single system a second one."""
    if len(groups) < 2 or len(groups[-1]) > 1 or len(groups[-2]) < _CAN_SPARE:  # noqa: PLR2004
        return groups
    *others, before, last = groups
    return [*others, before[:-1], [before[-1], *last]]


def _height(group: Sequence[System], size: float) -> float:
    return (sum(system.height for system in group) + (len(group) - 1) * BETWEEN) * size


def _placed(
    group: Sequence[System], top: float, size: float, more: float
) -> Iterator[tuple[System, float]]:
    for system in group:
        yield system, top
        top += (system.height + BETWEEN) * size + more
