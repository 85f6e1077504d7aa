"""Nothing is lost: every piece of the session can be brought back, the last even after a crash.

This file knows pieces and the window; where they are kept stands in ``recovery``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot

from musicrel.chorale import Chorale, Flags
from musicrel.presentation.compose.form_from_provenance import recall
from musicrel.presentation.compose.history import Entry, History
from musicrel.presentation.roll import lock_cells
from musicrel.ui.actions import commands
from musicrel.ui.controllers.compose_controller import NOT_DONE, UNTITLED, Studio
from musicrel.ui.controllers.file_controller import NOT_NOW
from musicrel.ui.files import recovery
from musicrel.ui.files.file_jobs import Written
from musicrel.ui.files.recovery import Found, Recovery
from musicrel.ui.shell.main_window import MainWindow

NOTHING_BEFORE: Final = "There is no piece before this one"
LOCKS_BACK: Final = "The locks are as they were"
NOTHING_AFTER: Final = "There is no piece after this one"
FOUND: Final = "musicrel ended unexpectedly last time; “{title}” was kept."
OPEN_IT: Final = "Open it"


class Keeping(QObject):
    """Wires the history and the recovery to the window.

    Args:
        window: with a banner, and commands for undo and redo.
        studio: tells which piece is on the sheet and takes those that are brought back.

    Signals:
        went: the same piece is on the sheet, with other locks.
    """

    went = Signal()

    def __init__(self, window: MainWindow, studio: Studio) -> None:
        super().__init__(studio)
        self._window, self._studio = window, studio
        self.history = History()
        self.recovery = Recovery(self)
        self._found: Found | None = None
        act, banner = window.commands, window.page.banner
        for signal, slot in (
            (act.undo.triggered, self.undo),
            (act.redo.triggered, self.redo),
            (banner.accepted, self._open_found),
            (banner.declined, self._forget_found),
            (studio.began, self._allow),
            (studio.offered, self._keep),
        ):
            signal.connect(slot)
        self._allow()

    @Slot()
    def offer_found(self) -> None:
        """Say what a crash has left, if it has."""
        self._found = recovery.find()
        self._offer()

    @Slot()
    def undo(self) -> None:
        """Bring the piece before back, or the last one where the sheet is empty."""
        self._show(self._earlier(), "Back to")

    @Slot()
    def redo(self) -> None:
        """Bring the piece after it back."""
        self._show(self.history.after, "Again")

    @Slot()
    def bring_back(self) -> None:
        """Put the last piece on the sheet again, where that is empty; the form stays as it is."""
        last = self.history.current
        if last is not None and self._studio.piece is None:
            title = last.piece.title or UNTITLED
            self._studio.show_piece(last.piece, None, f"Back to {title}", saved=last.saved)

    @Slot(object)
    def mark_saved(self, written: Written) -> None:
        """There is a file of a piece now."""
        self.history.mark_saved(written.piece)

    def shut_down(self) -> bool:
        """The app ends as it should; whether all has ended."""
        return self.recovery.shut_down()

    @Slot(object)
    def _keep(self, piece: Chorale | None) -> None:
        current = self.history.current
        if piece is not None and (current is None or current.piece is not piece):
            form = self._studio.form
            saved = not self._window.isWindowModified()
            self.history.add(Entry(piece=piece, form=form, saved=saved))
        if piece is not None:
            self.recovery.keep(piece)
        self._allow()

    def lock(self, cells: Flags) -> None:
        """Keep the piece on the sheet with other locks, as a step that can be undone."""
        current = self.history.current
        if current is not None:
            self.history.add(replace(current, locked=cells))
            self.recovery.keep(lock_cells.signed(current.piece, cells))
            self._allow()

    def _show(self, entry: Entry | None, words: str) -> None:
        if entry is not None and not self._studio.busy:
            self.history.go(entry)
            title = entry.piece.title or UNTITLED
            if entry.piece is self._studio.piece:
                self._window.set_state(LOCKS_BACK)
                self._allow()
                self.went.emit()
                return
            form = entry.form or recall(entry.piece.provenance).form
            self._studio.show_piece(
                entry.piece, form, f"{words} {title}", saved=entry.saved, again=True
            )

    def _earlier(self) -> Entry | None:
        return self.history.before if self._studio.piece is not None else self.history.current

    def _offer(self) -> None:
        if self._found is not None:
            title = self._found.piece.title or UNTITLED
            self._window.page.banner.tell(FOUND.format(title=title), OPEN_IT)

    @Slot()
    def _open_found(self) -> None:
        if self._studio.busy:
            self._window.set_state(NOT_NOW)
            self._offer()
            return
        found, self._found = self._found, None
        if found is not None:
            form = recall(found.piece.provenance).form
            title = found.piece.title or UNTITLED
            self._studio.show_piece(found.piece, form, f"Recovered {title}", saved=False)
            recovery.put_aside(found.path)

    @Slot()
    def _forget_found(self) -> None:
        found, self._found = self._found, None
        if found is not None:
            recovery.put_aside(found.path)

    @Slot()
    def _allow(self) -> None:
        act = self._window.commands
        for action, entry, nothing, verb in (
            (act.undo, self._earlier(), NOTHING_BEFORE, "&Undo"),
            (act.redo, self.history.after, NOTHING_AFTER, "&Redo"),
        ):
            reason = NOT_DONE if self._studio.busy else "" if entry is not None else nothing
            title = entry.piece.title or UNTITLED if entry is not None else ""
            locks = entry is not None and entry.piece is self._studio.piece
            what = "locks" if locks else f"bring back {title.replace('&', '&&')}"
            action.setText(f"{verb}: {what}" if title else verb)
            commands.allow(action, reason)
