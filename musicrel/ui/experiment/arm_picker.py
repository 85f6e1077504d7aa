"""The arms a study may compare, to be ticked.

A passive widget: it shows the arms it is told and tells what the user did.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

from musicrel.presentation.study.study_form import ArmChoice

_COLUMNS: Final = 3


class ArmPicker(QWidget):
    """A box for each arm; the first one ticked is what the others are measured against.

    Signals:
        changed: other arms are ticked.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._arms: tuple[ArmChoice, ...] = ()
        self.boxes: list[QCheckBox] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self.setAccessibleName("Arms to compare")

    def show_arms(self, arms: Sequence[ArmChoice]) -> None:
        """Offer other arms."""
        while self.boxes:
            box = self.boxes.pop()
            box.hide()
            box.deleteLater()
        self._arms = tuple(arms)
        for place, arm in enumerate(arms):
            box = QCheckBox(arm.name.replace("&", "&&"))
            box.setChecked(arm.chosen)
            box.setToolTip(arm.says[:1].upper() + arm.says[1:])
            box.toggled.connect(self.changed)
            self._grid.addWidget(box, *divmod(place, _COLUMNS))
            self.boxes.append(box)

    def arms(self) -> tuple[ArmChoice, ...]:
        """The arms as they are ticked now."""
        ticked = [box.isChecked() for box in self.boxes]
        return tuple(replace(arm, chosen=on) for arm, on in zip(self._arms, ticked, strict=True))
