"""Edits by menu and keyboard, and the reasons why something cannot be edited."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale, Provenance
from musicrel.editing.selection import Selection
from musicrel.ui.app_controller import AppController
from musicrel.ui.document.document import GENERATING, NO_PIECE, PREVIEWING
from musicrel.ui.editing import edit_controller as module
from musicrel.ui.editing.editor import UNCHANGED
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers.user_actions import hold, rewrite, stop
from tests.ui.editing.conftest import AIR, Hand
from tests.ui.fakes import FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

KEY = Qt.Key
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier


@pytest.mark.parametrize(
    ("key", "held", "note"),
    [
        (KEY.Key_Up, ALT, (8, 16, 75)),
        (KEY.Key_Down, ALT, (8, 16, 73)),
        (KEY.Key_Up, ALT | SHIFT, (8, 16, 76)),
        (KEY.Key_Down, ALT | SHIFT, (8, 16, 72)),
        (KEY.Key_Up, CTRL, (8, 16, 86)),
        (KEY.Key_Down, CTRL, (8, 16, 62)),
        (KEY.Key_Left, ALT, (7, 15, 74)),
        (KEY.Key_Right, ALT, (9, 17, 74)),
        (KEY.Key_Right, ALT | SHIFT, (8, 17, 74)),
        (KEY.Key_Left, ALT | SHIFT, (8, 15, 74)),
    ],
)
def test_keys_change_the_selected_note(
    editing: Hand, key: Qt.Key, held: Qt.KeyboardModifier, note: tuple[int, int, int]
) -> None:
    """It stays selected, with the focus, and one Undo restores the piece."""
    editing.press(key, held=held)
    assert note in editing.melody()
    assert editing.document.selection == Selection(voices=(0,), start=note[0], stop=note[1])
    assert editing.roll.hasFocus()
    editing.window.commands.undo.trigger()
    assert editing.document.piece is AIR


def test_delete_split_and_join(editing: Hand) -> None:
    """A note is split in its middle, or at the playhead."""
    editing.press(KEY.Key_S)
    assert editing.melody()[1:3] == [(8, 12, 74), (12, 16, 74)]
    editing.press(KEY.Key_J)
    assert editing.melody()[1] == (8, 16, 74)
    editing.click(10.5, 80)
    editing.press(KEY.Key_S)
    assert editing.melody()[1:3] == [(8, 10, 74), (10, 16, 74)]
    editing.press(KEY.Key_Delete)
    assert editing.melody() == [(0, 8, 72), (16, 32, 72)]


def test_notes_move_to_another_voice(editing: Hand) -> None:
    """The other voice is selected then."""
    editing.press(KEY.Key_2, held=ALT)
    assert editing.melody(1) == [(0, 8, 67), (8, 16, 74)]
    assert editing.document.selection == Selection(voices=(1,), start=8, stop=16)
    assert len(editing.melody()) == 2


def test_select_all_bars_and_voice(editing: Hand) -> None:
    """The commands choose among the cells of the piece."""
    editing.press(KEY.Key_A, held=CTRL | SHIFT)
    assert editing.document.selection == Selection(voices=(0, 1, 2, 3), start=0, stop=16)
    editing.select((2,), 8, 9)
    editing.command("select_voice").trigger()
    assert editing.document.selection == Selection(voices=(2,), start=0, stop=32)
    editing.press(KEY.Key_A, held=CTRL)
    assert editing.document.selection == Selection(voices=(0, 1, 2, 3), start=0, stop=32)


def test_bars_are_added_inserted_and_removed(editing: Hand) -> None:
    """Locks move with their notes."""
    locks = np.zeros((32, 4), dtype=bool)
    locks[16:, 3] = True
    editing.document.set_locks(locks)
    editing.select((0,), 16, 17)
    editing.press(KEY.Key_Insert)
    assert editing.document.piece is not None
    assert editing.document.piece.steps == 48
    assert editing.document.locks is not None
    assert editing.document.locks[32:, 3].all()
    assert not editing.document.locks[:32].any()
    assert editing.undo == "bars"
    editing.press(KEY.Key_Delete, held=CTRL)
    assert editing.document.piece.steps == 32
    editing.press(KEY.Key_B, held=CTRL)
    assert editing.document.piece.steps == 48


def test_fermata_is_put_and_removed(editing: Hand) -> None:
    """It is on the selected note."""
    editing.press(KEY.Key_F, held=CTRL)
    assert editing.document.piece is not None
    assert editing.document.piece.fermatas[8:16].any()
    assert editing.undo == "fermata"
    editing.press(KEY.Key_F, held=CTRL)
    assert not editing.document.piece.fermatas.any()


def test_keys_of_the_selection_are_left_alone(editing: Hand) -> None:
    """Arrows without Alt or Ctrl move the cell."""
    editing.press(KEY.Key_Right)
    assert editing.document.selection == Selection(voices=(0,), start=9, stop=10)
    assert editing.document.piece is AIR


def test_keys_work_on_the_score(editing: Hand) -> None:
    """Its focus is enough."""
    editing.window.commands.score.setChecked(True)
    score = editing.window.compose_page.score
    score.setFocus()
    QTest.keyClick(score, KEY.Key_Up, ALT)
    assert (8, 16, 75) in editing.melody()
    QTest.keyClick(score, KEY.Key_Delete)
    assert len(editing.melody()) == 2


def test_edited_piece_is_no_longer_a_models(editing: Hand) -> None:
    """It has no provenance."""
    made = Provenance(model="full", sha256="0", seed=1)
    editing.show(Chorale.of(AIR.pitches, provenance=made))
    editing.press(KEY.Key_Up, held=ALT)
    assert editing.document.piece is not None
    assert editing.document.piece.provenance is None


# ---------------------------------------------------------------------- reasons


def test_commands_without_a_piece_or_a_selection_say_so(hand: Hand) -> None:
    """Their tooltips have the reason."""
    assert (hand.command("delete").isEnabled(), hand.command("delete").toolTip()) == (
        False,
        NO_PIECE,
    )
    assert hand.command("properties").toolTip() == NO_PIECE
    hand.show(AIR)
    assert hand.command("properties").isEnabled()
    assert hand.command("delete").toolTip() == module.NO_SELECTION
    hand.select((0,), 0, 1)
    assert hand.command("delete").isEnabled()


def test_key_of_a_disabled_command_gives_the_reason(hand: Hand) -> None:
    """It is in the status bar, for roll and score."""
    hand.press(KEY.Key_Delete)
    assert hand.window.state == NO_PIECE
    hand.show(AIR)
    hand.press(KEY.Key_C, held=CTRL)
    assert hand.window.state == module.NO_SELECTION


def test_nothing_is_edited_during_generation(
    editing: Hand, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Menu, mouse and clipboard give the reason."""
    hold(qtbot, window, jobs, 8)
    assert editing.command("paste").toolTip() == GENERATING
    assert editing.command("delete").toolTip() == GENERATING
    stop(qtbot, window, jobs)


def test_nothing_is_edited_in_a_preview(editing: Hand) -> None:
    """A drag of a note shows the reason in the status bar."""
    editing.document.preview(AIR.transposed(1))
    assert editing.command("semitone_up").toolTip() == PREVIEWING
    editing.drag((3.5, 73), (7.5, 73))
    assert editing.window.state == PREVIEWING
    assert editing.document.piece is AIR
    editing.document.preview(None)
    assert editing.command("semitone_up").isEnabled()


def test_candidates_have_their_keys(
    app_controller: AppController, editing: Hand, window: MainWindow, qtbot: QtBot
) -> None:
    """Alt+Down selects the next candidate, also while the original is shown."""
    rewrite(app_controller, window, qtbot, count=2)
    candidates = window.commands.rewriting
    editing.document.preview(None)
    editing.select((0,), 8, 16)
    assert candidates.next.isEnabled()
    assert editing.command("semitone_up").toolTip() == module.CANDIDATES
    assert editing.command("later").isEnabled()
    app_controller.candidates.dismiss()
    editing.select((0,), 8, 16)
    assert editing.command("semitone_up").isEnabled()


def test_edit_without_notes_is_no_step(editing: Hand) -> None:
    """The status bar gives the reason."""
    editing.press(KEY.Key_Delete)
    piece = editing.document.piece
    editing.press(KEY.Key_Delete)
    assert editing.document.piece is piece
    assert editing.window.state == UNCHANGED


def test_impossible_edit_is_explained(editing: Hand) -> None:
    """Nothing is lost."""
    editing.select((0,), 0, 1)
    editing.press(KEY.Key_Left, held=ALT)
    assert editing.window.state.startswith("A note would begin before the piece does")
    assert editing.document.piece is AIR


def test_selection_is_clipped_to_a_shorter_piece(editing: Hand) -> None:
    """Nothing behind its end is selected."""
    editing.select((0, 1), 8, 32)
    editing.show(AIR.cropped(0, 16))
    assert editing.document.selection == Selection(voices=(0, 1), start=8, stop=16)
    editing.show(AIR)
    editing.select((0, 1), 20, 32)
    editing.show(AIR.cropped(0, 16))
    assert editing.document.selection is None


def test_edited_place_is_shown(editing: Hand) -> None:
    """The roll scrolls to it, also after Undo."""
    editing.show(Chorale.of(np.tile(AIR.pitches, (20, 1))))
    editing.select((0,), 600, 604)
    assert editing.roll.seen.x(600) > editing.roll.seen.width
    editing.press(KEY.Key_Up, held=ALT)
    assert 0 <= editing.roll.seen.x(600) <= editing.roll.seen.width
    editing.press(KEY.Key_Home)
    editing.window.commands.undo.trigger()
    assert 0 <= editing.roll.seen.x(600) <= editing.roll.seen.width
    assert editing.window.state.startswith("Undone: transposed note of the soprano in bar 3")


def test_all_commands_of_the_selection_leave_a_valid_piece(editing: Hand) -> None:
    """Each is one step of Undo at most."""
    for action in editing.window.commands.edit.on_selection:
        editing.document.select(Selection(voices=(0, 1), start=4, stop=20))
        before = editing.document.piece
        action.trigger()
        if editing.document.piece is not before:
            editing.window.commands.undo.trigger()
        assert editing.document.piece is before
