"""Controller of MIDI recording: notes of a MIDI keyboard appear on the roll.

The list of keyboards is updated while the dialog is open, so that one plugged in meanwhile is
listed. The recording becomes a piece like any other, in one step that can be undone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from PySide6.QtCore import QObject, QTimer, Slot

from musicrel.chorale import REST, Chorale
from musicrel.errors import DataError, MusicrelError
from musicrel.generation.request import MAX_BARS
from musicrel.language import tr
from musicrel.playback.recorder import TITLES, Recorder, TakeSettings
from musicrel.presentation.compose.form import USUAL_BARS
from musicrel.presentation.words.keys import with_keys
from musicrel.score.importing.conversion import ImportedPiece, itemised
from musicrel.ui.controllers.sheet_controller import SheetController
from musicrel.ui.document.document import Sketch
from musicrel.ui.playback.recording_dialog import RecordingDialog
from musicrel.ui.shell.main_window import Services

_TICK: Final = 40  # milliseconds between two updates of the roll
_PORTS_EVERY: Final = 25  # updates of the roll for each update of the list of keyboards
_EDGE: Final = 24
_HINT: Final = (tr("Play after the count-in"), tr("Notes appear here as you play."))
_POSITION, _COUNT_IN = tr("Bar {bar} · {beat}"), tr("Count-in {beat}")
_CHANGED: Final = tr("the recording was changed:{report}")
_LOST: Final = tr("the MIDI port {name} was disconnected; the notes played so far are kept")
_LOST_EMPTY: Final = tr("the MIDI port {name} was disconnected; no notes were recorded")
NOTHING: Final = tr("No notes recorded")
DISCARDED: Final = tr("Recording discarded")
DONE: Final = {
    "melody": tr("Melody recorded: harmonise it ({key[rewriting.harmonise]})"),
    "chords": tr("Chords recorded in four voices"),
}


class MidiRecording(QObject):
    def __init__(self, services: Services, recorder: Recorder, sheet: SheetController) -> None:
        document, actions = services.document, services.commands
        super().__init__(document)
        self._document, self._messages, self._recorder = document, services.messages, recorder
        self._page, self._sheet, self._score = services.page, sheet, actions.score
        self._note_input = actions.rewriting.draw
        self._scored = False
        self._then: Callable[[], object] | None = None
        self._ticks = 0
        self._timer = QTimer(self, interval=_TICK)
        self.dialog: RecordingDialog | None = None
        record = actions.rewriting.record
        record.triggered.connect(lambda *_: self.ask())
        self._timer.timeout.connect(self.tick)

    # ------------------------------------------------------------------ user actions

    def ask(self, then: Callable[[], object] | None = None) -> None:
        """Open the recording dialog; call ``then`` after a recording."""
        if self.dialog is not None:
            return
        if self._document.unready_reason:
            self._messages.show_state(self._document.unready_reason)
            return
        self._then = then
        self._note_input.setChecked(False)  # it listens to the same keyboard
        self.dialog = dialog = RecordingDialog(self._page.window())
        dialog.set_meter(self._document.form.meter)
        dialog.port_chosen.connect(self._arm)
        dialog.begin_clicked.connect(self.begin)
        dialog.stop_clicked.connect(self.stop)
        dialog.finished.connect(self._on_dialog_closed)
        self._update_ports()
        self._timer.start()
        dialog.open()

    @Slot()
    def begin(self) -> None:
        dialog = self.dialog
        if dialog is None or self._recorder.take is not None:
            return
        self._document.set_recording(on=True)
        self._scored = self._score.isChecked()
        if self._scored:
            self._score.trigger()
        self._sheet.set_hint(_HINT)
        self._recorder.begin(dialog.take_settings(self._document.form.key))
        dialog.set_running()
        window = self._page.window()
        corner = window.mapToGlobal(window.rect().bottomLeft())
        dialog.move(corner.x() + _EDGE, corner.y() - dialog.height() - 2 * _EDGE)
        self._show()

    @Slot()
    def stop(self) -> None:
        read, take = self._recorded_piece(), self._recorder.take
        self._end_take()
        if self.dialog is not None:
            self.dialog.discard()
        if read is None or take is None:
            self._show_before(NOTHING)
            return
        self._document.show_piece(read.chorale, action="recorded")
        self._messages.show_state(with_keys(DONE[take.settings.kind]))
        if read.report:
            self._messages.report(_CHANGED.format(report=itemised(read.report)))
        if self._then is not None:
            self._then()

    @Slot()
    def _on_dialog_closed(self) -> None:
        self.dialog = None
        self._timer.stop()
        if self._recorder.take is not None:
            self._end_take()
            self._show_before(DISCARDED)
        self._recorder.close()

    def shut_down(self) -> None:
        if self.dialog is not None:
            self.dialog.discard()
        self._recorder.close()

    # ------------------------------------------------------------------ recording

    @Slot(str)
    def _arm(self, name: str) -> None:
        if self.dialog is None:
            return
        try:
            self._recorder.arm(name)
        except MusicrelError as reason:
            self.dialog.set_problem(str(reason))
        else:
            if name:
                self.dialog.set_problem("")

    @Slot()
    def tick(self) -> None:
        self._ticks += 1
        if self._ticks % _PORTS_EVERY == 0:
            self._update_ports()
        if self._recorder.take is not None:
            self._show()
        elif self.dialog is not None:
            self.dialog.set_last_key(self._recorder.last)

    def _update_ports(self) -> None:
        names, reason = self._recorder.ports()
        name = self._recorder.armed
        if self._recorder.take is not None:
            if name not in names:
                empty = self._recorded_piece() is None
                self.stop()
                self._messages.report((_LOST_EMPTY if empty else _LOST).format(name=name))
        elif self.dialog is not None:
            self.dialog.set_ports(names, reason)
            if self.dialog.port.currentText() != self._recorder.armed:
                self._arm(self.dialog.port.currentText())

    def _show(self) -> None:
        take, dialog, step = self._recorder.take, self.dialog, self._recorder.step
        if take is None or dialog is None:
            return
        bar, beat = take.bar_and_beat(step)
        if bar > MAX_BARS:
            self.stop()
            return
        position = (_POSITION if bar else _COUNT_IN).format(bar=bar, beat=beat)
        dialog.set_position(position, self._recorder.problem)
        read = self._recorded_piece()
        plan = _silent_piece(take.settings, self._document.form.bars or USUAL_BARS)
        piece = _padded(read.chorale, plan) if read is not None else plan
        written = read.chorale.steps if read is not None else 0
        self._document.draw(Sketch(piece=piece, written=written))
        self._page.roll.follow(written)
        self._messages.show_state(position)

    def _recorded_piece(self) -> ImportedPiece | None:
        take = self._recorder.take
        if take is None:
            return None
        try:
            return take.reading(self._recorder.step)
        except DataError:
            return None

    # ------------------------------------------------------------------ internals

    def _end_take(self) -> None:
        self._recorder.stop()
        if self._scored and not self._score.isChecked():
            self._score.trigger()
        self._sheet.set_hint(None)

    def _show_before(self, state: str) -> None:
        self._document.set_recording(on=False)
        self._messages.show_state(state)


def _padded(piece: Chorale, plan: Chorale) -> Chorale:
    """Pad ``piece`` with silence to the length of ``plan``, or to the end of its last bar."""
    bar = piece.meter.steps
    whole = piece.pickup + -(-(piece.steps - piece.pickup) // bar) * bar
    return piece.padded(max(plan.steps + piece.pickup, whole) - piece.steps)


def _silent_piece(settings: TakeSettings, bars: int) -> Chorale:
    silence = np.full((bars * settings.meter.steps, 4), REST)
    fields = {"meter": settings.meter, "tempo": settings.tempo, "key": settings.key}
    return Chorale.of(silence, title=TITLES[settings.kind], **fields)
