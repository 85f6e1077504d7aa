"""Two models that write and rewrite beside each other, with fake jobs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from musicrel.editing.selection import Selection
from musicrel.errors import GenerationError
from musicrel.presentation.compose.models import ModelChoice
from musicrel.ui.actions.compare_menu import IS_FIRST
from musicrel.ui.app_controller import AppController
from musicrel.ui.shell.main_window import MainWindow
from musicrel.ui.twin import twin_controller
from musicrel.ui.twin.twin import Twin
from tests.ui.conftest import BOTH_SIDES, CHOICES
from tests.ui.controllers.user_actions import PIECE, hold, stop
from tests.ui.fakes import FakeJobs
from tests.ui.twin.conftest import FIFTH

SECOND = ModelChoice(
    name="both-2", title="both-2", detail="", conditions=BOTH_SIDES.conditions, family="infill"
)


@pytest.fixture
def infilling(twin: Twin, app_controller: AppController, window: MainWindow) -> Twin:
    """Return the comparison of two infilling models, with a piece to rewrite."""
    form_view = window.compose_page.controls.compose_form
    form_view.set_models([*CHOICES, BOTH_SIDES, SECOND], "full", "both")
    form_view.changed.emit()
    twin.controller.compare_with("both-2")
    app_controller.document.show_piece(PIECE)
    app_controller.document.select(Selection(voices=(1, 2), start=4, stop=12))
    return twin


def rewrite(app_controller: AppController, qtbot: QtBot, count: int = 1) -> None:
    """Rewrite the selection and wait for the end."""
    app_controller.window.compose_page.controls.compose_form.candidates.setValue(count)
    app_controller.rewrite.rewrite()
    qtbot.waitUntil(lambda: not app_controller.candidates.busy)


def test_without_a_second_model_one_writes(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """One job, and no second roll."""
    app_controller.compose.generate()
    qtbot.waitUntil(lambda: not app_controller.document.generating)

    assert [name for name, _, _ in jobs.requests] == ["full"]
    assert app_controller.twin.view.isHidden()
    assert app_controller.twin.controller.models == ("full", "")
    assert window.commands.twin.take_bar.toolTip().startswith("Choose a second model")


def test_both_models_get_the_same_request(
    written: Twin, app_controller: AppController, jobs: FakeJobs
) -> None:
    """Seed, form and rules are those of the form; both pieces are complete."""
    (first, device, request), (second, other_device, same) = jobs.requests

    assert (first, second) == ("full", "plain") == written.controller.models
    assert (device, request) == (other_device, same)
    assert app_controller.document.piece is not None
    assert written.controller.other.piece is not None
    assert np.array_equal(
        written.controller.other.piece.pitches, app_controller.document.piece.pitches + FIFTH
    )
    assert not written.view.isHidden()


def test_the_comparison_is_counted_and_both_are_read(written: Twin, jobs: FakeJobs) -> None:
    """Every note differs; each piece is read by both models once."""
    assert written.view.counter.text() == "0 % of notes agree; first difference bar 1, beat 1"
    assert written.view.surprisal.text() == (
        "Nats per note: A 0.25, under B 0.75; B 0.25, under A 0.75"
    )
    assert "A: 0.25 nats per note under itself, 0.75 under B" in written.view.surprisal.toolTip()
    ((names, pieces),) = jobs.read_requests
    assert names == ("full", "plain")
    assert pieces[1] is written.controller.other.piece


def test_b_is_drawn_only_a_few_times_a_second_while_both_write(
    twin: Twin,
    window: MainWindow,
    app_controller: AppController,
    jobs: FakeJobs,
    qtbot: QtBot,
) -> None:
    """Both rolls and the marks take longer to draw than the notes of one step to write."""
    hold(qtbot, window, jobs, cells=24)
    qtbot.waitUntil(lambda: twin.controller.other.written == 4)
    qtbot.waitUntil(lambda: twin.controller.agreement is not None)
    drawn = QSignalSpy(twin.controller.changed)
    for _ in range(5):
        app_controller.document.sketched.emit(app_controller.document.sketch)
        twin.controller.other.changed.emit()
    assert drawn.count() == 0

    qtbot.waitUntil(lambda: drawn.count() > 0)

    assert drawn.count() == 1
    jobs.gate.set()
    qtbot.waitUntil(lambda: twin.controller.other.sketch is None)


def test_both_rolls_grow_while_the_models_write(
    twin: Twin, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The steps that both have written are compared; the rest of the paper is empty."""
    hold(qtbot, window, jobs, cells=24)
    qtbot.waitUntil(lambda: twin.controller.other.written == 4)
    qtbot.waitUntil(lambda: twin.controller.agreement is not None)
    picture = twin.view.below.roll.picture
    assert picture is not None
    assert {note.pitch for note in picture.notes if note.start == 0} == {79, 74, 71, 55}
    assert picture.written == 4
    assert twin.controller.agreement is not None
    assert twin.controller.agreement.pieces[0].steps == 4
    jobs.gate.set()
    qtbot.waitUntil(lambda: twin.controller.other.sketch is None)
    assert picture is not twin.view.below.roll.picture


def test_a_stopped_piece_of_b_is_kept_as_far_as_it_goes(
    twin: Twin, app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Both pieces end where the models were."""
    hold(qtbot, window, jobs, cells=24)
    stop(qtbot, window, jobs)

    assert app_controller.document.piece is not None
    assert app_controller.document.piece.title == "Chorale 7, unfinished"
    assert twin.controller.other.piece is not None
    assert 4 <= twin.controller.other.piece.steps < 32
    assert twin.controller.other.piece.title == "Chorale 7, plain, unfinished"


def test_b_can_fail_alone(
    twin: Twin, app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """A is complete; the banner has the model and the reason, and B keeps its first quarter."""
    jobs.failing["plain"] = GenerationError("no legal note is left in bar 1")
    app_controller.compose.generate()
    qtbot.waitUntil(lambda: not app_controller.document.generating)

    assert app_controller.document.piece is not None
    assert app_controller.document.piece.steps == 32
    assert window.compose_page.banner.message == "B, plain: no legal note is left in bar 1"
    assert twin.controller.other.piece is not None
    assert twin.controller.other.piece.steps == 4


def test_a_can_fail_alone(
    twin: Twin, app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """B writes its piece to the end."""
    jobs.failing["full"] = GenerationError("no legal note is left in bar 1")
    app_controller.compose.generate()
    qtbot.waitUntil(lambda: not app_controller.document.generating)

    assert window.compose_page.banner.message == "No legal note is left in bar 1"
    assert twin.controller.other.piece is not None
    assert twin.controller.other.piece.steps == 32


def test_two_infilling_models_rewrite_the_selection(
    infilling: Twin, app_controller: AppController, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Both get the request with their own name; B’s notes are beside those of A."""
    rewrite(app_controller, qtbot)

    assert [name for name, _, _ in jobs.candidate_requests] == ["both", "both-2"]
    assert [b.form.model for _, _, b in jobs.candidate_requests] == ["both", "both-2"]
    assert infilling.controller.wrote == ("both", "both-2")
    second = infilling.controller.other.piece
    assert second is not None
    assert set(second.pitches[4:12, 1].tolist()) == {68}
    assert set(second.pitches[12:, 1].tolist()) == {67}


def test_b_shows_the_candidate_with_the_number_of_that_of_a(
    infilling: Twin, app_controller: AppController, qtbot: QtBot
) -> None:
    """The same seed is compared; going back shows what was there before."""
    rewrite(app_controller, qtbot, count=3)
    for number in (3, 1):
        app_controller.candidates.choose(number)
        second = infilling.controller.other.piece
        assert second is not None
        assert set(second.pitches[4:12, 1].tolist()) == {67 + number}

    app_controller.candidates.dismiss()
    assert infilling.controller.other.piece is None


def test_an_accepted_candidate_keeps_its_partner(
    infilling: Twin, app_controller: AppController, qtbot: QtBot
) -> None:
    """B keeps the candidate of the same number."""
    rewrite(app_controller, qtbot, count=2)
    app_controller.candidates.choose(2)
    app_controller.candidates.accept()

    second = infilling.controller.other.piece
    assert second is not None
    assert set(second.pitches[4:12, 1].tolist()) == {69}


def test_infilling_is_drawn_while_it_goes_on(
    infilling: Twin, app_controller: AppController, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The roll of B shows the soprano, which is known already."""
    jobs.emits_progress = jobs.hold_candidates = True
    app_controller.rewrite.rewrite()
    below = infilling.view.below.roll
    qtbot.waitUntil(lambda: infilling.controller.other.sketch is not None)
    qtbot.waitUntil(lambda: below.picture is not None and bool(below.picture.notes))
    assert below.picture is not None
    assert {note.voice for note in below.picture.notes} == {0}
    jobs.gate.set()
    qtbot.waitUntil(lambda: not app_controller.candidates.busy)


def test_the_same_model_cannot_be_compared_with_itself(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """One writes, and the status bar has the reason."""
    app_controller.twin.controller.compare_with("full")
    assert window.state.startswith("A and B are both full")
    app_controller.compose.generate()
    qtbot.waitUntil(lambda: not app_controller.document.generating)

    assert len(jobs.requests) == 1
    assert app_controller.twin.view.counter.text() == twin_controller.NOTHING_YET


def test_the_model_of_the_form_is_not_offered_as_b(
    app_controller: AppController, window: MainWindow
) -> None:
    """Its entry gives the reason; another model of the form frees it."""
    entries = {action.data(): action for action in window.commands.twin.models.actions()}
    assert not entries["full"].isEnabled()
    assert entries["full"].toolTip() == IS_FIRST.format(model="full")
    assert entries["plain"].isEnabled()

    document = app_controller.document
    document.set_form(replace(document.form, model="plain"))
    entries = {action.data(): action for action in window.commands.twin.models.actions()}
    assert (entries["full"].isEnabled(), entries["plain"].isEnabled()) == (True, False)


def test_the_roll_of_b_gives_the_reason_after_a_became_the_same_model(
    twin: Twin, app_controller: AppController
) -> None:
    """It would stay empty at the next request."""
    document, roll = app_controller.document, twin.view.below.roll
    assert roll.hint[1].startswith("Generate or rewrite")

    document.set_form(replace(document.form, model="plain"))
    assert roll.hint[1].startswith("A and B are both plain")
    document.set_form(replace(document.form, model="full"))
    assert roll.hint[1].startswith("Generate or rewrite")


def test_another_document_has_no_piece_of_b(written: Twin, app_controller: AppController) -> None:
    """The comparison stays on for the next piece."""
    app_controller.document.restore(app_controller.document.contents({}), saved=True)

    assert written.controller.other.piece is None
    assert written.controller.on


def test_nothing_is_read_after_the_end_of_the_comparison(
    written: Twin, app_controller: AppController
) -> None:
    """A reading that waits for its turn is dropped."""
    controller = written.controller
    app_controller.document.shown_changed.emit(app_controller.document.shown)
    assert controller._timer.isActive()  # noqa: SLF001  # nothing else shows that it waits

    controller.compare_with("")

    assert not controller._timer.isActive()  # noqa: SLF001


def test_the_labels_name_who_wrote_the_shown_pieces(
    written: Twin, app_controller: AppController, qtbot: QtBot
) -> None:
    """Undo shows an older piece of A; an edit by hand makes the notes the user's."""
    document, first = app_controller.document, app_controller.document.piece
    assert first is not None
    document.show_piece(replace(first, provenance=None))  # as edits by hand do
    assert written.controller.wrote == (twin_controller.YOURS, "plain")

    document.undo()
    assert written.controller.wrote == ("full", "plain")

    written.controller.compare_with("full")
    document.set_form(replace(document.form, model="plain"))
    app_controller.compose.generate()
    qtbot.waitUntil(lambda: not document.generating)
    assert written.controller.wrote == ("plain", "full")
    document.undo()
    assert written.controller.wrote == ("full", "full")
