"""Check boxes for the arms of a study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

from musicrel.presentation.study.study_form import ArmChoice
from musicrel.presentation.words import display_names

_COLUMNS: Final = 3
_ARMS: Final = "Arms to compare"


class ArmPicker(QWidget):
    """A check box for each arm; the first checked arm is the reference. A passive widget."""

    changed = Signal()  # an arm was checked or unchecked

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._arms: tuple[ArmChoice, ...] = ()
        self.boxes: list[QCheckBox] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self.setAccessibleName(_ARMS)

    def show_arms(self, arms: Sequence[ArmChoice]) -> None:
        while self.boxes:
            box = self.boxes.pop()
            box.hide()
            box.deleteLater()
        self._arms = tuple(arms)
        for arm in arms:
            box = QCheckBox(display_names.arm(arm.name).replace("&", "&&"))
            box.setChecked(arm.chosen)
            box.setToolTip(arm.description[:1].upper() + arm.description[1:])
            box.toggled.connect(self.changed)
            self.boxes.append(box)
        self._arrange()

    def arms(self) -> tuple[ArmChoice, ...]:
        ticked = [box.isChecked() for box in self.boxes]
        return tuple(replace(arm, chosen=on) for arm, on in zip(self._arms, ticked, strict=True))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._widest(), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Place the boxes in columns, at most three."""
        wide = self._widest() + self._grid.horizontalSpacing()
        columns = min(max(self.width() // wide, 1), _COLUMNS) if wide > 0 else _COLUMNS
        for place, box in enumerate(self.boxes):
            self._grid.addWidget(box, *divmod(place, columns))

    def _widest(self) -> int:
        return max((box.sizeHint().width() for box in self.boxes), default=0)
