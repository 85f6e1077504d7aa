"""Selection on the piano roll by mouse and keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest

from musicrel.chorale import Chorale
from musicrel.figures.roll import KEYBOARD_WIDTH, RULER_HEIGHT
from musicrel.presentation.words.palette import LIGHT
from musicrel.score.editing.selection import Selection
from tests.ui.editing.conftest import LEFT, NONE, Hand

SHIFT = Qt.KeyboardModifier.ShiftModifier
KEY = Qt.Key
PIECE = Chorale.of([[72, 67, 64, 48]] * 8 + [[74, 65, 62, 50]] * 24)


@pytest.fixture
def selecting(hand: Hand) -> Hand:
    hand.show(PIECE)
    return hand


def selected(hand: Hand) -> tuple[tuple[int, ...], int, int] | None:
    found = hand.document.selection
    assert hand.roll.selection == hand.window.compose_page.score.selection == found
    return (found.voices, found.start, found.stop) if found is not None else None


def test_clicks_select_notes_and_with_shift_extend(selecting: Hand) -> None:
    selecting.click(3.5, 67)
    assert selected(selecting) == ((1,), 0, 8)
    selecting.click(3.5, 80)
    assert selected(selecting) == ((1,), 0, 8)
    QTest.mouseClick(selecting.roll.viewport(), LEFT, SHIFT, selecting.point(9.5, 62))
    assert selected(selecting) == ((1, 2), 0, 32)


def test_a_rubber_band_selects_voices_over_time(selecting: Hand) -> None:
    selecting.drag((2.5, 68), (5.5, 63))
    assert selected(selecting) == ((1, 2), 2, 6)
    selecting.drag((6.2, 50), (7.8, 46), SHIFT)
    assert selected(selecting) == ((1, 2, 3), 2, 8)
    selecting.drag((2, 80), (5, 78))
    assert selected(selecting) is None


def test_a_drag_from_the_ruler_selects_nothing(selecting: Hand) -> None:
    port = selecting.roll.viewport()
    QTest.mousePress(port, LEFT, NONE, QPoint(200, 5))
    QTest.mouseMove(port, QPoint(400, 300))
    QTest.mouseRelease(port, LEFT, NONE, QPoint(400, 300))
    assert selected(selecting) is None


@pytest.mark.parametrize(
    ("keys", "with_shift", "expected"),
    [
        ([KEY.Key_Right], [], ((0,), 0, 1)),
        ([KEY.Key_Right, KEY.Key_Right, KEY.Key_Down], [], ((1,), 1, 2)),
        ([KEY.Key_Right, KEY.Key_Left, KEY.Key_Up], [], ((0,), 0, 1)),
        ([KEY.Key_Right], [KEY.Key_Right, KEY.Key_Right, KEY.Key_Down], ((0, 1), 0, 3)),
        ([KEY.Key_2], [], ((1,), 0, 1)),
        ([KEY.Key_2, KEY.Key_4, KEY.Key_2, KEY.Key_4], [], ((3,), 0, 1)),
        ([KEY.Key_2, KEY.Key_Escape], [], None),
    ],
    ids=["first", "move", "stop at edges", "extend", "voice", "toggle voices", "clear"],
)
def test_keys_select(
    selecting: Hand, keys: list[Qt.Key], with_shift: list[Qt.Key], expected: object
) -> None:
    selecting.press(*keys)
    selecting.press(*with_shift, held=SHIFT)
    assert selected(selecting) == expected


def test_the_selection_is_outlined(selecting: Hand) -> None:
    selecting.select((1,), 4, 12)
    image, seen = selecting.roll.grab().toImage(), selecting.roll.seen
    for x in (round(seen.x(4)), round(seen.x(12)) - 1):
        pixel = image.pixelColor(KEYBOARD_WIDTH + x, RULER_HEIGHT + seen.height - 5)
        assert pixel == QColor(LIGHT.accent)


def test_the_view_follows_the_cell(selecting: Hand) -> None:
    for _ in range(8):
        selecting.roll.zoom_in()
    selecting.press(KEY.Key_Home)
    selecting.select((0,), 0, 1)
    selecting.press(*[KEY.Key_Right] * 25)
    assert selected(selecting) == ((0,), 25, 26)
    assert 0 <= selecting.roll.seen.x(25) <= selecting.roll.seen.width


def test_escape_cancels_a_rubber_band(selecting: Hand) -> None:
    selecting.select((3,), 0, 8)
    selecting.hold((2.5, 69), (9.5, 60))
    selecting.press(KEY.Key_Escape)
    selecting.release(9.5, 60)
    assert selecting.document.selection == Selection(voices=(3,), start=0, stop=8)
