"""Input fields of the forms: numbers, names, quality, temperature, top-p and seed; a fold."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QMouseEvent
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QLayout,
    QSizePolicy,
    QSlider,
    QSpinBox,
    QToolButton,
    QWidget,
)

from musicrel.generation.quality import NORMAL, QUALITIES
from musicrel.generation.request import DEFAULT_TOP_P
from musicrel.language import decimal, tr
from musicrel.presentation.compose import form, position_text
from musicrel.ui.widgets import icons, layout

TEXT_MARGIN: Final = 6
_ALL: Final = tr("notes are chosen among all")
_LIKELIEST: Final = tr(
    "notes are chosen among the likeliest, {share:.0%} of the probability together"
)
_SEED_TIP: Final = tr("The same seed and settings give the same notes")
_DICE_TIP: Final = tr("New random seed ({key[new_seed]})")
_TIP: Final = tr("{name}: {value}. Double-click to reset")
_QUALITIES: Final = {"draft": tr("Draft"), "normal": tr("Normal"), "high": tr("High")}
_FINE: Final = position_text.FULL


class NumberField(QSpinBox):
    """A spin box whose text has the same left margin as that of the other fields."""

    def __init__(self, minimum: int, maximum: int, value: int) -> None:
        super().__init__()
        self.setRange(minimum, maximum)
        self.setValue(value)
        self.lineEdit().setTextMargins(TEXT_MARGIN, 0, 0, 0)

    def set_value(self, value: int) -> None:
        self.setValue(value)


def enable(part: QWidget | QAction, disabled_reason: str, tip: str = "") -> None:
    """Enable a part of the window, unless there is a reason against it, which its tooltip gives."""
    part.setEnabled(not disabled_reason)
    part.setToolTip(disabled_reason or tip)


class FoldHeading(QToolButton):
    """A title that opens and closes what is below it; its arrow shows whether that is open."""

    def __init__(self, title: str, tip: str) -> None:
        super().__init__()
        self.setObjectName("fold")
        self.setText(title)
        self.setAccessibleName(title)
        self.setToolTip(tip)
        self.setCheckable(True)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.toggled.connect(self._turn)
        self._turn(on=False)

    @Slot(bool)
    def _turn(self, on: bool) -> None:
        self.setIcon(icons.themed("fold-open" if on else "fold-closed", "quiet"))


def add_entries(box: QComboBox, entries: Iterable[tuple[Any, ...]]) -> None:
    """Add entries to a combo box: title, data and, if there is one, tooltip."""
    for title, data, *tip in entries:
        box.addItem(title, data)
        if tip:
            box.setItemData(box.count() - 1, tip[0], Qt.ItemDataRole.ToolTipRole)


class ChoiceBox(QComboBox):
    def __init__(self, name: str, entries: Iterable[tuple[object, str]] = ()) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.set_entries(entries)

    def set_entries(self, entries: Iterable[tuple[object, str]]) -> None:
        """Replace the entries without a signal; the choice is kept if it still exists."""
        was = self.currentData()
        with QSignalBlocker(self):
            self.clear()
            for value, title in entries:
                self.addItem(title, value)
            self.choose(was)

    def choose(self, value: object) -> None:
        self.setCurrentIndex(max(self.findData(value), 0))


class EntryBox(QComboBox):
    """A combo box of titles with their data and, if there are any, tooltips."""

    def __init__(self, entries: Iterable[tuple[Any, ...]] = ()) -> None:
        super().__init__()
        add_entries(self, entries)

    def value(self) -> Any:
        return self.currentData()

    def set_value(self, value: object) -> None:
        for row in range(self.count()):
            if self.itemData(row) == value:
                self.setCurrentIndex(row)


class QualityBox(EntryBox):
    def __init__(self) -> None:
        levels = QUALITIES.items()
        super().__init__((_QUALITIES[name], name, level.meaning) for name, level in levels)
        self.set_value(NORMAL)


class SliderField(QWidget):
    changed = Signal()

    def __init__(
        self, name: str, bounds: tuple[float, float], steps: int,
        describe: Callable[[float], str], spec: str = ".2f",
    ) -> None:  # fmt: skip
        """Make a slider of ``steps`` per unit; ``spec`` is the format of its value."""
        super().__init__()
        self._name, self._steps, self._describe, self._spec = name, steps, describe, spec
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(name)
        self.slider.setRange(round(bounds[0] * steps), round(bounds[1] * steps))
        self.slider.setPageStep(max(steps // 10, 1))
        self.value_label = QLabel()
        self.value_label.setObjectName("quiet")
        self.value_label.setMinimumWidth(
            self.value_label.fontMetrics().horizontalAdvance(decimal(bounds[1], spec))
        )
        self.value_label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        layout.row((self.slider, 1), self.value_label, owner=self, spacing=10)
        self.setFocusProxy(self.slider)
        self.slider.valueChanged.connect(self._show_value)
        self.slider.valueChanged.connect(self.changed)

    def value(self) -> float:
        return self.slider.value() / self._steps

    def set_value(self, value: float) -> None:
        self.slider.setValue(round(value * self._steps))
        self._show_value()

    @Slot()
    def _show_value(self) -> None:
        value = decimal(self.value(), self._spec)
        self.value_label.setText(value)
        words = self._describe(self.value())
        self.slider.setToolTip(f"{self._name} {value}: {words}")


class TemperatureField(SliderField):
    def __init__(self) -> None:
        bounds = (form.MIN_TEMPERATURE, form.MAX_TEMPERATURE)
        super().__init__(tr("Temperature"), bounds, 20, form.describe_temperature)
        self.set_value(1.0)


class TopPField(SliderField):
    def __init__(self) -> None:
        def describe(top_p: float) -> str:
            return _ALL if top_p >= 1 else _LIKELIEST.format(share=top_p)

        super().__init__(tr("Top-p"), (0.1, 1.0), 100, describe)
        self.set_value(DEFAULT_TOP_P)


class SeedField(QWidget):
    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.spin = NumberField(0, form.MAX_SEED, 0)
        self.spin.setAccessibleName(tr("Seed"))
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
        seed = secrets.randbelow(100_000)
        self.set_value(seed if seed != before else seed + 1)


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

    def sizeHint(self) -> QSize:
        return QSize(self.minimumWidth(), super().sizeHint().height())

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
        self.setToolTip(_TIP.format(name=self._name, value=self._format(self.level())))


class Fold(QWidget):
    opened = Signal(bool)  # the user showed the fields, True, or hid them

    def __init__(self, title: str, tip: str, inside: QWidget | QLayout) -> None:
        super().__init__()
        self.heading, self._inside = FoldHeading(title, tip), QWidget()
        layout.column(inside, owner=self._inside)
        layout.column(self.heading, self._inside, owner=self, spacing=8)
        self.set_open(on=False)
        self.heading.clicked.connect(self._on_clicked)

    def set_open(self, *, on: bool) -> None:
        self.heading.setChecked(on)
        self._inside.setVisible(on)

    @Slot(bool)
    def _on_clicked(self, on: bool) -> None:
        self.set_open(on=on)
        self.opened.emit(on)
