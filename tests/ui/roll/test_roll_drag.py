"""Notes on the roll that are moved, copied, lengthened and written with the mouse."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.editing.selection import Selection
from musicrel.presentation.roll import roll
from musicrel.presentation.roll.roll import RollNote
from musicrel.ui.roll.roll_drag import NOTE_TIP, RollDrag
from musicrel.ui.roll.roll_paint import KEYBOARD_WIDTH, RULER_HEIGHT
from musicrel.ui.roll.roll_selection import RollSelection
from musicrel.ui.roll.roll_view import RollView

PICTURE = roll.draw(Chorale.of([[72, 67, 64, 48]] * 8 + [[74, 65, 62, 50]] * 24))
LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
NO_BUTTON = Qt.MouseButton.NoButton
NONE, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
ALT, CTRL = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier


class Mouse:
    """A mouse on a roll; it records what its gestures ask for."""

    def __init__(self, view: RollView, selecting: RollSelection) -> None:
        self.view, self.selecting = view, selecting
        self.drag = RollDrag(view, selecting)
        self.asked: list[tuple[object, ...]] = []
        for name in ("moved", "copied", "resized", "added", "removed", "drawn", "refused"):
            getattr(self.drag, name).connect(lambda *args, n=name: self.asked.append((n, *args)))

    def point(self, step: float, pitch: int) -> QPoint:
        seen = self.view.seen
        x, y = seen.x(step), seen.y(pitch) + seen.row_height / 2
        return QPoint(KEYBOARD_WIDTH + round(x), RULER_HEIGHT + round(y))

    def press(self, step: float, pitch: int, keys: Qt.KeyboardModifier = NONE) -> None:
        QTest.mousePress(self.view.viewport(), LEFT, keys, self.point(step, pitch))

    def move(self, step: float, pitch: int) -> None:
        QTest.mouseMove(self.view.viewport(), self.point(step, pitch))

    def hover(self, step: float, pitch: int) -> None:
        place = QPointF(self.point(step, pitch))
        event = QMouseEvent(QEvent.Type.MouseMove, place, place, NO_BUTTON, NO_BUTTON, NONE)
        QCoreApplication.sendEvent(self.view.viewport(), event)

    def release(self, step: float, pitch: int, keys: Qt.KeyboardModifier = NONE) -> None:
        QTest.mouseRelease(self.view.viewport(), LEFT, keys, self.point(step, pitch))

    def pull(
        self, start: tuple[float, int], stop: tuple[float, int], keys: Qt.KeyboardModifier = NONE
    ) -> None:
        self.press(*start, keys)
        self.release(*stop, keys)

    def double_click(self, step: float, pitch: int) -> None:
        QTest.mouseDClick(self.view.viewport(), LEFT, NONE, self.point(step, pitch))

    @property
    def outlined(self) -> list[RollNote]:
        return list(self.drag.outlined)

    @property
    def shape(self) -> Qt.CursorShape:
        return self.view.viewport().cursor().shape()


@pytest.fixture
def mouse(qtbot: QtBot) -> Iterator[Mouse]:
    view = RollView()
    qtbot.addWidget(view)
    view.resize(KEYBOARD_WIDTH + 650, RULER_HEIGHT + 530)
    mouse = Mouse(view, RollSelection(view))
    view.show_roll(PICTURE)
    with qtbot.waitExposed(view):
        view.show()
    yield mouse
    view.close()


def test_drag_moves_the_note_under_the_mouse(mouse: Mouse) -> None:
    """It becomes the selection, and an outline shows where it would be."""
    mouse.press(3.5, 67)
    mouse.move(7.5, 69)
    assert mouse.outlined == [RollNote(4, 12, 69, 1)]
    assert mouse.selecting.selection == Selection(voices=(1,), start=0, stop=8)
    mouse.release(7.5, 69)

    assert mouse.asked == [("moved", 4, 2)]
    assert mouse.outlined == []


def test_drag_moves_the_selection_if_the_note_is_in_it(mouse: Mouse) -> None:
    """All its notes are outlined, with their whole lengths."""
    selected = Selection(voices=(1, 2), start=4, stop=6)
    mouse.selecting.select(selected)
    mouse.press(3.5, 67)
    mouse.move(5.5, 67)
    assert set(mouse.outlined) == {RollNote(2, 10, 67, 1), RollNote(2, 10, 64, 2)}
    mouse.release(5.5, 67)

    assert mouse.asked == [("moved", 2, 0)]
    assert mouse.selecting.selection == selected


@pytest.mark.parametrize("key", [ALT, CTRL])
def test_drag_with_alt_or_control_copies(mouse: Mouse, key: Qt.KeyboardModifier) -> None:
    """Window managers may keep Alt to themselves, so that Ctrl does the same."""
    mouse.pull((3.5, 67), (11.5, 66), key)
    assert mouse.asked == [("copied", 8, -1)]


def test_drag_with_shift_keeps_one_direction(mouse: Mouse) -> None:
    """It is the one in which the mouse has gone farther."""
    mouse.pull((3.5, 67), (15.5, 68), SHIFT)
    mouse.pull((3.5, 67), (4.6, 55), SHIFT)
    assert mouse.asked == [("moved", 12, 0), ("moved", 0, -12)]


def test_drag_of_the_right_edge_resizes_one_note(mouse: Mouse) -> None:
    """A selection of several notes is replaced by the one."""
    mouse.selecting.select(Selection(voices=(1, 2), start=0, stop=8))
    mouse.press(7.9, 67)
    mouse.move(11.9, 72)
    assert mouse.outlined == [RollNote(0, 12, 67, 1)]
    mouse.release(11.9, 72)

    assert mouse.asked == [("resized", 4)]
    assert mouse.selecting.selection == Selection(voices=(1,), start=0, stop=8)


def test_drag_beyond_the_edge_scrolls(mouse: Mouse) -> None:
    """The note stays under the mouse."""
    for _ in range(6):
        mouse.view.zoom_in()
    mouse.view.horizontalScrollBar().setValue(0)
    mouse.press(3.5, 67)
    outside = QPoint(mouse.view.viewport().width() + 5, mouse.point(3.5, 67).y())
    for _ in range(3):
        QTest.mouseMove(mouse.view.viewport(), outside - QPoint(0, 1))
        QTest.mouseMove(mouse.view.viewport(), outside)
    assert mouse.view.seen.left > 0
    under = mouse.view.seen.step_at(outside.x() - KEYBOARD_WIDTH)
    assert abs(mouse.outlined[0].start + 3.5 - under) < 1


def test_escape_cancels_a_drag(mouse: Mouse) -> None:
    """The release does nothing, and the next drag works again."""
    mouse.press(3.5, 67)
    mouse.move(7.5, 69)
    QTest.keyClick(mouse.view, Qt.Key.Key_Escape)
    assert mouse.outlined == []
    mouse.move(9.5, 69)
    mouse.release(9.5, 69)
    assert mouse.asked == []
    assert mouse.selecting.selection is not None

    mouse.pull((3.5, 67), (4.7, 67))
    assert mouse.asked == [("moved", 1, 0)]


def test_escape_cancels_a_rubber_band(mouse: Mouse) -> None:
    """The selection stays as it was."""
    before = Selection(voices=(3,), start=0, stop=8)
    mouse.selecting.select(before)
    mouse.press(2.5, 69)
    mouse.move(9.5, 60)
    QTest.keyClick(mouse.view, Qt.Key.Key_Escape)
    mouse.release(9.5, 60)
    assert mouse.selecting.selection == before


def test_double_click_adds_and_removes(mouse: Mouse) -> None:
    """On empty paper a note is added, a note is removed; beyond the end nothing happens."""
    mouse.double_click(12.5, 70)
    mouse.double_click(3.5, 67)
    kind, step, pitch = mouse.asked[0]
    assert (kind, int(float(str(step))), pitch) == ("added", 12, 70)
    assert mouse.asked[1] == ("removed", RollNote(0, 8, 67, 1))
    mouse.double_click(33.0, 70)
    assert len(mouse.asked) == 2


def test_pointer_shows_what_a_press_does(mouse: Mouse) -> None:
    """It resizes, moves, or selects."""
    shapes = []
    for step, pitch in ((7.9, 67), (3.5, 67), (3.5, 70)):
        mouse.hover(step, pitch)
        shapes.append(mouse.shape.name)
    assert shapes == ["SizeHorCursor", "SizeAllCursor", "ArrowCursor"]


def test_reason_against_editing_is_given(mouse: Mouse) -> None:
    """A drag, a double click and a tooltip give it; nothing is outlined."""
    mouse.drag.set_disabled_reason("Wait")
    mouse.press(3.5, 67)
    mouse.move(7.5, 69)
    assert mouse.outlined == []
    mouse.release(7.5, 69)
    mouse.double_click(3.5, 70)
    assert mouse.asked == [("refused", "Wait"), ("refused", "Wait")]
    assert NOTE_TIP not in mouse.view.tip_at(mouse.point(3.5, 67))
    mouse.drag.set_disabled_reason("")
    assert mouse.view.tip_at(mouse.point(3.5, 67)).endswith(NOTE_TIP)


def test_clicks_and_drags_write_notes(mouse: Mouse) -> None:
    """A click writes the length that was set, a drag its own; nothing is selected."""
    mouse.drag.write(2, 4)
    mouse.hover(9.2, 60)
    assert mouse.outlined == [RollNote(8, 12, 60, 2)]
    mouse.pull((9.2, 60), (9.2, 60))
    mouse.pull((4.5, 58), (11.5, 58))
    assert mouse.asked == [("drawn", 8, 12, 60), ("drawn", 4, 12, 58)]
    assert mouse.selecting.selection is None
    assert mouse.shape == Qt.CursorShape.CrossCursor


def test_click_on_a_note_of_the_written_voice_removes_it(mouse: Mouse) -> None:
    """Notes of other voices are written over."""
    mouse.drag.write(1, 1)
    mouse.pull((3.5, 67), (3.5, 67))
    mouse.pull((3.5, 64), (3.5, 64))
    assert mouse.asked == [("removed", RollNote(0, 8, 67, 1)), ("drawn", 3, 4, 64)]


def test_escape_cancels_writing_a_note(mouse: Mouse) -> None:
    """The release writes nothing."""
    mouse.drag.write(2, 4)
    mouse.press(4.5, 58)
    mouse.move(11.5, 58)
    QTest.keyClick(mouse.view, Qt.Key.Key_Escape)
    mouse.release(11.5, 58)
    assert mouse.asked == []
    mouse.pull((4.5, 58), (11.5, 58))
    assert mouse.asked == [("drawn", 4, 12, 58)]


def test_right_button_writes_nothing(mouse: Mouse) -> None:
    """It opens the context menu."""
    mouse.drag.write(2, 4)
    QTest.mouseClick(mouse.view.viewport(), RIGHT, NONE, mouse.point(4.5, 58))
    assert mouse.asked == []
