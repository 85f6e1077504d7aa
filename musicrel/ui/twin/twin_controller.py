"""Controller of two models on the Compose page: B writes beside A, and both pieces are compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.jobs import Job
from musicrel.presentation.roll import roll
from musicrel.presentation.twin import partner, surprisal_text
from musicrel.presentation.twin.agreement import Agreement, compare
from musicrel.presentation.words import muted_heads
from musicrel.ui.actions.compare_menu import CompareMenu
from musicrel.ui.compose.compose_page import ComposePage
from musicrel.ui.controllers.candidates_controller import CandidatesController
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.jobs.generation_run import GenerationRun
from musicrel.ui.jobs.latest_job import LatestJob
from musicrel.ui.jobs.worker import Worker
from musicrel.ui.twin.other_piece import OtherPiece
from musicrel.ui.twin.twin_jobs import TwinJobs
from musicrel.ui.twin.twin_view import TwinView

if TYPE_CHECKING:
    from musicrel.generation.twin.cross_surprisal import CrossSurprisal

ReadTwins = Callable[[tuple[str, str], str, tuple[Chorale, Chorale]], Job[Any, "CrossSurprisal"]]
"""Factory of jobs that read two pieces with two models, from models, device and pieces."""

EMPTY: Final = ("Model B", "Generate or rewrite: both models get the same request.")
WRITES: Final = "{model} writes beside {other}"
FAILED: Final = "B, {model}: {sentence}"
OTHER_FORM: Final = "The pieces have different meters or pickups"
YOURS: Final = "your notes"
NOTHING_YET: Final = "B has no notes yet"
_READ_AFTER_MS: Final = 400
"""Milliseconds without a change after which the pieces are read."""
_DRAW_MS: Final = 80
"""Milliseconds between two drawings of B and of the marks while both write."""
_MUTED: Final = "{codes} muted"


class TwinController(QObject):
    """The controller of model B.

    Args:
        run: writes new pieces; its B events are taken.
        candidates: rewrites; its B events are taken.
        read: reads both pieces with both models; None: their surprisal is not shown.

    Attributes:
        agreement: the comparison of the shown pieces; None without two.
    """

    changed = Signal()  # the comparison, the models, or the piece of B changed
    toggled = Signal(bool)  # a comparison began, True, or ended

    def __init__(
        self,
        document: Document,
        messages: Messages,
        preferences: Preferences,
        *,
        run: GenerationRun,
        candidates: CandidatesController,
        jobs: TwinJobs,
        page: ComposePage,
        view: TwinView,
        menu: CompareMenu,
        read: ReadTwins | None,
    ) -> None:
        super().__init__(document)
        self._document, self._messages, self._preferences = document, messages, preferences
        self._run, self._candidates, self._jobs = run, candidates, jobs
        self._roll, self._view, self._read = page.roll, view, read
        self._menu = menu
        self.other = OtherPiece(self)
        self.agreement: Agreement | None = None
        self._piece_before: Chorale | None = None
        self._pair = ("", "")
        self._job = LatestJob(self)
        self._surprisal, self._details = "", ("", "")
        self._timer = QTimer(self, singleShot=True, interval=_READ_AFTER_MS)
        self._drawing = QTimer(self, singleShot=True, interval=_DRAW_MS)
        jobs.partner = self._partner
        jobs.mutes = lambda model: document.form.muted.of(model)  # noqa: PLW0108  # the form changes
        self._connect()
        self._offer()

    @property
    def on(self) -> bool:
        """Return True while two models are compared."""
        return bool(self._menu.name)

    @property
    def models(self) -> tuple[str, str]:
        """Return the names of the models A and B for new pieces; B is "" without one."""
        model = self._document.form.model
        return model, self._partner(model)

    @property
    def wrote(self) -> tuple[str, str]:
        """Return who wrote the shown pieces: models, "" for none, or ``YOURS`` for edited notes."""
        piece = self._document.shown
        if not self.other.model:
            return self.models
        if piece is None or self._document.generating:
            return self._pair
        origin = piece.provenance
        return (origin.model if origin is not None else YOURS), self.other.model

    def writer(self, side: int) -> str:
        """Return who wrote the piece of a side and the muted heads, as "relative, 3.1 muted"."""
        name, piece = self.wrote[side], (self._document.shown, self.other.piece)[side]
        if self._document.generating:
            codes = muted_heads.codes(self._document.form.muted.of(name))
            muted = _MUTED.format(codes=codes) if codes else ""
        else:
            muted = muted_heads.in_piece(piece.provenance if piece is not None else None)
        return ", ".join(filter(None, (name, muted)))

    def compare_with(self, name: str) -> None:
        """Compare with an installed model; "" ends the comparison."""
        self._menu.choose(name)

    def shut_down(self) -> tuple[Worker, ...]:
        """Request the end of the reading; return the workers to wait for."""
        self._timer.stop()
        self._drawing.stop()
        return self._job.shut_down()

    # ------------------------------------------------------------------ the models

    def _partner(self, model: str) -> str:
        return partner.partner(model, self._menu.name, self._document.choices)

    @Slot()
    def _offer(self) -> None:
        """Offer the installed models; the roll of B gives the reason if it cannot write."""
        model = self._document.form.model
        self._menu.offer(self._document.choices, model)
        name, words = EMPTY
        if self.on and not self._partner(model):
            words = partner.reason(model, self._menu.name)
        self._view.below.roll.set_hint(name, words)

    @Slot()
    def _on_chosen(self) -> None:
        if not self.on:
            self.other.clear()
        elif not self._partner(self._document.form.model):
            self._messages.show_state(partner.reason(self._document.form.model, self._menu.name))
        self._offer()
        self.toggled.emit(self.on)
        self._show()

    @Slot()
    def _begin(self) -> None:
        """Expect a new piece of B; without a partner it writes none."""
        composition, (first, second) = self._run.composition, self.models
        if second and composition is not None:
            self._pair = (first, second)
            self._messages.show_state(WRITES.format(model=second, other=first))
            self.other.begin(second, composition.padded_piece())
        else:
            self.other.clear()

    @Slot()
    def _begin_candidates(self) -> None:
        builder = self._candidates.builder
        second = self._partner(builder.form.model) if builder is not None else ""
        if builder is not None and second:
            self._pair = (builder.form.model, second)
            self._piece_before = self._document.piece
            self.other.begin_candidates(second, builder)

    @Slot()
    def _on_candidates_changed(self) -> None:
        """Show the candidate of B with the number of that of A; end with the list."""
        if self._candidates.builder is not None:
            self.other.choose(self._candidates.chosen)
        elif self._document.piece is self._piece_before:
            self.other.give_up()
        else:
            self.other.settle()

    @Slot(str)
    def _report(self, sentence: str) -> None:
        self._messages.report(FAILED.format(model=self._pair[1], sentence=sentence))

    # ------------------------------------------------------------------ display

    @Slot()
    def _on_shown(self) -> None:
        first, second = self._document.piece, self.other.piece
        if first is not None and second is not None and compare(first, second) is None:
            self.other.clear()
        self._show()

    @Slot()
    def _show_soon(self) -> None:
        if self._document.sketch is None or self.other.sketch is None:
            self._show()
        elif not self._drawing.isActive():
            self._drawing.start()

    @Slot()
    def _show(self) -> None:
        self._drawing.stop()
        self._timer.stop()
        self._job.cancel()
        if not self.on:
            self._roll.reserve()
            self.agreement = None
            self.changed.emit()
            return
        self._draw()
        self.agreement = self._compare()
        self._surprisal, self._details = "", ("", "")
        if self._read is not None and self.other.sketch is None and self.agreement is not None:
            self._timer.start()
        self._show_texts()
        self.changed.emit()

    def _draw(self) -> None:
        above, shown = self._roll.picture, self.other.shown
        if shown is not None:
            picture = roll.draw(shown, written=self.other.written)
            self._roll.reserve(picture.low, picture.high)
            self._view.below.show_roll(picture)
        elif above is not None:
            self._view.below.show_roll(replace(above, notes=(), unisons=(), written=0))

    def _compare(self) -> Agreement | None:
        """Compare what both have written."""
        sketch, second = self._document.sketch, self.other.shown
        first = sketch.piece if sketch is not None else self._document.shown
        if first is None or second is None:
            return None
        limits = (sketch.written if sketch is not None else None, self.other.written)
        written = min((limit for limit in limits if limit is not None), default=None)
        return compare(first, second, written)

    def _show_texts(self) -> None:
        if self.agreement is not None:
            counter = self.agreement.describe()
        else:
            counter = NOTHING_YET if self.other.shown is None or self._is_writing else OTHER_FORM
        self._view.set_texts(counter, self._surprisal, self._details)

    @property
    def _is_writing(self) -> bool:
        return self.other.sketch is not None

    # ------------------------------------------------------------------ surprisal

    @Slot()
    def _start_reading(self) -> None:
        first, second = self._document.shown, self.other.piece
        busy = self._document.generating or self._candidates.busy
        if self._read is None or first is None or second is None or busy:
            return
        make = partial(self._read, self._pair, self._preferences.device, (first, second))
        self._job.request(make)

    @Slot(object)
    def _on_read(self, found: CrossSurprisal) -> None:
        self._surprisal = surprisal_text.short(found)
        self._details = surprisal_text.lines(found)
        self._show_texts()

    @Slot(str)
    def _on_not_read(self, sentence: str) -> None:
        self._surprisal = sentence
        self._show_texts()

    # ------------------------------------------------------------------ connections

    def _connect(self) -> None:
        document, run, candidates = self._document, self._run, self._candidates
        for signal, slot in (
            (self._menu.chosen, self._on_chosen),
            (document.form_changed, self._offer),
            (document.generation_started, self._begin),
            (run.other_received, self.other.receive),
            (run.finished, self.other.settle),
            (run.stopped, self.other.settle),
            (run.failed, self.other.settle),
            (candidates.started, self._begin_candidates),
            (candidates.run.other_received, self.other.receive),
            (candidates.changed, self._on_candidates_changed),
            (self.other.changed, self._show_soon),
            (self.other.failed, self._report),
            (document.shown_changed, self._on_shown),
            (document.sketched, self._show_soon),
            (self._drawing.timeout, self._show),
            (document.replaced, self.other.clear),
            (self._timer.timeout, self._start_reading),
            (self._job.finished, self._on_read),
            (self._job.failed, self._on_not_read),
        ):
            signal.connect(slot)
