"""pyqtgraph as the app uses it: late import, colours of a theme, export."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QGraphicsView, QWidget
from pytestqt.qtbot import QtBot

from musicrel.errors import FileError
from musicrel.presentation.words.palette import DARK, LIGHT, Theme
from musicrel.ui.widgets import plots
from musicrel.ui.widgets.paint import translucent
from musicrel.ui.widgets.plots import PlotHolder

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: size hints


def curve() -> QWidget:
    """Return a plot of one curve."""
    plot: QWidget = plots.library().PlotWidget()
    plot.getPlotItem().plot([1.0, 2.0, 3.0], [3.0, 1.0, 2.0])  # type: ignore[attr-defined]
    return plot


@pytest.fixture
def holder(qtbot: QtBot) -> PlotHolder:
    """Return a visible plot."""
    holder = PlotHolder(curve)
    holder.resize(400, 300)
    qtbot.addWidget(holder)
    with qtbot.waitSignal(holder.made):
        holder.show()
    return holder


def test_plot_is_made_after_the_first_paint(qtbot: QtBot) -> None:
    """A hidden panel costs nothing."""
    holder = PlotHolder(curve)
    holder.setMinimumSize(300, 150)
    qtbot.addWidget(holder)
    assert not holder.findChildren(QGraphicsView)

    with qtbot.waitSignal(holder.made):
        holder.show()

    assert holder.findChildren(QGraphicsView)


def test_plot_is_made_once(holder: PlotHolder) -> None:
    """A second request keeps the plot."""
    before = holder.plot

    holder.ensure()

    assert holder.plot is before


def test_library_is_imported_before_it_is_needed(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a thread, so that the window goes on."""
    importing: list[str] = []
    monkeypatch.setattr(plots, "library", lambda: importing.append(threading.current_thread().name))
    monkeypatch.setattr(plots, "_PRELOAD_MS", 0)
    plots.preload()
    qtbot.waitUntil(lambda: importing == ["pyqtgraph"])


def test_library_is_configured() -> None:
    """Images are row-major, lines antialiased, OpenGL and the clean-up at exit are off."""
    library = plots.library()

    options = {
        name: library.getConfigOption(name)
        for name in ("imageAxisOrder", "antialias", "useOpenGL", "exitCleanup")
    }

    assert options == {
        "imageAxisOrder": "row-major", "antialias": True, "useOpenGL": False, "exitCleanup": False
    }  # fmt: skip


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_theme_colours_background_and_axes(holder: PlotHolder, theme: Theme) -> None:
    """A theme can be replaced at any time."""
    plots.apply_theme(holder.plot.getPlotItem(), theme)

    axis = holder.plot.getPlotItem().getAxis("left")
    assert axis.textPen().color() == QColor(theme.quiet)
    assert holder.plot.grab().toImage().pixelColor(2, 2) == QColor(theme.lane)


def test_translucent_colour_keeps_its_hue() -> None:
    """Only the alpha channel changes."""
    mixed = translucent("#2a68c8", 0.5)

    assert (mixed.name(), round(mixed.alphaF(), 2)) == ("#2a68c8", 0.5)


def test_picture_has_twice_the_pixels_of_the_screen(holder: PlotHolder, tmp_path: Path) -> None:
    """A PNG stays sharp in a paper."""
    plots.export(holder.plot, tmp_path / "curve.png")

    image = QImage(str(tmp_path / "curve.png"))
    assert image.width() == pytest.approx(2 * holder.plot.width(), abs=2)


def test_vector_picture_is_svg(holder: PlotHolder, tmp_path: Path) -> None:
    """The suffix may be in capitals."""
    plots.export(holder.plot, tmp_path / "curve.SVG")

    assert "<svg" in (tmp_path / "curve.SVG").read_text()


def test_unwritable_picture_is_an_error(holder: PlotHolder, tmp_path: Path) -> None:
    """The sentence names the file."""
    (tmp_path / "file").write_text("no folder")

    with pytest.raises(FileError, match="cannot write"):
        plots.export(holder.plot, tmp_path / "file" / "curve.png")
