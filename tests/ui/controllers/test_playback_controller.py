"""Playback: transport, mixer, devices and MIDI ports."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QToolTip

from musicrel.chorale import Chorale, Meter
from musicrel.figures.roll import KEYBOARD_WIDTH, RULER_HEIGHT
from musicrel.playback import midi_port
from musicrel.playback.midi_port import MidiPort
from musicrel.playback.player import Player
from musicrel.project.contents import Contents
from musicrel.score.editing.selection import Selection
from musicrel.ui.actions.commands import NOTHING_YET
from musicrel.ui.app_controller import AppController
from musicrel.ui.document.document import GENERATING
from musicrel.ui.playback.transport_bar import COUNT_IN
from musicrel.ui.roll.roll_view import RULER_TIP
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.sound import FakePort, ManualOutput, SimulatedClock
from tests.ui.controllers.user_actions import PIECE, show_chords
from tests.ui.user import User

LEFT = Qt.MouseButton.LeftButton


def sound(player: Player, output: ManualOutput, seconds: float) -> None:
    """Render audio, so that time passes."""
    while player.work():
        pass
    output.advance(seconds)


def test_without_a_piece_the_transport_is_disabled(app: AppController) -> None:
    act = app.window.commands.play
    for action in (act.play, act.stop, act.start, act.loop):
        assert not action.isEnabled()
        assert action.toolTip() == NOTHING_YET
    assert app.playback.roll.step is None


def test_space_plays_and_pauses(app: AppController, player: Player, output: ManualOutput) -> None:
    show_chords(app)
    QTest.keyClick(app.window, Qt.Key.Key_Space)
    assert app.window.commands.play.play.text() == "&Pause"
    sound(player, output, 1.5)
    app.playback.tick()

    assert app.playback.roll.step == pytest.approx(8.0, abs=0.01)
    assert (app.window.playback.transport.position, app.window.playback.transport.time) == (
        "1.3",
        "0:01 / 0:24",
    )
    QTest.keyClick(app.window, Qt.Key.Key_Space)
    assert not player.playing
    assert app.playback.roll.step == pytest.approx(8.0, abs=0.01)


def test_playback_ends_with_the_piece(user: User, player: Player, output: ManualOutput) -> None:
    show_chords(user.app, bars=1)
    user.app.playback.toggle()
    for _ in range(10):
        sound(player, output, 1.0)
    user.app.playback.tick()

    assert user.commands.play.play.text() == "&Play"
    assert user.window.playback.transport.position == "1.4"
    user.app.playback.toggle()
    assert player.position == 0


def test_space_plays_after_clicks_elsewhere(user: User, player: Player) -> None:
    user.generate()
    compose_form = user.form
    QTest.mouseClick(compose_form.bars.lineEdit(), LEFT)
    compose_form.bars.setFocus()
    QTest.keyClick(compose_form.bars, Qt.Key.Key_Space)
    assert player.playing

    user.controls.generate_button.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(user.controls.generate_button, Qt.Key.Key_Space)
    assert player.playing, "a button reached by Tab keeps its space bar"
    user.wait(lambda: not user.document.generating)
    assert user.controls.generate_button.focusPolicy() == Qt.FocusPolicy.TabFocus
    boxes = user.controls.findChildren(QComboBox)
    assert {box.focusPolicy() for box in boxes} == {Qt.FocusPolicy.TabFocus}


def test_a_generated_piece_begins_at_its_beginning(user: User, player: Player) -> None:
    user.generate()
    player.seek(20)
    user.app.playback.toggle()
    user.hold(40)
    assert player.position == pytest.approx(20, abs=0.01)
    user.jobs.gate.set()
    user.wait(lambda: not user.document.generating and player.chorale is user.document.piece)

    assert player.position == pytest.approx(0, abs=0.01)
    assert player.playing


def test_a_stopped_playhead_returns_for_a_new_piece(user: User, player: Player) -> None:
    user.generate()
    user.app.playback.seek(20, in_ruler=False)
    user.generate()
    assert (player.position, user.app.playback.roll.step) == (0, 0)

    user.app.playback.drag_loop(8, 16)
    user.app.playback.seek(20, in_ruler=False)
    user.generate()
    assert player.position == 8


def test_a_changed_piece_leaves_the_playhead(user: User, player: Player) -> None:
    user.generate()
    user.generate()
    user.app.playback.seek(20, in_ruler=False)
    user.document.undo()
    assert player.position == 20

    user.document.show_piece(PIECE)
    assert player.position == 20


def test_another_document_begins_at_its_beginning(user: User, player: Player) -> None:
    document = user.document
    user.generate()
    user.app.playback.seek(20, in_ruler=False)
    document.restore(document.contents({}), saved=True)
    assert player.position == 0

    user.app.playback.seek(20, in_ruler=False)
    document.restore(Contents(), saved=True)
    document.show_piece(PIECE, action="opened")
    assert player.position == 0


def test_playback_cannot_start_during_generation(user: User, player: Player) -> None:
    user.generate()
    user.app.playback.toggle()
    user.hold(40)
    assert user.commands.play.play.isEnabled()
    user.app.playback.toggle()

    assert not player.playing
    assert user.commands.play.play.toolTip() == GENERATING
    user.app.playback.seek(3, True)
    assert player.position == 0
    user.stop()
    assert user.commands.play.play.isEnabled()


def test_tempo_and_fermatas_change_the_time(app: AppController, player: Player) -> None:
    show_chords(app)
    player.seek(64)
    app.window.playback.transport.tempo.setValue(160)
    assert player.style.tempo_factor == 2
    assert app.window.playback.transport.time == "0:06 / 0:12"
    assert player.position == pytest.approx(64, abs=0.01)

    app.window.commands.play.fermatas.trigger()
    assert player.style.fermata_stretch == 1
    show_chords(app, tempo=100)
    assert app.window.playback.transport.tempo.value() == 100
    assert player.style.tempo_factor == 1


def test_mixer_changes_the_sound(app: AppController, player: Player) -> None:
    alto, tenor = app.window.playback.mixer.strips[1:3]
    alto.mute.click()
    assert player.mix.strips[1].mute
    tenor.solo.click()
    assert not app.window.playback.mixer.strips[0].findChildren(QLabel, "label")[0].isEnabled()
    assert tenor.findChildren(QLabel, "label")[0].isEnabled()

    tenor.volume.setValue(50)
    tenor.pan.setValue(-100)
    app.window.playback.mixer.volume.setValue(150)
    app.window.playback.mixer.sound.setCurrentIndex(1)
    strip = player.mix.strips[2]
    assert (strip.volume, strip.pan) == (0.5, -1)
    assert (player.mix.volume, player.mix.sounds) == (1.5, ("organ",) * 4)
    QTest.mouseDClick(tenor.pan, LEFT)
    assert player.mix.strips[2].pan == 0


def test_missing_device_is_reported_once(user: User, player: Player, output: ManualOutput) -> None:
    output.missing = "no sound: there is no device"
    show_chords(user.app)
    user.app.playback.toggle()
    while player.work():
        pass
    user.app.playback.tick()
    assert user.message == "No sound: there is no device"
    assert user.window.playback.transport.silent == "No sound: there is no device"

    user.page.banner.hide()
    user.app.playback.tick()
    assert user.message == ""
    assert player.playing


def test_midi_ports_are_offered_and_used(
    app: AppController, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = SimulatedClock()
    port = FakePort(clock)
    monkeypatch.setattr(midi_port, "ports", lambda: (["Synth & Co"], ""))
    monkeypatch.setattr(midi_port, "open_port", lambda name: MidiPort(port, name, clock=clock))
    menu = app.window.commands.play.ports
    menu.aboutToShow.emit()
    menu.actions()[1].trigger()
    assert isinstance(player.follower, MidiPort)

    show_chords(app)
    app.window.commands.play.panic.trigger()
    assert {message.control for _, message in port.of("control_change")} >= {123}
    app.window.close()
    assert port.closed


def test_missing_ports_are_explained(app: AppController, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(midi_port, "ports", lambda: ([], midi_port.NO_SYSTEM))
    menu = app.window.commands.play.ports
    menu.aboutToShow.emit()

    assert not menu.actions()[-1].isEnabled()
    assert "no MIDI system" in menu.actions()[-1].text()


def test_a_count_in_is_shown_and_the_playhead_waits(
    app: AppController, player: Player, output: ManualOutput
) -> None:
    show_chords(app)
    bar = app.window.playback.transport
    app.window.commands.play.count_in.trigger()
    app.playback.toggle()
    sound(player, output, 1.6)
    app.playback.tick()

    assert (bar.position, bar.time) == ("3", COUNT_IN)
    assert app.playback.roll.step == 0
    app.playback.toggle()
    assert (bar.position, bar.time) == ("1.1", "0:00 / 0:24")

    app.playback.seek(32.0, in_ruler=True)
    app.playback.toggle()
    sound(player, output, 0.3)
    app.playback.tick()
    assert bar.position == "3.1", "it counts in at the start only"


def test_the_master_volume_moves_to_the_transport_bar(app: AppController, player: Player) -> None:
    app.window.resize(1300, 800)
    bar, mixer = app.window.playback.transport, app.window.playback.mixer
    assert (bar.volume.isVisibleTo(bar), mixer.isHidden()) == (True, True)
    bar.volume.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(bar.volume, Qt.Key.Key_Left)
    assert player.mix.volume == 0.95
    bar.volume.set_level(0.5)
    assert player.mix.volume == mixer.volume.level() == 0.5
    app.window.commands.play.mixer.trigger()
    assert not bar.volume.isVisibleTo(bar)
    mixer.volume.set_level(1.5)
    assert player.mix.volume == bar.volume.level() == 1.5


def test_back_and_forward_move_by_the_beats_that_are_shown(app: AppController) -> None:
    places = []
    for meter in ("6/8", "3/2"):
        piece = Chorale.of([(72, 67, 64, 48)] * 48, meter=Meter.parse(meter))
        app.document.show_piece(piece)
        app.window.commands.play.start.trigger()
        for action in ("forward", "forward", "back"):
            getattr(app.window.commands.play, action).trigger()
            places.append(app.window.playback.transport.position)
    assert places == ["1.2", "1.3", "1.2"] * 2


def loop(player: Player) -> tuple[float, float] | None:
    return player.loop


def region(app: AppController) -> tuple[float, float] | None:
    return app.playback.roll.loop


def at(window: MainWindow, step: float, *, ruler: bool = True) -> QPoint:
    view = window.compose_page.roll.seen
    y = RULER_HEIGHT // 2 if ruler else RULER_HEIGHT + round(view.y(80)) + 3
    return QPoint(KEYBOARD_WIDTH + round(view.x(step)) + 1, y)


def test_click_in_the_ruler_seeks_a_beat(app: AppController, player: Player) -> None:
    show_chords(app)
    QTest.mouseClick(app.window.compose_page.roll.viewport(), LEFT, pos=at(app.window, 32.8))

    assert player.position == pytest.approx(32, abs=0.01)
    assert app.playback.roll.step == player.position


def test_click_beside_notes_seeks_its_sixteenth(user: User, player: Player) -> None:
    show_chords(user.app)
    QTest.mouseClick(user.roll.viewport(), LEFT, pos=at(user.window, 30.2, ruler=False))
    assert player.position == pytest.approx(30, abs=0.01)

    view = user.roll.seen
    on_note = QPoint(KEYBOARD_WIDTH + round(view.x(8)), RULER_HEIGHT + round(view.y(72)) + 3)
    QTest.mouseClick(user.roll.viewport(), LEFT, pos=on_note)
    assert player.position == pytest.approx(30, abs=0.01)


def test_drag_in_the_ruler_makes_the_loop(app: AppController, player: Player) -> None:
    show_chords(app)
    port = app.window.compose_page.roll.viewport()
    QTest.mousePress(port, LEFT, pos=at(app.window, 63.2))
    QTest.mouseMove(port, at(app.window, 50))
    QTest.mouseMove(port, at(app.window, 32.3))
    QTest.mouseRelease(port, LEFT, pos=at(app.window, 32.3))

    assert loop(player) == (32, 64)
    assert region(app) == (32, 64)
    assert app.window.commands.play.loop.isChecked()
    assert player.position == 0, "a drag is no click"
    app.window.commands.play.loop.trigger()
    assert loop(player) is None
    assert region(app) == (32, 64), "it is remembered"


def drag(window: MainWindow, start: float, stop: float) -> None:
    port = window.compose_page.roll.viewport()
    QTest.mousePress(port, LEFT, pos=at(window, start))
    for share in (0.5, 1.0):
        QTest.mouseMove(port, at(window, start + share * (stop - start)))
    QTest.mouseRelease(port, LEFT, pos=at(window, stop))


def test_an_end_of_the_loop_is_dragged(app: AppController, player: Player) -> None:
    show_chords(app)
    app.playback.drag_loop(32, 64)
    port = app.window.compose_page.roll.viewport()
    QTest.mouseMove(port, at(app.window, 64))
    shapes = [port.cursor().shape()]
    QTest.mouseMove(port, at(app.window, 48))
    shapes.append(port.cursor().shape())
    found = []
    for first, last in ((64, 96), (32, 16), (16, 112)):
        drag(app.window, first, last)
        found.append(loop(player))

    assert shapes == [Qt.CursorShape.SplitHCursor, Qt.CursorShape.ArrowCursor]
    assert found == [(32, 96), (16, 96), (96, 112)]


def test_a_click_on_its_bar_removes_the_loop(app: AppController, player: Player) -> None:
    show_chords(app)
    app.playback.drag_loop(32, 64)
    port = app.window.compose_page.roll.viewport()
    QTest.mouseClick(port, LEFT, pos=QPoint(at(app.window, 48).x(), RULER_HEIGHT // 2))
    assert loop(player) == (32, 64)
    assert player.position == pytest.approx(48, abs=0.01)

    QTest.mouseClick(port, LEFT, pos=QPoint(at(app.window, 40).x(), 4))
    assert (loop(player), region(app)) == (None, None)
    assert not app.window.commands.play.loop.isChecked()
    assert player.position == pytest.approx(48, abs=0.01)


def test_loop_by_keyboard(app: AppController, player: Player) -> None:
    show_chords(app)
    player.seek(16)
    QTest.keyClick(app.window, Qt.Key.Key_BracketLeft)
    player.seek(48)
    QTest.keyClick(app.window, Qt.Key.Key_BracketRight)
    assert loop(player) == (16, 48)

    app.document.select(Selection(voices=(0,), start=4, stop=12))
    app.window.commands.play.loop_selection.trigger()
    assert loop(player) == (4, 12)


def test_loop_without_a_region_repeats_all(app: AppController, player: Player) -> None:
    show_chords(app)
    QTest.keyClick(app.window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    assert loop(player) == (0, 128)

    show_chords(app, bars=4)
    assert loop(player) == (0, 64)


def test_stop_returns_to_the_start(app: AppController, player: Player) -> None:
    show_chords(app)
    app.playback.drag_loop(32, 64)
    player.seek(40)
    app.window.commands.play.stop.trigger()
    assert player.position == pytest.approx(32, abs=0.01)

    app.window.commands.play.start.trigger()
    assert player.position == 0
    app.window.commands.play.forward.trigger()
    app.window.commands.play.forward.trigger()
    app.window.commands.play.back.trigger()
    assert player.position == pytest.approx(4, abs=0.01)


def test_scrolling_ends_following(app: AppController, player: Player) -> None:
    show_chords(app, bars=64)
    app.playback.toggle()
    app.window.compose_page.roll.zoom_in()
    bar = app.window.compose_page.roll.horizontalScrollBar()
    bar.triggerAction(bar.SliderAction.SliderToMaximum)
    far = app.window.compose_page.roll.seen.left
    app.playback.tick()
    assert app.window.compose_page.roll.seen.left == far > 0

    app.playback.toggle()
    app.playback.toggle()
    assert app.window.compose_page.roll.seen.left < far
    del player


def test_playhead_is_drawn_at_its_step(app: AppController, player: Player) -> None:
    show_chords(app)
    player.seek(20)
    app.playback.tick()
    image = app.window.compose_page.roll.viewport().grab().toImage()
    x = KEYBOARD_WIDTH + round(app.window.compose_page.roll.seen.x(20))

    assert image.pixelColor(x, RULER_HEIGHT + 4).lightness() < 60
    assert image.pixelColor(x + 12, RULER_HEIGHT + 4).lightness() > 200


def test_ruler_has_a_tooltip(user: User) -> None:
    show_chords(user.app)
    port = user.roll.viewport()
    place = at(user.window, 3)
    event = QHelpEvent(QEvent.Type.ToolTip, place, port.mapToGlobal(place))
    QApplication.sendEvent(port, event)
    user.wait(lambda: QToolTip.text() == RULER_TIP)
    QToolTip.hideText()
