"""Two models on the Compose page: B writes beside A, and both pieces are compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.generation.two_models.lockstep import SIDES
from musicrel.jobs import Job
from musicrel.playback.player import Player
from musicrel.presentation.roll import roll
from musicrel.presentation.two_models import agreement as agreements
from musicrel.presentation.two_models import model_b
from musicrel.presentation.two_models.agreement import Agreement, compare
from musicrel.presentation.words import muted_heads
from musicrel.ui.actions.commands import Commands
from musicrel.ui.compose.compose_page import ComposePage
from musicrel.ui.controllers.file_controller import FileController
from musicrel.ui.controllers.playback_controller import PlaybackController
from musicrel.ui.controllers.writing_controller import WritingController
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.jobs.worker import LatestJob
from musicrel.ui.two_models.actions import OTHER_FORM, TwoModelsActions
from musicrel.ui.two_models.other_piece import OtherPiece, TwoModelsSound
from musicrel.ui.two_models.view import TwoModelsView
from musicrel.ui.widgets.page_switch import Pages

if TYPE_CHECKING:
    from musicrel.generation.two_models.cross_surprisal import CrossSurprisal

ReadTwins = Callable[[tuple[str, str], str, tuple[Chorale, Chorale]], Job[Any, "CrossSurprisal"]]
"""Factory of jobs that read two pieces with two models, from models, device and pieces."""

EMPTY: Final = ("Model B", "Generate or rewrite: both models get the same request.")
WRITES: Final = "{model} writes beside {other}"
FAILED: Final = "B, {model}: {sentence}"
YOURS: Final = "your notes"
NOTHING_YET: Final = "B has no notes yet"
_READ_AFTER_MS: Final = 400
"""Milliseconds without a change after which the pieces are read."""
_DRAW_MS: Final = 80
"""Milliseconds between two drawings of B and of the marks while both write."""
_MUTED: Final = "{codes} muted"
_COMPOSE: Final = "compose"
_ROOMY: Final = 1000
"""Height in pixels of the window from which the takes stay beside two rolls."""


class TwoModels(QObject):
    """The owner of all that compares two models.

    Args:
        writing: writes with both models; its B events are taken.
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
        writing: WritingController,
        page: ComposePage,
        pages: Pages,
        playback: PlaybackController,
        player: Player,
        files: FileController,
        actions: Commands,
        read: ReadTwins | None,
    ) -> None:
        super().__init__(document)
        self._document, self._messages, self._preferences = document, messages, preferences
        self._writing, self._page, self._pages = writing, page, pages
        self._menu, self._takes, self._hid_takes = actions.compare, actions.takes.show, False
        self._read = read
        self.other = OtherPiece(self)
        self.agreement: Agreement | None = None
        self._piece_before: Chorale | None = None
        self._pair = ("", "")
        self._job = LatestJob(self)
        self._surprisal, self._details = "", ("", "")
        self._timer = QTimer(self, singleShot=True, interval=_READ_AFTER_MS)
        self._drawing = QTimer(self, singleShot=True, interval=_DRAW_MS)
        self.view = TwoModelsView(page.roll, actions.two_models)
        page.add_below_roll(self.view)
        self.sound = TwoModelsSound(document, self.other, playback=playback, player=player)
        self._actions = TwoModelsActions(
            self, document, messages, preferences, playback=playback, files=files,
            actions=actions.two_models, note_input=actions.rewriting.draw,
        )  # fmt: skip
        self._connect(playback)
        self._offer()

    @property
    def on(self) -> bool:
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
        self._menu.choose(name)

    def shut_down(self) -> None:
        self.sound.shut_down()
        self._timer.stop()
        self._drawing.stop()

    # ------------------------------------------------------------------ the models

    def _partner(self, model: str) -> str:
        return model_b.model_b(model, self._menu.name, self._document.choices)

    @Slot()
    def _offer(self) -> None:
        model = self._document.form.model
        self._menu.offer(self._document.choices, model)
        name, words = EMPTY
        if self.on and not self._partner(model):
            words = model_b.reason(model, self._menu.name)
        self.view.below.roll.set_hint(name, words)

    @Slot()
    def _on_chosen(self) -> None:
        if not self.on:
            self.other.clear()
        elif not self._partner(self._document.form.model):
            self._messages.show_state(model_b.reason(self._document.form.model, self._menu.name))
        self._offer()
        self._make_room(self.on)
        self.toggled.emit(self.on)
        self._show()

    @Slot()
    def _begin(self) -> None:
        task, second = self._writing.task, self._writing.second
        if task is None:
            return
        self._piece_before = self._document.piece
        first = task.form.model
        if not second:
            if task.is_live:
                self.other.clear()
            return
        self._pair = (first, second)
        if task.is_live:
            self._messages.show_state(WRITES.format(model=second, other=first))
        self.other.begin(second, task)

    @Slot()
    def _on_writing_changed(self) -> None:
        """Show the candidate of B with the number of that of A; end with the list."""
        if self._writing.task is not None:
            self.other.choose(self._writing.chosen)
        elif self.other.lists and self._document.piece is self._piece_before:
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
            self._page.roll.reserve()
            self.agreement = None
            self._on_changed()
            return
        self._draw()
        self.agreement = self._compare()
        self._surprisal, self._details = "", ("", "")
        if self._read is not None and self.other.sketch is None and self.agreement is not None:
            self._timer.start()
        self._show_texts()
        self._on_changed()

    def _on_changed(self) -> None:
        self.changed.emit()
        self.sound.on = self.on
        self.sound.update()
        self._show_marks()

    @Slot()
    def _show_marks(self) -> None:
        on = self.on and self._pages.current == _COMPOSE
        self.view.setVisible(on)
        for side, marks in enumerate(self.view.marks):
            model = self.writer(side) if on else ""
            marks.show_marks(self.agreement, model, sounding=SIDES[side] == self.sound.side)

    def _make_room(self, on: bool) -> None:
        if on and self._takes.isChecked() and self._page.window().height() < _ROOMY:
            self._hid_takes = True
            self._takes.setChecked(False)
        elif not on and self._hid_takes:
            self._hid_takes = False
            self._takes.setChecked(True)

    def _draw(self) -> None:
        above, shown = self._page.roll.picture, self.other.shown
        if shown is not None:
            picture = roll.draw(shown, written=self.other.written)
            self._page.roll.reserve(picture.low, picture.high)
            self.view.below.show_roll(picture)
        elif above is not None:
            self.view.below.show_roll(replace(above, notes=(), unisons=(), written=0))

    def _compare(self) -> Agreement | None:
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
            none = self.other.shown is None or self.other.sketch is not None
            counter = NOTHING_YET if none else OTHER_FORM
        self.view.set_texts(counter, self._surprisal, self._details)

    # ------------------------------------------------------------------ surprisal

    @Slot()
    def _start_reading(self) -> None:
        first, second = self._document.shown, self.other.piece
        if self._read is None or first is None or second is None or self._writing.busy:
            return
        make = partial(self._read, self._pair, self._preferences.device, (first, second))
        self._job.request(make)

    @Slot(object)
    def _on_read(self, found: CrossSurprisal) -> None:
        self._surprisal = agreements.surprisal(found)
        self._details = agreements.surprisal_lines(found)
        self._show_texts()

    @Slot(str)
    def _on_not_read(self, sentence: str) -> None:
        self._surprisal = sentence
        self._show_texts()

    # ------------------------------------------------------------------ connections

    def _connect(self, playback: PlaybackController) -> None:
        document, writing = self._document, self._writing
        above, below = playback.playhead, self.view.below.playhead
        for signal, slot in (
            (self._menu.chosen, self._on_chosen),
            (document.form_changed, self._offer),
            (writing.started, self._begin),
            (writing.other_received, self.other.receive),
            (writing.changed, self._on_writing_changed),
            (self.other.changed, self._show_soon),
            (self.other.failed, self._report),
            (document.shown_changed, self._on_shown),
            (document.sketched, self._show_soon),
            (self._drawing.timeout, self._show),
            (document.replaced, self.other.clear),
            (self._timer.timeout, self._start_reading),
            (self._job.finished, self._on_read),
            (self._job.failed, self._on_not_read),
            (self.sound.changed, self._show_marks),
            (self._pages.opened, self._show_marks),
            (above.playhead_moved, below.set_step),
            (above.loop_shown, lambda region: below.set_loop(region, on=region is not None)),
            (below.seek_requested, playback.seek),
            (below.loop_dragged, playback.drag_loop),
            (below.loop_clicked, playback.clear_loop),
        ):
            signal.connect(slot)
