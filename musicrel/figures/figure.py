"""A figure is one painting function for the screen and for PNG and SVG files.

Lengths are pixels of a screen at 96 dots an inch, (0, 0) is the upper left corner. Plots are made
of pyqtgraph's items; ``of_plot`` makes a figure of them. Painting needs an application, which
``application()`` makes without a screen where there is none.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from musicrel import paths
from musicrel.errors import UsageError, qt_may_be_missing
from musicrel.language import tr
from musicrel.presentation.words.palette import Theme

with qt_may_be_missing():
    import shiboken6
    from PySide6.QtCore import (
        QBuffer,
        QCoreApplication,
        QEventLoop,
        QIODevice,
        QRect,
        QRectF,
        QSize,
        Qt,
    )
    from PySide6.QtGui import QColor, QImage, QPainter
    from PySide6.QtSvg import QSvgGenerator
    from PySide6.QtWidgets import QApplication

MAX_DOTS: Final = 120_000_000
"""Limit of a PNG: larger ones take more memory than small machines have."""
_PNG_SCALE: Final = 2
_INCH: Final = 96


class Hit(NamedTuple):
    words: str = ""  # what is there
    value: object = None  # what a click chooses
    tip: str = ""


At: TypeAlias = Callable[[float, float], Hit | None]


@dataclass(frozen=True, slots=True)
class Figure:
    width: int  # pixels
    height: int  # pixels
    background: str  # "#rrggbb"
    title: str  # description in one sentence, for screen readers
    paint: Callable[[QPainter], None]
    at: At = lambda _x, _y: None  # returns what is at a place, in pixels
    least: tuple[float, float] = (0, 0)  # width and height in pixels that its texts need


def application() -> QCoreApplication:
    """Return the application; make one without a screen unless there is one.

    A screen is not needed to write files, and on a server there is none.
    """
    app = QApplication.instance()
    if app is None:
        app = QApplication([*sys.argv[:1], "-platform", "offscreen"])
    return app


def of_plot(
    make: Callable[[Any], None], *, width: int, height: int, theme: Theme, title: str
) -> Figure:
    """Return the figure of plots, which ``make`` adds to a ``GraphicsLayoutWidget``."""

    def paint(painter: QPainter) -> None:
        from musicrel.figures import plots

        application()
        view = plots.library().GraphicsLayoutWidget(size=(width, height))
        view.setBackground(theme.panel)
        make(view)
        view.resize(width, height)
        view.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        view.show()  # lays the plots out
        application().processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRect(0, 0, width, height)
        view.render(painter, QRectF(box), box)
        view.close()
        shiboken6.delete(view)  # it is in cycles, which may be collected in the thread of a job

    return Figure(width, height, theme.panel, title, paint)


def write(figure: Figure, path: Path) -> None:
    paths.write_bytes(path, encoder(path)(figure))


def encoder(path: Path) -> Encode:
    encode = FORMATS.get(path.suffix.lower())
    if encode is None:
        known = " or ".join(FORMATS)
        raise UsageError(f"cannot draw {path}: expected a name that ends in {known}")
    return encode


def to_svg(figure: Figure) -> bytes:
    """Encode as SVG 1.1, which can clip; SVG Tiny 1.2, Qt's other version, cannot."""
    application()
    with _buffer() as store:
        generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
        generator.setOutputDevice(store)
        generator.setResolution(_INCH)
        generator.setSize(QSize(figure.width, figure.height))
        generator.setViewBox(QRectF(0, 0, figure.width, figure.height))
        generator.setTitle(figure.title)
        with QPainter(generator) as painter:
            _paint(figure, painter)
        return bytes(store.data().data())


def to_png(figure: Figure) -> bytes:
    application()
    size = QSize(figure.width, figure.height) * _PNG_SCALE
    if size.width() * size.height() > MAX_DOTS:
        text = tr(
            "a PNG of {width} x {height} dots is too large: expected at most {most} million dots; "
            "export SVG, or a part of the piece"
        )
        most = MAX_DOTS // 1_000_000
        raise UsageError(text.format(width=size.width(), height=size.height(), most=most))
    image = QImage(size, QImage.Format.Format_RGB32)
    image.setText("Description", figure.title)
    image.setDevicePixelRatio(_PNG_SCALE)  # cosmetic pens are as wide as on a screen
    with QPainter(image) as painter:
        _paint(figure, painter)
    with _buffer() as store:
        image.save(store, "PNG")  # type: ignore[call-overload]  # takes bytes only in the stubs
        return bytes(store.data().data())


Encode: TypeAlias = Callable[[Figure], bytes]
FORMATS: Final[Mapping[str, Encode]] = {".svg": to_svg, ".png": to_png}
"""Lower-case suffix -> function that encodes a figure."""


def _paint(figure: Figure, painter: QPainter) -> None:
    painter.fillRect(QRectF(0, 0, figure.width, figure.height), QColor(figure.background))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    figure.paint(painter)


@contextmanager
def _buffer() -> Iterator[QBuffer]:
    store = QBuffer()
    store.open(QIODevice.OpenModeFlag.WriteOnly)
    yield store
