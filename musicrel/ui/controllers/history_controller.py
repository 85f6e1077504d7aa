"""Controller of the undo history and of crash recovery."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale, Flags
from musicrel.presentation.compose.form_from_provenance import form_from_provenance
from musicrel.presentation.compose.history import Entry, History
from musicrel.presentation.roll import lock_cells
from musicrel.ui.actions import commands
from musicrel.ui.controllers.compose_controller import NOT_DONE, UNTITLED, ComposeController
from musicrel.ui.controllers.file_controller import NOT_NOW
from musicrel.ui.files import recovery
from musicrel.ui.files.file_jobs import SavedPiece
from musicrel.ui.files.recovery import RecoveredPiece, Recovery
from musicrel.ui.jobs.worker import Worker
from musicrel.ui.shell.main_window import MainWindow

NOTHING_BEFORE: Final = "There is nothing to undo"
NOTHING_AFTER: Final = "There is nothing to redo"
LOCKS_BACK: Final = "Locks restored"
FOUND: Final = "musicrel ended unexpectedly; the unsaved piece “{title}” can be recovered."
OPEN_IT: Final = "Recover"


class HistoryController(QObject):
    """The controller of undo, redo and recovery.

    Args:
        window: the main window.
        compose: the controller of the current piece.

    Attributes:
        pieces: the pieces of this session.
        recovery: the copy of the current piece on disk, for recovery after a crash.

    Signals:
        locks_restored: undo or redo changed the locks of the current piece.
    """

    locks_restored = Signal()

    def __init__(self, window: MainWindow, compose: ComposeController) -> None:
        super().__init__(compose)
        self._window, self._compose = window, compose
        self.pieces = History()
        self.recovery = Recovery(self)
        self._found: RecoveredPiece | None = None
        act, banner = window.commands, window.compose_page.banner
        for signal, slot in (
            (act.undo.triggered, self.undo),
            (act.redo.triggered, self.redo),
            (banner.accepted, self._open_found),
            (banner.declined, self._discard_found),
            (compose.generation_started, self._update_enabled),
            (compose.piece_changed, self._on_piece_changed),
        ):
            signal.connect(slot)
        self._update_enabled()

    @Slot()
    def offer_recovery(self) -> None:
        """Offer the piece that a crash has left, if there is one."""
        self._found = recovery.find()
        self._offer()

    @Slot()
    def undo(self) -> None:
        """Restore the piece or locks before the current ones; without a piece, the last piece."""
        self._show(self._earlier())

    @Slot()
    def redo(self) -> None:
        """Restore the piece or locks after the current ones."""
        self._show(self.pieces.after)

    @Slot()
    def restore_last(self) -> None:
        """Show the last piece again if there is none; the form stays unchanged."""
        last = self.pieces.current
        if last is not None and self._compose.piece is None:
            title = last.piece.title or UNTITLED
            self._compose.show_piece(last.piece, None, f"Restored {title}", saved=last.saved)

    @Slot(object)
    def mark_saved(self, written: SavedPiece) -> None:
        """Mark a piece as saved."""
        self.pieces.mark_saved(written.piece)

    def shut_down(self) -> tuple[Worker, ...]:
        """Request the jobs to end; return the workers to wait for before ``tidy_up``."""
        return self.recovery.shut_down()

    def tidy_up(self) -> None:
        """Remove the recovery file."""
        self.recovery.tidy_up()

    @Slot(object)
    def _on_piece_changed(self, piece: Chorale | None) -> None:
        current = self.pieces.current
        if piece is not None and (current is None or current.piece is not piece):
            form = self._compose.form
            saved = not self._window.isWindowModified()
            self.pieces.add(Entry(piece=piece, form=form, saved=saved))
        if piece is not None:
            self.recovery.save(piece)
        self._update_enabled()

    def lock(self, cells: Flags) -> None:
        """Add the current piece with other locks, bool (T, 4), to the history."""
        current = self.pieces.current
        if current is not None:
            self.pieces.add(replace(current, locked=cells))
            self.recovery.save(lock_cells.with_locks_in_provenance(current.piece, cells))
            self._update_enabled()

    def _show(self, entry: Entry | None) -> None:
        if entry is not None and not self._compose.busy:
            self.pieces.go(entry)
            title = entry.piece.title or UNTITLED
            if entry.piece is self._compose.piece:
                self._window.set_state(LOCKS_BACK)
                self._update_enabled()
                self.locks_restored.emit()
                return
            form = entry.form or form_from_provenance(entry.piece.provenance).form
            self._compose.show_piece(
                entry.piece, form, f"Restored {title}", saved=entry.saved, again=True
            )

    def _earlier(self) -> Entry | None:
        return self.pieces.before if self._compose.piece is not None else self.pieces.current

    def _offer(self) -> None:
        if self._found is not None:
            title = self._found.piece.title or UNTITLED
            self._window.compose_page.banner.show_message(FOUND.format(title=title), OPEN_IT)

    @Slot()
    def _open_found(self) -> None:
        if self._compose.busy:
            self._window.set_state(NOT_NOW)
            self._offer()
            return
        found, self._found = self._found, None
        if found is not None:
            form = form_from_provenance(found.piece.provenance).form
            title = found.piece.title or UNTITLED
            self._compose.show_piece(found.piece, form, f"Recovered {title}", saved=False)
            recovery.archive(found.path)

    @Slot()
    def _discard_found(self) -> None:
        found, self._found = self._found, None
        if found is not None:
            recovery.archive(found.path)

    @Slot()
    def _update_enabled(self) -> None:
        act = self._window.commands
        for action, entry, nothing, verb in (
            (act.undo, self._earlier(), NOTHING_BEFORE, "&Undo"),
            (act.redo, self.pieces.after, NOTHING_AFTER, "&Redo"),
        ):
            reason = NOT_DONE if self._compose.busy else "" if entry is not None else nothing
            title = entry.piece.title or UNTITLED if entry is not None else ""
            locks = entry is not None and entry.piece is self._compose.piece
            what = "locks" if locks else f"restore {title.replace('&', '&&')}"
            action.setText(f"{verb}: {what}" if title else verb)
            commands.set_enabled(action, reason)
