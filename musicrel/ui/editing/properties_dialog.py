"""The dialog of a piece's properties, without logic: title, composer, key, meter, pickup, tempo."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QRadioButton,
    QWidget,
)

from musicrel.chorale import Chorale, Key
from musicrel.meter_beats import written_unit
from musicrel.presentation.compose import properties_form
from musicrel.presentation.compose.properties_form import PropertiesForm
from musicrel.ui.compose.form_fields import choose
from musicrel.ui.widgets import layout, stylesheet
from musicrel.ui.widgets.fields import TEXT_MARGIN

_TITLE: Final = "Properties of the piece"
_OK: Final = "Apply"
_WIDTH: Final = 440
_UNKNOWN: Final = "Unknown"
_NO_TITLE: Final = "Untitled"
_BEATS, _BEAT, _NO_PICKUP = " beats", " beat", "None"
_PER_MINUTE: Final = " quarters a minute"
_KEEP, _TRANSPOSE = "&Keep the notes", "T&ranspose the notes"
_LABELS: Final = ("&Title", "&Composer", "Ke&y", "&Meter", "&Pickup", "T&empo")
_TITLE_TIP: Final = "It stands on scores and in exported files"
_COMPOSER_TIP: Final = "It stands on scores and in exported files; empty: unknown"
_KEY_TIP: Final = "It gives the key signature and the spelling of notes"
_KEEP_TIP: Final = "Only the key signature and the spelling change"
_TRANSPOSE_TIP: Final = "All notes move with the key, up or down, whichever is nearer"
_METER_TIP: Final = "Bar lines move, notes stay where they are; 1 to 32 over 1, 2, 4, 8 or 16"
_PICKUP_TIP: Final = "Beats before the first bar line"
_TEMPO_TIP: Final = "Quarter notes a minute, 5 to 600"
_MOST_BEATS: Final = 32.0
_TEMPOS: Final = (5.0, 600.0)


class _NumberField(QDoubleSpinBox):
    """A spin box that shows no zeros after the point."""

    def textFromValue(self, value: float) -> str:
        return self.locale().toString(round(value, self.decimals()), "g", 6)


class PropertiesDialog(QDialog):
    """The dialog; not shown yet."""

    changed = Signal()  # an entry has changed; ``form`` returns all

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(_TITLE)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.title, self.composer = QLineEdit(placeholderText=_NO_TITLE), QLineEdit()
        self.composer.setPlaceholderText(_UNKNOWN)
        self.key, self.meter = QComboBox(), QComboBox()
        self.keep, self.transpose = QRadioButton(_KEEP), QRadioButton(_TRANSPOSE)
        self.pickup, self.tempo = _NumberField(), _NumberField()
        self.problem = QLabel()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.apply_button = self.buttons.addButton(_OK, QDialogButtonBox.ButtonRole.AcceptRole)
        self._lay_out()
        self._connect()

    def show_piece(self, piece: Chorale) -> None:
        form = PropertiesForm.of(piece)
        self.title.setText(form.title)
        self.composer.setText(form.composer)
        self.key.addItem(_UNKNOWN, None)
        for name, key in properties_form.keys(form.key):
            self.key.addItem(name, key)
        choose(self.key, form.key)
        self.meter.setCurrentText(form.meter)
        self.pickup.setSingleStep(1 / written_unit(piece.meter))
        self.pickup.setValue(form.pickup)
        self.tempo.setValue(form.tempo)
        self.keep.setChecked(True)
        self.title.selectAll()

    def form(self) -> PropertiesForm:
        key = self.key.currentData()
        return PropertiesForm(
            title=self.title.text(),
            composer=self.composer.text(),
            key=key if isinstance(key, Key) else None,
            transposes=self.transpose.isChecked(),
            meter=self.meter.currentText(),
            pickup=self.pickup.value(),
            tempo=self.tempo.value(),
        )

    def show_problem(self, sentence: str) -> None:
        """Show why the entries cannot be applied; "" if they can."""
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))
        self.apply_button.setEnabled(not sentence)
        self.apply_button.setToolTip(sentence)

    def set_transpose_disabled_reason(self, reason: str) -> None:
        """Disable the transposition of the notes and show ``reason``; "" enables it."""
        if reason:
            self.keep.setChecked(True)
        self.transpose.setEnabled(not reason)
        self.transpose.setToolTip(reason or _TRANSPOSE_TIP)

    # ------------------------------------------------------------------ widgets

    def _lay_out(self) -> None:
        head = QLabel(_TITLE)
        stylesheet.scale_font(head, 1.3, QFont.Weight.DemiBold)
        self.problem.setObjectName("problem")
        self.problem.setWordWrap(True)
        self.problem.hide()
        self.apply_button.setObjectName("main")
        self.apply_button.setDefault(True)
        self.meter.setEditable(True)
        self.meter.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.meter.addItems([str(meter) for meter in properties_form.METERS])
        for spin, suffix in ((self.pickup, _BEATS), (self.tempo, _PER_MINUTE)):
            spin.setSuffix(suffix)
            spin.setDecimals(properties_form.TEMPO_DIGITS)
            spin.lineEdit().setTextMargins(TEXT_MARGIN, 0, 0, 0)
        self.pickup.setMaximum(_MOST_BEATS)
        self.pickup.setSpecialValueText(_NO_PICKUP)
        self.tempo.setRange(*_TEMPOS)
        self.keep.setToolTip(_KEEP_TIP)
        notes = QButtonGroup(self)
        notes.addButton(self.keep)
        notes.addButton(self.transpose)
        parts = (head, self._entries(), self.problem, self.buttons)
        layout.column(*parts, owner=self, spacing=14, margins=(22, 18, 22, 16))
        self.setMinimumWidth(_WIDTH)

    def _entries(self) -> QGridLayout:
        grid = layout.form_grid()
        fields = (self.title, self.composer, self.key, self.meter, self.pickup, self.tempo)
        tips = (_TITLE_TIP, _COMPOSER_TIP, _KEY_TIP, _METER_TIP, _PICKUP_TIP, _TEMPO_TIP)
        for label, field, tip in zip(_LABELS, fields, tips, strict=True):
            layout.add_row(grid, label, field, tip=tip)
            if field is self.key:
                notes = layout.row(self.keep, self.transpose, None, spacing=18)
                layout.add_row(grid, "", self.keep, notes, tip=_KEEP_TIP)
        return grid

    def _connect(self) -> None:
        for signal in (
            self.title.textChanged,
            self.composer.textChanged,
            self.key.currentIndexChanged,
            self.meter.currentTextChanged,
            self.pickup.valueChanged,
            self.tempo.valueChanged,
            self.transpose.toggled,
        ):
            signal.connect(self._on_changed)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    @Slot()
    def _on_changed(self) -> None:
        self.pickup.setSuffix(_BEAT if self.pickup.value() == 1 else _BEATS)
        self.changed.emit()
