"""Two models that write and rewrite beside each other, with fake jobs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from musicrel.errors import GenerationError
from musicrel.presentation.compose.models import ModelChoice
from musicrel.score.editing.selection import Selection
from musicrel.ui.actions.commands import IS_FIRST
from musicrel.ui.app_controller import AppController
from musicrel.ui.two_models import two_models as module
from musicrel.ui.two_models.two_models import TwoModels
from tests.ui.conftest import BOTH_SIDES, CHOICES
from tests.ui.controllers.user_actions import PIECE
from tests.ui.fakes import FakeJobs
from tests.ui.two_models.conftest import FIFTH
from tests.ui.user import User

SECOND = ModelChoice(
    name="both-2", title="both-2", detail="", conditions=BOTH_SIDES.conditions, family="infill"
)


@pytest.fixture
def infilling(two_models: TwoModels, user: User) -> TwoModels:
    form_view = user.form
    form_view.set_models([*CHOICES, BOTH_SIDES, SECOND], "full", "both")
    form_view.changed.emit()
    two_models.compare_with("both-2")
    user.document.show_piece(PIECE)
    user.document.select(Selection(voices=(1, 2), start=4, stop=12))
    return two_models


def rewrite(app: AppController, qtbot: QtBot, count: int = 1) -> None:
    app.window.compose_page.controls.compose_form.candidates.setValue(count)
    app.writing.rewrite()
    qtbot.waitUntil(lambda: not app.writer.busy and not app.two_models.other.job.busy)


def hold_b(user: User) -> None:
    """Generate a piece, of which A writes all and B 24 cells."""
    user.jobs.hold_at, user.jobs.held = 24, "plain"
    user.jobs.waiting.clear()
    user.generate()
    user.wait(user.jobs.waiting.is_set)


def written_steps(two_models: TwoModels) -> int | None:
    drawn = two_models.other.document.drawn
    return drawn.written if drawn is not None else None


def compared(two_models: TwoModels) -> int:
    """Return the number of steps that are compared."""
    return 0 if two_models.agreement is None else two_models.agreement.pieces[0].steps


def test_without_a_second_model_one_writes(user: User) -> None:
    user.app.writing.generate()
    user.wait(lambda: not user.document.generating)

    assert [name for name, _, _ in user.jobs.requests] == ["full"]
    assert user.app.two_models.view.isHidden()
    assert user.app.two_models.models == ("full", "")
    assert user.commands.two_models.take_bar.toolTip().startswith("Choose a second model")


def test_both_models_get_the_same_request(written: TwoModels, user: User) -> None:
    """Seed, form and rules are those of the form; both pieces are complete."""
    (first, device, request), (second, other_device, same) = user.jobs.requests

    assert (first, second) == ("full", "plain") == written.models
    assert (device, request) == (other_device, same)
    assert written.other.document.shown is not None
    assert np.array_equal(written.other.document.shown.pitches, user.piece.pitches + FIFTH)
    assert not written.view.isHidden()


def test_the_comparison_is_counted_and_both_are_read(written: TwoModels, jobs: FakeJobs) -> None:
    """Every note differs; each piece is read by both models once. Nats are in the tooltips."""
    agreement = "0 % of notes agree; first difference bar 1, beat 1"
    assert written.view.counter.text() == module.LEGEND.format(agreement=agreement)
    first, second = written.view.pieces
    assert first.text().startswith("A, full: ")
    assert second.text().startswith("B, plain: ")
    assert "rule violation" in first.text()
    assert "nats" not in first.text() + second.text() + written.view.counter.text()
    assert "A: 0.25 nats per note under itself, 0.75 under B" in first.toolTip()
    assert "B: 0.25 nats per note under itself, 0.75 under A" in second.toolTip()
    ((names, pieces),) = jobs.read_requests
    assert names == ("full", "plain")
    assert pieces[1] is written.other.document.shown


def test_b_is_drawn_only_a_few_times_a_second_while_both_write(
    two_models: TwoModels, user: User
) -> None:
    user.hold(cells=24)
    user.wait(lambda: written_steps(two_models) == 6)
    user.wait(lambda: compared(two_models) == 6)
    drawn = QSignalSpy(two_models.changed)
    for _ in range(5):
        user.document.sketched.emit(user.document.sketch)
        two_models.other.changed.emit()
    assert drawn.count() == 0

    user.wait(lambda: drawn.count() > 0)

    assert drawn.count() == 1
    user.jobs.gate.set()
    user.wait(lambda: two_models.other.document.sketch is None)


def test_both_rolls_grow_while_the_models_write(two_models: TwoModels, user: User) -> None:
    """The steps that both have written are compared; the rest of the paper is empty."""
    user.hold(cells=24)
    user.wait(lambda: written_steps(two_models) == 6)
    user.wait(lambda: compared(two_models) == 6)
    picture = two_models.view.below.roll.picture
    assert picture is not None
    assert {note.pitch for note in picture.notes if note.start == 0} == {79, 74, 71, 55}
    assert picture.written == 6
    user.jobs.gate.set()
    user.wait(lambda: two_models.other.document.sketch is None)
    user.wait(lambda: two_models.view.below.roll.picture is not picture)


def test_a_stopped_piece_of_b_is_kept_as_far_as_it_goes(two_models: TwoModels, user: User) -> None:
    user.hold(cells=24)
    user.wait(lambda: written_steps(two_models) == 6)
    user.stop()
    user.wait(lambda: not two_models.other.job.busy)

    assert user.piece.title == "Chorale 7, unfinished"
    assert two_models.other.document.shown is not None
    assert 4 <= two_models.other.document.shown.steps < 32
    assert two_models.other.document.shown.title == "Chorale 7, unfinished"


@pytest.mark.parametrize(
    ("fails", "message", "steps"),
    [
        ("plain", "B, plain: no legal note is left in bar 1", (32, 4)),
        ("full", "No legal note is left in bar 1", (4, 32)),
    ],
    ids=["B", "A"],
)
def test_one_can_fail_alone(
    two_models: TwoModels, user: User, fails: str, message: str, steps: tuple[int, int]
) -> None:
    """The other is complete; the banner has the reason, and what failed keeps its first quarter."""
    user.jobs.failing[fails] = GenerationError("no legal note is left in bar 1")
    user.app.writing.generate()
    user.wait(lambda: not user.document.generating and not two_models.other.job.busy)

    assert user.message == message
    assert two_models.other.document.shown is not None
    assert (user.piece.steps, two_models.other.document.shown.steps) == steps


def test_two_infilling_models_rewrite_the_selection(infilling: TwoModels, user: User) -> None:
    """Both get the request with their own name; B’s notes are beside those of A."""
    rewrite(user.app, user.qtbot)

    assert [name for name, _, _ in user.jobs.candidate_requests] == ["both", "both-2"]
    assert [b.form.model for _, _, b in user.jobs.candidate_requests] == ["both", "both-2"]
    assert infilling.wrote == ("both", "both-2")
    second = infilling.other.document.shown
    assert second is not None
    assert set(second.pitches[4:12, 1].tolist()) == {68}
    assert set(second.pitches[12:, 1].tolist()) == {67}
    infilling.take_piece()
    assert user.piece.title == "Air"


def test_b_shows_the_candidate_with_the_number_of_that_of_a(
    infilling: TwoModels, user: User
) -> None:
    """The same seed is compared; going back shows what was there before."""
    rewrite(user.app, user.qtbot, count=3)
    for number in (3, 1):
        user.writing.choose(number)
        second = infilling.other.document.shown
        assert second is not None
        assert set(second.pitches[4:12, 1].tolist()) == {67 + number}

    infilling.other.repeated[infilling.other.candidates.pop().number] = 2
    user.writing.choose(3)
    assert infilling.other.chosen == 2

    user.writing.dismiss()
    assert infilling.other.document.shown is None


def test_an_accepted_candidate_keeps_its_partner(infilling: TwoModels, user: User) -> None:
    rewrite(user.app, user.qtbot, count=2)
    user.writing.choose(2)
    user.writing.accept()

    second = infilling.other.document.shown
    assert second is not None
    assert set(second.pitches[4:12, 1].tolist()) == {69}


def test_b_goes_on_after_the_end_of_a(two_models: TwoModels, user: User) -> None:
    """Both pieces are compared and read once B is there; the end of the comparison stops it."""
    for ends in (False, True):
        user.jobs.gate.clear()
        hold_b(user)
        assert (user.piece.steps, two_models.other.job.busy) == (32, True)
        user.wait(lambda: compared(two_models) == 6)
        if ends:
            two_models.compare_with("")
        user.jobs.gate.set()
        user.wait(lambda: two_models.other.job.idle)
        assert (two_models.other.document.shown is None) == ends
    assert len(user.jobs.read_requests) <= 1


def test_b_can_be_stopped_after_the_end_of_a(two_models: TwoModels, user: User) -> None:
    hold_b(user)
    assert user.document.busy
    assert user.commands.stop.isEnabled()

    user.commands.stop.trigger()
    user.jobs.gate.set()
    user.wait(lambda: not two_models.other.job.busy)

    assert two_models.other.document.shown is not None
    assert two_models.other.document.shown.title == "Chorale 7, unfinished"
    user.wait(lambda: not user.document.busy)
    assert not user.commands.stop.isEnabled()


def test_candidates_of_b_end_with_the_comparison(infilling: TwoModels, user: User) -> None:
    rewrite(user.app, user.qtbot, count=3)
    infilling.compare_with("")
    user.writing.choose(2)
    assert (infilling.other.document.shown, infilling.other.model) == (None, "")


def test_the_model_of_b_comes_back_with_its_piece_after_two_lists(
    infilling: TwoModels, user: User
) -> None:
    infilling.compare_with("plain")
    user.generate()
    user.wait(lambda: not infilling.other.job.busy)
    infilling.compare_with("both-2")
    user.document.select(Selection(voices=(1, 2), start=4, stop=12))
    for _ in range(2):
        rewrite(user.app, user.qtbot, count=2)
    user.writing.dismiss()
    assert infilling.other.model == "plain"


def test_a_request_ends_a_piece_of_b_that_is_not_complete(infilling: TwoModels, user: User) -> None:
    """The notes so far are kept, as those of a stopped piece."""
    infilling.compare_with("plain")
    hold_b(user)
    infilling.compare_with("both-2")
    user.document.select(Selection(voices=(1, 2), start=4, stop=12))
    user.jobs.gate.set()
    rewrite(user.app, user.qtbot)

    assert not infilling.other.document.generating
    assert [name for name, _, _ in user.jobs.candidate_requests] == ["both", "both-2"]
    assert infilling.other.document.shown is not None
    assert infilling.other.document.shown.steps == 32


def test_a_candidate_of_b_comes_after_that_of_a_was_accepted(
    infilling: TwoModels, user: User
) -> None:
    user.jobs.held, user.jobs.hold_candidates = "both-2", True
    user.form.candidates.setValue(1)
    user.app.writing.rewrite()
    user.wait(lambda: not user.writer.busy)
    before = infilling.other.document.shown
    user.jobs.gate.set()
    user.wait(lambda: not infilling.other.job.busy)

    assert before is None
    assert infilling.other.document.shown is not None
    assert set(infilling.other.document.shown.pitches[4:12, 1].tolist()) == {68}
    assert not infilling.other.lists


def test_b_ready_first_shows_a_candidate_that_ends_with_the_request_of_a(
    infilling: TwoModels, user: User
) -> None:
    user.jobs.held, user.jobs.hold_candidates = "both", True
    for count in (1, 3):
        user.form.candidates.setValue(count)
        user.app.writing.rewrite()
        user.wait(lambda: infilling.other.lists and not infilling.other.busy)
        assert infilling.other.chosen == 1
        user.writing.cancel()
        assert (infilling.other.document.shown, infilling.other.model) == (None, "")
        user.jobs.gate.set()
        user.wait(lambda: user.writer.job.idle)
        user.jobs.gate.clear()


def test_infilling_is_drawn_while_it_goes_on(infilling: TwoModels, user: User) -> None:
    user.jobs.emits_progress = user.jobs.hold_candidates = True
    user.app.writing.rewrite()
    below = infilling.view.below.roll
    user.wait(lambda: infilling.other.document.sketch is not None)
    user.wait(lambda: below.picture is not None and bool(below.picture.notes))
    assert below.picture is not None
    assert {note.voice for note in below.picture.notes} == {0}
    user.jobs.gate.set()
    user.wait(lambda: not user.writer.busy)


def test_the_same_model_cannot_be_compared_with_itself(user: User) -> None:
    user.app.two_models.compare_with("full")
    assert user.state.startswith("A and B are both full")
    user.app.writing.generate()
    user.wait(lambda: not user.document.generating)

    assert len(user.jobs.requests) == 1
    assert user.app.two_models.view.counter.text() == module.NOTHING_YET


def test_the_model_of_the_form_is_not_offered_as_b(user: User) -> None:
    """Its entry gives the reason; another model of the form frees it."""
    entries = {action.data(): action for action in user.commands.compare.actions()}
    assert not entries["full"].isEnabled()
    assert entries["full"].toolTip() == IS_FIRST.format(model="full")
    assert entries["plain"].isEnabled()

    document = user.document
    document.set_form(replace(document.form, model="plain"))
    entries = {action.data(): action for action in user.commands.compare.actions()}
    assert (entries["full"].isEnabled(), entries["plain"].isEnabled()) == (True, False)


def test_the_roll_of_b_gives_the_reason_after_a_became_the_same_model(
    two_models: TwoModels, app: AppController
) -> None:
    """It would stay empty at the next request."""
    document, roll = app.document, two_models.view.below.roll
    assert roll.hint[1].startswith("Generate or rewrite")

    document.set_form(replace(document.form, model="plain"))
    assert roll.hint[1].startswith("A and B are both plain")
    document.set_form(replace(document.form, model="full"))
    assert roll.hint[1].startswith("Generate or rewrite")


def test_another_document_has_no_piece_of_b(written: TwoModels, user: User) -> None:
    user.document.restore(user.document.contents({}), saved=True)

    assert written.other.document.shown is None
    assert written.on


def test_nothing_is_read_after_the_end_of_the_comparison(written: TwoModels, user: User) -> None:
    controller = written
    user.document.screen_changed.emit(user.document.shown)
    assert controller._timer.isActive()  # noqa: SLF001  # nothing else shows that it waits

    controller.compare_with("")

    assert not controller._timer.isActive()  # noqa: SLF001


def test_the_labels_name_who_wrote_the_shown_pieces(written: TwoModels, user: User) -> None:
    """Undo shows an older piece of A; an edit by hand makes the notes the user's."""
    document, first = user.document, user.document.piece
    assert first is not None
    document.show_piece(replace(first, provenance=None))  # as edits by hand do
    assert written.wrote == (module.YOURS, "plain")

    document.undo()
    assert written.wrote == ("full", "plain")

    written.compare_with("full")
    document.set_form(replace(document.form, model="plain"))
    user.app.writing.generate()
    user.wait(lambda: not document.generating)
    assert written.wrote == ("plain", "full")
    document.undo()
    assert written.wrote == ("full", "full")
