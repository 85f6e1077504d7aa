"""Asks on which keyboard and how one wants to play, and shows where one is while playing.

A passive dialog: it shows what it is told and tells what the user did. While one plays it shrinks
to a count and two buttons, so that the roll behind it is seen; Esc then ends the take and keeps it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from musicrel.chorale import Key, Meter, Voice
from musicrel.playback.recorder import Asked
from musicrel.presentation.compose import harmonise_form, recording_view
from musicrel.ui.widgets import layout, stylesheet
from musicrel.ui.widgets.fields import NumberField

_WIDTH: Final = 430
_NARROW: Final = 250
_SAYS: Final = (
    "Play along with a click. After one bar of count-in the notes appear on the roll, each at the "
    "nearest sixteenth; what you play during the count-in is the pickup."
)
_TEMPOS: Final = (30, 240)
_BEGIN, _STOP = "Begin", "Stop"
_DISCARD: Final = "Discard"


class PlayDialog(QDialog):
    """The dialog; not shown yet.

    Signals:
        port_chosen: another keyboard is to be listened to; its name, "" for none.
        begin_clicked: the user wants to play now.
        stop_clicked: the user has played; what was played is to be kept.
    """

    port_chosen = Signal(str)
    begin_clicked = Signal()
    stop_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Play a melody in")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._running = False
        self.port, self.problem, self.heard = QComboBox(), QLabel(), QLabel()
        self.kind, self.voice, self.meter = QComboBox(), QComboBox(), QComboBox()
        self.tempo = NumberField(*_TEMPOS, 80)
        self.place, self.aside = QLabel(), QLabel()
        self.buttons = QDialogButtonBox()
        self.begin = self.buttons.addButton(_BEGIN, QDialogButtonBox.ButtonRole.ActionRole)
        self.leave = self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self._form = QWidget()
        self._fill()
        self._lay_out()
        self._connect()
        self.set_heard(recording_view.heard(None))

    # ------------------------------------------------------------------ what it is told

    def set_ports(self, names: Sequence[str], reason: str) -> None:
        """Offer keyboards; the chosen one stays chosen while it is there.

        Args:
            names: those there are now.
            reason: why there is none; "" where there is.
        """
        if list(names) != [self.port.itemText(row) for row in range(self.port.count())]:
            before, chosen = self.port.blockSignals(True), self.port.currentText()
            self.port.clear()
            self.port.addItems(list(names))
            self.port.setCurrentIndex(max(self.port.findText(chosen), 0) if names else -1)
            self.port.blockSignals(before)
            self.port_chosen.emit(self.port.currentText())
        self.port.setEnabled(bool(names))
        if reason or not names:
            self.set_problem(reason)

    def set_problem(self, reason: str) -> None:
        """Why one cannot play, one sentence; "" where one can."""
        sentence = f"{reason[:1].upper()}{reason[1:]}"
        self.problem.setText(sentence)
        self.problem.setVisible(bool(reason))
        self.heard.setVisible(not reason)
        self.begin.setEnabled(not reason)
        self.begin.setToolTip(sentence)
        self._fit()

    def set_heard(self, words: str) -> None:
        """Say which key was struck last."""
        self.heard.setText(words)

    def set_meter(self, meter: Meter) -> None:
        """Choose a meter, where it is offered."""
        if meter in recording_view.METERS:
            self.meter.setCurrentIndex(recording_view.METERS.index(meter))

    def set_running(self) -> None:
        """Shrink to the count; one plays from now on."""
        self._running = True
        self._form.hide()
        self.place.show()
        self.begin.setText(_STOP)
        self.begin.setToolTip("End here and keep what was played (Enter or Esc)")
        self.leave.setText(_DISCARD)
        self.leave.setToolTip("End here and keep nothing of it")
        self.setMinimumWidth(_NARROW)
        self._fit()

    def set_place(self, words: str, aside: str) -> None:
        """Say where the click is, and what is to be known of it."""
        self.place.setText(words)
        if aside != self.aside.text():
            self.aside.setText(aside)
            self.aside.setVisible(bool(aside))
            self._fit()

    def asked(self, key: Key | None) -> Asked:
        """The entries as they stand, for a piece in ``key``."""
        return Asked(
            kind=self.kind.currentData(),
            voice=Voice(self.voice.currentData()),
            meter=self.meter.currentData(),
            tempo=float(self.tempo.value()),
            key=key,
        )

    # ------------------------------------------------------------------ what the user did

    def reject(self) -> None:
        """Esc: while one plays it ends that and keeps it; else the dialog is left."""
        if self._running:
            self.stop_clicked.emit()
        else:
            super().reject()

    @Slot()
    def discard(self) -> None:
        """Leave, and keep nothing."""
        super().reject()

    @Slot()
    def _begun(self) -> None:
        (self.stop_clicked if self._running else self.begin_clicked).emit()

    @Slot()
    def _another_kind(self) -> None:
        """Chords are sung by all."""
        alone = self.kind.currentData() == "melody"
        self.voice.setEnabled(alone)
        self.voice.setToolTip(
            harmonise_form.SUNG_BY if alone else "Chords are sung by all four voices"
        )

    # ------------------------------------------------------------------ inside

    def _fit(self) -> None:
        """Be as large as what is shown needs."""
        inside = self.layout()
        if inside is not None:
            inside.activate()
            width = self.minimumWidth()
            self.resize(width, max(inside.totalHeightForWidth(width), 0))

    def _fill(self) -> None:
        for row, (kind, name, says) in enumerate(recording_view.KINDS):
            self.kind.addItem(name, kind)
            self.kind.setItemData(row, says, Qt.ItemDataRole.ToolTipRole)
        for voice in Voice:
            self.voice.addItem(voice.title, voice)
        for meter in recording_view.METERS:
            self.meter.addItem(str(meter), meter)

    def _lay_out(self) -> None:
        head, says = QLabel("Play a melody in"), QLabel(_SAYS)
        stylesheet.scaled(head, 1.3, QFont.Weight.DemiBold)
        stylesheet.scaled(self.place, 1.9, QFont.Weight.DemiBold)
        for label in (says, self.heard, self.aside):
            label.setObjectName("quiet")
        self.problem.setObjectName("problem")
        for label in (says, self.problem, self.aside):
            label.setWordWrap(True)
        self.begin.setObjectName("main")
        self.begin.setDefault(True)
        self.leave.setAutoDefault(False)
        inside = QVBoxLayout(self._form)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(12)
        for part in (head, says):
            inside.addWidget(part)
        inside.addLayout(self._entries())
        inside.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(22, 18, 22, 16)
        column.setSpacing(12)
        self.place.setAlignment(Qt.AlignmentFlag.AlignCenter)
        for widget in (self._form, self.place, self.aside, self.buttons):
            column.addWidget(widget)
        for hidden in (self.place, self.aside, self.problem):
            hidden.hide()
        self.setMinimumWidth(_WIDTH)

    def _entries(self) -> QGridLayout:
        grid = layout.form()
        layout.row(grid, "&Keyboard", self.port)
        grid.addWidget(self.problem, grid.rowCount(), 1)
        grid.addWidget(self.heard, grid.rowCount(), 1)
        for title, widget, tip in (
            ("&What", self.kind, "What you play"),
            ("&Sung by", self.voice, harmonise_form.SUNG_BY),
            ("&Meter", self.meter, "Beats in a bar; the first is clicked higher"),
            ("&Tempo", self.tempo, "Quarters a minute; play slowly, it can sound faster later"),
        ):
            layout.row(grid, title, widget)
            widget.setToolTip(tip)
        return grid

    def _connect(self) -> None:
        self.port.currentTextChanged.connect(self.port_chosen)
        self.kind.currentIndexChanged.connect(self._another_kind)
        self.begin.clicked.connect(self._begun)
        self.leave.clicked.connect(self.discard)
