"""Selection on the piano roll."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.editing.selection import Selection
from musicrel.figures.roll import KEYBOARD_WIDTH, RULER_HEIGHT
from musicrel.presentation.roll import roll
from musicrel.presentation.words.palette import LIGHT
from musicrel.ui.roll.roll_selection import RollSelection
from musicrel.ui.roll.roll_view import RollView

PICTURE = roll.draw(Chorale.of([[72, 67, 64, 48]] * 8 + [[74, 65, 62, 50]] * 24))
LEFT = Qt.MouseButton.LeftButton
NO_KEYS = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def selecting(qtbot: QtBot) -> Iterator[RollSelection]:
    view = RollView()
    qtbot.addWidget(view)
    view.resize(KEYBOARD_WIDTH + 650, RULER_HEIGHT + 530)
    selecting = RollSelection(view)
    view.show_roll(PICTURE)
    with qtbot.waitExposed(view):
        view.show()
    yield selecting
    view.close()


def roll_of(selecting: RollSelection) -> RollView:
    view = selecting.parent()
    assert isinstance(view, RollView)
    return view


def point_at(selecting: RollSelection, step: float, pitch: int) -> QPoint:
    view = roll_of(selecting).seen
    x, y = KEYBOARD_WIDTH + view.x(step), RULER_HEIGHT + view.y(pitch) + view.row_height / 2
    return QPoint(round(x), round(y))


def click(selecting: RollSelection, step: float, pitch: int, keys: Qt.KeyboardModifier) -> None:
    QTest.mouseClick(roll_of(selecting).viewport(), LEFT, keys, point_at(selecting, step, pitch))


def drag(
    selecting: RollSelection,
    start: tuple[float, int],
    stop: tuple[float, int],
    keys: Qt.KeyboardModifier = NO_KEYS,
) -> None:
    port = roll_of(selecting).viewport()
    QTest.mousePress(port, LEFT, keys, point_at(selecting, *start))
    QTest.mouseMove(port, point_at(selecting, *stop))
    QTest.mouseRelease(port, LEFT, keys, point_at(selecting, *stop))


def press(selecting: RollSelection, *keys: Qt.Key, shift: bool = False) -> None:
    for key in keys:
        QTest.keyClick(roll_of(selecting), key, SHIFT if shift else NO_KEYS)


def some(voices: tuple[int, ...], start: int, stop: int) -> Selection:
    return Selection(voices=voices, start=start, stop=stop)


def test_click_on_a_note_selects_it(selecting: RollSelection, qtbot: QtBot) -> None:
    with qtbot.waitSignal(selecting.selection_changed) as emitted:
        click(selecting, 3.5, 67, NO_KEYS)

    assert selecting.selection == some((1,), 0, 8) == emitted.args[0]


def test_click_on_empty_paper_changes_nothing(selecting: RollSelection) -> None:
    click(selecting, 3.5, 67, NO_KEYS)
    click(selecting, 3.5, 80, NO_KEYS)

    assert selecting.selection == some((1,), 0, 8)


def test_shift_and_click_extend(selecting: RollSelection) -> None:
    click(selecting, 3.5, 67, NO_KEYS)
    click(selecting, 9.5, 62, SHIFT)

    assert selecting.selection == some((1, 2), 0, 32)


def test_rubber_band_selects_voices_over_time(selecting: RollSelection) -> None:
    drag(selecting, (2.5, 68), (5.5, 63))
    assert selecting.selection == some((1, 2), 2, 6)
    drag(selecting, (6.2, 50), (7.8, 46), SHIFT)
    assert selecting.selection == some((1, 2, 3), 2, 8)
    drag(selecting, (2, 80), (5, 78))
    assert selecting.selection is None


def test_drag_from_the_ruler_selects_nothing(selecting: RollSelection) -> None:
    port = roll_of(selecting).viewport()
    QTest.mousePress(port, LEFT, NO_KEYS, QPoint(200, 5))
    QTest.mouseMove(port, QPoint(400, 300))
    QTest.mouseRelease(port, LEFT, NO_KEYS, QPoint(400, 300))

    assert selecting.selection is None


def test_arrows_move_a_cell(selecting: RollSelection) -> None:
    press(selecting, Qt.Key.Key_Right)
    assert selecting.selection == some((0,), 0, 1)
    press(selecting, Qt.Key.Key_Right, Qt.Key.Key_Down)
    assert selecting.selection == some((1,), 1, 2)
    press(selecting, Qt.Key.Key_Left, Qt.Key.Key_Left, Qt.Key.Key_Up, Qt.Key.Key_Up)
    assert selecting.selection == some((0,), 0, 1)


def test_shift_and_arrows_extend(selecting: RollSelection) -> None:
    press(selecting, Qt.Key.Key_Right)
    press(selecting, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down, shift=True)

    assert selecting.selection == some((0, 1), 0, 3)


def test_numbers_toggle_voices(selecting: RollSelection) -> None:
    press(selecting, Qt.Key.Key_2)
    assert selecting.selection == some((1,), 0, 1)
    press(selecting, Qt.Key.Key_4, Qt.Key.Key_2, Qt.Key.Key_4)
    assert selecting.selection == some((3,), 0, 1)


def test_escape_clears(selecting: RollSelection, qtbot: QtBot) -> None:
    click(selecting, 3.5, 67, NO_KEYS)
    with qtbot.waitSignal(selecting.selection_changed) as emitted:
        press(selecting, Qt.Key.Key_Escape)

    assert emitted.args == [None]


def test_selection_is_outlined(selecting: RollSelection) -> None:
    view = roll_of(selecting)
    selecting.select(some((1,), 4, 12))
    image = view.grab().toImage()

    for x in (round(view.seen.x(4)), round(view.seen.x(12)) - 1):
        pixel = image.pixelColor(KEYBOARD_WIDTH + x, RULER_HEIGHT + view.seen.height - 5)
        assert pixel == QColor(LIGHT.accent)


def test_view_follows_the_cell(selecting: RollSelection) -> None:
    view = roll_of(selecting)
    for _ in range(8):
        view.zoom_in()
    press(selecting, *[Qt.Key.Key_Home])
    selecting.select(some((0,), 0, 1))
    press(selecting, *[Qt.Key.Key_Right] * 25)

    assert selecting.selection == some((0,), 25, 26)
    assert 0 <= view.seen.x(25) <= view.seen.width


def test_escape_cancels_a_rubber_band(selecting: RollSelection) -> None:
    before = some((3,), 0, 8)
    selecting.select(before)
    port = roll_of(selecting).viewport()
    QTest.mousePress(port, LEFT, NO_KEYS, point_at(selecting, 2.5, 69))
    QTest.mouseMove(port, point_at(selecting, 9.5, 60))
    press(selecting, Qt.Key.Key_Escape)
    QTest.mouseRelease(port, LEFT, NO_KEYS, point_at(selecting, 9.5, 60))
    assert selecting.selection == before
