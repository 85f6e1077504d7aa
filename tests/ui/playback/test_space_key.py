"""The space bar in the window: it plays, unless a control was focused by a key or takes text."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QMainWindow,
    QPushButton,
    QSpinBox,
    QStackedWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from musicrel.ui.shell.main_window import SpaceKey
from musicrel.ui.widgets import layout


class Bench(QMainWindow):
    """A window with one control of each kind; the space bar counts in ``played``."""

    def __init__(self) -> None:
        super().__init__()
        self.played = self.pressed = 0
        self.first, self.second = QPushButton("First"), QPushButton("Second")
        self.box, self.text, self.number = QComboBox(), QComboBox(editable=True), QSpinBox()
        self.box.addItems(["one", "two"])
        self.paper, self.stack = QWidget(), QStackedWidget()
        self.paper.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        other = QWidget()
        layout.column(self.second, owner=other)
        for page in (self.paper, other):
            self.stack.addWidget(page)
        inside = QWidget()
        layout.column(self.first, self.box, self.text, self.number, self.stack, owner=inside)
        self.setCentralWidget(inside)
        self.play = QAction(self, shortcut=QKeySequence("Space"))
        self.play.triggered.connect(self._count)
        self.addAction(self.play)
        for button in (self.first, self.second):
            button.clicked.connect(self._press)
        SpaceKey(self)

    def _count(self) -> None:
        self.played += 1

    def _press(self) -> None:
        self.pressed += 1

    def space(self) -> None:
        focused = QApplication.focusWidget()
        assert focused is not None
        QTest.keyClick(focused, Qt.Key.Key_Space)


@pytest.fixture
def bench(qtbot: QtBot) -> Iterator[Bench]:
    window = Bench()
    qtbot.addWidget(window)
    with qtbot.waitActive(window):
        window.show()
    window.paper.setFocus()
    yield window
    window.close()


def test_the_space_bar_plays_on_paper_and_in_numbers(bench: Bench) -> None:
    bench.space()
    bench.number.setFocus()
    bench.space()

    assert bench.played == 2


def test_a_control_that_was_reached_by_tab_keeps_it(bench: Bench) -> None:
    for reason in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.ShortcutFocusReason):
        bench.paper.setFocus()
        bench.first.setFocus(reason)
        bench.space()

    assert (bench.played, bench.pressed) == (0, 2)


def test_a_focus_that_nobody_moved_leaves_it_to_playback(bench: Bench) -> None:
    bench.stack.setCurrentIndex(1)
    assert QApplication.focusWidget() is bench.second

    bench.space()

    assert (bench.played, bench.pressed) == (1, 0)


@pytest.mark.parametrize("vanish", ["hide", "setDisabled"])
def test_the_control_after_one_that_vanished_leaves_it_to_playback(
    bench: Bench, vanish: str
) -> None:
    bench.first.setFocus(Qt.FocusReason.TabFocusReason)
    getattr(bench.first, vanish)(*(() if vanish == "hide" else (True,)))
    assert QApplication.focusWidget() is bench.box

    bench.space()

    assert bench.played == 1
    assert not bench.box.view().isVisible()


def test_a_list_keeps_it_after_it_was_closed(bench: Bench) -> None:
    bench.box.setFocus(Qt.FocusReason.TabFocusReason)
    bench.box.showPopup()
    bench.box.hidePopup()
    bench.space()

    assert bench.box.view().isVisible()
    assert bench.played == 0
    bench.box.hidePopup()


def test_a_text_takes_spaces(bench: Bench) -> None:
    bench.text.setFocus(Qt.FocusReason.MouseFocusReason)
    bench.space()

    assert bench.text.currentText() == " "
    assert bench.played == 0


def test_nothing_is_pressed_where_playback_is_impossible(bench: Bench) -> None:
    bench.play.setEnabled(False)
    bench.stack.setCurrentIndex(1)

    bench.space()

    assert (bench.played, bench.pressed) == (0, 0)
