"""Playing on a MIDI keyboard, as its user meets it, without one."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from tests.ui.controllers.test_compose_controller import hold, stop

from musicrel.chorale import REST, Chorale, Meter, Voice
from musicrel.playback.keyboard import NO_KEYBOARD
from musicrel.presentation.compose import recording_view
from musicrel.ui.app_controller import House
from musicrel.ui.compose.harmonise_dialog import HarmoniseDialog
from musicrel.ui.controllers.compose_controller import NOT_DONE
from musicrel.ui.playback.recording_dialog import PlayDialog
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.sound import Hands, ManualOutput
from tests.ui.fakes import FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

PIECE = Chorale.of([(72, 67, 64, 48)] * 32, title="Air")
QUARTER = 0.5
"""Seconds at 120."""


@pytest.fixture
def dialog(house: House, window: MainWindow) -> PlayDialog:
    """What asks; a piece is on the sheet."""
    house.studio.show_piece(PIECE, None, "", saved=True)
    window.commands.rewriting.play.trigger()
    assert house.playing.dialog is not None
    house.playing.dialog.tempo.setValue(120)
    return house.playing.dialog


def opened(house: House) -> PlayDialog | None:
    """The dialog, while it is open."""
    return house.playing.dialog


def harmonise_dialog(house: House) -> HarmoniseDialog | None:
    """The one that follows, while it is open."""
    return house.harmonising.dialog


def look(house: House) -> None:
    """Let as much time pass as it takes to look at keyboards and keys."""
    for _ in range(25):
        house.playing._tick()


def sheet(house: House) -> Chorale:
    """What is on it."""
    assert house.studio.piece is not None
    return house.studio.piece


def test_one_plays_and_the_notes_appear_and_stay(
    house: House, window: MainWindow, dialog: PlayDialog, hands: Hands, click: ManualOutput
) -> None:
    """After the count-in; the piece is one step that can be undone."""
    dialog.begin.click()
    assert dialog.place.text() == "Count-in 1"
    click.turn(4 * QUARTER)
    hands.play(click, 72, QUARTER)
    hands.hear(74, True)
    click.turn(QUARTER / 2)
    look(house)
    assert dialog.place.text() == "Bar 1 · 2"
    picture = window.page.roll.picture
    assert picture is not None
    assert [(n.start, n.stop, n.pitch) for n in picture.notes] == [(0, 4, 72), (4, 6, 74)]
    click.turn(QUARTER / 2)
    dialog.begin.click()

    piece = sheet(house)
    assert piece.pitches[:, 0].tolist() == [72] * 4 + [74] * 4
    assert (piece.pitches[:, 1:] == REST).all()
    assert (piece.tempo, piece.meter, window.state) == (120, Meter(), recording_view.DONE["melody"])
    assert window.isWindowModified()
    assert opened(house) is None
    assert not click.running
    assert hands.opened[-1].closed
    window.commands.undo.trigger()
    assert house.studio.piece is PIECE


def test_notes_between_the_sixteenths_are_told_with_their_bars(
    house: House, window: MainWindow, dialog: PlayDialog, hands: Hands, click: ManualOutput
) -> None:
    """In the banner, as of a file."""
    dialog.begin.click()
    click.turn(4 * QUARTER)
    for pitch in (72, 74, 76):
        hands.play(click, pitch, QUARTER * 2 / 3)
    QTest.keyClick(dialog, Qt.Key.Key_Return)

    told = window.page.banner.sentence
    assert told.startswith("What was played is on the sheet, but notes between two sixteenths")
    assert told.endswith("in bar 1")
    assert sheet(house).onsets[:, 0].sum() == 3


def test_one_plays_on_the_roll_even_where_the_score_was_seen(
    window: MainWindow, dialog: PlayDialog
) -> None:
    """There the notes appear."""
    window.commands.score.trigger()
    seen = [window.page.shown]
    dialog.begin.click()
    seen.append(window.page.shown)
    assert seen == [window.page.score, window.page.roll]
    dialog.leave.click()


def test_esc_ends_a_take_and_keeps_it(
    house: House, dialog: PlayDialog, hands: Hands, click: ManualOutput
) -> None:
    """Nothing is lost by a key."""
    dialog.begin.click()
    click.turn(4 * QUARTER)
    hands.play(click, 60, QUARTER)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert sheet(house).pitches[:, 0].tolist() == [60] * 4


@pytest.mark.parametrize("how", ["discarded", "nothing played", "closed"])
def test_what_comes_to_nothing_leaves_the_sheet_as_it_was(
    how: str,
    *,
    house: House,
    window: MainWindow,
    dialog: PlayDialog,
    hands: Hands,
    click: ManualOutput,
) -> None:
    """Picture, heading and sound too."""
    dialog.begin.click()
    click.turn(5 * QUARTER)
    if how != "nothing played":
        hands.play(click, 72, QUARTER)
    look(house)
    assert window.page.title.whole == "Played melody"
    {"discarded": dialog.leave.click, "nothing played": dialog.begin.click, "closed": window.close}[
        how
    ]()

    assert house.studio.piece is PIECE
    assert window.page.title.whole == "Air"
    picture = window.page.roll.picture
    assert picture is not None
    assert {note.voice for note in picture.notes} == {0, 1, 2, 3}
    assert house.listening._player.chorale is PIECE
    told = {"discarded": recording_view.DISCARDED, "nothing played": recording_view.NOTHING}
    assert window.state == told.get(how, window.state)
    assert opened(house) is None


def test_keyboards_come_and_go_while_the_dialog_is_open(
    house: House, dialog: PlayDialog, hands: Hands
) -> None:
    """Where there is none, one sentence says so and there is no beginning."""
    hands.hear(60, True)
    look(house)
    assert dialog.heard.text() == "Heard C4"
    hands.names.clear()
    look(house)
    assert dialog.problem.text().lower() == NO_KEYBOARD.lower()
    assert not dialog.begin.isEnabled()
    assert hands.opened[-1].closed
    hands.names += ["Organ", "Piano"]
    look(house)
    assert dialog.port.currentText() == "Organ"
    assert dialog.begin.isEnabled()
    assert dialog.problem.isHidden()
    assert dialog.heard.text() == recording_view.NO_KEY
    dialog.port.setCurrentText("Piano")
    assert [port.closed for port in hands.opened] == [True, True, False]
    dialog.reject()


def test_a_keyboard_that_another_program_has_is_tried_again(
    house: House, dialog: PlayDialog, hands: Hands
) -> None:
    """Until it opens, or another is chosen."""
    hands.names[:] = ["Gone"]
    look(house)
    assert dialog.problem.text() == "The MIDI port Gone does not open"
    assert not dialog.begin.isEnabled()
    look(house)
    assert dialog.problem.text() == "The MIDI port Gone does not open"
    hands.names[:] = ["Gone", "Piano"]
    look(house)
    dialog.port.setCurrentText("Piano")
    assert dialog.begin.isEnabled()
    dialog.reject()


def test_a_keyboard_unplugged_while_one_plays_keeps_what_there_is(
    house: House, window: MainWindow, dialog: PlayDialog, hands: Hands, click: ManualOutput
) -> None:
    """And says so."""
    dialog.begin.click()
    click.turn(4 * QUARTER)
    hands.play(click, 72, QUARTER)
    hands.names.clear()
    look(house)
    assert sheet(house).pitches[:, 0].tolist() == [72] * 4
    assert window.page.banner.sentence.startswith("The MIDI port Piano is gone; what was played")


def test_without_a_sound_device_the_count_is_seen(dialog: PlayDialog, click: ManualOutput) -> None:
    """With the reason."""
    click.missing = "no sound: connect a device"
    dialog.begin.click()
    assert dialog.place.text() == "Count-in 1"
    assert dialog.aside.text() == "no sound: connect a device"
    dialog.leave.click()


def test_chords_are_sung_by_all(
    house: House, window: MainWindow, dialog: PlayDialog, hands: Hands, click: ManualOutput
) -> None:
    """By none in particular, and clean ones are on the sheet without a warning."""
    dialog.kind.setCurrentIndex(1)
    assert not dialog.voice.isEnabled()
    dialog.begin.click()
    click.turn(4 * QUARTER)
    for pitch in (48, 64, 67, 72):
        hands.hear(pitch, True)
    click.turn(QUARTER)
    dialog.begin.click()
    assert sheet(house).pitches[0].tolist() == [72, 67, 64, 48]
    assert window.state == recording_view.DONE["chords"]
    assert window.page.banner.isHidden()


def test_form_and_entries_say_meter_voice_and_key(
    house: House, window: MainWindow, hands: Hands, click: ManualOutput
) -> None:
    """The meter is that of the form unless another is chosen."""
    window.page.controls.entries.meter.setCurrentText("3/4")
    window.page.controls.entries.key.setCurrentText("F major")
    window.commands.rewriting.play.trigger()
    dialog = house.playing.dialog
    assert dialog is not None
    dialog.voice.setCurrentIndex(int(Voice.BASS))
    dialog.tempo.setValue(120)
    dialog.begin.click()
    click.turn(3 * QUARTER)
    hands.play(click, 53, QUARTER)
    dialog.begin.click()
    piece = sheet(house)
    assert (piece.meter, str(piece.key)) == (Meter(3, 4), "F major")
    assert piece.pitches[:, 3].tolist() == [53] * 4


def test_harmonise_has_a_melody_played_first(
    house: House, window: MainWindow, hands: Hands, click: ManualOutput
) -> None:
    """And asks again when it is there."""
    window.commands.rewriting.harmonise.trigger()
    asks = harmonise_dialog(house)
    assert asks is not None
    asks.play.click()
    dialog = house.playing.dialog
    assert harmonise_dialog(house) is None
    assert dialog is not None
    dialog.tempo.setValue(120)
    dialog.begin.click()
    click.turn(4 * QUARTER)
    hands.play(click, 72, QUARTER)
    dialog.begin.click()

    again = harmonise_dialog(house)
    assert again is not None
    assert again.asked.source.title == "On the roll: Played melody"
    again.reject()


def test_nobody_plays_into_what_is_being_written(
    house: House, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The command says why; it opens one dialog at most."""
    hold(qtbot, window, jobs, 8)
    assert window.commands.rewriting.play.toolTip() == NOT_DONE
    house.playing.ask()
    assert opened(house) is None
    stop(qtbot, window, jobs)
    window.commands.rewriting.play.trigger()
    first = opened(house)
    house.playing.ask()
    assert opened(house) is first is not None
    first.reject()
