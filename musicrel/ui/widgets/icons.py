"""The icons of the app: SVG drawings from the assets, in the colours of the current theme."""

from __future__ import annotations

from functools import cache
from typing import Final

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPaintEvent, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QToolButton, QWidget

from musicrel import paths
from musicrel.presentation.words.keys import with_keys
from musicrel.ui.widgets import stylesheet

_APP_SIZES: Final = (16, 24, 32, 48, 64, 128, 256)
# engines that belong to Qt, which PySide would delete without a reference here
_copies: Final[list[QIconEngine]] = []


def themed(name: str, colour: str = "text", checked: str = "") -> QIcon:
    """Return an icon that always has the colours of the current theme; disabled, it is faint."""
    return QIcon(_ThemedEngine(name, colour, checked or colour))


class _ThemedEngine(QIconEngine):
    """An engine that looks up its colour in the current theme whenever it paints."""

    def __init__(self, name: str, colour: str, checked: str) -> None:
        super().__init__()
        self._name, self._colour, self._checked = name, colour, checked

    def clone(self) -> QIconEngine:
        """Return a copy, which Qt needs to change an icon that is shared."""
        _copies.append(_ThemedEngine(self._name, self._colour, self._checked))
        return _copies[-1]

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        painter.drawPixmap(rect, self.pixmap(rect.size(), mode, state))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        role = self._checked if state == QIcon.State.On else self._colour
        role = "faint" if mode == QIcon.Mode.Disabled else role
        colour = getattr(stylesheet.current_theme(), role)
        key, kept = f"musicrel/{self._name}/{size.width()}/{colour}", QPixmap()
        if not QPixmapCache.find(key, kept):
            kept = _rendered(_source(self._name).replace("currentColor", colour), size.width())
            QPixmapCache.insert(key, kept)
        return kept


class IconLabel(QWidget):
    def __init__(self, name: str, size: int, colour: str) -> None:
        super().__init__()
        self._icon = themed(name, colour)
        self.setFixedSize(size, size)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self._icon.paint(painter, self.rect())


def button(name: str, tooltip: str, size: int = 20, colour: str = "text") -> QToolButton:
    flat = QToolButton()
    flat.setObjectName("flat")
    if name:
        flat.setIcon(themed(name, colour))
    flat.setIconSize(QSize(size, size))
    flat.setToolTip(with_keys(tooltip))
    flat.setAccessibleName(tooltip.partition(" (")[0])
    return flat


def app_icon() -> QIcon:
    icon = QIcon()
    for size in _APP_SIZES:
        icon.addPixmap(_rendered(_source("musicrel"), size))
    return icon


@cache
def _source(name: str) -> str:
    return (paths.assets() / "icons" / f"{name}.svg").read_text(encoding="utf-8")


def _rendered(source: str, size: int) -> QPixmap:
    picture = QPixmap(size, size)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        QSvgRenderer(QByteArray(source.encode())).render(painter, QRectF(picture.rect()))
    return picture
