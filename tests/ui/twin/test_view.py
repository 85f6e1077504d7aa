"""The view of two pieces: rolls, playhead, sound, what is taken from B, files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Meter
from musicrel.generation.heads.mutes import Mutes
from musicrel.ui.actions.twin_commands import TwinCommands
from musicrel.ui.app_controller import AppController
from musicrel.ui.files import file_dialogs
from musicrel.ui.shell.main_window import MainWindow
from musicrel.ui.twin import twin_actions
from musicrel.ui.twin.twin import Twin
from tests.ui.controllers.user_actions import PIECE
from tests.ui.fakes import TIMEOUT, FakeJobs
from tests.ui.twin.conftest import FIFTH


def test_the_rolls_have_one_time_axis(written: Twin, window: MainWindow, qtbot: QtBot) -> None:
    """Zooming and scrolling in either moves both."""
    above, below = window.compose_page.roll, written.view.below.roll
    for one, other in ((above, below), (below, above)):
        one.zoom(3.0)
        one.horizontalScrollBar().setValue(120)
        assert (one.seen.left, one.seen.step_width) == (other.seen.left, other.seen.step_width)
        assert one.seen.left == 120
        above.fit()
        qtbot.waitUntil(lambda: below.seen.step_width == above.seen.step_width)


def test_a_strip_of_the_marks_is_painted_as_in_the_whole(written: Twin) -> None:
    """A moving playhead repaints strips only."""
    marks = written.view.marks[1]
    whole = marks.grab().toImage()
    assert any(marks.agreement.only) if marks.agreement is not None else False
    for left in (0, 17, marks.width() // 2):
        strip = QRect(left, 0, 9, marks.height())
        assert marks.grab(strip).toImage() == whole.copy(strip)


def test_the_paper_of_b_has_all_rows_and_no_ruler(written: Twin) -> None:
    """Its lanes begin at the upper edge."""
    below = written.view.below
    assert below.roll.y() < 0
    assert below.roll.seen.rows * below.roll.seen.row_height >= below.roll.seen.height


def test_the_playhead_is_on_both_rolls(written: Twin, app_controller: AppController) -> None:
    """A click in the roll of B moves it, too."""
    app_controller.playback.seek(9.0, in_ruler=False)
    assert written.view.below.playhead.step == 9.0

    written.view.below.playhead.seek_requested.emit(21.0, False)
    assert app_controller.playback.playhead.step == written.view.below.playhead.step == 21.0


def test_the_keys_a_and_b_switch_what_sounds(
    written: Twin, act: TwinCommands, app_controller: AppController, window: MainWindow
) -> None:
    """Piece and buttons change; the playhead and playing do not."""
    player, first = app_controller.player, app_controller.document.piece
    assert first is not None
    app_controller.playback.seek(9.0, in_ruler=False)
    player.play()
    for key, raised in ((Qt.Key.Key_B, FIFTH), (Qt.Key.Key_A, 0), (Qt.Key.Key_B, FIFTH)):
        QTest.keyClick(window.compose_page.roll, key)
        while player.work():
            pass
        assert player.chorale is not None
        assert np.array_equal(player.chorale.pitches, first.pitches + raised)
        assert player.playing
        assert player.position == pytest.approx(9.0, abs=0.5)
        assert (act.listen_b.isChecked(), act.listen_a.isChecked()) == (raised > 0, raised == 0)
        assert written.view.marks[1].sounding == (raised > 0)
    player.pause()


def test_b_sounds_in_the_tempo_of_a(
    written: Twin, act: TwinCommands, app_controller: AppController
) -> None:
    """A faster piece of A stays fast."""
    piece = app_controller.document.piece
    assert piece is not None
    app_controller.document.show_piece(replace(piece, tempo=120))
    act.listen_b.trigger()

    assert app_controller.player.chorale is not None
    assert app_controller.player.chorale.tempo == 120
    assert written.controller.other.piece is not None
    assert written.controller.other.piece.tempo == 80


def test_b_goes_on_sounding_after_an_edit_of_a(
    written: Twin, act: TwinCommands, app_controller: AppController
) -> None:
    """A previewed piece itself sounds."""
    del written
    act.listen_b.trigger()
    act.take_bar.trigger()
    assert act.listen_b.isChecked()

    app_controller.document.preview(PIECE)
    assert act.listen_a.isChecked()
    assert app_controller.player.chorale is PIECE


def test_note_input_has_the_letters(written: Twin, act: TwinCommands, window: MainWindow) -> None:
    """The tooltip has the reason why A and B do not switch."""
    del written
    window.commands.rewriting.draw.trigger()
    assert act.listen_b.toolTip() == twin_actions.NOTE_INPUT
    assert not act.listen_b.isEnabled()
    window.commands.rewriting.draw.trigger()
    assert act.listen_b.isEnabled()


def test_a_bar_is_taken_from_b_in_one_step_of_undo(
    written: Twin, act: TwinCommands, app_controller: AppController, window: MainWindow
) -> None:
    """It is the bar at the playhead; the button has its number."""
    before, second = app_controller.document.piece, written.controller.other.piece
    assert before is not None
    assert second is not None
    app_controller.playback.seek(20.0, in_ruler=False)
    assert written.view.take.text() == "Take bar 2"
    written.view.take.click()

    taken = app_controller.document.piece
    assert taken is not None
    assert np.array_equal(taken.pitches[16:32], second.pitches[16:32])
    assert np.array_equal(taken.pitches[:16], before.pitches[:16])
    assert window.state == "Took bar 2 from B"
    assert written.controller.agreement is not None
    assert written.controller.agreement.share == pytest.approx(0.5, abs=0.02)
    assert "agree; first difference bar 1, beat 1" in written.view.counter.text()
    app_controller.document.undo()
    assert app_controller.document.piece is before
    assert act.take_bar.isEnabled()


def test_the_piece_of_b_can_become_the_current_one(
    written: Twin, act: TwinCommands, app_controller: AppController
) -> None:
    """It is a take with the model that wrote it; Undo restores that of A."""
    before, takes = app_controller.document.piece, len(app_controller.document.takes.visible)
    act.take_piece.trigger()

    assert app_controller.document.piece is written.controller.other.piece
    assert app_controller.document.form.model == "plain"
    assert len(app_controller.document.takes.visible) == takes + 1
    assert written.view.counter.text() == "All notes agree"
    assert act.export_differences.toolTip() == twin_actions.EQUAL
    app_controller.document.undo()
    assert app_controller.document.piece is before


def test_the_first_difference_is_found(
    written: Twin, act: TwinCommands, app_controller: AppController
) -> None:
    """After bar 1 is taken from B it is in bar 2."""
    act.take_bar.trigger()
    assert written.controller.agreement is not None
    assert written.controller.agreement.first == 16
    act.first.trigger()
    assert app_controller.playback.playhead.step == 16.0


@pytest.mark.parametrize("suffix", [".svg", ".csv"])
def test_the_differences_are_exported(
    *,
    written: Twin,
    act: TwinCommands,
    window: MainWindow,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
    suffix: str,
) -> None:
    """The file has the pieces of both models."""
    del written
    path = tmp_path / f"differences{suffix}"
    asked: list[str] = []

    def ask(_parent: object, _caption: str, *, name: str, answer: object, **_: object) -> None:
        asked.append(name)
        answer(path)  # type: ignore[operator]

    monkeypatch.setattr(file_dialogs, "ask_new_path", ask)
    act.export_differences.trigger()
    qtbot.waitUntil(lambda: window.state.startswith("Exported"))

    assert asked == ["Chorale 7, full and plain"]
    assert "plain" in path.read_text(encoding="utf-8")


def test_the_piece_of_b_is_exported(
    *,
    written: Twin,
    act: TwinCommands,
    window: MainWindow,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    """Under its own title."""
    del written
    path, asked = tmp_path / "b.json", []

    def ask(_parent: object, *, title: str, answer: object, **_: object) -> None:
        asked.append(title)
        answer(path)  # type: ignore[operator]

    monkeypatch.setattr(file_dialogs, "ask_export_path", ask)
    act.export_piece.trigger()
    qtbot.waitUntil(lambda: window.state.startswith("Exported"))

    assert asked == ["Chorale 7, plain"]
    assert path.exists()


def test_an_opened_piece_of_another_form_ends_the_piece_of_b(
    written: Twin, act: TwinCommands, app_controller: AppController
) -> None:
    """Its roll is empty, and the commands give the reason."""
    app_controller.document.show_piece(replace(PIECE, meter=Meter(3, 4)))

    assert written.controller.other.piece is None
    assert act.take_bar.toolTip() == twin_actions.NO_PIECE


def test_the_view_is_on_the_compose_page_only(
    written: Twin, act: TwinCommands, window: MainWindow
) -> None:
    """No marks are left on the roll elsewhere, nor when the comparison ends."""
    window.pages.open("attention")
    assert written.view.isHidden()
    assert not written.view.marks[0].has_content()
    window.pages.open("compose")
    assert not written.view.isHidden()
    act.close.trigger()
    assert written.view.isHidden()
    assert not written.view.marks[0].has_content()
    assert act.models.name == ""


def test_a_long_name_of_a_model_covers_a_part_of_its_roll(
    written: Twin, act: TwinCommands, window: MainWindow
) -> None:
    """The tooltip of the letter has the whole name, as it has a short one."""
    window.resize(1100, 700)
    marks = written.view.marks[1]
    assert marks.shown_name == "plain"
    assert act.listen_b.toolTip() == "Play the piece of B, plain"

    name = "relative-articulated-width-256-eight-heads-second-try"
    marks.show_marks(None, name, sounding=False)
    assert marks.shown_name.startswith("relative")
    assert marks.shown_name.endswith("try")
    assert marks.fontMetrics().horizontalAdvance(marks.shown_name) < marks.width() / 2


def test_low_windows_hide_the_takes_meanwhile(
    app_controller: AppController, window: MainWindow
) -> None:
    """They come back afterwards."""
    window.resize(1100, 700)
    app_controller.twin.controller.compare_with("plain")
    assert not window.commands.takes.show.isChecked()
    app_controller.twin.controller.compare_with("")
    assert window.commands.takes.show.isChecked()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_common_notes_are_faint(written: Twin, window: MainWindow, theme: str) -> None:
    """After a bar is taken from B its notes are nearer to the paper than before."""
    window.commands.themes.actions()[["system", "light", "dark"].index(theme)].trigger()
    roll = window.compose_page.roll

    def colour() -> tuple[int, int, int]:
        picture = roll.picture
        assert picture is not None
        note = next(each for each in picture.notes if each.start == 0 and each.voice == 0)
        x = 66 + roll.seen.x(note.start + 2)
        y = 56 + roll.seen.y(note.pitch) + roll.seen.row_height / 2
        found = (
            window.grab()
            .toImage()
            .pixelColor(
                roll.viewport().mapTo(window, roll.viewport().rect().topLeft()).x() + round(x),
                roll.viewport().mapTo(window, roll.viewport().rect().topLeft()).y() + round(y),
            )
        )
        return found.red(), found.green(), found.blue()

    written.sound.listen("A")
    strong = colour()
    written.view.take.click()
    faint = colour()
    assert strong != faint


def test_a_new_piece_begins_with_the_sound_of_a(
    written: Twin, act: TwinCommands, app_controller: AppController, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """While B sounds, too; the piece before stays loaded until the new one is there."""
    del written
    act.listen_b.trigger()
    jobs.hold_at = 24
    app_controller.compose.generate()
    assert jobs.waiting.wait(TIMEOUT)
    assert app_controller.playback.piece is not None
    jobs.gate.set()
    qtbot.waitUntil(lambda: not app_controller.document.generating)

    assert app_controller.playback.piece is app_controller.document.piece
    assert act.listen_a.isChecked()


def test_a_sounds_in_another_document(
    written: Twin, act: TwinCommands, app_controller: AppController
) -> None:
    """The buttons show it at once, although B sounded before."""
    act.listen_b.trigger()
    assert act.listen_b.isChecked()

    app_controller.document.replaced.emit()

    assert written.sound.side == "A"
    assert (act.listen_a.isChecked(), act.listen_b.isChecked()) == (True, False)


def test_the_badge_names_the_muted_heads_of_a_piece(
    written: Twin, app_controller: AppController
) -> None:
    """Beside the model that wrote it with them."""
    piece = app_controller.document.piece
    assert piece is not None
    assert piece.provenance is not None
    settings = {**piece.provenance.settings, **Mutes.parse("3.1").to_json()}
    muted = replace(piece, provenance=replace(piece.provenance, settings=settings))
    app_controller.document.show_piece(muted, action="generated")

    assert written.view.marks[0].model == f"{piece.provenance.model}, 3.1 muted"
    assert written.view.marks[1].model == "plain"
