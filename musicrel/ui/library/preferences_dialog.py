"""The dialog of the preferences, without logic: every change applies at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from musicrel.errors import UsageError
from musicrel.jobs import Job
from musicrel.language import tr
from musicrel.settings import (
    AT_START,
    AUTO,
    MAX_CORES,
    MOTIONS,
    SHEETS,
    TEXT_SIZES,
    THEMES,
    Settings,
)
from musicrel.ui import languages
from musicrel.ui.actions.commands import DEVICES
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.files import dialogs
from musicrel.ui.jobs.worker import LatestJob
from musicrel.ui.widgets import layout, stylesheet
from musicrel.ui.widgets.fields import NumberField, add_entries

_AT_ONCE: Final = tr("Changes apply at once and to new windows.")
_ABSENT: Final = tr("{name} (not connected)")
_LOOKING: Final = tr("Looking for devices …")
_BROWSE_TIP: Final = tr("Choose the folder")
_DEFAULTS: Final = tr("&Restore defaults")
_CHOOSE: Final = tr("Folder for exports")

_TITLE: Final = tr("Preferences")
_THEMES: Final[Mapping[str, str]] = {
    "system": tr("As the system"),
    "light": tr("Light"),
    "dark": tr("Dark"),
}
_MOTIONS: Final[Mapping[str, str]] = {
    "full": tr("All", "motion"),
    "reduced": tr("Reduced: the playhead moves from beat to beat"),
}
_STARTS: Final[Mapping[str, str]] = {
    "new": tr("An empty document"),
    "last": tr("The last document"),
}
_SHEETS: Final[Mapping[str, str]] = {
    "roll": tr("Piano roll"), "staves": tr("Score on two staves"),
    "parts": tr("Score on four staves"),
}  # fmt: skip
NEXT_START: Final = tr("The language changes when musicrel is started again")
_LAST_TIME: Final = tr("As last time")
_SYSTEM_SOUND: Final = tr("The system’s default device")
_ALL_CORES: Final = tr("All")
_CORES: Final = tr(
    "Processor cores that models compute on; pieces do not depend on their number, except when "
    "torch writes them"
)
# heading above the first field of each group
_HEADINGS: Final[Mapping[str, str]] = {
    "language": tr("Appearance"),
    "device": tr("Models"),
    "audio_device": tr("Sound"),
    "export_folder": tr("Export"),
    "at_start": tr("Start"),
}
# setting -> title and tooltip of its field
_FIELDS: Final[Mapping[str, tuple[str, str]]] = {
    "language": (tr("&Language"), tr("Language of the window")),
    "theme": (tr("T&heme"), tr("Colours of the window")),
    "text_size": (tr("Te&xt size"), tr("Size of all text, in percent of the system’s text size")),
    "motion": (tr("&Motion"), tr("Movement on the screen while music plays")),
    "device": (tr("De&vice"), tr("Processor or graphics card that models compute on")),
    "cores": (tr("Co&res"), _CORES),
    "audio_device": (tr("&Audio device"), tr("Device that plays the pieces")),
    "export_folder": (tr("&Folder"), tr("Folder suggested by Export; empty: the one used last")),
    "export_suffix": (tr("F&ormat"), tr("File type suggested by Export")),
    "at_start": (tr("&Open"), tr("Document that musicrel starts with")),
    "sheet": (tr("&Sheet"), tr("What a new window shows of a piece")),
}
_ABOVE: Final = 6  # blank pixels above a heading
NO_FOLDER: Final = tr("there is no folder {path}: choose one that exists, or leave the field empty")
NO_DEVICE: Final = tr(
    "this computer has no {name} device that musicrel can use: choose another one"
)
ListDevices = Callable[[], tuple[str, ...]]


class PreferencesDialog(QDialog):
    # models compute on another device, or with another number of threads
    device_chosen = Signal(str)
    audio_chosen = Signal()  # sound is played by another device

    def __init__(self, parent: QWidget, preferences: Preferences, list_audio: ListDevices) -> None:
        super().__init__(parent)
        self._preferences, self._list_audio = preferences, list_audio
        self._audio, self._device = LatestJob(self), LatestJob(self)
        self.setWindowTitle(_TITLE)
        own_names = {code: languages.own_name(code) for code in languages.available()}
        self.language = _box({languages.SYSTEM: _THEMES["system"]} | own_names)
        self.theme = _box({name: _THEMES[name] for name in THEMES})
        self.text_size = _box({size: f"{size} %" for size in TEXT_SIZES})
        self.motion = _box({name: _MOTIONS[name] for name in MOTIONS})
        self.device = _box({name: title.replace("&", "") for name, title in DEVICES})
        self.cores = NumberField(0, min(os.cpu_count() or 1, MAX_CORES), 0)
        self.cores.setSpecialValueText(_ALL_CORES)
        self.audio_device = _box({"": _SYSTEM_SOUND})
        self.export_folder, self.browse = (
            QLineEdit(placeholderText=_LAST_TIME),
            QPushButton(tr("&Browse…")),
        )
        titles = dialogs.name_filters(dialogs.writable_suffixes())
        self.export_suffix = _box({"": _LAST_TIME, **{end: title for title, end in titles.items()}})
        self.at_start = _box({name: _STARTS[name] for name in AT_START})
        self.sheet = _box({name: _SHEETS[name] for name in SHEETS})
        self.note, self.problem = layout.quiet(_AT_ONCE), QLabel(wordWrap=True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.defaults = self.buttons.addButton(_DEFAULTS, QDialogButtonBox.ButtonRole.ResetRole)
        self._lay_out()
        self._connect()

    def refresh(self) -> None:
        self._offer_audio(None)
        self._show_problem("")
        self._show_settings()
        self._audio.request(partial(_listed, self._list_audio))

    @Slot()
    def _show_settings(self) -> None:
        settings = self._preferences.settings
        for name, box in self._boxes.items():
            box.setCurrentIndex(max(box.findData(getattr(settings, name)), 0))
        number = self._preferences.threads or 0
        self.cores.setMaximum(max(self.cores.maximum(), number))
        self.cores.setValue(number)
        self.export_folder.setText(settings.export_folder)

    @Slot(object)
    def _offer_audio(self, names: Sequence[str] | None) -> None:
        """Offer devices for sound, the chosen one also if it is absent; None: not known yet."""
        chosen = self._preferences.settings.audio_device
        titles = {"": _SYSTEM_SOUND} | {name: name for name in names or ()}
        if chosen not in titles:
            titles[chosen] = chosen if names is None else _ABSENT.format(name=chosen)
        _fill(self.audio_device, titles)
        self.audio_device.setCurrentIndex(self.audio_device.findData(chosen))
        tip = _FIELDS["audio_device"][1]
        self.audio_device.setToolTip(_LOOKING if names is None else tip)

    def _show_problem(self, sentence: str) -> None:
        self.problem.setText(sentence[:1].upper() + sentence[1:])
        self.problem.setVisible(bool(sentence))

    def change(self, name: str, value: str) -> None:
        self._show_problem("")
        if getattr(self._preferences.settings, name) == value:
            return
        if name == "export_folder" and value and not Path(value).is_dir():
            self._show_problem(NO_FOLDER.format(path=value))  # the text stays to be corrected
        elif name == "device":
            self._device.request(partial(_checked_device, value))
        else:
            self._store(name, value)

    @Slot()
    def _restore_defaults(self) -> None:
        defaults = asdict(Settings())
        for name in _FIELDS:
            self.change(name, defaults[name])

    @Slot()
    def _choose_folder(self) -> None:
        dialog = dialogs.path_dialog(self, _CHOOSE, QFileDialog.FileMode.Directory)
        dialog.setDirectory(self._preferences.export_place[0])
        dialog.fileSelected.connect(partial(self.change, "export_folder"))
        dialog.open()

    def _store(self, name: str, value: str) -> None:
        self._preferences.remember(**{name: value})
        if name == "language":
            self.note.setText(NEXT_START)
        elif name == "audio_device":
            self.audio_chosen.emit()
        elif name == "cores":
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

    @property
    def _boxes(self) -> Mapping[str, QComboBox]:
        return {
            name: field for name in _FIELDS if isinstance(field := getattr(self, name), QComboBox)
        }

    def _lay_out(self) -> None:
        head = layout.dialog_title(_TITLE)
        self.problem.setObjectName("problem")
        self.problem.hide()
        self.browse.setToolTip(_BROWSE_TIP)
        for button in (self.browse, self.defaults):
            button.setAutoDefault(False)
        layout.column(
            head, self.note, self._grid(), self.problem, None, self.buttons,
            owner=self, spacing=8, margins=(22, 14, 22, 12),
        )  # fmt: skip
        stylesheet.set_least_width(self, 520)

    def _grid(self) -> QGridLayout:
        grid = layout.form_grid()
        for name, (title, tip) in _FIELDS.items():
            if name in _HEADINGS:
                heading = layout.heading(_HEADINGS[name])
                heading.setContentsMargins(0, _ABOVE, 0, 0)
                grid.addWidget(heading, grid.rowCount(), 0, 1, 2)
            field: QWidget = getattr(self, name)
            beside = self.browse if name == "export_folder" else None
            container = layout.row((field, 1), beside, spacing=6) if beside else None
            layout.add_row(grid, title, field, container, tip=tip)
        return grid

    def _connect(self) -> None:
        for name, box in self._boxes.items():
            box.activated.connect(
                lambda _row, name=name, box=box: self.change(name, box.currentData())
            )
        self.export_folder.editingFinished.connect(
            lambda: self.change("export_folder", self.export_folder.text().strip())
        )
        for signal, slot in (
            (self.cores.valueChanged, lambda number: self.change("cores", str(number or AUTO))),
            (self.browse.clicked, self._choose_folder),
            (self.defaults.clicked, self._restore_defaults),
            (self.buttons.rejected, self.reject),
            (self._preferences.changed, self._show_settings),
            (self._audio.finished, self._offer_audio),
            (self._device.finished, self._use_device),
            (self._device.failed, self._refuse),
        ):
            signal.connect(slot)


def _box(titles: Mapping[str, str]) -> QComboBox:
    box = QComboBox()
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    _fill(box, titles)
    return box


def _fill(box: QComboBox, titles: Mapping[str, str]) -> None:
    box.clear()
    add_entries(box, ((title, value) for value, title in titles.items()))


def _listed(list_audio: ListDevices) -> Job[None, tuple[str, ...]]:
    yield
    return list_audio()


def _checked_device(name: str) -> Job[None, str]:
    yield
    from musicrel.model import devices

    try:
        devices.resolve(name)
    except UsageError as reason:
        raise UsageError(NO_DEVICE.format(name=name.upper())) from reason
    return name
