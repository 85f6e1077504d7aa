"""Playback: transport, mixer, devices and MIDI ports."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale, Meter
from musicrel.playback import midi_port, midi_system
from musicrel.playback.midi_port import MidiPort
from musicrel.playback.player import Player
from musicrel.project.contents import Contents
from musicrel.ui.app_controller import AppController
from musicrel.ui.controllers.playback_controller import NOTHING_YET
from musicrel.ui.document.document import GENERATING
from musicrel.ui.playback.transport_bar import COUNT_IN
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.sound import FakePort, ManualOutput, SimulatedClock
from tests.ui.controllers.user_actions import PIECE, generate, hold, show_chords, stop
from tests.ui.fakes import FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints
LEFT = Qt.MouseButton.LeftButton


def sound(player: Player, output: ManualOutput, seconds: float) -> None:
    """Render audio, so that time passes."""
    while player.work():
        pass
    output.advance(seconds)


def test_without_a_piece_the_transport_is_disabled(
    app_controller: AppController, window: MainWindow
) -> None:
    """Every button gives the reason."""
    act = window.commands.play
    for action in (act.play, act.stop, act.start, act.loop):
        assert not action.isEnabled()
        assert action.toolTip() == NOTHING_YET
    assert app_controller.playback.playhead.step is None


def test_space_plays_and_pauses(
    app_controller: AppController, window: MainWindow, player: Player, output: ManualOutput
) -> None:
    """The playhead follows the device's time and stays where it was paused."""
    show_chords(app_controller)
    QTest.keyClick(window, Qt.Key.Key_Space)
    assert window.commands.play.play.text() == "&Pause"
    sound(player, output, 1.5)
    app_controller.playback.tick()

    assert app_controller.playback.playhead.step == pytest.approx(8.0, abs=0.01)
    assert (window.playback.transport.position, window.playback.transport.time) == (
        "1.3",
        "0:01 / 0:24",
    )
    QTest.keyClick(window, Qt.Key.Key_Space)
    assert not player.playing
    assert app_controller.playback.playhead.step == pytest.approx(8.0, abs=0.01)


def test_playback_ends_with_the_piece(
    app_controller: AppController, window: MainWindow, player: Player, output: ManualOutput
) -> None:
    """The button becomes Play, which starts from the beginning."""
    show_chords(app_controller, bars=1)
    app_controller.playback.toggle()
    for _ in range(10):
        sound(player, output, 1.0)
    app_controller.playback.tick()

    assert window.commands.play.play.text() == "&Play"
    assert window.playback.transport.position == "1.4"
    app_controller.playback.toggle()
    assert player.position == 0


def test_space_plays_after_clicks_elsewhere(
    app_controller: AppController, window: MainWindow, player: Player, qtbot: QtBot
) -> None:
    """A clicked button or field does not take the key."""
    generate(qtbot, window)
    compose_form = window.compose_page.controls.compose_form
    QTest.mouseClick(compose_form.bars.lineEdit(), LEFT)
    compose_form.bars.setFocus()
    QTest.keyClick(compose_form.bars, Qt.Key.Key_Space)
    assert player.playing

    window.compose_page.controls.generate_button.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(window.compose_page.controls.generate_button, Qt.Key.Key_Space)
    assert player.playing, "a button reached by Tab keeps its space bar"
    qtbot.waitUntil(lambda: not app_controller.document.generating)
    assert window.compose_page.controls.generate_button.focusPolicy() == Qt.FocusPolicy.TabFocus
    boxes = window.compose_page.controls.findChildren(QComboBox)
    assert {box.focusPolicy() for box in boxes} == {Qt.FocusPolicy.TabFocus}


def test_a_generated_piece_begins_at_its_beginning(
    app_controller: AppController,
    window: MainWindow,
    player: Player,
    jobs: FakeJobs,
    qtbot: QtBot,
) -> None:
    """The old piece plays on until the new one is finished, which then plays."""
    generate(qtbot, window)
    player.seek(20)
    app_controller.playback.toggle()
    hold(qtbot, window, jobs, 40)
    assert player.position == pytest.approx(20, abs=0.01)
    jobs.gate.set()
    qtbot.waitUntil(lambda: not app_controller.document.generating)

    assert player.position == pytest.approx(0, abs=0.01)
    assert player.playing
    assert player.chorale is app_controller.document.piece


def test_a_stopped_playhead_returns_for_a_new_piece(
    app_controller: AppController, window: MainWindow, player: Player, qtbot: QtBot
) -> None:
    """So does the playhead on the roll; a loop begins at its own beginning, as with Stop."""
    generate(qtbot, window)
    app_controller.playback.seek(20, in_ruler=False)
    generate(qtbot, window)
    assert (player.position, app_controller.playback.playhead.step) == (0, 0)

    app_controller.playback.drag_loop(8, 16)
    app_controller.playback.seek(20, in_ruler=False)
    generate(qtbot, window)
    assert player.position == 8


def test_a_changed_piece_leaves_the_playhead(
    app_controller: AppController, window: MainWindow, player: Player, qtbot: QtBot
) -> None:
    """So that both are listened to from the same place."""
    generate(qtbot, window)
    generate(qtbot, window)
    app_controller.playback.seek(20, in_ruler=False)
    app_controller.document.undo()
    assert player.position == 20

    app_controller.document.show_piece(PIECE)
    assert player.position == 20


def test_another_document_begins_at_its_beginning(
    app_controller: AppController, window: MainWindow, player: Player, qtbot: QtBot
) -> None:
    """The first piece of a new document does, too."""
    document = app_controller.document
    generate(qtbot, window)
    app_controller.playback.seek(20, in_ruler=False)
    document.restore(document.contents({}), saved=True)
    assert player.position == 0

    app_controller.playback.seek(20, in_ruler=False)
    document.restore(Contents(), saved=True)
    document.show_piece(PIECE, action="opened")
    assert player.position == 0


def test_playback_cannot_start_during_generation(
    app_controller: AppController, window: MainWindow, player: Player, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Running playback can be paused; the tooltip gives the reason."""
    generate(qtbot, window)
    app_controller.playback.toggle()
    hold(qtbot, window, jobs, 40)
    assert window.commands.play.play.isEnabled()
    app_controller.playback.toggle()

    assert not player.playing
    assert window.commands.play.play.toolTip() == GENERATING
    app_controller.playback.seek(3, True)
    assert player.position == 0
    stop(qtbot, window, jobs)
    assert window.commands.play.play.isEnabled()


def test_tempo_and_fermatas_change_the_time(
    app_controller: AppController, window: MainWindow, player: Player
) -> None:
    """The playhead stays at its step."""
    show_chords(app_controller)
    player.seek(64)
    window.playback.transport.tempo.setValue(160)
    assert player.style.tempo_factor == 2
    assert window.playback.transport.time == "0:06 / 0:12"
    assert player.position == pytest.approx(64, abs=0.01)

    window.commands.play.fermatas.trigger()
    assert player.style.fermata_stretch == 1
    show_chords(app_controller, tempo=100)
    assert window.playback.transport.tempo.value() == 100
    assert player.style.tempo_factor == 1


def test_mixer_changes_the_sound(
    app_controller: AppController, window: MainWindow, player: Player
) -> None:
    """Strips, volume and instrument apply; names of muted voices are disabled."""
    alto, tenor = window.playback.mixer.strips[1:3]
    alto.mute.click()
    assert player.mix.strips[1].mute
    tenor.solo.click()
    assert not window.playback.mixer.strips[0].findChildren(QLabel, "label")[0].isEnabled()
    assert tenor.findChildren(QLabel, "label")[0].isEnabled()

    tenor.volume.setValue(50)
    tenor.pan.setValue(-100)
    window.playback.mixer.volume.setValue(150)
    window.playback.mixer.sound.setCurrentIndex(1)
    strip = player.mix.strips[2]
    assert (strip.volume, strip.pan) == (0.5, -1)
    assert (player.mix.volume, player.mix.sounds) == (1.5, ("organ",) * 4)
    QTest.mouseDClick(tenor.pan, LEFT)
    assert player.mix.strips[2].pan == 0
    del app_controller


def test_mixer_can_be_hidden(app_controller: AppController, window: MainWindow) -> None:
    """The roll uses its space."""
    window.commands.play.mixer.trigger()

    assert window.playback.mixer.isHidden()
    del app_controller


def test_missing_device_is_reported_once(
    app_controller: AppController, window: MainWindow, player: Player, output: ManualOutput
) -> None:
    """A sign stays in the transport; Play reports it again; the playhead moves."""
    output.missing = "no sound: there is no device"
    show_chords(app_controller)
    app_controller.playback.toggle()
    while player.work():
        pass
    app_controller.playback.tick()
    assert window.compose_page.banner.message == "No sound: there is no device"
    assert window.playback.transport.silent == "No sound: there is no device"

    window.compose_page.banner.hide()
    app_controller.playback.tick()
    assert window.compose_page.banner.message == ""
    assert player.playing


def test_midi_ports_are_offered_and_used(
    app_controller: AppController,
    window: MainWindow,
    player: Player,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Panic leaves no note sounding; closing releases the port."""
    clock = SimulatedClock()
    port = FakePort(clock)
    monkeypatch.setattr(midi_port, "ports", lambda: (["Synth & Co"], ""))
    monkeypatch.setattr(midi_port, "open_port", lambda name: MidiPort(port, name, clock=clock))
    menu = window.commands.play.ports
    menu.aboutToShow.emit()
    menu.actions()[1].trigger()
    assert player.follower is app_controller.playback.midi.port is not None

    show_chords(app_controller)
    window.commands.play.panic.trigger()
    assert {message.control for _, message in port.of("control_change")} >= {123}
    window.close()
    assert port.closed


def test_missing_ports_are_explained(
    app_controller: AppController, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disabled menu entry gives the reason."""
    monkeypatch.setattr(midi_port, "ports", lambda: ([], midi_system.NO_SYSTEM))
    menu = window.commands.play.ports
    menu.aboutToShow.emit()

    assert not menu.actions()[-1].isEnabled()
    assert "no MIDI system" in menu.actions()[-1].text()
    del app_controller


def test_closing_ends_playback(
    app_controller: AppController, window: MainWindow, player: Player
) -> None:
    """Nothing is left running."""
    show_chords(app_controller)
    app_controller.playback.toggle()
    window.close()

    assert not player.playing
    assert app_controller.all_ended


def test_a_count_in_is_shown_and_the_playhead_waits(
    app_controller: AppController, window: MainWindow, player: Player, output: ManualOutput
) -> None:
    """The beat in place of the position; a pause ends it."""
    show_chords(app_controller)
    bar = window.playback.transport
    window.commands.play.count_in.trigger()
    app_controller.playback.toggle()
    sound(player, output, 1.6)
    app_controller.playback.tick()

    assert (bar.position, bar.time) == ("3", COUNT_IN)
    assert app_controller.playback.playhead.step == 0
    app_controller.playback.toggle()
    assert (bar.position, bar.time) == ("1.1", "0:00 / 0:24")

    app_controller.playback.seek(32.0, in_ruler=True)
    app_controller.playback.toggle()
    sound(player, output, 0.3)
    app_controller.playback.tick()
    assert bar.position == "3.1", "it counts in at the start only"


def test_the_master_volume_moves_to_the_transport_bar(
    app_controller: AppController, window: MainWindow, player: Player
) -> None:
    """It is there with the mixer hidden; both sliders show the same."""
    window.resize(1300, 800)
    bar, mixer = window.playback.transport, window.playback.mixer
    assert not bar.volume.isVisibleTo(bar)
    window.commands.play.mixer.trigger()
    assert bar.volume.isVisibleTo(bar)

    bar.volume.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(bar.volume, Qt.Key.Key_Left)
    assert player.mix.volume == 0.95
    bar.volume.set_level(0.5)
    assert player.mix.volume == mixer.volume.level() == 0.5
    window.commands.play.mixer.trigger()
    mixer.volume.set_level(1.5)
    assert player.mix.volume == bar.volume.level() == 1.5
    del app_controller


def test_back_and_forward_move_by_the_beats_that_are_shown(
    app_controller: AppController, window: MainWindow
) -> None:
    """In 6/8 they are eighths, in 3/2 halves."""
    places = []
    for meter in ("6/8", "3/2"):
        piece = Chorale.of([(72, 67, 64, 48)] * 48, meter=Meter.parse(meter))
        app_controller.document.show_piece(piece)
        window.commands.play.start.trigger()
        for action in ("forward", "forward", "back"):
            getattr(window.commands.play, action).trigger()
            places.append(window.playback.transport.position)
    assert places == ["1.2", "1.3", "1.2"] * 2
