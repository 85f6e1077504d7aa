"""Messages to the user: the state in the status bar, and errors above the sheet."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class Messages(QObject):
    """The messages of a window.

    Signals:
        state_changed (str): a short text for the status bar.
        reported (str): an error, one sentence, which stays until it is closed.
        dismissed: the error no longer applies.
    """

    state_changed = Signal(str)
    reported = Signal(str)
    dismissed = Signal()

    def show_state(self, text: str) -> None:
        """Show a text in the status bar."""
        self.state_changed.emit(text)

    def report(self, sentence: str) -> None:
        """Show an error above the sheet."""
        self.reported.emit(sentence[:1].upper() + sentence[1:])

    def dismiss(self) -> None:
        """Hide the error."""
        self.dismissed.emit()
