"""Export of several files, one for each voice to practise with or of several takes; printing.

The dialogs of what and where are here, and the jobs that follow. The parts of Qt that print are
imported with the first use.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final, Generic, TypeVar

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
from musicrel.errors import prefixed
from musicrel.figures import engraver, sheets
from musicrel.figures.sheets import Content, Paper, PrintChoice
from musicrel.jobs import Job, map_events
from musicrel.language import count, tr
from musicrel.presentation.files import practice_files, take_files
from musicrel.presentation.files.practice_files import KINDS, PracticeFiles, Sounding
from musicrel.presentation.files.take_files import NamedPiece, TakeFile, WriteFile
from musicrel.score.audio.metronome import CountIn, Metronome
from musicrel.score.midi.midi_writer import Kind, Practice
from musicrel.score.musicxml.musicxml_writer import Layout
from musicrel.score.performance import FERMATA_STRETCH
from musicrel.ui.actions.commands import NO_VERSES
from musicrel.ui.files import dialogs
from musicrel.ui.files.dialogs import ActionDialog
from musicrel.ui.files.file_jobs import Written
from musicrel.ui.widgets import layout, stylesheet
from musicrel.ui.widgets.elided_label import ElidedLabel
from musicrel.ui.widgets.fields import SliderField, add_entries, enable

_BROWSE_TITLE: Final = tr("Folder for the files")
_FILES: Final = (tr("practice file"), tr("practice files"))
_PRACTICE_TITLE: Final = tr("Export practice files")
_INTRODUCTION: Final = tr("One file for each voice, for singers to practise with.")
_OTHERS_NAME: Final = tr("Level of the others")
_OTHERS_TIP: Final = tr("compared with the voice")
_HEADING: Final = tr("{takes} as {files}")
_TAKES_TITLE: Final = tr("Export takes")
_NO_FORMAT: Final = tr("Choose at least one format")
CHOOSE_FOLDER: Final = tr("Choose a folder")
_NUMERALS: Final = tr("Roman &numerals below the score")
_FIGURES: Final = tr("&Figured bass below the score")
_REPEAT_SIGNS: Final = tr("R&epeat signs instead of a second time")
_NOTE: Final = tr("Printer, paper and pages are chosen in the next step.")
_SAVE: Final = tr("Save as P&DF…")
_NO_SCORE: Final = tr("Only the score has staves, Roman numerals, a figured bass and repeats")
PRINTING: Final = tr("Printing {title}")
PRINTED: Final = tr("{pages} sent to {printer}")
SAVED: Final = tr("Saved {pages} as {name} in {folder}")

Files = TypeVar("Files")

_NOT_PRINTED: Final = tr("the piece is not printed")
_NOT_SAVED: Final = tr("the PDF is not saved")
NO_FOLDER: Final = tr("There is no such folder: choose another one")
DOING: Final = tr("Exporting {files}")
DONE: Final = tr("Exported {files} to {folder}")
_FOLDER: Final = tr("Folder")

NO_VOICE: Final = tr("Choose at least one voice")
SILENT: Final = tr("The {voice} has no notes")
NOBODY: Final = tr("No voice is left without the {voice}: choose the voice louder than the others")
ALONE: Final = tr("When a voice is left out, the others keep their level")
_CHOICES: Final[tuple[tuple[Kind, str], ...]] = (
    ("louder", tr("The voice louder than the others")),
    ("left out", tr("The others without the voice")),
)
_CLICKS: Final = (tr("&Metronome"), tr("Clicks on the beats, higher on the first of a bar"))
_COUNT_IN: Final = (
    tr("&Count-in"),
    tr("A bar of clicks before, and the beats missing before a pickup"),
)
_ALL_VERSES: Final = (
    tr("All &verses"),
    tr("The verses one after the other, each with its own words"),
)
_HELD: Final = (
    tr("&Hold fermatas"),
    tr("Notes under a fermata longer; in MIDI files a slower tempo"),
)

_COLUMNS: Final = 2
NAMELESS: Final = tr("the piece")
NO_PRINTER: Final = tr("No printer is set up on this computer: save a PDF instead")
SAVE_TITLE: Final = tr("Save as PDF")


class _ExportDialog(ActionDialog, Generic[Files]):
    """A dialog for a folder and more, which shows the names of the files."""

    separators = "   ", "\n"  # of the names of the files, in the line and in its tooltip

    def __init__(
        self, title: str, parent: QWidget | None, start: Callable[[Files], object]
    ) -> None:
        super().__init__(title, tr("&Export"), parent)
        self._start = start
        self.folder_field, self.names = QLineEdit(), ElidedLabel()
        self.folder_field.setAccessibleName(_FOLDER)
        self.names.setObjectName("quiet")
        stylesheet.fix_width(self, 520)
        self.folder_field.textChanged.connect(self._update)
        self.buttons.accepted.connect(self._export)

    @property
    def folder(self) -> Path:
        return Path(self.folder_field.text().strip()).expanduser()

    def files(self, *, beside: bool = False) -> Files:
        """Return the files of the entries, with other names than existing ones if ``beside``."""
        raise NotImplementedError

    def _paths(self, files: Files) -> Sequence[Path]:
        raise NotImplementedError

    def _reason(self) -> str:
        raise NotImplementedError

    def _folder_row(self) -> tuple[layout.Part, ...]:
        return layout.heading(_FOLDER), dialogs.folder_row(self.folder_field, _BROWSE_TITLE)

    @Slot()
    def _update(self) -> None:
        reason = self._reason()
        if not reason and not self.folder_field.text().strip():
            reason = CHOOSE_FOLDER
        elif not reason and not self.folder.is_dir():
            reason = NO_FOLDER
        enable(self.action_button, reason)
        names = [path.name for path in self._paths(self.files())]
        self.names.setText(self.separators[0].join(names))
        self.names.setToolTip(self.separators[1].join(names))

    @Slot()
    def _export(self) -> None:
        files, beside = self.files(), self.files(beside=True)

        def export(chosen: Files) -> None:
            self.accept()
            self._start(chosen)

        dialogs.check_existing(
            self,
            self._paths(files),
            on_replace=partial(export, files),
            on_keep=partial(export, beside),
        )


# ---------------------------------------------------------------------- practice files


def practice_count(chosen: PracticeFiles) -> str:
    number = len(chosen.versions)
    return f"{number} {_FILES[number != 1]}"


def write_practice(piece: Chorale, chosen: PracticeFiles) -> Job[float, Written]:
    yield 0.0
    yield from map_events(practice_files.write(piece, chosen), attrgetter("share"))
    sentence = DONE.format(files=practice_count(chosen), folder=chosen.folder)
    return Written(sentence=sentence, folder=chosen.folder)


class PracticeDialog(_ExportDialog[PracticeFiles]):
    def __init__(
        self,
        parent: QWidget,
        piece: Chorale,
        sounding: Sounding,
        start: Callable[[PracticeFiles], object],
    ) -> None:
        super().__init__(_PRACTICE_TITLE, parent, start)
        self._title, self._sounding = dialogs.file_name(piece.title, ""), sounding
        self._present = practice_files.voices(piece)
        self.voices = tuple(QCheckBox(voice.title) for voice in Voice)
        self.kind, self.format = QComboBox(), QComboBox()
        self.others = SliderField(_OTHERS_NAME, (0.0, 1.0), 20, lambda _: _OTHERS_TIP, ".0%")
        self.clicks, self.count_in, self.held, self.all_verses = (
            _check_box(*texts) for texts in (_CLICKS, _COUNT_IN, _HELD, _ALL_VERSES)
        )
        reason = "" if len(piece.verses) > 1 else NO_VERSES
        enable(self.all_verses, reason, _ALL_VERSES[1])
        self._lay_out()

    def set_entries(self, last: PracticeFiles) -> None:
        first, beat = last.versions[0], last.sounding.beat
        for voice, box in zip(Voice, self.voices, strict=True):
            has_notes = voice in self._present
            enable(box, "" if has_notes else SILENT.format(voice=voice.title))
            box.setChecked(has_notes and any(each.voice == voice for each in last.versions))
        self.kind.setCurrentIndex(self.kind.findData(first.kind))
        self.format.setCurrentIndex(self.format.findData(last.suffix))
        self.others.set_value(first.others)
        self.clicks.setChecked(beat.on)
        self.count_in.setChecked(beat.count_in != "never")
        self.held.setChecked(last.sounding.style.fermata_stretch > 1)
        self.all_verses.setChecked(last.all_verses and self.all_verses.isEnabled())
        self.folder_field.setText(str(last.folder))
        self._update()

    def files(self, *, beside: bool = False, also: Collection[Voice] = ()) -> PracticeFiles:
        stretch = FERMATA_STRETCH if self.held.isChecked() else 1.0
        style = replace(self._sounding.style, fermata_stretch=stretch)
        count_in: CountIn = "start" if self.count_in.isChecked() else "never"
        beat = Metronome(on=self.clicks.isChecked(), count_in=count_in)
        chosen = [voice for voice, box in zip(Voice, self.voices, strict=True) if box.isChecked()]
        kind, others = self.kind.currentData(), self.others.value()
        versions = [Practice(voice=one, kind=kind, others=others) for one in (*chosen, *also)]
        files = PracticeFiles(
            folder=self.folder,
            title=self._title,
            suffix=self.format.currentData(),
            versions=tuple(versions),
            all_verses=self.all_verses.isChecked(),
            sounding=replace(self._sounding, style=style, beat=beat),
        )
        return files.beside() if beside else files

    @property
    def entries(self) -> PracticeFiles:
        """Return the entries for the next time, with the voices that have no notes now."""
        return self.files(also=set(Voice) - set(self._present))

    def _paths(self, files: PracticeFiles) -> Sequence[Path]:
        return files.paths

    def _reason(self) -> str:
        louder = self.kind.currentData() == "louder"
        enable(self.others, "" if louder else ALONE)
        if not louder and len(self._present) == 1:
            return NOBODY.format(voice=self._present[0].title)
        return "" if any(box.isChecked() for box in self.voices) else NO_VOICE

    def _lay_out(self) -> None:
        formats = tuple((suffix, f"{name} (*{suffix})") for suffix, name in KINDS.items())
        grid = layout.form_grid()
        for box, entries in ((self.kind, _CHOICES), (self.format, formats)):
            add_entries(box, ((name, data) for data, name in entries))
            box.currentIndexChanged.connect(self._update)
        fields = (
            (tr("&Version"), self.kind),
            (tr("&Others"), self.others),
            (tr("Forma&t"), self.format),
        )
        for title, widget in fields:
            layout.add_row(grid, title, widget)
        layout.column(
            layout.quiet(_INTRODUCTION), 8,
            layout.heading(tr("Voices")), layout.row(*self.voices, None, spacing=18), 8,
            layout.heading(tr("Sound")), grid, 4,
            layout.row(self.clicks, self.count_in, self.held, self.all_verses, None, spacing=18), 8,
            *self._folder_row(), 4, self.names, None, self.buttons,
            owner=self, spacing=4, margins=(16, 16, 16, 12),
        )  # fmt: skip
        for check in (*self.voices, self.clicks, self.count_in, self.held, self.all_verses):
            check.toggled.connect(self._update)
        self.others.changed.connect(self._update)


def _check_box(text: str, tip: str) -> QCheckBox:
    box = QCheckBox(text)
    box.setToolTip(tip)
    return box


# ---------------------------------------------------------------------- takes


def takes_count(files: Sequence[TakeFile]) -> str:
    return count(len({id(file.take) for file in files}), "take")


def write_takes(files: Sequence[TakeFile], write_file: WriteFile) -> Job[float, Written]:
    yield 0.0
    writing = take_files.write(files, write_file)
    exported = yield from map_events(writing, attrgetter("share"))
    return Written(sentence=exported.sentence, folder=files[0].path.parent)


class TakesDialog(_ExportDialog[Sequence[TakeFile]]):
    separators = ", ", ", "

    def __init__(
        self,
        parent: QWidget,
        takes: Sequence[NamedPiece],
        start: Callable[[Sequence[TakeFile]], object],
    ) -> None:
        super().__init__(_TAKES_TITLE, parent, start)
        self._takes, self.heading = takes, QLabel()
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
            layout.heading(tr("Formats")), boxes, 8, None, self.buttons,
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

    def files(self, *, beside: bool = False) -> Sequence[TakeFile]:
        return take_files.plan(self._takes, self.folder, self.suffixes, beside=beside)

    def _paths(self, files: Sequence[TakeFile]) -> Sequence[Path]:
        takes = count(len(self._takes), "take")
        self.heading.setText(_HEADING.format(takes=takes, files=count(len(files), "file")))
        return [file.path for file in files]

    def _reason(self) -> str:
        return "" if self.suffixes else _NO_FORMAT


_CONTENTS: Final[Mapping[Content, str]] = {
    "score": tr("Score"), "roll": tr("Piano roll"), "both": tr("Score and piano roll"),
}  # fmt: skip
_LAYOUTS: Final[Mapping[Layout, str]] = {
    "staves": tr("Two staves, as in a hymn book"), "parts": tr("Four staves, one for each voice"),
}  # fmt: skip


class PrintDialog(ActionDialog):
    def __init__(
        self,
        parent: QWidget,
        last: PrintChoice,
        on_print: Callable[[PrintChoice], object],
        on_save: Callable[[PrintChoice], object],
    ) -> None:
        from PySide6.QtPrintSupport import QPrinterInfo

        super().__init__(tr("Print"), tr("&Print…"), parent)
        self.content, self.staves = QComboBox(), QComboBox()
        for box, titles in ((self.content, _CONTENTS), (self.staves, _LAYOUTS)):
            add_entries(box, ((title, data) for data, title in titles.items()))
        boxes = tuple(map(QCheckBox, (_NUMERALS, _FIGURES, _REPEAT_SIGNS)))
        self.numerals, self.figures, self.repeat_signs = self._boxes = boxes
        self.note = QLabel(_NOTE, wordWrap=True)
        action = QDialogButtonBox.ButtonRole.ActionRole
        self.save_button = self.buttons.addButton(_SAVE, action)
        self._lay_out()
        self.content.currentIndexChanged.connect(self._update_staves)
        self.save_button.clicked.connect(lambda: self._close(on_save))
        self.buttons.accepted.connect(lambda: self._close(on_print))
        no_score = engraver.disabled_reason()
        self.content.setCurrentIndex(self.content.findData("roll" if no_score else last.content))
        self.staves.setCurrentIndex(self.staves.findData(last.layout))
        below = last.numerals, last.figures, last.repeat_signs
        for check, on in zip(boxes, below, strict=True):
            check.setChecked(on)
        enable(self.content, no_score)
        if not QPrinterInfo.availablePrinterNames():
            self.note.setText(NO_PRINTER)
            enable(self.action_button, NO_PRINTER)
            self.action_button.setDefault(False)
            self.save_button.setDefault(True)
        self._update_staves()

    @property
    def choice(self) -> PrintChoice:
        return PrintChoice(
            content=self.content.currentData(),
            layout=self.staves.currentData(),
            numerals=self.numerals.isChecked(),
            figures=self.figures.isChecked(),
            repeat_signs=self.repeat_signs.isChecked(),
        )

    @Slot()
    def _update_staves(self) -> None:
        has_score = self.content.currentData() != "roll"
        for field in (self.staves, *self._boxes):
            enable(field, "" if has_score else _NO_SCORE)

    def _close(self, then: Callable[[PrintChoice], object]) -> None:
        choice = self.choice
        self.accept()
        then(choice)

    def _lay_out(self) -> None:
        self.note.setObjectName("quiet")
        form = layout.form_grid()
        for title, field in ((tr("&Content"), self.content), (tr("&Staves"), self.staves)):
            layout.add_row(form, title, field)
        for box in self._boxes:
            form.addWidget(box, form.rowCount(), 1)
        layout.column(
            form, 4, self.note, None, self.buttons, owner=self, spacing=8, margins=(16, 16, 16, 12)
        )
        stylesheet.fix_width(self, 400)


if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrintDialog, QPrinter


def ask_printer(
    window: QWidget, piece: Chorale, on_chosen: Callable[[QPrinter], object]
) -> QPrintDialog:
    from PySide6.QtPrintSupport import QPrintDialog, QPrinter

    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setDocName(piece.title or NAMELESS)
    printer.setCreator("musicrel")
    printer.setPageLayout(sheets.page_layout())
    dialog = QPrintDialog(printer, window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def answer(result: int) -> None:
        if result == QDialog.DialogCode.Accepted:
            on_chosen(printer)

    dialog.finished.connect(answer)
    QDialog.open(dialog)  # that of QPrintDialog needs a slot
    return dialog


def print_piece(piece: Chorale, printer: QPrinter, choice: PrintChoice) -> Job[float, Written]:
    """Print a piece; nothing is printed if the job is cancelled."""
    yield 0.0
    with prefixed(_NOT_PRINTED), Paper(printer, printer.abort) as paper:
        pages = (printer.fromPage(), printer.toPage())
        number = yield from sheets.paint(piece, paper, choice, pages)
    where = Path(printer.outputFileName()).name or printer.printerName()
    return Written(sentence=PRINTED.format(pages=count(number, "page"), printer=where))


def save_pdf(piece: Chorale, path: Path, choice: PrintChoice) -> Job[float, Written]:
    yield 0.0
    with prefixed(_NOT_SAVED):
        number = yield from sheets.write_pdf(piece, path, choice)
    sentence = SAVED.format(pages=count(number, "page"), name=path.name, folder=path.parent)
    return Written(sentence=sentence, folder=path.parent)


def doing(piece: Chorale) -> str:
    return PRINTING.format(title=piece.title or NAMELESS)
