"""pyqtgraph, imported when the first plot is drawn.

It takes a moment to import, so no module imports it directly. Plots are composed of its items,
never subclassed: a base class would have to be imported with the module.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from PySide6.QtGui import QFont

from musicrel.presentation.words.palette import Theme

_AXES: Final = ("left", "bottom", "right", "top")


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


def is_loaded() -> bool:
    return library.cache_info().currsize > 0


def apply_theme(
    plot: Any, theme: Theme, *, font: QFont | None = None, background: str | None = None
) -> None:
    view = plot.getViewWidget()
    if view is not None:
        view.setBackground(background or theme.lane)
    for name in _AXES:
        axis = plot.getAxis(name)
        axis.setPen(theme.line_bar)
        axis.setTextPen(theme.quiet)
        if font is not None:
            axis.setTickFont(font)
            axis.label.setFont(font)
