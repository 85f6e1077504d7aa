"""Several new pieces to choose from, through the window, with jobs that need no model."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.errors import GenerationError
from musicrel.generation.candidates.candidate_job import Stuck
from musicrel.ui.app_controller import AppController
from musicrel.ui.document.document import PREVIEWING
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.fakes import TIMEOUT, FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

BEFORE = Chorale.of([(72, 67, 64, 48)] * 16, title="Before")


@pytest.fixture
def several(app_controller: AppController, window: MainWindow) -> MainWindow:
    """Return the window with a piece on the sheet and three candidates in the form."""
    app_controller.document.show_piece(BEFORE)
    window.compose_page.controls.compose_form.candidates.setValue(3)
    return window


def generate(app_controller: AppController, window: MainWindow, qtbot: QtBot) -> None:
    window.compose_page.controls.generate_button.click()
    qtbot.waitUntil(lambda: not app_controller.candidates.busy)


def rows(window: MainWindow) -> list[int | None]:
    table = window.compose_page.candidates.table
    return [table.number_at(row) for row in range(table.rowCount())]


def test_generate_makes_and_ranks_the_number_of_the_form(
    several: MainWindow, app_controller: AppController, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """One job without an original; the best candidate is shown and ready to play."""
    generate(app_controller, several, qtbot)

    ((name, device, builder),) = jobs.candidate_requests
    assert (name, device, builder.count, builder.original) == ("full", "auto", 3, None)
    assert builder.is_new
    assert builder.form.bars == 2
    assert jobs.requests == []
    assert rows(several) == [3, 2, 1]
    assert several.compose_page.candidates.table.currentRow() == 0
    assert several.compose_page.title.text() == "Chorale 9"
    assert app_controller.playback.piece is not None
    assert app_controller.playback.piece.title == "Chorale 9"
    assert several.compose_page.export.toolTip() == PREVIEWING


def test_enter_accepts_and_the_form_keeps_the_seed_that_was_asked_for(
    several: MainWindow, app_controller: AppController, qtbot: QtBot
) -> None:
    """Undo brings the previous piece back."""
    generate(app_controller, several, qtbot)
    QTest.keyClick(several.compose_page.candidates.table, Qt.Key.Key_Down)
    QTest.keyClick(several.compose_page.candidates.table, Qt.Key.Key_Return)

    assert app_controller.document.piece is not None
    assert app_controller.document.piece.title == "Chorale 8"
    assert several.compose_page.controls.compose_form.seed.value() == 7
    assert several.compose_page.candidates.isHidden()
    assert several.compose_page.export.isEnabled()
    several.commands.undo.trigger()
    assert app_controller.document.piece is BEFORE


def test_generating_again_changes_the_seed(
    several: MainWindow, app_controller: AppController, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The seed is new after an accepted candidate and while candidates are shown."""
    generate(app_controller, several, qtbot)
    generate(app_controller, several, qtbot)
    QTest.keyClick(several.compose_page.candidates.table, Qt.Key.Key_Return)
    accepted = several.compose_page.controls.compose_form.seed.value()
    generate(app_controller, several, qtbot)

    seeds = [builder.form.seed for _, _, builder in jobs.candidate_requests]
    assert seeds[0] == 7 != seeds[1]
    assert seeds[2] not in {*seeds[:2], accepted}


def test_escape_shows_the_piece_before(
    several: MainWindow, app_controller: AppController, qtbot: QtBot
) -> None:
    """The candidates of a new piece replace nothing: the panel closes, they stay as takes."""
    generate(app_controller, several, qtbot)
    QTest.keyClick(several.compose_page.candidates.table, Qt.Key.Key_Escape)

    assert several.compose_page.candidates.isHidden()
    assert app_controller.document.piece is BEFORE is app_controller.playback.piece
    assert len(app_controller.document.takes.visible) == 3


def test_button_stops_the_job(
    several: MainWindow, app_controller: AppController, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """During the job it shows Stop and the progress; afterwards the previous piece is back."""
    jobs.hold_candidates = True
    controls = several.compose_page.controls
    controls.generate_button.click()
    assert jobs.waiting.wait(TIMEOUT)
    qtbot.waitUntil(lambda: controls.progress.value() == 250)
    assert controls.generate_button.text() == "Stop"
    assert several.compose_page.roll.hint[0] == "Generating 3 candidates of a new piece"
    controls.generate_button.click()
    jobs.gate.set()
    qtbot.waitUntil(lambda: app_controller.candidates.run.idle)

    assert controls.generate_button.text() == "Generate"
    assert several.compose_page.candidates.isHidden()
    assert app_controller.document.piece is BEFORE
    assert several.compose_page.roll.hint[0] == "Empty sheet"


def test_another_model_stops_the_job_and_stays_chosen(
    several: MainWindow, app_controller: AppController, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The previous piece is back; the form keeps its entries."""
    jobs.hold_candidates = True
    compose_form = several.compose_page.controls.compose_form
    compose_form.bars.setValue(5)
    several.compose_page.controls.generate_button.click()
    assert jobs.waiting.wait(TIMEOUT)
    compose_form.model.setCurrentIndex(1)
    jobs.gate.set()
    qtbot.waitUntil(lambda: app_controller.candidates.run.idle)

    assert app_controller.document.piece is BEFORE
    assert (compose_form.form().model, compose_form.bars.value()) == ("plain", 5)
    qtbot.waitUntil(lambda: several.model_status.startswith("plain"))


def test_dismissed_candidates_are_not_generated_again(
    several: MainWindow, app_controller: AppController, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Generate changes the seed, except after Stop, when no candidate was shown."""
    generate(app_controller, several, qtbot)
    app_controller.candidates.dismiss()
    generate(app_controller, several, qtbot)
    several.compose_page.controls.generate_button.click()
    app_controller.candidates.cancel()
    qtbot.waitUntil(lambda: app_controller.candidates.run.idle)
    generate(app_controller, several, qtbot)

    first, second, stopped, again = (builder.form.seed for _, _, builder in jobs.candidate_requests)
    assert first != second != stopped
    assert stopped == again


def test_a_notice_of_the_job_stays_beside_the_candidates(
    several: MainWindow, app_controller: AppController, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """An example is too little memory."""
    jobs.notice = "memory is too small for 3 pieces at once"
    generate(app_controller, several, qtbot)

    assert several.compose_page.candidates.note.text() == jobs.notice
    assert several.compose_page.candidates.note.isVisible()


def test_a_change_of_the_form_keeps_the_visible_candidate(
    several: MainWindow, app_controller: AppController, qtbot: QtBot
) -> None:
    """The form is for the next request."""
    generate(app_controller, several, qtbot)
    seen = several.compose_page.roll.picture
    several.compose_page.controls.compose_form.bars.setValue(5)

    assert several.compose_page.roll.picture is seen
    assert several.compose_page.title.text() == "Chorale 9"


@pytest.mark.parametrize("steps", [0, 4])
def test_failure_is_reported_and_the_longest_part_is_kept(
    steps: int, several: MainWindow, app_controller: AppController, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Without any part the previous piece is back."""
    unfinished = Chorale.of([(72, 67, 64, 48)] * steps) if steps else None
    jobs.stuck = (Stuck(number=1, seed=7, sentence="no note is left", written=unfinished),)
    jobs.candidates_error = GenerationError("no note is left for the Bass")
    generate(app_controller, several, qtbot)

    assert several.compose_page.banner.message == "No note is left for the Bass"
    assert several.compose_page.candidates.isHidden()
    assert app_controller.document.piece is not None
    assert app_controller.document.piece.title == ("Chorale 7, unfinished" if steps else "Before")
    assert several.compose_page.controls.generate_button.text() == "Generate"


def test_one_candidate_is_shown_while_it_is_generated(
    several: MainWindow, app_controller: AppController, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The previous candidates are gone."""
    generate(app_controller, several, qtbot)
    several.compose_page.controls.compose_form.candidates.setValue(1)
    several.compose_page.controls.generate_button.click()
    qtbot.waitUntil(
        lambda: app_controller.document.piece is not None and not app_controller.document.generating
    )

    assert len(jobs.requests) == 1
    assert several.compose_page.candidates.isHidden()
    assert several.compose_page.controls.generate_button.text() == "Generate"
