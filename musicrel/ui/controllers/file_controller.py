"""Controller of files: open, save, drop, drag.

A worker thread reads and writes the files, one at a time, so that long ones do not block the
window.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale, Flags
from musicrel.errors import MusicrelError
from musicrel.jobs import Job
from musicrel.presentation.compose.form_from_provenance import form_from_provenance
from musicrel.presentation.roll import lock_cells
from musicrel.score.audio.mixer import Mix
from musicrel.score.performance import Style
from musicrel.ui.actions import commands
from musicrel.ui.controllers.compose_controller import NOT_DONE, ComposeController
from musicrel.ui.files import file_dialogs
from musicrel.ui.files.file_drop import FileDrop
from musicrel.ui.files.file_jobs import (
    FileEvent,
    FileProgress,
    OpenedPiece,
    SavedPiece,
    read,
    write,
)
from musicrel.ui.files.midi_drag import DragFolder
from musicrel.ui.jobs.worker import Worker, end_jobs
from musicrel.ui.shell.main_window import MainWindow

STILL_BUSY: Final = "{doing} is not finished yet: try again in a moment"
NOTHING_TO_DRAG: Final = "There is nothing to drag yet: generate or open a piece"
NOT_NOW: Final = "A piece is being generated: wait until it is finished, or stop it first"

Sounding = Callable[[], tuple[Mix, Style]]
"""Returns the current mix and style of playback."""
Locks = Callable[[], Flags | None]
"""Returns the locked cells of the current piece, bool (T, 4); None if there is no piece."""


class FileController(QObject):
    """The controller of files.

    Args:
        window: the main window.
        compose: the controller of the current piece.
        sounding: called when a piece is saved as audio.
        locks: called when a piece is saved: files store its locks.

    Signals:
        saved (SavedPiece): a piece was saved.
    """

    saved = Signal(object)

    def __init__(
        self,
        window: MainWindow,
        compose: ComposeController,
        sounding: Sounding,
        locks: Locks = lambda: None,
    ) -> None:
        super().__init__(compose)
        self._locks = locks
        self._window, self._compose, self._sounding = window, compose, sounding
        self._worker = Worker(self)
        self._doing = ""
        self._folder = DragFolder()
        self._drops = FileDrop(window)
        self._connect()
        self.update_enabled()

    @property
    def busy(self) -> bool:
        """Return True while a file is being read or written."""
        return self._worker.busy

    # ------------------------------------------------------------------ user actions

    @Slot()
    def ask_to_open(self) -> None:
        """Open the dialog for a file to read."""
        file_dialogs.ask_open_path(
            self._window,
            folder=self._compose.preferences.settings.save_folder,
            answer=self.open,
        )

    @Slot(object)
    def open(self, path: Path) -> None:
        """Read the file ``path`` and make its piece the current one."""
        if self._compose.busy:
            self._compose.report(NOT_NOW)
        else:
            self._start(read(path), f"Opening {path.name}")

    @Slot()
    def ask_to_save(self) -> None:
        """Open the dialog for file name and format."""
        piece = self._compose.piece
        if piece is not None:
            file_dialogs.ask_save_path(
                self._window,
                title=piece.title,
                folder=self._compose.preferences.settings.save_folder,
                suffix=self._compose.preferences.settings.save_suffix,
                answer=lambda path: self.save_as(piece, path),
            )

    def save_as(self, piece: Chorale, path: Path) -> None:
        """Save ``piece`` to ``path``; errors are shown in the banner."""
        mix, style = self._sounding()
        layout = self._window.commands.layout
        locks = self._locks() if piece is self._compose.piece else None
        job = write(piece, path, mix, style, layout, locks=locks)
        self._start(job, f"Saving {path.name}")

    @Slot()
    def drag(self) -> None:
        """Start dragging the piece to another program, as a new MIDI file."""
        path = self._fresh()
        if path is not None:
            self._window.compose_page.handle.drag(path)

    @Slot()
    def copy(self) -> None:
        """Copy the piece to the clipboard as a new MIDI file."""
        path = self._fresh()
        if path is not None:
            self._window.compose_page.handle.copy(path)
            self._window.set_state(f"Copied {path.name}: paste it into a folder or a program")

    @Slot()
    def shut_down(self) -> tuple[Worker, ...]:
        """Request the jobs to end; return the workers to wait for before ``tidy_up``."""
        return end_jobs(self._worker)

    def tidy_up(self) -> None:
        """Remove the temporary files for other programs."""
        self._window.compose_page.handle.clear_copied()
        self._folder.remove()

    # ------------------------------------------------------------------ events

    @Slot(object)
    def _on_file_events(self, events: tuple[FileEvent, ...]) -> None:
        last = events[-1]
        if isinstance(last, FileProgress):
            self._window.job.show_share(last.share, self._doing)

    @Slot(object)
    def _on_job_finished(self, result: OpenedPiece | SavedPiece) -> None:
        self._window.job.hide()
        self._remember(result.path)
        if isinstance(result, OpenedPiece):
            self._show_opened(result)
        else:
            self._compose.mark_saved(result.piece)
            self._window.set_state(f"Saved {result.path.name} in {result.path.parent}")
            self._window.compose_page.banner.dismiss()
            self.saved.emit(result)

    def _show_opened(self, result: OpenedPiece) -> None:
        if self._compose.busy:  # a generation was started meanwhile
            self._compose.report(NOT_NOW)
            return
        restored = form_from_provenance(result.piece.provenance)
        self._window.compose_page.banner.dismiss()
        self._compose.show_piece(
            result.piece, restored.form, f"Opened {result.path.name}", saved=True
        )
        if result.report:
            self._compose.report(
                f"the piece of {result.path.name} was changed: {'; '.join(result.report)}"
            )
        elif restored.left_out:
            self._compose.report(
                f"the form cannot show all settings of this piece; missing are "
                f"{', '.join(restored.left_out)}, so its seed gives other notes"
            )

    @Slot(str)
    def _on_job_failed(self, sentence: str) -> None:
        self._window.job.hide()
        self._window.set_state(f"{self._doing} failed")
        self._compose.report(sentence)

    @Slot()
    def _on_job_cancelled(self) -> None:
        self._window.job.hide()
        self._window.set_state(f"{self._doing} was cancelled")

    # ------------------------------------------------------------------ internals

    def _start(self, job: Job[FileEvent, OpenedPiece | SavedPiece], doing: str) -> None:
        if self._worker.busy:
            job.close()
            self._compose.report(STILL_BUSY.format(doing=self._doing))
            return
        self._doing = doing
        self._window.set_state(f"{doing} …")
        self._worker.start(job)

    def _fresh(self) -> Path | None:
        """Write the piece to a new MIDI file; None if there is no piece or an error occurred."""
        piece = self._compose.piece
        if piece is None:
            return None
        try:
            return self._folder.write_new(lock_cells.with_locks_in_provenance(piece, self._locks()))
        except MusicrelError as reason:
            self._compose.report(f"the piece cannot be dragged: {reason}")
            return None

    def _remember(self, path: Path) -> None:
        changes = {"save_folder": str(path.parent)}
        if path.suffix.lower() in file_dialogs.writable_suffixes():
            changes["save_suffix"] = path.suffix.lower()
        self._compose.preferences.remember(**changes)

    @Slot()
    def update_enabled(self) -> None:
        """Enable the commands that are possible now; tooltips give the reasons of the others."""
        disabled_reason = NOT_NOW if self._compose.busy else ""
        commands.set_enabled(self._window.commands.open, disabled_reason)
        unready = NOT_DONE if self._compose.busy else ""
        unready = unready or self._compose.preview_disabled_reason
        unready = unready or ("" if self._compose.piece is not None else NOTHING_TO_DRAG)
        self._window.compose_page.handle.set_disabled_reason(unready)

    def _connect(self) -> None:
        page, act = self._window.compose_page, self._window.commands
        for signal, slot in (
            (act.open.triggered, self.ask_to_open),
            (act.save.triggered, self.ask_to_save),
            (page.save.clicked, self.ask_to_save),
            (page.handle.drag_started, self.drag),
            (page.handle.clicked, self.copy),
            (self._drops.dropped, self.open),
            (self._compose.generation_started, self.update_enabled),
            (self._compose.piece_changed, self.update_enabled),
            (self._worker.events_received, self._on_file_events),
            (self._worker.finished, self._on_job_finished),
            (self._worker.failed, self._on_job_failed),
            (self._worker.cancelled, self._on_job_cancelled),
            (self._window.job.cancelled, self._worker.stop),
        ):
            signal.connect(slot)
