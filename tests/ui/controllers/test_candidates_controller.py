"""Rewriting a selection by candidates, with fake jobs."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.errors import GenerationError
from musicrel.generation.candidates.candidate_job import Stuck
from musicrel.presentation.compose import rewrite_form
from musicrel.ui.actions.rewrite_commands import RewriteCommands
from musicrel.ui.app_controller import AppController
from musicrel.ui.controllers import candidates_controller as candidates_module
from musicrel.ui.document.document import PREVIEWING
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers.user_actions import INNER, PIECE, request_candidates, rewrite
from tests.ui.fakes import TIMEOUT, FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


def seen(window: MainWindow) -> list[int]:
    """Return the pitch of the alto at step 4 on the roll."""
    picture = window.compose_page.roll.picture
    assert picture is not None
    return [n.pitch for n in picture.notes if n.voice == 1 and n.start <= 4 < n.stop]


def listed(window: MainWindow) -> list[int | None]:
    """Return the numbers of the candidates in the order of the table."""
    table = window.compose_page.candidates.table
    return [table.number_at(row) for row in range(table.rowCount())]


def test_rewriting_requests_the_selection_without_its_locks(
    act: RewriteCommands,
    app_controller: AppController,
    window: MainWindow,
    jobs: FakeJobs,
    qtbot: QtBot,
) -> None:
    """The request has the form's model, temperature and rules, and the number of the field."""
    act.voices[2].trigger()
    window.compose_page.controls.compose_form.rules.boxes["crossing"].setChecked(True)
    rewrite(app_controller, window, qtbot, count=3)

    ((name, device, builder),) = jobs.candidate_requests
    assert (name, device, builder.count) == ("full", "auto", 3)
    assert builder.form.rules == ("range", "crossing")
    assert builder.free.any()
    assert int(builder.free.sum()) == 8
    assert sorted(number or 0 for number in listed(window)) == [0, 1, 2, 3]


def test_best_candidate_is_shown_and_played_at_once(
    act: RewriteCommands, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The current piece, which is saved, stays the original."""
    piece = rewrite(app_controller, window, qtbot)

    best = listed(window)[1]
    assert best == app_controller.candidates.chosen
    assert seen(window) == [67 + (best or 0)]
    assert app_controller.playback.piece is not piece
    assert app_controller.document.piece is piece
    assert not window.compose_page.export.isEnabled()
    assert window.compose_page.export.toolTip() == PREVIEWING
    assert not window.compose_page.handle.isEnabled()
    del act


def test_equal_candidates_are_listed_and_kept_once(
    act: RewriteCommands,
    app_controller: AppController,
    window: MainWindow,
    jobs: FakeJobs,
    qtbot: QtBot,
) -> None:
    """The panel names their number, and the takes have no duplicates."""
    jobs.different = 2
    rewrite(app_controller, window, qtbot, count=8)

    assert sorted(number or 0 for number in listed(window)) == [0, 1, 2]
    assert window.compose_page.candidates.detail.text().startswith("2 different candidates of ")
    assert len(app_controller.document.takes.all) == 3
    act.back.trigger()


def test_arrow_keys_audition_without_moving_the_playhead(
    act: RewriteCommands, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """Playback continues with the selected candidate."""
    rewrite(app_controller, window, qtbot)
    player = app_controller.player
    app_controller.playback.seek(6.0, in_ruler=False)
    table = window.compose_page.candidates.table
    played = []
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        QTest.keyClick(table, key)
        played.append(player.chorale)
        assert player.position == 6.0
        assert player.chorale is not None
        assert seen(window) == [int(player.chorale.pitches[4, 1])]

    assert played[0] is played[2] is not played[1]
    act.previous.trigger()
    act.previous.trigger()
    assert table.currentRow() == 0
    assert player.chorale is app_controller.document.piece


def test_enter_accepts_and_undo_restores_the_original(
    act: RewriteCommands, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The accepted piece keeps the locks and has its provenance."""
    act.voices[0].trigger()
    piece = rewrite(app_controller, window, qtbot)
    QTest.keyClick(window.compose_page.candidates.table, Qt.Key.Key_Return)

    taken = app_controller.document.piece
    assert taken is not None
    assert taken is not piece
    assert taken.title == "Chorale 7, rewritten"
    assert taken.provenance is not None
    assert window.isWindowModified()
    assert window.compose_page.export.isEnabled()
    assert window.compose_page.candidates.isHidden()
    assert app_controller.document.locks is not None
    assert app_controller.document.locks[:, 0].all()
    window.commands.undo.trigger()
    assert app_controller.document.piece is piece
    assert seen(window) == [67]


@pytest.mark.parametrize("back", [True, False])
def test_undo_closes_the_list_and_nothing_else(
    act: RewriteCommands,
    app_controller: AppController,
    window: MainWindow,
    qtbot: QtBot,
    *,
    back: bool,
) -> None:
    """The edit before stays, with the original shown as with a candidate."""
    app_controller.document.show_piece(PIECE)
    piece = rewrite(app_controller, window, qtbot)
    if back:
        act.back.trigger()
    window.commands.undo.trigger()

    assert window.compose_page.candidates.isHidden()
    assert app_controller.document.piece is app_controller.document.shown is piece
    assert window.commands.redo.text() == "&Redo"


def test_escape_goes_back_and_then_closes(
    act: RewriteCommands, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The current piece is unchanged."""
    piece = rewrite(app_controller, window, qtbot)
    QTest.keyClick(window.compose_page.candidates.table, Qt.Key.Key_Escape)
    assert (app_controller.candidates.chosen, window.compose_page.candidates.isHidden()) == (
        0,
        False,
    )
    assert seen(window) == [67]
    QTest.keyClick(window.compose_page.candidates.table, Qt.Key.Key_Escape)

    assert window.compose_page.candidates.isHidden()
    assert app_controller.document.piece is piece is app_controller.playback.piece
    assert window.compose_page.export.isEnabled()
    del act


def test_escape_cancels_the_generation_of_candidates(
    act: RewriteCommands,
    app_controller: AppController,
    window: MainWindow,
    jobs: FakeJobs,
    qtbot: QtBot,
) -> None:
    """Meanwhile the button is Cancel and the bar shows progress; the piece is unchanged."""
    jobs.hold_candidates = True
    request_candidates(window, 8)
    window.compose_page.strip.rewrite.click()
    assert jobs.waiting.wait(TIMEOUT)
    qtbot.waitUntil(lambda: window.compose_page.candidates.progress.value() == 250)
    assert window.compose_page.strip.rewrite.text() == "Cancel"
    QTest.keyClick(window, Qt.Key.Key_Escape)
    jobs.gate.set()

    assert not app_controller.candidates.busy
    qtbot.waitUntil(lambda: app_controller.candidates.run.idle)
    assert window.compose_page.strip.rewrite.text() == "Vary piece"
    assert window.compose_page.candidates.isHidden()
    assert window.state == candidates_module.CANCELLED
    assert not act.back.isEnabled()


@pytest.mark.parametrize("change", ["piece", "model", "generate"])
def test_outdated_candidates_are_dropped(
    change: str, act: RewriteCommands, app_controller: AppController, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Another piece or model ends their generation."""
    window = app_controller.window
    jobs.hold_candidates = True
    request_candidates(window, 8)
    window.compose_page.strip.rewrite.click()
    assert jobs.waiting.wait(TIMEOUT)
    match change:
        case "piece":
            other = Chorale.of([(72, 67, 64, 48)] * 8)
            app_controller.document.show_piece(other)
        case "model":
            window.compose_page.controls.compose_form.model.setCurrentIndex(1)
        case _:
            request_candidates(window, 1)
            app_controller.compose.generate()
    jobs.gate.set()
    qtbot.waitUntil(
        lambda: app_controller.candidates.run.idle and not app_controller.document.generating
    )

    assert window.compose_page.candidates.isHidden()
    assert listed(window) == []
    assert not app_controller.candidates.open
    del act


def test_changed_weights_rank_at_once(
    act: RewriteCommands, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The selected candidate stays selected; Reset restores the default weights."""
    rewrite(app_controller, window, qtbot, count=3)
    fields = window.compose_page.candidates.weights.fields
    before, chosen = listed(window), app_controller.candidates.chosen
    fields["grade"].setValue(5.0)

    assert listed(window) == [0, 1, 2, 3] != before
    assert window.compose_page.candidates.table.currentRow() == listed(window).index(chosen)
    assert app_controller.candidates.chosen == chosen
    window.compose_page.candidates.weights.reset.click()
    assert listed(window) == before
    del act


def test_repeating_a_request_takes_a_new_seed(
    act: RewriteCommands,
    app_controller: AppController,
    window: MainWindow,
    jobs: FakeJobs,
    qtbot: QtBot,
) -> None:
    """The candidates differ from the ones before."""
    rewrite(app_controller, window, qtbot)
    rewrite(app_controller, window, qtbot)

    one, other = (builder.form.seed for _, _, builder in jobs.candidate_requests)
    assert one == 7 != other
    del act


@pytest.mark.parametrize(
    "sentence",
    [
        "the locked notes break the rule 'range' in bar 1, Tenor: switch the rule off",
        "no note is left for the Bass at step 9: the partial piece is kept",
    ],
)
def test_failure_is_shown_and_the_piece_is_kept(
    sentence: str, act: RewriteCommands, app_controller: AppController, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The banner has the message of the error; piece and selection are unchanged."""
    window = app_controller.window
    jobs.candidates_error = GenerationError(sentence)
    piece = rewrite(app_controller, window, qtbot)

    assert window.compose_page.banner.message == sentence[:1].upper() + sentence[1:]
    assert app_controller.document.piece is piece
    assert window.compose_page.candidates.isHidden()
    assert window.compose_page.selecting.selection == INNER
    assert act.rewrite.isEnabled()


def test_locked_selection_is_refused_at_once(
    act: RewriteCommands, window: MainWindow, jobs: FakeJobs
) -> None:
    """No job is started."""
    for action in act.voices:
        action.trigger()
    act.rewrite.trigger()

    assert window.compose_page.banner.message.startswith("Every note is locked: unlock")
    assert jobs.candidate_requests == []


def test_uncompleted_candidates_are_reported(
    act: RewriteCommands,
    app_controller: AppController,
    window: MainWindow,
    jobs: FakeJobs,
    qtbot: QtBot,
) -> None:
    """A note below the table counts them."""
    jobs.stuck = (Stuck(number=9, seed=15, sentence="no note is left", written=None),)
    rewrite(app_controller, window, qtbot)

    assert (
        window.compose_page.candidates.note.text() == "1 candidate not completed: no note is left"
    )
    del act


def test_small_window_shows_candidates_in_place_of_the_form(
    act: RewriteCommands, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The roll keeps more than half of the window; closing the panel shows the form again."""
    window.resize(1000, 600)
    rewrite(app_controller, window, qtbot)
    assert (
        window.compose_page.controls.isHidden(),
        window.compose_page.candidates.isVisible(),
    ) == (True, True)
    assert window.compose_page.workspace.width() > window.width() / 2
    window.resize(1440, 900)
    assert not window.compose_page.controls.isHidden()
    window.resize(1000, 600)
    window.compose_page.candidates.close_button.click()
    assert not window.compose_page.controls.isHidden()
    del act


def test_button_says_how_a_causal_model_looks_ahead(
    act: RewriteCommands, window: MainWindow
) -> None:
    """Its tooltip and its accessible description explain it."""
    for text in (window.compose_page.strip.rewrite.toolTip(), act.rewrite.statusTip()):
        assert "reads on in the notes kept after the passage" in text


def test_limits_of_causal_models_are_explained(
    act: RewriteCommands, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The lock command and the status line explain them; the panel at draft quality."""
    quality = window.compose_page.controls.compose_form.quality
    quality.setCurrentIndex(quality.findData("draft"))
    rewrite(app_controller, window, qtbot)
    assert window.compose_page.candidates.remark.text() == rewrite_form.NO_LOOKAHEAD
    assert window.compose_page.candidates.remark.isVisible()
    window.compose_page.candidates.close_button.click()
    act.voices[0].trigger()
    for text in (act.lock.toolTip(), window.compose_page.strip.status.toolTip()):
        assert "reads on" in text

    act.unlock.trigger()
    assert window.compose_page.strip.status.toolTip() == ""
    rewrite(app_controller, window, qtbot, None)
    assert not window.compose_page.candidates.remark.isVisible()
