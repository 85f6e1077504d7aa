"""The dialog of the preferences, without logic: every change applies at once."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from musicrel.settings import AT_START, MAX_THREADS, MOTIONS, TEXT_SIZES, THEMES, Settings
from musicrel.ui.actions.commands import DEVICES
from musicrel.ui.widgets import layout, stylesheet
from musicrel.ui.widgets.fields import NumberField

_TITLE: Final = "Preferences"
_AT_ONCE: Final = "Changes apply at once and to new windows."
_THEMES: Final[Mapping[str, str]] = {
    "system": "As the system",
    "light": "Light",
    "dark": "Dark",
}
_MOTIONS: Final[Mapping[str, str]] = {
    "full": "All",
    "reduced": "Reduced: the playhead goes from beat to beat",
}
_STARTS: Final[Mapping[str, str]] = {
    "new": "An empty document",
    "last": "The document of last time",
}
_LAST_TIME: Final = "As last time"
_SYSTEM_SOUND: Final = "The device of the system"
_ABSENT: Final = "{name} (not connected)"
_LOOKING: Final = "Looking for devices …"
_BROWSE: Final = "&Browse…"
_BROWSE_TIP: Final = "Choose the folder"
_DEFAULTS: Final = "&Restore defaults"
_PERCENT: Final = "{size} %"
_THREADS: Final = (
    "Processor threads for models; one is usually fastest, since notes are written one after the "
    "other, and the last digits of a result depend on the number"
)
_HEADINGS: Final[Mapping[str, str]] = {
    "theme": "Appearance",
    "device": "Models",
    "audio_device": "Sound",
    "export_folder": "Export",
    "at_start": "Start",
}
"""Heading above the first field of each group."""
_FIELDS: Final[Mapping[str, tuple[str, str]]] = {
    "theme": ("&Theme", "Colours of the window"),
    "text_size": ("Te&xt size", "Size of all texts, in percent of that of the system"),
    "motion": ("&Motion", "Movement on the screen while music plays"),
    "device": ("De&vice", "Processor or graphics card that models compute on"),
    "threads": (
        "T&hreads",
        _THREADS,
    ),
    "audio_device": ("&Audio device", "Device that plays the pieces"),
    "export_folder": ("&Folder", "Folder that Export proposes; empty: the one of last time"),
    "export_suffix": ("F&ormat", "File type that Export proposes"),
    "at_start": ("&Open", "Document that musicrel begins with"),
}
"""Setting -> title and tooltip of its field."""
_ABOVE: Final = 6
"""Blank pixels above a heading."""
_WIDTH: Final = 520


class PreferencesDialog(QDialog):
    """The dialog; not shown yet."""

    changed = Signal(str, str)  # a setting and its new value
    browse_clicked = Signal()
    defaults_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(_TITLE)
        self.theme = _box({name: _THEMES[name] for name in THEMES})
        self.text_size = _box({size: _PERCENT.format(size=size) for size in TEXT_SIZES})
        self.motion = _box({name: _MOTIONS[name] for name in MOTIONS})
        self.device = _box({name: title.replace("&", "") for name, title in DEVICES})
        self.threads = NumberField(1, min(os.cpu_count() or 1, MAX_THREADS), 1)
        self.audio_device = _box({"": _SYSTEM_SOUND})
        self.export_folder, self.browse = (
            QLineEdit(placeholderText=_LAST_TIME),
            QPushButton(_BROWSE),
        )
        self.export_suffix = _box({"": _LAST_TIME})
        self.at_start = _box({name: _STARTS[name] for name in AT_START})
        self.problem = QLabel(wordWrap=True)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.defaults = self.buttons.addButton(_DEFAULTS, QDialogButtonBox.ButtonRole.ResetRole)
        self._lay_out()
        self._connect()

    # ------------------------------------------------------------------ state

    def show_settings(self, settings: Settings) -> None:
        """Show the settings, without a signal."""
        before = self.blockSignals(True)
        for name, box in self._boxes.items():
            box.setCurrentIndex(max(box.findData(getattr(settings, name)), 0))
        self.threads.setMaximum(max(self.threads.maximum(), int(settings.threads)))
        self.threads.setValue(int(settings.threads))
        self.export_folder.setText(settings.export_folder)
        self.blockSignals(before)

    def offer_formats(self, formats: Mapping[str, str]) -> None:
        """Offer file types, suffix -> title."""
        _fill(self.export_suffix, {"": _LAST_TIME, **formats})

    def offer_audio(self, names: Sequence[str] | None, chosen: str) -> None:
        """Offer devices for sound, the chosen one also if it is absent; None: not known yet."""
        before = self.blockSignals(True)
        titles = {"": _SYSTEM_SOUND} | {name: name for name in names or ()}
        if chosen not in titles:
            titles[chosen] = chosen if names is None else _ABSENT.format(name=chosen)
        _fill(self.audio_device, titles)
        self.audio_device.setCurrentIndex(self.audio_device.findData(chosen))
        tip = _FIELDS["audio_device"][1]
        self.audio_device.setToolTip(_LOOKING if names is None else tip)
        self.blockSignals(before)

    def show_problem(self, sentence: str) -> None:
        """Show why a value was refused; "" hides it."""
        self.problem.setText(sentence[:1].upper() + sentence[1:])
        self.problem.setVisible(bool(sentence))

    # ------------------------------------------------------------------ widgets

    @property
    def _boxes(self) -> Mapping[str, QComboBox]:
        return {
            name: field for name in _FIELDS if isinstance(field := getattr(self, name), QComboBox)
        }

    @Slot()
    def _on_folder_entered(self) -> None:
        self.changed.emit("export_folder", self.export_folder.text().strip())

    @Slot(int)
    def _on_threads_changed(self, threads: int) -> None:
        self.changed.emit("threads", str(threads))

    def _lay_out(self) -> None:
        head, note = QLabel(_TITLE), QLabel(_AT_ONCE)
        stylesheet.scale_font(head, 1.3, QFont.Weight.DemiBold)
        note.setObjectName("quiet")
        self.problem.setObjectName("problem")
        self.problem.hide()
        self.browse.setToolTip(_BROWSE_TIP)
        for button in (self.browse, self.defaults):
            button.setAutoDefault(False)
        layout.column(
            head, note, self._grid(), self.problem, None, self.buttons,
            owner=self, spacing=10, margins=(22, 18, 22, 16),
        )  # fmt: skip
        self.setMinimumWidth(_WIDTH)

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
            box.activated.connect(lambda _row, name=name, box=box: self._emit(name, box))
        self.threads.valueChanged.connect(self._on_threads_changed)
        self.export_folder.editingFinished.connect(self._on_folder_entered)
        self.browse.clicked.connect(self.browse_clicked)
        self.defaults.clicked.connect(self.defaults_clicked)
        self.buttons.rejected.connect(self.reject)

    def _emit(self, name: str, box: QComboBox) -> None:
        self.changed.emit(name, box.currentData())


def _box(titles: Mapping[str, str]) -> QComboBox:
    box = QComboBox()
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    _fill(box, titles)
    return box


def _fill(box: QComboBox, titles: Mapping[str, str]) -> None:
    box.clear()
    for value, title in titles.items():
        box.addItem(title, value)
