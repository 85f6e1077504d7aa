"""Controller of the engraved score of the current piece.

Playhead and selection are shared with the roll. During generation the complete bars are engraved
again from time to time; the interval follows from the time it takes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent

from musicrel.chorale import Chorale
from musicrel.editing.selection import Selection
from musicrel.jobs import Job
from musicrel.presentation.roll import roll
from musicrel.presentation.roll.roll import RollNote
from musicrel.presentation.score import engraver
from musicrel.presentation.score.engraver import Engraved
from musicrel.presentation.score.score_picture import Score
from musicrel.ui.actions import commands
from musicrel.ui.actions.commands import Commands
from musicrel.ui.compose.compose_page import ComposePage
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.jobs.worker import Worker
from musicrel.ui.score.engraver import Engraver, EngraveRequest
from musicrel.ui.widgets.page_switch import Pages

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
        document: the piece, and the notes of a piece that is being generated.
        messages: show the progress.
        page: the page with the score.
        pages: the pages, of which one is open.
        actions: the menu commands.
        seek: called with the step of a click.

    Attributes:
        engraver: the engraver.
    """

    def __init__(
        self,
        document: Document,
        messages: Messages,
        *,
        page: ComposePage,
        pages: Pages,
        actions: Commands,
        seek: Callable[[float], object],
    ) -> None:
        super().__init__(document)
        self._document, self._messages = document, messages
        self._page, self._pages, self._act, self._view = page, pages, actions, page.score
        self._follow = actions.play.follow
        self.engraver = Engraver(engrave, self)
        self._shown: EngraveRequest | None = None
        self._system: int | None = None
        self._next = 0.0
        self._reported = False
        self._settle = QTimer(self, singleShot=True, interval=_SETTLED)
        self._growing = QTimer(self, singleShot=True)
        self._connect(seek)
        disabled_reason = engraver.disabled_reason()
        page.set_score_disabled_reason(disabled_reason)
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
        self._next = 0.0
        self._growing.stop()
        self._clear(*WAITS)

    @Slot()
    def _on_sketched(self) -> None:
        """Schedule engraving of the written bars."""
        if self._document.generating and not self._growing.isActive():
            self._growing.start(round(max(self._next - time.monotonic(), 0.0) * 1000))

    @Slot()
    def _engrave_partial_piece(self) -> None:
        """Engrave the complete bars written so far."""
        sketch = self._document.sketch
        if sketch is None or not self._document.generating or not self._is_visible():
            return
        partial, written = sketch.piece, sketch.written or 0
        whole = max((line for line in partial.bar_line_steps() if line < written), default=0)
        known = self._shown.piece.steps if self._shown is not None else 0
        if whole > known and not self.engraver.busy:
            pause = max(_MIN_PAUSE, _PAUSES * self.engraver.seconds)
            self._next = time.monotonic() + pause
            self.engraver.request(self._request(partial.cropped(0, whole), ended=False))

    @Slot(object)
    def _on_shown_changed(self, piece: Chorale | None) -> None:
        """Show the score of another piece."""
        if piece is None:
            self._clear(*EMPTY)
        else:
            self._view.set_stale(stale=True)
            self._update_score()

    @Slot()
    def _update_score(self) -> None:
        """Engrave the piece for the current width if the score is visible."""
        piece = self._document.shown
        if piece is None or not self._is_visible():
            return
        request = self._request(piece, ended=True)
        if request == self._shown and request.piece is piece:
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
        return self._page.shown is self._view and self._pages.current == "compose"

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
        if not self._document.generating:
            self._reported = state != DONE
            self._messages.show_state(state)

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
            if step is not None and self._follow.isChecked():
                self._view.follow(step)

    @Slot(object, bool)
    def _choose_note(self, note: RollNote, extends: bool) -> None:
        """Select a note on the roll, too; Shift extends the selection to it."""
        found, before = Selection.of_note(note), self._document.selection
        self._document.select(before.joined(found) if extends and before else found)

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
        here = self._pages.current == "compose"
        self._page.show_sheet("score" if here and self._act.score.isChecked() else "roll")
        self._page.show_editing_controls(on=here)
        self._update_score()

    def _update_layout_enabled(self) -> None:
        on = self._act.score.isChecked()
        commands.set_enabled(self._act.four_staves, "" if on else "Show the engraved score first")

    def _connect(self, seek: Callable[[float], object]) -> None:
        page, view, document = self._page, self._view, self._document
        self.engraver.progressed.connect(self._on_engraving_progress)
        self.engraver.failed.connect(self._on_engraving_failed)
        self._settle.timeout.connect(self._update_score)
        self._growing.timeout.connect(self._engrave_partial_piece)
        view.page_width_changed.connect(self._settle.start)
        view.seek_requested.connect(seek)
        view.note_chosen.connect(self._choose_note)
        view.installEventFilter(self)
        document.selection_changed.connect(view.set_selection)
        page.playhead.playhead_moved.connect(self._show_step)
        page.sheet_chosen.connect(lambda name: self._act.score.setChecked(name == "score"))
        self._act.score.toggled.connect(self._switch_sheet)
        self._act.four_staves.toggled.connect(page.four_staves.setChecked)
        page.four_staves.toggled.connect(self._act.four_staves.setChecked)
        self._act.four_staves.toggled.connect(self._update_score)
        self._pages.opened.connect(self._on_page_opened)
        document.generation_started.connect(self._begin_generation)
        document.sketched.connect(self._on_sketched)
        document.shown_changed.connect(self._on_shown_changed)
