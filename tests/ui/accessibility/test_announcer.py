"""Announcements to a screen reader."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from musicrel.ui.accessibility.announcer import Announcer

POLITE, ASSERTIVE = QAccessible.AnnouncementPoliteness


class Spoken:
    """An announcer, and what it has announced."""

    def __init__(self, window: QWidget) -> None:
        self.texts: list[tuple[str, QAccessible.AnnouncementPoliteness]] = []
        self.sounding = False
        self.announcer = Announcer(window, lambda: self.sounding, self._record)

    def _record(self, event: QAccessibleEvent) -> None:
        assert isinstance(event, QAccessibleAnnouncementEvent)
        self.texts.append((event.message(), event.politeness()))


@pytest.fixture
def spoken(qtbot: QtBot) -> Spoken:
    """Return an announcer of a window that is not shown."""
    window = QWidget()
    qtbot.addWidget(window)
    return Spoken(window)


def test_last_message_of_an_event_is_announced(spoken: Spoken, qtbot: QtBot) -> None:
    """An error comes first, and at once."""
    spoken.announcer.announce("Generating bar 1 of 8")
    spoken.announcer.announce_error("The disk is full")
    spoken.announcer.announce("Generation failed")

    qtbot.waitUntil(lambda: bool(spoken.texts))

    assert spoken.texts == [("The disk is full", ASSERTIVE), ("Generation failed", POLITE)]


def test_music_is_not_disturbed(spoken: Spoken, qtbot: QtBot) -> None:
    """The last message is announced when it ends."""
    spoken.sounding = True
    spoken.announcer.announce("Generating bar 2 of 8")
    spoken.announcer.announce("Generated in 3.0 s")
    QApplication.processEvents()  # the end of the event
    assert spoken.texts == []

    spoken.sounding = False

    qtbot.waitUntil(lambda: spoken.texts == [("Generated in 3.0 s", POLITE)])


def test_described_item_is_not_announced_too(spoken: Spoken, qtbot: QtBot) -> None:
    """The message of the same event is dropped, an error is not."""
    spoken.announcer.announce("Alto: bar 1, beat 1")
    spoken.announcer.announce_error("No sound")
    spoken.announcer.drop()

    qtbot.waitUntil(lambda: spoken.texts == [("No sound", ASSERTIVE)])


def test_nothing_happens_without_a_reader(spoken: Spoken) -> None:
    """Not even a timer runs."""
    QAccessible.setActive(False)

    spoken.announcer.announce("Generated in 3.0 s")

    assert not spoken.announcer.waiting


def test_a_message_from_before_the_reader_is_not_announced(spoken: Spoken, qtbot: QtBot) -> None:
    """A reader that is started later speaks of what happens then."""
    QAccessible.setActive(False)
    spoken.announcer.announce_error("The disk is full")
    QAccessible.setActive(True)

    spoken.announcer.announce("Generated in 3.0 s")

    qtbot.waitUntil(lambda: bool(spoken.texts))
    assert spoken.texts == [("Generated in 3.0 s", POLITE)]
