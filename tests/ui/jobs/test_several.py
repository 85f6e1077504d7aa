"""Several new pieces to choose from, as their user meets them, on jobs that need no model."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.errors import GenerationError
from musicrel.generation.candidates.candidate_job import Stuck
from musicrel.presentation.compose.request_builder import NewPiece
from musicrel.ui.app_controller import House
from musicrel.ui.controllers import candidates_controller as proposing_module
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.fakes import PATIENCE, FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

BEFORE = Chorale.of([(72, 67, 64, 48)] * 16, title="Before")


@pytest.fixture
def several(house: House, window: MainWindow) -> MainWindow:
    """The window with a piece on the sheet, and three candidates asked for in the form."""
    house.studio.show_piece(BEFORE, None, "", saved=True)
    window.page.controls.entries.candidates.setValue(3)
    return window


def generate(house: House, window: MainWindow, qtbot: QtBot) -> None:
    window.page.controls.main.click()
    qtbot.waitUntil(lambda: not house.proposing.busy)


def rows(window: MainWindow) -> list[int | None]:
    table = window.page.candidates.table
    return [table.number_at(row) for row in range(table.rowCount())]


def test_generate_writes_as_many_as_the_form_says_and_ranks_them(
    several: MainWindow, house: House, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """One job, no piece of its own, no original; the best is seen and heard at once."""
    generate(house, several, qtbot)

    ((name, device, wish),) = jobs.asked_to_rewrite
    assert (name, device, wish.count, wish.original) == ("full", "auto", 3, None)
    assert isinstance(wish, NewPiece)
    assert wish.form.bars == 2
    assert jobs.asked == []
    assert rows(several) == [3, 2, 1]
    assert several.page.candidates.table.currentRow() == 0
    assert several.page.title.whole == "Chorale 9"
    assert house.listening._piece is not None
    assert house.listening._piece.title == "Chorale 9"
    assert several.page.save.toolTip() == proposing_module.SEEN


def test_enter_accepts_and_the_form_says_how_it_was_written(
    several: MainWindow, house: House, qtbot: QtBot
) -> None:
    """With the seed of that one; the piece before can be brought back."""
    generate(house, several, qtbot)
    QTest.keyClick(several.page.candidates.table, Qt.Key.Key_Down)
    QTest.keyClick(several.page.candidates.table, Qt.Key.Key_Return)

    assert house.studio.piece is not None
    assert house.studio.piece.title == "Chorale 8"
    assert several.page.controls.entries.seed.value() == 8
    assert several.page.candidates.isHidden()
    assert several.page.save.isEnabled()
    several.commands.undo.trigger()
    assert house.studio.piece is BEFORE


def test_accepted_and_generated_again_are_other_pieces(
    several: MainWindow, house: House, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """As for a single one, the seed is rolled; so it is while candidates are still seen."""
    generate(house, several, qtbot)
    generate(house, several, qtbot)
    QTest.keyClick(several.page.candidates.table, Qt.Key.Key_Return)
    accepted = several.page.controls.entries.seed.value()
    generate(house, several, qtbot)

    seeds = [wish.form.seed for _, _, wish in jobs.asked_to_rewrite]
    assert seeds[0] == 7 != seeds[1]
    assert seeds[2] not in {*seeds[:2], accepted}


def test_escape_shows_the_empty_sheet_and_then_the_piece_before(
    several: MainWindow, house: House, qtbot: QtBot
) -> None:
    """Nothing is lost; nothing can be accepted where none is seen."""
    generate(house, several, qtbot)
    QTest.keyClick(several.page.candidates.table, Qt.Key.Key_Escape)
    picture = several.page.roll.picture
    assert picture is not None
    assert (picture.notes, house.listening._piece) == ((), None)
    assert not several.page.candidates.isHidden()
    assert not several.page.candidates.accept.isEnabled()
    assert several.page.roll._hint[1] == proposing_module.CHOOSE
    QTest.keyClick(several.page.candidates.table, Qt.Key.Key_Escape)

    assert several.page.candidates.isHidden()
    assert house.studio.piece is BEFORE is house.listening._piece


def test_arrow_after_escape_sees_the_best_again(
    several: MainWindow, house: House, qtbot: QtBot
) -> None:
    """As at first."""
    generate(house, several, qtbot)
    QTest.keyClick(several.page.candidates.table, Qt.Key.Key_Escape)
    several.commands.rewriting.next.trigger()

    assert house.proposing._chosen == 3
    assert several.page.candidates.accept.isEnabled()


def test_button_stops_the_writing(
    several: MainWindow, house: House, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """It is Stop meanwhile, with how far it is; then the piece before is back."""
    jobs.hold_proposing = True
    controls = several.page.controls
    controls.main.click()
    assert jobs.waiting.wait(PATIENCE)
    qtbot.waitUntil(lambda: controls.progress.value() == 250)
    assert controls.main.text() == "Stop"
    assert several.page.roll._hint[0] == "Writing 3 versions of a new piece"
    controls.main.click()
    jobs.gate.set()
    qtbot.waitUntil(lambda: house.proposing.versions.idle)

    assert controls.main.text() == "Generate"
    assert several.page.candidates.isHidden()
    assert house.studio.piece is BEFORE
    assert several.page.roll._hint[0] == "An empty sheet"


def test_another_model_ends_the_writing_and_stays_chosen(
    several: MainWindow, house: House, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The piece before is back; what the form says is not."""
    jobs.hold_proposing = True
    entries = several.page.controls.entries
    entries.bars.setValue(5)
    several.page.controls.main.click()
    assert jobs.waiting.wait(PATIENCE)
    entries.model.setCurrentIndex(1)
    jobs.gate.set()
    qtbot.waitUntil(lambda: house.proposing.versions.idle)

    assert house.studio.piece is BEFORE
    assert (entries.form().model, entries.bars.value()) == ("plain", 5)
    qtbot.waitUntil(lambda: several.machine.startswith("plain"))


def test_versions_that_were_dismissed_do_not_come_again(
    several: MainWindow, house: House, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Generate rolls the seed; after Stop it does not, nothing was seen of them."""
    generate(house, several, qtbot)
    house.proposing.dismiss()
    generate(house, several, qtbot)
    several.page.controls.main.click()
    house.proposing.cancel()
    qtbot.waitUntil(lambda: house.proposing.versions.idle)
    generate(house, several, qtbot)

    first, second, stopped, again = (wish.form.seed for _, _, wish in jobs.asked_to_rewrite)
    assert first != second != stopped
    assert stopped == again


def test_a_remark_of_the_job_stays_beside_the_versions(
    several: MainWindow, house: House, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """That memory was small, for one."""
    jobs.notice = "memory is too small for 3 pieces at once"
    generate(house, several, qtbot)

    assert several.page.candidates.note.text() == jobs.notice
    assert several.page.candidates.note.isVisible()


def test_a_change_of_the_form_leaves_the_candidate_in_sight(
    several: MainWindow, house: House, qtbot: QtBot
) -> None:
    """The form is for the next ones."""
    generate(house, several, qtbot)
    seen = several.page.roll.picture
    several.page.controls.entries.bars.setValue(5)

    assert several.page.roll.picture is seen
    assert several.page.title.whole == "Chorale 9"


@pytest.mark.parametrize("steps", [0, 4])
def test_failures_are_told_and_what_was_written_is_kept(
    steps: int, several: MainWindow, house: House, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The longest beginning, where there is one; else the piece before."""
    begun = Chorale.of([(72, 67, 64, 48)] * steps) if steps else None
    jobs.stuck = (Stuck(number=1, seed=7, sentence="no note is left", written=begun),)
    jobs.propose_error = GenerationError("no note is left for the Bass")
    generate(house, several, qtbot)

    assert several.page.banner.sentence == "No note is left for the Bass"
    assert several.page.candidates.isHidden()
    assert house.studio.piece is not None
    assert house.studio.piece.title == ("Chorale 7, unfinished" if steps else "Before")
    assert several.page.controls.main.text() == "Generate"


def test_one_candidate_is_a_piece_written_before_ones_eyes(
    several: MainWindow, house: House, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """As ever; candidates that were there are gone."""
    generate(house, several, qtbot)
    several.page.controls.entries.candidates.setValue(1)
    several.page.controls.main.click()
    qtbot.waitUntil(lambda: house.studio.piece is not None and not house.studio.busy)

    assert len(jobs.asked) == 1
    assert several.page.candidates.isHidden()
    assert several.page.controls.main.text() == "Generate"
