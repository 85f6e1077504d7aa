"""The dialog for recording a melody or chords on a MIDI keyboard, without logic.

During the recording it shrinks to a count and two buttons, so that the roll behind it is visible;
Esc then stops the recording and keeps it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QGridLayout, QLabel, QWidget

from musicrel.chorale import Key, Meter, Voice
from musicrel.language import tr
from musicrel.playback.recorder import TakeSettings
from musicrel.presentation.compose.form import VOICE_HINT
from musicrel.presentation.words import names
from musicrel.ui.widgets import layout, stylesheet
from musicrel.ui.widgets.fields import NumberField, add_entries

_TITLE: Final = tr("Record a melody")
_INTRODUCTION: Final = tr(
    "Play to the metronome. After a count-in of one bar, notes appear on the roll, quantised to "
    "sixteenths; notes during the count-in become the pickup."
)
_KEEP_TIP: Final = tr("Stop and keep the recording (Return or Esc)")
_DISCARD_TIP: Final = tr("Stop and discard the recording")
_ALL_VOICES: Final = tr("Chords use all four voices")
_KIND_TIP: Final = tr("A melody or chords")
_METER_TIP: Final = tr("Beats in a bar; the first has a higher click")
_TEMPO_TIP: Final = tr("Quarters per minute, for the recording only")
NO_KEY: Final = tr("Play a note to test the keyboard")
_RECEIVED: Final = tr("Received {pitch}")
_KINDS: Final = (
    (tr("Melody"), "melody", tr("One note at a time, to be harmonised")),
    (tr("Chords"), "chords", tr("Up to four notes at a time, which become the four voices")),
)
METERS: Final = (Meter(4, 4), Meter(3, 4), Meter(2, 4), Meter(6, 8))


class RecordingDialog(QDialog):
    port_chosen = Signal(str)  # the user chose a keyboard; the name of its port, "" for none
    begin_clicked = Signal()
    stop_clicked = Signal()  # Stop was clicked, or Esc pressed: the recording is kept

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(_TITLE)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._running = False
        self.port, self.problem, self.last_key = QComboBox(), QLabel(), QLabel()
        self.kind, self.voice, self.meter = QComboBox(), QComboBox(), QComboBox()
        self.tempo = NumberField(30, 240, 80)
        self.position, self.remark = QLabel(), QLabel()
        self.buttons = QDialogButtonBox()
        role = QDialogButtonBox.ButtonRole.ActionRole
        self.start_button = self.buttons.addButton(tr("Record"), role)
        self.cancel_button = self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self._form = QWidget()
        self._fill()
        self._lay_out()
        self._connect()
        self.set_last_key(None)

    # ------------------------------------------------------------------ state

    def set_ports(self, ports: Sequence[str], reason: str) -> None:
        if list(ports) != [self.port.itemText(row) for row in range(self.port.count())]:
            chosen = self.port.currentText()
            with QSignalBlocker(self.port):
                self.port.clear()
                self.port.addItems(list(ports))
                self.port.setCurrentIndex(max(self.port.findText(chosen), 0) if ports else -1)
            self.port_chosen.emit(self.port.currentText())
        self.port.setEnabled(bool(ports))
        if reason or not ports:
            self.set_problem(reason)

    def set_problem(self, reason: str) -> None:
        sentence = f"{reason[:1].upper()}{reason[1:]}"
        self.problem.setText(sentence)
        self.problem.setVisible(bool(reason))
        self.last_key.setVisible(not reason)
        self.start_button.setEnabled(not reason)
        self.start_button.setToolTip(sentence)
        self._fit()

    def set_last_key(self, pitch: int | None) -> None:
        tried = NO_KEY if pitch is None else _RECEIVED.format(pitch=names.pitch(pitch))
        self.last_key.setText(tried)

    def set_meter(self, meter: Meter) -> None:
        if meter in METERS:
            self.meter.setCurrentIndex(METERS.index(meter))

    def set_running(self) -> None:
        self._running = True
        self._form.hide()
        self.position.show()
        self.start_button.setText(tr("Stop"))
        self.start_button.setToolTip(_KEEP_TIP)
        self.cancel_button.setText(tr("Discard"))
        self.cancel_button.setToolTip(_DISCARD_TIP)
        stylesheet.set_least_width(self, 250)
        self._fit()

    def set_position(self, text: str, remark: str) -> None:
        self.position.setText(text)
        if remark != self.remark.text():
            self.remark.setText(remark)
            self.remark.setVisible(bool(remark))
            self._fit()

    def take_settings(self, key: Key | None) -> TakeSettings:
        return TakeSettings(
            kind=self.kind.currentData(),
            voice=Voice(self.voice.currentData()),
            meter=self.meter.currentData(),
            tempo=float(self.tempo.value()),
            key=key,
        )

    # ------------------------------------------------------------------ input

    def reject(self) -> None:
        if self._running:
            self.stop_clicked.emit()
        else:
            super().reject()

    @Slot()
    def discard(self) -> None:
        super().reject()

    @Slot()
    def _start_or_stop(self) -> None:
        (self.stop_clicked if self._running else self.begin_clicked).emit()

    @Slot()
    def _change_kind(self) -> None:
        alone = self.kind.currentData() == "melody"
        self.voice.setEnabled(alone)
        self.voice.setToolTip(VOICE_HINT if alone else _ALL_VOICES)

    # ------------------------------------------------------------------ widgets

    def _fit(self) -> None:
        inside = self.layout()
        if inside is not None:
            inside.activate()
            width = self.minimumWidth()
            self.resize(width, max(inside.totalHeightForWidth(width), 0))

    def _fill(self) -> None:
        add_entries(self.kind, _KINDS)
        add_entries(self.voice, ((voice.title, voice) for voice in Voice))
        add_entries(self.meter, ((str(meter), meter) for meter in METERS))

    def _lay_out(self) -> None:
        stylesheet.scale_font(self.position, 1.9, QFont.Weight.DemiBold)
        for label in (self.last_key, self.remark):
            label.setObjectName("quiet")
        self.problem.setObjectName("problem")
        for label in (self.last_key, self.problem, self.remark):
            label.setWordWrap(True)
        self.start_button.setObjectName("main")
        self.start_button.setDefault(True)
        self.cancel_button.setAutoDefault(False)
        head, introduction = layout.dialog_title(_TITLE), layout.quiet(_INTRODUCTION)
        layout.column(head, introduction, self._entries(), None, owner=self._form, spacing=12)
        self.position.setAlignment(Qt.AlignmentFlag.AlignCenter)
        parts = (self._form, self.position, self.remark, self.buttons)
        layout.column(*parts, owner=self, spacing=12, margins=(22, 18, 22, 16))
        for hidden in (self.position, self.remark, self.problem):
            hidden.hide()
        stylesheet.set_least_width(self, 430)

    def _entries(self) -> QGridLayout:
        grid = layout.form_grid()
        layout.add_row(grid, tr("&Keyboard"), self.port)
        grid.addWidget(self.problem, grid.rowCount(), 1)
        grid.addWidget(self.last_key, grid.rowCount(), 1)
        for title, widget, tip in (
            (tr("&Input"), self.kind, _KIND_TIP),
            (tr("&Voice"), self.voice, VOICE_HINT),
            (tr("&Meter"), self.meter, _METER_TIP),
            (tr("&Tempo"), self.tempo, _TEMPO_TIP),
        ):
            layout.add_row(grid, title, widget, tip=tip)
        return grid

    def _connect(self) -> None:
        self.port.currentTextChanged.connect(self.port_chosen)
        self.kind.currentIndexChanged.connect(self._change_kind)
        self.start_button.clicked.connect(self._start_or_stop)
        self.cancel_button.clicked.connect(self.discard)
