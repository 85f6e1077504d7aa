"""The attention map of one head."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from musicrel.generation.heads.mutes import Head
from musicrel.interpretability.piece_analysis import Levels, PieceAnalysis
from musicrel.presentation.words.palette import LIGHT
from musicrel.ui.attention.attention_plots import AttentionMap
from musicrel.ui.attention.head_grid import Choices
from tests.ui.attention.conftest import CELLS, Analyse, add_cells


@pytest.fixture
def attention_map(qtbot: QtBot, analysis: PieceAnalysis) -> AttentionMap:
    attention_map = AttentionMap(Choices())
    qtbot.addWidget(attention_map)
    attention_map.resize(500, 400)
    attention_map.set_theme(LIGHT)
    with qtbot.waitExposed(attention_map):
        attention_map.show()
    attention_map.show_analysis(analysis, Head(0, 0), None)
    return attention_map


def pixels(attention_map: AttentionMap) -> Levels:
    image: Levels = attention_map.map.image.image
    return image


def visible(attention_map: AttentionMap) -> tuple[float, ...]:
    """Return the visible part: left, top, width, height."""
    rect = attention_map.box.viewRect()
    return tuple(round(part, 3) for part in (rect.x(), rect.y(), rect.width(), rect.height()))


def place(attention_map: AttentionMap, row: int, column: int) -> QPoint:
    scene = attention_map.box.mapViewToScene(QPointF(column + 0.5, row + 0.5))
    point: QPoint = attention_map.view.mapFromScene(scene)
    return point


def click(attention_map: AttentionMap, row: int, column: int) -> None:
    viewport = attention_map.view.viewport()
    QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=place(attention_map, row, column))


def labels(attention_map: AttentionMap, side: str) -> list[str]:
    return [text for _, text in attention_map.map.labels[side]]


def turn_wheel(attention_map: AttentionMap, spot: QPoint, delta: int) -> None:
    viewport = attention_map.view.viewport()
    event = QWheelEvent(
        QPointF(spot), QPointF(viewport.mapToGlobal(spot)), QPoint(), QPoint(0, delta),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase,
        False,
    )  # fmt: skip
    QApplication.sendEvent(viewport, event)


def test_weights_are_at_their_rows_and_columns(attention_map: AttentionMap) -> None:
    expected = np.tril(np.ones((CELLS, CELLS)))
    np.fill_diagonal(expected, 255)

    assert (pixels(attention_map) == expected).all()


@pytest.mark.parametrize("head", [Head(0, 1), Head(1, 0), Head(1, 1)])
def test_another_head_has_another_image(
    attention_map: AttentionMap, analysis: PieceAnalysis, head: Head
) -> None:
    attention_map.show_analysis(analysis, head, None)

    back = 2 * head.layer + head.head
    assert pixels(attention_map)[50, 50 - back] == 255
    assert (pixels(attention_map)[50] == 255).sum() == 1


def test_image_of_a_small_map_shows_the_largest_weights(
    qtbot: QtBot, attention_map: AttentionMap
) -> None:
    attention_map.resize(attention_map.minimumSizeHint())
    attention_map.view.resize(190, 130)
    qtbot.waitUntil(lambda: len(pixels(attention_map)) < CELLS)

    assert (pixels(attention_map) == 255).any(axis=1).all()
    assert (pixels(attention_map) == 255).any(axis=0).all()


def test_colours_are_those_of_the_scale(attention_map: AttentionMap, analyse: Analyse) -> None:
    attention_map.show_analysis(analyse(CELLS // 2), Head(0, 0), None)
    image: QImage = attention_map.view.grab().toImage()
    ratio = image.devicePixelRatio()

    def colour(row: int, column: int) -> QColor:
        return image.pixelColor(place(attention_map, row, column) * ratio)

    assert colour(40, 40) == QColor(LIGHT.text)
    assert colour(20, 50) == colour(100, 30) == QColor(LIGHT.panel)


def test_scale_ends_at_the_largest_weights(
    attention_map: AttentionMap, analysis: PieceAnalysis
) -> None:
    assert attention_map.map.scale_labels == ("0 %", "25 %", "100 %")

    attention_map.show_analysis(analysis, None, None)

    assert attention_map.map.scale_labels == ("0 %", "12 %", "≥ 50 %")


def test_map_grows_with_the_piece(attention_map: AttentionMap, analyse: Analyse) -> None:
    growing = analyse(40)
    attention_map.show_analysis(growing, Head(0, 0), None)
    assert not pixels(attention_map)[40:].any()

    for cells in (41, 60):
        add_cells(growing, cells)
        attention_map.show_analysis(growing, Head(0, 0), cells - 1)

        assert (pixels(attention_map).diagonal() == 255).sum() == cells
        assert (pixels(attention_map)[:cells] > 0).sum() == cells * (cells + 1) / 2


def test_zoom_is_kept_while_a_model_generates(
    attention_map: AttentionMap, analyse: Analyse
) -> None:
    growing = analyse(40)
    attention_map.show_analysis(growing, None, None)
    QTest.keyClick(attention_map, Qt.Key.Key_Plus)
    QTest.keyClick(attention_map, Qt.Key.Key_Up)
    before = visible(attention_map)
    add_cells(growing, 41)
    attention_map.show_analysis(growing, Head(0, 0), 40)

    assert visible(attention_map) == before
    longer = PieceAnalysis(growing.chorale.cropped(0, 20), "full", 2, 2, wrote=False)
    attention_map.show_analysis(longer, None, None)
    assert visible(attention_map) == (0, 0, 80, 80)


def test_keys_zoom_and_scroll_inside_the_map(attention_map: AttentionMap) -> None:
    for key, expected in (
        (Qt.Key.Key_Plus, (21.333, 21.333, 85.333, 85.333)),
        (Qt.Key.Key_Left, (4.267, 21.333, 85.333, 85.333)),
        (Qt.Key.Key_Left, (0, 21.333, 85.333, 85.333)),
        (Qt.Key.Key_Down, (0, 38.4, 85.333, 85.333)),
        (Qt.Key.Key_Minus, (0, 0, 128, 128)),
    ):
        QTest.keyClick(attention_map, key)
        assert visible(attention_map) == expected
    for _ in range(9):
        QTest.keyClick(attention_map, Qt.Key.Key_Plus)
    assert visible(attention_map)[2:] == (16, 16)
    QTest.keyClick(attention_map, Qt.Key.Key_0)
    assert visible(attention_map) == (0, 0, 128, 128)


def test_wheel_zooms_around_the_mouse(qtbot: QtBot, attention_map: AttentionMap) -> None:
    spot = place(attention_map, 100, 20)
    before = attention_map.box.mapSceneToView(attention_map.view.mapToScene(spot))
    turn_wheel(attention_map, spot, 240)
    qtbot.waitUntil(lambda: visible(attention_map)[2] < CELLS)

    after = attention_map.box.mapSceneToView(attention_map.view.mapToScene(spot))
    assert (after.x(), after.y()) == pytest.approx((before.x(), before.y()), abs=0.5)


def test_axes_name_bars_then_beats_and_voices(attention_map: AttentionMap) -> None:
    assert (labels(attention_map, "left"), labels(attention_map, "right")) == (["1", "2"], [])
    for _ in range(5):
        QTest.keyClick(attention_map, Qt.Key.Key_Plus)

    assert labels(attention_map, "left")[:4] == ["1.1", "1.2", "1.3", "1.4"]
    rows, columns = attention_map.map.labels["right"], attention_map.map.labels["bottom"]
    assert all(letter == "SATB"[int(place) % 4] for place, letter in rows)
    assert all(letter == "SATB"[int(place) % 4 - 1] for place, letter in columns)
    assert min(len(rows), len(columns)) >= 16


def test_dot_under_the_mouse_is_reported(qtbot: QtBot, attention_map: AttentionMap) -> None:
    with qtbot.waitSignal(attention_map.pointed) as moved:
        QTest.mouseMove(attention_map.view.viewport(), place(attention_map, 90, 33))
    assert moved.args == [90, 33]

    with qtbot.waitSignal(attention_map.pointed) as left:
        QApplication.sendEvent(attention_map, QEvent(QEvent.Type.Leave))
    assert left.args == [-1, -1]


def test_click_chooses_a_row(qtbot: QtBot, attention_map: AttentionMap) -> None:
    with qtbot.waitSignal(attention_map.choices.cell_chosen) as chosen:
        click(attention_map, row=90, column=33)
    assert chosen.args == [90]

    with qtbot.assertNotEmitted(attention_map.choices.cell_chosen):
        click(attention_map, row=33, column=90)
