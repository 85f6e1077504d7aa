"""Controller of the dialog of a piece's properties; the menu or the title opens it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
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
from musicrel.ui.editing.edit_controller import Editor
from musicrel.ui.files.dialogs import ActionDialog
from musicrel.ui.shell.main_window import Services
from musicrel.ui.widgets import layout
from musicrel.ui.widgets.fields import TEXT_MARGIN, EntryBox, enable

_TITLE: Final = "Properties of the piece"
_OK: Final = "Apply"
_UNKNOWN: Final = "Unknown"
_NO_TITLE: Final = "Untitled"
_BEATS, _BEAT, _NO_PICKUP = " beats", " beat", "None"
_PER_MINUTE: Final = " quarters a minute"
_KEEP, _TRANSPOSE = "&Keep the notes", "T&ranspose the notes"
_KEEP_TIP: Final = "Only the key signature and the spelling change"
_TRANSPOSE_TIP: Final = "All notes move with the key, up or down, whichever is nearer"
# label and tooltip of each entry
_ENTRIES: Final = (
    ("&Title", "Shown on scores and in exported files"),
    ("&Composer", "Shown on scores and in exported files; empty: unknown"),
    ("Ke&y", "Determines the key signature and the spelling of notes"),
    ("&Meter", "Bar lines move, notes stay where they are; 1 to 32 over 1, 2, 4, 8 or 16"),
    ("&Pickup", "Beats before the first bar line"),
    ("T&empo", "Quarter notes a minute, 5 to 600"),
)


class _NumberField(QDoubleSpinBox):
    """A spin box that shows no zeros after the point."""

    def textFromValue(self, value: float) -> str:
        return self.locale().toString(round(value, self.decimals()), "g", 6)


class PropertiesDialog(ActionDialog):
    def __init__(self, piece: Chorale, parent: QWidget | None = None) -> None:
        super().__init__(_TITLE, _OK, parent)
        self._piece = piece
        self.title, self.composer = QLineEdit(placeholderText=_NO_TITLE), QLineEdit()
        self.composer.setPlaceholderText(_UNKNOWN)
        self.key, self.meter = EntryBox(), QComboBox()
        self.keep, self.transpose = QRadioButton(_KEEP), QRadioButton(_TRANSPOSE)
        self.pickup, self.tempo = _NumberField(), _NumberField()
        self.problem = QLabel()
        self._lay_out()
        self._show(PropertiesForm.of(piece))
        self._connect()
        self._check()

    def _show(self, form: PropertiesForm) -> None:
        self.title.setText(form.title)
        self.composer.setText(form.composer)
        self.key.addItem(_UNKNOWN, None)
        for name, key in properties_form.keys(form.key):
            self.key.addItem(name, key)
        self.key.set_value(form.key)
        self.meter.setCurrentText(form.meter)
        self.pickup.setSingleStep(1 / written_unit(self._piece.meter))
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

    @Slot()
    def _check(self) -> None:
        self.pickup.setSuffix(_BEAT if self.pickup.value() == 1 else _BEATS)
        reason = properties_form.transpose_disabled_reason(self.form().key, self._piece)
        if reason:
            self.keep.setChecked(True)
        enable(self.transpose, reason, _TRANSPOSE_TIP)
        problem = properties_form.problem(self.form(), self._piece)
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        enable(self.action_button, problem)

    def _lay_out(self) -> None:
        self.problem.setObjectName("problem")
        self.problem.setWordWrap(True)
        self.problem.hide()
        self.action_button.setObjectName("main")
        self.meter.setEditable(True)
        self.meter.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.meter.addItems([str(meter) for meter in properties_form.METERS])
        for spin, suffix in ((self.pickup, _BEATS), (self.tempo, _PER_MINUTE)):
            spin.setSuffix(suffix)
            spin.setDecimals(properties_form.TEMPO_DIGITS)
            spin.lineEdit().setTextMargins(TEXT_MARGIN, 0, 0, 0)
        self.pickup.setMaximum(32.0)
        self.pickup.setSpecialValueText(_NO_PICKUP)
        self.tempo.setRange(5.0, 600.0)
        self.keep.setToolTip(_KEEP_TIP)
        notes = QButtonGroup(self)
        notes.addButton(self.keep)
        notes.addButton(self.transpose)
        parts = (layout.dialog_title(_TITLE), self._entries(), self.problem, self.buttons)
        layout.column(*parts, owner=self, spacing=14, margins=(22, 18, 22, 16))
        self.setMinimumWidth(440)

    def _entries(self) -> QGridLayout:
        grid = layout.form_grid()
        fields = (self.title, self.composer, self.key, self.meter, self.pickup, self.tempo)
        for (label, tip), field in zip(_ENTRIES, fields, strict=True):
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
            signal.connect(self._check)
        self.buttons.accepted.connect(self.accept)


class PropertiesController(QObject):
    def __init__(self, services: Services, editor: Editor) -> None:
        super().__init__(services.document)
        self._document, self._editor = services.document, editor
        self._title = services.page.title
        self._action = services.commands.edit.properties
        self.dialog: PropertiesDialog | None = None
        self._title.installEventFilter(self)
        self._action.triggered.connect(self.ask)
        self._document.shown_changed.connect(self._close)

    @Slot()
    def ask(self) -> None:
        piece = self._document.piece
        if piece is None or self.dialog is not None:
            return
        self.dialog = PropertiesDialog(piece, self._title.window())
        self.dialog.accepted.connect(self._apply)
        self.dialog.finished.connect(self._on_finished)
        self.dialog.open()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonDblClick:
            left = event.button() == Qt.MouseButton.LeftButton
            if left and watched is self._title and self._action.isEnabled():
                self.ask()
                return True
        return False

    @Slot()
    def _apply(self) -> None:
        dialog, self.dialog = self.dialog, None
        piece, selection = self._document.piece, self._document.selection
        if dialog is not None and piece is not None:
            form = dialog.form()
            self._editor.apply(lambda: replace(form.edit(piece), selection=selection), unchanged="")

    @Slot()
    def _close(self) -> None:
        if self.dialog is not None:
            self.dialog.reject()

    @Slot()
    def _on_finished(self) -> None:
        self.dialog = None
