"""Controller of the dialog of a piece's properties; the menu or the title opens it."""

from __future__ import annotations

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

from musicrel.chorale import LINES, Chorale, Key
from musicrel.language import tr
from musicrel.presentation.compose import properties_form
from musicrel.presentation.compose.properties_form import PropertiesForm
from musicrel.score.editing.draft import Edit
from musicrel.ui.editing.edit_controller import Editor
from musicrel.ui.editing.piece_dialog import PieceDialog, PieceDialogController
from musicrel.ui.shell.main_window import Services
from musicrel.ui.widgets import layout, stylesheet
from musicrel.ui.widgets.fields import TEXT_MARGIN, EntryBox, enable

_TITLE: Final = tr("Properties of the piece")
_OK: Final = tr("Apply")
UNKNOWN: Final = tr("Unknown")
_NO_TITLE: Final = tr("Untitled")
_NONE: Final = tr("None", "tune, pickup")
_BEATS, _BEAT = tr(" beats"), tr(" beat")
PER_MINUTE: Final = tr(" quarters a minute")
_KEEP, _TRANSPOSE = tr("&Keep the notes"), tr("T&ranspose the notes")
_KEEP_TIP: Final = tr("Only the key signature and the spelling change")
_TRANSPOSE_TIP: Final = tr("All notes move with the key, up or down, whichever is nearer")
# label and tooltip of each entry
_ENTRIES: Final = (
    (tr("&Title"), tr("Shown on scores and in exported files")),
    (tr("&Subtitle"), tr("Shown below the title; empty: none")),
    (tr("&Composer"), tr("Shown on scores and in exported files; empty: unknown")),
    (tr("&Poet"), tr("Who wrote the words; shown on scores and in exported files")),
    (tr("T&une"), tr("Name of the tune; shown on scores below the composer")),
    (tr("Copyri&ght"), tr("Shown at the foot of the first page of a score")),
    (tr("Ke&y"), tr("Determines the key signature and the spelling of notes")),
    (tr("&Meter"), tr("Bar lines move, notes stay where they are; 1 to 32 over 1, 2, 4, 8 or 16")),
    (tr("P&ickup"), tr("Beats before the first bar line")),
    (tr("T&empo"), tr("Quarter notes a minute, 5 to 600")),
)


class NumberField(QDoubleSpinBox):
    """A spin box that shows no zeros after the point."""

    def textFromValue(self, value: float) -> str:
        return self.locale().toString(round(value, self.decimals()), "g", 6)

    def set_up(self, suffix: str, within: tuple[float, float], value: float) -> None:
        self.setSuffix(suffix)
        self.setDecimals(properties_form.TEMPO_DIGITS)
        self.lineEdit().setTextMargins(TEXT_MARGIN, 0, 0, 0)
        self.setRange(*within)
        self.setValue(value)


class PropertiesDialog(PieceDialog):
    def __init__(self, piece: Chorale, parent: QWidget | None = None) -> None:
        super().__init__(_TITLE, _OK, parent)
        self._piece = piece
        self.title = QLineEdit(placeholderText=_NO_TITLE)
        self.composer, self.poet = (QLineEdit(placeholderText=UNKNOWN) for _ in range(2))
        self.subtitle, self.tune, self.copyright = (
            QLineEdit(placeholderText=_NONE) for _ in range(3)
        )
        self.key, self.meter = EntryBox(), QComboBox()
        self.keep, self.transpose = QRadioButton(_KEEP), QRadioButton(_TRANSPOSE)
        self.pickup, self.tempo = NumberField(), NumberField()
        self.problem = QLabel()
        self._lay_out()
        self._show(PropertiesForm.of(piece))
        self._connect()
        self._check()

    def _show(self, form: PropertiesForm) -> None:
        for name in LINES:
            self.line(name).setText(getattr(form, name))
        self.key.addItem(UNKNOWN, None)
        for name, key in properties_form.keys(form.key):
            self.key.addItem(name, key)
        self.key.set_value(form.key)
        self.meter.setCurrentText(form.meter)
        self.pickup.set_up(_BEATS, (0.0, 32.0), form.pickup)
        self.tempo.set_up(PER_MINUTE, (5.0, 600.0), form.tempo)
        self.keep.setChecked(True)
        self.title.selectAll()

    def line(self, name: str) -> QLineEdit:
        """Return the entry of one of ``LINES``."""
        entry: QLineEdit = getattr(self, name)
        return entry

    def form(self) -> PropertiesForm:
        key = self.key.currentData()
        return PropertiesForm(
            **{name: self.line(name).text() for name in LINES},
            key=key if isinstance(key, Key) else None,
            transposes=self.transpose.isChecked(),
            meter=self.meter.currentText(),
            pickup=self.pickup.value(),
            tempo=self.tempo.value(),
        )

    def edit(self, piece: Chorale) -> Edit:
        return self.form().edit(piece)

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
        self.meter.setEditable(True)
        self.meter.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.meter.addItems([str(meter) for meter in properties_form.METERS])
        self.pickup.setSpecialValueText(_NONE)
        self.keep.setToolTip(_KEEP_TIP)
        notes = QButtonGroup(self)
        notes.addButton(self.keep)
        notes.addButton(self.transpose)
        self.lay_out(self._entries(), self.problem, spacing=14)
        stylesheet.set_least_width(self, 440)

    def _entries(self) -> QGridLayout:
        grid = layout.form_grid()
        lines = map(self.line, LINES)
        fields = (*lines, self.key, self.meter, self.pickup, self.tempo)
        for (label, tip), field in zip(_ENTRIES, fields, strict=True):
            layout.add_row(grid, label, field, tip=tip)
            if field is self.key:
                notes = layout.row(self.keep, self.transpose, None, spacing=18)
                layout.add_row(grid, "", self.keep, notes, tip=_KEEP_TIP)
        return grid

    def _connect(self) -> None:
        for signal in (
            *(self.line(name).textChanged for name in LINES),
            self.key.currentIndexChanged,
            self.meter.currentTextChanged,
            self.pickup.valueChanged,
            self.tempo.valueChanged,
            self.transpose.toggled,
        ):
            signal.connect(self._check)


class PropertiesController(PieceDialogController[PropertiesDialog]):
    def __init__(self, services: Services, editor: Editor) -> None:
        self._title, self._action = services.page.title, services.commands.edit.properties
        super().__init__(services, editor, self._action)
        self._title.installEventFilter(self)

    def make(self, piece: Chorale) -> PropertiesDialog:
        return PropertiesDialog(piece, self._window)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonDblClick:
            left = event.button() == Qt.MouseButton.LeftButton
            if left and watched is self._title and self._action.isEnabled():
                self.ask()
                return True
        return False
