"""What writes: the chosen model on the chosen device, made ready before it is needed, and told of.

This file knows the form's model and the status line; it knows nothing of pieces.
"""

from __future__ import annotations

from collections.abc import Callable

import psutil
from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction

from musicrel.presentation.compose import summary
from musicrel.ui.controllers.preferences import Preferences
from musicrel.ui.jobs.generation_service import Loaded, Loading
from musicrel.ui.jobs.preloader import Warming, WarmUp
from musicrel.ui.shell.main_window import MainWindow


class Machine(QObject):
    """Wires model and device to the window.

    Args:
        window: with a form to choose in and a status line.
        preferences: remember what was chosen.
        warm_up: makes the job that has a model ready.
        busy: whether a piece is being written, which is then told of instead.
        parent: who needs it.

    Signals:
        failed: why a model cannot be used, one sentence.
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
        self._entries, self._warming = window.page.controls.entries, Warming(warm_up, self)
        self._ready: Loaded | None = None
        for signal, slot in (
            (window.painted, self.warm_up),
            (window.commands.devices.triggered, self.choose_device),
            (self._entries.model_chosen, self.choose_model),
            (self._warming.prepared, self._warmed_up),
            (self._warming.failed, self.failed),
        ):
            signal.connect(slot)

    @Slot(str)
    def choose_model(self, name: str) -> None:
        """Use another model from the next piece on."""
        self._preferences.remember(model=name)
        self.warm_up()

    @Slot(QAction)
    def choose_device(self, action: QAction) -> None:
        """Compute elsewhere from the next piece on."""
        self._preferences.remember(device=action.data())
        self.warm_up()

    @Slot()
    def warm_up(self) -> None:
        """Have the chosen model ready before it is needed."""
        name = self._entries.form().model
        if name:
            self._warming.want(name, self._preferences.settings.device)

    @Slot(object)
    def prepared(self, event: Loading | Loaded) -> None:
        """A model is being made ready, or is."""
        match event:
            case Loading(model=model):
                self._window.set_state(f"Loading {model} …")
            case Loaded():
                self._ready = event
                self._window.set_state("Ready")
                self.tell(0, 0.0)

    def tell(self, tokens: int, seconds: float) -> None:
        """Say what writes, and how quick it was where it has written ``tokens``."""
        if self._ready is not None:
            speed = (summary.rate(tokens, seconds),) if tokens and seconds else ()
            memory = summary.memory(psutil.Process().memory_info().rss)
            self._window.set_machine(
                "   ·   ".join((self._ready.model, self._ready.device, *speed, memory))
            )

    def shut_down(self) -> bool:
        """End what runs and wait for that; whether it has ended."""
        return self._warming.shut_down()

    @Slot(object)
    def _warmed_up(self, event: Loading | Loaded) -> None:
        if not self._busy():
            self.prepared(event)
