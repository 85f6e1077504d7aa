"""The icons of the app: SVG drawings from the assets, in any colour and size."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer

from musicrel import paths
from musicrel.presentation.words.palette import Theme

_SIZES: Final = (16, 20, 24, 32, 40, 48, 64)
_APP_SIZES: Final = (16, 24, 32, 48, 64, 128, 256)


def folder() -> Path:
    """Return the folder of the drawings."""
    return paths.assets() / "icons"


def tinted(name: str, theme: Theme, colour: str = "") -> QIcon:
    """Return the icon ``name`` in ``colour``; "": the colour of text. Disabled, it is fainter."""
    icon = QIcon()
    for mode, shade in (
        (QIcon.Mode.Normal, colour or theme.text),
        (QIcon.Mode.Disabled, theme.faint),
    ):
        for size in _SIZES:
            icon.addPixmap(pixmap(name, size, shade), mode)
    return icon


def pixmap(name: str, size: int, colour: str) -> QPixmap:
    """Return the drawing ``name`` as ``size`` by ``size`` pixels, its lines in ``colour``."""
    key, kept = f"musicrel/{name}/{size}/{colour}", QPixmap()
    if not QPixmapCache.find(key, kept):
        kept = _rendered(_source(name).replace("currentColor", colour), size)
        QPixmapCache.insert(key, kept)
    return kept


def app_icon() -> QIcon:
    """Return the icon of the app."""
    icon = QIcon()
    for size in _APP_SIZES:
        icon.addPixmap(_rendered(_source("musicrel"), size))
    return icon


@cache
def _source(name: str) -> str:
    return (folder() / f"{name}.svg").read_text(encoding="utf-8")


def _rendered(source: str, size: int) -> QPixmap:
    picture = QPixmap(QSize(size, size))
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    QSvgRenderer(QByteArray(source.encode())).render(painter, QRectF(0, 0, size, size))
    painter.end()
    return picture
