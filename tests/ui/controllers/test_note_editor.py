"""Note input on the roll."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.chorale import REST, Chorale
from musicrel.editing.selection import Selection
from musicrel.ui.app_controller import AppController
from musicrel.ui.controllers import note_editor as note_editor_module
from musicrel.ui.document.document import GENERATING
from musicrel.ui.roll.roll_paint import KEYBOARD_WIDTH, RULER_HEIGHT
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers.user_actions import hold, stop
from tests.ui.fakes import FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def held(app_controller: AppController, window: MainWindow) -> AppController:
    """Return the app with note input on and an empty piece of two bars."""
    window.commands.rewriting.draw.trigger()
    return app_controller


def point_at(window: MainWindow, step: float, pitch: int) -> QPoint:
    """Return the position of a step and a pitch on the roll."""
    view = window.compose_page.roll.seen
    y = view.y(pitch) + view.row_height / 2
    return QPoint(KEYBOARD_WIDTH + round(view.x(step)), RULER_HEIGHT + round(y))


def onsets_of(app_controller: AppController, voice: int = 0) -> list[tuple[int, int]]:
    """Return step and pitch of every note of a voice."""
    piece = app_controller.document.piece
    assert piece is not None
    return [(s, int(piece.pitches[s, voice])) for s in piece.onsets[:, voice].nonzero()[0].tolist()]


def test_clicks_and_drags_write_the_soprano(held: AppController, window: MainWindow) -> None:
    """A click writes a quarter note, a click on a note removes it; each can be undone."""
    paper = window.compose_page.roll.viewport()
    QTest.mouseClick(paper, LEFT, pos=point_at(window, 0.5, 67))
    QTest.mousePress(paper, LEFT, pos=point_at(window, 4.5, 69))
    QTest.mouseMove(paper, point_at(window, 8.5, 69))
    QTest.mouseRelease(paper, LEFT, pos=point_at(window, 11.5, 69))
    assert onsets_of(held) == [(0, 67), (4, 69)]
    piece = held.document.piece
    assert piece is not None
    assert (piece.pitches[4:12, 0] == 69).all()
    assert (piece.pitches[:, 1:] == REST).all()
    assert piece.title == note_editor_module.TITLE

    QTest.mouseClick(paper, LEFT, pos=point_at(window, 1.5, 67))
    assert onsets_of(held) == [(4, 69)]
    window.commands.undo.trigger()
    assert onsets_of(held) == [(0, 67), (4, 69)]
    assert window.compose_page.selecting.selection is None


def test_letters_write_a_melody_without_a_mouse(held: AppController, window: MainWindow) -> None:
    """Backspace removes the last note; a full piece is reported."""
    roll = window.compose_page.roll
    QTest.keyClicks(roll, "gab")
    assert [step for step, _ in onsets_of(held)] == [0, 4, 8]
    assert [pitch % 12 for _, pitch in onsets_of(held)] == [7, 9, 11]
    QTest.keyClick(roll, Qt.Key.Key_Backspace)
    assert len(onsets_of(held)) == 2
    QTest.keyClicks(roll, "gggggggg")
    assert len(onsets_of(held)) == 8
    assert window.state == note_editor_module.FULL


def test_the_selected_voice_is_drawn(held: AppController, window: MainWindow) -> None:
    """The notes of other voices stay."""
    held.document.show_piece(Chorale.of([(72, 67, 64, 48)] * 16))
    window.compose_page.selecting.select(Selection(voices=(3,), start=0, stop=4))
    QTest.mouseClick(window.compose_page.roll.viewport(), LEFT, pos=point_at(window, 8.5, 43))

    assert onsets_of(held, 3) == [(0, 48), (8, 43)]
    assert onsets_of(held, 0) == [(0, 72)]


def test_drawn_melody_can_be_harmonised(
    held: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The dialog offers it first."""
    QTest.keyClicks(window.compose_page.roll, "cdefg")
    window.commands.rewriting.harmonise.trigger()
    dialog = held.harmonise.dialog
    assert dialog is not None
    assert dialog.form().source.title == "Current piece: Melody"
    dialog.accept()
    qtbot.waitUntil(lambda: bool(jobs.candidate_requests) and not held.candidates.busy)


def test_note_input_shows_a_hint(held: AppController, window: MainWindow) -> None:
    """The hint is on the empty roll; with note input off, clicks write nothing."""
    roll = window.compose_page.roll
    assert roll.hint == note_editor_module.HINT
    assert window.state.startswith("Note input, soprano")
    window.commands.rewriting.draw.trigger()
    assert roll.hint != note_editor_module.HINT
    QTest.mouseClick(roll.viewport(), LEFT, pos=point_at(window, 0.5, 67))
    QTest.keyClicks(roll, "c")
    assert held.document.piece is None


def test_nothing_is_drawn_during_generation(
    held: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The command gives the reason."""
    hold(qtbot, window, jobs, 8)
    act = window.commands.rewriting.draw
    assert (act.isEnabled(), act.toolTip()) == (False, GENERATING)
    stop(qtbot, window, jobs)
    assert act.isEnabled()
    del held
