"""Messages to the user: the state in the status bar, and errors above the sheet."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class Messages(QObject):
    state_changed = Signal(str)  # a short text for the status bar
    # an error, one sentence, which stays until it is closed or another page is opened
    reported = Signal(str)
    ended = Signal(str)  # the end of work that the user may not be watching, a sentence
    dismissed = Signal()  # the error no longer applies

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stays = False

    def show_state(self, text: str) -> None:
        self.state_changed.emit(text)

    def report(self, sentence: str, *, stays: bool = False) -> None:
        """Show an error above the sheet; one that ``stays`` is true on every page."""
        self._stays = stays
        self.reported.emit(sentence[:1].upper() + sentence[1:])

    def leave_page(self) -> None:
        """Hide the error of the page before, which the user has seen."""
        if not self._stays:
            self.dismiss()

    def dismiss(self) -> None:
        self.dismissed.emit()
