"""The sound of edited notes: nothing else notices it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from musicrel.chorale import Chorale
from musicrel.playback.player import Player
from musicrel.ui.app_controller import AppController
from musicrel.ui.playback.take_audition import TakeAudition
from tests.ui.editing.conftest import AIR, Hand

ALT = Qt.KeyboardModifier.AltModifier
UP = Qt.Key.Key_Up


@pytest.fixture
def player(app_controller: AppController, editing: Hand) -> Player:
    """Return the player while the note of an edit sounds."""
    editing.show(Chorale.of([(72, 67, 64, 48)] * 64))
    editing.select((0,), 0, 4)
    editing.press(UP, held=ALT)
    assert app_controller.player.previewing
    return app_controller.player


def test_edited_notes_sound_while_the_player_stands(player: Player, editing: Hand) -> None:
    """Playback ends the sound and is not disturbed by another."""
    play = editing.window.commands.play.play
    assert not player.playing
    play.trigger()
    assert (player.playing, player.previewing) == (True, False)
    editing.press(UP, held=ALT)
    assert (player.playing, player.previewing) == (True, False)
    assert player.chorale is editing.document.piece


def test_the_sound_can_be_switched_off(player: Player, editing: Hand) -> None:
    """By a command; Undo ends a sound as well."""
    editing.window.commands.undo.trigger()
    assert not player.previewing
    editing.window.commands.edit.sound.trigger()
    editing.press(UP, held=ALT)
    assert not player.previewing


def test_a_bar_is_inserted_where_the_user_clicked(
    player: Player, app_controller: AppController, editing: Hand
) -> None:
    """The click moves the playhead of the piece."""
    editing.click(40.2, 76)
    assert app_controller.playback.playhead.step == pytest.approx(40)
    editing.document.select(None)
    editing.window.commands.edit.insert_bar.trigger()
    assert editing.document.selection is not None
    assert editing.document.selection.start == 32
    del player


def test_playhead_and_loop_move_while_a_note_sounds(
    player: Player, app_controller: AppController, editing: Hand
) -> None:
    """By a click, a drag in the ruler, and the commands of playback."""
    playback = app_controller.playback
    playback.seek(16.0, in_ruler=False)
    places = [player.position, playback.playhead.step]
    editing.window.commands.play.forward.trigger()
    assert [*places, player.position, playback.playhead.step] == [16, 16, 20, 20]
    playback.drag_loop(8.0, 24.0)
    assert [player.loop, playback.playhead.region] == [(8, 24)] * 2
    assert player.previewing


def test_a_take_that_is_heard_meanwhile_ends_where_playback_was(
    player: Player, app_controller: AppController, editing: Hand
) -> None:
    """The note ends when the take begins."""
    document, playback = editing.document, app_controller.playback
    playback.seek(20.0, in_ruler=False)
    audition = TakeAudition(document, player, playback.playhead, playback.tick)
    audition.start(AIR, None)
    assert (player.playing, player.previewing) == (True, False)
    assert player.position == 0
    audition.stop()
    assert (player.position, player.chorale) == (20, document.piece)
