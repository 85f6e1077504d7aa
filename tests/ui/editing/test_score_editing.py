"""Editing on the engraved score: with the mouse and the keyboard, as on the piano roll."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale, Key
from musicrel.figures.score import SPACE, Score
from musicrel.score.editing.notes import note_at
from musicrel.score.editing.selection import Selection
from musicrel.ui.app_controller import AppController
from musicrel.ui.score.score_view import ScoreView
from musicrel.ui.shell.main_window import MainWindow

LEFT = Qt.MouseButton.LeftButton
KEY = Qt.Key
ALT, SHIFT = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ShiftModifier
CTRL, NONE = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier
BETWEEN = QPoint(400, 1)
BAR = np.repeat([[72, 67, 64, 48], [74, 65, 62, 50]] * 2, 4, axis=0)


class Scribe:
    def __init__(self, app: AppController, window: MainWindow, qtbot: QtBot) -> None:
        self.app, self.window, self.qtbot = app, window, qtbot
        self.document = app.document
        self.view: ScoreView = window.compose_page.score

    def open(self, piece: Chorale) -> None:
        self.document.show_piece(piece)
        self.window.commands.score.setChecked(True)
        self.wait()

    def wait(self) -> None:
        self.qtbot.waitUntil(lambda: not self.app.engraving.busy)
        assert not self.view.stale

    @property
    def piece(self) -> Chorale:
        assert self.document.piece is not None
        return self.document.piece

    def point(self, voice: int, step: int, *, up: float = 0, right: float = 0) -> QPoint:
        assert self.view.score is not None
        index = self.view.seen.system_of(step) or 0
        heads = self.view.score.systems[index].sounding(step)
        found = next(head for head in heads if head.note.voice == voice)
        place = found.x + right * SPACE, found.y - up * SPACE / 2
        return self.view.seen.point(index, *place).toPoint()

    def click(self, place: QPoint, keys: Qt.KeyboardModifier = NONE) -> None:
        QTest.mouseClick(self.view.viewport(), LEFT, keys, place)

    def hold(self, start: QPoint, stop: QPoint) -> None:
        port = self.view.viewport()
        QTest.mousePress(port, LEFT, pos=start)
        QTest.mouseMove(port, (start + stop) / 2)
        QTest.mouseMove(port, stop)

    def drag(self, start: QPoint, stop: QPoint, keys: Qt.KeyboardModifier = NONE) -> None:
        self.hold(start, stop)
        QTest.mouseRelease(self.view.viewport(), LEFT, keys, stop)

    def selected(self) -> object:
        found = self.document.selection
        return (found.voices, found.start, found.stop) if found is not None else None

    def type(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        QTest.keyClick(self.view, key, modifiers)

    @property
    def ghost(self) -> str:
        return self.view.ghost.name if self.view.ghost is not None else ""

    @property
    def cursor(self) -> tuple[int, int] | None:
        """Return voice and step of the cursor of note input; None while it is off."""
        cursor = self.view.input_cursor
        return (cursor.voice, cursor.step) if cursor is not None else None

    def pitch(self, voice: int, step: int) -> int:
        return int(self.piece.pitches[step, voice])


@pytest.fixture
def scribe(app: AppController, qtbot: QtBot) -> Scribe:
    scribe = Scribe(app, app.window, qtbot)
    scribe.open(Chorale.of(np.tile(BAR, (4, 1)), title="Four bars", key=Key("G", "major")))
    return scribe


def test_a_selection_waits_for_its_system_to_be_engraved(scribe: Scribe) -> None:
    whole = scribe.view.score
    assert whole is not None
    scribe.view.set_stale(stale=True)
    scribe.document.select(Selection(voices=(0,), start=40, stop=44))
    scribe.view.verticalScrollBar().setValue(0)
    scribe.view.zoom(3)

    scribe.view.show_score(Score(width=whole.width))
    assert scribe.view.verticalScrollBar().value() == 0
    scribe.view.show_score(whole)
    system = scribe.view.seen.system_of(40) or 0
    assert 0 <= scribe.view.seen.box(system).top() < scribe.view.viewport().height()


def test_dragging_a_head_moves_its_note_by_scale_steps(scribe: Scribe) -> None:
    scribe.drag(scribe.point(0, 8), scribe.point(0, 8, up=3))

    assert scribe.pitch(0, 8) == 78
    assert scribe.document.selection == Selection(voices=(0,), start=8, stop=12)
    scribe.wait()
    scribe.drag(scribe.point(3, 4), scribe.point(3, 4, up=-2))
    assert scribe.pitch(3, 4) == 47
    scribe.document.undo()
    assert (scribe.pitch(3, 4), scribe.pitch(0, 8)) == (50, 78)
    scribe.document.undo()
    assert scribe.pitch(0, 8) == 72
    scribe.wait()


def test_a_ghost_shows_where_a_dragged_note_would_be(scribe: Scribe) -> None:
    before, above = scribe.piece, scribe.point(0, 8, up=2)
    scribe.hold(scribe.point(0, 8), above)
    assert scribe.ghost == "E5"
    scribe.type(KEY.Key_Escape)
    assert scribe.ghost == ""

    QTest.mouseMove(scribe.view.viewport(), above + QPoint(3, 0))
    QTest.mouseRelease(scribe.view.viewport(), LEFT, pos=above)
    assert scribe.ghost == ""
    assert scribe.piece is before
    scribe.drag(scribe.point(0, 8), above)
    assert scribe.pitch(0, 8) == 76
    scribe.wait()


def test_dragging_one_of_several_selected_notes_moves_all(scribe: Scribe) -> None:
    scribe.document.select(Selection(voices=(0, 1), start=0, stop=8))
    scribe.drag(scribe.point(1, 4), scribe.point(1, 4, up=1))
    assert [scribe.pitch(voice, step) for voice in (0, 1) for step in (0, 4)] == [74, 76, 69, 67]
    scribe.wait()

    scribe.drag(scribe.point(1, 12), scribe.point(1, 12, up=1))
    assert (scribe.pitch(1, 12), scribe.pitch(1, 4)) == (67, 67)
    scribe.wait()


def test_notes_of_a_candidate_cannot_be_dragged(scribe: Scribe) -> None:
    scribe.document.preview(Chorale.of(np.tile(BAR, (4, 1))))
    scribe.wait()
    before = scribe.piece
    scribe.drag(scribe.point(0, 8), scribe.point(0, 8, up=3))

    assert scribe.piece is before
    assert scribe.ghost == ""
    scribe.document.preview(None)
    scribe.wait()


def test_context_menu_is_that_of_the_roll(scribe: Scribe) -> None:
    actions = scribe.window.commands.edit
    for voice, selection in (
        (0, Selection(voices=(0,), start=8, stop=12)),
        (1, Selection(voices=(0, 1), start=0, stop=16)),
    ):
        if voice:
            scribe.document.select(selection)
        scribe.view.customContextMenuRequested.emit(scribe.point(voice, 8))
        menu = QApplication.activePopupWidget()
        assert isinstance(menu, QMenu)
        assert {actions.cut, actions.split} <= {*menu.actions()}
        assert scribe.document.selection == selection
        menu.close()


def test_selection_is_right_after_engraving_again(scribe: Scribe) -> None:
    scribe.click(scribe.point(2, 4))
    scribe.view.setFocus()
    scribe.type(KEY.Key_Up, ALT | SHIFT)
    scribe.wait()

    selection = scribe.view.selection
    assert selection == Selection(voices=(2,), start=4, stop=8)
    assert scribe.view.note_at(scribe.point(2, 4)) == (4, 8, 64, 2)


def test_a_click_on_a_staff_writes_a_note_in_note_input(scribe: Scribe) -> None:
    scribe.view.setFocus()
    scribe.click(scribe.point(1, 0))
    scribe.window.commands.rewriting.draw.trigger()
    assert scribe.cursor == (1, 0)
    scribe.type(KEY.Key_4)
    scribe.click(scribe.point(1, 4, up=1))

    assert note_at(scribe.piece, 1, 4) == (4, 6, 67, 1)
    assert scribe.cursor == (1, 6)
    scribe.wait()


def test_a_click_on_another_staff_writes_its_nearest_voice(scribe: Scribe) -> None:
    scribe.window.commands.rewriting.draw.trigger()
    scribe.click(scribe.point(3, 8, up=-2))

    assert scribe.pitch(3, 8) == 45
    assert scribe.cursor == (3, 12)
    scribe.wait()


def test_pointing_at_a_staff_in_note_input_shows_the_note(scribe: Scribe) -> None:
    scribe.window.commands.rewriting.draw.trigger()
    QTest.mouseMove(scribe.view.viewport(), scribe.point(0, 4, up=2))
    assert scribe.ghost == "F♯5"
    scribe.window.commands.rewriting.draw.trigger()

    assert scribe.ghost == ""
    assert scribe.cursor is None


def test_an_empty_document_has_staves_to_write_on(app: AppController, qtbot: QtBot) -> None:
    scribe = Scribe(app, app.window, qtbot)
    app.window.commands.score.setChecked(True)
    app.window.commands.rewriting.draw.trigger()
    scribe.wait()
    assert scribe.view.score is not None
    system = scribe.view.score.systems[0]
    scribe.click(scribe.view.seen.point(0, system.x_at(4), system.staves[0].bottom).toPoint())

    assert note_at(scribe.piece, 0, 4) == (4, 8, 64, 0)
    scribe.wait()


def test_a_click_selects_a_note_and_seeks_and_with_shift_extends(scribe: Scribe) -> None:
    roll = scribe.window.compose_page.roll
    scribe.click(scribe.point(3, 8))
    assert (scribe.selected(), roll.step) == (((3,), 8, 12), 8.0)
    scribe.click(scribe.point(0, 20), SHIFT)
    assert (scribe.selected(), roll.step) == (((0, 1, 2, 3), 8, 24), 8.0)
    scribe.click(scribe.point(1, 12, up=-4))
    assert (scribe.selected(), roll.step) == (((1,), 12, 13), 12.0)
    scribe.click(scribe.point(0, 4, up=4))
    assert scribe.selected() == ((0,), 4, 5)
    scribe.click(BETWEEN, SHIFT)
    assert scribe.selected() == ((0,), 4, 5)
    scribe.click(BETWEEN)
    assert scribe.selected() is None


def test_a_double_click_selects_the_bar(scribe: Scribe) -> None:
    place = scribe.point(2, 24, up=-4)
    scribe.click(place)
    QTest.mouseDClick(scribe.view.viewport(), LEFT, pos=place)

    assert scribe.selected() == ((0, 1, 2, 3), 16, 32)


def test_a_rubber_band_selects_the_notes_in_it(scribe: Scribe) -> None:
    start, stop = scribe.point(0, 4, right=-1.5, up=3), scribe.point(1, 8, right=1.5, up=-3)
    scribe.hold(start, stop)
    scribe.type(KEY.Key_Escape)
    QTest.mouseMove(scribe.view.viewport(), stop)
    QTest.mouseRelease(scribe.view.viewport(), LEFT, pos=stop)
    assert scribe.selected() is None
    scribe.drag(start, stop)
    assert scribe.selected() == ((0, 1), 4, 12)
    scribe.drag(scribe.point(3, 16, right=-1.5, up=3), scribe.point(3, 16, right=1, up=-2), SHIFT)
    assert scribe.selected() == ((0, 1, 2, 3), 4, 20)
    scribe.drag(QPoint(5, 1), QPoint(60, 5))
    assert scribe.selected() is None


def test_the_right_button_and_clicks_of_note_input_select_nothing(scribe: Scribe) -> None:
    QTest.mouseClick(scribe.view.viewport(), Qt.MouseButton.RightButton, pos=scribe.point(0, 0))
    assert scribe.selected() is None
    scribe.window.commands.rewriting.draw.trigger()
    scribe.drag(QPoint(5, 1), QPoint(60, 5))
    QTest.mouseDClick(scribe.view.viewport(), LEFT, pos=BETWEEN)
    assert scribe.selected() is None


@pytest.fixture
def looped(scribe: Scribe) -> Scribe:
    scribe.app.playback.drag_loop(0, 16)
    return scribe


def on_loop(scribe: Scribe, step: float) -> QPoint:
    seen = scribe.view.seen
    index = seen.system_of(step) or 0
    system = seen.systems[index]
    place = system.x_at(step) - SPACE, system.staves[0].top - 4.2 * SPACE
    return seen.point(index, *place).toPoint()


def test_the_score_shows_the_loop_while_it_is_on(looped: Scribe) -> None:
    place = on_loop(looped, 8)
    with_bar = looped.view.viewport().grab().toImage().pixelColor(place)
    looped.window.commands.play.loop.trigger()
    assert looped.view.viewport().grab().toImage().pixelColor(place) != with_bar
    assert looped.view.loop is None


def test_an_end_of_the_loop_is_dragged(looped: Scribe) -> None:
    for start, stop in ((16, 24), (24, 8)):
        looped.drag(on_loop(looped, start), on_loop(looped, stop))
        assert looped.app.player.loop == (0, stop)
    assert looped.selected() is None


def test_a_click_on_the_bar_of_the_loop_removes_it(looped: Scribe) -> None:
    looped.click(on_loop(looped, 8))
    assert (looped.app.player.loop, looped.app.player.position) == (None, 0)
    assert looped.selected() is None
