"""The grid of effects: keys, mouse, menu and words."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QResizeEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from musicrel.figures.effects import EffectGrid
from musicrel.generation.heads.mutes import WHOLE, Head, Mutes
from musicrel.presentation.ablation.head_effects import HeadEffects
from musicrel.ui.ablation.note_effects_panel import EffectGridView

_EFFECTS = HeadEffects(
    of="Alto A4",
    model="relative",
    by="mean",
    by_head=np.array([[0.5, -0.25], [0.0, 0.75]]),
    by_voice=np.array([0.1, 0.0, -0.3, 0.0]),
)


@pytest.fixture
def grid(qtbot: QtBot) -> EffectGridView:
    grid = EffectGridView("Effects")
    qtbot.addWidget(grid)
    grid.resize(400, 200)
    grid.show_effects(_EFFECTS, Mutes(), Head(0, 0))
    return grid


def place(grid: EffectGridView, head: Head) -> QPoint:
    assert grid.figure is not None
    places = EffectGrid(_EFFECTS, grid.figure.width, grid.figure.height)
    box = places.layer(head.layer) if head.head == WHOLE else places.head(head)
    return (box.center() * grid.factor).toPoint()


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (Qt.Key.Key_Right, Head(0, 1)),
        (Qt.Key.Key_Down, Head(1, 0)),
        (Qt.Key.Key_Left, Head(0, 0)),
        (Qt.Key.Key_Up, Head(0, 0)),
    ],
)
def test_arrow_keys_choose_a_neighbour(
    grid: EffectGridView, qtbot: QtBot, key: Qt.Key, expected: Head
) -> None:
    with qtbot.waitSignal(grid.chosen) as chosen:
        QTest.keyClick(grid, key)

    assert chosen.args == [expected]


def test_keys_mute_the_chosen_head_or_its_layer(grid: EffectGridView) -> None:
    muted: list[Head] = []
    grid.mute_toggled.connect(muted.append)

    QTest.keyClick(grid, Qt.Key.Key_M)
    QTest.keyClick(grid, Qt.Key.Key_M, Qt.KeyboardModifier.ShiftModifier)

    assert muted == [Head(0, 0), Head(0, WHOLE)]


def test_a_click_chooses_a_head_and_the_name_of_a_layer_mutes_it(
    grid: EffectGridView, qtbot: QtBot
) -> None:
    with qtbot.waitSignal(grid.chosen) as chosen:
        QTest.mouseClick(
            grid, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place(grid, Head(1, 1))
        )
    with qtbot.waitSignal(grid.mute_toggled) as muted:
        QTest.mouseClick(
            grid,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
            place(grid, Head(1, WHOLE)),
        )

    assert (chosen.args, muted.args) == ([Head(1, 1)], [Head(1, WHOLE)])


def open_menu(grid: EffectGridView, head: Head) -> QMenu:
    at = place(grid, head)
    QApplication.sendEvent(grid, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, at))
    (menu,) = grid.findChildren(QMenu)
    return menu


def test_the_menu_mutes_the_head_under_the_mouse_or_its_layer(
    grid: EffectGridView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QMenu, "popup", lambda *_: None)
    grid.show_effects(_EFFECTS, Mutes.parse("2.2"), Head(0, 0))
    menu = open_menu(grid, Head(1, 1))
    titles = [action.text() for action in menu.actions() if action.text()]
    assert titles == ["Unmute layer 2, head 2", "Mute layer 2", "Unmute all heads"]

    with qtbot.waitSignal(grid.mute_toggled) as muted:
        menu.actions()[1].trigger()
    with qtbot.waitSignal(grid.cleared):
        menu.actions()[-1].trigger()
    menu.deleteLater()

    assert muted.args == [Head(1, WHOLE)]


def test_the_chosen_head_is_described_with_its_effect(grid: EffectGridView) -> None:
    assert grid.accessibleDescription().startswith("Layer 1, head 1 helped by 0.50 nats. Effects")

    grid.show_effects(_EFFECTS, Mutes.parse("1.1"), Head(0, 0))

    assert grid.accessibleDescription().startswith("Layer 1, head 1 helped by 0.50 nats; muted.")


def test_the_head_under_the_mouse_is_described(grid: EffectGridView) -> None:
    words: list[str] = []
    grid.described.connect(words.append)

    at = place(grid, Head(0, 1))
    grid.pointed.emit(at.x() / grid.factor, at.y() / grid.factor)
    grid.pointed.emit(-1.0, -1.0)

    assert words == ["Layer 1, head 2 hindered by 0.25 nats", ""]


def test_the_head_with_the_frame_is_described_after_a_change_of_size(grid: EffectGridView) -> None:
    before = grid.accessibleDescription()
    assert before.startswith("Layer 1, head 1 ")

    grid.resizeEvent(QResizeEvent(grid.size(), grid.size()))

    assert grid.accessibleDescription() == before
