"""A slider for a level, such as a volume."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QSlider

from musicrel.presentation.compose import position_text

TIP: Final = "{name}: {value}. Double-click to reset"

_FINE: Final = position_text.FULL


class LevelSlider(QSlider):
    """A slider for a real number; a double click resets it."""

    def __init__(
        self,
        name: str,
        minimum: float,
        maximum: float,
        default: float,
        format_value: position_text.Formatter,
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._name, self._default, self._format = name, default, format_value
        self.setAccessibleName(name)
        self.setRange(round(minimum * _FINE), round(maximum * _FINE))
        self.setSingleStep(_FINE // 20)
        self.setPageStep(_FINE // 10)
        self.setMinimumWidth(28)
        self.valueChanged.connect(self._update_tooltip)
        self.set_level(default)
        self._update_tooltip()

    def level(self) -> float:
        return self.value() / _FINE

    def set_level(self, level: float) -> None:
        self.setValue(round(level * _FINE))
        self._update_tooltip()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.set_level(self._default)
        event.accept()

    @Slot()
    def _update_tooltip(self) -> None:
        self.setToolTip(TIP.format(name=self._name, value=self._format(self.level())))
