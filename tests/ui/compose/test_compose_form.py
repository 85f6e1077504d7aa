"""The form in the left panel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLineEdit, QSlider, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from musicrel.chorale import Key, Meter
from musicrel.generation.candidates import ranking
from musicrel.generation.constraints import voice_ranges
from musicrel.generation.phrasing import planned_phrase
from musicrel.presentation.compose.form import Form
from musicrel.ui.compose.compose_form import ComposeForm
from musicrel.ui.compose.form_fields import CUSTOM, PitchField, RangesField, WeightFields
from musicrel.ui.widgets import layout
from tests.ui.conftest import CHOICES


@pytest.fixture
def compose_form(qtbot: QtBot) -> ComposeForm:
    compose_form = ComposeForm()
    qtbot.addWidget(compose_form)
    compose_form.set_models(CHOICES, "full")
    compose_form.seed.set_value(7)
    return compose_form


def test_untouched_form_leaves_the_model_free(compose_form: ComposeForm) -> None:
    assert compose_form.form() == Form(model="full", seed=7)
    assert (compose_form.phrases.text(), compose_form.form().pickup) == ("auto", -1)


def test_form_has_the_chosen_values(compose_form: ComposeForm) -> None:
    compose_form.bars.setValue(8)
    compose_form.meter.setCurrentText("3/4")
    compose_form.pickup.setCurrentText("1 quarter")
    compose_form.key.setCurrentText("F♯ minor")
    compose_form.phrases.setText("4,4")
    compose_form.temperature.set_value(1.25)
    compose_form.cadence.setCurrentText("Half")
    compose_form.ranges.setCurrentText("Youth choir")
    compose_form.top_p.set_value(0.8)
    compose_form.candidates.setValue(3)

    assert compose_form.form().candidates == 3
    assert compose_form.form() == Form(
        model="full",
        bars=8,
        meter=Meter(3, 4),
        pickup=4,
        key=Key("F#", "minor"),
        phrases=(4, 4),
        temperature=1.25,
        seed=7,
        cadence="half",
        ranges="youth",
        top_p=0.8,
    )


def test_every_change_emits_changed(compose_form: ComposeForm, qtbot: QtBot) -> None:
    changes: tuple[Callable[[], object], ...] = (
        lambda: compose_form.bars.setValue(9),
        lambda: compose_form.meter.setCurrentIndex(1),
        lambda: compose_form.pickup.setCurrentIndex(1),
        lambda: compose_form.key.setCurrentIndex(3),
        lambda: compose_form.phrases.setText("9"),
        lambda: compose_form.temperature.set_value(0.5),
        lambda: compose_form.seed.set_value(8),
        lambda: compose_form.cadence.setCurrentIndex(1),
        lambda: compose_form.ranges.setCurrentIndex(1),
        lambda: compose_form.top_p.set_value(0.7),
        lambda: compose_form.candidates.setValue(4),
        lambda: compose_form.model_rewrite.setCurrentIndex(1),
    )
    for change in changes:
        with qtbot.waitSignal(compose_form.changed):
            change()


def test_another_style_has_its_own_model_and_keeps_the_rest_of_the_form(
    compose_form: ComposeForm,
) -> None:
    hymns = replace(CHOICES[0], name="hymns", title="Hymns (writes)", style="Hymns")
    compose_form.set_models((*CHOICES, hymns), "full")
    compose_form.key.setCurrentText("G major")
    compose_form.bars.setValue(8)
    before = compose_form.form()
    styles = [compose_form.style_box.itemText(row) for row in range(2)]

    compose_form.style_box.setCurrentText("Hymns")

    assert styles == ["Bach", "Hymns"]
    assert compose_form.form() == replace(before, model="hymns")
    compose_form.model.setCurrentIndex(1)
    assert compose_form.style_box.currentText() == "Bach"


def test_another_meter_has_its_own_pickups(compose_form: ComposeForm) -> None:
    compose_form.pickup.setCurrentText("3 quarters")
    compose_form.meter.setCurrentText("3/4")

    assert [compose_form.pickup.itemText(row) for row in range(compose_form.pickup.count())] == [
        "As in Bach",
        "None",
        "1 quarter",
        "2 quarters",
    ]
    assert compose_form.form().pickup == -1
    compose_form.pickup.setCurrentText("1 quarter")
    compose_form.meter.setCurrentIndex(0)
    assert compose_form.form().pickup == 4


def test_entries_that_a_model_does_not_support_are_disabled(compose_form: ComposeForm) -> None:
    compose_form.key.setCurrentText("G major")
    compose_form.meter.setCurrentText("3/4")
    compose_form.phrases.setText("8,8")
    compose_form.model.setCurrentIndex(1)

    assert compose_form.form() == Form(
        model="plain", seed=7, phrases=(), pickup=0, begins_on="", form=""
    )
    for entry in (compose_form.meter, compose_form.pickup, compose_form.key, compose_form.phrases):
        assert not entry.isEnabled()
        assert entry.toolTip().startswith("This model ")


def test_button_sets_another_seed(compose_form: ComposeForm) -> None:
    for _ in range(20):
        before = compose_form.form().seed
        QTest.mouseClick(compose_form.seed.dice, Qt.MouseButton.LeftButton)
        assert compose_form.form().seed != before


def test_every_control_has_a_name_for_screen_readers(compose_form: ComposeForm) -> None:
    kinds = (QComboBox, QAbstractSpinBox, QLineEdit, QSlider, QToolButton)
    inner = ("qt_spinbox_lineedit",)
    controls = [
        widget
        for widget in compose_form.findChildren(QWidget)
        if isinstance(widget, kinds) and widget.objectName() not in inner
    ]

    assert len(controls) == 29
    assert [control for control in controls if not control.accessibleName()] == []


def test_tab_visits_the_entries_from_top_to_bottom(compose_form: ComposeForm, qtbot: QtBot) -> None:
    with qtbot.waitExposed(compose_form):
        compose_form.show()
    compose_form.advanced.set_open(on=True)
    order = [
        compose_form.bars,
        compose_form.meter,
        compose_form.key,
        compose_form.phrases,
        compose_form.pickup,
        compose_form.cadence,
        compose_form.ranges,
        compose_form.seed.spin,
        compose_form.seed.dice,
        compose_form.candidates,
        compose_form.advanced.heading,
        compose_form.model,
        compose_form.model_rewrite,
        compose_form.manage,
        compose_form.temperature.slider,
        compose_form.top_p.slider,
        compose_form.quality,
    ]
    compose_form.bars.setFocus()
    visited = []
    for _ in order:
        visited.append(compose_form.focusWidget())
        compose_form.focusNextChild()

    assert visited == order
    compose_form.close()


def test_form_shows_what_it_is_given(compose_form: ComposeForm) -> None:
    values = Form(
        model="plain",
        bars=6,
        meter=Meter(3, 4),
        pickup=8,
        key=Key("G", "minor"),
        phrases=(2, 4),
        temperature=0.75,
        seed=11,
        rules=(),
        quality="high",
        cadence="half,authentic",
        ranges="60-79,55-74,48-69,41-62",
        top_p=0.95,
        candidates=5,
    )
    compose_form.set_models([CHOICES[0]], "full")
    compose_form.set_form(values)

    assert compose_form.form() == replace(values, model="full")
    assert compose_form.form().candidates == 5
    assert compose_form.cadence.currentText() == "By phrase"


def test_other_phrases_drop_the_cadences_of_single_ones(compose_form: ComposeForm) -> None:
    """Their number would not fit; the entry of the list goes away."""
    compose_form.set_form(replace(compose_form.form(), phrases=(8, 8), cadence="half,authentic"))
    compose_form.phrases.setText("4,4,8")

    assert compose_form.form().cadence == ""
    assert compose_form.cadence.findText("By phrase") == -1


def test_own_lengths_begin_with_those_on_screen(compose_form: ComposeForm) -> None:
    drawn = compose_form.form().request().phrases
    assert drawn
    compose_form.phrases.setCurrentIndex(2)
    compose_form.phrases.activated.emit(2)

    assert compose_form.phrases.currentText() == planned_phrase.to_text(drawn)
    assert compose_form.form().phrases == drawn


def test_own_lengths_replace_phrases_that_cannot_be_read(compose_form: ComposeForm) -> None:
    compose_form.phrases.setText("many")
    compose_form.phrases.setCurrentIndex(2)
    compose_form.phrases.activated.emit(2)

    assert compose_form.form().phrases == (16,)


def test_bars_are_limited_by_the_meter(compose_form: ComposeForm) -> None:
    compose_form.bars.setValue(9999)

    compose_form.form().request()
    compose_form.meter.setCurrentText("3/4")
    compose_form.bars.setValue(9999)
    compose_form.form().request()


def test_advanced_fields_are_hidden_until_they_are_asked_for(
    compose_form: ComposeForm, qtbot: QtBot
) -> None:
    with qtbot.waitExposed(compose_form):
        compose_form.show()
    assert not compose_form.model.isVisible()
    with qtbot.waitSignal(compose_form.advanced.opened) as shown:
        QTest.mouseClick(compose_form.advanced.heading, Qt.MouseButton.LeftButton)

    assert shown.args == [True]
    assert compose_form.model.isVisible()
    QTest.mouseClick(compose_form.advanced.heading, Qt.MouseButton.LeftButton)
    assert not compose_form.model.isVisible()
    compose_form.close()


def test_model_of_a_test_run_is_chosen_by_hand_only(compose_form: ComposeForm) -> None:
    trial = replace(CHOICES[0], name="trial", title="trial · test run", is_test_run=True)
    compose_form.set_models([trial, CHOICES[1]], "")
    assert compose_form.model.value() == "plain"
    compose_form.set_models([trial], "")
    assert compose_form.model.value() == ""
    assert compose_form.detail.text() == "Choose a model"

    compose_form.set_models([trial], "trial")
    assert compose_form.model.value() == "trial"


def shown(qtbot: QtBot) -> WeightFields:
    fields = WeightFields()
    qtbot.addWidget(fields)
    return fields


def test_every_term_has_a_weight_and_a_reset(qtbot: QtBot) -> None:
    """They are the defaults at first; another value is used."""
    fields = shown(qtbot)
    defaults = {name: term.weight for name, term in ranking.TERMS.items()}
    assert fields.values() == defaults
    with qtbot.waitSignal(fields.changed):
        fields.fields["changed"].setValue(0.05)
    assert fields.values()["changed"] == 0.05
    fields.reset.click()
    assert fields.values() == defaults
    assert "prefers similar candidates" in fields.fields["changed"].toolTip()


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


def test_tooltips_say_what_the_models_write(ranges: RangesField) -> None:
    tips = [ranges.itemData(row, Qt.ItemDataRole.ToolTipRole) for row in range(ranges.count())]

    assert "C6 (models write up to A5)" in tips[ranges.findData("professional")]
    assert tips[ranges.findData("full")].startswith("Ranges of the training pieces: Soprano C4–A5")
    assert tips[ranges.findText(CUSTOM)].endswith("models write C2 to A5")


def test_own_ranges_begin_with_those_of_the_preset(ranges: RangesField, qtbot: QtBot) -> None:
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
    ranges.set_value("62-77,57-72,50-67,43-60")
    assert ranges.value() == "62-77,57-72,50-67,43-60"
    assert ranges.currentText() == CUSTOM
    ranges.set_value("nonsense")
    assert ranges.value() == "62-77,57-72,50-67,43-60"

    ranges.set_value("full")
    assert ranges.own.isHidden()
    assert ranges.value() == "full"


def test_lowest_note_stays_below_the_highest(ranges: RangesField) -> None:
    ranges.set_value("62-77,57-72,50-67,43-60")
    low, high = ranges.pitches[0]
    low.setValue(84)
    assert low.value() == 77
    high.setValue(36)
    assert high.value() == 77


@pytest.mark.parametrize(("text", "pitch"), [("C4", 60), ("f#3", 54), ("B♭2", 46), ("eb5", 75)])
def test_pitches_are_typed_as_names(qtbot: QtBot, text: str, pitch: int) -> None:
    field = PitchField("Lowest note")
    qtbot.addWidget(field)
    field.lineEdit().setText(text)

    assert field.value() == pitch


def test_other_text_is_no_pitch(qtbot: QtBot) -> None:
    field = PitchField("Lowest note")
    qtbot.addWidget(field)
    field.setValue(60)
    for text in ("H4", "C9", "60", ""):
        field.lineEdit().setText(text)
        field.interpretText()
        assert field.value() == 60
