"""The ranges of the voices on the roll."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.generation.constraints import voice_ranges
from musicrel.presentation.roll import roll
from musicrel.ui.roll.roll_paint import KEYBOARD_WIDTH, RULER_HEIGHT
from musicrel.ui.roll.roll_ranges import RollRanges
from musicrel.ui.roll.roll_view import RollView

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


@pytest.fixture
def view(qtbot: QtBot) -> RollView:
    view = RollView()
    qtbot.addWidget(view)
    view.resize(900, 500)
    with qtbot.waitExposed(view):
        view.show()
    view.show_roll(roll.draw(Chorale.of(np.full((64, 4), [72, 67, 60, 48]))))
    return view


@pytest.fixture
def ranges(view: RollView) -> RollRanges:
    ranges = RollRanges(view)
    ranges.show_ranges(voice_ranges.parse("choir"))
    return ranges


def test_strip_names_the_limits(ranges: RollRanges) -> None:
    """Each line has a tooltip; all are described to screen readers."""
    assert ranges.strip.tip_at(QPoint(1, 50)).startswith("Soprano: C4 to ")
    assert ranges.strip.tip_at(QPoint(11, 50)).startswith("Bass: E2 to ")
    assert "Tenor: C3 to " in ranges.strip.accessibleDescription()


def test_note_under_the_mouse_shows_the_limits_of_its_voice(
    ranges: RollRanges, view: RollView
) -> None:
    """They go with the mouse."""
    box = view.seen
    QTest.mouseMove(
        view.viewport(), QPoint(KEYBOARD_WIDTH + 40, RULER_HEIGHT + round(box.y(48)) + 3)
    )
    assert ranges.voices == {3}
    assert ranges.limits.isVisible()
    QTest.mouseMove(
        view.viewport(), QPoint(KEYBOARD_WIDTH + 40, RULER_HEIGHT + round(box.y(54)) + 3)
    )
    assert ranges.voices == frozenset()
    assert not ranges.limits.isVisible()


def test_line_under_the_mouse_shows_the_limits_of_its_voice(ranges: RollRanges) -> None:
    """The others become pale."""
    before = ranges.strip.grab().toImage()
    QTest.mouseMove(ranges.strip, QPoint(4, 60))

    assert ranges.voices == {1}
    assert ranges.strip.grab().toImage() != before


def test_limits_of_selected_voices_stay(ranges: RollRanges) -> None:
    """Until nothing is selected."""
    ranges.select((0, 2))
    assert ranges.voices == {0, 2}
    ranges.select(())
    assert ranges.voices == frozenset()


def test_without_ranges_nothing_is_drawn(ranges: RollRanges) -> None:
    """The rule is off then."""
    ranges.select((0,))
    ranges.show_ranges(None)

    assert not ranges.limits.isVisible()
    assert ranges.strip.tip_at(QPoint(1, 50)) == ""
