"""A robustness test: two thousand random edits in roll and score, undone and redone."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale, Flags
from musicrel.ui.app_controller import AppController
from musicrel.ui.document.document import Document
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.fakes import earlier_piece

EDITS = 2_000
SEED = 11_685
KEY = Qt.Key
NONE, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
ARROWS = (KEY.Key_Left, KEY.Key_Right, KEY.Key_Up, KEY.Key_Down)
MODIFIERS = (NONE, NONE, SHIFT, CTRL, ALT, ALT | SHIFT)
LETTERS = tuple(KEY(code) for code in range(KEY.Key_A.value, KEY.Key_H.value))
INPUT = (
    *LETTERS, *LETTERS, KEY.Key_0, KEY.Key_3, KEY.Key_4, KEY.Key_5, KEY.Key_6, KEY.Key_7,
    KEY.Key_Period, KEY.Key_Backspace, KEY.Key_Delete, KEY.Key_1, KEY.Key_2, KEY.Key_Escape,
    KEY.Key_R, KEY.Key_N, KEY.Key_Home, KEY.Key_End,
)  # fmt: skip
LEFT = Qt.MouseButton.LeftButton


class Editor:
    def __init__(self, app: AppController, window: MainWindow) -> None:
        self.document, self.window = app.document, window
        self.rng = random.Random(SEED)  # noqa: S311  # no secret
        self.done: dict[str, int] = {}
        self.kinds: tuple[Callable[[], None], ...] = (
            self.arrow, self.arrow, self.type, self.type, self.trigger, self.trigger, self.trigger,
            self.drag, self.drag, self.click, self.switch_sheet, self.undo_and_redo,
        )  # fmt: skip

    def step(self) -> str:
        """Perform one action and process its events; return its name."""
        kind = self.rng.choice(self.kinds)
        self.done[kind.__name__] = self.done.get(kind.__name__, 0) + 1
        QTimer.singleShot(0, self.close_popups)
        kind()
        QApplication.processEvents()
        self.close_popups()
        return kind.__name__

    def close_popups(self) -> None:
        menu = QApplication.activePopupWidget()
        if menu is not None:
            menu.close()
        for dialog in self.window.findChildren(QDialog):
            if dialog.isVisible():
                self.rng.choice((dialog.accept, dialog.reject))()

    @property
    def sheet(self) -> QWidget:
        return self.window.compose_page.shown

    def arrow(self) -> None:
        """Press an arrow key with any modifiers: cursor, selection, nudge or resize."""
        QTest.keyClick(self.sheet, self.rng.choice(ARROWS), self.rng.choice(MODIFIERS))

    def type(self) -> None:
        QTest.keyClick(self.sheet, self.rng.choice(INPUT))

    def trigger(self) -> None:
        edit, rewriting = self.window.commands.edit, self.window.commands.rewriting
        known = [*vars(edit).values(), rewriting.lock, rewriting.draw, *rewriting.voices]
        flat = [one for part in known for one in (part if isinstance(part, tuple) else (part,))]
        actions = [one for one in flat if isinstance(one, QAction) and one.isEnabled()]
        self.rng.choice(actions).trigger()

    def drag(self) -> None:
        """Drag between two points that are near each other: move, resize or rubber band."""
        port, start = self.viewport(), self.anywhere()
        stop = start + QPoint(self.rng.randrange(-90, 90), self.rng.randrange(-60, 60))
        modifier = self.rng.choice((NONE, NONE, SHIFT, ALT))
        QTest.mousePress(port, LEFT, modifier, start)
        for share in (0.3, 0.7, 1.0):
            QTest.mouseMove(port, start + (stop - start) * share)
        QTest.mouseRelease(port, LEFT, modifier, stop)

    def click(self) -> None:
        self.rng.choice((QTest.mouseClick, QTest.mouseDClick))(
            self.viewport(), LEFT, NONE, self.anywhere()
        )

    def switch_sheet(self) -> None:
        self.window.commands.score.toggle()

    def undo_and_redo(self) -> None:
        count = self.rng.randrange(1, 4)
        undone = sum(self.document.undo() is not None for _ in range(count))
        for _ in range(undone):
            self.document.redo()

    def viewport(self) -> QWidget:
        return self.window.compose_page.shown.viewport()

    def anywhere(self) -> QPoint:
        port = self.viewport()
        return QPoint(self.rng.randrange(port.width()), self.rng.randrange(port.height()))


def state_of(document: Document) -> tuple[Chorale, Flags]:
    assert document.piece is not None
    assert document.locks is not None
    return document.piece, document.locks


def steps_of(document: Document) -> int:
    return document.contents({}).position


def assert_selection_in_piece(document: Document) -> None:
    piece, selection = document.piece, document.selection
    assert piece is not None
    assert selection is None or selection.stop <= piece.steps


def test_two_thousand_edits_are_undone_bit_for_bit(app: AppController, qtbot: QtBot) -> None:
    """No exception; Undo leads to the first state, Redo to the last one, bit for bit.

    An action makes at most one step of Undo (a double click in note input is two clicks), and the
    selection lies in the piece after each.
    """
    document = app.document
    document.show_piece(earlier_piece())
    first, first_locks = state_of(document)
    editor = Editor(app, app.window)
    changed = 0
    for _ in range(EDITS):
        before, steps = document.piece, steps_of(document)
        kind = editor.step()
        changed += document.piece is not before
        assert steps_of(document) <= steps + (2 if kind == "click" else 1), kind
        assert_selection_in_piece(document)
    last, last_locks = state_of(document)

    assert len(editor.done) == len(set(editor.kinds))
    assert changed > EDITS // 6
    while document.undo() is not None:
        pass
    undone, undone_locks = state_of(document)
    assert undone == first
    assert np.array_equal(undone_locks, first_locks)
    while document.redo() is not None:
        pass
    redone, redone_locks = state_of(document)
    assert redone == last
    assert np.array_equal(redone_locks, last_locks)
    qtbot.waitUntil(lambda: not app.engraving.busy)
