"""The app's conductor: it lets pieces be written and tells the window what to show.

A request goes round like this: the form becomes a job, ``Writing`` runs it and tells that the
composition grew, its picture goes to the roll; the finished piece can be saved. Every method here
runs in the window's thread and returns at once.

This file knows the window, the jobs and the settings; it knows nothing of models or pixels.
"""

from __future__ import annotations

import logging
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from musicrel import paths
from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.generation.events import Generated
from musicrel.presentation.compose import models, summary
from musicrel.presentation.compose.form import Form
from musicrel.presentation.roll import roll
from musicrel.settings import Settings
from musicrel.ui.actions import commands
from musicrel.ui.controllers.model_controller import Machine
from musicrel.ui.controllers.preferences import Preferences
from musicrel.ui.jobs.generation_run import Compose, Writing
from musicrel.ui.jobs.preloader import WarmUp
from musicrel.ui.shell.main_window import MainWindow

NO_MODEL: Final = "There is no model to write with: put a model folder into {folder}"
NOTHING_YET: Final = "There is nothing to save yet: generate a piece first"
NOT_DONE: Final = "The piece is being written: save it when it is done, or stop"
UNTITLED: Final = "Untitled"
NOT_WRITING: Final = "Nothing is being written"

_log = logging.getLogger(__name__)


class Studio(QObject):
    """Wires the window to what is written, and remembers the settings.

    Args:
        window: not shown yet.
        compose: makes the job that writes a piece.
        warm_up: makes the job that has a model ready.
        settings: what was remembered.

    Signals:
        began: a piece is being written.
        wrote: the tuple of steps that were written since the last time.
        offered: the piece that is on the sheet from now on, None for an empty sheet.
        several_asked: the user wants several new pieces to choose from.
        given_up: nothing came of a piece that was begun, the sheet is empty.
    """

    began = Signal()
    wrote = Signal(object)
    offered = Signal(object)
    several_asked = Signal()
    given_up = Signal()

    def __init__(
        self, window: MainWindow, compose: Compose, warm_up: WarmUp, settings: Settings
    ) -> None:
        super().__init__()
        self._window, self._page = window, window.page
        self.preferences = Preferences(window, settings, self)
        """What the user chose once and for all."""
        self._entries = window.page.controls.entries
        self._writing = Writing(compose, self)
        self.machine = Machine(window, self.preferences, warm_up, lambda: self.busy, self)
        """What writes."""
        self._obstacle = self.guest = ""
        self._hint = ("", "")
        self.all_ended = True
        """Whether every job had ended when the window closed."""
        self._connect()
        self._start()

    @property
    def piece(self) -> Chorale | None:
        """The piece on the sheet, finished or stopped; None while it is being written."""
        return self._writing.piece

    @property
    def busy(self) -> bool:
        """Whether a piece is being written."""
        return self._writing.busy

    @property
    def sheet(self) -> Chorale | None:
        """The piece as far as it is written, silent after that."""
        composition = self._writing.composition
        return composition.sheet() if composition is not None else self._writing.piece

    @property
    def form(self) -> Form | None:
        """What the piece on the sheet was written after, where that is known."""
        return self._writing.form

    # ------------------------------------------------------------------ what the user did

    @Slot()
    def generate(self) -> None:
        """Let the model write what the form says."""
        if self._writing.busy or self._obstacle:
            return
        if self._entries.form() == self._writing.form and self._writing.complete:
            self._entries.seed.roll()  # the same once more would be the same piece
        if self._entries.candidates.value() > 1 or self._entries.settles():
            self.several_asked.emit()
            return
        form = self._entries.form()
        plan = form.request().plan()
        self._writing.start(form, self.preferences.settings.device)
        self._page.controls.set_running(True)
        self._page.controls.facts.tell(())
        self._page.banner.dismiss()
        self._page.roll.begin(roll.draw(plan, written=0))
        self._name(plan, f"Chorale {form.seed}", saved=True)
        self._allow()
        self.began.emit()

    @Slot()
    def stop(self) -> None:
        """End the writing; what is there stays."""
        if self._writing.busy:
            self._writing.stop()
            self._page.controls.set_stopping()
            self._window.set_state("Stopping …")

    @Slot()
    def look_at_form(self) -> None:
        """Say what is wrong with the form, or show its empty sheet where there is no piece."""
        form = self._entries.form()
        try:
            plan, problem = form.request().plan(), ""
        except UsageError as reason:
            plan, problem = None, f"{str(reason)[:1].upper()}{str(reason)[1:]}"
        nobody = NO_MODEL.format(folder=paths.data() / "models")
        self._obstacle = problem or ("" if form.model else nobody)
        self._entries.set_problem(problem)
        self._allow()
        empty = self._writing.piece is None and not self._writing.busy and not self.guest
        if plan is not None and empty:
            self._page.roll.show_roll(roll.draw(plan, written=0))
            self._name(plan, "New chorale", saved=True)

    # ------------------------------------------------------------------ pieces from elsewhere

    def show_piece(
        self, piece: Chorale, form: Form | None, state: str, *, saved: bool, again: bool = False
    ) -> None:
        """Put a piece on the sheet that was read or was there before; not while one is written.

        Args:
            piece: the piece.
            form: what it was written after; the entries then say so; None leaves them.
            state: what came of it, for the status line.
            saved: whether there is a file of it.
            again: it was there before; the same form then asks for another piece.
        """
        if form is not None:
            self._entries.set_form(form)
        self._writing.take(piece, self._entries.form() if form is not None and again else None)
        self._page.roll.show_roll(roll.draw(piece))
        self._page.controls.facts.tell(())
        self._name(piece, piece.title or UNTITLED, saved=saved)
        self._window.set_state(state)
        self.look_at_form()
        self.offered.emit(piece)

    def clear(self) -> None:
        """Put an empty sheet of the form in place of the piece; not while one is written."""
        self._writing.clear()
        self._page.controls.facts.tell(())
        self.look_at_form()
        self.offered.emit(None)

    def show_hint(self) -> None:
        """Say what an empty sheet is for; others may have said something else there."""
        self._page.roll.set_hint(*self._hint)

    def mark_saved(self, piece: Chorale) -> None:
        """There is a file of ``piece`` now."""
        if piece is self._writing.piece:
            self._window.set_piece(piece.title or UNTITLED, saved=True)

    def set_guest(self, reason: str) -> None:
        """Why the piece cannot be saved while another is seen in its place; "" where none is."""
        self.guest = reason
        self._allow()

    # ------------------------------------------------------------------ what came of it

    @Slot()
    def _grew(self) -> None:
        composition = self._writing.composition
        if composition is None:
            return
        written = composition.begun_steps
        self._page.roll.show_roll(roll.draw(composition.sheet(), written=written))
        self._page.controls.set_progress(composition.share)
        self._window.set_state(f"Writing bar {composition.bar} of {composition.bars}")
        self.machine.tell(composition.tokens, self._writing.seconds)

    @Slot()
    def _tried(self) -> None:
        self._window.set_state("Trying how the phrase may end")

    @Slot(object)
    def _finished(self, generated: Generated) -> None:
        self._page.roll.show_roll(roll.draw(generated.chorale))
        self._page.controls.facts.tell(summary.facts(generated))
        self.machine.tell(generated.tokens, generated.seconds)
        self._ended(f"Written in {generated.seconds:.1f} seconds")

    @Slot()
    def _stopped(self) -> None:
        composition = self._writing.composition
        where = f" in bar {composition.bar} of {composition.bars}" if composition else ""
        self._ended(f"Stopped{where}")

    @Slot(str)
    def _failed(self, sentence: str) -> None:
        self._ended("Not finished")
        self.report(sentence)

    @Slot(str)
    def report(self, sentence: str) -> None:
        """Tell a failure, without interrupting."""
        self._page.banner.tell(sentence[:1].upper() + sentence[1:])

    @Slot()
    def shut_down(self) -> None:
        """Remember the window, end what runs and wait for it."""
        self.preferences.remember(window=self._window.place())
        self._window.hide()
        self.all_ended = all([self._writing.shut_down(), self.machine.shut_down()])
        if not self.all_ended:
            _log.error("a job did not end in time")

    # ------------------------------------------------------------------ inside

    def _ended(self, state: str) -> None:
        """Offer what was written, finished or not."""
        piece = self._writing.piece
        if piece is not None:
            self._name(piece, piece.title, saved=False)
        self._page.controls.set_running(False)
        self._window.set_state(state)
        self.look_at_form()
        self.offered.emit(piece)
        if piece is None:
            self.given_up.emit()

    def _allow(self) -> None:
        """Let the user do what can be done now, and say why not the rest."""
        busy, act = self._writing.busy, self._window.commands
        nothing = NOTHING_YET if self._writing.piece is None else ""
        unsaveable = NOT_DONE if busy else self.guest or nothing
        self._page.controls.set_obstacle(self._obstacle)
        self._page.set_saveable(unsaveable)
        commands.allow(act.save, unsaveable)
        commands.allow(act.generate, NOT_DONE if busy else self._obstacle)
        commands.allow(act.stop, "" if busy else NOT_WRITING)

    def _name(self, chorale: Chorale, title: str, *, saved: bool) -> None:
        self._page.set_heading(title, summary.heading(chorale))
        self._window.set_piece(title if self._writing.piece is not None else "", saved=saved)

    def _start(self) -> None:
        """Offer what there is."""
        choices, problems = models.installed()
        self._entries.set_models(choices, self.preferences.settings.model)
        self._entries.seed.roll()
        self._hint = models.hint(choices)
        self.show_hint()
        self._window.set_state("Ready")
        self.look_at_form()
        if problems:
            self.report(f"a model is left out: {problems[0]}")

    def _connect(self) -> None:
        page, act = self._page, self._window.commands
        for signals, slot in (
            ((page.controls.generate_clicked, act.generate.triggered), self.generate),
            ((page.controls.stop_clicked, act.stop.triggered), self.stop),
            ((act.roll_seed.triggered,), self._entries.seed.roll),
            ((self._entries.changed,), self.look_at_form),
            ((page.zoom_in.clicked, act.zoom_in.triggered), page.enlarge),
            ((page.zoom_out.clicked, act.zoom_out.triggered), page.reduce),
            ((page.zoom_fit.clicked, act.zoom_fit.triggered), page.fit),
            ((self._window.closing,), self.shut_down),
            ((self._writing.prepared,), self.machine.prepared),
            ((self._writing.grew,), self._grew),
            ((self._writing.tried,), self._tried),
            ((self._writing.wrote,), self.wrote),
            ((self._writing.finished,), self._finished),
            ((self._writing.stopped,), self._stopped),
            ((self._writing.failed,), self._failed),
            ((self.machine.failed,), self.report),
        ):
            for signal in signals:
                signal.connect(slot)
