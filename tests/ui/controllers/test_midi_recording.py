"""MIDI recording without a keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.chorale import REST, Chorale, Meter, Voice
from musicrel.playback.keyboard import NO_KEYBOARD
from musicrel.presentation.compose import recording_view
from musicrel.ui.app_controller import AppController
from musicrel.ui.compose.harmonise_dialog import HarmoniseDialog
from musicrel.ui.document.document import GENERATING
from musicrel.ui.playback.recording_dialog import RecordingDialog
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.sound import FakeKeyboards, ManualOutput
from tests.ui.controllers.user_actions import PIECE, hold, stop
from tests.ui.fakes import FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

QUARTER = 0.5
"""Seconds at 120."""


@pytest.fixture
def dialog(app_controller: AppController, window: MainWindow) -> RecordingDialog:
    """Open the recording dialog over a piece."""
    app_controller.document.show_piece(PIECE)
    window.commands.rewriting.record.trigger()
    assert app_controller.midi_recording.dialog is not None
    app_controller.midi_recording.dialog.tempo.setValue(120)
    return app_controller.midi_recording.dialog


def opened(app_controller: AppController) -> RecordingDialog | None:
    """Return the open dialog."""
    return app_controller.midi_recording.dialog


def harmonise_dialog(app_controller: AppController) -> HarmoniseDialog | None:
    """Return the open harmonise dialog."""
    return app_controller.harmonise.dialog


def look(app_controller: AppController) -> None:
    """Run timer ticks until keyboards and keys are updated."""
    for _ in range(25):
        app_controller.midi_recording.tick()


def padded_piece(app_controller: AppController) -> Chorale:
    """Return the current piece."""
    assert app_controller.document.piece is not None
    return app_controller.document.piece


def test_recorded_notes_appear_and_stay(
    app_controller: AppController,
    window: MainWindow,
    dialog: RecordingDialog,
    hands: FakeKeyboards,
    click: ManualOutput,
) -> None:
    """They follow the count-in; the piece is one step that can be undone."""
    dialog.start_button.click()
    assert dialog.position.text() == "Count-in 1"
    click.advance(4 * QUARTER)
    hands.play(click, 72, QUARTER)
    hands.on_note(74, True)
    click.advance(QUARTER / 2)
    look(app_controller)
    assert dialog.position.text() == "Bar 1 · 2"
    picture = window.compose_page.roll.picture
    assert picture is not None
    assert [(n.start, n.stop, n.pitch) for n in picture.notes] == [(0, 4, 72), (4, 6, 74)]
    click.advance(QUARTER / 2)
    dialog.start_button.click()

    piece = padded_piece(app_controller)
    assert piece.pitches[:, 0].tolist() == [72] * 4 + [74] * 4
    assert (piece.pitches[:, 1:] == REST).all()
    assert (piece.tempo, piece.meter, window.state) == (120, Meter(), recording_view.DONE["melody"])
    assert window.isWindowModified()
    assert opened(app_controller) is None
    assert not click.running
    assert hands.opened[-1].closed
    window.commands.undo.trigger()
    assert app_controller.document.piece is PIECE


def test_quantised_notes_are_reported_with_their_bars(
    app_controller: AppController,
    window: MainWindow,
    dialog: RecordingDialog,
    hands: FakeKeyboards,
    click: ManualOutput,
) -> None:
    """The banner lists them as for a file."""
    dialog.start_button.click()
    click.advance(4 * QUARTER)
    for pitch in (72, 74, 76):
        hands.play(click, pitch, QUARTER * 2 / 3)
    QTest.keyClick(dialog, Qt.Key.Key_Return)

    message = window.compose_page.banner.message
    assert message.startswith("The recording was changed: notes off the sixteenth-note grid")
    assert message.endswith("in bar 1")
    assert padded_piece(app_controller).onsets[:, 0].sum() == 3


def test_recording_shows_the_roll_in_place_of_the_score(
    window: MainWindow, dialog: RecordingDialog
) -> None:
    """The notes appear there."""
    window.commands.score.trigger()
    seen = [window.compose_page.shown]
    dialog.start_button.click()
    seen.append(window.compose_page.shown)
    assert seen == [window.compose_page.score, window.compose_page.roll]
    dialog.cancel_button.click()


def test_esc_ends_a_recording_and_keeps_it(
    app_controller: AppController,
    dialog: RecordingDialog,
    hands: FakeKeyboards,
    click: ManualOutput,
) -> None:
    """No key discards notes."""
    dialog.start_button.click()
    click.advance(4 * QUARTER)
    hands.play(click, 60, QUARTER)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert padded_piece(app_controller).pitches[:, 0].tolist() == [60] * 4


@pytest.mark.parametrize("how", ["discarded", "nothing played", "closed"])
def test_discarded_recording_restores_the_piece(
    how: str,
    *,
    app_controller: AppController,
    window: MainWindow,
    dialog: RecordingDialog,
    hands: FakeKeyboards,
    click: ManualOutput,
) -> None:
    """Roll, heading and playback are as before."""
    dialog.start_button.click()
    click.advance(5 * QUARTER)
    if how != "nothing played":
        hands.play(click, 72, QUARTER)
    look(app_controller)
    assert window.compose_page.title.text() == "Played melody"
    {
        "discarded": dialog.cancel_button.click,
        "nothing played": dialog.start_button.click,
        "closed": window.close,
    }[how]()

    assert app_controller.document.piece is PIECE
    assert window.compose_page.title.text() == "Air"
    picture = window.compose_page.roll.picture
    assert picture is not None
    assert {note.voice for note in picture.notes} == {0, 1, 2, 3}
    assert app_controller.player.chorale is PIECE
    states = {"discarded": recording_view.DISCARDED, "nothing played": recording_view.NOTHING}
    assert window.state == states.get(how, window.state)
    assert opened(app_controller) is None


def test_list_of_keyboards_is_updated(
    app_controller: AppController, dialog: RecordingDialog, hands: FakeKeyboards
) -> None:
    """Without one, a message explains it and Record is disabled."""
    hands.on_note(60, True)
    look(app_controller)
    assert dialog.last_key.text() == "Received C4"
    hands.names.clear()
    look(app_controller)
    assert dialog.problem.text().lower() == NO_KEYBOARD.lower()
    assert not dialog.start_button.isEnabled()
    assert hands.opened[-1].closed
    hands.names += ["Organ", "Piano"]
    look(app_controller)
    assert dialog.port.currentText() == "Organ"
    assert dialog.start_button.isEnabled()
    assert dialog.problem.isHidden()
    assert dialog.last_key.text() == recording_view.NO_KEY
    dialog.port.setCurrentText("Piano")
    assert [port.closed for port in hands.opened] == [True, True, False]
    dialog.reject()


def test_busy_keyboard_is_tried_again(
    app_controller: AppController, dialog: RecordingDialog, hands: FakeKeyboards
) -> None:
    """It is tried until it opens, or another one is selected."""
    hands.names[:] = ["Gone"]
    look(app_controller)
    assert dialog.problem.text() == "The MIDI port Gone does not open"
    assert not dialog.start_button.isEnabled()
    look(app_controller)
    assert dialog.problem.text() == "The MIDI port Gone does not open"
    hands.names[:] = ["Gone", "Piano"]
    look(app_controller)
    dialog.port.setCurrentText("Piano")
    assert dialog.start_button.isEnabled()
    dialog.reject()


def test_unplugged_keyboard_keeps_the_recorded_notes(
    app_controller: AppController,
    window: MainWindow,
    dialog: RecordingDialog,
    hands: FakeKeyboards,
    click: ManualOutput,
) -> None:
    """The banner reports it."""
    dialog.start_button.click()
    click.advance(4 * QUARTER)
    hands.play(click, 72, QUARTER)
    hands.names.clear()
    look(app_controller)
    assert padded_piece(app_controller).pitches[:, 0].tolist() == [72] * 4
    assert window.compose_page.banner.message.startswith(
        "The MIDI port Piano was disconnected; the notes"
    )


def test_without_a_sound_device_the_count_in_is_shown(
    dialog: RecordingDialog, click: ManualOutput
) -> None:
    """The dialog gives the reason."""
    click.missing = "no sound: connect a device"
    dialog.start_button.click()
    assert dialog.position.text() == "Count-in 1"
    assert dialog.remark.text() == "no sound: connect a device"
    dialog.cancel_button.click()


def test_chords_are_shared_among_the_voices(
    app_controller: AppController,
    window: MainWindow,
    dialog: RecordingDialog,
    hands: FakeKeyboards,
    click: ManualOutput,
) -> None:
    """Clean chords give no warning."""
    dialog.kind.setCurrentIndex(1)
    assert not dialog.voice.isEnabled()
    dialog.start_button.click()
    click.advance(4 * QUARTER)
    for pitch in (48, 64, 67, 72):
        hands.on_note(pitch, True)
    click.advance(QUARTER)
    dialog.start_button.click()
    assert padded_piece(app_controller).pitches[0].tolist() == [72, 67, 64, 48]
    assert window.state == recording_view.DONE["chords"]
    assert window.compose_page.banner.isHidden()


def test_settings_of_a_recording(
    app_controller: AppController, window: MainWindow, hands: FakeKeyboards, click: ManualOutput
) -> None:
    """The meter is the one of the form unless another is selected."""
    window.compose_page.controls.compose_form.meter.setCurrentText("3/4")
    window.compose_page.controls.compose_form.key.setCurrentText("F major")
    window.commands.rewriting.record.trigger()
    dialog = app_controller.midi_recording.dialog
    assert dialog is not None
    dialog.voice.setCurrentIndex(int(Voice.BASS))
    dialog.tempo.setValue(120)
    dialog.start_button.click()
    click.advance(3 * QUARTER)
    hands.play(click, 53, QUARTER)
    dialog.start_button.click()
    piece = padded_piece(app_controller)
    assert (piece.meter, str(piece.key)) == (Meter(3, 4), "F major")
    assert piece.pitches[:, 3].tolist() == [53] * 4


def test_harmonise_dialog_records_a_melody(
    app_controller: AppController, window: MainWindow, hands: FakeKeyboards, click: ManualOutput
) -> None:
    """It opens again after the recording."""
    window.commands.rewriting.harmonise.trigger()
    asks = harmonise_dialog(app_controller)
    assert asks is not None
    asks.play.click()
    dialog = app_controller.midi_recording.dialog
    assert harmonise_dialog(app_controller) is None
    assert dialog is not None
    dialog.tempo.setValue(120)
    dialog.start_button.click()
    click.advance(4 * QUARTER)
    hands.play(click, 72, QUARTER)
    dialog.start_button.click()

    again = harmonise_dialog(app_controller)
    assert again is not None
    assert again.form().source.title == "Current piece: Played melody"
    again.reject()


def test_nothing_is_recorded_during_generation(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The command gives the reason; it opens one dialog at most."""
    hold(qtbot, window, jobs, 8)
    assert window.commands.rewriting.record.toolTip() == GENERATING
    app_controller.midi_recording.ask()
    assert opened(app_controller) is None
    stop(qtbot, window, jobs)
    window.commands.rewriting.record.trigger()
    first = opened(app_controller)
    app_controller.midi_recording.ask()
    assert opened(app_controller) is first is not None
    first.reject()
