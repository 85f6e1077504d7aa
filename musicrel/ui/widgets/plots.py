"""pyqtgraph for the app's plots: imported after the first paint, drawn in our colours.

pyqtgraph is untyped and takes a moment to import, so no module imports it directly:

- ``library()`` returns it, imported and configured. ``preload()`` imports it in a thread once the
  window is on the screen, so that the first plot does not block the window.
- ``PlotHolder`` stands for a plot until it was painted for the first time, then makes it. A panel
  keeps what it is to show, and draws it in the function it hands to the holder. A holder needs a
  minimum size.
- ``apply_theme()`` sets background, axes and fonts of a plot.
- ``press()`` zooms and scrolls by keys.

Plots are composed of pyqtgraph's items, never subclassed: a base class would have to be imported
with the module.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from musicrel.figures import plots
from musicrel.presentation.words.palette import Theme
from musicrel.ui.widgets import stylesheet

is_loaded, library = plots.is_loaded, plots.library
# milliseconds after the first paint after which pyqtgraph is imported, if it was not before
_PRELOAD_MS: Final = 4000
_FONT: Final = 0.92  # size of axis labels relative to the app's font
_ZOOMS: Final = {Qt.Key.Key_Plus: 1 / 1.5, Qt.Key.Key_Equal: 1 / 1.5, Qt.Key.Key_Minus: 1.5}
# movement to the right and down as a share of the visible part
_SCROLLS: Final = {
    Qt.Key.Key_Up: (0.0, -0.2),
    Qt.Key.Key_Down: (0.0, 0.2),
    Qt.Key.Key_Left: (-0.2, 0.0),
    Qt.Key.Key_Right: (0.2, 0.0),
}


def preload() -> None:
    """Import pyqtgraph in a thread, some time after the first paint of the window.

    The model is loaded first: two threads that import at once leave the window little time.
    """

    def start() -> None:  # a function: of a method, Qt would not keep the object until then
        threading.Thread(target=library, name="pyqtgraph").start()

    QTimer.singleShot(_PRELOAD_MS, start)


class PlotHolder(QWidget):
    """A widget that makes its plot after it was painted for the first time."""

    made = Signal()

    def __init__(self, make: Callable[[], QWidget], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.plot: Any = None  # the widget of the plot; None until it is made
        self._make: Callable[[], QWidget] | None = make
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._make is not None:
            QTimer.singleShot(0, self, self.ensure)

    def ensure(self) -> None:
        if self._make is not None:
            make, self._make = self._make, None
            self.plot = make()
            self._column.addWidget(self.plot)
            self.made.emit()


def apply_theme(plot: Any, theme: Theme, *, background: str | None = None) -> None:
    font = stylesheet.scaled_font(_FONT)
    plots.apply_theme(plot, theme, font=font, background=background)


def press(box: Any, key: Qt.Key) -> bool:
    """Zoom or scroll a ``ViewBox`` by a key; return whether the key has that meaning."""
    if key in _ZOOMS:
        box.scaleBy((_ZOOMS[key], _ZOOMS[key]))
    elif key in _SCROLLS:
        area, (x, y) = box.viewRect(), _SCROLLS[key]
        down = y if box.yInverted() else -y
        box.translateBy(x=x * area.width(), y=down * area.height())
    return key in _ZOOMS or key in _SCROLLS
