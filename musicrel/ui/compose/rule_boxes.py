"""Switches for the hard rules: what may not be written.

A passive widget. This file knows the names of rules; what they forbid stands in
``musicrel.generation.constraints.rules``.
"""

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
_MORE: Final = "A note that breaks it is never chosen, whatever the model would like."


class RuleBoxes(QWidget):
    """A box for each rule, two beside each other.

    Signals:
        changed: another rule is on or off.
    """

    changed = Signal()

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
            self.set_idle(name, "")

    def value(self) -> tuple[str, ...]:
        """The rules that are on and can be."""
        return tuple(
            name for name, box in self.boxes.items() if box.isChecked() and box.isEnabled()
        )

    def set_value(self, rules: Collection[str]) -> None:
        """Switch these on and all others off."""
        for name, box in self.boxes.items():
            box.setChecked(name in rules)

    def set_idle(self, name: str, reason: str) -> None:
        """Why a rule cannot be switched on; "" where it can."""
        says = HARD_RULES[name].says
        self.boxes[name].setEnabled(not reason)
        self.boxes[name].setToolTip(reason or f"{says[:1].upper()}{says[1:]}. {_MORE}")
