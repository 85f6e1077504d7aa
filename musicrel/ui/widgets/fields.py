"""Fields of the form that Qt has not: surprise, patience, and a seed with its dice.

This file knows single values; it knows nothing of the form they belong to.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QSlider,
    QSpinBox,
    QToolButton,
    QWidget,
)

from musicrel.presentation.compose import form
from musicrel.presentation.words.palette import Theme
from musicrel.ui.widgets import icons

_TICKS: Final = 20
"""Slider positions in a temperature of 1."""
_SHORT_SEEDS: Final = 100_000
TEXT_MARGIN: Final = 6


class NumberField(QSpinBox):
    """A whole number within bounds, set in from the edge as the text of the other fields is."""

    def __init__(self, least: int, most: int, value: int) -> None:
        super().__init__()
        self.setRange(least, most)
        self.setValue(value)
        self.lineEdit().setTextMargins(TEXT_MARGIN, 0, 0, 0)


class NamesBox(QComboBox):
    """One of several names, each with what it means; the data of an entry is its name.

    Args:
        meanings: of each name.
        nothing: how the name "" is shown.
    """

    def __init__(self, meanings: Mapping[str, str], nothing: str = "") -> None:
        super().__init__()
        for row, (name, says) in enumerate(meanings.items()):
            self.addItem(name.capitalize() or nothing, name)
            self.setItemData(row, says, Qt.ItemDataRole.ToolTipRole)


class PatienceBox(NamesBox):
    """How patient a model is with its notes."""

    def __init__(self) -> None:
        super().__init__(form.PATIENCE)
        self.setCurrentIndex(self.findData(form.USUAL_PATIENCE))


class SurpriseField(QWidget):
    """A slider from safe to surprising, and what it says as a number and a word.

    Signals:
        changed: the user moved it, or it was set.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName("Surprise, the temperature of sampling")
        self.slider.setRange(round(form.SAFEST * _TICKS), round(form.BOLDEST * _TICKS))
        self.slider.setPageStep(2)
        self.says = QLabel()
        self.says.setObjectName("quiet")
        self.says.setMinimumWidth(self.says.fontMetrics().horizontalAdvance("0.00"))
        self.says.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addWidget(self.slider, 1)
        row.addWidget(self.says)
        self.setFocusProxy(self.slider)
        self.slider.valueChanged.connect(self._moved)
        self.set_value(1.0)
        self._moved()

    def value(self) -> float:
        """The temperature."""
        return self.slider.value() / _TICKS

    def set_value(self, temperature: float) -> None:
        """Show a temperature."""
        self.slider.setValue(round(temperature * _TICKS))

    @Slot()
    def _moved(self) -> None:
        self.says.setText(f"{self.value():.2f}")
        self.slider.setToolTip(
            f"Temperature {self.value():.2f}, {form.surprise(self.value())}: "
            "left is safe, 1.00 is as the model learned it, right is surprising"
        )
        self.changed.emit()


class SeedField(QWidget):
    """A seed, and dice that roll another one.

    Signals:
        changed: it has another value.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.spin = NumberField(0, form.LARGEST_SEED, 0)
        self.spin.setAccessibleName("Seed")
        self.spin.setToolTip("The same seed and settings give the same notes, every time")
        self.dice = QToolButton()
        self.dice.setAccessibleName("Roll a new seed")
        self.dice.setToolTip("Roll a new seed (Ctrl+R)")
        self.dice.setIconSize(QSize(20, 20))
        self.dice.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Ignored)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.spin, 1)
        row.addWidget(self.dice)
        self.setFocusProxy(self.spin)
        self.dice.clicked.connect(self.roll)
        self.spin.valueChanged.connect(self.changed)

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        self.dice.setIcon(icons.tinted("dice", theme))

    def value(self) -> int:
        """The seed."""
        return self.spin.value()

    def set_value(self, seed: int) -> None:
        """Show a seed."""
        self.spin.setValue(seed)

    @Slot()
    def roll(self) -> None:
        """Take another seed by chance, short enough to be read aloud."""
        before = self.value()
        seed = secrets.randbelow(_SHORT_SEEDS)
        self.set_value(seed if seed != before else seed + 1)
