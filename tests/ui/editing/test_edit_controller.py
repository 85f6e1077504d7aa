"""Edits by menu and keyboard, why something cannot be edited, and copied notes on the clipboard."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication

from musicrel.chorale import Chorale, Provenance
from musicrel.playback.player import Player
from musicrel.presentation.words.keys import with_keys
from musicrel.score.editing.clipboard import NOT_A_CLIP
from musicrel.score.editing.selection import Selection
from musicrel.ui.actions.commands import CANDIDATES, MIME_TYPE, NO_SELECTION
from musicrel.ui.app_controller import AppController
from musicrel.ui.document.document import GENERATING, NO_PIECE, PREVIEWING
from musicrel.ui.editing import edit_controller as module
from musicrel.ui.editing.edit_controller import UNCHANGED
from musicrel.ui.playback.audition import TakeAudition
from tests.ui.editing.conftest import AIR, Hand
from tests.ui.user import User

KEY = Qt.Key
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
CTRL = Qt.KeyboardModifier.ControlModifier


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
    editing.press(key, held=held)
    assert note in editing.melody()
    assert editing.document.selection == Selection(voices=(0,), start=note[0], stop=note[1])
    assert editing.roll.hasFocus()
    editing.window.commands.undo.trigger()
    assert editing.document.piece is AIR


def test_delete_split_and_join(editing: Hand) -> None:
    editing.press(KEY.Key_S)
    assert editing.melody()[1:3] == [(8, 12, 74), (12, 16, 74)]
    editing.press(KEY.Key_J)
    assert editing.melody()[1] == (8, 16, 74)
    editing.click(10.5, 80)
    editing.press(KEY.Key_S)
    assert editing.melody()[1:3] == [(8, 10, 74), (10, 16, 74)]
    editing.press(KEY.Key_Delete)
    assert editing.melody() == [(0, 8, 72), (16, 32, 72)]


def test_select_all_bars_and_voice(editing: Hand) -> None:
    editing.press(KEY.Key_A, held=CTRL | SHIFT)
    assert editing.document.selection == Selection(voices=(0, 1, 2, 3), start=0, stop=16)
    editing.select((2,), 8, 9)
    editing.command("select_voice").trigger()
    assert editing.document.selection == Selection(voices=(2,), start=0, stop=32)
    editing.press(KEY.Key_A, held=CTRL)
    assert editing.document.selection == Selection(voices=(0, 1, 2, 3), start=0, stop=32)


def test_bars_are_added_inserted_and_removed(editing: Hand) -> None:
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


def test_edited_piece_is_no_longer_a_models(editing: Hand) -> None:
    made = Provenance(model="full", sha256="0", seed=1)
    editing.show(Chorale.of(AIR.pitches, provenance=made))
    editing.press(KEY.Key_Up, held=ALT)
    assert editing.document.piece is not None
    assert editing.document.piece.provenance is None


# ---------------------------------------------------------------------- reasons


def test_commands_without_a_piece_or_a_selection_say_so(hand: Hand) -> None:
    assert (hand.command("delete").isEnabled(), hand.command("delete").toolTip()) == (
        False,
        with_keys(NO_PIECE),
    )
    assert hand.command("properties").toolTip() == with_keys(NO_PIECE)
    hand.show(AIR)
    assert hand.command("properties").isEnabled()
    assert hand.command("delete").toolTip() == NO_SELECTION
    hand.select((0,), 0, 1)
    assert hand.command("delete").isEnabled()


def test_key_of_a_disabled_command_gives_the_reason(hand: Hand) -> None:
    hand.press(KEY.Key_Delete)
    assert hand.window.state == with_keys(NO_PIECE)
    hand.show(AIR)
    hand.press(KEY.Key_C, held=CTRL)
    assert hand.window.state == NO_SELECTION


def test_nothing_is_edited_during_generation(editing: Hand, user: User) -> None:
    user.hold(8)
    assert editing.command("paste").toolTip() == GENERATING
    assert editing.command("delete").toolTip() == GENERATING
    user.stop()


def test_nothing_is_edited_in_a_preview(editing: Hand) -> None:
    editing.document.preview(AIR.transposed(1))
    assert editing.command("semitone_up").toolTip() == with_keys(PREVIEWING)
    editing.drag((3.5, 73), (7.5, 73))
    assert editing.window.state == with_keys(PREVIEWING)
    assert editing.document.piece is AIR
    editing.document.preview(None)
    assert editing.command("semitone_up").isEnabled()


def test_candidates_have_their_keys(user: User, editing: Hand) -> None:
    user.rewrite(count=2)
    candidates = user.act
    editing.document.preview(None)
    editing.select((0,), 8, 16)
    assert candidates.next.isEnabled()
    assert editing.command("semitone_up").toolTip() == CANDIDATES
    assert editing.command("later").isEnabled()
    user.writing.dismiss()
    editing.select((0,), 8, 16)
    assert editing.command("semitone_up").isEnabled()


def test_edit_without_notes_is_no_step(editing: Hand) -> None:
    editing.press(KEY.Key_Delete)
    piece = editing.document.piece
    editing.press(KEY.Key_Delete)
    assert editing.document.piece is piece
    assert editing.window.state == UNCHANGED


def test_impossible_edit_is_explained(editing: Hand) -> None:
    editing.select((0,), 0, 1)
    editing.press(KEY.Key_Left, held=ALT)
    assert editing.window.state.startswith("A note would begin before the piece does")
    assert editing.document.piece is AIR


def test_selection_is_clipped_to_a_shorter_piece(editing: Hand) -> None:
    editing.select((0, 1), 8, 32)
    editing.show(AIR.cropped(0, 16))
    assert editing.document.selection == Selection(voices=(0, 1), start=8, stop=16)
    editing.show(AIR)
    editing.select((0, 1), 20, 32)
    editing.show(AIR.cropped(0, 16))
    assert editing.document.selection is None


def test_edited_place_is_shown(editing: Hand) -> None:
    editing.show(Chorale.of(np.tile(AIR.pitches, (20, 1))))
    editing.select((0,), 600, 604)
    assert editing.roll.seen.x(600) > editing.roll.seen.width
    editing.press(KEY.Key_Up, held=ALT)
    assert 0 <= editing.roll.seen.x(600) <= editing.roll.seen.width
    editing.press(KEY.Key_Home)
    editing.window.commands.undo.trigger()
    assert 0 <= editing.roll.seen.x(600) <= editing.roll.seen.width
    assert editing.window.state.startswith("Undone: transposed note of the soprano in bar 3")


UP = Qt.Key.Key_Up


@pytest.fixture
def player(app: AppController, editing: Hand) -> Player:
    editing.show(Chorale.of([(72, 67, 64, 48)] * 64))
    editing.select((0,), 0, 4)
    editing.press(UP, held=ALT)
    assert app.player.previewing
    return app.player


def test_edited_notes_sound_while_the_player_stands(player: Player, editing: Hand) -> None:
    play = editing.window.commands.play.play
    assert not player.playing
    play.trigger()
    assert (player.playing, player.previewing) == (True, False)
    editing.press(UP, held=ALT)
    assert (player.playing, player.previewing) == (True, False)
    assert player.chorale is editing.document.piece


def test_the_sound_can_be_switched_off(player: Player, editing: Hand) -> None:
    editing.window.commands.undo.trigger()
    assert not player.previewing
    editing.window.commands.edit.sound.trigger()
    editing.press(UP, held=ALT)
    assert not player.previewing


@pytest.mark.usefixtures("player")
def test_a_bar_is_inserted_where_the_user_clicked(app: AppController, editing: Hand) -> None:
    editing.click(40.2, 76)
    assert app.playback.roll.step == pytest.approx(40)
    editing.document.select(None)
    editing.window.commands.edit.insert_bar.trigger()
    assert editing.document.selection is not None
    assert editing.document.selection.start == 32


def test_playhead_and_loop_move_while_a_note_sounds(
    player: Player, app: AppController, editing: Hand
) -> None:
    playback = app.playback
    playback.seek(16.0, in_ruler=False)
    places = [player.position, playback.roll.step]
    editing.window.commands.play.forward.trigger()
    assert [*places, player.position, playback.roll.step] == [16, 16, 20, 20]
    playback.drag_loop(8.0, 24.0)
    assert [player.loop, playback.roll.loop] == [(8, 24)] * 2
    assert player.previewing


def test_a_take_that_is_heard_meanwhile_ends_where_playback_was(
    player: Player, app: AppController, editing: Hand
) -> None:
    document, playback = editing.document, app.playback
    playback.seek(20.0, in_ruler=False)
    audition = TakeAudition(document, player, playback.roll, playback.tick)
    audition.start(AIR, None)
    assert (player.playing, player.previewing) == (True, False)
    assert player.position == 0
    audition.stop()
    assert (player.position, player.chorale) == (20, document.piece)


def test_copy_and_paste(editing: Hand) -> None:
    editing.press(KEY.Key_C, held=CTRL)
    assert editing.window.state == "Copied Soprano D5"
    assert QGuiApplication.clipboard().text() == "Soprano: D5"
    editing.select((1,), 20, 21)
    editing.press(KEY.Key_V, held=CTRL)
    assert editing.melody(1) == [(0, 20, 67), (20, 28, 74)]
    assert editing.undo == "new note of the alto in bars 1 to 2"


def test_paste_without_a_selection_is_at_the_playhead(editing: Hand) -> None:
    editing.select((0, 3), 8, 16)
    editing.press(KEY.Key_C, held=CTRL)
    editing.document.select(None)
    editing.click(16.5, 80)
    editing.press(KEY.Key_V, held=CTRL)
    assert editing.melody(0)[2] == (16, 24, 74)
    assert editing.melody(3)[2] == (16, 24, 50)
    editing.select((1,), 24, 25)
    editing.press(KEY.Key_V, held=CTRL)
    assert (24, 32, 50) in editing.melody(3)


def test_cut_leaves_rests(editing: Hand) -> None:
    editing.press(KEY.Key_X, held=CTRL)
    assert editing.window.state == "Cut Soprano D5"
    assert editing.melody() == [(0, 8, 72), (16, 32, 72)]
    editing.select((0,), 0, 1)
    editing.press(KEY.Key_V, held=CTRL)
    assert editing.melody() == [(0, 8, 74), (16, 32, 72)]


def test_notes_are_pasted_into_a_new_piece(editing: Hand) -> None:
    editing.press(KEY.Key_C, held=CTRL)
    editing.document.set_aside()
    editing.press(KEY.Key_V, held=CTRL)
    assert editing.melody() == [(0, 8, 74)]
    editing.window.commands.undo.trigger()
    assert editing.document.piece is AIR


def test_paste_on_the_copied_notes_changes_nothing(editing: Hand) -> None:
    editing.press(KEY.Key_C, KEY.Key_V, held=CTRL)
    assert editing.window.state == with_keys(module.ALREADY_THERE)
    editing.press(KEY.Key_R)
    assert (16, 24, 74) in editing.melody()


@pytest.mark.parametrize("damaged", [False, True])
def test_clipboard_without_notes_is_refused(editing: Hand, *, damaged: bool) -> None:
    data = QMimeData()
    data.setText("C D E")
    if damaged:
        data.setData(MIME_TYPE, b'{"notes": 3}')
    QGuiApplication.clipboard().setMimeData(data)
    editing.press(KEY.Key_V, held=CTRL)
    assert editing.window.state == NOT_A_CLIP[0].upper() + NOT_A_CLIP[1:]
    assert editing.document.piece is AIR


def test_paste_needs_copied_notes(editing: Hand) -> None:
    paste = editing.command("paste")
    assert not paste.isEnabled()
    assert paste.toolTip() == NOT_A_CLIP[0].upper() + NOT_A_CLIP[1:]
    editing.press(KEY.Key_C, held=CTRL)
    assert paste.isEnabled()


def test_rests_are_not_copied(editing: Hand) -> None:
    editing.press(KEY.Key_C, held=CTRL)
    editing.press(KEY.Key_Delete)
    editing.press(KEY.Key_X, held=CTRL)
    assert editing.window.state == module.NO_NOTES
    assert QGuiApplication.clipboard().text() == "Soprano: D5"
