"""Controller of the form and of the generation of a piece from it.

The form becomes a job, ``GenerationRun`` runs it, and the document shows the notes so far. Every
method runs in the thread of the window and returns at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.generation import quality
from musicrel.generation.events import Generated, MeansProgress, PhraseEndTrial, SearchState
from musicrel.presentation.compose import models, summary
from musicrel.presentation.compose.form import Form, parse_rules
from musicrel.presentation.compose.models import ModelChoice
from musicrel.ui.actions import commands
from musicrel.ui.actions.commands import Commands
from musicrel.ui.compose.controls import Controls
from musicrel.ui.document.document import GENERATING, Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.document.sketch import Sketch
from musicrel.ui.jobs.generation_run import GenerationRun

NO_MODEL: Final = "No model is installed: import one with Compose > Models…"
NOT_CHOSEN: Final = "Choose a model under Advanced: only models of test runs are installed"
NOT_GENERATING: Final = "Nothing is being generated"
UNRANKED: Final = (
    "; at draft quality or temperature 0, cadences are chosen only among several candidates"
)
STOPPING: Final = "Stopping …"
UNUSABLE: Final = "a model cannot be used: {reason}"
GENERATING_BAR: Final = "Generating bar {bar} of {bars}"
PREPARING: Final = "Reading the training pieces for the means of muted heads: {share:.0%}"
SEARCHING: Final = "Searching among versions of a phrase"
SEARCHING_AMONG: Final = "Searching: {fitting} of {particles} continuations fit"
GENERATED_IN: Final = "Generated in {seconds:.1f} s{unranked}"
STOPPED: Final = "Stopped"
STOPPED_IN: Final = "Stopped in bar {bar} of {bars}"
FAILED: Final = "Generation failed"
RESTORED: Final = "Restored {title}"


class ComposeController(QObject):
    """The controller of the form and of Generate."""

    candidates_requested = Signal()  # several candidates of a new piece are requested

    def __init__(
        self,
        document: Document,
        messages: Messages,
        preferences: Preferences,
        *,
        run: GenerationRun,
        controls: Controls,
        actions: Commands,
    ) -> None:
        super().__init__(document)
        self._document, self._messages, self._preferences = document, messages, preferences
        self._run, self._controls, self._actions = run, controls, actions
        self._form_view = controls.compose_form
        self._advanced = self._form_view.advanced
        self._disabled_reason = ""
        self._connect()
        self._start()

    # ------------------------------------------------------------------ user actions

    @Slot()
    def generate(self) -> None:
        """Generate a piece from the form; an unchanged form gets a new random seed."""
        document = self._document
        if document.generating or self._disabled_reason:
            return
        if document.form_is_used:
            self.new_seed()  # the same seed would give the same piece
        if document.form.candidates > 1 or self._form_view.is_infill():
            self.candidates_requested.emit()
            return
        self._run.start(document.form, self._preferences.device)
        self._controls.set_running(True)
        self._messages.dismiss()
        document.begin_generation()
        self._draw_composition()

    @Slot()
    def new_seed(self) -> None:
        self._form_view.seed.randomize()

    @Slot()
    def stop(self) -> None:
        if self._document.generating:
            self._run.stop()
            self._controls.set_stopping()
            self._messages.show_state(STOPPING)

    # ------------------------------------------------------------------ the form

    def offer_models(self) -> None:
        """Offer the installed models, with the one of each task selected."""
        choices, problems = models.installed()
        self._offer(choices)
        if problems:
            self._messages.report(UNUSABLE.format(reason=problems[0]))

    def _offer(self, choices: Sequence[ModelChoice]) -> None:
        settings = self._preferences.settings
        self._form_view.set_models(choices, settings.model, settings.model_rewrite)
        self._read_form()

    def use_model(self, name: str) -> None:
        """Use an installed model for the task that suits it."""
        self.offer_models()
        choice = self._document.choice_of(name)
        rewrites = choice is not None and choice.sees_both_sides
        self._preferences.remember(**{"model_rewrite" if rewrites else "model": name})
        self.offer_models()

    @Slot()
    def _read_form(self) -> None:
        view = self._form_view
        self._document.set_form(view.form())
        self._document.set_models(view.choices, view.model_rewrite.name)

    @Slot(object)
    def _show_form(self, form: Form) -> None:
        entered = self._form_view.form()
        if (entered, entered.candidates) != (form, form.candidates):
            self._form_view.set_form(form)
        try:
            self._document.form.request().plan()
            problem = ""
        except UsageError as reason:
            problem = f"{str(reason)[:1].upper()}{str(reason)[1:]}"
        self._disabled_reason = problem or self._why_no_model()
        self._form_view.set_problem(problem)
        self._update_enabled()

    def _why_no_model(self) -> str:
        if self._document.form.model:
            return ""
        return NOT_CHOSEN if self._document.choices else NO_MODEL

    @Slot(bool)
    def _remember_advanced(self, shown: bool) -> None:
        self._preferences.remember(advanced="shown" if shown else "hidden")

    @Slot()
    def _remember_rules(self) -> None:
        self._preferences.remember(rules=",".join(self._form_view.rules.value()))

    # ------------------------------------------------------------------ the generation

    @Slot()
    def _on_steps_generated(self) -> None:
        composition = self._run.composition
        if composition is not None:
            self._controls.set_progress(composition.share)  # it repaints at once: before the notes
            self._draw_composition()
            self._messages.show_state(
                GENERATING_BAR.format(bar=composition.bar, bars=composition.bars)
            )

    def _draw_composition(self) -> None:
        composition = self._run.composition
        if composition is not None:
            piece = composition.padded_piece()
            self._document.draw(Sketch(piece=piece, written=composition.started_steps))

    @Slot(object)
    def _on_prepared(self, event: MeansProgress) -> None:
        self._messages.show_state(PREPARING.format(share=event.share))

    @Slot(object)
    def _on_searched(self, event: PhraseEndTrial) -> None:
        state = SEARCHING
        if isinstance(event, SearchState):
            fitting, particles = round(event.effective_size), event.particles
            state = SEARCHING_AMONG.format(fitting=fitting, particles=particles)
        self._messages.show_state(state)

    @Slot(object)
    def _on_finished(self, generated: Generated) -> None:
        unranked = UNRANKED if _ignores_cadence(self._document.form) else ""
        state = GENERATED_IN.format(seconds=generated.seconds, unranked=unranked)
        self._end(generated.chorale, state)
        self._controls.facts.set_facts(summary.facts(generated))

    @Slot()
    def _on_stopped(self) -> None:
        composition = self._run.composition
        state = STOPPED
        if composition is not None:
            state = STOPPED_IN.format(bar=composition.bar, bars=composition.bars)
        self._end(self._run.unfinished_piece(), state)

    @Slot(str)
    def _on_failed(self, sentence: str) -> None:
        self._end(self._run.unfinished_piece(), FAILED)
        self._messages.report(sentence)

    def _end(self, piece: Chorale | None, state: str) -> None:
        """Show the piece, or the one before where no note was written."""
        composition = self._run.composition
        complete = composition is not None and composition.share == 1
        self._controls.set_running(False)
        self._messages.show_state(state)
        self._document.end_generation(piece, self._run.form, complete=complete)
        if piece is None and self._document.piece is not None:
            self._messages.show_state(RESTORED.format(title=self._document.title))

    # ------------------------------------------------------------------ internals

    @Slot()
    def _update_enabled(self) -> None:
        """Enable the commands that are possible now; tooltips give the reasons of the others."""
        generating = self._document.generating
        self._controls.set_disabled_reason(self._disabled_reason)
        commands.set_enabled(
            self._actions.generate, GENERATING if generating else self._disabled_reason
        )
        commands.set_enabled(self._actions.stop, "" if generating else NOT_GENERATING)

    @Slot()
    def _on_piece_changed(self) -> None:
        self._controls.facts.set_facts(())
        self._update_enabled()

    @Slot()
    def _on_document_changed(self) -> None:
        if not self._document.generating and not self._document.takes.all:
            self._form_view.set_rules(parse_rules(self._preferences.settings.rules))
            self.new_seed()
            self._offer(self._form_view.choices)

    def _start(self) -> None:
        """Fill the form with the installed models."""
        settings = self._preferences.settings
        self._form_view.set_rules(parse_rules(settings.rules))
        self._advanced.set_open(on=settings.advanced == "shown")
        self.new_seed()
        self.offer_models()
        self._show_form(self._document.form)
        self._messages.show_state("Ready")

    def _connect(self) -> None:
        document, controls, run = self._document, self._controls, self._run
        for signal, slot in (
            (controls.generate_clicked, self.generate),
            (self._actions.generate.triggered, self.generate),
            (controls.stop_clicked, self.stop),
            (self._actions.stop.triggered, self.stop),
            (self._actions.new_seed.triggered, self.new_seed),
            (self._form_view.changed, self._read_form),
            (self._form_view.rules_chosen, self._remember_rules),
            (self._advanced.opened, self._remember_advanced),
            (document.form_changed, self._show_form),
            (document.generation_started, self._on_piece_changed),
            (document.piece_changed, self._on_piece_changed),
            (document.saved_changed, self._on_document_changed),
            (run.steps_generated, self._on_steps_generated),
            (run.searched, self._on_searched),
            (run.prepared, self._on_prepared),
            (run.finished, self._on_finished),
            (run.stopped, self._on_stopped),
            (run.failed, self._on_failed),
        ):
            signal.connect(slot)


def _ignores_cadence(form: Form) -> bool:
    """Return True where a cadence is asked for that only a search could reach."""
    return bool(form.cadence) and not quality.searches(form.quality, form.temperature)
