"""The view of two pieces: rolls, playhead, sound, what is taken from B, files."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from musicrel.chorale import Meter
from musicrel.generation.heads.mutes import Mutes
from musicrel.ui.actions.commands import Group
from musicrel.ui.app_controller import AppController
from musicrel.ui.editing.numerals_layer import RollNumerals
from musicrel.ui.files import dialogs
from musicrel.ui.roll.roll_view import RollView
from musicrel.ui.shell.main_window import MainWindow
from musicrel.ui.two_models import two_models as module
from musicrel.ui.two_models.two_models import TwoModels
from tests.ui.controllers.user_actions import PIECE
from tests.ui.fakes import TIMEOUT
from tests.ui.two_models.conftest import FIFTH
from tests.ui.user import User


def test_the_rolls_have_one_time_axis(written: TwoModels, user: User) -> None:
    above, below = user.roll, written.view.below.roll
    for one, other in ((above, below), (below, above)):
        one.zoom(3.0)
        one.horizontalScrollBar().setValue(120)
        assert (one.seen.left, one.seen.step_width) == (other.seen.left, other.seen.step_width)
        assert one.seen.left == 120
        above.fit()
        user.wait(lambda: below.seen.step_width == above.seen.step_width)


def test_a_strip_of_the_marks_is_painted_as_in_the_whole(written: TwoModels) -> None:
    marks = written.view.marks[1]
    whole = marks.grab().toImage()
    assert any(marks.agreement.only) if marks.agreement is not None else False
    for left in (0, 17, marks.width() // 2):
        strip = QRect(left, 0, 9, marks.height())
        assert marks.grab(strip).toImage() == whole.copy(strip)


def test_the_playhead_is_on_both_rolls(written: TwoModels, app: AppController) -> None:
    app.playback.seek(9.0, in_ruler=False)
    assert written.view.below.roll.step == 9.0

    written.view.below.roll.seek_requested.emit(21.0, False)
    assert app.playback.roll.step == written.view.below.roll.step == 21.0


def test_both_rolls_have_lanes_of_the_same_height(written: TwoModels, user: User) -> None:
    user.window.resize(1320, 900)
    with user.qtbot.waitExposed(user.window):
        user.window.show()

    user.wait(lambda: abs(user.roll.seen.height - written.view.below.roll.seen.height) <= 1)
    assert user.roll.seen.height > 100


def test_the_keys_a_and_b_switch_what_sounds(written: TwoModels, act: Group, user: User) -> None:
    """Piece and buttons change; the playhead and playing do not."""
    player, first = user.app.player, user.document.piece
    assert first is not None
    user.app.playback.seek(9.0, in_ruler=False)
    player.play()
    for key, raised in ((Qt.Key.Key_B, FIFTH), (Qt.Key.Key_A, 0), (Qt.Key.Key_B, FIFTH)):
        QTest.keyClick(user.roll, key)
        while player.work():
            pass
        assert player.chorale is not None
        assert np.array_equal(player.chorale.pitches, first.pitches + raised)
        assert player.playing
        assert player.position == pytest.approx(9.0, abs=0.5)
        assert (act.listen_b.isChecked(), act.listen_a.isChecked()) == (raised > 0, raised == 0)
        assert written.view.marks[1].sounding == (raised > 0)
    player.pause()


def test_b_sounds_in_the_tempo_of_a(written: TwoModels, act: Group, user: User) -> None:
    piece = user.document.piece
    assert piece is not None
    user.document.show_piece(replace(piece, tempo=120))
    act.listen_b.trigger()

    assert user.app.player.chorale is not None
    assert user.app.player.chorale.tempo == 120
    assert written.other.document.shown is not None
    assert written.other.document.shown.tempo == 80


def test_b_goes_on_sounding_after_an_edit_of_a(written: TwoModels, act: Group, user: User) -> None:
    del written
    act.listen_b.trigger()
    act.take_bar.trigger()
    assert act.listen_b.isChecked()

    user.document.preview(PIECE)
    assert act.listen_a.isChecked()
    assert user.app.player.chorale is PIECE


def test_note_input_has_the_letters(written: TwoModels, act: Group, window: MainWindow) -> None:
    del written
    window.commands.rewriting.draw.trigger()
    assert act.listen_b.toolTip() == module.NOTE_INPUT
    assert not act.listen_b.isEnabled()
    window.commands.rewriting.draw.trigger()
    assert act.listen_b.isEnabled()


def test_a_bar_is_taken_from_b_in_one_step_of_undo(
    written: TwoModels, act: Group, user: User
) -> None:
    """It is the bar at the playhead; the button has its number."""
    before, second = user.document.piece, written.other.document.shown
    assert before is not None
    assert second is not None
    user.app.playback.seek(20.0, in_ruler=False)
    assert written.view.take.text() == "Take bar 2"
    written.view.take.click()

    taken = user.document.piece
    assert taken is not None
    assert np.array_equal(taken.pitches[16:32], second.pitches[16:32])
    assert np.array_equal(taken.pitches[:16], before.pitches[:16])
    assert user.state == "Took bar 2 from B"
    assert written.agreement is not None
    assert written.agreement.share == pytest.approx(0.5, abs=0.02)
    assert "agree; first difference bar 1, beat 1" in written.view.counter.text()
    user.document.undo()
    assert user.document.piece is before
    assert act.take_bar.isEnabled()


def test_the_piece_of_b_can_become_the_current_one(
    written: TwoModels, act: Group, app: AppController
) -> None:
    """It is a take with the model that wrote it; Undo restores that of A."""
    before, takes = app.document.piece, len(app.document.takes.visible)
    act.take_piece.trigger()

    assert app.document.title == "Chorale 7"
    assert app.document.piece is not None
    assert written.other.document.shown is not None
    assert app.document.piece.pitches is written.other.document.shown.pitches
    assert app.document.form.model == "plain"
    assert len(app.document.takes.visible) == takes + 1
    assert written.view.counter.text().startswith("All notes agree")
    assert act.export_differences.toolTip() == module.EQUAL
    app.document.undo()
    assert app.document.piece is before


def test_the_first_difference_is_found(written: TwoModels, act: Group, user: User) -> None:
    """After bar 1 is taken from B it is in bar 2."""
    act.take_bar.trigger()
    assert written.agreement is not None
    assert written.agreement.first == 16
    act.first.trigger()
    assert user.app.playback.roll.step == 16.0


@pytest.mark.parametrize(
    ("command", "file", "name", "content"),
    [
        ("export_differences", "differences.svg", "Chorale 7, full and plain", "plain"),
        ("export_differences", "differences.csv", "Chorale 7, full and plain", "plain"),
        ("export_piece", "b.json", "Chorale 7, plain", "Chorale 7"),
    ],
)
@pytest.mark.usefixtures("written")
def test_differences_and_the_piece_of_b_are_exported(
    *,
    act: Group,
    user: User,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    file: str,
    name: str,
    content: str,
) -> None:
    asked: list[str] = []

    def ask(_parent: object, _caption: str, *, name: str, answer: object, **_: object) -> None:
        asked.append(name)
        answer(tmp_path / file)  # type: ignore[operator]

    monkeypatch.setattr(dialogs, "ask_new_path", ask)
    getattr(act, command).trigger()
    user.wait(lambda: user.state.startswith("Exported"))

    assert asked == [name]
    assert content in (tmp_path / file).read_text(encoding="utf-8")


def test_both_scores_are_saved_as_one_pdf_for_printing(
    written: TwoModels, act: Group, user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Named after the piece and both models; the short ones are on a single page."""
    asked: list[str] = []

    def ask(_parent: object, _caption: str, *, name: str, answer: object, **_: object) -> None:
        asked.append(name)
        answer(tmp_path / "both.pdf")  # type: ignore[operator]

    monkeypatch.setattr(dialogs, "ask_new_path", ask)
    act.export_both.trigger()
    user.wait(lambda: user.state.startswith("Exported"))

    assert asked == ["Chorale 7, full and plain"]
    content = (tmp_path / "both.pdf").read_bytes()
    assert content.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", content)) == 1
    written.compare_with("")
    assert not act.export_both.isEnabled()


def test_numerals_are_under_both_rolls(written: TwoModels, user: User) -> None:
    below = written.view.below.roll.findChild(RollNumerals)
    assert below is not None
    assert below.isHidden()
    user.window.commands.numerals.setChecked(True)
    user.wait(lambda: bool(below.numerals))

    assert below.isVisible()
    assert user.app.numerals.job is not written.numerals.job


def test_an_opened_piece_of_another_form_ends_the_piece_of_b(
    written: TwoModels, act: Group, app: AppController
) -> None:
    app.document.show_piece(replace(PIECE, meter=Meter(3, 4)))

    assert written.other.document.shown is None
    assert act.take_bar.toolTip() == module.NO_PIECE


def test_the_view_is_on_the_compose_page_only(written: TwoModels, act: Group, user: User) -> None:
    """No marks are left on the roll elsewhere, nor when the comparison ends."""
    user.window.pages.open("attention")
    assert written.view.isHidden()
    assert not written.view.marks[0].has_content()
    user.window.pages.open("compose")
    assert not written.view.isHidden()
    act.close.trigger()
    assert written.view.isHidden()
    assert not written.view.marks[0].has_content()
    assert user.commands.compare.name == ""


def test_a_long_name_of_a_model_covers_a_part_of_its_roll(
    written: TwoModels, act: Group, window: MainWindow
) -> None:
    window.resize(1100, 700)
    marks = written.view.marks[1]
    assert marks.shown_name == "plain"
    assert act.listen_b.toolTip() == "Play the piece of B, plain"

    name = "relative-articulated-width-256-eight-heads-second-try"
    marks.show_marks(None, name, sounding=False)
    assert marks.shown_name.startswith("relative")
    assert marks.shown_name.endswith("try")
    assert marks.fontMetrics().horizontalAdvance(marks.shown_name) < marks.width() / 2


def test_low_windows_hide_the_takes_meanwhile(user: User) -> None:
    user.window.resize(1100, 700)
    user.commands.takes.show.trigger()
    user.app.two_models.compare_with("plain")
    assert not user.commands.takes.show.isChecked()
    user.app.two_models.compare_with("")
    assert user.commands.takes.show.isChecked()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_common_notes_are_faint(written: TwoModels, window: MainWindow, theme: str) -> None:
    window.commands.themes.actions()[["system", "light", "dark"].index(theme)].trigger()
    roll = window.compose_page.roll

    def colour() -> tuple[int, int, int]:
        picture = roll.picture
        assert picture is not None
        note = next(each for each in picture.notes if each.start == 0 and each.voice == 0)
        x = 66 + roll.seen.x(note.start + 2)
        y = 56 + roll.seen.box(note).top() + 2  # above its letter
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


def test_a_new_piece_begins_with_the_sound_of_a(written: TwoModels, act: Group, user: User) -> None:
    """B sounded and is ready first; the piece before stays loaded until the new one is there."""
    act.listen_b.trigger()
    user.jobs.hold_at, user.jobs.held = 24, "full"
    user.app.writing.generate()
    assert user.jobs.waiting.wait(TIMEOUT)
    user.wait(lambda: not written.other.job.busy)
    assert user.app.playback.piece is not None
    user.jobs.gate.set()
    user.wait(lambda: not user.document.generating)

    assert user.app.playback.piece is user.document.piece
    assert act.listen_a.isChecked()


def test_a_sounds_in_another_document(written: TwoModels, act: Group, user: User) -> None:
    act.listen_b.trigger()
    assert act.listen_b.isChecked()

    user.document.replaced.emit()

    assert written.sound.side == "A"
    assert (act.listen_a.isChecked(), act.listen_b.isChecked()) == (True, False)


def test_the_badge_names_the_muted_heads_of_a_piece(written: TwoModels, user: User) -> None:
    piece = user.document.piece
    assert piece is not None
    assert piece.provenance is not None
    settings = {**piece.provenance.settings, **Mutes.parse("3.1").to_json()}
    muted = replace(piece, provenance=replace(piece.provenance, settings=settings))
    user.document.show_piece(muted, action="generated")

    assert written.view.marks[0].model == f"{piece.provenance.model}, 3.1 muted"
    assert written.view.marks[1].model == "plain"


def enlarge(window: MainWindow, _other: RollView) -> None:
    window.compose_page.roll.zoom(4.0)


def stretch(window: MainWindow, _other: RollView) -> None:
    roll = window.compose_page.roll
    turn(roll, 3)
    roll.verticalScrollBar().setValue(roll.verticalScrollBar().maximum() // 2)


def stretch_below(_window: MainWindow, other: RollView) -> None:
    turn(other, 3)
    other.verticalScrollBar().setValue(11)


def lower_the_window(window: MainWindow, _other: RollView) -> None:
    window.compose_page.roll.zoom(4.0)
    window.resize(window.width(), 700)


def raise_the_window(window: MainWindow, _other: RollView) -> None:
    turn(window.compose_page.roll, 1)
    window.resize(window.width(), 1100)


def turn(roll: RollView, notches: int) -> None:
    place = QPointF(roll.viewport().rect().center())
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    event = QWheelEvent(
        place, roll.viewport().mapToGlobal(place), QPoint(), QPoint(0, 120 * notches),
        Qt.MouseButton.NoButton, keys, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(roll.viewport(), event)


@pytest.mark.parametrize(
    "act_on", [None, enlarge, stretch, stretch_below, lower_the_window, raise_the_window]
)
def test_the_rolls_have_the_same_rows(
    act_on: Callable[[MainWindow, RollView], None] | None, written: TwoModels, user: User
) -> None:
    above, below = user.roll, written.view.below.roll
    if act_on is not None:
        act_on(user.window, below)

    user.wait(lambda: heights(above) == heights(below))
    user.wait(lambda: abs(above.seen.height - below.seen.height) <= 1)
    assert heights(above) == heights(below)
    user.wait(lambda: above.viewport().width() == below.viewport().width())


def test_no_voice_is_hidden_by_a_zoom_of_before(user: User) -> None:
    """The roll of A gets lower by the one of B; its rows do, too."""
    above, below = user.roll, user.app.two_models.view.below.roll
    user.window.resize(1320, 1000)
    user.app.writing.generate()
    user.wait(lambda: user.document.piece is not None)
    above.zoom(5.0)
    user.jobs.raised["plain"] = 10  # beyond the usual rows

    user.app.two_models.compare_with("plain")
    user.app.writing.generate()
    user.wait(lambda: not user.document.generating)

    user.wait(lambda: heights(above) == heights(below))
    assert above.seen.rows == below.seen.rows
    assert above.seen.content_height == pytest.approx(above.seen.height, abs=2)
    user.app.two_models.compare_with("")
    user.app.writing.generate()
    user.wait(lambda: not user.document.generating)
    assert above.seen.rows < below.seen.rows


def heights(roll: RollView) -> list[float]:
    return [roll.seen.y(pitch) for pitch in (36, 60, 84)]
