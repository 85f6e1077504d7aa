"""Controller of pieces in other formats: read, export, print, drag.

A worker thread reads and writes the files, one at a time, so that long ones do not block the
window.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale
from musicrel.errors import MusicrelError
from musicrel.figures.sheets import PrintChoice
from musicrel.jobs import Job
from musicrel.presentation.files.take_files import NamedPiece
from musicrel.presentation.roll import lock_cells
from musicrel.project.take_table import TakeRow
from musicrel.ui.actions import commands
from musicrel.ui.files import dialogs
from musicrel.ui.files.exports import PracticeExport, Printing, TakesExport
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
from musicrel.ui.jobs.worker import LatestJob
from musicrel.ui.shell.main_window import Services

OPENING: Final = "Opening {name}"
EXPORTING: Final = "Exporting {name}"
EXPORTED: Final = "Exported {name} to {folder}"
COPIED: Final = "Copied {name}: paste it into a folder or a program"
RUNNING: Final = "{doing} …"
FAILED: Final = "{doing} failed"
CANCELLED: Final = "{doing} was cancelled"
UNDRAGGABLE: Final = "the piece cannot be dragged: {reason}"
EXPORT_TIP: Final = "Export as MIDI, score, audio or image (Ctrl+Shift+X)"
STILL_BUSY: Final = "{doing} is not finished yet: try again in a moment"
NOTHING_TO_DRAG: Final = "There is nothing to drag yet: generate or open a piece"

HELD, WRITTEN = "held", "written"  # settings of fermatas in MIDI files


class FileController(QObject):
    piece_read = Signal(object)

    def __init__(self, services: Services) -> None:
        window, preferences = services.window, services.preferences
        super().__init__(services.document)
        self._document, self._messages = services.document, services.messages
        self._preferences, self._player = preferences, services.player
        self._page, self._job_strip, self._actions = (
            window.compose_page,
            window.job,
            window.commands,
        )
        page, actions, file = self._page, self._actions, self._actions.file
        self._export, self._export_practice, self._print = file.export, file.practice, file.print
        self._held = actions.play.fermatas_in_midi
        self.worker = LatestJob(self)
        self._doing = ""
        self._folder = DragFolder()
        self._printing = Printing(window, self.start, lambda: preferences.export_place[0])
        self._practice = PracticeExport(window, self.start, lambda: preferences.export_place[0])
        self._takes_export = TakesExport(
            window,
            self.start,
            lambda: preferences.export_place,
            lambda: partial(write_file, settings=self._export_settings),
        )
        held = actions.play.fermatas_in_midi
        held.setChecked(preferences.settings.midi_fermatas == HELD)
        held.toggled.connect(lambda on: preferences.remember(midi_fermatas=HELD if on else WRITTEN))
        self._connect()
        self._update_handle()
        commands.follow(page.export, self._export, EXPORT_TIP)

    # ------------------------------------------------------------------ user actions

    def read(self, path: Path) -> None:
        self.start(read(path), OPENING.format(name=path.name))

    @Slot()
    def ask_to_export(self) -> None:
        piece = self._document.piece
        if piece is not None:
            folder, suffix = self._preferences.export_place
            dialogs.ask_export_path(
                self._page.window(),
                title=piece.title,
                folder=folder,
                suffix=suffix,
                answer=lambda path: self.export(piece, path),
            )

    def export(self, piece: Chorale, path: Path) -> None:
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
            self._practice.ask(self._document.piece, self._player.mix, self._player.style)

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
        return ExportSettings(
            mix=self._player.mix,
            style=self._player.style,
            layout=self._actions.layout,
            numerals=self._actions.numerals.isChecked(),
            held=self._held.isChecked(),
        )

    def start(self, job: Job[FileEvent, FileResult], doing: str) -> None:
        """Start a job that reads or writes files; only one runs at a time."""
        if self.worker.busy:
            job.close()
            self._messages.report(STILL_BUSY.format(doing=self._doing))
            return
        self._doing = doing
        self._messages.show_state(RUNNING.format(doing=doing))
        self.worker.start(job)

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
        if path.suffix.lower() in dialogs.writable_suffixes():
            changes["save_suffix"] = path.suffix.lower()
        self._preferences.remember(**changes)

    @Slot()
    def _update_handle(self) -> None:
        nothing = NOTHING_TO_DRAG if self._document.piece is None else ""
        self._page.handle.set_disabled_reason(self._document.unready_reason or nothing)

    def _connect(self) -> None:
        page, document = self._page, self._document
        for signal, slot in (
            (self._export.triggered, self.ask_to_export),
            (self._export_practice.triggered, self.ask_to_export_practice),
            (self._print.triggered, self.ask_to_print),
            (page.handle.drag_started, self.drag),
            (page.handle.clicked, self.copy),
            (document.generation_started, self._update_handle),
            (document.piece_changed, self._update_handle),
            (document.shown_changed, self._update_handle),
            (self.worker.events_received, self._on_file_events),
            (self.worker.finished, self._on_job_finished),
            (self.worker.failed, self._on_job_failed),
            (self.worker.stopped, self._on_job_cancelled),
            (self._job_strip.cancelled, self.worker.stop),
        ):
            signal.connect(slot)
