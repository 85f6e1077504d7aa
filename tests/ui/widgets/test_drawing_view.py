"""A drawing on the screen."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.presentation.drawing.drawing import Area, Drawing, Line, Raster, Rectangle, Text
from musicrel.presentation.words.palette import DARK, LIGHT, Theme
from musicrel.ui.widgets import stylesheet
from musicrel.ui.widgets.drawing_view import DrawingView

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: size hints

PIXELS = np.full((2, 2, 3), (200, 10, 20), dtype=np.uint8)


def shapes(width: int, height: int, theme: Theme) -> Drawing:
    """Return one item of each kind, side by side."""
    del height
    triangle = ((80.0, 0.0), (110.0, 0.0), (80.0, 40.0))
    return Drawing(
        width=width,
        height=200,
        background=theme.panel,
        title="Five shapes",
        items=(
            Rectangle(x=0, y=0, width=30, height=30, fill="#ff0000", edge="#0000ff"),
            Line(points=((40, 10), (70, 10)), colour="#00ff00", width=6),
            Area(points=triangle, fill="#00ffff"),
            Raster(x=120, y=0, width=30, height=30, pixels=PIXELS),
            Text(x=190, y=20, text="MMMM", size=14, colour=theme.text, anchor="end", bold=True),
        ),
    )


@pytest.fixture
def view(qtbot: QtBot) -> DrawingView:
    """Return a visible drawing."""
    view = DrawingView("Shapes")
    qtbot.addWidget(view)
    view.resize(300, 100)
    view.set_draw(shapes)
    with qtbot.waitExposed(view):
        view.show()
    return view


def colour(view: DrawingView, x: float, y: float) -> QColor:
    """Return the colour at a place of the drawing."""
    image = view.grab().toImage()
    factor = view.factor * image.devicePixelRatio()
    return image.pixelColor(round(x * factor), round(y * factor))


def test_every_kind_of_item_is_painted(view: DrawingView) -> None:
    """At its place, in its colour."""
    expected = {(15, 15): "#ff0000", (55, 10): "#00ff00", (86, 8): "#00ffff", (125, 15): "#c80a14"}

    assert {at: colour(view, *at).name() for at in expected} == expected
    assert colour(view, 110, 35).name() == LIGHT.panel
    row = [colour(view, x, 15).lightness() for x in range(150, 190)]
    assert min(row) < 100, "the text ends at its anchor"


def test_drawing_follows_size_and_theme(view: DrawingView) -> None:
    """It is made again for each; screen readers get its title."""
    assert view.drawing is not None
    assert view.drawing.width == view.drawn_width
    assert view.accessibleDescription() == "Five shapes"
    view.resize(500, 100)
    assert view.drawing.width == view.drawn_width == round(500 / view.factor)
    try:
        stylesheet.apply(DARK)
        assert colour(view, 200, 60).name() == DARK.panel
    finally:
        stylesheet.apply(LIGHT)


def test_mouse_is_reported_in_pixels_of_the_drawing(view: DrawingView, qtbot: QtBot) -> None:
    """The font of the app may be larger than that of a picture."""
    with qtbot.waitSignal(view.clicked) as clicked:
        QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(60, 30))

    assert clicked.args == pytest.approx([60 / view.factor, 30 / view.factor])


def test_growing_view_is_as_high_as_its_drawing(qtbot: QtBot) -> None:
    """For scroll areas; without a drawing it has no height."""
    view = DrawingView("Shapes", grows=True)
    qtbot.addWidget(view)
    view.set_draw(shapes)

    assert view.minimumSizeHint().height() == round(200 * view.factor)
    view.set_draw(None)
    assert view.drawing is None
    assert view.accessibleDescription() == ""
