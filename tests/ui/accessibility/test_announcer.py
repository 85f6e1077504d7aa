"""Announcements to a screen reader."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
import shiboken6
from PySide6.QtCore import QPoint
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale, Key, Voice
from musicrel.figures import roll
from musicrel.presentation import lock_cells, marks
from musicrel.presentation.marks import Mark
from musicrel.score.editing.selection import Selection
from musicrel.ui.accessibility import accessibility
from musicrel.ui.accessibility.accessibility import Announcer, RollItems
from musicrel.ui.app_controller import AppController
from musicrel.ui.document.document import Document
from musicrel.ui.roll.roll_view import RollView
from tests.helpers.sound import ManualOutput
from tests.ui.accessibility import accessible_tree as tree
from tests.ui.controllers.test_playback_controller import sound
from tests.ui.controllers.user_actions import WRONG, show_chords

POLITE, ASSERTIVE = QAccessible.AnnouncementPoliteness


class Spoken:
    def __init__(self, window: QWidget) -> None:
        self.texts: list[tuple[str, QAccessible.AnnouncementPoliteness]] = []
        self.sounding = False
        self.announcer = Announcer(window, lambda: self.sounding, self._record)

    def _record(self, event: QAccessibleEvent) -> None:
        assert isinstance(event, QAccessibleAnnouncementEvent)
        self.texts.append((event.message(), event.politeness()))


@pytest.fixture
def spoken(qtbot: QtBot) -> Spoken:
    window = QWidget()
    qtbot.addWidget(window)
    return Spoken(window)


def test_last_message_of_an_event_is_announced(spoken: Spoken, qtbot: QtBot) -> None:
    spoken.announcer.announce("Generating bar 1 of 8")
    spoken.announcer.announce_error("The disk is full")
    spoken.announcer.announce("Generation failed")

    qtbot.waitUntil(lambda: bool(spoken.texts))

    assert spoken.texts == [("The disk is full", ASSERTIVE), ("Generation failed", POLITE)]


def test_music_is_not_disturbed(spoken: Spoken, qtbot: QtBot) -> None:
    spoken.sounding = True
    spoken.announcer.announce("Generating bar 2 of 8")
    spoken.announcer.announce("Generated in 3.0 s")
    QApplication.processEvents()  # the end of the event
    assert spoken.texts == []

    spoken.sounding = False

    qtbot.waitUntil(lambda: spoken.texts == [("Generated in 3.0 s", POLITE)])


def test_described_item_is_not_announced_too(spoken: Spoken, qtbot: QtBot) -> None:
    spoken.announcer.announce("Alto: bar 1, beat 1")
    spoken.announcer.announce_error("No sound")
    spoken.announcer.drop()

    qtbot.waitUntil(lambda: spoken.texts == [("No sound", ASSERTIVE)])


def test_nothing_happens_without_a_reader(spoken: Spoken) -> None:
    QAccessible.setActive(False)

    spoken.announcer.announce("Generated in 3.0 s")

    QApplication.processEvents()
    assert spoken.texts == []


def test_a_message_from_before_the_reader_is_not_announced(spoken: Spoken, qtbot: QtBot) -> None:
    QAccessible.setActive(False)
    spoken.announcer.announce_error("The disk is full")
    QAccessible.setActive(True)

    spoken.announcer.announce("Generated in 3.0 s")

    qtbot.waitUntil(lambda: bool(spoken.texts))
    assert spoken.texts == [("Generated in 3.0 s", POLITE)]


PIECE = Chorale.of([(73, 67, 64, 48)] * 4 + [(74, 67, 62, 50)] * 12, key=Key("D", "major"))


@dataclass
class Sheet:
    document: Document
    view: RollView
    marks: tuple[Mark, ...] = ()

    def show(self, piece: Chorale) -> None:
        self.document.show_piece(piece)
        self.view.show_roll(roll.draw(piece))


@pytest.fixture
def sheet(qtbot: QtBot) -> Iterator[Sheet]:
    sheet = Sheet(Document(), RollView())
    sheet.view.resize(600, 400)
    accessibility.attach(sheet.view, RollItems(sheet.view, sheet.document, lambda: sheet.marks))
    sheet.show(PIECE)
    sheet.view.show()
    sheet.view.setFocus()
    qtbot.waitActive(sheet.view)
    yield sheet
    if shiboken6.isValid(sheet.view):
        sheet.view.close()


def test_notes_of_the_roll_are_items(sheet: Sheet) -> None:
    view = tree.interface(sheet.view)

    assert (tree.name(view), view.role()) == ("Piano roll", QAccessible.Role.List)
    assert tree.names(view) == [
        "Soprano C sharp 5, bar 1, beat 1, quarter",
        "Alto G4, bar 1, beat 1, whole",
        "Tenor E4, bar 1, beat 1, quarter",
        "Bass C3, bar 1, beat 1, quarter",
        "Soprano D5, bar 1, beat 2, dotted half",
        "Tenor D4, bar 1, beat 2, dotted half",
        "Bass D3, bar 1, beat 2, dotted half",
    ]


def test_locked_notes_and_broken_rules_are_named(sheet: Sheet) -> None:
    sheet.show(WRONG)
    sheet.marks = marks.marks(WRONG)
    sheet.document.set_locks(lock_cells.of_voice(WRONG, Voice.BASS))

    names = tree.names(tree.interface(sheet.view))

    broken = "Parallel fifths: Soprano and Bass"
    assert "Bass C3, bar 1, beat 1, half, locked" in names
    assert f"Bass D3, bar 1, beat 3, half, locked, {broken}" in names
    assert f"Soprano A4, bar 1, beat 3, half, {broken}" in names
    marked = tree.find(sheet.view, f"Soprano A4, bar 1, beat 3, half, {broken}")
    assert "Source: " in marked.text(QAccessible.Text.Description)


def test_note_is_selected_by_its_action(sheet: Sheet) -> None:
    note = tree.find(sheet.view, "Tenor D4, bar 1, beat 2, dotted half")

    tree.focus(note)

    assert sheet.document.selection == Selection(voices=(2,), start=4, stop=16)
    assert note.state().selected
    assert note.state().focused
    view = tree.interface(sheet.view)
    assert view.focusChild() is note
    assert view.child(view.indexOfChild(note)) is note
    assert note.parent() is view


def test_item_is_where_its_note_is_painted(sheet: Sheet) -> None:
    view, port = tree.interface(sheet.view), sheet.view.viewport()
    note = view.child(3)

    centre = note.rect().center()

    assert sheet.view.note_at(port.mapFromGlobal(centre)) == (0, 4, 64, Voice.TENOR)
    assert view.childAt(centre.x(), centre.y()) is note
    corner = port.mapToGlobal(QPoint(1, 1))
    assert view.childAt(corner.x(), corner.y()).object() is port


def test_item_of_a_shorter_piece_is_invalid(sheet: Sheet) -> None:
    sheet.show(WRONG)
    view = tree.interface(sheet.view)
    last = view.child(view.childCount() - 1)
    assert last.isValid()

    sheet.show(PIECE.cropped(0, 4))

    assert not last.isValid()
    assert last.text(QAccessible.Text.Name) == ""
    assert last.state().invalid
    sheet.show(WRONG)
    assert view.child(view.childCount() - 1) is last


def test_interfaces_end_with_their_view(sheet: Sheet) -> None:
    view = tree.interface(sheet.view)
    note = view.child(1)
    identity = QAccessible.uniqueId(note)

    shiboken6.delete(sheet.view)
    gc.collect()

    assert not shiboken6.isValid(note)
    assert not shiboken6.isValid(view)
    assert QAccessible.accessibleInterface(identity) is None


def test_playhead_goes_from_beat_to_beat(app: AppController, output: ManualOutput) -> None:
    show_chords(app, tempo=60)
    playback, player = app.playback, app.player
    app.preferences.remember(motion="reduced")
    playback.toggle()
    sound(player, output, 1.6)
    playback.tick()

    assert player.position == pytest.approx(6.4, abs=0.01)
    assert playback.roll.step == 4.0

    app.preferences.remember(motion="full")
    playback.tick()
    assert playback.roll.step == pytest.approx(player.position)

    app.preferences.remember(motion="reduced")
    playback.toggle()
    assert playback.roll.step == pytest.approx(player.position)
