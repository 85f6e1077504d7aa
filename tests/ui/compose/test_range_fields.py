"""The field of the voice ranges."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from musicrel.generation.constraints import voice_ranges
from musicrel.ui.compose.range_fields import CUSTOM, PitchField, RangesField
from musicrel.ui.widgets import layout


@pytest.fixture
def ranges(qtbot: QtBot) -> Iterator[RangesField]:
    form, ranges = QWidget(), RangesField()
    qtbot.addWidget(form)
    layout.column(ranges, ranges.own, owner=form)
    yield ranges
    form.close()


def test_church_choir_is_the_default(ranges: RangesField) -> None:
    """The limits are in the tooltip; there are no fields for them."""
    assert ranges.value() == "choir"
    assert "Bass E2–" in ranges.toolTip()
    assert ranges.own.isHidden()


def test_every_preset_can_be_chosen(ranges: RangesField, qtbot: QtBot) -> None:
    """The value is its name."""
    for row, name in list(enumerate(voice_ranges.PRESETS))[::-1]:
        with qtbot.waitSignal(ranges.changed):
            ranges.setCurrentIndex(row)
        assert ranges.value() == name


def test_tooltips_say_what_the_models_write(ranges: RangesField) -> None:
    """Presets and own ranges may reach further."""
    tips = [ranges.itemData(row, Qt.ItemDataRole.ToolTipRole) for row in range(ranges.count())]

    assert "C6 (models write up to A5)" in tips[ranges.findData("professional")]
    assert tips[ranges.findData("full")].startswith("Ranges of the training pieces: Soprano C4–A5")
    assert tips[ranges.findText(CUSTOM)].endswith("models write C2 to A5")


def test_own_ranges_begin_with_those_of_the_preset(ranges: RangesField, qtbot: QtBot) -> None:
    """A limit is changed by its note name."""
    ranges.setCurrentIndex(ranges.findText(CUSTOM))
    assert not ranges.own.isHidden()
    assert voice_ranges.parse(ranges.value()) == voice_ranges.parse("choir")
    low, _ = ranges.pitches[3]
    assert low.text() == "E2"
    with qtbot.waitSignal(ranges.changed):
        low.lineEdit().setText("F2")

    assert voice_ranges.parse(ranges.value())[3][0] == 41
    assert "Bass F2" in ranges.toolTip()


def test_own_ranges_are_shown_as_they_are_given(ranges: RangesField) -> None:
    """A preset hides the fields again, and text that is no range is ignored."""
    ranges.set_value("62-77,57-72,50-67,43-60")
    assert ranges.value() == "62-77,57-72,50-67,43-60"
    assert ranges.currentText() == CUSTOM
    ranges.set_value("nonsense")
    assert ranges.value() == "62-77,57-72,50-67,43-60"

    ranges.set_value("full")
    assert ranges.own.isHidden()
    assert ranges.value() == "full"


def test_lowest_note_stays_below_the_highest(ranges: RangesField) -> None:
    """Each limits the other."""
    ranges.set_value("62-77,57-72,50-67,43-60")
    low, high = ranges.pitches[0]
    low.setValue(84)
    assert low.value() == 77
    high.setValue(36)
    assert high.value() == 77


@pytest.mark.parametrize(("text", "pitch"), [("C4", 60), ("f#3", 54), ("B♭2", 46), ("eb5", 75)])
def test_pitches_are_typed_as_names(qtbot: QtBot, text: str, pitch: int) -> None:
    """Sharps and flats in either spelling."""
    field = PitchField("Lowest note")
    qtbot.addWidget(field)
    field.lineEdit().setText(text)

    assert field.value() == pitch


def test_other_text_is_no_pitch(qtbot: QtBot) -> None:
    """The field keeps the one before."""
    field = PitchField("Lowest note")
    qtbot.addWidget(field)
    field.setValue(60)
    for text in ("H4", "C9", "60", ""):
        field.lineEdit().setText(text)
        field.interpretText()
        assert field.value() == 60
