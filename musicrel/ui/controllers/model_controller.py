"""Controller of the selected model and device, which are loaded before they are needed."""

from __future__ import annotations

from collections.abc import Callable

import psutil
from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction

from musicrel.presentation.compose import summary
from musicrel.ui.controllers.preferences import Preferences
from musicrel.ui.jobs.generation_service import Loaded, Loading
from musicrel.ui.jobs.preloader import Preloader, WarmUp
from musicrel.ui.jobs.worker import Worker
from musicrel.ui.shell.main_window import MainWindow


class ModelController(QObject):
    """The controller of model and device.

    Args:
        window: the main window.
        preferences: the settings, which store the selection.
        warm_up: factory of jobs that load a model.
        busy: function that returns True while a piece is being generated; its own messages
            then have the status bar.
        parent: the Qt parent.

    Signals:
        failed (str): the reason why a model cannot be used, one sentence.
    """

    failed = Signal(str)

    def __init__(
        self,
        window: MainWindow,
        preferences: Preferences,
        warm_up: WarmUp,
        busy: Callable[[], bool],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._window, self._preferences, self._busy = window, preferences, busy
        self._compose_form, self._preloader = (
            window.compose_page.controls.compose_form,
            Preloader(warm_up, self),
        )
        self._ready: Loaded | None = None
        for signal, slot in (
            (window.painted, self.warm_up),
            (window.commands.devices.triggered, self.choose_device),
            (self._compose_form.model_chosen, self.choose_model),
            (self._preloader.load_progressed, self._on_load_progress),
            (self._preloader.failed, self.failed),
        ):
            signal.connect(slot)

    @Slot(str)
    def choose_model(self, name: str) -> None:
        """Use another model for the next piece."""
        self._preferences.remember(model=name)
        self.warm_up()

    @Slot(QAction)
    def choose_device(self, action: QAction) -> None:
        """Use another device for the next piece."""
        self._preferences.remember(device=action.data())
        self.warm_up()

    @Slot()
    def warm_up(self) -> None:
        """Load the selected model in the background."""
        name = self._compose_form.form().model
        if name:
            self._preloader.preload(name, self._preferences.settings.device)

    @Slot(object)
    def show_loading(self, event: Loading | Loaded) -> None:
        """Show that a model is being loaded, or is ready."""
        match event:
            case Loading(model=model):
                self._window.set_state(f"Loading {model} …")
            case Loaded():
                self._ready = event
                self._window.set_state("Ready")
                self.show_speed(0, 0.0)

    def show_speed(self, tokens: int, seconds: float) -> None:
        """Show model, device, memory and speed in the status bar.

        Args:
            tokens: number of generated tokens; 0: no speed is shown.
            seconds: their duration.
        """
        if self._ready is not None:
            speed = (summary.rate(tokens, seconds),) if tokens and seconds else ()
            memory = summary.memory(psutil.Process().memory_info().rss)
            self._window.set_model_status(
                "   ·   ".join((self._ready.model, self._ready.device, *speed, memory))
            )

    def shut_down(self) -> tuple[Worker, ...]:
        """Request the jobs to end; return the workers to wait for."""
        return self._preloader.shut_down()

    @Slot(object)
    def _on_load_progress(self, event: Loading | Loaded) -> None:
        if not self._busy():
            self.show_loading(event)
