"""Controller of the selected model and device, which are loaded before they are needed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

import psutil
from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup

from musicrel.generation.events import Generated
from musicrel.presentation.compose import summary
from musicrel.ui.actions import commands
from musicrel.ui.compose.compose_form import ComposeForm
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.jobs.generation_run import GenerationRun
from musicrel.ui.jobs.generation_service import Loaded, LoadEvent, Loading, WarmUp
from musicrel.ui.jobs.latest_job import LatestJob
from musicrel.ui.jobs.worker import Worker

if TYPE_CHECKING:
    from musicrel.generation.candidates.candidate_job import CandidateSet

LOADING: Final = "Loading {name} …"
COMPILING: Final = "Preparing musicrel for this processor, once: writing begins in some seconds …"
READY: Final = "Ready"
SLOW: Final = "Ready; {warning}"


class ModelController(QObject):
    """The controller of model and device.

    Args:
        run: generates pieces; its messages come before those of loading.
        writing: returns True while notes are written, with whichever model.
    """

    status_changed = Signal(str)  # model, device, speed and memory

    def __init__(
        self,
        document: Document,
        messages: Messages,
        preferences: Preferences,
        *,
        run: GenerationRun,
        warm_up: WarmUp,
        writing: Callable[[], bool],
        form_view: ComposeForm,
        devices: QActionGroup,
    ) -> None:
        super().__init__(document)
        self._document, self._messages, self._preferences = document, messages, preferences
        self._run, self._warm_up, self._writing = run, warm_up, writing
        self._job = LatestJob(self)
        self._ready: Loaded | None = None
        self._devices = devices
        commands.check(devices, preferences.device)
        for signal, slot in (
            (devices.triggered, self.choose_device),
            (form_view.model_chosen, self.choose_model),
            (form_view.rewriting_model_chosen, self.choose_rewriting_model),
            (run.load_progressed, self.show_loading),
            (run.steps_generated, self._on_steps_generated),
            (run.finished, self.show_result),
            (self._job.events_received, self._on_load_progress),
            (self._job.failed, messages.report),
        ):
            signal.connect(slot)

    @Slot(str)
    def choose_model(self, name: str) -> None:
        self._preferences.remember(model=name)
        self.warm_up()

    @Slot(str)
    def choose_rewriting_model(self, name: str) -> None:
        self._preferences.remember(model_rewrite=name)

    @Slot(QAction)
    def choose_device(self, action: QAction) -> None:
        self.use_device(action.data())

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

    @Slot(object)
    def show_loading(self, event: LoadEvent) -> None:
        self._messages.show_state(_state(event))
        if isinstance(event, Loaded):
            self.show_model(event)

    @Slot(object)
    def show_model(self, loaded: Loaded) -> None:
        self._ready = loaded
        self._show_speed(0, 0.0)

    @Slot(object)
    def show_result(self, made: Generated | CandidateSet) -> None:
        self._show_speed(made.tokens, made.seconds)

    def shut_down(self) -> tuple[Worker, ...]:
        """Request the jobs to end; return the workers to wait for."""
        return self._job.shut_down()

    @Slot()
    def _on_steps_generated(self) -> None:
        if self._run.composition is not None:
            self._show_speed(self._run.composition.tokens, self._run.seconds)

    @Slot(object)
    def _on_load_progress(self, events: tuple[LoadEvent, ...]) -> None:
        if self._writing():
            return  # the status belongs to the model that writes, and its speed stays afterwards
        for event in events:
            if event == self._ready:
                self._messages.show_state(_state(event))
            else:
                self.show_loading(event)

    def _show_speed(self, tokens: int, seconds: float) -> None:
        """Show model, device, memory and, for ``tokens`` in ``seconds``, the speed."""
        if self._ready is not None:
            speed = (summary.rate(tokens, seconds),) if tokens and seconds else ()
            memory = summary.memory(psutil.Process().memory_info().rss)
            parts = (self._ready.model, self._ready.device, *speed, memory)
            self.status_changed.emit("   ·   ".join(parts))


def _state(event: LoadEvent) -> str:
    match event:
        case Loading():
            return LOADING.format(name=event.model)
        case Loaded():
            return SLOW.format(warning=event.warning) if event.warning else READY
        case _:
            return COMPILING
