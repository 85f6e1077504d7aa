"""Controller of the engraved score of the current piece.

Playhead and selection are shared with the roll. During generation the complete bars are engraved
again from time to time; the interval follows from the time it takes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer, Slot

from musicrel.chorale import Chorale
from musicrel.jobs import Job
from musicrel.presentation.roll import roll
from musicrel.presentation.roll.roll import RollNote
from musicrel.presentation.score import engraver
from musicrel.presentation.score.engraver import Engraved
from musicrel.presentation.score.engraving_cache import EngravingCache
from musicrel.presentation.score.score_picture import Score
from musicrel.ui.actions import commands
from musicrel.ui.actions.commands import Commands
from musicrel.ui.compose.compose_page import ComposePage
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.editing.score_link import ScoreLink
from musicrel.ui.jobs.worker import Worker
from musicrel.ui.score.engraver import Engraver, EngraveRequest
from musicrel.ui.widgets.page_switch import Pages

NOT_SHOWN: Final = "Show the engraved score first"
EMPTY: Final = (
    "No score yet",
    "Generate or open a piece to see its score, or write notes (Ctrl+D).",
)
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


class EngravingController(QObject):
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
        self._link = ScoreLink(document, page, follow=actions.play.follow, seek=seek)
        self._cache = EngravingCache()
        self.engraver = Engraver(self._engrave, self)
        self._shown: EngraveRequest | None = None
        self._next = 0.0
        self._reported = False
        self._settle = QTimer(self, singleShot=True, interval=_SETTLED)
        self._growing = QTimer(self, singleShot=True)
        self._connect()
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

    def _engrave(self, request: EngraveRequest) -> Job[Engraved, Score]:
        """Return a job that engraves with Verovio what has changed since the last piece."""
        return engraver.engrave(
            request.piece,
            width=request.width,
            layout=request.layout,
            ended=request.ended,
            numerals=request.numerals,
            cache=self._cache,
        )

    # ------------------------------------------------------------------ the piece

    @Slot()
    def _begin_generation(self) -> None:
        self._next = 0.0
        self._growing.stop()
        self._clear(*WAITS)

    @Slot()
    def _on_sketched(self) -> None:
        if self._document.generating and not self._growing.isActive():
            self._growing.start(round(max(self._next - time.monotonic(), 0.0) * 1000))
        elif self._document.shown is None and not self._document.generating:
            sketch = self._document.sketch
            if sketch is None or sketch.written == 0:
                self._on_shown_changed(None)

    @property
    def _paper(self) -> Chorale | None:
        """Return the piece to show: the shown one, or the empty one that note input would fill."""
        document, sketch = self._document, self._document.sketch
        if document.shown is not None or document.generating or sketch is None:
            return document.shown
        return sketch.piece if sketch.written == 0 else None

    @Slot()
    def _engrave_partial_piece(self) -> None:
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
        if piece is None and self._paper is None:
            self._clear(*EMPTY)
        else:
            self._view.set_stale(stale=True)
            self._update_score()

    @Slot()
    def _update_score(self) -> None:
        piece = self._paper
        if piece is None or not self._is_visible():
            return
        request = self._request(piece, ended=True)
        if request == self.engraver.wanted:
            return
        if request == self._shown:
            self.engraver.request(None)
            self._view.set_stale(stale=False)
            return
        if self._shown is None:
            self._view.set_hint(*WORKS)
        self.engraver.request(request)

    def _request(self, piece: Chorale, *, ended: bool) -> EngraveRequest:
        width = max(round(self._view.seen.page_width), engraver.MIN_PAGE_WIDTH)
        numerals = self._act.numerals.isChecked()
        return EngraveRequest(piece, width, self._act.layout, ended, numerals)

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
        if engraved.share < 1:
            self._report(SO_FAR.format(share=engraved.share))
        elif self._reported:
            self._report(DONE)
        if engraved.share == 1 or self._view.seen.covered_by(engraved.score):
            self._show(request, engraved.score)

    def _show(self, request: EngraveRequest, score: Score) -> None:
        """Show the score of a piece, or its beginning, in place of the one before."""
        self._shown = request
        self._view.show_score(score, partial(_describe, request.piece))
        if request.ended and request.piece != self._paper:
            self._view.set_stale(stale=True)
        self._link.show_on_new_score()
        if not request.ended:
            self._view.follow(request.piece.steps - 1)

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

    # ------------------------------------------------------------------ roll or score

    @Slot(bool)
    def _switch_sheet(self, on: bool) -> None:
        self._show_sheet(score=on)
        self._update_layout_enabled()
        self._page.shown.setFocus()
        self._update_score()

    @Slot()
    def _on_page_opened(self) -> None:
        """Show the score on the compose page only; other pages have no room for it."""
        here = self._pages.current == "compose"
        self._page.show_editing_controls(on=here)
        self._show_sheet(score=here and self._act.score.isChecked())
        self._update_score()

    def _show_sheet(self, *, score: bool) -> None:
        """Show the score or the roll, laid out with its buttons: the score needs its width."""
        self._page.show_sheet("score" if score else "roll")
        if score:
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)

    def _update_layout_enabled(self) -> None:
        on = self._act.score.isChecked()
        commands.set_enabled(self._act.four_staves, "" if on else NOT_SHOWN)

    def _connect(self) -> None:
        page, view, document = self._page, self._view, self._document
        self.engraver.progressed.connect(self._on_engraving_progress)
        self.engraver.failed.connect(self._on_engraving_failed)
        self._settle.timeout.connect(self._update_score)
        self._growing.timeout.connect(self._engrave_partial_piece)
        view.page_width_changed.connect(self._settle.start)
        page.playhead.loop_shown.connect(view.set_loop)
        page.sheet_chosen.connect(lambda name: self._act.score.setChecked(name == "score"))
        self._act.score.toggled.connect(self._switch_sheet)
        self._act.four_staves.toggled.connect(page.four_staves.setChecked)
        page.four_staves.toggled.connect(self._act.four_staves.setChecked)
        self._act.four_staves.toggled.connect(self._update_score)
        self._act.numerals.toggled.connect(self._update_score)
        self._pages.opened.connect(self._on_page_opened)
        document.generation_started.connect(self._begin_generation)
        document.sketched.connect(self._on_sketched)
        document.shown_changed.connect(self._on_shown_changed)


def _describe(piece: Chorale, note: RollNote) -> str:
    return roll.draw(piece).describe(note)
