"""Candidates as takes, a single candidate, and pointing at a row of the table."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from musicrel.chorale import Voice
from musicrel.errors import GenerationError
from musicrel.presentation.compose.candidate_table import COLUMNS
from musicrel.presentation.compose.form import AUTO, DRAWN
from musicrel.presentation.compose.harmonise_form import HarmoniseForm, Source
from musicrel.ui.actions.rewrite_commands import RewriteCommands
from musicrel.ui.app_controller import AppController
from musicrel.ui.controllers import candidates_controller as candidates_module
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers.user_actions import INNER, harmonise, request_candidates, rewrite
from tests.ui.fakes import TIMEOUT, FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


@pytest.fixture
def act(app_controller: AppController, window: MainWindow, qtbot: QtBot) -> RewriteCommands:
    """Return the commands, with a piece of two bars."""
    app_controller.compose.generate()
    document = app_controller.document
    qtbot.waitUntil(lambda: document.piece is not None and not document.generating)
    return window.commands.rewriting


def made(app_controller: AppController) -> list[tuple[str, str, int | None, bool]]:
    """Return name, action, parent and acceptance of all takes but the first."""
    takes = app_controller.document.takes.all[1:]
    return [(take.name, take.action, take.parent, take.accepted) for take in takes]


def alto(window: MainWindow) -> set[int]:
    """Return the pitches of the alto on the roll at step 4."""
    picture = window.compose_page.roll.picture
    assert picture is not None
    return {note.pitch for note in picture.notes if note.voice == 1 and note.start <= 4 < note.stop}


def point_at(window: MainWindow, row: int) -> None:
    """Move the mouse to a row of the table."""
    table = window.compose_page.candidates.table
    item = table.item(row, 0)
    assert item is not None
    QTest.mouseMove(table.viewport(), table.visualItemRect(item).center())


# ---------------------------------------------------------------------------- takes


def test_every_candidate_is_a_take_and_accepting_one_makes_no_other(
    act: RewriteCommands, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The accepted one is marked; their seeds are those of the candidates."""
    rewrite(app_controller, window, qtbot, count=3)
    assert made(app_controller) == [
        ("Chorale 7, rewritten", "rewritten", 1, False),
        ("Chorale 7, rewritten (2)", "rewritten", 1, False),
        ("Chorale 7, rewritten (3)", "rewritten", 1, False),
    ]
    app_controller.candidates.choose(2)
    app_controller.candidates.accept()

    document = app_controller.document
    assert len(document.takes.all) == 4
    assert document.take is not None
    assert (document.take.number, document.take.accepted) == (3, True)
    assert document.piece is document.take.piece
    assert len({take.form.seed for take in document.takes.all[1:]}) == 3
    del act


def test_finished_candidates_of_a_cancelled_batch_are_takes(
    act: RewriteCommands,
    app_controller: AppController,
    window: MainWindow,
    jobs: FakeJobs,
    qtbot: QtBot,
) -> None:
    """Nothing that was finished is lost."""
    jobs.hold_second_candidate = True
    request_candidates(window, 3)
    window.compose_page.strip.rewrite.click()
    qtbot.waitUntil(lambda: app_controller.candidates.run.candidate_count == 1)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    jobs.second_gate.set()
    qtbot.waitUntil(lambda: app_controller.candidates.run.idle)

    assert made(app_controller) == [("Chorale 7, varied", "varied", 1, False)]
    del act


def test_candidates_of_a_new_piece_are_generated_takes(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """They were made from no other take, with the form whose seed draws the phrases of all."""
    request_candidates(window, 2)
    app_controller.compose.generate()
    qtbot.waitUntil(lambda: app_controller.candidates.chosen != 0)
    takes = app_controller.document.takes.all
    app_controller.candidates.accept()

    assert [(take.action, take.parent, take.form.seed) for take in takes] == [
        ("generated", None, 7), ("generated", None, 7),
    ]  # fmt: skip
    assert app_controller.document.form_is_used
    assert len(app_controller.document.takes.all) == 2


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("task", ["new", "rewrite", "harmonise"])
def test_accepting_a_candidate_keeps_the_form(
    *,
    task: str,
    number: int,
    act: RewriteCommands,
    app_controller: AppController,
    window: MainWindow,
    qtbot: QtBot,
) -> None:
    """Entries that are drawn with the seed stay so with any accepted candidate."""
    form_view = window.compose_page.controls.compose_form
    form_view.phrases.setText(AUTO)
    app_controller.compose.new_seed()  # as another piece would get
    asked, candidates = app_controller.document.form, app_controller.candidates
    match task:
        case "new":
            request_candidates(window, 3)
            app_controller.compose.generate()
            qtbot.waitUntil(lambda: candidates.chosen != 0)
        case "rewrite":
            rewrite(app_controller, window, qtbot, count=3)
        case _:
            source = Source(title="the roll")
            what = HarmoniseForm(
                source=source, voice=Voice.SOPRANO, model="full", quality="draft", count=3
            )
            harmonise(app_controller, qtbot, what)
    candidates.choose(number)
    candidates.accept()

    assert (asked.phrases, asked.pickup) == (AUTO, DRAWN)
    assert app_controller.document.form == asked
    assert form_view.form() == asked
    del act


def test_the_status_line_names_the_piece_to_go_back_to(
    act: RewriteCommands, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The one before, or the empty sheet without one."""
    request_candidates(window, 2)
    app_controller.compose.new_seed()
    app_controller.compose.generate()
    qtbot.waitUntil(lambda: app_controller.candidates.chosen != 0)

    assert window.state.endswith("Enter accepts it, Esc goes back to Chorale 7")
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.state == "Restored Chorale 7"
    del act


# ---------------------------------------------------------------------------- a single one


@pytest.mark.parametrize(
    ("task", "title", "state"),
    [
        ("rewrite", "Chorale 7, rewritten", "Rewritten in 1.0 s: 11 notes changed"),
        ("vary", "Chorale 7, varied", "Varied in 1.0 s: 97 notes changed"),
        ("continue", "Chorale 7, continued", "Continued in 1.0 s: "),
        ("harmonise", "Chorale 7, harmonised", "Harmonised in 1.0 s: 65 notes changed"),
    ],
)
def test_one_candidate_is_applied_at_once(
    *,
    task: str,
    title: str,
    state: str,
    act: RewriteCommands,
    app_controller: AppController,
    window: MainWindow,
    qtbot: QtBot,
) -> None:
    """No panel opens; the status line has the result; one step of Undo goes back."""
    document = app_controller.document
    before = document.piece
    match task:
        case "rewrite":
            rewrite(app_controller, window, qtbot, count=1)
        case "vary":
            rewrite(app_controller, window, qtbot, None, count=1)
        case "continue":
            act.continue_by[0].trigger()
        case _:
            source = Source(title="the roll")
            what = HarmoniseForm(
                source=source, voice=Voice.SOPRANO, model="full", quality="draft", count=1
            )
            harmonise(app_controller, qtbot, what)
    qtbot.waitUntil(lambda: document.piece is not before)

    assert document.title == title
    assert window.state.startswith(state)
    assert window.compose_page.candidates.isHidden()
    assert not app_controller.candidates.open
    assert len(document.takes.all) == 2
    document.undo()
    assert document.piece is before


def test_a_single_candidate_shows_progress_and_can_be_stopped(
    act: RewriteCommands,
    app_controller: AppController,
    window: MainWindow,
    jobs: FakeJobs,
    qtbot: QtBot,
) -> None:
    """The main button is Stop meanwhile; the piece stays."""
    jobs.hold_candidates = True
    before, controls = app_controller.document.piece, window.compose_page.controls
    window.compose_page.selecting.select(INNER)
    window.compose_page.strip.rewrite.click()
    assert jobs.waiting.wait(TIMEOUT)
    qtbot.waitUntil(lambda: controls.progress.value() == 250)
    assert window.compose_page.candidates.isHidden()
    assert window.state.startswith("Generating Alto")
    assert not act.next.isEnabled()
    controls.generate_button.click()
    jobs.gate.set()
    qtbot.waitUntil(lambda: app_controller.candidates.run.idle)

    assert app_controller.document.piece is before
    assert window.state == candidates_module.CANCELLED
    assert controls.generate_button.text() == "Generate"


def test_a_single_candidate_that_fails_is_reported(
    act: RewriteCommands, app_controller: AppController, window: MainWindow, jobs: FakeJobs,
    qtbot: QtBot,
) -> None:  # fmt: skip
    """The piece stays."""
    jobs.candidates_error = GenerationError("no note is left for the Bass")
    before = rewrite(app_controller, window, qtbot, count=1)

    assert window.compose_page.banner.message == "No note is left for the Bass"
    assert app_controller.document.piece is before
    assert len(app_controller.document.takes.all) == 1
    del act


# ---------------------------------------------------------------------------- the table


def test_pointing_at_a_row_draws_it_and_plays_on(
    act: RewriteCommands, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """Leaving the table draws the selected one again; the playhead stays where it is."""
    rewrite(app_controller, window, qtbot, count=3)
    player, table = app_controller.player, window.compose_page.candidates.table
    app_controller.playback.seek(6.0, in_ruler=False)
    chosen, played = alto(window), player.chorale
    other = next(
        row for row in range(4) if table.number_at(row) not in (0, app_controller.candidates.chosen)
    )
    point_at(window, other)
    assert alto(window) == {67 + (table.number_at(other) or 0)} != chosen
    assert (player.chorale, player.position) == (played, 6.0)
    point_at(window, 0)
    assert alto(window) == {67}

    QApplication.sendEvent(table.viewport(), QEvent(QEvent.Type.Leave))
    assert alto(window) == chosen
    point_at(window, other)
    QTest.mouseMove(table.viewport(), QPoint(5, table.viewport().height() - 2))
    assert alto(window) == chosen
    del act


def test_closing_the_panel_shows_the_piece_again(
    act: RewriteCommands, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """Also while the mouse is on a row."""
    rewrite(app_controller, window, qtbot, count=3)
    point_at(window, 1)
    window.compose_page.candidates.close_button.click()

    assert alto(window) == {67}
    assert app_controller.document.sketch is None
    assert window.state == candidates_module.AS_TAKES
    del act


def test_every_column_explains_itself_in_one_sentence() -> None:
    """Its tooltip begins with its title."""
    titles = [column.full_title for column in COLUMNS]

    assert titles[1:7] == [
        "Surprisal", "Rule violations", "Phrases closed", "Grade", "Changed", "Copied from Bach",
    ]  # fmt: skip
    assert not [column for column in COLUMNS if ". " in column.meaning]
    assert all(column.tooltip.startswith(f"{column.full_title}\n") for column in COLUMNS)


def test_there_is_one_number_of_candidates(
    act: RewriteCommands, app_controller: AppController, window: MainWindow
) -> None:
    """The dialog shows that of the form, and changes it."""
    request_candidates(window, 5)
    app_controller.harmonise.ask()
    dialog = app_controller.harmonise.dialog
    assert dialog is not None
    assert dialog.count.value() == 5
    dialog.count.setValue(2)
    entries = dialog.form()
    dialog.reject()
    app_controller.harmonise.begin(entries)

    assert app_controller.document.form.candidates == 2
    assert window.compose_page.controls.compose_form.candidates.value() == 2
    app_controller.candidates.cancel()
    del act
