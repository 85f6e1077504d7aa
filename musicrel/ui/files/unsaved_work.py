"""The question about unsaved changes, which is asked before they would be lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, Signal, Slot
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from musicrel.ui.document.document import Document
from musicrel.ui.files import dialogs

QUESTION: Final = "Save the changes to “{name}”?"
LOST: Final = "Without saving, all changes since the last save are lost."
STOPS: Final = "The piece that is being written is stopped."
STOP: Final = "A piece is being written. Stop it and close the window?"

_USES: Final = (
    QEvent.Type.MouseButtonPress,
    QEvent.Type.KeyPress,
    QEvent.Type.ShortcutOverride,
)

Then = Callable[[], None]
"""Replaces or closes the document."""
_STOP_AND_CLOSE: Final = "&Stop and close"


class UnsavedWork(QObject):
    """Asks before the document is replaced or its window closed.

    Args:
        writing: returns True while notes are being written, which closing the window stops.

    Attributes:
        confirmed: True if the user closes the window.
    """

    close_confirmed = Signal()  # the window is to be closed again

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
        self._logging_out = self.confirmed = False

    def leave(self, then: Then) -> None:
        """Call ``then``, after the question if there are unsaved changes; Cancel does not."""
        if self._document.saved:
            then()
        else:
            self._ask(then)

    def may_close(self) -> bool:
        """Return True if the window can close now; otherwise ask, and close it afterwards."""
        if self._logging_out or self.confirmed:
            return True
        if self._document.saved and not self._writing():
            self.confirmed = True
        elif not self._document.saved:
            self._ask(self._confirm_close)
        elif self._question is None:
            texts = (STOP, _STOP_AND_CLOSE, "&Continue")
            self._set_question(dialogs.confirm(self._window, *texts, self._stop_and_close))
        return self.confirmed

    def expect_logout(self) -> None:
        """Ask nothing during a logout; if it is cancelled, the next click or key ends this."""
        self._logging_out = True
        app = QApplication.instance()
        if app is not None:
            app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _USES:
            self._logging_out = False
            app = QApplication.instance()
            if app is not None:
                app.removeEventFilter(self)
        return super().eventFilter(watched, event)

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
    def _stop_and_close(self) -> None:
        self.confirmed = self._document.saved
        self.close_confirmed.emit()

    @Slot()
    def _confirm_close(self) -> None:
        self.confirmed = True
        self.close_confirmed.emit()
