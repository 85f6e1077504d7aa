"""Announcements of messages to screen readers; silent while music sounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent
from PySide6.QtWidgets import QWidget

from musicrel.presentation.spoken.message_filter import MessageFilter, quarter_of

AGAIN_MS: Final = 200
"""Milliseconds after which a message is tried again while music sounds."""

_Politeness = QAccessible.AnnouncementPoliteness


class Announcer(QObject):
    """An announcer of the messages of a window.

    At the end of an event its last error, its last result and its last progress are announced.
    While music sounds, they are kept until it ends. Without a screen reader nothing happens.

    Args:
        is_sounding: returns True while music sounds.
    """

    def __init__(
        self,
        window: QWidget,
        is_sounding: Callable[[], bool],
        send: Callable[[QAccessibleEvent], None] = QAccessible.updateAccessibility,
    ) -> None:
        super().__init__(window)
        self._window, self._is_sounding, self.send = window, is_sounding, send
        self._filter = MessageFilter()
        self._error = self._result = self._progress = ""
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._announce)

    @property
    def waiting(self) -> bool:
        return self._timer.isActive()

    @Slot(str)
    def announce(self, text: str) -> None:
        if not QAccessible.isActive():
            return
        if quarter_of(text) is not None:
            self._progress = text
        elif text:
            self._result, self._progress = text, ""
        self._begin()

    @Slot(str)
    def announce_error(self, sentence: str) -> None:
        if QAccessible.isActive():
            self._error = sentence
            self._begin()

    def drop(self) -> None:
        """Forget the message of this event: the reader describes what has the focus."""
        self._result = ""

    def _begin(self) -> None:
        if not self._timer.isActive():
            self._timer.start(0)

    @Slot()
    def _announce(self) -> None:
        if self._is_sounding():
            self._timer.start(AGAIN_MS)
            return
        if self._error:
            self._speak(self._error, _Politeness.Assertive)
        for text in (self._result, self._progress):
            if self._filter.is_due(text):
                self._speak(text, _Politeness.Polite)
        self._error = self._result = self._progress = ""

    def _speak(self, text: str, politeness: QAccessible.AnnouncementPoliteness) -> None:
        event = QAccessibleAnnouncementEvent(self._window, text)
        event.setPoliteness(politeness)
        self.send(event)
