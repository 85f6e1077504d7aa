"""Controller of the engraved score of the current piece.

Playhead and selection are shared with the roll. During generation the complete bars are engraved
again from time to time; the interval follows from the time it takes.
"""

from __future__ import annotations

import time
from functools import partial
from typing import Final, NamedTuple

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer, Slot

from musicrel.chorale import Chorale
from musicrel.figures import engraver, roll
from musicrel.figures.engraver import Engraved, EngravingCache
from musicrel.figures.score import Score
from musicrel.jobs import Job
from musicrel.language import tr
from musicrel.score.musicxml.musicxml_writer import Layout
from musicrel.ui.actions import commands
from musicrel.ui.controllers.form_controller import READY
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.jobs.worker import LatestJob
from musicrel.ui.shell.main_window import Services

NOT_SHOWN: Final = tr("Show the engraved score first")
EMPTY: Final = (
    tr("No score yet"),
    tr("Generate or open a piece to see its score, or write notes ({key[rewriting.draw]})."),
)
WAITS: Final = (tr("A piece is being generated"), tr("Its score appears with the first bar."))
WORKS: Final = (tr("Engraving …"), tr("The score appears in a moment."))
FAILED: Final = tr("No score")
SO_FAR: Final = tr("Engraving the score: {share:.0%}")
DONE: Final = tr("Score engraved")

# delay in milliseconds between the last change of the width and engraving for it
_SETTLED: Final = 150
# pause between two scores during generation: minimum in seconds, and in engraving times
_PAUSES: Final = 4.0
# steps of a piece that is engraved to its end before the next one begins: while a key is held
# down the score follows, instead of waiting for the last edit
_SOON: Final = 2_048


class EngravingController(QObject):
    def __init__(self, services: Services) -> None:
        super().__init__(services.document)
        window, self._page = services.window, services.page
        self._document, self._messages = services.document, services.messages
        self._pages, self._act, self._view = window.pages, window.commands, self._page.score
        self.job = LatestJob(self)
        self._cache = EngravingCache()
        self._latest: EngraveRequest | None = None
        self._waiting: EngraveRequest | None = None
        self._shown: EngraveRequest | None = None
        self._began = self._seconds = 0.0  # of the last engraving, and how long it took
        self._next = 0.0
        self._reported, self._kept = False, DONE  # the state that progress hides
        self._settle = QTimer(self, singleShot=True, interval=_SETTLED)
        self._growing = QTimer(self, singleShot=True)
        self._connect()
        disabled_reason = engraver.disabled_reason()
        self._page.set_score_disabled_reason(disabled_reason)
        commands.set_enabled(self._act.score, disabled_reason)
        self._allow_four_staves(on=self._act.score.isChecked())
        self._view.set_hint(*EMPTY)
        self._restore(services.preferences)

    def _restore(self, preferences: Preferences) -> None:
        """Show what the user prefers to see, and remember the choice of a figured bass."""
        sheet, figures = preferences.settings.sheet, self._act.figures
        self._act.four_staves.setChecked(sheet == "parts")
        self._act.score.setChecked(sheet != "roll" and self._act.score.isEnabled())
        figures.setChecked(preferences.settings.figures == "shown")
        figures.triggered.connect(
            lambda on: preferences.remember(figures="shown" if on else "hidden")
        )

    @property
    def busy(self) -> bool:
        waits = self._waiting is not None or self._settle.isActive()
        return waits or not self.job.idle

    @Slot()
    def shut_down(self) -> None:
        self._settle.stop()
        self._growing.stop()
        self._engrave(None)

    def _engrave(self, request: EngraveRequest | None) -> None:
        """Engrave now, or wait for a job that ends soon, then engrave the last; None: cancel."""
        self._waiting = None
        if request is None:
            self.job.cancel()
        elif self.job.busy and self._latest is not None and self._latest.piece.steps <= _SOON:
            self._waiting = request
        else:
            self._latest = request
            self.job.request(partial(self._start, request))

    def _start(self, request: EngraveRequest) -> Job[Engraved, Score]:
        self._began = time.monotonic()
        return self.engrave(request)

    def engrave(self, request: EngraveRequest) -> Job[Engraved, Score]:
        return engraver.engrave(
            request.piece,
            width=request.width,
            layout=request.layout,
            ended=request.ended,
            numerals=request.numerals,
            figures=request.figures,
            cache=self._cache,
        )

    @Slot()
    def _on_finished(self) -> None:
        self._seconds = time.monotonic() - self._began
        if self._waiting is not None:
            self._engrave(self._waiting)

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        if self._waiting is not None:
            self._engrave(self._waiting)
            return
        self._clear(FAILED, sentence[:1].upper() + sentence[1:])

    @Slot()
    def _on_sketched(self) -> None:
        if self._document.generating and not self._growing.isActive():
            self._growing.start(round(max(self._next - time.monotonic(), 0.0) * 1000))
        elif self._document.shown is None and not self._document.generating:
            sketch = self._document.sketch
            if sketch is None or sketch.written == 0:
                self._on_screen_changed(None)

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
        if whole > known and self._waiting is None and self.job.idle:
            pause = max(0.5, _PAUSES * self._seconds)
            self._next = time.monotonic() + pause
            self._engrave(self._request(partial.cropped(0, whole), ended=False))

    @Slot(object)
    def _on_screen_changed(self, piece: Chorale | None) -> None:
        if self._document.generating:
            self._next = 0.0
            self._growing.stop()
            self._clear(*WAITS)
        elif piece is None and self._paper is None:
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
        if request == (self._waiting or (self._latest if self.job.busy else None)):
            return
        if request == self._shown:
            self._engrave(None)
            self._view.set_stale(stale=False)
            return
        if self._shown is None:
            self._view.set_hint(*WORKS)
        self._engrave(request)

    def _request(self, piece: Chorale, *, ended: bool) -> EngraveRequest:
        width = max(round(self._view.seen.page_width), engraver.MIN_PAGE_WIDTH)
        numerals = self._act.numerals.isChecked()
        figures = self._act.figures.isChecked()
        return EngraveRequest(piece, width, self._act.layout, ended, numerals, figures)

    def _clear(self, title: str, text: str) -> None:
        self._engrave(None)
        self._shown = None
        self._view.set_hint(title, text)
        self._view.show_score(None)

    def _is_visible(self) -> bool:
        return self._page.shown is self._view and self._pages.current == "compose"

    @Slot(object)
    def _on_engraved(self, events: tuple[Engraved, ...]) -> None:
        engraved, request = events[-1], self._latest
        if engraved.share < 1:
            self._report(SO_FAR.format(share=engraved.share))
        elif self._reported:
            self._report(self._kept)
        if request and (engraved.share == 1 or self._view.seen.covered_by(engraved.score)):
            self._show(request, engraved.score)

    def _show(self, request: EngraveRequest, score: Score) -> None:
        self._shown = request
        self._view.show_score(score, lambda note: roll.draw(request.piece).describe(note))
        if request.ended and request.piece != self._paper:
            self._view.set_stale(stale=True)
        if not request.ended:
            self._view.follow(request.piece.steps - 1)

    def _report(self, state: str) -> None:
        """Show the progress of a long piece, unless a generation shows its own."""
        kept = self._kept
        if not self._document.generating:
            self._messages.show_state(state)
            self._reported, self._kept = state != kept, kept

    @Slot(str)
    def _keep(self, state: str) -> None:
        self._kept = DONE if state == READY else state

    @Slot(bool)
    def _switch_sheet(self, on: bool) -> None:
        self._allow_four_staves(on=on)
        self._show_sheet(score=on)
        self._page.shown.setFocus()
        self._update_score()

    @Slot()
    def _on_page_opened(self) -> None:
        here = self._pages.current == "compose"
        self._page.show_editing_controls(on=here)
        self._show_sheet(score=here and self._act.score.isChecked())
        self._update_score()

    def _allow_four_staves(self, *, on: bool) -> None:
        commands.set_enabled(self._act.four_staves, "" if on else NOT_SHOWN)

    def _show_sheet(self, *, score: bool) -> None:
        """Show the score or the roll, laid out with its buttons: the score needs its width."""
        self._page.show_sheet("score" if score else "roll")
        if score:
            QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)

    def _connect(self) -> None:
        page, view, document = self._page, self._view, self._document
        for signal, slot in (
            (self.job.events_received, self._on_engraved),
            (self.job.finished, self._on_finished),
            (self.job.failed, self._on_failed),
            (self._settle.timeout, self._update_score),
            (self._growing.timeout, self._engrave_partial_piece),
            (view.page_width_changed, self._settle.start),
            (page.roll.loop_shown, view.set_loop),
            (page.sheet_chosen, lambda name: self._act.score.setChecked(name == "score")),
            (self._act.score.toggled, self._switch_sheet),
            (self._act.four_staves.toggled, page.four_staves.setChecked),
            (page.four_staves.toggled, self._act.four_staves.setChecked),
            (self._act.four_staves.toggled, self._update_score),
            (self._act.numerals.toggled, self._update_score),
            (self._act.figures.toggled, self._update_score),
            (self._pages.opened, self._on_page_opened),
            (document.sketched, self._on_sketched),
            (document.screen_changed, self._on_screen_changed),
            (document.replaced, lambda: view.verticalScrollBar().setValue(0)),
            (self._messages.state_changed, self._keep),
        ):
            signal.connect(slot)


class EngraveRequest(NamedTuple):
    piece: Chorale
    width: float  # of the page, in units of the score
    layout: Layout  # two staves or one per voice
    ended: bool  # False while the piece is being generated
    numerals: bool = False  # whether Roman numerals are drawn
    figures: bool = False  # whether a figured bass is drawn
