"""Controller of the current piece: the form, its generation, and the roll that shows it.

The form becomes a job, ``GenerationRun`` runs it and reports its progress, the roll shows the
notes so far. Every method runs in the thread of the window and returns at once.
"""

from __future__ import annotations

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
from musicrel.ui.controllers.model_controller import ModelController
from musicrel.ui.controllers.preferences import Preferences
from musicrel.ui.jobs.generation_run import Compose, GenerationRun
from musicrel.ui.jobs.preloader import WarmUp
from musicrel.ui.jobs.worker import Worker
from musicrel.ui.shell.main_window import MainWindow

NO_MODEL: Final = "No model is installed: copy a model folder into {folder}"
NOTHING_YET: Final = "There is nothing to save yet: generate a piece first"
NOT_DONE: Final = "A piece is being generated: wait until it is finished, or stop it"
UNTITLED: Final = "Untitled"
NOT_WRITING: Final = "Nothing is being generated"


class ComposeController(QObject):
    """The controller of the current piece: generation, form, title and saved state.

    Args:
        window: the main window, not shown yet.
        compose: factory of jobs that generate a piece.
        warm_up: factory of jobs that load a model.
        settings: the saved settings.

    Attributes:
        preferences: the settings of the user.
        model: the controller of model and device.
        preview_disabled_reason: the reason why the piece cannot be saved while a candidate is
            shown in its place; "" if none is.
        ending_workers: the workers to wait for after ``shut_down``.

    Signals:
        generation_started: a piece is being generated.
        steps_written (tuple): the ``GenerationStep``s since the last emission.
        piece_changed (Chorale | None): the current piece; None: no piece.
        candidates_requested: several candidates of a new piece are requested.
        generation_discarded: a generation ended without notes; there is no piece.
    """

    generation_started = Signal()
    steps_written = Signal(object)
    piece_changed = Signal(object)
    candidates_requested = Signal()
    generation_discarded = Signal()

    def __init__(
        self, window: MainWindow, compose: Compose, warm_up: WarmUp, settings: Settings
    ) -> None:
        super().__init__()
        self._window, self._page = window, window.compose_page
        self.preferences = Preferences(window, settings, self)
        self._compose_form = window.compose_page.controls.compose_form
        self._run = GenerationRun(compose, self)
        self.model = ModelController(window, self.preferences, warm_up, lambda: self.busy, self)
        self._disabled_reason = self.preview_disabled_reason = ""
        self._hint = ("", "")
        self.ending_workers: tuple[Worker, ...] = ()
        self._connect()
        self._start()

    @property
    def piece(self) -> Chorale | None:
        """Return the current piece, finished or stopped; None while it is being generated."""
        return self._run.piece

    @property
    def busy(self) -> bool:
        """Return True while a piece is being generated."""
        return self._run.busy

    @property
    def partial_piece(self) -> Chorale | None:
        """Return the piece with the notes written so far, silent after them."""
        composition = self._run.composition
        return composition.padded_piece() if composition is not None else self._run.piece

    @property
    def form(self) -> Form | None:
        """Return the form that the current piece was generated from, if known."""
        return self._run.form

    # ------------------------------------------------------------------ generation

    @Slot()
    def generate(self) -> None:
        """Generate a piece from the form; an unchanged form gets a new random seed."""
        if self._run.busy or self._disabled_reason:
            return
        if self._compose_form.form() == self._run.form and self._run.complete:
            self._compose_form.seed.randomize()  # the same seed would give the same piece
        if self._compose_form.candidates.value() > 1 or self._compose_form.is_infill():
            self.candidates_requested.emit()
            return
        form = self._compose_form.form()
        plan = form.request().plan()
        self._run.start(form, self.preferences.settings.device)
        self._page.controls.set_running(True)
        self._page.controls.facts.set_facts(())
        self._page.banner.dismiss()
        self._page.roll.begin(roll.draw(plan, written=0))
        self._name(plan, f"Chorale {form.seed}", saved=True)
        self._update_enabled()
        self.generation_started.emit()

    @Slot()
    def stop(self) -> None:
        """Stop the generation and keep the notes written so far."""
        if self._run.busy:
            self._run.stop()
            self._page.controls.set_stopping()
            self._window.set_state("Stopping …")

    @Slot()
    def validate_form(self) -> None:
        """Show a problem of the form, or its empty piece if there is no piece."""
        form = self._compose_form.form()
        try:
            plan, problem = form.request().plan(), ""
        except UsageError as reason:
            plan, problem = None, f"{str(reason)[:1].upper()}{str(reason)[1:]}"
        no_model = NO_MODEL.format(folder=paths.data() / "models")
        self._disabled_reason = problem or ("" if form.model else no_model)
        self._compose_form.set_problem(problem)
        self._update_enabled()
        empty = self._run.piece is None and not self._run.busy and not self.preview_disabled_reason
        if plan is not None and empty:
            self._page.roll.show_roll(roll.draw(plan, written=0))
            self._name(plan, "New chorale", saved=True)

    # ------------------------------------------------------------------ the current piece

    def show_piece(
        self, piece: Chorale, form: Form | None, state: str, *, saved: bool, again: bool = False
    ) -> None:
        """Make ``piece`` the current piece; not while one is being generated.

        Args:
            piece: the piece.
            form: the form it was generated from, shown in the fields; None leaves them.
            state: message for the status bar.
            saved: True if it is in a file.
            again: True if it was current before; Generate with the same form then takes a new
                random seed.
        """
        if form is not None:
            self._compose_form.set_form(form)
        self._run.set_piece(
            piece, self._compose_form.form() if form is not None and again else None
        )
        self._page.roll.show_roll(roll.draw(piece))
        self._page.controls.facts.set_facts(())
        self._name(piece, piece.title or UNTITLED, saved=saved)
        self._window.set_state(state)
        self.validate_form()
        self.piece_changed.emit(piece)

    def clear(self) -> None:
        """Remove the current piece; not while one is being generated."""
        self._run.clear()
        self._page.controls.facts.set_facts(())
        self.validate_form()
        self.piece_changed.emit(None)

    def show_hint(self) -> None:
        """Show the default hint of the empty roll."""
        self._page.roll.set_hint(*self._hint)

    def mark_saved(self, piece: Chorale) -> None:
        """Mark the current piece as saved if it is ``piece``."""
        if piece is self._run.piece:
            self._window.set_piece(piece.title or UNTITLED, saved=True)

    def set_preview_disabled_reason(self, reason: str) -> None:
        """Disable saving while a candidate is shown in place of the piece; "" enables it."""
        self.preview_disabled_reason = reason
        self._update_enabled()

    # ------------------------------------------------------------------ events

    @Slot()
    def _on_composition_changed(self) -> None:
        composition = self._run.composition
        if composition is None:
            return
        written = composition.started_steps
        self._page.roll.show_roll(roll.draw(composition.padded_piece(), written=written))
        self._page.controls.set_progress(composition.share)
        self._window.set_state(f"Generating bar {composition.bar} of {composition.bars}")
        self.model.show_speed(composition.tokens, self._run.seconds)

    @Slot()
    def _on_phrase_end_tried(self) -> None:
        self._window.set_state("Searching for a phrase ending")

    @Slot(object)
    def _on_generation_finished(self, generated: Generated) -> None:
        self._page.roll.show_roll(roll.draw(generated.chorale))
        self._page.controls.facts.set_facts(summary.facts(generated))
        self.model.show_speed(generated.tokens, generated.seconds)
        self._end_generation(f"Generated in {generated.seconds:.1f} s")

    @Slot()
    def _on_generation_stopped(self) -> None:
        composition = self._run.composition
        where = f" in bar {composition.bar} of {composition.bars}" if composition else ""
        self._end_generation(f"Stopped{where}")

    @Slot(str)
    def _on_generation_failed(self, sentence: str) -> None:
        self._end_generation("Generation failed")
        self.report(sentence)

    @Slot(str)
    def report(self, sentence: str) -> None:
        """Show an error in the banner."""
        self._page.banner.show_message(sentence[:1].upper() + sentence[1:])

    @Slot()
    def shut_down(self) -> None:
        """Save the window's geometry and request the jobs to end."""
        self.preferences.remember(window=self._window.geometry_text())
        self._window.hide()
        self.ending_workers = (*self._run.shut_down(), *self.model.shut_down())

    # ------------------------------------------------------------------ internals

    def _end_generation(self, state: str) -> None:
        """Make the generated piece, finished or not, the current one."""
        piece = self._run.piece
        if piece is not None:
            self._name(piece, piece.title, saved=False)
        self._page.controls.set_running(False)
        self._window.set_state(state)
        self.validate_form()
        self.piece_changed.emit(piece)
        if piece is None:
            self.generation_discarded.emit()

    def _update_enabled(self) -> None:
        """Enable the commands that are possible now; tooltips give the reasons of the others."""
        busy, act = self._run.busy, self._window.commands
        nothing = NOTHING_YET if self._run.piece is None else ""
        unsaveable = NOT_DONE if busy else self.preview_disabled_reason or nothing
        self._page.controls.set_disabled_reason(self._disabled_reason)
        self._page.set_save_disabled_reason(unsaveable)
        commands.set_enabled(act.save, unsaveable)
        commands.set_enabled(act.generate, NOT_DONE if busy else self._disabled_reason)
        commands.set_enabled(act.stop, "" if busy else NOT_WRITING)

    def _name(self, chorale: Chorale, title: str, *, saved: bool) -> None:
        self._page.set_heading(title, summary.heading(chorale))
        self._window.set_piece(title if self._run.piece is not None else "", saved=saved)

    def _start(self) -> None:
        """Fill the form with the installed models."""
        choices, problems = models.installed()
        self._compose_form.set_models(choices, self.preferences.settings.model)
        self._compose_form.seed.randomize()
        self._hint = models.hint(choices)
        self.show_hint()
        self._window.set_state("Ready")
        self.validate_form()
        if problems:
            self.report(f"a model cannot be used: {problems[0]}")

    def _connect(self) -> None:
        page, act = self._page, self._window.commands
        for signals, slot in (
            ((page.controls.generate_clicked, act.generate.triggered), self.generate),
            ((page.controls.stop_clicked, act.stop.triggered), self.stop),
            ((act.new_seed.triggered,), self._compose_form.seed.randomize),
            ((self._compose_form.changed,), self.validate_form),
            ((page.zoom_in.clicked, act.zoom_in.triggered), page.enlarge),
            ((page.zoom_out.clicked, act.zoom_out.triggered), page.reduce),
            ((page.zoom_fit.clicked, act.zoom_fit.triggered), page.fit),
            ((self._window.closing,), self.shut_down),
            ((self._run.load_progressed,), self.model.show_loading),
            ((self._run.composition_changed,), self._on_composition_changed),
            ((self._run.phrase_end_tried,), self._on_phrase_end_tried),
            ((self._run.steps_generated,), self.steps_written),
            ((self._run.finished,), self._on_generation_finished),
            ((self._run.stopped,), self._on_generation_stopped),
            ((self._run.failed,), self._on_generation_failed),
            ((self.model.failed,), self.report),
        ):
            for signal in signals:
                signal.connect(slot)
