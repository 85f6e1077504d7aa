"""Fixtures of the tests of editing: a user at the roll of a window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QGuiApplication, QMouseEvent
from PySide6.QtTest import QTest

from musicrel.chorale import Chorale
from musicrel.figures.roll import KEYBOARD_WIDTH, RULER_HEIGHT
from musicrel.score.editing.notes import Note, notes, voice_notes
from musicrel.score.editing.selection import Selection
from musicrel.ui.app_controller import AppController
from musicrel.ui.shell.main_window import MainWindow

AIR = Chorale.of([(72, 67, 64, 48)] * 8 + [(74, 67, 65, 50)] * 8 + [(72, 67, 64, 48)] * 16)
LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier


class Hand:
    """A user that edits on the roll.

    Attributes:
        document: what is edited.
        window: the window.
        roll: the view.
    """

    def __init__(self, app: AppController, window: MainWindow) -> None:
        self.document, self.window = app.document, window
        self.input = app.note_input
        self.roll = window.compose_page.roll
        self.roll.setFocus()

    def show(self, piece: Chorale) -> None:
        self.document.show_piece(piece)

    def select(self, voices: tuple[int, ...], start: int, stop: int) -> None:
        self.document.select(Selection(voices=voices, start=start, stop=stop))

    def press(self, *keys: Qt.Key, held: Qt.KeyboardModifier = NONE) -> None:
        for key in keys:
            QTest.keyClick(self.roll, key, held)

    def type(self, text: str) -> None:
        QTest.keyClicks(self.roll, text)

    def point(self, step: float, pitch: int) -> QPoint:
        seen = self.roll.seen
        y = seen.y(pitch) + seen.row_height / 2
        return QPoint(KEYBOARD_WIDTH + round(seen.x(step)), RULER_HEIGHT + round(y))

    def click(self, step: float, pitch: int) -> None:
        QTest.mouseClick(self.roll.viewport(), LEFT, NONE, self.point(step, pitch))

    def drag(
        self, start: tuple[float, int], stop: tuple[float, int], held: Qt.KeyboardModifier = NONE
    ) -> None:
        QTest.mousePress(self.roll.viewport(), LEFT, held, self.point(*start))
        QTest.mouseRelease(self.roll.viewport(), LEFT, held, self.point(*stop))

    def hold(
        self, start: tuple[float, int], stop: tuple[float, int], held: Qt.KeyboardModifier = NONE
    ) -> None:
        QTest.mousePress(self.roll.viewport(), LEFT, held, self.point(*start))
        QTest.mouseMove(self.roll.viewport(), self.point(*stop))

    def release(self, step: float, pitch: int) -> None:
        QTest.mouseRelease(self.roll.viewport(), LEFT, NONE, self.point(step, pitch))

    def hover(self, step: float, pitch: int) -> Qt.CursorShape:
        """Move the mouse without a button; return the shape of the pointer there."""
        place, none = QPointF(self.point(step, pitch)), Qt.MouseButton.NoButton
        event = QMouseEvent(QEvent.Type.MouseMove, place, place, none, none, NONE)
        QCoreApplication.sendEvent(self.roll.viewport(), event)
        return self.roll.viewport().cursor().shape()

    def double_click(self, step: float, pitch: int) -> None:
        QTest.mouseDClick(self.roll.viewport(), LEFT, NONE, self.point(step, pitch))

    def notes(self, voice: int | None = None) -> list[Note]:
        assert self.document.piece is not None
        piece = self.document.piece
        return notes(piece) if voice is None else voice_notes(piece, voice)

    def melody(self, voice: int = 0) -> list[tuple[int, int, int]]:
        return [note[:3] for note in self.notes(voice)]

    def command(self, name: str) -> QAction:
        action = getattr(self.window.commands.edit, name)
        assert isinstance(action, QAction)
        return action

    @property
    def undo(self) -> str:
        return self.window.commands.undo.text().removeprefix("&Undo: ")


@pytest.fixture
def hand(app: AppController) -> Hand:
    return Hand(app, app.window)


@pytest.fixture
def editing(hand: Hand) -> Hand:
    """Return a user with a piece of two bars; the second note of the soprano is selected."""
    hand.show(AIR)
    hand.select((0,), 8, 16)
    return hand


@pytest.fixture(autouse=True)
def empty_clipboard() -> Iterator[None]:
    QGuiApplication.clipboard().clear()
    yield
    QGuiApplication.clipboard().clear()
