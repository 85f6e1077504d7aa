"""The ranges of the voices: a preset, or lowest and highest notes of one's own."""

from __future__ import annotations

import re
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QSpinBox, QWidget

from musicrel.chorale import Voice
from musicrel.errors import UsageError
from musicrel.generation.constraints import voice_ranges
from musicrel.generation.constraints.voice_ranges import PRESETS, Ranges
from musicrel.presentation.words import names
from musicrel.tokens.vocabulary import HIGHEST_PITCH, LOWEST_PITCH
from musicrel.ui.widgets.fields import TEXT_MARGIN

CUSTOM: Final = "Custom…"
_HIGHEST_PITCH: Final = 84
"""Highest note of a preset, above those of the models."""
_CUSTOM_TIP: Final = (
    "Lowest and highest note of each voice; models write "
    f"{names.pitch(LOWEST_PITCH)} to {names.pitch(HIGHEST_PITCH)}"
)
_NOTE: Final = re.compile(r"([A-G])([#♯b♭]?)([2-6])", re.IGNORECASE)
_HALF_A_NOTE: Final = re.compile(r"[A-G]?[#♯b♭]?", re.IGNORECASE)
_SEMITONES: Final = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
_ACCIDENTALS: Final = {"": 0, "#": 1, "♯": 1, "b": -1, "♭": -1}
_LOWEST: Final = "{voice}, lowest note"
_HIGHEST: Final = "{voice}, highest note"


class PitchField(QSpinBox):
    """A spin box of pitches, shown and typed as names."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setRange(LOWEST_PITCH, _HIGHEST_PITCH)
        self.setAccessibleName(name)
        self.lineEdit().setTextMargins(TEXT_MARGIN, 0, 0, 0)

    def textFromValue(self, val: int) -> str:  # Qt's name
        return names.pitch(val)

    def valueFromText(self, text: str) -> int:  # Qt's name
        match = _NOTE.fullmatch(text.strip())
        if match is None:
            return self.value()
        letter, sign, octave = match.groups()
        shift = _SEMITONES[letter.upper()] + _ACCIDENTALS[sign.lower()]
        return 12 * (int(octave) + 1) + shift

    def validate(self, text: str, pos: int) -> tuple[QValidator.State, str, int]:
        """Accept names of pitches, and what may become one."""
        state = QValidator.State.Invalid
        if _NOTE.fullmatch(text.strip()):
            state = QValidator.State.Acceptable
        elif _HALF_A_NOTE.fullmatch(text.strip()):
            state = QValidator.State.Intermediate
        return state, text, pos


class RangesField(QComboBox):
    """A combo box of presets, and four pairs of pitches for "Custom…".

    Attributes:
        pitches: the fields of the lowest and highest note of each voice.
        own: holds them; visible while the box shows "Custom…".
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        for row, (name, preset) in enumerate(PRESETS.items()):
            self.addItem(preset.title, name)
            tip = f"{preset.meaning}: {in_words(preset.ranges)}"
            self.setItemData(row, tip, Qt.ItemDataRole.ToolTipRole)
        self.addItem(CUSTOM, "")
        self.setItemData(len(PRESETS), _CUSTOM_TIP, Qt.ItemDataRole.ToolTipRole)
        self.pitches = tuple(
            (
                PitchField(_LOWEST.format(voice=voice.title)),
                PitchField(_HIGHEST.format(voice=voice.title)),
            )
            for voice in Voice
        )
        self.own = QWidget()
        self._lay_out()
        self.set_value(voice_ranges.DEFAULT)
        self.currentIndexChanged.connect(self._on_preset_chosen)
        for pair in self.pitches:
            for field in pair:
                field.valueChanged.connect(self._on_pitch_changed)

    def value(self) -> str:
        """Return the ranges as in the form: the name of a preset, or numbers."""
        return self.currentData() or ",".join(
            f"{low.value()}-{high.value()}" for low, high in self.pitches
        )

    def set_value(self, text: str) -> None:
        """Show ranges as they are in the form; those that cannot be read are ignored."""
        try:
            ranges = voice_ranges.parse(text)
        except UsageError:
            return
        before = self.blockSignals(True)
        name = text if text in PRESETS else ""
        self.setCurrentIndex(self.findData(name))
        self._show(ranges)
        self.blockSignals(before)

    def _show(self, ranges: Ranges) -> None:
        """Show pitches in the tooltip, and in the fields, which a preset hides."""
        for (low, high), (lowest, highest) in zip(self.pitches, ranges, strict=True):
            for field, pitch in ((low, lowest), (high, highest)):
                before = field.blockSignals(True)
                field.setRange(LOWEST_PITCH, _HIGHEST_PITCH)
                field.setValue(pitch)
                field.blockSignals(before)
        self._limit()
        self.own.setVisible(not self.currentData())
        self.setToolTip(in_words(ranges))

    def _limit(self) -> None:
        """Keep the lowest note of each voice below its highest."""
        for low, high in self.pitches:
            low.setMaximum(high.value())
            high.setMinimum(low.value())

    @Slot()
    def _on_preset_chosen(self) -> None:
        if self.currentData():
            self.set_value(self.currentData())
        self.own.setVisible(not self.currentData())
        self.changed.emit()

    @Slot()
    def _on_pitch_changed(self) -> None:
        self._limit()
        self.setToolTip(in_words(tuple((low.value(), high.value()) for low, high in self.pitches)))
        self.changed.emit()

    def _lay_out(self) -> None:
        grid = QGridLayout(self.own)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(6)
        for row, (voice, (low, high)) in enumerate(zip(Voice, self.pitches, strict=True)):
            chip = QLabel(voice.letter)
            chip.setObjectName(f"voice{int(voice)}")
            chip.setToolTip(voice.title)
            chip.setAlignment(Qt.AlignmentFlag.AlignCenter)
            chip.setFixedWidth(22)
            for column, part in enumerate((chip, low, QLabel("–"), high)):
                grid.addWidget(part, row, column)
            grid.setColumnStretch(1, 1)
            grid.setColumnStretch(3, 1)


def in_words(ranges: Ranges) -> str:
    """Return ranges as 'Soprano C4–A5, Alto G3–D5, Tenor C3–A4, Bass E2–E4'."""
    return ", ".join(
        f"{voice.title} {names.pitch(low)}–{names.pitch(high)}"
        for voice, (low, high) in zip(Voice, ranges, strict=True)
    )
