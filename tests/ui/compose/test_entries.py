"""The form in the left panel."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLineEdit, QSlider, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from musicrel.chorale import Key, Meter
from musicrel.presentation.compose.form import Form
from musicrel.ui.compose.entries import Entries
from tests.ui.conftest import CHOICES

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


@pytest.fixture
def entries(qtbot: QtBot) -> Entries:
    entries = Entries()
    qtbot.addWidget(entries)
    entries.set_models(CHOICES, "full")
    entries.seed.set_value(7)
    return entries


def test_untouched_form_leaves_the_model_free(entries: Entries) -> None:
    """Sixteen bars of whatever the model likes."""
    assert entries.form() == Form(model="full", bars=16, seed=7)


def test_form_says_what_was_chosen(entries: Entries) -> None:
    """Every entry is read."""
    entries.bars.setValue(8)
    entries.meter.setCurrentText("3/4")
    entries.pickup.setCurrentText("1 quarter")
    entries.key.setCurrentText("F♯ minor")
    entries.phrases.setText("4,4")
    entries.surprise.set_value(1.25)
    entries.cadence.setCurrentText("Half")

    assert entries.form() == Form(
        model="full",
        bars=8,
        meter=Meter(3, 4),
        pickup=4,
        key=Key("F#", "minor"),
        phrases="4,4",
        temperature=1.25,
        seed=7,
        cadence="half",
    )


def test_every_change_is_told(entries: Entries, qtbot: QtBot) -> None:
    """One signal for each entry that changes."""
    changes: tuple[Callable[[], object], ...] = (
        lambda: entries.bars.setValue(9),
        lambda: entries.meter.setCurrentIndex(1),
        lambda: entries.pickup.setCurrentIndex(1),
        lambda: entries.key.setCurrentIndex(3),
        lambda: entries.phrases.setText("9"),
        lambda: entries.surprise.set_value(0.5),
        lambda: entries.seed.set_value(8),
        lambda: entries.cadence.setCurrentIndex(1),
    )
    for change in changes:
        with qtbot.waitSignal(entries.changed):
            change()


def test_another_meter_has_its_own_pickups(entries: Entries) -> None:
    """None is taken, as the old one may not fit."""
    entries.pickup.setCurrentText("3 quarters")
    entries.meter.setCurrentText("3/4")

    assert [entries.pickup.itemText(row) for row in range(entries.pickup.count())] == [
        "None",
        "1 quarter",
        "2 quarters",
    ]
    assert entries.form().pickup == 0


def test_chosen_model_is_told(entries: Entries, qtbot: QtBot) -> None:
    """By its name."""
    with qtbot.waitSignal(entries.model_chosen) as told:
        entries.model.setCurrentIndex(1)

    assert told.args == ["plain"]


def test_what_a_model_has_not_learned_cannot_be_asked(entries: Entries) -> None:
    """The entries are idle and say why; their values do not count."""
    entries.key.setCurrentText("G major")
    entries.meter.setCurrentText("3/4")
    entries.phrases.setText("8,8")
    entries.model.setCurrentIndex(1)

    assert entries.form() == Form(model="plain", bars=16, seed=7)
    for entry in (entries.meter, entries.pickup, entries.key, entries.phrases):
        assert not entry.isEnabled()
        assert entry.toolTip().startswith("Not with plain. It has not learned")


def test_what_the_next_model_has_learned_can_be_asked_again(entries: Entries) -> None:
    """What was chosen before is there again."""
    entries.key.setCurrentText("G major")
    entries.model.setCurrentIndex(1)
    entries.model.setCurrentIndex(0)

    assert entries.form().key == Key("G", "major")
    assert entries.key.toolTip() == "The key to write in"


def test_unknown_model_gives_the_first(entries: Entries) -> None:
    """The one of last time may be gone."""
    entries.set_models(CHOICES, "gone")

    assert entries.form().model == "full"


def test_without_models_the_form_names_none(entries: Entries) -> None:
    """And says so."""
    entries.set_models((), "full")

    assert entries.form().model == ""
    assert entries.detail.text() == "No model is installed yet"


def test_problem_is_shown_where_it_is(entries: Entries) -> None:
    """And goes when it is mended."""
    entries.set_problem("These phrases make 7 bars.")
    assert not entries.problem.isHidden()
    assert entries.problem.text() == "These phrases make 7 bars."

    entries.set_problem("")
    assert entries.problem.isHidden()


def test_dice_roll_another_seed(entries: Entries) -> None:
    """Never the same one again."""
    for _ in range(20):
        before = entries.form().seed
        QTest.mouseClick(entries.seed.dice, Qt.MouseButton.LeftButton)
        assert entries.form().seed != before


def test_surprise_shows_its_number(entries: Entries) -> None:
    """With two decimals, and a word for it in the tooltip."""
    entries.surprise.set_value(0.65)

    assert entries.surprise.says.text() == "0.65"
    assert "safe" in entries.surprise.slider.toolTip()


def test_every_control_has_a_name_for_screen_readers(entries: Entries) -> None:
    """What can be reached by keyboard can be read aloud."""
    kinds = (QComboBox, QAbstractSpinBox, QLineEdit, QSlider, QToolButton)
    inner = ("qt_spinbox_lineedit",)
    controls = [
        widget
        for widget in entries.findChildren(QWidget)
        if isinstance(widget, kinds) and widget.objectName() not in inner
    ]

    assert len(controls) == 12
    assert [control for control in controls if not control.accessibleName()] == []


def test_tab_visits_the_entries_from_top_to_bottom(entries: Entries, qtbot: QtBot) -> None:
    """The order of the eye is the order of the keyboard."""
    with qtbot.waitExposed(entries):
        entries.show()
    order = [entries.model, entries.bars, entries.meter, entries.pickup, entries.key]
    entries.model.setFocus()
    visited = []
    for _ in order:
        visited.append(entries.focusWidget())
        entries.focusNextChild()

    assert visited == order
    entries.close()
