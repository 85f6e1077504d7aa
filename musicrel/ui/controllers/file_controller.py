"""Controller of pieces in other formats: read, export, print, drag.

A worker thread reads and writes the files, one at a time, so that long ones do not block the
window.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.errors import MusicrelError
from musicrel.jobs import Job
from musicrel.presentation.files.take_files import NamedPiece, WriteFile
from musicrel.presentation.roll import lock_cells
from musicrel.project.take_table import TakeRow
from musicrel.score.audio.mixer import Mix
from musicrel.score.performance import Style
from musicrel.ui.actions import commands
from musicrel.ui.actions.commands import Commands
from musicrel.ui.compose.compose_page import ComposePage
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.files import file_dialogs
from musicrel.ui.files.file_jobs import (
    ExportedPiece,
    ExportSettings,
    FileEvent,
    FileProgress,
    FileResult,
    OpenedPiece,
    Written,
    read,
    write,
    write_file,
)
from musicrel.ui.files.midi_drag import DragFolder
from musicrel.ui.files.practice_export import PracticeExport
from musicrel.ui.files.print_dialog import PrintChoice
from musicrel.ui.files.printing import Printing
from musicrel.ui.files.takes_export import TakesExport
from musicrel.ui.jobs.worker import Worker, end_jobs
from musicrel.ui.widgets.job_strip import JobStrip

OPENING: Final = "Opening {name}"
EXPORTING: Final = "Exporting {name}"
EXPORTED: Final = "Exported {name} to {folder}"
COPIED: Final = "Copied {name}: paste it into a folder or a program"
RUNNING: Final = "{doing} …"
FAILED: Final = "{doing} failed"
CANCELLED: Final = "{doing} was cancelled"
UNDRAGGABLE: Final = "the piece cannot be dragged: {reason}"
STILL_BUSY: Final = "{doing} is not finished yet: try again in a moment"
NOTHING_TO_EXPORT: Final = "There is nothing to export yet: generate or open a piece"
NOTHING_TO_PRINT: Final = "There is nothing to print yet: generate or open a piece"
NOTHING_TO_DRAG: Final = "There is nothing to drag yet: generate or open a piece"

HELD, WRITTEN = "held", "written"
"""Settings of fermatas in MIDI files."""

Sounding = Callable[[], tuple[Mix, Style]]
"""Returns the current mix and style of playback."""


class FileController(QObject):
    piece_read = Signal(object)

    def __init__(
        self,
        document: Document,
        messages: Messages,
        preferences: Preferences,
        *,
        page: ComposePage,
        job_strip: JobStrip,
        actions: Commands,
        sounding: Sounding,
    ) -> None:
        super().__init__(document)
        self._document, self._messages, self._preferences = document, messages, preferences
        self._page, self._job_strip, self._actions = page, job_strip, actions
        self._sounding = sounding
        file = actions.file
        self._export, self._export_practice, self._print = file.export, file.practice, file.print
        self._held = actions.play.fermatas_in_midi
        self._worker = Worker(self)
        self._doing = ""
        self._folder = DragFolder()
        window = page.window()
        self._printing = Printing(window, self.start, lambda: preferences.export_place[0])
        self._practice = PracticeExport(window, self.start, lambda: preferences.export_place[0])
        self._takes_export = TakesExport(
            window, self.start, lambda: preferences.export_place, self._file_writer
        )
        held = actions.play.fermatas_in_midi
        held.setChecked(preferences.settings.midi_fermatas == HELD)
        held.toggled.connect(lambda on: preferences.remember(midi_fermatas=HELD if on else WRITTEN))
        self._connect()
        self._update_enabled()

    @property
    def busy(self) -> bool:
        """Return True while a file is being read or written."""
        return self._worker.busy

    # ------------------------------------------------------------------ user actions

    def read(self, path: Path) -> None:
        self.start(read(path), OPENING.format(name=path.name))

    @Slot()
    def ask_to_export(self) -> None:
        piece = self._document.piece
        if piece is not None:
            folder, suffix = self._preferences.export_place
            file_dialogs.ask_export_path(
                self._page.window(),
                title=piece.title,
                folder=folder,
                suffix=suffix,
                answer=lambda path: self.export(piece, path),
            )

    def export(self, piece: Chorale, path: Path) -> None:
        """Write ``piece`` to ``path``; errors are shown in the banner."""
        locks = self._document.locks if piece is self._document.piece else None
        job = write(piece, path, self._export_settings, locks=locks)
        self.start(job, EXPORTING.format(name=path.name))

    @Slot()
    def ask_to_print(self) -> None:
        piece, settings = self._document.piece, self._export_settings
        if piece is not None:
            self._printing.ask(
                piece, PrintChoice(layout=settings.layout, numerals=settings.numerals)
            )

    @Slot()
    def ask_to_export_practice(self) -> None:
        if self._document.piece is not None:
            self._practice.ask(self._document.piece, *self._sounding())

    @Slot(object)
    def ask_to_export_takes(self, takes: Sequence[TakeRow]) -> None:
        ordered = sorted(takes, key=attrgetter("number"))
        self._takes_export.ask([NamedPiece(take.name, take.piece) for take in ordered])

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

    @Slot()
    def shut_down(self) -> tuple[Worker, ...]:
        """Request the jobs to end; return the workers to wait for before ``tidy_up``."""
        return end_jobs(self._worker)

    def tidy_up(self) -> None:
        """Remove the temporary files for other programs."""
        self._page.handle.clear_copied()
        self._folder.remove()

    # ------------------------------------------------------------------ events

    @Slot(object)
    def _on_file_events(self, events: tuple[FileEvent, ...]) -> None:
        last = events[-1]
        if isinstance(last, FileProgress):
            self._job_strip.show_share(last.share, self._doing)

    @Slot(object)
    def _on_job_finished(self, result: FileResult) -> None:
        self._job_strip.hide()
        self._messages.dismiss()
        match result:
            case OpenedPiece():
                self._remember(result.path)
                self.piece_read.emit(result)
            case ExportedPiece(path=path):
                self._remember(path)
                self._messages.show_state(EXPORTED.format(name=path.name, folder=path.parent))
            case Written():
                if result.folder is not None:
                    self._preferences.remember(save_folder=str(result.folder))
                self._messages.show_state(result.sentence)

    @Slot(str)
    def _on_job_failed(self, sentence: str) -> None:
        self._job_strip.hide()
        self._messages.show_state(FAILED.format(doing=self._doing))
        self._messages.report(sentence)

    @Slot()
    def _on_job_cancelled(self) -> None:
        self._job_strip.hide()
        self._messages.show_state(CANCELLED.format(doing=self._doing))

    # ------------------------------------------------------------------ internals

    @property
    def _export_settings(self) -> ExportSettings:
        """Return how the piece sounds and looks in the app."""
        mix, style = self._sounding()
        return ExportSettings(
            mix=mix,
            style=style,
            layout=self._actions.layout,
            numerals=self._actions.numerals.isChecked(),
            held=self._held.isChecked(),
        )

    def _file_writer(self) -> WriteFile:
        return partial(write_file, settings=self._export_settings)

    def start(self, job: Job[FileEvent, FileResult], doing: str) -> None:
        """Start a job that reads or writes files; only one runs at a time."""
        if self._worker.busy:
            job.close()
            self._messages.report(STILL_BUSY.format(doing=self._doing))
            return
        self._doing = doing
        self._messages.show_state(RUNNING.format(doing=doing))
        self._worker.start(job)

    def _fresh(self) -> Path | None:
        """Write the piece to a new MIDI file; None if there is no piece or an error occurred."""
        piece = self._document.piece
        if piece is None:
            return None
        try:
            return self._folder.write_new(
                lock_cells.with_locks_in_provenance(piece, self._document.locks),
                self._export_settings,
            )
        except MusicrelError as reason:
            self._messages.report(UNDRAGGABLE.format(reason=reason))
            return None

    def _remember(self, path: Path) -> None:
        changes = {"save_folder": str(path.parent)}
        if path.suffix.lower() in file_dialogs.writable_suffixes():
            changes["save_suffix"] = path.suffix.lower()
        self._preferences.remember(**changes)

    @Slot()
    def _update_enabled(self) -> None:
        """Enable the commands that are possible now; tooltips give the reasons of the others."""
        document = self._document
        nothing = document.piece is None
        reason = document.unready_reason or (NOTHING_TO_EXPORT if nothing else "")
        for action in (self._export, self._export_practice):
            commands.set_enabled(action, reason)
        unprintable = document.unready_reason or (NOTHING_TO_PRINT if nothing else "")
        commands.set_enabled(self._print, unprintable)
        self._page.set_export_disabled_reason(reason)
        undraggable = document.unready_reason or (NOTHING_TO_DRAG if nothing else "")
        self._page.handle.set_disabled_reason(undraggable)

    def _connect(self) -> None:
        page, document = self._page, self._document
        for signal, slot in (
            (self._export.triggered, self.ask_to_export),
            (self._export_practice.triggered, self.ask_to_export_practice),
            (self._print.triggered, self.ask_to_print),
            (page.export.clicked, self.ask_to_export),
            (page.handle.drag_started, self.drag),
            (page.handle.clicked, self.copy),
            (document.generation_started, self._update_enabled),
            (document.piece_changed, self._update_enabled),
            (document.shown_changed, self._update_enabled),
            (self._worker.events_received, self._on_file_events),
            (self._worker.finished, self._on_job_finished),
            (self._worker.failed, self._on_job_failed),
            (self._worker.cancelled, self._on_job_cancelled),
            (self._job_strip.cancelled, self._worker.stop),
        ):
            signal.connect(slot)
