"""Rewriting a selection by candidates, with fake jobs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from musicrel import jobs as running
from musicrel.analysis.corpus import melodies
from musicrel.chorale import Chorale
from musicrel.errors import GenerationError
from musicrel.generation.candidates.candidate_job import Stuck
from musicrel.model import checkpoint
from musicrel.model.tokens.conditions import CONDITIONS
from musicrel.presentation.compose import models
from musicrel.presentation.words.keys import with_keys
from musicrel.score.editing.selection import Selection
from musicrel.ui.compose.harmonise_dialog import Melody
from musicrel.ui.controllers import writing_controller
from musicrel.ui.document.document import PREVIEWING
from musicrel.ui.jobs.generation_service import Loaded, ModelCache
from tests.helpers.models import tiny_card, tiny_config, tiny_model
from tests.ui.controllers.user_actions import INNER, PIECE
from tests.ui.user import User

ODE = Melody(title="Ode", path=melodies.path("ode-to-joy"))


def test_rewriting_requests_the_selection_without_its_locks(written: User) -> None:
    written.act.voices[2].trigger()
    written.form.rules.boxes["crossing"].setChecked(True)
    written.rewrite(count=3)

    ((name, device, builder),) = written.jobs.candidate_requests
    assert (name, device, builder.count) == ("full", "auto", 3)
    assert builder.form.rules == ("range", "crossing")
    assert builder.free.any()
    assert int(builder.free.sum()) == 8
    assert "candidates of Alto: bar 1" in written.panel.detail.text()
    assert sorted(number or 0 for number in written.listed()) == [0, 1, 2, 3]


def test_best_candidate_is_shown_and_played_at_once(written: User) -> None:
    piece = written.rewrite()

    best = written.listed()[1]
    assert best == written.writer.chosen
    assert written.alto() == {67 + (best or 0)}
    assert written.app.playback.piece is not piece
    assert written.document.piece is piece
    assert not written.page.export.isEnabled()
    assert written.page.export.toolTip() == with_keys(PREVIEWING)
    assert not written.page.handle.isEnabled()


def test_equal_candidates_are_listed_and_kept_once(written: User) -> None:
    written.jobs.different = 2
    written.rewrite(count=8)

    assert sorted(number or 0 for number in written.listed()) == [0, 1, 2]
    assert written.panel.detail.text().startswith("2 different candidates of ")
    assert len(written.document.takes.all) == 3
    written.act.back.trigger()


def test_arrow_keys_audition_without_moving_the_playhead(written: User) -> None:
    written.rewrite()
    player = written.app.player
    written.app.playback.seek(6.0, in_ruler=False)
    table = written.panel.table
    played = []
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        QTest.keyClick(table, key)
        played.append(player.chorale)
        assert player.position == 6.0
        assert player.chorale is not None
        assert written.alto() == {int(player.chorale.pitches[4, 1])}

    assert played[0] is played[2] is not played[1]
    written.act.previous.trigger()
    written.act.previous.trigger()
    assert table.currentRow() == 0
    assert player.chorale is written.document.piece


def test_enter_accepts_and_undo_restores_the_original(written: User) -> None:
    written.act.voices[0].trigger()
    piece = written.rewrite()
    written.key(Qt.Key.Key_Return)

    taken = written.document.piece
    assert taken is not None
    assert taken is not piece
    assert taken.title == "Chorale 7"
    assert taken.provenance is not None
    assert written.window.isWindowModified()
    assert written.page.export.isEnabled()
    assert written.panel.isHidden()
    assert written.document.locks is not None
    assert written.document.locks[:, 0].all()
    written.window.commands.undo.trigger()
    assert written.document.piece is piece
    assert written.alto() == {67}


@pytest.mark.parametrize("back", [True, False])
def test_undo_closes_the_list_and_nothing_else(written: User, *, back: bool) -> None:
    written.document.show_piece(PIECE)
    piece = written.rewrite()
    if back:
        written.act.back.trigger()
    written.window.commands.undo.trigger()

    assert written.panel.isHidden()
    assert written.document.piece is written.document.shown is piece
    assert written.window.commands.redo.text() == "&Redo"


def test_escape_goes_back_and_then_closes(written: User) -> None:
    piece = written.rewrite()
    written.key(Qt.Key.Key_Escape)
    assert (written.writer.chosen, written.panel.isHidden()) == (0, False)
    assert written.alto() == {67}
    written.key(Qt.Key.Key_Escape)

    assert written.panel.isHidden()
    assert written.document.piece is piece is written.app.playback.piece
    assert written.page.export.isEnabled()


def test_the_empty_sheet_says_what_is_written_until_there_are_notes(user: User) -> None:
    usual = user.roll.hint
    user.hold(1)
    assert user.roll.hint == ("Generating a new piece", writing_controller.WAIT_FOR_NOTES)
    user.stop()
    user.document.undo()
    assert user.document.shown is None
    user.wait(lambda: user.roll.hint == usual)


@pytest.mark.parametrize("by_key", [True, False])
@pytest.mark.parametrize("task", ["eight", "one", "new", "harmonise"])
def test_candidates_are_cancelled_by_escape_and_by_the_button(
    both: User, task: str, *, by_key: bool
) -> None:
    """Meanwhile the button is Stop or Cancel, and the bar shows progress; the piece stays."""
    both.document.show_piece(PIECE)
    count, press = {
        "eight": (8, both.strip.rewrite.click),
        "one": (1, both.strip.rewrite.click),
        "new": (3, both.controls.generate_button.click),
        "harmonise": (2, lambda: both.begin_harmonising(ODE)),
    }[task]
    both.begin_held(press, count)
    main, cancel = both.controls.generate_button, both.strip.rewrite
    both.wait(lambda: both.controls.progress.value() == 250)
    assert both.panel.isHidden() == (task == "one")
    assert (main.text(), cancel.text()) == ("Generate" if task == "eight" else "Stop", "Cancel")
    assert (both.page.roll.hint[0] == "Generating 3 candidates of a new piece") == (task == "new")
    assert not both.act.next.isEnabled()
    if by_key:
        QTest.keyClick(both.window, Qt.Key.Key_Escape)
    else:
        (cancel if task == "eight" else main).click()
    both.jobs.gate.set()

    assert not both.writer.busy
    both.settle()
    assert both.panel.isHidden()
    assert both.state == writing_controller.CANCELLED or task == "new"
    assert (main.text(), cancel.text()) == ("Generate", "Vary piece")
    assert both.piece.title == ("Ode to Joy" if task == "harmonise" else PIECE.title)
    assert not both.act.back.isEnabled()


@pytest.mark.parametrize("change", ["piece", "model", "generate"])
def test_outdated_candidates_are_dropped(change: str, written: User) -> None:
    written.begin_held(written.strip.rewrite.click)
    match change:
        case "piece":
            other = Chorale.of([(72, 67, 64, 48)] * 8)
            written.document.show_piece(other)
        case "model":
            written.form.model.setCurrentIndex(1)
        case _:
            written.form.candidates.setValue(1)
            written.app.writing.generate()
    written.jobs.gate.set()
    written.wait(lambda: written.writer.job.idle and not written.document.generating)
    written.wait(lambda: written.listed() == [])

    assert written.panel.isHidden()
    assert not written.writer.lists


def test_changed_weights_rank_at_once(written: User) -> None:
    """The selected candidate stays selected; Reset restores the default weights."""
    written.rewrite(count=3)
    fields = written.panel.weights.fields
    before, chosen = written.listed(), written.writer.chosen
    fields["grade"].setValue(5.0)

    assert written.listed() == [0, 1, 2, 3] != before
    assert written.panel.table.currentRow() == written.listed().index(chosen)
    assert written.writer.chosen == chosen
    written.panel.weights.reset.click()
    assert written.listed() == before


def test_repeating_a_request_takes_a_new_seed(written: User) -> None:
    written.rewrite()
    written.rewrite()

    one, other = (builder.form.seed for _, _, builder in written.jobs.candidate_requests)
    assert one == 7 != other


def test_failure_is_shown_and_the_piece_is_kept(written: User) -> None:
    """The banner has the message of the error; piece and selection are unchanged."""
    written.jobs.candidates_error = GenerationError("the locked notes break a rule")
    piece = written.rewrite()

    assert written.message == "The locked notes break a rule"
    assert written.document.piece is piece
    assert written.panel.isHidden()
    assert written.app.document.selection == INNER
    assert written.act.rewrite.isEnabled()


def test_locked_selection_is_refused_at_once(written: User) -> None:
    for action in written.act.voices:
        action.trigger()
    written.act.rewrite.trigger()

    assert written.message.startswith("Every note is locked: unlock")
    assert written.jobs.candidate_requests == []


def test_uncompleted_candidates_are_reported(written: User) -> None:
    written.jobs.stuck = (Stuck(number=9, seed=15, sentence="no note is left", written=None),)
    written.rewrite()

    assert written.panel.note.text() == "1 candidate not completed: no note is left"


def test_small_window_shows_candidates_in_place_of_the_form(written: User) -> None:
    """The roll keeps more than half of the window; closing the panel shows the form again."""
    written.window.resize(1000, 600)
    written.rewrite()
    assert (written.controls.isHidden(), written.panel.isVisible()) == (True, True)
    assert written.page.workspace.width() > written.window.width() / 2
    written.window.resize(1440, 900)
    assert not written.controls.isHidden()
    written.window.resize(1000, 600)
    written.panel.close_button.click()
    assert not written.controls.isHidden()


def test_limits_of_causal_models_are_explained(written: User) -> None:
    """The lock command and the status line explain them; the panel at draft quality."""
    quality = written.form.quality
    quality.setCurrentIndex(quality.findData("draft"))
    written.rewrite()
    assert written.panel.remark.text() == writing_controller.NO_LOOKAHEAD
    assert written.panel.remark.isVisible()
    written.panel.close_button.click()
    written.act.voices[0].trigger()
    for text in (written.act.lock.toolTip(), written.strip.status.toolTip()):
        assert "reads ahead" in text

    written.act.unlock.trigger()
    assert written.strip.status.toolTip() == ""
    written.rewrite(None)
    assert not written.panel.remark.isVisible()


def test_a_part_of_the_piece_is_varied(both: User) -> None:
    """Its share is the one of the strip; a selection is rewritten completely."""
    piece = Chorale.of([(72 + n % 2, 67, 64, 48) for n in range(32)])
    both.document.show_piece(piece)
    both.form.candidates.setValue(8)
    strip = both.strip
    strip.amount.setCurrentText("Similar")
    strip.rewrite.click()
    both.wait(lambda: not both.writer.busy)
    both.panel.close_button.click()
    both.app.document.select(Selection(voices=(1,), start=4, stop=8))
    assert not strip.amount.isEnabled()
    assert "All selected notes" in strip.amount.toolTip()

    ((_, _, builder),) = both.jobs.candidate_requests
    assert builder.free.any()
    assert 0 < builder.free.mean() < 1


def test_a_piece_is_continued_and_the_longer_one_is_accepted(both: User) -> None:
    """Esc goes back to the piece as it was; repeating the request takes a new seed."""
    both.document.show_piece(PIECE)
    both.form.candidates.setValue(8)
    for _ in range(2):
        both.act.continue_by[1].trigger()
        both.wait(lambda: not both.writer.busy)
    first, builder = (builder for _, _, builder in both.jobs.candidate_requests)
    assert (builder.request.steps, builder.form.seed != first.form.seed) == (96, True)
    both.writing.accept()

    assert (both.piece.title, both.piece.bars) == ("Air", 6)


def test_without_a_piece_nothing_can_be_continued(user: User) -> None:
    act = user.act.continue_by[0]
    assert not act.isEnabled()
    assert "nothing to rewrite yet" in act.toolTip()
    assert user.strip.more.toolTip() == act.toolTip()
    user.document.show_piece(PIECE)
    assert act.isEnabled()
    user.strip.more.click()
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert act in menu.actions()
    menu.close()


def test_infill_models_have_no_warning_about_lookahead(both: User) -> None:
    both.document.show_piece(PIECE)
    both.app.document.select(Selection(voices=(1,), start=4, stop=8))
    both.strip.rewrite.click()
    both.wait(lambda: not both.writer.busy)
    strip = both.strip
    both.panel.close_button.click()
    both.act.voices[0].trigger()
    texts = [strip.rewrite.toolTip(), both.act.rewrite.statusTip(), both.act.lock.toolTip()]
    texts += [strip.status.toolTip(), both.panel.title.toolTip()]

    assert both.panel.remark.text() == ""
    assert [text for text in texts if models.BOTH_SIDES not in text] == []
    both.form.model_rewrite.setCurrentIndex(0)
    assert "reads ahead" in strip.rewrite.toolTip()
    assert "reads ahead" in both.act.lock.toolTip()


def test_infill_model_generates_candidates(both: User) -> None:
    both.controls.generate_button.click()
    both.wait(lambda: both.document.piece is not None)
    assert both.document.form_is_used
    assert both.panel.isHidden()

    ((_, _, builder),) = both.jobs.candidate_requests
    assert builder.piece is None
    assert both.jobs.requests == []


@pytest.fixture
def tiny_infill(home: Path) -> str:
    conditions = tuple(name for name in CONDITIONS if name != "voice")
    model = tiny_model(tiny_config("relative", conditions=conditions, family="infill"))
    checkpoint.save(home / "models" / "tiny-infill", model, tiny_card(model))
    return "tiny-infill"


def test_an_infill_model_is_loaded(tiny_infill: str) -> None:
    events: list[object] = []
    running.run(ModelCache().warm_up(tiny_infill, "cpu"), events.append)
    assert isinstance(events[-1], Loaded)


def test_an_infill_model_analyses_a_piece(tiny_infill: str) -> None:
    analysis = running.run(ModelCache().analyse(tiny_infill, "cpu", PIECE))
    assert np.isfinite(analysis.nats).all()
    assert analysis.has_weights


def test_candidates_have_their_own_model_and_speed(both: User) -> None:
    both.form.model.setCurrentIndex(0)
    both.wait(lambda: both.window.model_status.startswith("full   ·   CPU   ·   "))
    both.app.writing.generate()
    both.wait(lambda: "tokens/s" in both.window.model_status)
    both.wait(lambda: not both.document.generating)
    facts = both.controls.facts
    assert facts.isVisible()

    both.jobs.hold_candidates = True
    both.strip.rewrite.click()
    both.wait(lambda: both.window.model_status.startswith("both   ·   CPU   ·   "))
    assert "tokens/s" not in both.window.model_status
    assert facts.isHidden()

    both.jobs.gate.set()
    both.wait(lambda: "tokens/s" in both.window.model_status)


def test_loading_that_ends_late_does_not_hide_the_model_that_writes(both: User) -> None:
    """Otherwise the speed of the candidates would stand beside the name of another model."""
    both.document.show_piece(PIECE)
    both.jobs.hold_candidates = True
    both.strip.rewrite.click()
    both.wait(lambda: both.window.model_status.startswith("both   ·   CPU   ·   "))
    late = Loaded(model="full", sha256="0", device="CPU")
    both.app.model._on_load_progress((late,))  # noqa: SLF001  # no job can be made to end here

    assert both.window.model_status.startswith("both   ·   CPU   ·   ")
    both.jobs.gate.set()
    both.wait(lambda: "tokens/s" in both.window.model_status)
    assert both.window.model_status.startswith("both   ·   CPU   ·   ")
