"""Controller of pieces in other formats: read, export, print, drag.

A worker thread reads and writes the files, one at a time, so that long ones do not block the
window.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtGui import QAction

from musicrel.chorale import Chorale, Voice
from musicrel.errors import MusicrelError
from musicrel.figures import sheets
from musicrel.figures.sheets import Content, PrintChoice
from musicrel.language import tr
from musicrel.presentation import lock_cells
from musicrel.presentation.files.practice_files import PracticeFiles, Sounding
from musicrel.presentation.files.take_files import NamedPiece, TakeFile
from musicrel.project.take_table import TakeRow
from musicrel.score.editing import piece_edits
from musicrel.score.editing.selection import Selection
from musicrel.ui.actions import commands
from musicrel.ui.files import dialogs, exports
from musicrel.ui.files.exports import PracticeDialog, PrintDialog, TakesDialog
from musicrel.ui.files.file_jobs import (
    ExportSettings,
    FileJob,
    FileResult,
    OpenedPiece,
    Written,
    read,
    write,
    write_file,
)
from musicrel.ui.files.midi_drag import DragFolder
from musicrel.ui.jobs.worker import LatestJob
from musicrel.ui.shell.main_window import Services

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter


EXPORT: Final = tr("Export the piece")
UNDRAGGABLE: Final = tr("the piece cannot be dragged: {reason}")
EXPORT_TIP: Final = tr("Export as MIDI, score, audio or image ({key[file.export]})")
NOTHING_TO_DRAG: Final = tr("There is nothing to drag yet: generate or open a piece")

OPENING: Final = tr("Opening {name}")
EXPORTING: Final = tr("Exporting {name}")
COPIED: Final = tr("Copied {name}: paste it into a folder or a program")
FAILED: Final = tr("{doing} failed")
CANCELLED: Final = tr("{doing} was cancelled")
STILL_BUSY: Final = tr("{doing} is not finished yet: try again in a moment")

HELD, WRITTEN = "held", "written"  # settings of fermatas in MIDI files


class FileController(QObject):
    piece_read = Signal(object)

    def __init__(self, services: Services) -> None:
        window, preferences = services.window, services.preferences
        super().__init__(services.document)
        self._document, self._messages = services.document, services.messages
        self._preferences, self._player = preferences, services.player
        self._window, self._page, self._job_strip = window, window.compose_page, window.job
        self._actions = window.commands
        self.worker = LatestJob(self)
        self._doing = ""
        self._dragged = DragFolder()
        # the entries of the last time
        self._practice: PracticeFiles | None = None
        self._take_suffixes: tuple[str, ...] = ()
        self._printed: Content = "score"
        play = self._actions.play
        self._restore(play.fermatas_in_midi, "midi_fermatas", HELD, WRITTEN)
        self._restore(play.markers_in_midi, "midi_markers")
        self._restore(self._actions.repeat_signs, "repeat_signs")
        self._connect()
        self._update_handle()
        tip = EXPORT_TIP
        commands.follow(self._page.export, self._actions.file.export, tip)

    def _restore(self, action: QAction, name: str, on: str = "on", off: str = "off") -> None:
        """Show a stored choice, and remember it from now on."""
        preferences = self._preferences
        action.setChecked(getattr(preferences.settings, name) == on)
        action.toggled.connect(
            lambda checked: preferences.remember(**{name: on if checked else off})
        )

    def read(self, path: Path) -> None:
        self.start(read(path), OPENING.format(name=path.name))

    @Slot()
    def ask_to_export(self) -> None:
        if self._document.piece is not None:
            self.ask_to_export_piece(self._document.piece)

    def ask_to_export_piece(self, piece: Chorale, name: str = "") -> None:
        """Ask for a file; ``name`` is offered for it, "" for the title."""
        dialogs.ask_new_path(
            self._window,
            EXPORT,
            name=name or piece.title,
            suffixes=dialogs.writable_suffixes(),
            folder=self._folder,
            suffix=self._preferences.export_place[1],
            answer=lambda path: self.export(piece, path),
        )

    @Slot()
    def ask_to_export_bars(self) -> None:
        piece, passage = self._document.piece, self._passage
        if piece is not None and passage is not None:
            self.ask_to_export_piece(piece_edits.excerpt(piece, passage))

    @property
    def _passage(self) -> Selection | None:
        """Return the bars that the selection touches, in its voices."""
        picture, selection = self._page.roll.picture, self._document.selection
        if picture is None or selection is None or selection.start >= picture.steps:
            return None  # a longer piece has not been drawn yet
        return replace(picture.whole_bars(selection), voices=selection.voices)

    @property
    def _dragged_bars(self) -> Selection | None:
        """Return the selected bars if one at least is selected whole; a click on a note is not.

        If everything is selected, the piece is dragged as without a selection.
        """
        piece, passage, selection = self._document.piece, self._passage, self._document.selection
        if piece is None or passage is None or selection is None:
            return None
        if passage == Selection(voices=tuple(Voice), start=0, stop=piece.steps):
            return None
        lines = {0, *piece.bar_line_steps(), piece.steps}
        inside = [line for line in lines if selection.start <= line <= selection.stop]
        return passage if len(inside) > 1 else None

    def export(self, piece: Chorale, path: Path) -> None:
        locks = self._document.locks if piece is self._document.piece else None
        job = write(piece, path, self._export_settings, locks=locks)
        self.start(job, EXPORTING.format(name=path.name))

    @Slot()
    def ask_to_print(self) -> None:
        piece = self._document.piece
        if piece is None:
            return
        last = replace(self.score_choice, content=self._printed)
        PrintDialog(
            self._window, last, partial(self._ask_printer, piece), partial(self._ask_pdf, piece)
        ).open()

    @property
    def score_choice(self) -> PrintChoice:
        """Return what is printed of a score: it is as in the window."""
        return PrintChoice(
            layout=self._actions.layout,
            numerals=self._actions.numerals.isChecked(),
            figures=self._actions.figures.isChecked(),
            repeat_signs=self._actions.repeat_signs.isChecked(),
        )

    def _ask_printer(self, piece: Chorale, choice: PrintChoice) -> None:
        self._printed = choice.content

        def start(printer: QPrinter) -> None:
            self.start(exports.print_piece(piece, printer, choice), exports.doing(piece))

        exports.ask_printer(self._window, piece, start)

    def _ask_pdf(self, piece: Chorale, choice: PrintChoice) -> None:
        self._printed = choice.content
        dialogs.ask_new_path(
            self._window,
            exports.SAVE_TITLE,
            name=piece.title,
            suffixes=(sheets.SUFFIX,),
            folder=self._preferences.export_place[0],
            answer=lambda path: self.start(
                exports.save_pdf(piece, path, choice), exports.doing(piece)
            ),
        )

    @Slot()
    def ask_to_export_practice(self) -> None:
        piece, mix, style = self._document.piece, self._player.mix, self._player.style
        if piece is None:
            return

        def start(files: PracticeFiles) -> None:
            self._practice = dialog.entries
            doing = exports.DOING.format(files=exports.practice_count(files))
            self.start(exports.write_practice(piece, files), doing)

        sounding = Sounding(mix=mix, style=style)
        dialog = PracticeDialog(self._window, piece, sounding, start)
        dialog.set_entries(
            replace(self._practice or PracticeFiles.usual(sounding), folder=Path(self._folder))
        )
        dialog.open()

    @Slot(object)
    def ask_to_export_takes(self, takes: Sequence[TakeRow]) -> None:
        ordered = sorted(takes, key=attrgetter("number"))

        def start(files: Sequence[TakeFile]) -> None:
            self._take_suffixes = dialog.suffixes
            doing = exports.DOING.format(files=exports.takes_count(files))
            writing = partial(write_file, settings=self._export_settings)
            self.start(exports.write_takes(files, writing), doing)

        named = [NamedPiece(take.name, take.piece) for take in ordered]
        dialog = TakesDialog(self._window, named, start)
        suffixes = self._take_suffixes or (self._preferences.export_place[1],)
        dialog.set_choice(self._folder, suffixes)
        dialog.open()

    @Slot()
    def drag(self) -> None:
        path = self._fresh()
        if path is not None:
            self._page.handle.drag(path)

    @Slot()
    def copy(self) -> None:
        path = self._fresh()
        if path is not None:
            self._page.handle.copy(path)
            self._messages.show_state(COPIED.format(name=path.name))

    def tidy_up(self) -> None:
        self._page.handle.clear_copied()
        self._dragged.remove()

    @Slot(object)
    def _on_file_events(self, events: tuple[float, ...]) -> None:
        if events[-1]:
            self._job_strip.show_share(events[-1], self._doing)

    @Slot(object)
    def _on_job_finished(self, result: FileResult) -> None:
        self._job_strip.hide()
        self._messages.dismiss()
        match result:
            case OpenedPiece(path=path):
                self._remember(path.parent, path.suffix.lower())
                self.piece_read.emit(result)
            case Written():
                if result.folder is not None:
                    self._remember(result.folder, result.suffix)
                self._messages.show_state(result.sentence)
                self._messages.ended.emit(result.sentence)

    @Slot(str)
    def _on_job_failed(self, sentence: str) -> None:
        self._job_strip.hide()
        self._messages.show_state(FAILED.format(doing=self._doing))
        self._messages.report(sentence)

    @Slot()
    def _on_job_cancelled(self) -> None:
        self._job_strip.hide()
        self._messages.show_state(CANCELLED.format(doing=self._doing))

    @property
    def _folder(self) -> str:
        return self._preferences.export_place[0] or dialogs.music_folder()

    @property
    def _export_settings(self) -> ExportSettings:
        play = self._actions.play
        return ExportSettings(
            mix=self._player.mix,
            style=self._player.style,
            score=self.score_choice,
            held=play.fermatas_in_midi.isChecked(),
            markers=play.markers_in_midi.isChecked(),
        )

    def start(self, job: FileJob, doing: str) -> None:
        """Start a job that reads or writes files; only one runs at a time."""
        if self.worker.busy:
            job.close()
            self._messages.report(STILL_BUSY.format(doing=self._doing))
            return
        self._doing = doing
        self._messages.show_state(f"{doing} …")
        self.worker.start(job)

    def _fresh(self) -> Path | None:
        """Write what is dragged to a new MIDI file; None without a piece, or after an error."""
        piece, passage = self._document.piece, self._dragged_bars
        if piece is None:
            return None
        if passage is not None:
            piece = piece_edits.excerpt(piece, passage)
        else:
            piece = lock_cells.with_locks_in_provenance(piece, self._document.locks)
        try:
            return self._dragged.write_new(piece, self._export_settings)
        except MusicrelError as reason:
            self._messages.report(UNDRAGGABLE.format(reason=reason))
            return None

    def _remember(self, folder: Path, suffix: str) -> None:
        changes = {"save_suffix": suffix} if suffix in dialogs.writable_suffixes() else {}
        self._preferences.remember(save_folder=str(folder), **changes)

    @Slot()
    def _update_handle(self) -> None:
        piece, passage = self._document.piece, self._dragged_bars
        nothing = NOTHING_TO_DRAG if piece is None else ""
        bars = piece_edits.named_bars(piece, passage) if piece and passage else ""
        self._page.set_drag_disabled_reason(self._document.unready_reason or nothing, bars)

    def _connect(self) -> None:
        page, document, file = self._page, self._document, self._actions.file
        for signal, slot in (
            (file.export.triggered, self.ask_to_export),
            (file.export_bars.triggered, self.ask_to_export_bars),
            (file.practice.triggered, self.ask_to_export_practice),
            (file.print.triggered, self.ask_to_print),
            (page.handle.drag_started, self.drag),
            (page.handle.clicked, self.copy),
            (document.screen_changed, self._update_handle),
            (document.selection_changed, self._update_handle),
            (self.worker.events_received, self._on_file_events),
            (self.worker.finished, self._on_job_finished),
            (self.worker.failed, self._on_job_failed),
            (self.worker.stopped, self._on_job_cancelled),
            (self._job_strip.cancelled, self.worker.stop),
        ):
            signal.connect(slot)
