"""Edits by the mouse on the roll."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from musicrel.figures.roll import HIT, KEYBOARD_WIDTH
from musicrel.presentation.words.keys import with_keys
from musicrel.score.editing.notes import Note
from musicrel.score.editing.selection import Selection
from musicrel.ui.document.document import PREVIEWING
from musicrel.ui.editing.note_mouse import ROLL_TIP, Kind, NoteDrag, Shift
from tests.ui.editing.conftest import AIR, LEFT, NONE, Hand

ALT = Qt.KeyboardModifier.AltModifier
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def test_notes_are_dragged(editing: Hand) -> None:
    editing.drag((9.5, 74), (13.5, 76))
    assert editing.melody()[1] == (12, 20, 76)
    editing.drag((19.9, 76), (23.9, 76))
    assert editing.melody()[1] == (12, 24, 76)
    editing.drag((13.5, 76), (1.5, 78), CTRL)
    assert editing.melody() == [(0, 12, 78), (12, 24, 76)]


def test_undo_ends_a_drag(editing: Hand) -> None:
    editing.press(Qt.Key.Key_Up, held=CTRL)
    editing.hold((9.5, 86), (13.5, 88))
    editing.window.commands.undo.trigger()
    assert editing.roll.ghost == ()
    QTest.mouseMove(editing.roll.viewport(), editing.point(14.5, 80))
    editing.release(15.5, 80)
    assert editing.document.piece is AIR
    editing.drag((9.5, 74), (13.5, 76))
    assert editing.melody()[1] == (12, 20, 76)


def test_target_of_a_drag_is_described(editing: Hand) -> None:
    editing.hold((9.5, 74), (13.5, 76))
    assert list(editing.roll.ghost) == [(12, 20, 76, 0)]
    assert editing.window.state == "Soprano E5, bar 1, beat 4, half"
    editing.release(9.5, 74)
    assert editing.roll.ghost == ()
    assert editing.document.piece is AIR


def test_double_click_adds_a_note_of_the_selected_voice(editing: Hand) -> None:
    editing.select((3,), 0, 1)
    editing.double_click(4.6, 45)
    assert editing.melody(3)[:2] == [(0, 4, 48), (4, 8, 45)]
    editing.double_click(5.5, 45)
    assert editing.melody(3)[0] == (0, 4, 48)
    assert editing.window.state == "Deleted: Bass A2, bar 1, beat 2, quarter"
    assert editing.undo == "deleted note of the bass in bar 1"


def test_double_click_without_a_selection_chooses_the_voice_by_the_pitch(editing: Hand) -> None:
    for pitch, voice in ((79, 0), (68, 1), (62, 2), (45, 3)):
        editing.document.select(None)
        editing.double_click(20.6, pitch)
        assert (20, 24, pitch) in editing.melody(voice)
    replaced = "; 1 note of the bass replaced"
    editing.document.select(None)
    editing.double_click(20.6, 47)
    assert editing.window.state == f"Bass B2, bar 2, beat 2, quarter{replaced}"


def test_moved_notes_say_what_they_replace(editing: Hand) -> None:
    editing.press(Qt.Key.Key_Right, held=ALT)
    assert editing.window.state.endswith("; 1 note of the soprano replaced")
    editing.press(Qt.Key.Key_2, held=ALT)
    assert editing.window.state.endswith("; 1 note of the alto shortened")
    editing.press(Qt.Key.Key_Up, held=ALT)
    assert ";" not in editing.window.state


def test_mouse_says_why_a_candidate_cannot_be_edited(editing: Hand) -> None:
    editing.document.preview(AIR)
    for edit in (
        partial(editing.double_click, 20.6, 79),
        partial(editing.double_click, 9.5, 74),
        partial(editing.drag, (9.5, 74), (13.5, 76)),
    ):
        editing.document.select(None)
        edit()
        assert editing.window.state == with_keys(PREVIEWING)
    assert editing.document.piece is AIR


def test_double_click_on_a_number_selects_the_bar(editing: Hand) -> None:
    port = editing.roll.viewport()
    x = KEYBOARD_WIDTH + round(editing.roll.seen.x(20))
    QTest.mouseDClick(port, LEFT, NONE, QPoint(x, 12))
    assert editing.document.selection == Selection(voices=(0, 1, 2, 3), start=16, stop=32)
    x = KEYBOARD_WIDTH + round(editing.roll.seen.x(3))
    QTest.mouseDClick(port, LEFT, SHIFT, QPoint(x, 12))
    assert editing.document.selection == Selection(voices=(0, 1, 2, 3), start=0, stop=32)


def test_context_menu_selects_the_note_under_the_mouse(editing: Hand, qtbot: QtBot) -> None:
    both = {editing.command("cut"), editing.command("split")}
    (menu,) = (menu for menu in editing.window.findChildren(QMenu) if both <= {*menu.actions()})
    for place, selected in (
        (editing.point(3.5, 67), Selection(voices=(1,), start=0, stop=32)),
        (editing.point(9.5, 67), Selection(voices=(1,), start=0, stop=32)),
    ):
        editing.roll.customContextMenuRequested.emit(place)
        qtbot.waitUntil(menu.isVisible)
        assert editing.document.selection == selected
        menu.close()


def test_a_drag_selects_its_note_or_moves_the_selection_with_it(editing: Hand) -> None:
    editing.hold((9.5, 50), (11.5, 50))
    assert editing.document.selection == Selection(voices=(3,), start=8, stop=16)
    editing.release(9.5, 50)
    editing.select((2, 3), 9, 10)
    editing.drag((9.5, 50), (11.2, 50))
    assert (10, 18, 65) in editing.melody(2)
    assert (10, 18, 50) in editing.melody(3)


def test_a_drag_with_control_copies(editing: Hand) -> None:
    editing.drag((9.5, 74), (17.5, 73), CTRL)
    assert editing.melody()[1:3] == [(8, 16, 74), (16, 24, 73)]


@pytest.mark.parametrize(("key", "start"), [(NONE, 10), (ALT, 11)])
def test_a_drag_snaps_to_eighths_and_with_alt_to_sixteenths(
    editing: Hand, key: Qt.KeyboardModifier, start: int
) -> None:
    editing.drag((9.5, 74), (12.2, 74), key)
    assert editing.melody()[1] == (start, start + 8, 74)


def test_where_an_eighth_is_narrow_a_drag_snaps_to_beats(editing: Hand) -> None:
    while editing.roll.seen.step_width * 2 >= HIT:
        editing.roll.zoom_out()
    editing.drag((9.5, 74), (12.7, 74))
    assert editing.melody()[1] == (12, 20, 74)


def test_a_note_beside_the_grid_stays_there_unless_it_is_dragged_in_time(editing: Hand) -> None:
    editing.drag((9.5, 74), (10.4, 74), ALT)
    editing.drag((10.5, 74), (10.7, 76))
    assert editing.melody()[1] == (9, 17, 76)
    editing.drag((10.5, 76), (12.5, 76))
    assert editing.melody()[1] == (12, 20, 76)


@pytest.mark.parametrize(("stop", "note"), [((13.5, 75), (12, 20, 74)), ((10.6, 62), (8, 16, 62))])
def test_a_drag_with_shift_keeps_one_direction(
    editing: Hand, stop: tuple[float, int], note: tuple[int, int, int]
) -> None:
    editing.drag((9.5, 74), stop, SHIFT)
    assert note in editing.melody()


def test_the_right_edge_resizes_one_note_of_a_selection(editing: Hand) -> None:
    editing.select((0, 3), 8, 16)
    editing.drag((15.9, 50), (19.9, 52))
    assert editing.melody(3)[1] == (8, 20, 50)
    assert editing.melody()[1] == (8, 16, 74)
    assert editing.document.selection == Selection(voices=(3,), start=8, stop=20)


def test_a_drag_beyond_the_edge_scrolls(editing: Hand) -> None:
    for _ in range(6):
        editing.roll.zoom_in()
    editing.roll.horizontalScrollBar().setValue(0)
    port = editing.roll.viewport()
    outside = QPoint(port.width() + 5, editing.point(3.5, 67).y())
    editing.hold((3.5, 67), (4.5, 67))
    for _ in range(3):
        QTest.mouseMove(port, outside - QPoint(0, 1))
        QTest.mouseMove(port, outside)
    assert editing.roll.seen.left > 0
    under = editing.roll.seen.step_at(outside.x() - KEYBOARD_WIDTH)
    assert abs(editing.roll.ghost[0].start + 3.5 - under) < 1
    editing.press(Qt.Key.Key_Escape)


def test_escape_cancels_a_drag(editing: Hand) -> None:
    editing.hold((9.5, 74), (13.5, 76))
    editing.press(Qt.Key.Key_Escape)
    assert editing.roll.ghost == ()
    editing.release(15.5, 76)
    assert editing.document.piece is AIR
    editing.drag((9.5, 74), (11.7, 74))
    assert editing.melody()[1] == (10, 18, 74)


def test_the_pointer_shows_what_a_press_does(editing: Hand) -> None:
    """Between notes it moves the playhead, beyond the end nothing."""
    places = ((15.9, 74), (9.5, 74), (9.5, 80), (33.0, 74))
    shapes = [editing.hover(*place).name for place in places]
    assert shapes == ["SizeHorCursor", "SizeAllCursor", "IBeamCursor", "ArrowCursor"]
    tip = partial(editing.roll.tip_at, editing.point(9.5, 74))
    assert tip().endswith(ROLL_TIP)
    editing.document.preview(AIR)
    assert ROLL_TIP not in tip()
    assert editing.hover(9.5, 74).name == "PointingHandCursor"


def test_a_double_click_beyond_the_end_adds_nothing(editing: Hand) -> None:
    editing.double_click(33.0, 70)
    assert editing.document.piece is AIR


LOW, HIGH = Note(4, 8, 60, 1), Note(8, 10, 67, 1)


def dragged(kind: Kind = "move", *notes: Note) -> NoteDrag:
    """Return a drag of notes that begins in the middle of step 5 on C4."""
    return NoteDrag(kind=kind, notes=notes or (LOW, HIGH), step=5.5, pitch=60)


def test_notes_stay_within_midi_numbers() -> None:
    assert dragged().shift(5.5, 200).semitones == 127 - 67
    assert dragged().shift(5.5, -80).semitones == -60


def test_end_leaves_a_sixteenth() -> None:
    assert dragged("resize", LOW).shift(1.0, 72) == (-3, 0)
    assert dragged("resize", LOW).moved(Shift(-3, 0)) == (Note(4, 5, 60, 1),)


@pytest.mark.parametrize(("step_width", "inside", "outside"), [(10.0, 6, 8), (2.0, 2, 4)])
def test_right_edge_of_a_short_note_is_narrow(
    editing: Hand, step_width: float, inside: int, outside: int
) -> None:
    """A third of it at most, so that the rest can be moved."""
    editing.roll.seen = replace(editing.roll.seen, step_width=step_width, left=0.0)
    end = KEYBOARD_WIDTH + round(8 * step_width)
    assert editing.roll.is_on_edge(LOW, QPoint(end - inside, 0))
    assert not editing.roll.is_on_edge(LOW, QPoint(end - outside, 0))
