"""Check boxes for the hard rules of ``musicrel.generation.constraints.rules``."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

from musicrel.generation.constraints.rules import DEFAULT, HARD_RULES

_TITLES: Final = {
    "range": "Ranges",
    "crossing": "No crossing",
    "parallels": "No parallels",
    "scale": "Scale of the key",
    "rests": "No rests",
}
_COLUMNS: Final = 2
_HARD: Final = "Notes that break this rule are never generated."


class RuleBoxes(QWidget):
    """A check box for each rule, in two columns."""

    changed = Signal()  # a rule was switched on or off

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.boxes = {name: QCheckBox(_TITLES[name]) for name in HARD_RULES}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 2, 0, 2)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(8)
        for place, (name, box) in enumerate(self.boxes.items()):
            grid.addWidget(box, *divmod(place, _COLUMNS))
            box.setChecked(name in DEFAULT)
            box.toggled.connect(self.changed)
        for name in self.boxes:
            self.set_disabled_reason(name, "")

    def value(self) -> tuple[str, ...]:
        return tuple(
            name for name, box in self.boxes.items() if box.isChecked() and box.isEnabled()
        )

    def set_value(self, rules: Collection[str]) -> None:
        """Switch these rules on and all others off."""
        for name, box in self.boxes.items():
            box.setChecked(name in rules)

    def set_disabled_reason(self, name: str, reason: str) -> None:
        """Disable a rule and show ``reason`` in its tooltip; "" enables it."""
        meaning = HARD_RULES[name].meaning
        self.boxes[name].setEnabled(not reason)
        self.boxes[name].setToolTip(reason or f"{meaning[:1].upper()}{meaning[1:]}. {_HARD}")
