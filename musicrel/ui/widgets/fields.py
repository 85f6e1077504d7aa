"""Input fields of the forms: numbers, names, quality, temperature, top-p and seed."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QSizePolicy,
    QSlider,
    QSpinBox,
    QWidget,
)

from musicrel.generation.quality import NORMAL, QUALITIES
from musicrel.generation.request import DEFAULT_TOP_P
from musicrel.presentation.compose import form
from musicrel.ui.widgets import icons, layout

_TEMPERATURE_STEPS, _TOP_P_STEPS = 20, 100
"""Slider steps per unit."""
_LEAST_TOP_P: Final = 0.1
_SHORT_SEEDS: Final = 100_000
TEXT_MARGIN: Final = 6
_ALL: Final = "notes are chosen among all"
_LIKELIEST: Final = "notes are chosen among the likeliest, {share:.0%} of the probability together"
_SEED_TIP: Final = "The same seed and settings give the same notes"
_DICE_TIP: Final = "New random seed (Ctrl+R)"


class NumberField(QSpinBox):
    """A spin box whose text has the same left margin as that of the other fields."""

    def __init__(self, minimum: int, maximum: int, value: int) -> None:
        super().__init__()
        self.setRange(minimum, maximum)
        self.setValue(value)
        self.lineEdit().setTextMargins(TEXT_MARGIN, 0, 0, 0)


class NamesBox(QComboBox):
    """A combo box of names with tooltips; the data of an entry is its name.

    Args:
        empty_title: title of the name "".
    """

    def __init__(self, tooltips: Mapping[str, str], empty_title: str = "") -> None:
        super().__init__()
        for row, (name, tooltip) in enumerate(tooltips.items()):
            self.addItem(name.capitalize() or empty_title, name)
            self.setItemData(row, tooltip, Qt.ItemDataRole.ToolTipRole)


class QualityBox(NamesBox):
    """A combo box of the quality levels."""

    def __init__(self) -> None:
        super().__init__({name: quality.meaning for name, quality in QUALITIES.items()})
        self.setCurrentIndex(self.findData(NORMAL))


class SliderField(QWidget):
    """A slider with its value as a number of two decimals."""

    changed = Signal()

    def __init__(
        self, name: str, bounds: tuple[float, float], steps: int, describe: Callable[[float], str]
    ) -> None:
        super().__init__()
        self._name, self._steps, self._describe = name, steps, describe
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(name)
        self.slider.setRange(round(bounds[0] * steps), round(bounds[1] * steps))
        self.slider.setPageStep(max(steps // 10, 1))
        self.value_label = QLabel()
        self.value_label.setObjectName("quiet")
        self.value_label.setMinimumWidth(self.value_label.fontMetrics().horizontalAdvance("0.00"))
        self.value_label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        layout.row((self.slider, 1), self.value_label, owner=self, spacing=10)
        self.setFocusProxy(self.slider)
        self.slider.valueChanged.connect(self._moved)

    def value(self) -> float:
        return self.slider.value() / self._steps

    def set_value(self, value: float) -> None:
        """Set the value, rounded to a step of the slider."""
        self.slider.setValue(round(value * self._steps))
        self._show_value()

    @Slot()
    def _moved(self) -> None:
        self._show_value()
        self.changed.emit()

    def _show_value(self) -> None:
        self.value_label.setText(f"{self.value():.2f}")
        words = self._describe(self.value())
        self.slider.setToolTip(f"{self._name} {self.value():.2f}: {words}")


class TemperatureField(SliderField):
    """A slider for the temperature of sampling."""

    def __init__(self) -> None:
        bounds = (form.MIN_TEMPERATURE, form.MAX_TEMPERATURE)
        super().__init__("Temperature", bounds, _TEMPERATURE_STEPS, form.describe_temperature)
        self.set_value(1.0)


class TopPField(SliderField):
    """A slider for the share of the probability that notes are chosen from."""

    def __init__(self) -> None:
        super().__init__("Top-p", (_LEAST_TOP_P, 1.0), _TOP_P_STEPS, _describe_top_p)
        self.set_value(DEFAULT_TOP_P)


def _describe_top_p(top_p: float) -> str:
    if top_p >= 1:
        return _ALL
    return _LIKELIEST.format(share=top_p)


class SeedField(QWidget):
    """A spin box for the random seed, with a button for a new one."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.spin = NumberField(0, form.MAX_SEED, 0)
        self.spin.setAccessibleName("Seed")
        self.spin.setToolTip(_SEED_TIP)
        self.dice = icons.button("dice", _DICE_TIP)
        self.dice.setObjectName("")
        self.dice.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Ignored)
        layout.row((self.spin, 1), self.dice, owner=self, spacing=6)
        self.setFocusProxy(self.spin)
        self.dice.clicked.connect(self.randomize)
        self.spin.valueChanged.connect(self.changed)

    def value(self) -> int:
        return self.spin.value()

    def set_value(self, seed: int) -> None:
        self.spin.setValue(seed)

    @Slot()
    def randomize(self) -> None:
        before = self.value()
        seed = secrets.randbelow(_SHORT_SEEDS)
        self.set_value(seed if seed != before else seed + 1)
