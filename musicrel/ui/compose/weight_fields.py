"""Fields for the weights of the ranking in ``musicrel.generation.candidates.ranking``."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QDoubleSpinBox, QGridLayout, QLabel, QPushButton, QWidget

from musicrel.generation.candidates import ranking
from musicrel.presentation.compose import candidate_table
from musicrel.presentation.compose.candidate_table import WEIGHTS
from musicrel.ui.widgets import layout
from musicrel.ui.widgets.fields import TEXT_MARGIN

_COLUMNS: Final = 2
_MAX_WEIGHT: Final = 9.99
_STEPS: Final = {"nats": 0.1, "memorised": 0.1, "cadence": 0.1, "changed": 0.1}
_FINE_STEP: Final = 0.01
_FIELD_WIDTH: Final = 68
_RESET_TIP: Final = "Reset all weights to their defaults"
_SCORE_TIP: Final = "Score: sum of weight × measure; the lowest score is ranked first"
_WEIGHT: Final = "Weight of {measure}"


class WeightFields(QWidget):
    """A field for each weight, and a button that resets them."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.fields = {weight.term: QDoubleSpinBox() for weight in WEIGHTS}
        self.reset = QPushButton("Reset")
        self.reset.setObjectName("flat")
        self.reset.setToolTip(_RESET_TIP)
        self.reset.clicked.connect(self.restore_defaults)
        self._lay_out()
        self.restore_defaults()
        for field in self.fields.values():
            field.valueChanged.connect(self.changed)

    def values(self) -> dict[str, float]:
        return {term: field.value() for term, field in self.fields.items()}

    @Slot()
    def restore_defaults(self) -> None:
        for term, field in self.fields.items():
            field.setValue(0.0 if candidate_table.unavailable(term) else ranking.TERMS[term].weight)

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        title = layout.heading("Weights")
        title.setToolTip(_SCORE_TIP)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(4)
        head = layout.row((title, 1), self.reset, spacing=8)
        grid.addLayout(head, 0, 0, 1, 2 * _COLUMNS)
        for place, weight in enumerate(WEIGHTS):
            row, column = divmod(place, _COLUMNS)
            field, label = self.fields[weight.term], QLabel(weight.title)
            field.setRange(-_MAX_WEIGHT, _MAX_WEIGHT)
            field.setSingleStep(_STEPS.get(weight.term, _FINE_STEP))
            field.setFixedWidth(_FIELD_WIDTH)
            field.lineEdit().setTextMargins(TEXT_MARGIN, 0, 0, 0)
            field.setAccessibleName(_WEIGHT.format(measure=weight.title))
            label.setBuddy(field)
            disabled_reason = candidate_table.unavailable(weight.term)
            for part in (label, field):
                part.setToolTip(disabled_reason or weight.meaning)
                part.setEnabled(not disabled_reason)
            grid.addWidget(label, row + 1, 2 * column)
            grid.addWidget(field, row + 1, 2 * column + 1)
        for column in range(_COLUMNS):
            grid.setColumnStretch(2 * column, 1)
