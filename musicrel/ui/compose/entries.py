"""The form a user fills in before a piece is written.

A passive widget: it shows what it is told and tells what the user did. What its entries amount to
stands in ``musicrel.presentation.compose.form``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QLineEdit, QWidget

from musicrel.generation.request import MOST_BARS
from musicrel.presentation.compose import form, rewrite_form
from musicrel.presentation.compose.form import Form
from musicrel.presentation.compose.models import ModelChoice
from musicrel.presentation.words import names
from musicrel.presentation.words.palette import Theme
from musicrel.ui.compose.rule_boxes import RuleBoxes
from musicrel.ui.widgets import stylesheet
from musicrel.ui.widgets.fields import NamesBox, NumberField, PatienceBox, SeedField, SurpriseField

_LABEL_WIDTH: Final = 76
_USUAL_BARS: Final = 16
_POPUP_EDGES: Final = 24
_FREE: Final = "The model’s choice"
_CANDIDATES: Final = (
    "How many pieces are written at once, ranked and to choose from; they have the seeds from this "
    "one on"
)
_ANY: Final = "Any"
_CADENCE: Final = (
    "How phrases should close: of several candidates those come first of which most phrase ends, "
    "the fermatas and the end of the piece, close so. Its weight stands beside the candidates"
)
_PATIENCE: Final = (
    "How often a model that fills in goes over its notes, and of how many ways to the end of a "
    "phrase one that writes from left to right takes the likeliest"
)


class Entries(QWidget):
    """All entries, one below the other.

    Signals:
        changed: an entry has another value.
        model_chosen: another model was chosen; its name.
        rules_chosen: the user switched a rule on or off.
    """

    changed = Signal()
    model_chosen = Signal(str)
    rules_chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.choices: tuple[ModelChoice, ...] = ()
        """The models there are."""
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

    # ------------------------------------------------------------------ what it is told

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        self.seed.set_theme(theme)

    def set_models(self, choices: Sequence[ModelChoice], chosen: str) -> None:
        """Offer models; ``chosen`` is selected where it is among them, otherwise the first."""
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
        """Say below the phrases what is wrong with them; "" where nothing is."""
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))

    def set_rules(self, rules: Collection[str]) -> None:
        """Switch these rules on and all others off; nothing is told of that."""
        before = self.blockSignals(True)
        self.rules.set_value(rules)
        self.blockSignals(before)

    def set_form(self, asked: Form) -> None:
        """Show other entries; what cannot be shown, such as a model that is not there, stays."""
        before = self.blockSignals(True)
        self.bars.setValue(asked.bars)
        for box, wished in (
            (self.model, asked.model),
            (self.meter, asked.meter),  # before the pickups it has
            (self.pickup, asked.pickup),
            (self.key, asked.key),
            (self.patience, asked.patience),
            (self.cadence, asked.cadence),
        ):
            _choose(box, wished)
        self.phrases.setText(asked.phrases)
        self.surprise.set_value(asked.temperature)
        self.seed.set_value(asked.seed)
        self.set_rules(asked.rules)
        self.blockSignals(before)
        self.changed.emit()

    def sees_both_sides(self, model: str | None = None) -> bool:
        """Whether a model, None: the chosen one, knows what comes after the notes it writes."""
        name = self.model.currentData() if model is None else model
        return any(choice.sees_both_sides for choice in self.choices if choice.name == name)

    def settles(self) -> bool:
        """Whether the chosen model goes over its notes instead of writing in order."""
        name = self.model.currentData()
        return any(choice.settles for choice in self.choices if choice.name == name)

    def form(self) -> Form:
        """The entries as they stand; those that are idle have their neutral value."""
        return Form(
            model=self.model.currentData() or "",
            bars=self.bars.value(),
            meter=self.meter.currentData() if self.meter.isEnabled() else form.METERS[0],
            pickup=self.pickup.currentData() if self.pickup.isEnabled() else 0,
            key=self.key.currentData() if self.key.isEnabled() else None,
            phrases=self.phrases.text() if self.phrases.isEnabled() else "",
            temperature=self.surprise.value(),
            seed=self.seed.value(),
            rules=self.rules.value(),
            patience=self.patience.currentData(),
            cadence=self.cadence.currentData(),
        )

    # ------------------------------------------------------------------ what the user did

    @Slot()
    def _another_meter(self) -> None:
        """Another meter has other pickups; the first, none, is taken."""
        self._offer_pickups()
        self.changed.emit()

    @Slot()
    def _another_model(self) -> None:
        self._show_model()
        self.model_chosen.emit(self.model.currentData() or "")
        self.changed.emit()

    # ------------------------------------------------------------------ inside

    def _show_model(self) -> None:
        """What the chosen model is, and which entries it leaves idle, with the reason."""
        choice = next((c for c in self.choices if c.name == self.model.currentData()), None)
        self.detail.setText(choice.detail if choice else "No model is installed yet")
        self.model.setToolTip(self.detail.text())
        for name, (condition, reason) in form.NEEDS.items():
            idle = choice is not None and condition not in choice.conditions
            why = f"Not with {choice.name}. {reason}" if idle and choice else ""
            if name in self.rules.boxes:
                self.rules.set_idle(name, why)
            else:
                self._set_idle(name, why)

    def _set_idle(self, name: str, why: str) -> None:
        """Disable a row and say why; "" enables it."""
        label, widget, tip = self._rows[name]
        for part in (label, widget):
            part.setEnabled(not why)
            part.setToolTip(why or tip)

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
        self.bars = NumberField(form.LEAST_BARS, MOST_BARS, _USUAL_BARS)
        self.meter, self.pickup, self.key = QComboBox(), QComboBox(), QComboBox()
        for meter in form.METERS:
            self.meter.addItem(str(meter), meter)
        self._offer_pickups()
        self.key.setMaxVisibleItems(1 + len(form.KEYS))
        self.key.addItem(_FREE, None)
        for key in form.KEYS:
            self.key.addItem(names.key(key), key)
        self.phrases, self.problem = QLineEdit(placeholderText=_FREE), QLabel()
        self.surprise, self.seed = SurpriseField(), SeedField()
        self.candidates, self.patience = NumberField(1, rewrite_form.MOST, 1), PatienceBox()
        self.cadence = NamesBox(form.CADENCES, _ANY)
        self.rules = RuleBoxes()

    def _lay_out(self) -> None:
        self._add_heading("Model")
        self._add_wide(self.model)
        self._add_note(self.detail, "quiet")
        self._add_heading("Form")
        self._add_row("bars", "&Bars", self.bars, "Length of the piece; a pickup is part of it")
        self._add_row("meter", "&Meter", self.meter, "Beats in a bar")
        tip = "Before the first bar line; with a quarter, as most have, pieces come home more often"
        self._add_row("pickup", "&Pickup", self.pickup, tip)
        self._add_row("key", "&Key", self.key, "The key to write in")
        tip = "Bars of each phrase, as in 2,2,4; a fermata ends each"
        self._add_row("phrases", "P&hrases", self.phrases, tip)
        self._add_note(self.problem, "problem")
        self._add_heading("Chance")
        self._add_row("surprise", "S&urprise", self.surprise, "")
        self._add_row("seed", "See&d", self.seed, "")
        self._add_row("candidates", "C&andidates", self.candidates, _CANDIDATES)
        self._add_row("cadence", "Cade&nces", self.cadence, _CADENCE)
        self._add_row("patience", "Pat&ience", self.patience, _PATIENCE)
        self._add_heading("Rules")
        self._add_wide(self.rules)
        self.model.setAccessibleName("Model")
        self.problem.hide()

    def _add_heading(self, text: str) -> None:
        row = self._grid.rowCount()
        heading = QLabel(text)
        heading.setObjectName("heading")
        stylesheet.scaled(heading, 0.92, QFont.Weight.DemiBold)
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
        label = QLabel(title)
        label.setBuddy(widget)
        widget.setAccessibleName(title.replace("&", ""))
        for part in (label, widget):
            part.setToolTip(tip)
        self._rows[name] = (label, widget, tip)
        self._grid.addWidget(label, row, 0)
        self._grid.addWidget(widget, row, 1)

    def _connect(self) -> None:
        self.model.currentIndexChanged.connect(self._another_model)
        self.meter.currentIndexChanged.connect(self._another_meter)
        for signal in (
            self.bars.valueChanged,
            self.pickup.currentIndexChanged,
            self.key.currentIndexChanged,
            self.phrases.textChanged,
            self.surprise.changed,
            self.seed.changed,
            self.rules.changed,
            self.patience.currentIndexChanged,
            self.cadence.currentIndexChanged,
        ):
            signal.connect(self.changed)
        self.rules.changed.connect(self.rules_chosen)


def _choose(box: QComboBox, wished: object) -> None:
    """Choose the entry whose data equal ``wished``, where there is one."""
    for row in range(box.count()):
        if box.itemData(row) == wished:
            box.setCurrentIndex(row)
