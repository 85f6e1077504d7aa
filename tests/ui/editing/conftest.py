"""Fixtures of the tests of editing: a user at the roll of a window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtTest import QTest

from musicrel.chorale import Chorale
from musicrel.editing.notes import Note, notes, voice_notes
from musicrel.editing.selection import Selection
from musicrel.ui.app_controller import AppController
from musicrel.ui.roll.roll_paint import KEYBOARD_WIDTH, RULER_HEIGHT
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

    def __init__(self, app_controller: AppController, window: MainWindow) -> None:
        self.document, self.window = app_controller.document, window
        self.input = app_controller.editing.input
        self.roll = window.compose_page.roll
        self.roll.setFocus()

    def show(self, piece: Chorale) -> None:
        """Make a piece the current one."""
        self.document.show_piece(piece)

    def select(self, voices: tuple[int, ...], start: int, stop: int) -> None:
        """Select a passage."""
        self.document.select(Selection(voices=voices, start=start, stop=stop))

    def press(self, *keys: Qt.Key, held: Qt.KeyboardModifier = NONE) -> None:
        """Press keys on the roll."""
        for key in keys:
            QTest.keyClick(self.roll, key, held)

    def type(self, text: str) -> None:
        """Type characters on the roll."""
        QTest.keyClicks(self.roll, text)

    def point(self, step: float, pitch: int) -> QPoint:
        """Return the position of a step and a pitch on the roll."""
        seen = self.roll.seen
        y = seen.y(pitch) + seen.row_height / 2
        return QPoint(KEYBOARD_WIDTH + round(seen.x(step)), RULER_HEIGHT + round(y))

    def click(self, step: float, pitch: int) -> None:
        """Click on the roll."""
        QTest.mouseClick(self.roll.viewport(), LEFT, NONE, self.point(step, pitch))

    def drag(
        self, start: tuple[float, int], stop: tuple[float, int], held: Qt.KeyboardModifier = NONE
    ) -> None:
        """Drag from one place to another."""
        QTest.mousePress(self.roll.viewport(), LEFT, held, self.point(*start))
        QTest.mouseRelease(self.roll.viewport(), LEFT, held, self.point(*stop))

    def double_click(self, step: float, pitch: int) -> None:
        """Click twice on the roll."""
        QTest.mouseDClick(self.roll.viewport(), LEFT, NONE, self.point(step, pitch))

    def notes(self, voice: int | None = None) -> list[Note]:
        """Return the notes of the piece, or of a voice of it."""
        assert self.document.piece is not None
        piece = self.document.piece
        return notes(piece) if voice is None else voice_notes(piece, voice)

    def melody(self, voice: int = 0) -> list[tuple[int, int, int]]:
        """Return start, stop and pitch of the notes of a voice."""
        return [note[:3] for note in self.notes(voice)]

    def command(self, name: str) -> QAction:
        """Return a command of the Edit menu."""
        action = getattr(self.window.commands.edit, name)
        assert isinstance(action, QAction)
        return action

    @property
    def undo(self) -> str:
        """Return what the command Undo names."""
        return self.window.commands.undo.text().removeprefix("&Undo: ")


@pytest.fixture
def hand(app_controller: AppController, window: MainWindow) -> Hand:
    """Return a user at an empty sheet of two bars."""
    return Hand(app_controller, window)


@pytest.fixture
def editing(hand: Hand) -> Hand:
    """Return a user with a piece of two bars; the second note of the soprano is selected."""
    hand.show(AIR)
    hand.select((0,), 8, 16)
    return hand


@pytest.fixture(autouse=True)
def empty_clipboard() -> Iterator[None]:
    """Leave nothing on the clipboard."""
    QGuiApplication.clipboard().clear()
    yield
    QGuiApplication.clipboard().clear()
