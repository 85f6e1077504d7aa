"""Beside the roll: the ranges of the voices; under it: Roman numerals."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.analysis.numeral import Numeral
from musicrel.analysis.numeral_search import numerals
from musicrel.chorale import Chorale, Key
from musicrel.figures import paint, roll
from musicrel.figures.roll import KEYBOARD_WIDTH, RULER_HEIGHT
from musicrel.generation.constraints import voice_ranges
from musicrel.ui.editing.numerals_layer import HEIGHT, RollNumerals
from musicrel.ui.roll.roll_overlay import RollRanges
from musicrel.ui.roll.roll_view import RollView

CHORDS: Sequence[Sequence[int]] = [(67, 64, 60, 48), (65, 62, 59, 43)] * 8
PIECE = Chorale.of(np.repeat(CHORDS, 4, axis=0), key=Key("C", "major"))


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


def test_strip_of_ranges_names_the_limits(ranges: RollRanges) -> None:
    assert ranges.tip_at(QPoint(1, 50)).startswith("Soprano: C4 to ")
    assert ranges.tip_at(QPoint(11, 50)).startswith("Bass: E2 to ")
    assert "Tenor: C3 to " in ranges.accessibleDescription()


def test_note_under_the_mouse_shows_the_limits_of_its_voice(
    ranges: RollRanges, view: RollView
) -> None:
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
    before = ranges.grab().toImage()
    QTest.mouseMove(ranges, QPoint(4, 60))

    assert ranges.voices == {1}
    assert ranges.grab().toImage() != before


def test_limits_of_selected_voices_stay(ranges: RollRanges) -> None:
    ranges.select((0, 2))
    assert ranges.voices == {0, 2}
    ranges.select(())
    assert ranges.voices == frozenset()


def test_without_ranges_nothing_is_drawn(ranges: RollRanges) -> None:
    ranges.select((0,))
    ranges.show_ranges(None)

    assert not ranges.limits.isVisible()
    assert ranges.tip_at(QPoint(1, 50)) == ""


@pytest.fixture
def strip(view: RollView) -> RollNumerals:
    view.show_roll(roll.draw(PIECE))
    strip = RollNumerals(view)
    strip.show_numerals(numerals(PIECE))
    return strip


def test_strip_of_numerals_takes_room_from_the_lanes_only_while_it_is_shown(view: RollView) -> None:
    view.show_roll(roll.draw(PIECE))
    strip, height = RollNumerals(view), view.seen.height
    assert strip.isHidden()

    strip.show_numerals(numerals(PIECE))
    assert view.seen.height == height - HEIGHT
    assert strip.geometry().top() > view.viewport().geometry().bottom()
    assert strip.isVisible()

    strip.show_numerals(None)
    assert view.seen.height == height
    assert strip.isHidden()


def test_point_under_the_roll_names_chord_and_key(strip: RollNumerals, view: RollView) -> None:
    x = KEYBOARD_WIDTH + round(view.seen.x(6))

    assert strip.tip_at(QPoint(x, 10)) == "V7 in C major"
    assert strip.tip_at(QPoint(3, 10)) == ""


def test_the_first_key_is_shown_once(strip: RollNumerals) -> None:
    assert [numeral.text for numeral, _ in strip.labels][:2] == ["I", "V7"]


def test_numerals_are_read_to_screen_readers(strip: RollNumerals) -> None:
    assert strip.accessibleName() == "Roman numerals"
    assert strip.accessibleDescription().startswith("C: I, V7, I")


def test_numerals_are_drawn(strip: RollNumerals, view: RollView) -> None:
    def dark() -> int:
        image = strip.grab().toImage()
        rows, columns = range(6, HEIGHT), range(KEYBOARD_WIDTH, image.width())
        return sum(image.pixelColor(x, y).lightness() < 120 for y in rows for x in columns)

    wide = dark()
    view.zoom(0.2)
    view.resize(400, 500)

    assert wide > 100
    assert dark() < wide


TONIC = Numeral(
    start=0, stop=4, text="I", figure="I", key=Key("G", "major"), degree=1, quality="major",
    inversion=0, applied_to=0, root=7,
)  # fmt: skip
ROW = tuple(replace(TONIC, start=4 * at, stop=4 * at + 4) for at in range(8))


def width_of(text: str) -> float:
    return 10.0 * len(text)


def starts(numerals: tuple[Numeral, ...], step_width: float) -> list[int]:
    found = paint.spread_numerals(numerals, lambda step: step * step_width, width_of)
    return [numeral.start for numeral, _ in found]


def test_all_labels_are_shown_where_there_is_room() -> None:
    assert starts(ROW, 4.0) == list(range(0, 32, 4))


def test_labels_never_touch() -> None:
    counts = []
    for width in (4.0, 2.0, 1.0, 0.5, 0.1):
        labels = paint.spread_numerals(ROW, width.__mul__, width_of)
        counts.append(len(labels))
        for (numeral, left), (_, after) in itertools.pairwise(labels):
            assert left + width_of(numeral.text) + paint.NUMERAL_GAP <= after
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] == 1


def test_a_long_chord_is_shown_rather_than_a_short_one_before_it() -> None:
    row = (replace(TONIC, stop=2), replace(TONIC, start=2, stop=10))
    assert starts(row, 3.0) == [2]


def test_the_goal_of_a_phrase_is_shown_rather_than_a_longer_chord_beside_it() -> None:
    row = (replace(TONIC, stop=10), replace(TONIC, start=10, stop=12))
    found = paint.spread_numerals(row, float, width_of, lambda one: one.stop == 12)
    assert [numeral.start for numeral, _ in found] == [10]


def test_new_key_is_shown_before_its_neighbours() -> None:
    row = (*ROW[:3], replace(ROW[3], text="D: IV"), *ROW[4:])

    shown = starts(row, 3.0)

    assert 12 in shown
    assert 16 not in shown
