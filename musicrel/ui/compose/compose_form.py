"""The form of the Compose page, without logic.

``musicrel.presentation.compose.form`` makes a request of its values.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QLineEdit, QWidget

from musicrel.generation import quality
from musicrel.generation.request import MAX_BARS
from musicrel.presentation.compose import form, rewrite_form
from musicrel.presentation.compose.form import Form
from musicrel.presentation.compose.models import ModelChoice
from musicrel.presentation.words import names
from musicrel.ui.compose.rule_boxes import RuleBoxes
from musicrel.ui.widgets import layout
from musicrel.ui.widgets.fields import (
    NamesBox,
    NumberField,
    QualityBox,
    SeedField,
    TemperatureField,
)

_LABEL_WIDTH: Final = 76
_DEFAULT_BARS: Final = 16
_POPUP_EDGES: Final = 24
_FREE: Final = "The model’s choice"
_CANDIDATES: Final = (
    "Number of pieces to generate at once and to choose from, ranked; "
    "their seeds count up from the one above"
)
_ANY: Final = "Any cadence"
_CADENCE: Final = (
    "Preferred cadence at fermatas and at the end: among several candidates, those with the most "
    "are ranked first; its weight can be set beside the candidates"
)


class ComposeForm(QWidget):
    """All fields in a column.

    Signals:
        changed: a field has changed.
        model_chosen: the user chose a model; its name.
        rules_chosen: the user switched a rule on or off.
    """

    changed = Signal()
    model_chosen = Signal(str)
    rules_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.choices: tuple[ModelChoice, ...] = ()
        """The models that can be chosen."""
        self._rows: dict[str, tuple[QLabel, QWidget, str]] = {}
        self._make()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(18, 14, 18, 10)
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(9)
        self._grid.setColumnMinimumWidth(0, _LABEL_WIDTH)
        self._grid.setColumnStretch(1, 1)
        self._lay_out()
        self._connect()

    # ------------------------------------------------------------------ state

    def set_models(self, choices: Sequence[ModelChoice], chosen: str) -> None:
        """Offer models and select ``chosen``, or the first one if it is missing."""
        self.choices = tuple(choices)
        before = self.model.blockSignals(True)
        self.model.clear()
        for row, choice in enumerate(choices):
            self.model.addItem(choice.title, choice.name)
            self.model.setItemData(row, choice.detail, Qt.ItemDataRole.ToolTipRole)
        self.model.view().setMinimumWidth(self.model.view().sizeHintForColumn(0) + _POPUP_EDGES)
        self.model.setCurrentIndex(max(self.model.findData(chosen), 0) if choices else -1)
        self.model.setEnabled(bool(choices))
        self.model.blockSignals(before)
        self._show_model()

    def set_problem(self, sentence: str) -> None:
        """Show an error below the phrases; "" hides it."""
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))

    def set_rules(self, rules: Collection[str]) -> None:
        """Switch these rules on and all others off, without ``rules_chosen``."""
        before = self.blockSignals(True)
        self.rules.set_value(rules)
        self.blockSignals(before)

    def set_form(self, values: Form) -> None:
        """Show ``values``; fields with an unknown value, such as a missing model, stay."""
        before = self.blockSignals(True)
        self.bars.setValue(values.bars)
        for box, value in (
            (self.model, values.model),
            (self.meter, values.meter),  # sets the pickups to choose from
            (self.pickup, values.pickup),
            (self.key, values.key),
            (self.quality, values.quality),
            (self.cadence, values.cadence),
        ):
            _choose(box, value)
        self.phrases.setText(values.phrases)
        self.temperature.set_value(values.temperature)
        self.seed.set_value(values.seed)
        self.set_rules(values.rules)
        self.blockSignals(before)
        self.changed.emit()

    def sees_both_sides(self, model: str | None = None) -> bool:
        """Return True if a model, None: the chosen one, sees the notes on both sides."""
        name = self.model.currentData() if model is None else model
        return any(choice.sees_both_sides for choice in self.choices if choice.name == name)

    def is_infill(self) -> bool:
        """Return True if the chosen model is an infill model."""
        name = self.model.currentData()
        return any(choice.is_infill for choice in self.choices if choice.name == name)

    def form(self) -> Form:
        """Return the values; disabled fields have their default value."""
        return Form(
            model=self.model.currentData() or "",
            bars=self.bars.value(),
            meter=self.meter.currentData() if self.meter.isEnabled() else form.METERS[0],
            pickup=self.pickup.currentData() if self.pickup.isEnabled() else 0,
            key=self.key.currentData() if self.key.isEnabled() else None,
            phrases=self.phrases.text() if self.phrases.isEnabled() else "",
            temperature=self.temperature.value(),
            seed=self.seed.value(),
            rules=self.rules.value(),
            quality=self.quality.currentData(),
            cadence=self.cadence.currentData(),
        )

    # ------------------------------------------------------------------ input

    @Slot()
    def _change_meter(self) -> None:
        """Offer the pickups of the new meter and select the first, none."""
        self._offer_pickups()
        self.changed.emit()

    @Slot()
    def _change_model(self) -> None:
        self._show_model()
        self.changed.emit()
        self.model_chosen.emit(self.model.currentData() or "")

    # ------------------------------------------------------------------ widgets

    def _show_model(self) -> None:
        """Describe the chosen model and disable fields it does not support, with the reason."""
        choice = next((c for c in self.choices if c.name == self.model.currentData()), None)
        self.detail.setText(choice.detail if choice else "No model is installed")
        self.model.setToolTip(self.detail.text())
        for name, (condition, reason) in form.NEEDS.items():
            unsupported = choice is not None and condition not in choice.conditions
            disabled_reason = reason if unsupported else ""
            if name in self.rules.boxes:
                self.rules.set_disabled_reason(name, disabled_reason)
            else:
                self._set_disabled_reason(name, disabled_reason)

    def _set_disabled_reason(self, name: str, reason: str) -> None:
        """Disable a row and show ``reason`` in its tooltip; "" enables it."""
        label, widget, tip = self._rows[name]
        for part in (label, widget):
            part.setEnabled(not reason)
            part.setToolTip(reason or tip)

    def _offer_pickups(self) -> None:
        before = self.pickup.blockSignals(True)
        self.pickup.clear()
        for steps, title in form.pickups(self.meter.currentData()):
            self.pickup.addItem(title, steps)
        self.pickup.blockSignals(before)

    def _make(self) -> None:
        self.model, self.detail = QComboBox(), QLabel()
        self.model.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.bars = NumberField(form.MIN_BARS, MAX_BARS, _DEFAULT_BARS)
        self.meter, self.pickup, self.key = QComboBox(), QComboBox(), QComboBox()
        for meter in form.METERS:
            self.meter.addItem(str(meter), meter)
        self._offer_pickups()
        self.key.setMaxVisibleItems(1 + len(form.KEYS))
        self.key.addItem(_FREE, None)
        for key in form.KEYS:
            self.key.addItem(names.key(key), key)
        self.phrases, self.problem = QLineEdit(placeholderText=_FREE), QLabel()
        self.temperature, self.seed = TemperatureField(), SeedField()
        self.candidates, self.quality = NumberField(1, rewrite_form.MAX_CANDIDATES, 1), QualityBox()
        self.cadence = NamesBox(form.CADENCES, _ANY)
        self.rules = RuleBoxes()

    def _lay_out(self) -> None:
        self._add_heading("Model")
        self._add_wide(self.model)
        self._add_note(self.detail, "quiet")
        self._add_heading("Form")
        self._add_row("bars", "&Bars", self.bars, "Length of the piece, including a pickup")
        self._add_row("meter", "&Meter", self.meter, "Beats in a bar")
        tip = "Upbeat; pieces with a pickup of one quarter end on the tonic more often"
        self._add_row("pickup", "&Pickup", self.pickup, tip)
        self._add_row("key", "&Key", self.key, "Key of the piece")
        tip = "Bars of each phrase, such as 2,2,4; each ends with a fermata"
        self._add_row("phrases", "P&hrases", self.phrases, tip)
        self._add_note(self.problem, "problem")
        self._add_heading("Sampling")
        self._add_row("temperature", "Temperat&ure", self.temperature, "")
        self._add_row("seed", "See&d", self.seed, "")
        self._add_row("candidates", "C&andidates", self.candidates, _CANDIDATES)
        self._add_row("cadence", "Cade&nces", self.cadence, _CADENCE)
        self._add_row("quality", "&Quality", self.quality, quality.DESCRIPTION)
        self._add_heading("Rules")
        self._add_wide(self.rules)
        self.model.setAccessibleName("Model")
        self.problem.hide()

    def _add_heading(self, text: str) -> None:
        row = self._grid.rowCount()
        heading = layout.heading(text)
        heading.setContentsMargins(0, 10 if row > 1 else 0, 0, 0)
        self._grid.addWidget(heading, row, 0, 1, 2)

    def _add_wide(self, widget: QWidget) -> None:
        self._grid.addWidget(widget, self._grid.rowCount(), 0, 1, 2)

    def _add_note(self, label: QLabel, kind: str) -> None:
        label.setObjectName(kind)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        self._add_wide(label)

    def _add_row(self, name: str, title: str, widget: QWidget, tip: str) -> None:
        row = self._grid.rowCount()
        label = layout.field_label(title, widget)
        widget.setAccessibleName(title.replace("&", ""))
        for part in (label, widget):
            part.setToolTip(tip)
        self._rows[name] = (label, widget, tip)
        self._grid.addWidget(label, row, 0)
        self._grid.addWidget(widget, row, 1)

    def _connect(self) -> None:
        self.model.currentIndexChanged.connect(self._change_model)
        self.meter.currentIndexChanged.connect(self._change_meter)
        for signal in (
            self.bars.valueChanged,
            self.pickup.currentIndexChanged,
            self.key.currentIndexChanged,
            self.phrases.textChanged,
            self.temperature.changed,
            self.seed.changed,
            self.rules.changed,
            self.quality.currentIndexChanged,
            self.cadence.currentIndexChanged,
        ):
            signal.connect(self.changed)
        self.rules.changed.connect(self.rules_chosen)


def _choose(box: QComboBox, value: object) -> None:
    """Select the entry whose data equal ``value``, if there is one."""
    for row in range(box.count()):
        if box.itemData(row) == value:
            box.setCurrentIndex(row)
