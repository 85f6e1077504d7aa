"""Pieces from files and into files: open, save, drop, drag.

Files are read and written in a worker's thread, so that a long one never holds up the window, and
one at a time. This file knows files and the window; what stands in the files stands in
``musicrel.score`` and ``musicrel.presentation``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale, Flags
from musicrel.errors import MusicrelError
from musicrel.jobs import Job
from musicrel.presentation.compose.form_from_provenance import recall
from musicrel.presentation.roll import lock_cells
from musicrel.score.audio.mixer import Mix
from musicrel.score.performance import Style
from musicrel.ui.actions import commands
from musicrel.ui.controllers.compose_controller import NOT_DONE, Studio
from musicrel.ui.files import file_dialogs
from musicrel.ui.files.file_drop import Drops
from musicrel.ui.files.file_jobs import FilingEvent, Progressed, Read, Written, read, write
from musicrel.ui.files.midi_drag import DragFolder
from musicrel.ui.jobs.worker import Worker
from musicrel.ui.shell.main_window import MainWindow

STILL_BUSY: Final = "{doing} is not done yet: try again in a moment"
NOTHING_TO_DRAG: Final = "There is nothing to drag yet: generate or open a piece"
NOT_NOW: Final = "A piece is being written: open the file when it is done, or stop the writing"


Sounding = Callable[[], tuple[Mix, Style]]
"""How a piece sounds now: mixer, tempo and fermatas."""
Locks = Callable[[], Flags | None]
"""Which cells of the piece on the sheet are locked now."""


class Filing(QObject):
    """Wires files to the window.

    Args:
        window: with commands and a handle to drag the piece out by.
        studio: has the piece that is saved and takes the one that is opened.
        sounding: asked when a piece is saved as sound.
        locks: asked when a piece is saved: its file tells what is locked.

    Signals:
        saved: a ``Written``.
    """

    saved = Signal(object)

    def __init__(
        self, window: MainWindow, studio: Studio, sounding: Sounding, locks: Locks = lambda: None
    ) -> None:
        super().__init__(studio)
        self._locks = locks
        self._window, self._studio, self._sounding = window, studio, sounding
        self._worker = Worker(self)
        self._doing = ""
        self._folder = DragFolder()
        self._drops = Drops(window)
        self._connect()
        self.allow()

    @property
    def busy(self) -> bool:
        """Whether a file is being read or written."""
        return self._worker.busy

    # ------------------------------------------------------------------ what the user did

    @Slot()
    def ask_to_open(self) -> None:
        """Let the user choose a file to open."""
        file_dialogs.ask_for_one(
            self._window,
            folder=self._studio.preferences.settings.save_folder,
            answer=self.open,
        )

    @Slot(object)
    def open(self, path: Path) -> None:
        """Read ``path`` and put the piece on the sheet."""
        if self._studio.busy:
            self._studio.report(NOT_NOW)
        else:
            self._start(read(path), f"Opening {path.name}")

    @Slot()
    def ask_to_save(self) -> None:
        """Let the user choose where to save, and as what."""
        piece = self._studio.piece
        if piece is not None:
            file_dialogs.ask(
                self._window,
                title=piece.title,
                folder=self._studio.preferences.settings.save_folder,
                suffix=self._studio.preferences.settings.save_suffix,
                answer=lambda path: self.save_as(piece, path),
            )

    def save_as(self, piece: Chorale, path: Path) -> None:
        """Save ``piece``; a failure is told, and nothing is lost."""
        mix, style = self._sounding()
        layout = self._window.commands.layout
        locks = self._locks() if piece is self._studio.piece else None
        job = write(piece, path, mix, style, layout, locks=locks)
        self._start(job, f"Saving {path.name}")

    @Slot()
    def drag(self) -> None:
        """Let the piece be dropped into another program, as a fresh MIDI file."""
        path = self._fresh()
        if path is not None:
            self._window.page.handle.drag(path)

    @Slot()
    def copy(self) -> None:
        """Put a fresh MIDI file on the clipboard: dragging without a mouse."""
        path = self._fresh()
        if path is not None:
            self._window.page.handle.copy(path)
            self._window.set_state(f"Copied {path.name}: paste it into a folder or a program")

    @Slot()
    def shut_down(self) -> bool:
        """End what runs and tidy up; whether it has ended."""
        ended = self._worker.shut_down()
        self._window.page.handle.forget_copy()
        self._folder.remove()
        return ended

    # ------------------------------------------------------------------ what came of it

    @Slot(object)
    def _happened(self, events: tuple[FilingEvent, ...]) -> None:
        last = events[-1]
        if isinstance(last, Progressed):
            self._window.job.show_share(last.share, self._doing)

    @Slot(object)
    def _finished(self, result: Read | Written) -> None:
        self._window.job.hide()
        self._remember(result.path)
        if isinstance(result, Read):
            self._opened(result)
        else:
            self._studio.mark_saved(result.piece)
            self._window.set_state(f"Saved {result.path.name} in {result.path.parent}")
            self._window.page.banner.dismiss()
            self.saved.emit(result)

    def _opened(self, result: Read) -> None:
        if self._studio.busy:  # a piece was begun meanwhile: that one is on the sheet
            self._studio.report(NOT_NOW)
            return
        recalled = recall(result.piece.provenance)
        self._window.page.banner.dismiss()
        self._studio.show_piece(
            result.piece, recalled.form, f"Opened {result.path.name}", saved=True
        )
        if result.report:
            self._studio.report(
                f"the file {result.path.name} was read, but {'; '.join(result.report)}"
            )
        elif recalled.left_out:
            self._studio.report(
                f"the form cannot say all that this piece was written with, it lacks "
                f"{', '.join(recalled.left_out)}: its seed will give other notes"
            )

    @Slot(str)
    def _failed(self, sentence: str) -> None:
        self._window.job.hide()
        self._window.set_state(f"{self._doing} failed")
        self._studio.report(sentence)

    @Slot()
    def _cancelled(self) -> None:
        self._window.job.hide()
        self._window.set_state(f"{self._doing} was cancelled: no file was changed")

    # ------------------------------------------------------------------ inside

    def _start(self, job: Job[FilingEvent, Read | Written], doing: str) -> None:
        if self._worker.busy:
            job.close()
            self._studio.report(STILL_BUSY.format(doing=self._doing))
            return
        self._doing = doing
        self._window.set_state(f"{doing} …")
        self._worker.start(job)

    def _fresh(self) -> Path | None:
        """The piece as a new file of its own, None where there is none or it cannot be written."""
        piece = self._studio.piece
        if piece is None:
            return None
        try:
            return self._folder.fresh(lock_cells.signed(piece, self._locks()))
        except MusicrelError as reason:
            self._studio.report(f"the piece cannot be dragged: {reason}")
            return None

    def _remember(self, path: Path) -> None:
        kept = {"save_folder": str(path.parent)}
        if path.suffix.lower() in file_dialogs.suffixes():
            kept["save_suffix"] = path.suffix.lower()
        self._studio.preferences.remember(**kept)

    @Slot()
    def allow(self) -> None:
        """Let the user do what can be done now, and say why not the rest."""
        obstacle = NOT_NOW if self._studio.busy else ""
        commands.allow(self._window.commands.open, obstacle)
        unready = NOT_DONE if self._studio.busy else ""
        unready = unready or self._studio.guest
        unready = unready or ("" if self._studio.piece is not None else NOTHING_TO_DRAG)
        self._window.page.handle.set_obstacle(unready)

    def _connect(self) -> None:
        page, act = self._window.page, self._window.commands
        for signal, slot in (
            (act.open.triggered, self.ask_to_open),
            (act.save.triggered, self.ask_to_save),
            (page.save.clicked, self.ask_to_save),
            (page.handle.pulled, self.drag),
            (page.handle.clicked, self.copy),
            (self._drops.dropped, self.open),
            (self._studio.began, self.allow),
            (self._studio.offered, self.allow),
            (self._worker.happened, self._happened),
            (self._worker.finished, self._finished),
            (self._worker.failed, self._failed),
            (self._worker.cancelled, self._cancelled),
            (self._window.job.cancelled, self._worker.stop),
        ):
            signal.connect(slot)
