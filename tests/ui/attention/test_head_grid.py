"""Thumbnails of heads."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.generation.heads.mutes import Head
from musicrel.presentation.attention.piece_analysis import PieceAnalysis
from musicrel.presentation.words.palette import DARK, LIGHT, Theme
from musicrel.ui.attention.head_grid import HeadGrid

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: size hints
HEADS = (Head(0, 0), Head(0, 1), Head(1, 0), Head(1, 1))


@pytest.fixture
def grid(qtbot: QtBot, analysis: PieceAnalysis) -> HeadGrid:
    """Return visible thumbnails of two layers of two heads, the mean chosen."""
    grid = HeadGrid()
    qtbot.addWidget(grid)
    grid.resize(240, 300)
    grid.set_theme(LIGHT)
    with qtbot.waitExposed(grid):
        grid.show()
    grid.show_analysis(analysis, None)
    return grid


def centre(grid: HeadGrid, head: Head | None) -> QPoint:
    """Return the middle of a thumbnail in the view."""
    point: QPoint = grid.view.mapFromScene(grid.box.mapViewToScene(grid.tile(head).center()))
    return point


@pytest.mark.parametrize("head", HEADS)
def test_thumbnail_shows_its_head(grid: HeadGrid, analysis: PieceAnalysis, head: Head) -> None:
    """Rows of thumbnails are layers, below the mean."""
    image = grid.image.image
    down, across = image.shape[0] // 3, image.shape[1] // 2
    top, left = (head.layer + 1) * down, head.head * across

    expected = analysis.thumbnails[1 + HEADS.index(head)]
    size = len(expected)
    assert (image[top : top + size, left : left + size] == expected).all()


def test_each_thumbnail_has_its_own_scale(grid: HeadGrid, analysis: PieceAnalysis) -> None:
    """That of the mean ends at weight 0.5: level 128 is drawn as 128 / sqrt(0.5)."""
    size = len(analysis.thumbnails[0])

    assert analysis.thumbnails[0][5:].max() == 128
    assert grid.image.image[5:size, :size].max() == 181


def test_click_chooses_a_head(qtbot: QtBot, grid: HeadGrid) -> None:
    """The mean is above the heads; beside it is nothing."""
    for head in (*HEADS, None):
        with qtbot.waitSignal(grid.chosen) as chosen:
            QTest.mouseClick(
                grid.view.viewport(), Qt.MouseButton.LeftButton, pos=centre(grid, head)
            )
        assert chosen.args == [head]

    with qtbot.assertNotEmitted(grid.chosen):
        beside = QPoint(centre(grid, Head(0, 1)).x(), centre(grid, None).y())
        QTest.mouseClick(grid.view.viewport(), Qt.MouseButton.LeftButton, pos=beside)


@pytest.mark.parametrize(
    ("head", "key", "expected"),
    [
        (None, Qt.Key.Key_Down, Head(0, 0)),
        (None, Qt.Key.Key_Up, None),
        (Head(0, 0), Qt.Key.Key_Up, None),
        (Head(0, 0), Qt.Key.Key_Left, Head(0, 0)),
        (Head(0, 1), Qt.Key.Key_Right, Head(0, 1)),
        (Head(0, 1), Qt.Key.Key_Down, Head(1, 1)),
        (Head(1, 1), Qt.Key.Key_Down, Head(1, 1)),
    ],
)
def test_keys_choose_a_neighbour(
    qtbot: QtBot,
    grid: HeadGrid,
    analysis: PieceAnalysis,
    *,
    head: Head | None,
    key: Qt.Key,
    expected: Head | None,
) -> None:
    """The mean is above the first layer."""
    grid.show_analysis(analysis, head)

    with qtbot.waitSignal(grid.chosen) as chosen:
        QTest.keyClick(grid, key)

    assert chosen.args == [expected]


def test_axes_name_layers_and_heads(grid: HeadGrid) -> None:
    """The first row is the mean."""
    texts = {side: [text for _, text in ticks] for side, ticks in grid.labels.items()}

    assert texts == {"left": ["Mean", "L1", "L2"], "top": ["H1", "H2"]}


def test_screen_readers_name_the_chosen_head(grid: HeadGrid, analysis: PieceAnalysis) -> None:
    """Heads are counted from 1."""
    assert grid.accessibleDescription() == "Mean of all heads"

    grid.show_analysis(analysis, Head(1, 0))

    assert grid.accessibleDescription() == "Layer 2, head 1"


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_chosen_head_has_a_frame(grid: HeadGrid, analysis: PieceAnalysis, theme: Theme) -> None:
    """Its colour is the accent of the theme."""
    grid.set_theme(theme)
    grid.show_analysis(analysis, Head(1, 1))
    image = grid.view.grab().toImage()

    edge = grid.box.mapViewToScene(grid.tile(Head(1, 1)).topLeft())
    above = centre(grid, Head(1, 1)).x(), round(edge.y())
    assert image.pixelColor(*above) == QColor(theme.accent)
