"""The preferences of the user, saved between sessions: look, device, sound, folders, rules."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from musicrel import settings as file
from musicrel.errors import FileError
from musicrel.settings import Settings

# milliseconds without a further change after which what a slider sets is saved
_SAVE_MS: Final = 500
_log = logging.getLogger(__name__)


class Preferences(QObject):
    changed = Signal()

    def __init__(self, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.settings = settings
        self._timer = QTimer(self, singleShot=True, interval=_SAVE_MS)
        self._timer.timeout.connect(self._save)

    @property
    def device(self) -> str:
        return self.settings.device

    @property
    def threads(self) -> int | None:
        """The number of threads of models; None: one for each core."""
        cores = self.settings.cores
        return None if cores == file.AUTO else int(cores)

    @property
    def export_place(self) -> tuple[str, str]:
        settings = self.settings
        folder = settings.export_folder or settings.save_folder
        return folder, settings.export_suffix or settings.save_suffix

    @property
    def keys(self) -> dict[str, str]:
        """The shortcuts that the user has changed, by the name of their command."""
        lines = (line.partition("=") for line in self.settings.keys.splitlines())
        return {name: keys for name, sign, keys in lines if sign}

    def remember(self, **changes: str) -> None:
        """Change settings and save them; unsaved ones stay in effect until the app ends."""
        self.settings = replace(self.settings, **changes)
        self._save()
        self.changed.emit()

    def remember_soon(self, **changes: str) -> None:
        """Change settings at once and save them after the last of many changes, as of a slider.

        ``remember``, called at the end of the app as well, saves them, too.
        """
        self.settings = replace(self.settings, **changes)
        self._timer.start()
        self.changed.emit()

    @Slot()
    def _save(self) -> None:
        self._timer.stop()
        try:
            file.save(self.settings)
        except FileError as reason:
            _log.warning("the settings cannot be saved: %s", reason)
