"""Sound, playhead, loop and mixer, as their user meets them."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QToolTip
from pytestqt.qtbot import QtBot
from tests.ui.controllers.test_compose_controller import generate, hold, stop

from musicrel.chorale import Chorale
from musicrel.playback import midi_port, midi_system
from musicrel.playback.midi_port import MidiPort
from musicrel.playback.player import Player
from musicrel.presentation.roll.selection import Selection
from musicrel.ui.app_controller import House
from musicrel.ui.controllers.playback_controller import NOT_DONE, NOTHING_YET
from musicrel.ui.roll.roll_cursor import RULER_TIP
from musicrel.ui.roll.roll_paint import KEYBOARD_WIDTH, RULER_HEIGHT
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.sound import FakePort, ManualOutput, QuickClock
from tests.ui.fakes import FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def player(house: House, window: MainWindow) -> Player:
    window.resize(1320, 840)
    return house.listening._player


def piece(bars: int, tempo: float = 80.0) -> Chorale:
    return Chorale.of(np.full((16 * bars, 4), [72, 67, 64, 48]), tempo=tempo, title="Made")


def show(house: House, bars: int = 8, tempo: float = 80.0) -> None:
    """Put a piece on the sheet."""
    house.studio.show_piece(piece(bars, tempo), None, "", saved=True)


def sound(player: Player, output: ManualOutput, seconds: float) -> None:
    """Let the sound be made and the time pass."""
    while player.work():
        pass
    output.turn(seconds)


def loop(player: Player) -> tuple[float, float] | None:
    """What it repeats now."""
    return player.loop


def region(house: House) -> tuple[float, float] | None:
    """What the ruler shows as the loop."""
    return house.listening.cursor.region


def at(window: MainWindow, step: float, *, ruler: bool = True) -> QPoint:
    """A point of the roll; below the ruler one on empty paper."""
    view = window.page.roll.seen
    y = RULER_HEIGHT // 2 if ruler else RULER_HEIGHT + round(view.y(80)) + 3
    return QPoint(KEYBOARD_WIDTH + round(view.x(step)) + 1, y)


def test_nothing_to_play_is_said(house: House, window: MainWindow) -> None:
    """By every button of the transport."""
    act = window.commands.play
    for action in (act.play, act.stop, act.start, act.loop):
        assert not action.isEnabled()
        assert action.toolTip() == NOTHING_YET
    assert house.listening.cursor.step is None


def test_space_plays_and_pauses(
    house: House, window: MainWindow, player: Player, output: ManualOutput
) -> None:
    """The playhead goes with the device's time and stays where it was paused."""
    show(house)
    QTest.keyClick(window, Qt.Key.Key_Space)
    assert window.commands.play.play.text() == "&Pause"
    sound(player, output, 1.5)
    house.listening._tick()

    assert house.listening.cursor.step == pytest.approx(8.0, abs=0.01)
    assert (window.listening.transport.place, window.listening.transport.time) == (
        "1.3",
        "0:01 / 0:24",
    )
    QTest.keyClick(window, Qt.Key.Key_Space)
    assert not player.playing
    assert house.listening.cursor.step == pytest.approx(8.0, abs=0.01)
    assert not house.listening._timer.isActive()


def test_end_of_the_piece_ends_the_playing(
    house: House, window: MainWindow, player: Player, output: ManualOutput
) -> None:
    """The button says Play again, and that is from the beginning."""
    show(house, bars=1)
    house.listening.toggle()
    for _ in range(10):
        sound(player, output, 1.0)
    house.listening._tick()

    assert window.commands.play.play.text() == "&Play"
    assert window.listening.transport.place == "1.4"
    house.listening.toggle()
    assert player.position == 0


def test_space_plays_wherever_the_mouse_has_clicked(
    house: House, window: MainWindow, player: Player, qtbot: QtBot
) -> None:
    """After Generate was clicked, or a number was typed; the button is not pressed once more."""
    generate(qtbot, window)
    entries = window.page.controls.entries
    QTest.mouseClick(entries.bars.lineEdit(), LEFT)
    entries.bars.setFocus()
    QTest.keyClick(entries.bars, Qt.Key.Key_Space)
    assert player.playing

    window.page.controls.main.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(window.page.controls.main, Qt.Key.Key_Space)
    assert player.playing, "a button reached by Tab keeps its space bar"
    qtbot.waitUntil(lambda: not house.studio.busy)
    assert window.page.controls.main.focusPolicy() == Qt.FocusPolicy.TabFocus
    boxes = window.page.controls.findChildren(QComboBox)
    assert {box.focusPolicy() for box in boxes} == {Qt.FocusPolicy.TabFocus}


def test_click_in_the_ruler_seeks_a_beat(house: House, window: MainWindow, player: Player) -> None:
    """The nearest one."""
    show(house)
    QTest.mouseClick(window.page.roll.viewport(), LEFT, pos=at(window, 32.8))

    assert player.position == pytest.approx(32, abs=0.01)
    assert house.listening.cursor.step == player.position


def test_click_on_empty_paper_seeks_its_sixteenth(
    house: House, window: MainWindow, player: Player
) -> None:
    """A click on a note does not: that selects it."""
    show(house)
    QTest.mouseClick(window.page.roll.viewport(), LEFT, pos=at(window, 30.2, ruler=False))
    assert player.position == pytest.approx(30, abs=0.01)

    view = window.page.roll.seen
    on_note = QPoint(KEYBOARD_WIDTH + round(view.x(8)), RULER_HEIGHT + round(view.y(72)) + 3)
    QTest.mouseClick(window.page.roll.viewport(), LEFT, pos=on_note)
    assert player.position == pytest.approx(30, abs=0.01)


def test_drag_in_the_ruler_makes_the_loop(house: House, window: MainWindow, player: Player) -> None:
    """On whole beats, and turns it on; dragging backwards does the same."""
    show(house)
    port = window.page.roll.viewport()
    QTest.mousePress(port, LEFT, pos=at(window, 63.2))
    QTest.mouseMove(port, at(window, 50))
    QTest.mouseMove(port, at(window, 32.3))
    QTest.mouseRelease(port, LEFT, pos=at(window, 32.3))

    assert loop(player) == (32, 64)
    assert region(house) == (32, 64)
    assert window.commands.play.loop.isChecked()
    assert player.position == 0, "a drag is no click"
    window.commands.play.loop.trigger()
    assert loop(player) is None
    assert region(house) == (32, 64), "it is remembered"


def test_loop_by_keyboard(house: House, window: MainWindow, player: Player) -> None:
    """Brackets set its ends at the playhead; Ctrl+L alone repeats what is selected, or all."""
    show(house)
    player.seek(16)
    QTest.keyClick(window, Qt.Key.Key_BracketLeft)
    player.seek(48)
    QTest.keyClick(window, Qt.Key.Key_BracketRight)
    assert loop(player) == (16, 48)

    window.page.selecting.select(Selection(voices=(0,), start=4, stop=12))
    window.commands.play.loop_selection.trigger()
    assert loop(player) == (4, 12)


def test_loop_without_a_region_repeats_all(
    house: House, window: MainWindow, player: Player
) -> None:
    """Of a shorter piece that comes then, all of that."""
    show(house)
    QTest.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    assert loop(player) == (0, 128)

    show(house, bars=4)
    assert loop(player) == (0, 64)


def test_stop_goes_back_to_where_it_began(house: House, window: MainWindow, player: Player) -> None:
    """The loop's beginning, or the piece's; Ctrl+Home is the piece's always."""
    show(house)
    house.listening.drag_loop(32, 64)
    player.seek(40)
    window.commands.play.stop.trigger()
    assert player.position == pytest.approx(32, abs=0.01)

    window.commands.play.start.trigger()
    assert player.position == 0
    window.commands.play.forward.trigger()
    window.commands.play.forward.trigger()
    window.commands.play.back.trigger()
    assert player.position == pytest.approx(4, abs=0.01)


def test_writing_anew_never_moves_the_playhead(
    house: House, window: MainWindow, player: Player, qtbot: QtBot
) -> None:
    """Nor does it stop what plays; the old piece is heard until the new one is there."""
    generate(qtbot, window)
    player.seek(20)
    house.listening.toggle()
    generate(qtbot, window)

    assert player.position == pytest.approx(20, abs=0.01)
    assert player.playing
    assert player.chorale is house.studio.piece


def test_unfinished_piece_cannot_be_begun(
    house: House, window: MainWindow, player: Player, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """What plays may be paused; why it cannot be played again is said."""
    generate(qtbot, window)
    house.listening.toggle()
    hold(qtbot, window, jobs, 40)
    assert window.commands.play.play.isEnabled()
    house.listening.toggle()

    assert not player.playing
    assert window.commands.play.play.toolTip() == NOT_DONE
    house.listening.seek(3, True)
    assert player.position == 0
    stop(qtbot, window, jobs)
    assert window.commands.play.play.isEnabled()


def test_tempo_and_fermatas_are_heard_and_counted(
    house: House, window: MainWindow, player: Player
) -> None:
    """The playhead stays at its step."""
    show(house)
    player.seek(64)
    window.listening.transport.tempo.setValue(160)
    assert player.style.tempo_factor == 2
    assert window.listening.transport.time == "0:06 / 0:12"
    assert player.position == pytest.approx(64, abs=0.01)

    window.commands.play.fermatas.trigger()
    assert player.style.fermata_stretch == 1
    show(house, tempo=100)
    assert window.listening.transport.tempo.value() == 100
    assert player.style.tempo_factor == 1


def test_mixer_is_heard(house: House, window: MainWindow, player: Player) -> None:
    """Strips, master and instrument; names of voices that are silent are faint."""
    alto, tenor = window.listening.mixer.strips[1:3]
    alto.mute.click()
    assert player.mix.strips[1].mute
    tenor.solo.click()
    assert not window.listening.mixer.strips[0]._name.isEnabled()
    assert tenor._name.isEnabled()

    tenor.volume.setValue(50)
    tenor.pan.setValue(-100)
    window.listening.mixer.volume.setValue(150)
    window.listening.mixer.sound.setCurrentIndex(1)
    strip = player.mix.strips[2]
    assert (strip.volume, strip.pan) == (0.5, -1)
    assert (player.mix.volume, player.mix.sound) == (1.5, "organ")
    QTest.mouseDClick(tenor.pan, LEFT)
    assert player.mix.strips[2].pan == 0
    del house


def test_mixer_can_be_put_away(house: House, window: MainWindow) -> None:
    """The roll takes its room."""
    window.commands.play.mixer.trigger()

    assert window.listening.mixer.isHidden()
    del house


def test_missing_device_is_said_once_and_the_playhead_moves(
    house: House, window: MainWindow, player: Player, output: ManualOutput
) -> None:
    """In the banner, and as long as it lasts by a sign; pressing play says it again."""
    output.missing = "no sound: there is no device"
    show(house)
    house.listening.toggle()
    while player.work():
        pass
    house.listening._tick()
    assert window.page.banner.sentence == "No sound: there is no device"
    assert window.listening.transport.silent == "No sound: there is no device"

    window.page.banner.hide()
    house.listening._tick()
    assert window.page.banner.sentence == ""
    assert player.playing


def test_scrolling_by_hand_ends_following(house: House, window: MainWindow, player: Player) -> None:
    """Until play is pressed again."""
    show(house, bars=64)
    house.listening.toggle()
    window.page.roll.zoom_in()
    bar = window.page.roll.horizontalScrollBar()
    bar.triggerAction(bar.SliderAction.SliderToMaximum)
    far = window.page.roll.seen.left
    house.listening._tick()
    assert window.page.roll.seen.left == far > 0

    house.listening.toggle()
    house.listening.toggle()
    assert window.page.roll.seen.left < far
    del player


def test_ports_are_offered_and_used(
    house: House, window: MainWindow, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of them instead of the sound; panic leaves no note there, and closing gives it back."""
    clock = QuickClock()
    port = FakePort(clock)
    monkeypatch.setattr(midi_port, "ports", lambda: (["Synth & Co"], ""))
    monkeypatch.setattr(midi_port, "open_port", lambda name: MidiPort(port, name, clock=clock))
    menu = window.commands.play.ports
    menu.aboutToShow.emit()
    menu.actions()[1].trigger()
    assert player._follower is house.listening.midi.port is not None

    show(house)
    window.commands.play.panic.trigger()
    assert {message.control for _, message in port.of("control_change")} >= {123}
    window.close()
    assert port.closed


def test_missing_ports_are_explained(
    house: House, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By an entry that cannot be chosen."""
    monkeypatch.setattr(midi_port, "ports", lambda: ([], midi_system.NO_SYSTEM))
    menu = window.commands.play.ports
    menu.aboutToShow.emit()

    assert not menu.actions()[-1].isEnabled()
    assert "no MIDI system" in menu.actions()[-1].text()
    del house


def test_ruler_says_what_it_is_for(house: House, window: MainWindow, qtbot: QtBot) -> None:
    """In its tooltip."""
    show(house)
    port = window.page.roll.viewport()
    place = at(window, 3)
    event = QHelpEvent(QEvent.Type.ToolTip, place, port.mapToGlobal(place))
    QApplication.sendEvent(port, event)
    qtbot.waitUntil(lambda: QToolTip.text() == RULER_TIP)
    QToolTip.hideText()


def test_playhead_is_drawn_where_it_is(house: House, window: MainWindow, player: Player) -> None:
    """A line in the colour of text at its step, and nowhere else in its lane."""
    show(house)
    player.seek(20)
    house.listening._tick()
    image = window.page.roll.viewport().grab().toImage()
    x = KEYBOARD_WIDTH + round(window.page.roll.seen.x(20))

    assert image.pixelColor(x, RULER_HEIGHT + 4).lightness() < 60
    assert image.pixelColor(x + 12, RULER_HEIGHT + 4).lightness() > 200


def test_closing_while_playing_ends_all(house: House, window: MainWindow, player: Player) -> None:
    """No timer goes on."""
    show(house)
    house.listening.toggle()
    window.close()

    assert not house.listening._timer.isActive()
    assert not player.playing
    assert house.all_ended
