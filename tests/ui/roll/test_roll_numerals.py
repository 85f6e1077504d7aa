"""The strip of Roman numerals under the roll."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale, Key
from musicrel.harmony.analysis import numerals
from musicrel.presentation.roll import roll
from musicrel.ui.roll.roll_numerals import HEIGHT, RollNumerals
from musicrel.ui.roll.roll_paint import KEYBOARD_WIDTH
from musicrel.ui.roll.roll_view import RollView

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

CHORDS: Sequence[Sequence[int]] = [(67, 64, 60, 48), (65, 62, 59, 43)] * 8
PIECE = Chorale.of(np.repeat(CHORDS, 4, axis=0), key=Key("C", "major"))


@pytest.fixture
def view(qtbot: QtBot) -> RollView:
    view = RollView()
    qtbot.addWidget(view)
    view.resize(900, 500)
    with qtbot.waitExposed(view):
        view.show()
    view.show_roll(roll.draw(PIECE))
    return view


@pytest.fixture
def strip(view: RollView) -> RollNumerals:
    strip = RollNumerals(view)
    strip.show_numerals(numerals(PIECE))
    return strip


def test_strip_takes_room_from_the_lanes_only_while_it_is_shown(view: RollView) -> None:
    """The lowest notes stay above it."""
    strip, height = RollNumerals(view), view.seen.height
    assert strip.isHidden()

    strip.show_numerals(numerals(PIECE))
    assert view.seen.height == height - HEIGHT
    assert strip.geometry().top() > view.viewport().geometry().bottom()
    assert strip.isVisible()

    strip.show_numerals(None)
    assert view.seen.height == height
    assert strip.isHidden()


def test_point_names_chord_and_key(strip: RollNumerals, view: RollView) -> None:
    """There is none over the name of the key."""
    x = KEYBOARD_WIDTH + round(view.seen.x(6))

    assert strip.tip_at(QPoint(x, 10)) == "V7 in C major"
    assert strip.tip_at(QPoint(3, 10)) == ""


def test_the_first_key_is_shown_once(strip: RollNumerals) -> None:
    """It is at the left of the strip, before the first numeral."""
    assert [label.numeral.text for label in strip.labels][:2] == ["I", "V7"]


def test_numerals_are_read_to_screen_readers(strip: RollNumerals) -> None:
    assert strip.accessibleName() == "Roman numerals"
    assert strip.accessibleDescription().startswith("C: I, V7, I")


def test_strip_is_drawn(strip: RollNumerals, view: RollView) -> None:
    """Fewer labels fit where the chords are close."""

    def dark() -> int:
        image = strip.grab().toImage()
        rows, columns = range(6, HEIGHT), range(KEYBOARD_WIDTH, image.width())
        return sum(image.pixelColor(x, y).lightness() < 120 for y in rows for x in columns)

    wide = dark()
    view.zoom(0.2)
    view.resize(400, 500)

    assert wide > 100
    assert dark() < wide
