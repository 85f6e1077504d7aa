"""Controllers of the form and of its models, which are loaded before they are needed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction

from musicrel.errors import UsageError
from musicrel.language import tr
from musicrel.model.device_choice import Measurement
from musicrel.presentation.compose import models, summary
from musicrel.presentation.compose.form import Form, parse_rules
from musicrel.presentation.compose.models import ModelChoice
from musicrel.presentation.words import display_names
from musicrel.ui.actions import commands
from musicrel.ui.controllers.writer import Writer
from musicrel.ui.document.document import GENERATING
from musicrel.ui.jobs.generation_service import Loaded, LoadEvent, Loading, measurement_text
from musicrel.ui.jobs.worker import LatestJob
from musicrel.ui.shell.main_window import Services

NO_MODEL: Final = tr("No model is installed: import one with Compose > Models…")
NOT_CHOSEN: Final = tr("Choose a model under Advanced: only models of test runs are installed")
UNUSABLE: Final = tr("a model cannot be used: {reason}")
LOADING: Final = tr("Loading {name} …")
COMPILING: Final = tr("Preparing musicrel for this computer, once: {percent:.0f} %")
READY: Final = tr("Ready")
LOOP: Final = tr(
    "The form asks for a loop of {bars} bars, from the tonic to the dominant: press Generate"
)
SLOW: Final = tr("Ready; {warning}")


class FormController(QObject):
    def __init__(self, services: Services, writer: Writer) -> None:
        super().__init__(services.document)
        self._document, self._messages = services.document, services.messages
        self._preferences = services.preferences
        self._controls, self._actions = services.page.controls, services.commands
        self._form_view = self._controls.compose_form
        self._advanced = self._form_view.advanced
        self._disabled_reason = ""
        self._connect(writer)
        settings = self._preferences.settings
        self._form_view.set_rules(parse_rules(settings.rules))
        self._advanced.set_open(on=settings.advanced == "shown")
        self.new_seed()
        self.offer_models()
        self._show_form(self._document.form)
        self._messages.show_state(READY)

    @Slot()
    def new_seed(self) -> None:
        self._form_view.seed.randomize()

    def _ask_for_loop(self, action: QAction) -> None:
        bars = action.data()
        self._document.set_form(self._document.form.for_loop(bars))
        self._messages.show_state(LOOP.format(bars=bars))

    def offer_models(self) -> None:
        choices, problems = models.installed()
        self._offer(choices)
        if problems:
            self._messages.report(UNUSABLE.format(reason=problems[0]))

    def _offer(self, choices: Sequence[ModelChoice]) -> None:
        settings = self._preferences.settings
        self._form_view.set_models(choices, settings.model, settings.model_rewrite)
        self._read_form()

    def use_model(self, name: str) -> None:
        self.offer_models()
        choice = self._document.choice_of(name)
        rewrites = choice is not None and choice.sees_both_sides
        self._preferences.remember(**{"model_rewrite" if rewrites else "model": name})
        self.offer_models()

    @Slot()
    def _read_form(self) -> None:
        view = self._form_view
        self._document.set_form(view.form())
        self._document.set_models(view.choices, view.model_rewrite.value())
        self._check_form()

    @Slot(object)
    def _show_form(self, form: Form) -> None:
        entered = self._form_view.form()
        if (entered, entered.candidates) != (form, form.candidates):
            self._form_view.set_form(form)
        self._check_form()

    def _check_form(self) -> None:
        phrases = self._form_view.phrases
        problem = phrases.problem if phrases.isEnabled() else ""
        if not problem:
            try:
                self._document.form.request()
            except UsageError as reason:
                problem = str(reason)
        problem = f"{problem[:1].upper()}{problem[1:]}"
        no_model = NOT_CHOSEN if self._document.choices else NO_MODEL
        self._disabled_reason = problem or ("" if self._document.form.model else no_model)
        self._form_view.set_problem(problem)
        self._update_enabled()

    @Slot()
    def _update_enabled(self) -> None:
        reason = GENERATING if self._document.generating else self._disabled_reason
        self._controls.set_disabled_reason(self._disabled_reason)
        commands.set_enabled(self._actions.generate, reason)

    @Slot()
    def _on_piece_changed(self) -> None:
        self._controls.facts.set_facts(())
        if self._form_view.phrases.problem:  # the form of a piece replaces what cannot be read
            self._form_view.set_form(self._document.form)
            self._check_form()
        self._update_enabled()

    @Slot()
    def _on_document_changed(self) -> None:
        if not self._document.generating and not self._document.takes.all:
            self._form_view.set_rules(parse_rules(self._preferences.settings.rules))
            self.new_seed()
            self._offer(self._form_view.choices)

    def _connect(self, writer: Writer) -> None:
        document = self._document
        for action in self._actions.rewriting.loop_of:
            action.triggered.connect(partial(self._ask_for_loop, action))
        for signal, slot in (
            (self._actions.new_seed.triggered, self.new_seed),
            (self._form_view.changed, self._read_form),
            (
                self._form_view.rules_chosen,
                lambda: self._preferences.remember(rules=",".join(self._form_view.rules.value())),
            ),
            (
                self._advanced.opened,
                lambda shown: self._preferences.remember(advanced="shown" if shown else "hidden"),
            ),
            (document.form_changed, self._show_form),
            (writer.started, self._on_piece_changed),
            (document.piece_changed, self._on_piece_changed),
            (document.saved_changed, self._on_document_changed),
        ):
            signal.connect(slot)


class ModelController(QObject):
    status_changed = Signal(str)  # model, device, speed and memory

    def __init__(self, services: Services, writer: Writer) -> None:
        super().__init__(services.document)
        self._document, self._messages = services.document, services.messages
        self._preferences, self._devices = services.preferences, services.commands.devices
        self._warm_up, self._writer = services.models.warm_up, writer
        self._controls = services.page.controls
        self._job = LatestJob(self)
        self._ready: Loaded | None = None
        devices, form_view = self._devices, self._controls.compose_form
        commands.check(devices, self._preferences.device)
        for signal, slot in (
            (devices.triggered, lambda action: self.use_device(action.data())),
            (form_view.model_chosen, self.choose_model),
            (
                form_view.rewriting_model_chosen,
                lambda name: self._preferences.remember(model_rewrite=name),
            ),
            (writer.started, self._on_writer_started),
            (writer.load_progressed, self._on_writer_loaded),
            (
                writer.steps_generated,
                lambda: self._show_speed(writer.composition.tokens, writer.seconds),
            ),
            (writer.job.finished, lambda made: self._show_speed(made.tokens, made.seconds)),
            (self._job.events_received, self._on_load_progress),
            (self._job.failed, self._messages.report),
            (self._job.failed, lambda: self._controls.show_preparation("", None)),
            (self._document.busy_changed, self._follow_preparation),
        ):
            signal.connect(slot)

    @Slot(str)
    def choose_model(self, name: str) -> None:
        self._preferences.remember(model=name)
        self.warm_up()

    @Slot(str)
    def use_device(self, name: str) -> None:
        commands.check(self._devices, name)
        self._preferences.remember(device=name)
        self.warm_up()

    @Slot()
    def warm_up(self) -> None:
        name = self._document.form.model
        if name:
            self._job.request(partial(self._warm_up, name, self._preferences.device))

    @Slot()
    def _on_writer_started(self) -> None:
        """Leave to the request what it does itself; beside it, both would wait for each other."""
        if self._writer.model == self._document.form.model:
            self._job.cancel()

    @Slot(object)
    def _on_writer_loaded(self, event: LoadEvent) -> None:
        self._show_state(event)
        if isinstance(event, Loaded):
            self._ready = event
            self._show_speed(0, 0.0)

    @Slot()
    def _follow_preparation(self) -> None:
        """Go on showing a preparation after the request that waited for it was stopped."""
        if not self._writer.busy and not self._controls.preparation.isHidden():
            self.warm_up()

    @Slot(object)
    def _on_load_progress(self, events: tuple[LoadEvent, ...]) -> None:
        if self._writer.busy:
            return  # the status belongs to the model that writes, and its speed stays afterwards
        for event in events:
            self._show_state(event)
            if isinstance(event, Loaded) and event != self._ready:
                self._ready = event
                self._show_speed(0, 0.0)

    def _show_state(self, event: LoadEvent) -> None:
        share = None
        match event:
            case Loading():
                state = LOADING.format(name=display_names.model(event.model))
            case Loaded():
                state = SLOW.format(warning=event.warning) if event.warning else READY
            case Measurement():
                state, share = measurement_text(event), event.share
            case _:
                share = event.done / max(event.total, 1)
                state = COMPILING.format(percent=100 * share)
        self._controls.show_preparation("" if share is None else state, share)
        if self._document.generating or not self._writer.busy:
            self._messages.show_state(state)

    def _show_speed(self, tokens: int, seconds: float) -> None:
        if self._ready is not None:
            speed = (summary.rate(tokens, seconds),) if tokens and seconds else ()
            import psutil

            memory = summary.memory(psutil.Process().memory_info().rss)
            parts = (display_names.model(self._ready.model), self._ready.device, *speed, memory)
            self.status_changed.emit("   ·   ".join(parts))
