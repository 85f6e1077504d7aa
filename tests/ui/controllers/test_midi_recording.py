"""MIDI recording without a keyboard."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from musicrel.chorale import REST, Meter, Voice
from musicrel.playback.recorder import NO_KEYBOARD
from musicrel.presentation.words.keys import with_keys
from musicrel.ui.app_controller import AppController
from musicrel.ui.compose.harmonise_dialog import HarmoniseDialog
from musicrel.ui.controllers import midi_recording
from musicrel.ui.document.document import GENERATING
from musicrel.ui.playback.recording_dialog import NO_KEY, RecordingDialog
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.sound import FakeKeyboards, ManualOutput
from tests.ui.controllers.user_actions import PIECE
from tests.ui.user import User

QUARTER = 0.5
"""Seconds at 120."""


@pytest.fixture
def dialog(app: AppController) -> RecordingDialog:
    app.document.show_piece(PIECE)
    app.window.commands.rewriting.record.trigger()
    assert app.midi_recording.dialog is not None
    app.midi_recording.dialog.tempo.setValue(120)
    return app.midi_recording.dialog


@dataclass
class Pianist:
    dialog: RecordingDialog
    hands: FakeKeyboards
    click: ManualOutput

    def begin(self, beats: int = 4) -> None:
        """Start a recording, and wait for as many beats, the count-in first."""
        self.dialog.start_button.click()
        self.click.advance(beats * QUARTER)

    def play(self, pitch: int, seconds: float = QUARTER) -> None:
        self.hands.play(self.click, pitch, seconds)


@pytest.fixture
def pianist(dialog: RecordingDialog, hands: FakeKeyboards, click: ManualOutput) -> Pianist:
    return Pianist(dialog, hands, click)


def opened(app: AppController) -> RecordingDialog | None:
    return app.midi_recording.dialog


def harmonise_dialog(app: AppController) -> HarmoniseDialog | None:
    return app.writing.dialog


def look(app: AppController) -> None:
    """Run timer ticks until keyboards and keys are updated."""
    for _ in range(25):
        app.midi_recording.tick()


def test_recorded_notes_appear_and_stay(user: User, pianist: Pianist) -> None:
    pianist.dialog.start_button.click()
    assert pianist.dialog.position.text() == "Count-in 1"
    pianist.click.advance(4 * QUARTER)
    pianist.play(72)
    pianist.hands.on_note(74, True)
    pianist.click.advance(QUARTER / 2)
    look(user.app)
    assert pianist.dialog.position.text() == "Bar 1 · 2"
    picture = user.roll.picture
    assert picture is not None
    assert [(n.start, n.stop, n.pitch) for n in picture.notes] == [(0, 4, 72), (4, 6, 74)]
    pianist.click.advance(QUARTER / 2)
    pianist.dialog.start_button.click()

    piece = user.piece
    assert piece.pitches[:, 0].tolist() == [72] * 4 + [74] * 4
    assert (piece.pitches[:, 1:] == REST).all()
    assert (piece.tempo, piece.meter) == (120, Meter())
    assert user.state == with_keys(midi_recording.DONE["melody"])
    assert user.window.isWindowModified()
    assert user.app.midi_recording.dialog is None
    assert not pianist.click.running
    assert pianist.hands.opened[-1].closed
    user.commands.undo.trigger()
    assert user.document.piece is PIECE


def test_quantised_notes_are_reported_with_their_bars(user: User, pianist: Pianist) -> None:
    pianist.begin()
    for pitch in (72, 74, 76):
        pianist.play(pitch, QUARTER * 2 / 3)
    QTest.keyClick(pianist.dialog, Qt.Key.Key_Return)

    message = user.message
    assert message.startswith("The recording was changed: notes off the sixteenth-note grid")
    assert message.endswith("in bar 1")
    assert user.piece.onsets[:, 0].sum() == 3


def test_recording_shows_the_roll_in_place_of_the_score(
    window: MainWindow, dialog: RecordingDialog
) -> None:
    window.commands.score.trigger()
    seen = [window.compose_page.shown]
    dialog.start_button.click()
    seen.append(window.compose_page.shown)
    assert seen == [window.compose_page.score, window.compose_page.roll]
    dialog.cancel_button.click()


def test_esc_ends_a_recording_and_keeps_it(user: User, pianist: Pianist) -> None:
    pianist.begin()
    pianist.play(60)
    QTest.keyClick(pianist.dialog, Qt.Key.Key_Escape)
    assert user.piece.pitches[:, 0].tolist() == [60] * 4


@pytest.mark.parametrize("how", ["discarded", "nothing played", "closed"])
def test_discarded_recording_restores_the_piece(how: str, user: User, pianist: Pianist) -> None:
    pianist.begin(5)
    if how != "nothing played":
        pianist.play(72)
    look(user.app)
    assert user.page.title.text() == "Played melody"
    {
        "discarded": pianist.dialog.cancel_button.click,
        "nothing played": pianist.dialog.start_button.click,
        "closed": user.window.close,
    }[how]()

    assert user.document.piece is PIECE
    assert user.page.title.text() == "Air"
    picture = user.roll.picture
    assert picture is not None
    assert {note.voice for note in picture.notes} == {0, 1, 2, 3}
    assert user.app.player.chorale is PIECE
    states = {"discarded": midi_recording.DISCARDED, "nothing played": midi_recording.NOTHING}
    assert user.state == states.get(how, user.state)
    assert user.app.midi_recording.dialog is None


def test_list_of_keyboards_is_updated(
    app: AppController, dialog: RecordingDialog, hands: FakeKeyboards
) -> None:
    hands.on_note(60, True)
    look(app)
    assert dialog.last_key.text() == "Received C4"
    hands.names.clear()
    look(app)
    assert dialog.problem.text().lower() == NO_KEYBOARD.lower()
    assert not dialog.start_button.isEnabled()
    assert hands.opened[-1].closed
    hands.names += ["Organ", "Piano"]
    look(app)
    assert dialog.port.currentText() == "Organ"
    assert dialog.start_button.isEnabled()
    assert dialog.problem.isHidden()
    assert dialog.last_key.text() == NO_KEY
    dialog.port.setCurrentText("Piano")
    assert [port.closed for port in hands.opened] == [True, True, False]
    dialog.reject()


def test_busy_keyboard_is_tried_again(
    app: AppController, dialog: RecordingDialog, hands: FakeKeyboards
) -> None:
    hands.names[:] = ["Gone"]
    look(app)
    assert dialog.problem.text() == "The MIDI port Gone does not open"
    assert not dialog.start_button.isEnabled()
    look(app)
    assert dialog.problem.text() == "The MIDI port Gone does not open"
    hands.names[:] = ["Gone", "Piano"]
    look(app)
    dialog.port.setCurrentText("Piano")
    assert dialog.start_button.isEnabled()
    dialog.reject()


def test_unplugged_keyboard_keeps_the_recorded_notes(user: User, pianist: Pianist) -> None:
    pianist.begin()
    pianist.play(72)
    pianist.hands.names.clear()
    look(user.app)
    assert user.piece.pitches[:, 0].tolist() == [72] * 4
    assert user.message.startswith("The MIDI port Piano was disconnected; the notes")


def test_without_a_sound_device_the_count_in_is_shown(pianist: Pianist) -> None:
    pianist.click.missing = "no sound: connect a device"
    pianist.dialog.start_button.click()
    assert pianist.dialog.position.text() == "Count-in 1"
    assert pianist.dialog.remark.text() == "no sound: connect a device"
    pianist.dialog.cancel_button.click()


def test_chords_are_shared_among_the_voices(user: User, pianist: Pianist) -> None:
    pianist.dialog.kind.setCurrentIndex(1)
    assert not pianist.dialog.voice.isEnabled()
    pianist.begin()
    for pitch in (48, 64, 67, 72):
        pianist.hands.on_note(pitch, True)
    pianist.click.advance(QUARTER)
    pianist.dialog.start_button.click()
    assert user.piece.pitches[0].tolist() == [72, 67, 64, 48]
    assert user.state == midi_recording.DONE["chords"]
    assert user.page.banner.isHidden()


def test_settings_of_a_recording(user: User, hands: FakeKeyboards, click: ManualOutput) -> None:
    user.form.meter.setCurrentText("3/4")
    user.form.key.setCurrentText("F major")
    user.act.record.trigger()
    dialog = user.app.midi_recording.dialog
    assert dialog is not None
    dialog.voice.setCurrentIndex(int(Voice.BASS))
    dialog.tempo.setValue(120)
    dialog.start_button.click()
    click.advance(3 * QUARTER)
    hands.play(click, 53, QUARTER)
    dialog.start_button.click()
    piece = user.piece
    assert (piece.meter, str(piece.key)) == (Meter(3, 4), "F major")
    assert piece.pitches[:, 3].tolist() == [53] * 4


def test_harmonise_dialog_records_a_melody(
    app: AppController, hands: FakeKeyboards, click: ManualOutput
) -> None:
    app.window.commands.rewriting.harmonise.trigger()
    asks = harmonise_dialog(app)
    assert asks is not None
    asks.play.click()
    dialog = app.midi_recording.dialog
    assert harmonise_dialog(app) is None
    assert dialog is not None
    dialog.tempo.setValue(120)
    dialog.start_button.click()
    click.advance(4 * QUARTER)
    hands.play(click, 72, QUARTER)
    dialog.start_button.click()

    again = harmonise_dialog(app)
    assert again is not None
    assert again.chosen().title == "Current piece: Played melody"
    again.reject()


def test_nothing_is_recorded_during_generation(user: User) -> None:
    user.hold(8)
    assert user.act.record.toolTip() == GENERATING
    user.app.midi_recording.ask()
    assert opened(user.app) is None
    user.stop()
    user.act.record.trigger()
    first = opened(user.app)
    user.app.midi_recording.ask()
    assert opened(user.app) is first is not None
    first.reject()
