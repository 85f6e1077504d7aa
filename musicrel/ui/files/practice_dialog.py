"""The dialog for practice files, without logic: voices, their level, format and folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
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

from musicrel.chorale import Voice
from musicrel.presentation.files.practice_files import KINDS
from musicrel.score.practice import DEFAULT_OTHERS, Kind, Practice
from musicrel.ui.files import dialogs
from musicrel.ui.widgets import layout
from musicrel.ui.widgets.elided_label import ElidedLabel
from musicrel.ui.widgets.fields import SliderField

TITLE: Final = "Export practice files"
INTRODUCTION: Final = "One file for each voice, for singers to practise with."
NO_VOICE: Final = "Choose at least one voice"
SILENT: Final = "The {voice} has no notes"
NOBODY: Final = "No voice is left without the {voice}: choose the voice louder than the others"
NO_FOLDER: Final = "There is no such folder: choose another one"
ALONE: Final = "The other voices are as usual when one is left out"
CHOICES: Final[tuple[tuple[Kind, str], ...]] = (
    ("louder", "The voice louder than the others"),
    ("left out", "The others without the voice"),
)
FORMATS: Final = tuple((suffix, f"{name} (*{suffix})") for suffix, name in KINDS.items())
_VOICES, _SOUND, _FOLDER = "Voices", "Sound", "Folder"
_KIND, _OTHERS, _FORMAT = "&Version", "&Others", "Forma&t"
_OTHERS_NAME: Final = "Level of the others"
_OTHERS_TIP: Final = "{share:.0%} of the voice"
_CLICKS: Final = ("&Metronome", "Clicks on the beats, higher on the first of a bar")
_COUNT_IN: Final = ("&Count-in", "A bar of clicks before, and the beats missing before a pickup")
_HELD: Final = ("&Hold fermatas", "Notes under a fermata longer; in MIDI files a slower tempo")
_BROWSE: Final = "&Browse…"
_BROWSE_TITLE: Final = "Folder for the practice files"
_EXPORT: Final = "&Export"
_WIDTH: Final = 520
_STEPS: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeChoice:
    """The entries of the dialog."""

    voices: tuple[Voice, ...] = tuple(Voice)
    kind: Kind = "louder"  # the part of the voice
    others: float = DEFAULT_OTHERS  # level of the other voices, if it is louder
    suffix: str = ".wav"
    folder: Path = Path()  # where the files are written
    clicks: bool = False
    count_in: bool = False
    held: bool = True

    @property
    def versions(self) -> tuple[Practice, ...]:
        return tuple(
            Practice(voice=voice, kind=self.kind, others=self.others) for voice in self.voices
        )


class PracticeDialog(QDialog):
    """The dialog; not shown yet."""

    changed = Signal()
    export_clicked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(TITLE)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.voices = tuple(QCheckBox(voice.title) for voice in Voice)
        self.kind, self.format = QComboBox(), QComboBox()
        self.others = SliderField(
            _OTHERS_NAME, (0.0, 1.0), _STEPS, lambda share: _OTHERS_TIP.format(share=share)
        )
        self.clicks, self.count_in, self.held = (
            _check_box(*texts) for texts in (_CLICKS, _COUNT_IN, _HELD)
        )
        self.folder_field, self.browse = QLineEdit(), QPushButton(_BROWSE)
        self.names = ElidedLabel()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.export_button = self.buttons.addButton(_EXPORT, QDialogButtonBox.ButtonRole.AcceptRole)
        self._present: tuple[Voice, ...] = tuple(Voice)
        self._lay_out()
        self._connect()

    # ------------------------------------------------------------------ state

    def set_choice(self, choice: PracticeChoice) -> None:
        before = self.blockSignals(True)
        for voice, box in zip(Voice, self.voices, strict=True):
            box.setChecked(voice in choice.voices)
        self.kind.setCurrentIndex(self.kind.findData(choice.kind))
        self.format.setCurrentIndex(self.format.findData(choice.suffix))
        self.others.set_value(choice.others)
        self.clicks.setChecked(choice.clicks)
        self.count_in.setChecked(choice.count_in)
        self.held.setChecked(choice.held)
        self.folder_field.setText(str(choice.folder))
        self.blockSignals(before)
        self._update()

    def set_present(self, voices: tuple[Voice, ...]) -> None:
        """Offer the voices that have notes."""
        self._present = voices
        for voice, box in zip(Voice, self.voices, strict=True):
            has_notes = voice in voices
            box.setEnabled(has_notes)
            box.setToolTip("" if has_notes else SILENT.format(voice=voice.title))
            box.setChecked(box.isChecked() and has_notes)
        self._update()

    @property
    def choice(self) -> PracticeChoice:
        return PracticeChoice(
            voices=tuple(
                voice for voice, box in zip(Voice, self.voices, strict=True) if box.isChecked()
            ),
            kind=self.kind.currentData(),
            others=self.others.value(),
            suffix=self.format.currentData(),
            folder=Path(self.folder_field.text().strip()).expanduser(),
            clicks=self.clicks.isChecked(),
            count_in=self.count_in.isChecked(),
            held=self.held.isChecked(),
        )

    def show_names(self, names: Sequence[str]) -> None:
        self.names.setText("   ".join(names))
        self.names.setToolTip("\n".join(names))

    # ------------------------------------------------------------------ widgets

    @Slot()
    def _update(self) -> None:
        choice = self.choice
        reason = "" if choice.folder.is_dir() else NO_FOLDER
        reason = reason if choice.voices else NO_VOICE
        louder = choice.kind == "louder"
        if not louder and len(self._present) == 1:
            reason = NOBODY.format(voice=self._present[0].title)
        self.export_button.setEnabled(not reason)
        self.export_button.setToolTip(reason)
        self.others.setEnabled(louder)
        self.others.setToolTip("" if louder else ALONE)
        self.changed.emit()

    @Slot()
    def _browse_folders(self) -> None:
        dialog = dialogs.path_dialog(self, _BROWSE_TITLE, QFileDialog.FileMode.Directory)
        dialog.setDirectory(self.folder_field.text())
        dialog.fileSelected.connect(self.folder_field.setText)
        dialog.open()

    def _lay_out(self) -> None:
        introduction = QLabel(INTRODUCTION)
        for label in (introduction, self.names):
            label.setObjectName("quiet")
        self.folder_field.setAccessibleName(_FOLDER)
        for box, entries in ((self.kind, CHOICES), (self.format, FORMATS)):
            for data, name in entries:
                box.addItem(name, data)
        layout.column(
            introduction, 8,
            layout.heading(_VOICES), layout.row(*self.voices, None, spacing=18), 8,
            layout.heading(_SOUND), self._grid(), 4,
            layout.row(self.clicks, self.count_in, self.held, None, spacing=18), 8,
            layout.heading(_FOLDER),
            layout.row((self.folder_field, 1), self.browse, spacing=6), 4,
            self.names, None, self.buttons,
            owner=self, spacing=4, margins=(16, 16, 16, 12),
        )  # fmt: skip
        self.setFixedWidth(_WIDTH)
        self.export_button.setDefault(True)

    def _grid(self) -> QGridLayout:
        grid = layout.form_grid()
        for title, widget in (
            (_KIND, self.kind),
            (_OTHERS, self.others),
            (_FORMAT, self.format),
        ):
            layout.add_row(grid, title, widget)
        return grid

    def _connect(self) -> None:
        for box in (*self.voices, self.clicks, self.count_in, self.held):
            box.toggled.connect(self._update)
        for combo in (self.kind, self.format):
            combo.currentIndexChanged.connect(self._update)
        self.others.changed.connect(self._update)
        self.folder_field.textChanged.connect(self._update)
        self.browse.clicked.connect(self._browse_folders)
        self.buttons.accepted.connect(self.export_clicked)
        self.buttons.rejected.connect(self.reject)


def _check_box(text: str, tip: str) -> QCheckBox:
    box = QCheckBox(text)
    box.setToolTip(tip)
    return box
