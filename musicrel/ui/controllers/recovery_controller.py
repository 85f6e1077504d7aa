"""Controller of crash recovery: the piece is kept on disk, and offered after a crash."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Slot

from musicrel.presentation.compose.form_from_provenance import form_from_provenance
from musicrel.presentation.roll import lock_cells
from musicrel.ui.document.document import GENERATING, UNTITLED, Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.files import recovery
from musicrel.ui.files.recovery import RecoveredPiece, Recovery
from musicrel.ui.jobs.worker import Worker
from musicrel.ui.widgets.banner import Banner

FOUND: Final = "musicrel ended unexpectedly; the unsaved piece “{title}” can be recovered."
OFFER: Final = "Recover"


class RecoveryController(QObject):
    """The controller of recovery.

    Args:
        document: its piece is kept.
        messages: show that a piece was recovered.
        banner: offers a piece.

    Attributes:
        recovery: the copy of the current piece on disk.
    """

    def __init__(self, document: Document, messages: Messages, banner: Banner) -> None:
        super().__init__(document)
        self._document, self._messages, self._banner = document, messages, banner
        self._found: RecoveredPiece | None = None
        self.recovery = Recovery(self)
        document.locks_changed.connect(self._save)
        banner.accepted.connect(self._open_found)
        banner.declined.connect(self._discard_found)

    @Slot()
    def offer_recovery(self) -> None:
        """Offer the piece that a crash has left, if there is one."""
        self._found = recovery.find()
        self._offer()

    def shut_down(self) -> tuple[Worker, ...]:
        """Request the jobs to end; return the workers to wait for before ``tidy_up``."""
        return self.recovery.shut_down()

    def tidy_up(self) -> None:
        """Remove the recovery file."""
        self.recovery.tidy_up()

    @Slot()
    def _save(self) -> None:
        """Keep the current piece with its locks."""
        piece = self._document.piece
        if piece is not None:
            self.recovery.save(lock_cells.with_locks_in_provenance(piece, self._document.locks))

    def _offer(self) -> None:
        if self._found is not None:
            title = self._found.piece.title or UNTITLED
            self._banner.show_message(FOUND.format(title=title), OFFER)

    @Slot()
    def _open_found(self) -> None:
        if self._document.generating:
            self._messages.show_state(GENERATING)
            self._offer()
            return
        found, self._found = self._found, None
        if found is not None:
            form = form_from_provenance(found.piece.provenance).form
            self._document.show_piece(found.piece, form=form)
            self._messages.show_state(f"Recovered {self._document.title}")
            recovery.archive(found.path)

    @Slot()
    def _discard_found(self) -> None:
        found, self._found = self._found, None
        if found is not None:
            recovery.archive(found.path)
