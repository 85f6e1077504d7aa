"""Attention and surprisal with fake jobs; the model that the page names is that of its maps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest

from musicrel.chorale import Provenance
from musicrel.errors import ModelError
from musicrel.score.editing.selection import Selection
from musicrel.ui.controllers import attention_controller
from musicrel.ui.jobs.worker import end_all
from tests.helpers.known import known
from tests.ui.controllers import user_actions
from tests.ui.fakes import TIMEOUT, earlier_piece
from tests.ui.user import User

pytestmark = pytest.mark.usefixtures("attention")


def generate(user: User) -> None:
    user.app.writing.generate()
    user.wait(lambda: user.document.piece is not None and not user.document.generating)


def choose_model(user: User, row: int) -> None:
    user.window.attention.model.setCurrentIndex(row)
    user.window.attention.model.activated.emit(row)


def test_empty_page_explains_how_to_fill_it(user: User) -> None:
    assert user.window.attention.empty.text() == attention_controller.NO_PIECE
    assert user.window.attention.empty.isVisible()
    assert user.app.attention.analyses.current is None


def test_attention_is_shown_during_generation(user: User) -> None:
    user.jobs.hold_at = 70
    user.app.writing.generate()
    assert user.jobs.waiting.wait(TIMEOUT)
    user.wait(lambda: user.app.attention.analyses.current is not None)
    user.wait(lambda: user.app.attention.analyses.current.cells == 70)  # type: ignore[union-attr]

    user.wait(user.window.attention.plots.halves[0].map.isVisible)
    assert user.window.attention.caption.text() == "full generated this piece"
    assert user.window.attention.words.text().startswith("Alto G4 (bar 2, beat 1¼): 100 % on")
    assert user.window.attention.run.defaultAction() is user.commands.stop
    user.jobs.gate.set()
    user.wait(lambda: not user.document.generating)
    assert user.window.attention.run.defaultAction() is user.commands.generate
    user.wait(lambda: known(user.app.attention.analyses.current).cells == 128)
    assert user.jobs.analysis_requests == []


def test_another_model_analyses_the_same_piece(user: User) -> None:
    generate(user)
    own = user.app.attention.analyses.current
    choose_model(user, 1)
    user.wait(lambda: user.app.attention.analyses.current not in (None, own))

    assert [(name, piece) for name, _, piece in user.jobs.analysis_requests] == [
        ("plain", user.document.piece)
    ]
    assert user.window.attention.caption.text() == "plain did not generate this piece as it is"
    assert user.form.form().model == "full"
    assert user.app.preferences.settings.model == ""
    choose_model(user, 0)
    assert user.app.attention.analyses.current is own
    assert len(user.jobs.analysis_requests) == 1


def test_analysis_of_a_replaced_piece_is_dropped(user: User) -> None:
    generate(user)
    user.jobs.hold_analysis = True
    choose_model(user, 1)
    user.wait(user.jobs.waiting.is_set)
    assert user.window.attention.empty.text() == "Analysing the piece with plain …"
    choose_model(user, 0)
    own = user.app.attention.analyses.current
    user.jobs.gate.set()
    user.wait(lambda: not user.app.attention.analyses.busy)

    assert user.app.attention.analyses.current is own
    assert known(own).wrote


def test_nothing_is_analysed_while_the_page_is_hidden(user: User) -> None:
    user.window.pages.open("compose")
    generate(user)
    user.form.model.setCurrentIndex(1)
    assert user.jobs.analysis_requests == []

    user.window.pages.open("attention")
    user.wait(lambda: getattr(user.app.attention.analyses.current, "model", "") == "plain")


def test_failure_is_shown_in_place_of_the_map(user: User) -> None:
    generate(user)
    user.jobs.analysis_error = ModelError("its weights are truncated")
    choose_model(user, 1)
    user.wait(lambda: user.window.attention.empty.text() == "Its weights are truncated")
    assert user.app.attention.shown is None
    assert user.window.attention.model.currentData() == "plain"

    choose_model(user, 0)
    assert user.window.attention.plots.halves[0].map.isVisible()


def test_too_long_piece_is_analysed_only_for_surprisal(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attention_controller, "MAX_RECORDED_TOKENS", 100)
    generate(user)
    assert "up to 100 cells (1 bars of 4/4)" in user.window.attention.empty.text()
    user.wait(lambda: known(user.app.attention.analyses.current).is_complete)
    assert np.isfinite(known(user.app.attention.analyses.current).nats).all()

    choose_model(user, 1)
    assert "up to 100 cells" in user.window.attention.empty.text()
    assert not user.app.attention.analyses.busy
    user.page.surprisal.setChecked(True)
    user.wait(lambda: len(user.jobs.analysis_requests) == 1)


def test_long_analysis_shows_progress_and_can_be_ended(user: User) -> None:
    generate(user)
    user.jobs.endless_analysis = True
    choose_model(user, 1)
    user.wait(lambda: user.state == "Analysing the piece with plain: 25%")

    assert user.window.attention.empty.text() == user.state
    assert end_all(user.app)


def test_selected_note_is_in_view(user: User) -> None:
    generate(user)
    user.app.document.select(Selection(voices=(2,), start=5, stop=6))

    assert (
        "100 % on Alto G4 (bar 1, beat 2¼) (largest weight)" in user.window.attention.words.text()
    )
    assert user.state == "Tenor: bar 1, beat 2¼"
    assert "same step (" in user.window.attention.plots.shares.shown.accessibleDescription()
    assert "this note 100 %" in user.window.attention.plots.shares.shown.accessibleDescription()
    user.app.document.select(None)
    assert "this note" not in user.window.attention.plots.shares.shown.accessibleDescription()


def test_row_of_the_map_selects_on_the_roll(user: User) -> None:
    generate(user)
    user.window.attention.choices.cell_chosen.emit(9)

    assert user.app.document.selection == Selection(voices=(1,), start=2, stop=3)


def test_heads_are_selected_by_keyboard(user: User) -> None:
    generate(user)
    grid, descriptions = user.window.attention.plots.halves[0].grid, []
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down):
        QTest.keyClick(grid, key)
        descriptions.append(user.window.attention.head.text())
    assert descriptions == [
        "Layer 1, head 1", "Layer 1, head 2", "Layer 1, head 2", "Layer 2, head 2",
    ]  # fmt: skip
    QTest.keyClick(grid, Qt.Key.Key_Up)
    QTest.keyClick(grid, Qt.Key.Key_Up)
    assert user.window.attention.head.text() == "Mean of all heads"


def test_notes_are_coloured_by_surprisal(user: User) -> None:
    generate(user)
    user.window.pages.open("compose")
    roll = user.roll
    # A page still being laid out would change the picture's size between the two grabs.
    roll.setFixedSize(560, 300)
    user.wait(lambda: roll.size() == QSize(560, 300) and roll.verticalScrollBar().isVisible())
    user_actions.wait_for_the_end(user.qtbot, user.window)  # then the playhead is there
    before = roll.grab().toImage()
    surprisal = next(a for a in user.commands.tints.actions() if a.data() == "surprisal")
    surprisal.trigger()

    assert user.page.surprisal.isChecked()
    assert user.page.heat_legend.isVisible()
    assert not user.page.legend.isVisible()
    assert "computed by full" in user.page.heat_legend.toolTip()
    assert roll.grab().toImage() != before
    QTest.keyClick(user.window, Qt.Key.Key_U, Qt.KeyboardModifier.ControlModifier)
    user.wait(lambda: not user.page.surprisal.isChecked())
    assert roll.grab().toImage() == before
    assert user.jobs.analysis_requests == []


def open_piece(user: User, model: str) -> None:
    piece = replace(earlier_piece(), provenance=Provenance(model=model, sha256="0", seed=3))
    form = replace(user.document.form, model=model)
    user.document.show_piece(piece, form=form, action="opened")


def check_named(user: User, model: str) -> None:
    attention, page = user.app.attention, user.window.attention
    user.wait(lambda: attention.shown is not None)
    assert known(attention.shown).model == model
    assert page.model.currentData() == model
    user.wait(lambda: page.caption.text().startswith(f"{model} "))


@pytest.mark.parametrize(("wrote", "named"), [("plain", "plain"), ("gone", "full")])
def test_opened_piece_of_another_model_or_a_missing_one(user: User, wrote: str, named: str) -> None:
    generate(user)
    check_named(user, "full")
    open_piece(user, wrote)
    check_named(user, named)
    user.document.undo()
    check_named(user, "full")
    user.document.redo()
    check_named(user, named)


def test_another_model_in_the_box(user: User) -> None:
    generate(user)
    choose_model(user, 1)
    assert user.app.attention.shown is None
    assert user.window.attention.empty.isVisible()
    check_named(user, "plain")
    assert user.document.form.model == "full"

    generate(user)

    assert user.document.form.model == "full"
    check_named(user, "full")


def test_the_choice_outlives_other_entries_of_the_form_but_not_another_model(user: User) -> None:
    form_view = user.form
    generate(user)
    choose_model(user, 1)

    form_view.bars.setValue(3)
    check_named(user, "plain")
    for row in (1, 0):
        form_view.model.setCurrentIndex(row)
    check_named(user, "full")
    assert "chosen in Compose" in user.window.attention.model.toolTip()


def test_another_model_in_the_form_of_the_hidden_page(user: User) -> None:
    generate(user)
    user.window.pages.open("compose")
    user.form.model.setCurrentIndex(1)
    assert user.app.attention.analyses.current is not None
    assert user.app.attention.shown is None

    user.window.pages.open("attention")
    check_named(user, "plain")


def test_another_model_in_the_form_during_generation(user: User) -> None:
    user.jobs.hold_at = 70
    user.app.writing.generate()
    assert user.jobs.waiting.wait(TIMEOUT)
    user.form.model.setCurrentIndex(1)
    check_named(user, "full")
    assert not user.window.attention.model.isEnabled()
    assert user.window.attention.model.toolTip() == attention_controller.GENERATES
    user.jobs.gate.set()
    user.wait(lambda: not user.document.generating)

    check_named(user, "plain")
    assert user.window.attention.model.isEnabled()
