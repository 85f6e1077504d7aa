"""The question about unsaved changes, which is asked before they would be lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QMessageBox, QWidget

from musicrel.ui.document.document import Document
from musicrel.ui.files import dialogs

QUESTION: Final = "Save the changes to “{name}”?"
LOST: Final = "Without saving, all changes since the last save are lost."
STOPS: Final = "The piece that is being written is stopped."
STOP: Final = "A piece is being written. Stop it and close the window?"

Then = Callable[[], None]
"""Replaces or closes the document."""


class UnsavedWork(QObject):
    """Asks before the document is replaced or its window closed.

    Args:
        document: may have unsaved changes.
        window: parent of the question.
        name: returns the name of the document.
        save: saves the document and calls its argument after that.
        writing: returns True while notes are being written, which closing the window stops.

    Attributes:
        confirmed: True if the user closes the window.

    Signals:
        close_confirmed: the window may close now.
    """

    close_confirmed = Signal()

    def __init__(
        self,
        document: Document,
        window: QWidget,
        *,
        name: Callable[[], str],
        save: Callable[[Then], None],
        writing: Callable[[], bool],
    ) -> None:
        super().__init__(document)
        self._document, self._window = document, window
        self._name, self._save, self._writing = name, save, writing
        self._question: QMessageBox | None = None
        self._session_ends = self.confirmed = False
        document.edited.connect(self._stay)

    def leave(self, then: Then) -> None:
        """Call ``then``, after the question if there are unsaved changes; Cancel does not."""
        if self._document.saved:
            then()
        else:
            self._ask(then)

    def may_close(self) -> bool:
        """Return True if the window can close now; otherwise ask, and close it afterwards."""
        if self._session_ends or self.confirmed:
            return True
        if self._document.saved and not self._writing():
            self.confirmed = True
        elif not self._document.saved:
            self._ask(self._confirm_close)
        elif self._question is None:
            texts = (STOP, "&Stop and close", "&Continue")
            self._set_question(dialogs.confirm(self._window, *texts, self._confirm_close))
        return self.confirmed

    def expect_end(self) -> None:
        """Ask nothing at the end of the session; if it is cancelled, the next edit ends this."""
        self._session_ends = True

    @Slot()
    def _stay(self) -> None:
        self._session_ends = False

    def _ask(self, then: Then) -> None:
        if self._question is not None:
            self._question.raise_()
            return
        self._set_question(
            dialogs.ask_to_save(
                self._window,
                QUESTION.format(name=self._name()),
                f"{LOST} {STOPS}" if self._writing() else LOST,
                on_save=lambda: self._save(then),
                on_discard=then,
            )
        )

    def _set_question(self, box: QMessageBox) -> None:
        self._question = box
        box.finished.connect(self._forget_question)

    @Slot()
    def _forget_question(self) -> None:
        self._question = None

    @Slot()
    def _confirm_close(self) -> None:
        self.confirmed = True
        self.close_confirmed.emit()
