"""All that belongs to no document: models, preferences, shortcuts, first steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QMainWindow

from musicrel import paths
from musicrel.playback.player import Player
from musicrel.ui.actions.commands import Commands
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.jobs.worker import Worker
from musicrel.ui.library import guides, shortcut_keys
from musicrel.ui.library.first_steps import FirstSteps
from musicrel.ui.library.model_drop import ModelDrop
from musicrel.ui.library.model_library import ModelLibrary
from musicrel.ui.library.preference_controller import PreferenceController
from musicrel.ui.library.shortcut_sheet import ShortcutSheet
from musicrel.ui.widgets.sheet_view import SheetView

_GENERATE: Final = "Generate a chorale"
_MELODY: Final = "Write a melody and harmonise it"
_OPEN: Final = "Open a file (MIDI, MusicXML)"


class Library(QObject):
    """The controllers of what belongs to no document.

    Args:
        window: parent of all dialogs; models may be dropped on it.
        writing: returns True while notes are being written.

    Attributes:
        shortcuts: the sheet of shortcuts; None while it is closed.
    """

    def __init__(
        self,
        window: QMainWindow,
        document: Document,
        messages: Messages,
        preferences: Preferences,
        *,
        commands: Commands,
        sheet: SheetView,
        player: Player,
        writing: Callable[[], bool],
    ) -> None:
        super().__init__(document)
        self._window, self._messages, self._player = window, messages, player
        self.models = ModelLibrary(
            window, writing, lambda: (document.form.model, document.rewriting_model)
        )
        self._settings = preferences
        self.preferences = PreferenceController(window, preferences)
        self.shortcuts: ShortcutSheet | None = None
        offers = (
            (_GENERATE, commands.generate),
            (_MELODY, commands.rewriting.draw),
            (_OPEN, commands.file.open),
        )
        acts = commands.library
        self.first_steps = FirstSteps(
            document, preferences, sheet=sheet, offers=offers, toggle=acts.offers
        )
        self._drops = ModelDrop(window)
        for signal, slot in (
            (acts.models.triggered, self.show_models),
            (acts.preferences.triggered, self.preferences.show),
            (acts.shortcuts.triggered, self.show_shortcuts),
            (acts.logs.triggered, self._open_logs),
            (acts.web_pages.triggered, self._open_web_pages),
            (self._drops.dropped, self.models.import_from),
            (self.models.removed, self._forget_model),
            (self.preferences.audio_chosen, self._reopen_audio),
            (document.generation_started, self.models.update_enabled),
            (document.piece_changed, self.models.update_enabled),
        ):
            signal.connect(slot)

    def shut_down(self) -> tuple[Worker, ...]:
        """Request all jobs to end; return the workers to wait for."""
        return (*self.models.shut_down(), *self.preferences.shut_down())

    @Slot()
    def show_shortcuts(self) -> None:
        groups = shortcut_keys.of_menus(self._window.menuBar()) | shortcut_keys.of_views()
        self.shortcuts = ShortcutSheet(groups, self._window)
        self.shortcuts.finished.connect(self._forget_shortcuts)
        self.shortcuts.open()

    @Slot()
    def _forget_shortcuts(self) -> None:
        self.shortcuts = None  # the sheet deletes itself

    @Slot()
    def show_models(self) -> None:
        self.models.show()

    @Slot(str)
    def _forget_model(self, name: str) -> None:
        settings = self._settings.settings
        for field in ("model", "model_rewrite"):
            if getattr(settings, field) == name:
                self._settings.remember(**{field: ""})

    @Slot()
    def _open_logs(self) -> None:
        problem = guides.open_outside(paths.data())
        if problem:
            self._messages.report(problem)

    @Slot()
    def _open_web_pages(self) -> None:
        problem = guides.open_page(guides.first_page())
        if problem:
            self._messages.report(problem)

    @Slot()
    def _reopen_audio(self) -> None:
        if self._player.follower is None:
            self._player.route(None)
