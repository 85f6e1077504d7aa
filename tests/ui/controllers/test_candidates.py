"""Candidates: as takes, a single one, several to choose from, pointing at a row of the table."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from musicrel import settings
from musicrel.chorale import Chorale, Voice
from musicrel.errors import GenerationError
from musicrel.generation.candidates.candidate_job import Stuck
from musicrel.presentation.compose.form import AUTO, DRAWN
from musicrel.presentation.words.keys import with_keys
from musicrel.score.editing.selection import Selection
from musicrel.ui.compose.harmonise_dialog import Melody
from musicrel.ui.controllers import writing_controller
from musicrel.ui.document.document import PREVIEWING
from tests.ui.fakes import TIMEOUT
from tests.ui.user import User

PIECE = Chorale.of([(72, 67, 64, 48)] * 16, title="Air")
BEFORE = Chorale.of([(72, 67, 64, 48)] * 16, title="Before")


def made(user: User) -> list[tuple[str, str, int | None, bool]]:
    takes = user.document.takes.all[1:]
    return [(take.name, take.action, take.parent, take.accepted) for take in takes]


def point_at(user: User, row: int) -> None:
    table = user.panel.table
    item = table.item(row, 0)
    assert item is not None
    QTest.mouseMove(table.viewport(), table.visualItemRect(item).center())


def test_every_candidate_is_a_take_and_accepting_one_makes_no_other(written: User) -> None:
    """The accepted one is marked; their seeds are those of the candidates."""
    written.rewrite(count=3)
    assert made(written) == [
        ("Alto and tenor, bar 1", "rewritten", 1, False),
        ("Alto and tenor, bar 1, no. 2", "rewritten", 1, False),
        ("Alto and tenor, bar 1, no. 3", "rewritten", 1, False),
    ]
    written.writing.choose(2)
    written.writing.accept()

    document = written.document
    assert len(document.takes.all) == 4
    assert document.take is not None
    assert (document.take.number, document.take.accepted) == (3, True)
    assert document.piece is document.take.piece
    assert len({take.form.seed for take in document.takes.all[1:]}) == 3


def test_finished_candidates_of_a_cancelled_batch_are_takes(written: User) -> None:
    written.jobs.hold_second_candidate = True
    written.form.candidates.setValue(3)
    written.strip.rewrite.click()
    written.wait(lambda: written.candidate_count == 1)
    QTest.keyClick(written.window, Qt.Key.Key_Escape)
    written.jobs.second_gate.set()
    written.settle()

    assert made(written) == [("All voices, bars 1–2", "varied", 1, False)]


def test_candidates_of_a_new_piece_are_generated_takes(user: User) -> None:
    """They were made from no other take, with the form whose seed draws the phrases of all."""
    user.form.candidates.setValue(2)
    user.app.writing.generate()
    user.wait(lambda: user.writer.chosen != 0)
    takes = user.document.takes.all
    user.writing.accept()

    assert [(take.action, take.parent, take.form.seed) for take in takes] == [
        ("generated", None, 7), ("generated", None, 7),
    ]  # fmt: skip
    assert user.document.form_is_used
    assert len(user.document.takes.all) == 2


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("task", ["new", "rewrite", "harmonise"])
def test_accepting_a_candidate_keeps_the_form(written: User, *, task: str, number: int) -> None:
    form_view = written.form
    form_view.phrases.setText(AUTO)
    written.app.form.new_seed()  # as another piece would get
    asked, candidates = written.document.form, written.writing
    match task:
        case "new":
            written.form.candidates.setValue(3)
            written.app.writing.generate()
            written.wait(lambda: written.writer.chosen != 0)
        case "rewrite":
            written.rewrite(count=3)
        case _:
            written.harmonise(Melody(), model="full", count=3)
    candidates.choose(number)
    candidates.accept()

    assert (asked.phrases, asked.pickup) == (None, DRAWN)
    assert written.document.form == asked
    assert form_view.form() == asked


def test_the_status_line_names_the_piece_to_go_back_to(written: User) -> None:
    written.form.candidates.setValue(2)
    written.app.form.new_seed()
    written.app.writing.generate()
    written.wait(lambda: written.writer.chosen != 0)

    assert written.state.endswith("accept it (Ctrl+Return) or go back to Chorale 7 (Esc)")
    QTest.keyClick(written.window, Qt.Key.Key_Escape)
    assert written.state == "Restored Chorale 7"


@pytest.mark.parametrize(
    ("task", "name", "state"),
    [
        ("rewrite", "Alto and tenor, bar 1", "Rewritten in 1.0 s: 11 notes changed"),
        ("vary", "All voices, bars 1–2", "Varied in 1.0 s: 97 notes changed"),
        ("continue", "Added 2 bars", "Continued in 1.0 s: "),
        ("harmonise", "Chorale 7, harmonised", "Harmonised in 1.0 s: 65 notes changed"),
    ],
)
def test_one_candidate_is_applied_at_once(
    written: User, *, task: str, name: str, state: str
) -> None:
    """No panel opens; the status line has the result; one step of Undo goes back."""
    document = written.document
    before = document.piece
    match task:
        case "rewrite":
            written.rewrite(count=1)
        case "vary":
            written.rewrite(None, count=1)
        case "continue":
            written.act.continue_by[0].trigger()
        case _:
            written.harmonise(Melody(), model="full", count=1)
    written.wait(lambda: document.piece is not before)

    assert document.title == "Chorale 7"
    assert document.take is not None
    assert document.take.name == name
    assert written.state.startswith(state)
    assert written.panel.isHidden()
    assert not written.writer.lists
    assert len(document.takes.all) == 2
    document.undo()
    assert document.piece is before


def test_a_single_candidate_that_fails_is_reported(written: User) -> None:
    written.jobs.candidates_error = GenerationError("no note is left for the Bass")
    before = written.rewrite(count=1)

    assert written.message == "No note is left for the Bass"
    assert written.document.piece is before
    assert len(written.document.takes.all) == 1


def test_pointing_at_a_row_draws_it_and_plays_on(written: User) -> None:
    """Leaving the table draws the selected one again; the playhead stays where it is."""
    written.rewrite(count=3)
    player, table = written.app.player, written.panel.table
    written.wait(
        lambda: (
            player.chorale is not None
            and {*player.chorale.pitches[4:8, Voice.ALTO].tolist()} == written.alto()
        )
    )
    written.app.playback.seek(6.0, in_ruler=False)
    chosen, played = written.alto(), player.chorale
    other = next(row for row in range(4) if table.number_at(row) not in (0, written.writer.chosen))
    point_at(written, other)
    assert written.alto() == {67 + (table.number_at(other) or 0)} != chosen
    assert (player.chorale, player.position) == (played, 6.0)
    point_at(written, 0)
    assert written.alto() == {67}

    QApplication.sendEvent(table.viewport(), QEvent(QEvent.Type.Leave))
    assert written.alto() == chosen
    point_at(written, other)
    QTest.mouseMove(table.viewport(), QPoint(5, table.viewport().height() - 2))
    assert written.alto() == chosen


def test_closing_the_panel_shows_the_piece_again(written: User) -> None:
    written.rewrite(count=3)
    point_at(written, 1)
    written.panel.close_button.click()

    assert written.alto() == {67}
    assert written.document.sketch is None
    assert written.state == with_keys(writing_controller.AS_TAKES)


def test_there_is_one_number_of_candidates(written: User) -> None:
    written.form.candidates.setValue(5)
    written.app.writing.ask_for_melody()
    dialog = written.app.writing.dialog
    assert dialog is not None
    assert dialog.count.value() == 5
    dialog.count.setValue(2)
    dialog.accept()

    assert written.document.form.candidates == 2
    assert written.form.candidates.value() == 2
    written.writing.cancel()


@pytest.fixture
def several(user: User) -> User:
    """Return the app with another piece, and three candidates asked for."""
    user.document.show_piece(BEFORE)
    user.form.candidates.setValue(3)
    return user


def test_generate_makes_and_ranks_the_number_of_the_form(several: User) -> None:
    """One job without an original; the best candidate is shown and ready to play."""
    several.generate()

    ((name, device, builder),) = several.jobs.candidate_requests
    assert (name, device, builder.count, builder.original) == ("full", "auto", 3, None)
    assert builder.piece is None
    assert builder.form.bars == 2
    assert several.jobs.requests == []
    assert several.listed() == [3, 2, 1]
    assert several.panel.table.currentRow() == 0
    assert several.page.title.text() == "Chorale 9"
    assert several.app.playback.piece is not None
    assert several.app.playback.piece.title == "Chorale 9"
    assert several.page.export.toolTip() == with_keys(PREVIEWING)


def test_enter_accepts_and_the_form_keeps_the_seed_that_was_asked_for(several: User) -> None:
    several.generate()
    several.key(Qt.Key.Key_Down)
    several.key(Qt.Key.Key_Return)

    assert several.piece.title == "Chorale 8"
    assert several.form.seed.value() == 7
    assert several.panel.isHidden()
    assert several.page.export.isEnabled()
    several.window.commands.undo.trigger()
    assert several.document.piece is BEFORE


def test_generating_again_changes_the_seed(several: User) -> None:
    several.generate()
    several.generate()
    several.key(Qt.Key.Key_Return)
    accepted = several.form.seed.value()
    several.generate()

    seeds = [builder.form.seed for _, _, builder in several.jobs.candidate_requests]
    assert seeds[0] == 7 != seeds[1]
    assert seeds[2] not in {*seeds[:2], accepted}


def test_escape_shows_the_piece_before(several: User) -> None:
    """The candidates of a new piece replace nothing: the panel closes, they stay as takes."""
    several.generate()
    several.key(Qt.Key.Key_Escape)

    assert several.panel.isHidden()
    assert several.document.piece is BEFORE is several.app.playback.piece
    assert len(several.document.takes.visible) == 3


def test_another_model_stops_the_job_and_stays_chosen(several: User) -> None:
    """The previous piece is back; the form keeps its entries."""
    several.jobs.hold_candidates = True
    compose_form = several.form
    compose_form.bars.setValue(5)
    several.controls.generate_button.click()
    assert several.jobs.waiting.wait(TIMEOUT)
    compose_form.model.setCurrentIndex(1)
    several.jobs.gate.set()
    several.settle()

    assert several.document.piece is BEFORE
    assert (compose_form.form().model, compose_form.bars.value()) == ("plain", 5)
    several.wait(lambda: several.window.model_status.startswith("plain"))


def test_dismissed_candidates_are_not_generated_again(several: User) -> None:
    """Generate changes the seed, except after Stop, when no candidate was shown."""
    several.generate()
    several.writing.dismiss()
    several.generate()
    several.controls.generate_button.click()
    several.writing.cancel()
    several.settle()
    several.generate()

    first, second, stopped, again = (
        builder.form.seed for _, _, builder in several.jobs.candidate_requests
    )
    assert first != second != stopped
    assert stopped == again


def test_a_notice_of_the_job_stays_beside_the_candidates(several: User) -> None:
    several.jobs.notice = "memory is too small for 3 pieces at once"
    several.generate()

    assert several.panel.note.text() == several.jobs.notice
    assert several.panel.note.isVisible()


def test_a_change_of_the_form_keeps_the_visible_candidate(several: User) -> None:
    several.generate()
    seen = several.page.roll.picture
    several.form.bars.setValue(5)

    assert several.page.roll.picture is seen
    assert several.page.title.text() == "Chorale 9"


@pytest.mark.parametrize("steps", [0, 4])
def test_failure_is_reported_and_the_longest_part_is_kept(steps: int, several: User) -> None:
    unfinished = Chorale.of([(72, 67, 64, 48)] * steps) if steps else None
    several.jobs.stuck = (Stuck(number=1, seed=7, sentence="no note is left", written=unfinished),)
    several.jobs.candidates_error = GenerationError("no note is left for the Bass")
    several.generate()

    assert several.message == "No note is left for the Bass"
    assert several.panel.isHidden()
    assert several.piece.title == ("Chorale 7, unfinished" if steps else "Before")
    assert several.controls.generate_button.text() == "Generate"


def press_play(user: User, row: int) -> None:
    """Click the round button of a row of the list."""
    table = user.panel.table
    cell = table.visualRect(table.model().index(row, 0))
    button = table.itemDelegateForColumn(0).button(cell)  # type: ignore[attr-defined]
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=button.center())


def test_the_button_of_a_row_plays_the_changed_bar_in_a_loop_with_the_bar_before(
    written: User,
) -> None:
    written.rewrite(Selection(voices=(1,), start=18, stop=22), count=3)
    playback, player = written.app.playback, written.app.player
    press_play(written, 2)

    assert written.writer.chosen == written.panel.table.number_at(2)
    assert [player.playing, player.position] == [True, 0.0]
    assert {player.loop, playback.roll.loop} == {(0, 32)}
    press_play(written, 2)
    assert not player.playing


def test_playing_goes_on_with_another_row(written: User) -> None:
    written.rewrite(count=3)
    player = written.app.player
    press_play(written, 1)
    written.app.playback.seek(8.0, in_ruler=False)
    written.panel.table.setCurrentCell(3, 0)
    assert player.chorale is not None
    assert player.chorale is written.document.shown
    assert (player.playing, player.position) == (True, 8.0)
    press_play(written, 2)
    assert (player.playing, player.position) == (True, 8.0)
    assert written.panel.table.playing
    QTest.keyClick(written.window, Qt.Key.Key_Space)
    assert not player.playing
    assert not written.panel.table.playing


def test_p_plays_the_selected_row(written: User) -> None:
    written.rewrite(count=2)
    QTest.keyClick(written.panel.table, Qt.Key.Key_P)
    assert written.app.player.playing
    QTest.keyClick(written.panel.table, Qt.Key.Key_P)
    assert not written.app.player.playing


@pytest.mark.parametrize("end", ["accept", "close"])
def test_with_the_list_the_loop_of_the_user_comes_back(written: User, end: str) -> None:
    playback, player = written.app.playback, written.app.player
    playback.drag_loop(8, 16)
    written.rewrite(count=2)
    press_play(written, 1)
    assert {player.loop} == {(0, 16)}
    (written.panel.accept if end == "accept" else written.panel.close_button).click()
    assert {player.loop, playback.roll.loop} == {(8, 16)}


def test_a_row_has_the_numerals_and_the_cadence_of_its_bars(written: User) -> None:
    written.rewrite(count=2)
    table = written.panel.table
    written.wait(lambda: all(one.numerals is not None for one in table.music.values()))
    assert {*table.music} == {0, 1, 2}
    music = table.music[0]
    assert (music.start, music.stop) == (0, 16)
    assert music.numerals
    assert music.numerals[0].start == 0
    spoken = [
        table.model().index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(2)
    ]
    assert spoken[0] == f"Original: {music.sentence}"
    assert spoken[1].startswith("Candidate ")


def test_measures_and_weights_are_columns_that_stay_open(written: User) -> None:
    written.rewrite(count=2)
    table, weights = written.panel.table, written.panel.weights
    assert [table.isColumnHidden(at) for at in (0, 1, 6)] == [False, True, True]
    assert not weights.isVisible()
    written.panel.more.heading.click()
    assert not table.isColumnHidden(6)
    assert weights.isVisible()
    assert settings.load().columns == "shown"


@pytest.mark.parametrize("width", [1100, 1320, 1500])
def test_the_sheet_stays_where_it_is_when_candidates_are_listed(written: User, width: int) -> None:
    """They take the place of the form, or that at the right where there is room for both."""
    written.window.resize(width, 800)
    written.wait(lambda: written.window.width() == width)
    left = written.page.workspace.mapTo(written.window, QPoint(0, 0)).x()
    written.rewrite(count=2)
    written.wait(written.panel.isVisible)
    written.wait(lambda: written.page.workspace.mapTo(written.window, QPoint(0, 0)).x() == left)
    assert written.controls.isVisible() == (width == 1500)
