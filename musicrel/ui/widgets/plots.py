"""pyqtgraph for the app's plots: imported after the first paint, drawn in our colours.

pyqtgraph is untyped and takes a moment to import, so no module imports it directly:

- ``library()`` returns it, imported and configured. ``preload()`` imports it in a thread once the
  window is on the screen, so that the first plot does not block the window.
- ``PlotHolder`` stands for a plot until it was painted for the first time, then makes it. A panel
  keeps what it is to show, and draws it in the function it hands to the holder. A holder needs a
  minimum size.
- ``apply_theme()`` sets background, axes and fonts of a plot.
- ``press()`` zooms and scrolls by keys.
- ``export()`` writes a plot as PNG or SVG.

Plots are composed of pyqtgraph's items, never subclassed: a base class would have to be imported
with the module.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QBuffer, QIODevice, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from musicrel import paths
from musicrel.presentation.words.palette import Theme
from musicrel.ui.widgets import stylesheet

PICTURES: Final = (".png", ".svg")
"""Suffixes of the formats that ``export`` writes."""
_PRELOAD_MS: Final = 1500
"""Milliseconds after the first paint after which pyqtgraph is imported, if it was not before."""
_AXES: Final = ("left", "bottom", "right", "top")
_FONT: Final = 0.92
"""Size of axis labels relative to the app's font."""
_ZOOMS: Final = {Qt.Key.Key_Plus: 1 / 1.5, Qt.Key.Key_Equal: 1 / 1.5, Qt.Key.Key_Minus: 1.5}
_SCROLLS: Final = {
    Qt.Key.Key_Up: (0.0, -0.2),
    Qt.Key.Key_Down: (0.0, 0.2),
    Qt.Key.Key_Left: (-0.2, 0.0),
    Qt.Key.Key_Right: (0.2, 0.0),
}
"""Movement to the right and down as a share of the visible part."""


@cache
def library() -> Any:
    """Return pyqtgraph, imported and configured at the first call.

    Images are row-major as in NumPy, lines are antialiased, OpenGL is not used. Its clean-up at
    exit is off: it walks all objects of the process.
    """
    import pyqtgraph

    pyqtgraph.setConfigOptions(
        antialias=True, imageAxisOrder="row-major", useOpenGL=False, exitCleanup=False
    )
    return pyqtgraph


def preload() -> None:
    """Import pyqtgraph in a thread, some time after the first paint of the window.

    The model is loaded first: two threads that import at once leave the window little time.
    """

    def start() -> None:  # a function: of a method, Qt would not keep the object until then
        threading.Thread(target=library, name="pyqtgraph").start()

    QTimer.singleShot(_PRELOAD_MS, start)


def is_loaded() -> bool:
    """Return True if ``library`` returns at once."""
    return library.cache_info().currsize > 0


class PlotHolder(QWidget):
    """A widget that makes its plot after it was painted for the first time."""

    made = Signal()

    def __init__(self, make: Callable[[], QWidget], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.plot: Any = None
        """The widget of the plot; None until it is made."""
        self._make: Callable[[], QWidget] | None = make
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._make is not None:
            QTimer.singleShot(0, self, self.ensure)

    def ensure(self) -> None:
        """Make the plot now unless it exists."""
        if self._make is not None:
            make, self._make = self._make, None
            self.plot = make()
            self._column.addWidget(self.plot)
            self.made.emit()


def apply_theme(plot: Any, theme: Theme, *, background: str | None = None) -> None:
    """Set colours and fonts of a plot; curves and images keep theirs.

    Args:
        background: colour behind the plot; None: ``theme.lane``.
    """
    plot.getViewWidget().setBackground(background or theme.lane)
    font = stylesheet.scaled_font(_FONT)
    for name in _AXES:
        axis = plot.getAxis(name)
        axis.setPen(theme.line_bar)
        axis.setTextPen(theme.quiet)
        axis.setTickFont(font)
        axis.label.setFont(font)


def press(box: Any, key: Qt.Key) -> bool:
    """Zoom or scroll a ``ViewBox`` by a key; return whether the key has that meaning."""
    if key in _ZOOMS:
        box.scaleBy((_ZOOMS[key], _ZOOMS[key]))
    elif key in _SCROLLS:
        area, (x, y) = box.viewRect(), _SCROLLS[key]
        down = y if box.yInverted() else -y
        box.translateBy(x=x * area.width(), y=down * area.height())
    return key in _ZOOMS or key in _SCROLLS


def export(view: Any, path: Path) -> None:
    """Write a plot as it is on the screen; a PNG has twice its pixels.

    Args:
        path: of the file; its suffix is one of ``PICTURES``.
    """
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    write = _write_svg if path.suffix.lower() == ".svg" else _write_png
    write(view, buffer)
    paths.write_bytes(path, bytes(buffer.data().data()))


def _write_png(view: Any, buffer: QBuffer) -> None:
    from pyqtgraph.exporters import ImageExporter

    exporter = ImageExporter(view.scene())
    exporter.parameters()["width"] = 2 * view.width()
    exporter.export(toBytes=True).save(buffer, "PNG")


def _write_svg(view: Any, buffer: QBuffer) -> None:
    """Write SVG by Qt: pyqtgraph's exporter fails on closed paths."""
    from PySide6.QtSvg import QSvgGenerator

    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)  # 1.2 Tiny cannot clip
    generator.setOutputDevice(buffer)
    generator.setSize(view.size())
    generator.setViewBox(view.rect())
    painter = QPainter(generator)
    view.render(painter)
    painter.end()
