"""Export of several files, one for each voice to practise with or of several takes; printing.

The dialogs of what and where are here, and the jobs that follow. The parts of Qt that print are
imported with the first use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QWidget,
)

from musicrel.chorale import Chorale, Voice
from musicrel.errors import MusicrelError
from musicrel.figures import sheets
from musicrel.figures.sheets import Content, Paper, PrintChoice
from musicrel.jobs import Job, map_events
from musicrel.presentation.files import practice_files, take_files
from musicrel.presentation.files.practice_files import KINDS, PracticeFiles, Sounding
from musicrel.presentation.files.take_files import NamedPiece, TakeFile, WriteFile
from musicrel.presentation.score import engraver
from musicrel.presentation.words import names
from musicrel.score.audio.metronome import Metronome
from musicrel.score.audio.mixer import Mix
from musicrel.score.midi.midi_writer import DEFAULT_OTHERS, Kind, Practice
from musicrel.score.musicxml.musicxml_writer import Layout
from musicrel.score.performance import FERMATA_STRETCH, Style
from musicrel.ui.files import dialogs
from musicrel.ui.files.dialogs import ActionDialog
from musicrel.ui.files.file_jobs import FileEvent, FileProgress, StartJob, Written
from musicrel.ui.widgets import layout
from musicrel.ui.widgets.elided_label import ElidedLabel
from musicrel.ui.widgets.fields import SliderField, add_entries, enable

NO_FOLDER: Final = "There is no such folder: choose another one"
DOING: Final = "Exporting {files}"
DONE: Final = "Exported {files} to {folder}"
_FOLDER: Final = "Folder"
_BROWSE_TITLE: Final = "Folder for the files"

_FILE: Final = "practice file"
_PRACTICE_TITLE: Final = "Export practice files"
_INTRODUCTION: Final = "One file for each voice, for singers to practise with."
NO_VOICE: Final = "Choose at least one voice"
SILENT: Final = "The {voice} has no notes"
NOBODY: Final = "No voice is left without the {voice}: choose the voice louder than the others"
ALONE: Final = "The other voices are as usual when one is left out"
_CHOICES: Final[tuple[tuple[Kind, str], ...]] = (
    ("louder", "The voice louder than the others"),
    ("left out", "The others without the voice"),
)
_VOICES, _SOUND = "Voices", "Sound"
_KIND, _OTHERS, _FORMAT = "&Version", "&Others", "Forma&t"
_OTHERS_NAME: Final = "Level of the others"
_OTHERS_TIP: Final = "{share:.0%} of the voice"
_CLICKS: Final = ("&Metronome", "Clicks on the beats, higher on the first of a bar")
_COUNT_IN: Final = ("&Count-in", "A bar of clicks before, and the beats missing before a pickup")
_HELD: Final = ("&Hold fermatas", "Notes under a fermata longer; in MIDI files a slower tempo")

_HEADING: Final = "{takes} as {files}"
_TAKES_TITLE: Final = "Export takes"
_NO_FORMAT: Final = "Choose at least one format"
_CHOOSE_FOLDER: Final = "Choose a folder"
_COLUMNS: Final = 2
_TITLE: Final = "Print"
_CONTENT: Final = "&Content"
_STAVES: Final = "&Staves"
_NUMERALS: Final = "Roman &numerals below the score"
_NOTE: Final = "Printer, paper and pages are chosen in the next step."
_PRINT: Final = "&Print…"
_SAVE: Final = "Save as P&DF…"
_NO_SCORE: Final = "Only the score has staves and Roman numerals"
PRINTING: Final = "Printing {title}"
PRINTED: Final = "{pages} sent to {printer}"
SAVED: Final = "Saved {pages} as {name} in {folder}"
NAMELESS: Final = "the piece"
NOT_PRINTED: Final = "the piece is not printed: {reason}"
NOT_SAVED: Final = "the PDF is not saved: {reason}"
NO_PRINTER: Final = "No printer is set up on this computer: save a PDF instead"
_SAVE_TITLE: Final = "Save as PDF"


class _ExportDialog(ActionDialog):
    """A dialog for a folder and more, which shows the names of the files."""

    def __init__(self, title: str, parent: QWidget | None) -> None:
        super().__init__(title, "&Export", parent)
        self.folder_field, self.names = QLineEdit(), ElidedLabel()
        self.folder_field.setAccessibleName(_FOLDER)
        self.names.setObjectName("quiet")
        self.setFixedWidth(520)
        self.folder_field.textChanged.connect(self._update)
        self.buttons.accepted.connect(self._export)

    @property
    def folder(self) -> Path:
        return Path(self.folder_field.text().strip()).expanduser()

    def _folder_row(self) -> tuple[layout.Part, ...]:
        return layout.heading(_FOLDER), dialogs.folder_row(self.folder_field, _BROWSE_TITLE)

    @Slot()
    def _update(self) -> None:
        raise NotImplementedError

    @Slot()
    def _export(self) -> None:
        """Ask before files are replaced, then export."""
        raise NotImplementedError

    def _show(self, reason: str, files: Iterable[Path], separator: str, below: str) -> None:
        """Show the names of the files, and why they cannot be written, or ""."""
        enable(self.action_button, reason)
        shown = [path.name for path in files]
        self.names.setText(separator.join(shown))
        self.names.setToolTip(below.join(shown))


# ---------------------------------------------------------------------- practice files


@dataclass(frozen=True, slots=True, kw_only=True)
class PracticeChoice:
    voices: tuple[Voice, ...] = tuple(Voice)
    kind: Kind = "louder"  # the part of the voice
    others: float = DEFAULT_OTHERS  # level of the other voices, if it is louder
    suffix: str = ".wav"
    folder: Path = Path()  # where the files are written
    clicks: bool = False
    count_in: bool = False
    held: bool = True

    def files(self, piece: Chorale, mix: Mix, style: Style) -> PracticeFiles:
        beat = Metronome(on=self.clicks, count_in="start" if self.count_in else "never")
        held = replace(style, fermata_stretch=FERMATA_STRETCH if self.held else 1.0)
        return PracticeFiles(
            folder=self.folder,
            title=dialogs.file_name(piece.title, ""),
            suffix=self.suffix,
            versions=tuple(
                Practice(voice=voice, kind=self.kind, others=self.others) for voice in self.voices
            ),
            sounding=Sounding(mix=mix, style=held, beat=beat),
        )


class PracticeExport:
    """The practice files of a window; it remembers the entries of the last time."""

    def __init__(self, window: QWidget, start: StartJob, folder: Callable[[], str]) -> None:
        self._window, self._start, self._folder = window, start, folder
        self._last: PracticeChoice | None = None

    def ask(self, piece: Chorale, mix: Mix, style: Style) -> PracticeDialog:
        last = self._last or PracticeChoice(held=style.fermata_stretch > 1)
        choice = replace(last, folder=Path(self._folder() or dialogs.music_folder()))

        def export(choice: PracticeChoice, chosen: PracticeFiles) -> None:
            self._last = choice
            self._start(_write_practice(piece, chosen), DOING.format(files=_count(chosen)))

        dialog = PracticeDialog(self._window, piece, lambda c: c.files(piece, mix, style), export)
        dialog.set_choice(choice)
        dialog.open()
        return dialog


def _count(chosen: PracticeFiles) -> str:
    return names.count(len(chosen.versions), _FILE)


def _write_practice(piece: Chorale, chosen: PracticeFiles) -> Job[FileEvent, Written]:
    yield None
    writing = practice_files.write(piece, chosen)
    yield from map_events(writing, lambda event: FileProgress(share=event.share))
    sentence = DONE.format(files=_count(chosen), folder=chosen.folder)
    return Written(sentence=sentence, folder=chosen.folder)


class PracticeDialog(_ExportDialog):
    def __init__(
        self,
        parent: QWidget,
        piece: Chorale,
        files_of: Callable[[PracticeChoice], PracticeFiles],
        export: Callable[[PracticeChoice, PracticeFiles], None],
    ) -> None:
        super().__init__(_PRACTICE_TITLE, parent)
        self._files_of, self._start = files_of, export
        self._present = practice_files.voices(piece)
        self.voices = tuple(QCheckBox(voice.title) for voice in Voice)
        self.kind, self.format = QComboBox(), QComboBox()
        self.others = SliderField(
            _OTHERS_NAME, (0.0, 1.0), 20, lambda share: _OTHERS_TIP.format(share=share)
        )
        self.clicks, self.count_in, self.held = (
            _check_box(*texts) for texts in (_CLICKS, _COUNT_IN, _HELD)
        )
        self._lay_out()

    def set_choice(self, choice: PracticeChoice) -> None:
        for voice, box in zip(Voice, self.voices, strict=True):
            has_notes = voice in self._present
            box.setEnabled(has_notes)
            box.setToolTip("" if has_notes else SILENT.format(voice=voice.title))
            box.setChecked(voice in choice.voices and has_notes)
        self.kind.setCurrentIndex(self.kind.findData(choice.kind))
        self.format.setCurrentIndex(self.format.findData(choice.suffix))
        self.others.set_value(choice.others)
        self.clicks.setChecked(choice.clicks)
        self.count_in.setChecked(choice.count_in)
        self.held.setChecked(choice.held)
        self.folder_field.setText(str(choice.folder))
        self._update()

    @property
    def choice(self) -> PracticeChoice:
        chosen = zip(Voice, self.voices, strict=True)
        return PracticeChoice(
            voices=tuple(voice for voice, box in chosen if box.isChecked()),
            kind=self.kind.currentData(),
            others=self.others.value(),
            suffix=self.format.currentData(),
            folder=self.folder,
            clicks=self.clicks.isChecked(),
            count_in=self.count_in.isChecked(),
            held=self.held.isChecked(),
        )

    @Slot()
    def _update(self) -> None:
        choice = self.choice
        reason = "" if choice.folder.is_dir() else NO_FOLDER
        reason = reason if choice.voices else NO_VOICE
        louder = choice.kind == "louder"
        if not louder and len(self._present) == 1:
            reason = NOBODY.format(voice=self._present[0].title)
        self.others.setEnabled(louder)
        self.others.setToolTip("" if louder else ALONE)
        self._show(reason, self._files_of(choice).paths, "   ", "\n")

    @Slot()
    def _export(self) -> None:
        choice = self.choice
        wanted = self._files_of(choice)
        silent = set(Voice) - set(self._present)

        def export(chosen: PracticeFiles) -> None:
            self.accept()
            self._start(replace(choice, voices=(*choice.voices, *silent)), chosen)

        dialogs.check_existing(
            self,
            wanted.paths,
            on_replace=partial(export, wanted),
            on_keep=partial(export, wanted.beside()),
        )

    def _lay_out(self) -> None:
        formats = tuple((suffix, f"{name} (*{suffix})") for suffix, name in KINDS.items())
        grid = layout.form_grid()
        for box, entries in ((self.kind, _CHOICES), (self.format, formats)):
            add_entries(box, ((name, data) for data, name in entries))
            box.currentIndexChanged.connect(self._update)
        for title, widget in ((_KIND, self.kind), (_OTHERS, self.others), (_FORMAT, self.format)):
            layout.add_row(grid, title, widget)
        layout.column(
            layout.quiet(_INTRODUCTION), 8,
            layout.heading(_VOICES), layout.row(*self.voices, None, spacing=18), 8,
            layout.heading(_SOUND), grid, 4,
            layout.row(self.clicks, self.count_in, self.held, None, spacing=18), 8,
            *self._folder_row(), 4, self.names, None, self.buttons,
            owner=self, spacing=4, margins=(16, 16, 16, 12),
        )  # fmt: skip
        for check in (*self.voices, self.clicks, self.count_in, self.held):
            check.toggled.connect(self._update)
        self.others.changed.connect(self._update)


def _check_box(text: str, tip: str) -> QCheckBox:
    box = QCheckBox(text)
    box.setToolTip(tip)
    return box


# ---------------------------------------------------------------------- takes


class TakesExport:
    """The export of takes from a window; it remembers the formats of the last time."""

    def __init__(
        self,
        window: QWidget,
        start: StartJob,
        place: Callable[[], tuple[str, str]],
        write_file: Callable[[], WriteFile],
    ) -> None:
        self._window, self._start, self._place = window, start, place
        self._write_file = write_file
        self._suffixes: tuple[str, ...] = ()

    def ask(self, takes: Sequence[NamedPiece]) -> TakesDialog:
        dialog = TakesDialog(self._window, takes, self._export)
        folder, suffix = self._place()
        dialog.set_choice(folder or dialogs.music_folder(), self._suffixes or (suffix,))
        dialog.open()
        return dialog

    def _export(self, suffixes: tuple[str, ...], files: Sequence[TakeFile]) -> None:
        self._suffixes = suffixes
        takes = names.count(len({id(file.take) for file in files}), "take")
        self._start(_write_takes(files, self._write_file()), DOING.format(files=takes))


def _write_takes(files: Sequence[TakeFile], write_file: WriteFile) -> Job[FileEvent, Written]:
    yield None
    writing = take_files.write(files, write_file)
    exported = yield from map_events(writing, lambda event: FileProgress(share=event.share))
    return Written(sentence=exported.sentence, folder=files[0].path.parent)


class TakesDialog(_ExportDialog):
    def __init__(
        self,
        parent: QWidget,
        takes: Sequence[NamedPiece],
        export: Callable[[tuple[str, ...], Sequence[TakeFile]], None],
    ) -> None:
        super().__init__(_TAKES_TITLE, parent)
        self._takes, self._start, self.heading = takes, export, QLabel()
        titles = dialogs.name_filters(dialogs.writable_suffixes())
        self.formats = {suffix: QCheckBox(title) for title, suffix in titles.items()}
        boxes = QGridLayout()
        boxes.setVerticalSpacing(6)
        for place in range(_COLUMNS):
            boxes.setColumnStretch(place, 1)
        for place, box in enumerate(self.formats.values()):
            boxes.addWidget(box, place // _COLUMNS, place % _COLUMNS)
            box.toggled.connect(self._update)
        layout.column(
            self.heading, self.names, 8, *self._folder_row(), 8,
            layout.heading("Formats"), boxes, 8, None, self.buttons,
            owner=self, spacing=4, margins=(16, 16, 16, 12),
        )  # fmt: skip

    def set_choice(self, folder: str, suffixes: Sequence[str]) -> None:
        self.folder_field.setText(folder)
        for suffix, box in self.formats.items():
            box.setChecked(suffix in suffixes)
        self._update()

    @property
    def suffixes(self) -> tuple[str, ...]:
        return tuple(suffix for suffix, box in self.formats.items() if box.isChecked())

    def _plan(self, *, beside: bool = False) -> list[TakeFile]:
        return take_files.plan(self._takes, self.folder, self.suffixes, beside=beside)

    @Slot()
    def _update(self) -> None:
        reason = "" if self.suffixes else _NO_FORMAT
        if not self.folder.is_dir() or not self.folder_field.text().strip():
            reason = NO_FOLDER if self.folder_field.text().strip() else _CHOOSE_FOLDER
        files = self._plan()
        counted = names.count(len(self._takes), "take"), names.count(len(files), "file")
        self.heading.setText(_HEADING.format(takes=counted[0], files=counted[1]))
        self._show(reason, (file.path for file in files), ", ", ", ")

    @Slot()
    def _export(self) -> None:
        files, suffixes = self._plan(), self.suffixes

        def export(chosen: Sequence[TakeFile]) -> None:
            self.accept()
            self._start(suffixes, chosen)

        dialogs.check_existing(
            self,
            [file.path for file in files],
            on_replace=partial(export, files),
            on_keep=partial(export, self._plan(beside=True)),
        )


_CONTENTS: Final[Mapping[Content, str]] = {
    "score": "Score", "roll": "Piano roll", "both": "Score and piano roll",
}  # fmt: skip
_LAYOUTS: Final[Mapping[Layout, str]] = {
    "staves": "Two staves, as in a hymn book", "parts": "Four staves, one for each voice",
}  # fmt: skip


class PrintDialog(ActionDialog):
    """The dialog; not shown yet."""

    def __init__(
        self,
        parent: QWidget,
        on_print: Callable[[PrintChoice], object],
        on_save: Callable[[PrintChoice], object],
    ) -> None:
        super().__init__(_TITLE, _PRINT, parent)
        self.content, self.staves = QComboBox(), QComboBox()
        for content, title in _CONTENTS.items():
            self.content.addItem(title, content)
        for staves, title in _LAYOUTS.items():
            self.staves.addItem(title, staves)
        self.numerals = QCheckBox(_NUMERALS)
        self.note = QLabel(_NOTE, wordWrap=True)
        role = QDialogButtonBox.ButtonRole.ActionRole
        self.save_button = self.buttons.addButton(_SAVE, role)
        self._lay_out()
        self.content.currentIndexChanged.connect(self._update_staves)
        self.save_button.clicked.connect(lambda: self._close(on_save))
        self.buttons.accepted.connect(lambda: self._close(on_print))
        self._update_staves()

    def set_choice(self, choice: PrintChoice) -> None:
        self.content.setCurrentIndex(self.content.findData(choice.content))
        self.staves.setCurrentIndex(self.staves.findData(choice.layout))
        self.numerals.setChecked(choice.numerals)

    def set_no_score(self, reason: str) -> None:
        """Offer the piano roll only, for a reason."""
        self.set_choice(PrintChoice(content="roll"))
        self.content.setEnabled(False)
        self.content.setToolTip(reason)

    def set_no_printer(self, reason: str) -> None:
        """Offer a PDF only, for a reason."""
        self.note.setText(reason)
        enable(self.action_button, reason)
        self.action_button.setDefault(False)
        self.save_button.setDefault(True)

    @property
    def choice(self) -> PrintChoice:
        return PrintChoice(
            content=self.content.currentData(),
            layout=self.staves.currentData(),
            numerals=self.numerals.isChecked(),
        )

    @Slot()
    def _update_staves(self) -> None:
        has_score = self.content.currentData() != "roll"
        for field in (self.staves, self.numerals):
            field.setEnabled(has_score)
            field.setToolTip("" if has_score else _NO_SCORE)

    def _close(self, then: Callable[[PrintChoice], object]) -> None:
        choice = self.choice
        self.accept()
        then(choice)

    def _lay_out(self) -> None:
        self.note.setObjectName("quiet")
        form = QGridLayout()
        form.setColumnStretch(1, 1)
        form.setHorizontalSpacing(12)
        for row, (title, field) in enumerate(((_CONTENT, self.content), (_STAVES, self.staves))):
            label = QLabel(title)
            label.setBuddy(field)
            form.addWidget(label, row, 0)
            form.addWidget(field, row, 1)
        form.addWidget(self.numerals, 2, 1)
        layout.column(
            form, 4, self.note, None, self.buttons, owner=self, spacing=8, margins=(16, 16, 16, 12)
        )
        self.setFixedWidth(400)


if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrintDialog, QPrinter


class Printing:
    """The way from the command to the job that prints."""

    def __init__(self, window: QWidget, start: StartJob, folder: Callable[[], str]) -> None:
        self._window, self._start, self._folder = window, start, folder
        self._choice = PrintChoice()

    def ask(self, piece: Chorale, choice: PrintChoice) -> PrintDialog:
        from PySide6.QtPrintSupport import QPrinterInfo

        dialog = PrintDialog(
            self._window, partial(self.ask_printer, piece), partial(self._ask_path, piece)
        )
        dialog.set_choice(replace(choice, content=self._choice.content))
        if reason := engraver.disabled_reason():
            dialog.set_no_score(reason)
        if not QPrinterInfo.availablePrinterNames():
            dialog.set_no_printer(NO_PRINTER)
        dialog.open()
        return dialog

    def ask_printer(self, piece: Chorale, choice: PrintChoice) -> QPrintDialog:
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter

        self._choice = choice
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setDocName(piece.title or NAMELESS)
        printer.setCreator("musicrel")
        printer.setPageLayout(sheets.page_layout())
        dialog = QPrintDialog(printer, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def answer(result: int) -> None:
            if result == QDialog.DialogCode.Accepted:
                job = print_piece(piece, printer, choice)
                self._start(job, doing(piece))

        dialog.finished.connect(answer)
        QDialog.open(dialog)  # that of QPrintDialog needs a slot
        return dialog

    def _ask_path(self, piece: Chorale, choice: PrintChoice) -> None:
        self._choice = choice

        def save(path: Path) -> None:
            self._start(save_pdf(piece, path, choice), doing(piece))

        dialogs.ask_new_path(
            self._window,
            _SAVE_TITLE,
            name=piece.title,
            suffixes=(sheets.SUFFIX,),
            answer=save,
            folder=self._folder(),
        )


def print_piece(piece: Chorale, printer: QPrinter, choice: PrintChoice) -> Job[FileEvent, Written]:
    """Print a piece; nothing is printed if the job is cancelled."""
    yield None
    try:
        with Paper(printer, printer.abort) as paper:
            painting = sheets.paint(piece, paper, choice, (printer.fromPage(), printer.toPage()))
            count = yield from map_events(painting, lambda share: FileProgress(share=share))
    except MusicrelError as reason:
        raise type(reason)(NOT_PRINTED.format(reason=reason)) from reason
    where = Path(printer.outputFileName()).name or printer.printerName()
    return Written(sentence=PRINTED.format(pages=names.count(count, "page"), printer=where))


def save_pdf(piece: Chorale, path: Path, choice: PrintChoice) -> Job[FileEvent, Written]:
    yield None
    try:
        writing = sheets.write_pdf(piece, path, choice)
        count = yield from map_events(writing, lambda share: FileProgress(share=share))
    except MusicrelError as reason:
        raise type(reason)(NOT_SAVED.format(reason=reason)) from reason
    words = {"pages": names.count(count, "page"), "name": path.name, "folder": path.parent}
    return Written(sentence=SAVED.format(**words), folder=path.parent)


def doing(piece: Chorale) -> str:
    """Return what a job does, as a status text."""
    return PRINTING.format(title=piece.title or NAMELESS)
