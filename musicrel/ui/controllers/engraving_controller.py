"""Controller of the engraved score of the current piece.

Playhead and selection are shared with the roll. During generation the complete bars are engraved
again from time to time; the interval follows from the time it takes.
"""

from __future__ import annotations

import time
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent

from musicrel.chorale import Chorale
from musicrel.jobs import Job
from musicrel.presentation.roll import roll
from musicrel.presentation.roll.roll import RollNote
from musicrel.presentation.roll.selection import Selection
from musicrel.presentation.score import engraver
from musicrel.presentation.score.engraver import Engraved
from musicrel.presentation.score.score_picture import Score
from musicrel.ui.actions import commands
from musicrel.ui.controllers.compose_controller import ComposeController
from musicrel.ui.controllers.playback_controller import PlaybackController
from musicrel.ui.jobs.worker import Worker
from musicrel.ui.score.engraver import Engraver, EngraveRequest
from musicrel.ui.shell.main_window import MainWindow

EMPTY: Final = ("No score yet", "Generate or open a piece to see its score.")
WAITS: Final = ("A piece is being generated", "Its score appears with the first bar.")
WORKS: Final = ("Engraving …", "The score appears in a moment.")
FAILED: Final = "No score"
SO_FAR: Final = "Engraving the score: {share:.0%}"
DONE: Final = "Score engraved"

_SETTLED: Final = 150
"""Delay in milliseconds between the last change of the width and engraving for it."""
_MIN_PAUSE: Final = 0.5
_PAUSES: Final = 4.0
"""Pause between two scores during generation: minimum in seconds, and in engraving times."""
_SELECTING: Final = frozenset(
    {
        Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Escape,
        Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4,
    }
)  # fmt: skip


def engrave(request: EngraveRequest) -> Job[Engraved, Score]:
    """Return a job that engraves with Verovio."""
    return engraver.engrave(
        request.piece, width=request.width, layout=request.layout, ended=request.ended
    )  # fmt: skip


class EngravingController(QObject):
    """The controller of the score.

    Args:
        window: the main window.
        compose: the controller of the current piece.
        playback: the controller of the playhead.

    Attributes:
        engraver: the engraver.
    """

    def __init__(
        self, window: MainWindow, compose: ComposeController, playback: PlaybackController
    ) -> None:
        super().__init__(compose)
        self._window, self._page, self._compose = window, window.compose_page, compose
        self._act, self._view = window.commands, window.compose_page.score
        self.engraver = Engraver(engrave, self)
        self._piece: Chorale | None = None
        self._shown: EngraveRequest | None = None
        self._system: int | None = None
        self._next = 0.0
        self._reported = False
        self._settle = QTimer(self, singleShot=True, interval=_SETTLED)
        self._growing = QTimer(self, singleShot=True)
        self._connect(playback)
        disabled_reason = engraver.disabled_reason()
        self._page.set_score_disabled_reason(disabled_reason)
        commands.set_enabled(self._act.score, disabled_reason)
        self._update_layout_enabled()
        self._view.set_hint(*EMPTY)

    @property
    def busy(self) -> bool:
        """Return True if a piece is being engraved or is about to be."""
        return self.engraver.busy or self._settle.isActive()

    @Slot()
    def shut_down(self) -> tuple[Worker, ...]:
        """Request the jobs to end; return the workers to wait for."""
        self._settle.stop()
        self._growing.stop()
        return self.engraver.shut_down()

    # ------------------------------------------------------------------ the piece

    @Slot()
    def _begin_generation(self) -> None:
        """Clear the score at the start of a generation."""
        self._piece, self._next = None, 0.0
        self._growing.stop()
        self._clear(*WAITS)

    @Slot()
    def _on_steps_written(self) -> None:
        """Schedule engraving of the written bars."""
        if not self._growing.isActive():
            self._growing.start(round(max(self._next - time.monotonic(), 0.0) * 1000))

    @Slot()
    def _engrave_partial_piece(self) -> None:
        """Engrave the complete bars written so far."""
        partial, picture = self._compose.partial_piece, self._page.roll.picture
        if partial is None or picture is None or not self._compose.busy or not self._is_visible():
            return
        whole = max(
            (line for line in partial.bar_line_steps() if line < picture.written), default=0
        )
        known = self._shown.piece.steps if self._shown is not None else 0
        if whole > known and not self.engraver.busy:
            pause = max(_MIN_PAUSE, _PAUSES * self.engraver.seconds)
            self._next = time.monotonic() + pause
            self.engraver.request(self._request(partial.cropped(0, whole), ended=False))

    @Slot(object)
    def show_piece(self, piece: Chorale | None) -> None:
        """Show the score of another piece."""
        self._piece = piece
        if piece is None:
            self._clear(*EMPTY)
        else:
            self._view.set_stale(stale=True)
            self._update_score()

    @Slot()
    def _update_score(self) -> None:
        """Engrave the piece for the current width if the score is visible."""
        if self._piece is None or not self._is_visible():
            return
        request = self._request(self._piece, ended=True)
        if request == self._shown and request.piece is self._piece:
            self._view.set_stale(stale=False)
            return
        if self._shown is None:
            self._view.set_hint(*WORKS)
        self.engraver.request(request)

    def _request(self, piece: Chorale, *, ended: bool) -> EngraveRequest:
        width = max(round(self._view.seen.page_width), engraver.MIN_PAGE_WIDTH)
        return EngraveRequest(piece, width, self._act.layout, ended)

    def _clear(self, title: str, text: str) -> None:
        self.engraver.request(None)
        self._shown = None
        self._view.set_hint(title, text)
        self._view.show_score(None)

    def _is_visible(self) -> bool:
        return self._page.shown is self._view and self._window.places.current == "compose"

    # ------------------------------------------------------------------ events

    @Slot(object, object)
    def _on_engraving_progress(self, request: EngraveRequest, engraved: Engraved) -> None:
        self._shown = request
        self._view.show_score(engraved.score, roll.draw(request.piece).describe)
        self._show_step(self._page.playhead.step)
        if not request.ended:
            self._view.follow(request.piece.steps - 1)
        if engraved.share < 1:
            self._report(SO_FAR.format(share=engraved.share))
        elif self._reported:
            self._report(DONE)

    def _report(self, state: str) -> None:
        """Show the progress of a long piece, unless a generation shows its own."""
        if not self._compose.busy:
            self._reported = state != DONE
            self._window.set_state(state)

    @Slot(str)
    def _on_engraving_failed(self, sentence: str) -> None:
        self._shown = None
        self._view.set_hint(FAILED, sentence[:1].upper() + sentence[1:])
        self._view.show_score(None)

    # ------------------------------------------------------------------ playhead and selection

    @Slot(object)
    def _show_step(self, step: float | None) -> None:
        """Move the playhead, and scroll if it reaches another system."""
        self._view.set_step(step)
        system = self._view.seen.system_of(step)
        if system != self._system:
            self._system = system
            if step is not None and self._act.play.follow.isChecked():
                self._view.follow(step)

    @Slot(object, bool)
    def _choose_note(self, note: RollNote, extends: bool) -> None:
        """Select a note on the roll, too; Shift extends the selection to it."""
        found, before = Selection.of_note(note), self._page.selecting.selection
        self._page.selecting.select(before.joined(found) if extends and before else found)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pass keys that select notes from the score to the roll."""
        selects = isinstance(event, QKeyEvent) and event.key() in _SELECTING
        pressed = selects and event.type() == QEvent.Type.KeyPress
        if pressed and watched is self._view and self._view.score is not None:
            return QCoreApplication.sendEvent(self._page.roll, event)
        return False

    # ------------------------------------------------------------------ roll or score

    @Slot(bool)
    def _switch_sheet(self, on: bool) -> None:
        self._page.show_sheet("score" if on else "roll")
        self._update_layout_enabled()
        self._page.shown.setFocus()
        self._update_score()

    @Slot()
    def _on_page_opened(self) -> None:
        """Show the score on the compose page only; other pages have no room for it."""
        here = self._window.places.current == "compose"
        self._page.show_sheet("score" if here and self._act.score.isChecked() else "roll")
        self._page.show_editing_controls(on=here)
        self._update_score()

    def _update_layout_enabled(self) -> None:
        on = self._act.score.isChecked()
        commands.set_enabled(self._act.four_staves, "" if on else "Show the engraved score first")

    def _connect(self, playback: PlaybackController) -> None:
        page, view, compose = self._page, self._view, self._compose
        self.engraver.progressed.connect(self._on_engraving_progress)
        self.engraver.failed.connect(self._on_engraving_failed)
        self._settle.timeout.connect(self._update_score)
        self._growing.timeout.connect(self._engrave_partial_piece)
        view.page_width_changed.connect(self._settle.start)
        view.seek_requested.connect(lambda step: playback.seek(step, in_ruler=False))
        view.note_chosen.connect(self._choose_note)
        view.installEventFilter(self)
        page.selecting.selection_changed.connect(view.set_selection)
        page.playhead.playhead_moved.connect(self._show_step)
        page.sheet_chosen.connect(lambda name: self._act.score.setChecked(name == "score"))
        self._act.score.toggled.connect(self._switch_sheet)
        self._act.four_staves.toggled.connect(page.four_staves.setChecked)
        page.four_staves.toggled.connect(self._act.four_staves.setChecked)
        self._act.four_staves.toggled.connect(self._update_score)
        self._window.places.opened.connect(self._on_page_opened)
        compose.generation_started.connect(self._begin_generation)
        compose.steps_written.connect(self._on_steps_written)
        compose.piece_changed.connect(self.show_piece)
