"""The conductor of playing in: one plays on a MIDI keyboard, and the notes appear on the roll.

The keyboard is looked for while the dialog is open, so that one plugged in a moment ago is there.
What was played becomes a piece like any other, in one step that can be undone. This file knows the
window; what a take is and how it becomes music stands in ``musicrel.playback``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from musicrel.errors import DataError, MusicrelError
from musicrel.generation.request import MOST_BARS
from musicrel.playback.recorder import Asked, Recorder
from musicrel.playback.take import Take
from musicrel.presentation.compose import recording_view, summary
from musicrel.presentation.roll import roll
from musicrel.score.importing.conversion import Reading
from musicrel.ui.actions import commands
from musicrel.ui.controllers.compose_controller import NOT_DONE, Studio
from musicrel.ui.playback.recording_dialog import PlayDialog
from musicrel.ui.shell.main_window import MainWindow

_TICK: Final = 40
"""Milliseconds between two looks at what was played."""
_LOOK_EVERY: Final = 25
"""Looks at what was played for each look at which keyboards there are."""
_EDGE: Final = 24


class PlayingIn(QObject):
    """Wires keyboard, click and takes to the window.

    Args:
        window: with a command that asks for it, and a roll.
        studio: takes what was played.
        recorder: listens; closed by ``shut_down``.

    Signals:
        shown: the piece that is seen and heard from now on: None while one plays, and what is on
            the sheet when nothing came of that.
    """

    shown = Signal(object)

    def __init__(self, window: MainWindow, studio: Studio, recorder: Recorder) -> None:
        super().__init__(studio)
        self._window, self._page, self._studio = window, window.page, studio
        self._entries = window.page.controls.entries
        self._recorder = recorder
        self._take: Take | None = None
        self._scored = False
        self._asked: Asked | None = None
        self._before = (window.page.roll.picture, "", "")
        self._then: Callable[[], object] | None = None
        self._looks = 0
        self._timer = QTimer(self, interval=_TICK)
        self.dialog: PlayDialog | None = None
        """What asks and counts, while it is open."""
        for signal, slot in (
            (window.commands.rewriting.play.triggered, self.ask),
            (self._timer.timeout, self._tick),
            (studio.began, self._allow),
            (studio.offered, self._allow),
        ):
            signal.connect(slot)
        self._allow()

    # ------------------------------------------------------------------ what the user did

    @Slot()
    def ask(self) -> None:
        """Ask on which keyboard, and how."""
        self.ask_and_then(None)

    def ask_and_then(self, then: Callable[[], object] | None) -> None:
        """As ``ask``; ``then`` is called when a piece has come of it."""
        if self.dialog is not None or self._studio.busy:
            return
        if self._studio.guest:
            self._window.set_state(self._studio.guest)
            return
        self._then = then
        self.dialog = dialog = PlayDialog(self._window)
        dialog.set_meter(self._entries.form().meter)
        dialog.port_chosen.connect(self._arm)
        dialog.begin_clicked.connect(self.begin)
        dialog.stop_clicked.connect(self.stop)
        dialog.finished.connect(self._left)
        self._look()
        self._timer.start()
        dialog.open()

    @Slot()
    def begin(self) -> None:
        """Count in, and show what is played from now on."""
        dialog, page = self.dialog, self._page
        if dialog is None or self._recorder.running:
            return
        self._asked = dialog.asked(self._entries.form().key)
        self._before = (page.roll.picture, page.title.whole, page.heading.text())
        self.shown.emit(None)
        self._scored = self._window.commands.score.isChecked()
        if self._scored:
            self._window.commands.score.trigger()
        self._page.roll.set_hint(*recording_view.HINT)
        self._take = self._recorder.begin(self._asked)
        dialog.set_running()
        corner = self._window.mapToGlobal(self._window.rect().bottomLeft())
        dialog.move(corner.x() + _EDGE, corner.y() - dialog.height() - 2 * _EDGE)
        self._show()

    @Slot()
    def stop(self) -> None:
        """End the take and keep what was played."""
        read, asked = self._reading(), self._asked
        self._end_take()
        if self.dialog is not None:
            self.dialog.discard()
        if read is None or asked is None:
            self._show_before(recording_view.NOTHING)
            return
        self._studio.show_piece(read.chorale, None, recording_view.DONE[asked.kind], saved=False)
        if read.report:
            self._studio.report(recording_view.BENT.format(report="; ".join(read.report)))
        if self._then is not None:
            self._then()

    @Slot()
    def _left(self) -> None:
        """The dialog is closed; a take that is still being made is discarded."""
        self.dialog = None
        self._timer.stop()
        if self._take is not None:
            self._end_take()
            self._show_before(recording_view.DISCARDED)
        self._recorder.close()

    def shut_down(self) -> None:
        """Hear no more."""
        if self.dialog is not None:
            self.dialog.discard()
        self._recorder.close()

    # ------------------------------------------------------------------ what is played

    @Slot(str)
    def _arm(self, name: str) -> None:
        """Listen to another keyboard, or say why that cannot be."""
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
    def _tick(self) -> None:
        self._looks += 1
        if self._looks % _LOOK_EVERY == 0:
            self._look()
        if self._take is not None:
            self._show()
        elif self.dialog is not None:
            self.dialog.set_heard(recording_view.heard(self._recorder.last))

    def _look(self) -> None:
        """See which keyboards there are, and whether the one that is played on still is."""
        names, reason = self._recorder.ports()
        name = self._recorder.armed
        if self._take is not None:
            if name not in names:
                lost = (
                    recording_view.LOST
                    if self._reading() is not None
                    else recording_view.LOST_EMPTY
                )
                self.stop()
                self._studio.report(lost.format(name=name))
        elif self.dialog is not None:
            self.dialog.set_ports(names, reason)
            if self.dialog.port.currentText() != self._recorder.armed:
                self._arm(self.dialog.port.currentText())

    def _show(self) -> None:
        """Show what was played so far, and where the click is."""
        take, asked, dialog, step = self._take, self._asked, self.dialog, self._recorder.step
        if take is None or asked is None or dialog is None:
            return
        bar, beat = take.bar_and_beat(step)
        if bar > MOST_BARS:
            self.stop()
            return
        dialog.set_place(recording_view.place(bar, beat), self._recorder.problem)
        read = self._reading()
        plan = recording_view.plan(asked, self._entries.bars.value())
        sheet = recording_view.sheet(read.chorale if read is not None else None, plan)
        written = read.chorale.steps if read is not None else 0
        self._page.roll.show_roll(roll.draw(sheet, written=written))
        self._page.roll.follow(written)
        self._page.set_heading(sheet.title, summary.heading(sheet))
        self._window.set_state(recording_view.place(bar, beat))

    def _reading(self) -> Reading | None:
        """What was played so far; None where nothing was."""
        if self._take is None:
            return None
        try:
            return self._take.reading(self._recorder.step)
        except DataError:
            return None

    # ------------------------------------------------------------------ inside

    def _end_take(self) -> None:
        self._take = None
        self._recorder.stop()
        if self._scored and not self._window.commands.score.isChecked():
            self._window.commands.score.trigger()
        self._studio.show_hint()

    def _show_before(self, state: str) -> None:
        """Show what was seen before the take, and say why."""
        picture, title, heading = self._before
        if picture is not None:
            self._page.roll.show_roll(picture)
        self._page.set_heading(title, heading)
        self._window.set_state(state)
        self.shown.emit(self._studio.piece)

    @Slot()
    def _allow(self) -> None:
        obstacle = NOT_DONE if self._studio.busy else ""
        commands.allow(self._window.commands.rewriting.play, obstacle)
