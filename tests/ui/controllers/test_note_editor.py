"""Drawing a melody on the roll."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from tests.ui.controllers.test_compose_controller import hold, stop

from musicrel.chorale import REST, Chorale
from musicrel.presentation.roll.selection import Selection
from musicrel.ui.app_controller import House
from musicrel.ui.controllers import note_editor as pencil_module
from musicrel.ui.controllers.compose_controller import NOT_DONE
from musicrel.ui.roll.roll_paint import KEYBOARD_WIDTH, RULER_HEIGHT
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.fakes import FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def held(house: House, window: MainWindow) -> House:
    """The app with the pencil in hand, over an empty sheet of two bars."""
    window.commands.rewriting.draw.trigger()
    return house


def place(window: MainWindow, step: float, pitch: int) -> QPoint:
    """Where a step and a pitch are on the roll."""
    view = window.page.roll.seen
    y = view.y(pitch) + view.row_height / 2
    return QPoint(KEYBOARD_WIDTH + round(view.x(step)), RULER_HEIGHT + round(y))


def sung(house: House, voice: int = 0) -> list[tuple[int, int]]:
    """Step and pitch of every note that begins in a voice."""
    piece = house.studio.piece
    assert piece is not None
    return [(s, int(piece.pitches[s, voice])) for s in piece.onsets[:, voice].nonzero()[0].tolist()]


def test_clicks_and_drags_write_the_soprano(held: House, window: MainWindow) -> None:
    """A click is a quarter; a click on the note takes it out again; each can be undone."""
    paper = window.page.roll.viewport()
    QTest.mouseClick(paper, LEFT, pos=place(window, 0.5, 67))
    QTest.mousePress(paper, LEFT, pos=place(window, 4.5, 69))
    QTest.mouseMove(paper, place(window, 8.5, 69))
    QTest.mouseRelease(paper, LEFT, pos=place(window, 11.5, 69))
    assert sung(held) == [(0, 67), (4, 69)]
    piece = held.studio.piece
    assert piece is not None
    assert (piece.pitches[4:12, 0] == 69).all()
    assert (piece.pitches[:, 1:] == REST).all()
    assert piece.title == pencil_module.TITLE

    QTest.mouseClick(paper, LEFT, pos=place(window, 1.5, 67))
    assert sung(held) == [(4, 69)]
    window.commands.undo.trigger()
    assert sung(held) == [(0, 67), (4, 69)]
    assert window.page.selecting.selection is None


def test_letters_write_a_melody_without_a_mouse(held: House, window: MainWindow) -> None:
    """One quarter after the other; Backspace takes the last one back; a full sheet says so."""
    roll = window.page.roll
    QTest.keyClicks(roll, "gab")
    assert [step for step, _ in sung(held)] == [0, 4, 8]
    assert [pitch % 12 for _, pitch in sung(held)] == [7, 9, 11]
    QTest.keyClick(roll, Qt.Key.Key_Backspace)
    assert len(sung(held)) == 2
    QTest.keyClicks(roll, "gggggggg")
    assert len(sung(held)) == 8
    assert window.state == pencil_module.FULL


def test_the_selected_voice_is_drawn(held: House, window: MainWindow) -> None:
    """And the piece's own notes elsewhere stay."""
    held.studio.show_piece(Chorale.of([(72, 67, 64, 48)] * 16), None, "", saved=True)
    window.page.selecting.select(Selection(voices=(3,), start=0, stop=4))
    QTest.mouseClick(window.page.roll.viewport(), LEFT, pos=place(window, 8.5, 43))

    assert sung(held, 3) == [(0, 48), (8, 43)]
    assert sung(held, 0) == [(0, 72)]


def test_what_was_drawn_is_harmonised(
    held: House, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """It is what the dialog offers first."""
    QTest.keyClicks(window.page.roll, "cdefg")
    window.commands.rewriting.harmonise.trigger()
    dialog = held.harmonising.dialog
    assert dialog is not None
    assert dialog.asked.source.title == "On the roll: Melody"
    dialog.accept()
    qtbot.waitUntil(lambda: bool(jobs.asked_to_rewrite) and not held.proposing.busy)


def test_the_pencil_says_what_it_does_and_is_put_down(held: House, window: MainWindow) -> None:
    """On the empty sheet; without it a click draws nothing."""
    roll = window.page.roll
    assert roll._hint == pencil_module.HINT
    assert window.state.startswith("The pencil writes the soprano")
    window.commands.rewriting.draw.trigger()
    assert roll._hint != pencil_module.HINT
    QTest.mouseClick(roll.viewport(), LEFT, pos=place(window, 0.5, 67))
    QTest.keyClicks(roll, "c")
    assert held.studio.piece is None


def test_nobody_draws_on_what_is_being_written(
    held: House, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The command says why."""
    hold(qtbot, window, jobs, 8)
    act = window.commands.rewriting.draw
    assert (act.isEnabled(), act.toolTip()) == (False, NOT_DONE)
    stop(qtbot, window, jobs)
    assert act.isEnabled()
    del held
