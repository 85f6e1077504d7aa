"""Controller of the dialog of the preferences: values are checked, stored and applied at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from musicrel.errors import UsageError
from musicrel.jobs import Job
from musicrel.playback import audio
from musicrel.settings import Settings
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.files import dialogs, file_dialogs
from musicrel.ui.jobs.latest_job import LatestJob
from musicrel.ui.jobs.worker import Worker
from musicrel.ui.library.preferences_dialog import PreferencesDialog

NO_FOLDER: Final = "there is no folder {path}: choose one that exists, or leave the field empty"
NO_DEVICE: Final = "this computer has no {name} device that musicrel can use: choose another one"
_CHOOSE: Final = "Folder for exports"
_OFFERED: Final = (
    "theme", "text_size", "motion", "device", "threads", "audio_device", "export_folder",
    "export_suffix", "at_start",
)  # fmt: skip
"""The settings in the dialog."""

ListDevices = Callable[[], tuple[str, ...]]


class PreferenceController(QObject):
    """The controller of the preferences.

    Args:
        list_audio: returns the names of the devices for sound; called in a thread.

    Attributes:
        dialog: the dialog; None while it was never opened.
    """

    # models compute on another device, or with another number of threads
    device_chosen = Signal(str)
    audio_chosen = Signal()  # sound is played by another device

    def __init__(
        self,
        window: QWidget,
        preferences: Preferences,
        list_audio: ListDevices = audio.device_names,
    ) -> None:
        super().__init__(window)
        self._window, self._preferences, self._list_audio = window, preferences, list_audio
        self.dialog: PreferencesDialog | None = None
        self._audio, self._device = LatestJob(self), LatestJob(self)
        self._audio.finished.connect(self._show_audio)
        self._device.finished.connect(self._use_device)
        self._device.failed.connect(self._refuse)

    def shut_down(self) -> tuple[Worker, ...]:
        """Request the jobs to end; return the workers to wait for."""
        return (*self._audio.shut_down(), *self._device.shut_down())

    @Slot()
    def show(self) -> None:
        if self.dialog is None:
            self.dialog = self._made()
        self.dialog.offer_audio(None, self._preferences.settings.audio_device)
        self.dialog.show_problem("")
        self._show_settings()
        self._audio.request(partial(_listed, self._list_audio))
        self.dialog.show()
        self.dialog.activateWindow()

    # ------------------------------------------------------------------ changes

    @Slot(str, str)
    def change(self, name: str, value: str) -> None:
        if self.dialog is not None:
            self.dialog.show_problem("")
        if getattr(self._preferences.settings, name) == value:
            return
        if name == "export_folder" and value and not Path(value).is_dir():
            self._show_problem(NO_FOLDER.format(path=value))  # the text stays to be corrected
        elif name == "device":
            self._device.request(partial(_checked_device, value))
        else:
            self._store(name, value)

    @Slot()
    def restore_defaults(self) -> None:
        defaults = asdict(Settings())
        for name in _OFFERED:
            self.change(name, defaults[name])

    @Slot()
    def choose_folder(self) -> None:
        dialog = dialogs.path_dialog(
            self.dialog or self._window, _CHOOSE, QFileDialog.FileMode.Directory
        )
        dialog.setDirectory(self._preferences.export_place[0])
        dialog.fileSelected.connect(partial(self.change, "export_folder"))
        dialog.open()

    def _store(self, name: str, value: str) -> None:
        self._preferences.remember(**{name: value})
        if name == "audio_device":
            self.audio_chosen.emit()
        elif name == "threads":
            self.device_chosen.emit(self._preferences.device)
        self._show_settings()

    @Slot(object)
    def _use_device(self, name: str) -> None:
        self.device_chosen.emit(name)
        self._show_settings()

    @Slot(str)
    def _refuse(self, sentence: str) -> None:
        self._show_settings()
        self._show_problem(sentence)

    def _show_problem(self, sentence: str) -> None:
        if self.dialog is not None:
            self.dialog.show_problem(sentence)

    # ------------------------------------------------------------------ the dialog

    @Slot(object)
    def _show_audio(self, names: tuple[str, ...]) -> None:
        if self.dialog is not None:
            self.dialog.offer_audio(names, self._preferences.settings.audio_device)

    @Slot()
    def _show_settings(self) -> None:
        if self.dialog is not None:
            self.dialog.show_settings(self._preferences.settings)

    def _made(self) -> PreferencesDialog:
        dialog = PreferencesDialog(self._window)
        titles = file_dialogs.name_filters(file_dialogs.writable_suffixes())
        dialog.offer_formats({suffix: title for title, suffix in titles.items()})
        dialog.changed.connect(self.change)
        dialog.browse_clicked.connect(self.choose_folder)
        dialog.defaults_clicked.connect(self.restore_defaults)
        self._preferences.changed.connect(self._show_settings)
        return dialog


def _listed(list_audio: ListDevices) -> Job[None, tuple[str, ...]]:
    yield
    return list_audio()


def _checked_device(name: str) -> Job[None, str]:
    """Return the name of a device that models can compute on."""
    yield
    from musicrel.model import devices

    try:
        devices.resolve(name)
    except UsageError as reason:
        raise UsageError(NO_DEVICE.format(name=name.upper())) from reason
    return name
