"""Muted heads, and effects on a note in one model or two, in the window."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.analysis.corpus import bundled
from musicrel.chorale import Chorale
from musicrel.errors import ModelError
from musicrel.generation.events import MeansProgress
from musicrel.generation.heads.mutes import Head, Mutes
from musicrel.interpretability import effects, votes
from musicrel.interpretability.bars import Bar
from musicrel.interpretability.effects import SourceRow
from musicrel.interpretability.votes import NoteVotes
from musicrel.score.editing.selection import Selection
from musicrel.ui.controllers.attention_controller import AttentionController
from musicrel.ui.document.document import Document
from musicrel.ui.effects.effects_controller import (
    CHOOSE_LATER,
    CHOOSE_NOTE,
    EFFECTS,
    EffectsController,
)
from musicrel.ui.effects.effects_panel import CHOOSE_HEAD
from musicrel.ui.roll.roll_overlay import RollArcs
from tests.helpers.known import known
from tests.ui.fakes import earlier_piece
from tests.ui.user import User

_NOTE = Selection(voices=(1,), start=20, stop=21)


def mutes_of(document: Document) -> Mutes:
    return document.form.muted.of("full")


# ---------------------------------------------------------------------- muted heads


def test_a_head_is_muted_in_the_maps_and_crossed_out(
    ablation: EffectsController, user: User
) -> None:
    grid = user.window.attention.plots.halves[0].grid
    user.window.attention.choices.head_chosen.emit(0, Head(1, 0))
    QTest.keyClick(grid, Qt.Key.Key_M)

    assert mutes_of(user.document) == Mutes.parse("2.1", "zero")
    assert grid.accessibleDescription() == "Layer 2, head 1, muted"

    QTest.keyClick(grid, Qt.Key.Key_M)
    assert not mutes_of(user.document)
    assert ablation.mutes.of("full") == Mutes(by="zero")


def test_the_key_mutes_the_chosen_head_after_a_click_on_a_note(
    ablation: EffectsController, user: User
) -> None:
    """The focus is in the roll then; with Shift it mutes the layer."""
    user.window.attention.choices.head_chosen.emit(0, Head(1, 0))
    roll = user.roll
    roll.setFocus()

    QTest.keyClick(roll, Qt.Key.Key_M)
    assert str(mutes_of(user.document)) == "2.1"
    QTest.keyClick(roll, Qt.Key.Key_M, Qt.KeyboardModifier.ShiftModifier)
    assert str(mutes_of(user.document)) == "2"
    del ablation


def test_the_remark_names_and_clears_them_on_every_page(
    ablation: EffectsController, user: User
) -> None:
    seed, remark = user.document.form.seed, user.window.muted
    ablation.mutes.toggle(0, Head(0, 1))

    for page in ("compose", "attention", "experiment"):
        user.window.pages.open(page)
        assert remark.isVisible()
    assert remark.text.text() == "Muted in full: head 1.2 (by zero)"
    assert user.document.form.request().mutes == Mutes.parse("1.2", "zero")
    assert not user.document.form_is_used
    assert user.document.form.seed == seed

    remark.clear.click()
    assert not mutes_of(user.document)
    assert user.document.form_is_used


def test_a_take_names_its_muted_heads_and_mutes_none(
    ablation: EffectsController, user: User
) -> None:
    ablation.mutes.toggle(0, Head(0, 1))
    user.app.writing.generate()
    user.wait(lambda: user.document.piece is not None)
    number = user.document.takes.all[-1].number
    ablation.mutes.clear(0)

    user.document.use_take(number)

    assert not mutes_of(user.document)
    assert not user.document.form_is_used
    take = known(user.document.takes.get(number))
    assert str(take.form.muted.of("full")) == "1.2"


# ---------------------------------------------------------------------- the note


def test_the_effects_on_the_chosen_note_are_shown(ablation: EffectsController, user: User) -> None:
    panel = ablation.panel
    user.window.attention.switch.open(EFFECTS)
    assert panel.empty.text() == CHOOSE_NOTE

    user.document.select(_NOTE)
    user.wait(lambda: not ablation.busy, timeout=30_000)

    assert panel.grid.accessibleDescription().startswith("Effects of heads, Alto")
    assert panel.surprisal.text().startswith("Surprisal ")
    assert "Layer 2 (model)" in panel.lens.accessibleDescription()


def test_surprisal_and_distribution_change_with_the_muted_heads(
    studied: EffectsController, user: User
) -> None:
    before = studied.panel.surprisal.text()

    QTest.keyClick(studied.panel.grid, Qt.Key.Key_Right)  # chooses the first head
    QTest.keyClick(studied.panel.grid, Qt.Key.Key_M)
    user.wait(lambda: ", muted " in studied.panel.surprisal.text())

    assert str(mutes_of(user.document)) == "1.1"
    assert "muted" in studied.panel.choices.accessibleDescription()
    studied.panel.clear.click()
    user.wait(lambda: studied.panel.surprisal.text() == before)


def test_a_head_in_the_grid_is_that_of_the_arcs(studied: EffectsController, user: User) -> None:
    studied.panel.grid.chosen.emit(Head(1, 1))

    assert studied.panel.grid.accessibleDescription().startswith("Layer 2, head 2 ")
    user.window.attention.switch.open("maps")
    assert user.window.attention.plots.halves[0].grid.heads.chosen == Head(1, 1)


def test_nothing_is_studied_while_the_view_is_not_visible(
    ablation: EffectsController, user: User
) -> None:
    user.window.attention.switch.open("maps")

    user.document.select(_NOTE)

    assert not ablation.busy


def test_sources_are_found_on_demand_and_a_click_chooses_one(
    studied: EffectsController, user: User
) -> None:
    panel = studied.panel

    panel.sources.start.click()
    user.wait(lambda: panel.source_bars.shown.figure is not None)
    assert "Sources of Alto" in panel.source_bars.shown.accessibleDescription()
    hit = known(panel.source_bars.shown.hit(QPointF(10, 30)))
    assert isinstance(hit.value, SourceRow)
    panel.source_bars.shown.chosen.emit(hit.value)

    assert known(user.document.selection).start == hit.value.start


def test_the_search_for_sources_shows_progress_and_can_be_cancelled(
    studied: EffectsController, qtbot: QtBot
) -> None:
    panel = studied.panel
    panel.sources.start.click()
    assert not panel.sources.running.isHidden()

    panel.sources.cancel.click()

    assert panel.sources.running.isHidden()
    qtbot.waitUntil(lambda: not studied.busy)
    assert panel.source_bars.shown.figure is None
    assert studied.panel.surprisal.text().startswith("Surprisal ")
    panel.sources.start.click()
    qtbot.waitUntil(lambda: panel.source_bars.shown.figure is not None)
    assert panel.sources.running.isHidden()


def test_the_whole_piece_is_measured_with_progress(
    studied: EffectsController, qtbot: QtBot
) -> None:
    panel = studied.panel

    panel.piece.start.click()
    assert not panel.piece.running.isHidden()
    qtbot.waitUntil(lambda: not studied.busy)

    assert panel.piece.running.isHidden()
    assert "whole piece" in panel.piece_grid.accessibleDescription()
    effects = known(studied.of_piece)
    assert np.isfinite(effects.by_head).all()


def test_a_measurement_can_be_cancelled_and_is_dropped_with_its_piece(
    studied: EffectsController, qtbot: QtBot
) -> None:
    studied.panel.piece.start.click()

    studied.panel.piece.cancel.click()

    assert studied.panel.piece.running.isHidden()
    studied.panel.piece.start.click()
    qtbot.waitUntil(lambda: not studied.busy)
    studied.choose_by("mean")
    assert studied.of_piece is None
    studied.choose_by("zero")


def test_views_are_exported_as_soon_as_they_are_known(
    ablation: EffectsController, user: User
) -> None:
    actions = ablation.panel.export.menu().actions()
    assert [action.isEnabled() for action in actions] == [False] * 7

    user.window.attention.switch.open(EFFECTS)
    user.document.select(_NOTE)
    user.wait(lambda: not ablation.busy, timeout=30_000)

    assert [action.isEnabled() for action in actions] == [
        True, True, False, False, True, False, False
    ]  # fmt: skip
    assert "find the sources" in actions[2].toolTip()


# ---------------------------------------------------------------------- votes and bars


def test_a_sentence_says_why_the_note_was_written(studied: EffectsController) -> None:
    assert studied.panel.why.text().startswith("In bar 2, beat 2, the alto ")


def test_the_votes_of_heads_are_counted_when_their_view_is_opened(
    studied: EffectsController, user: User
) -> None:
    panel = studied.panel
    assert not panel.votes.has_view

    panel.details.open("votes")
    user.wait(lambda: panel.votes.has_view, timeout=30_000)
    assert panel.votes.shown.accessibleDescription().startswith("Votes for Alto ")
    user.wait(lambda: not studied.busy)

    panel.votes.shown.chosen.emit(Head(1, 0))
    assert panel.grid.accessibleDescription().startswith("Layer 2, head 1 ")


def test_a_model_without_votes_gives_the_reason_and_keeps_the_other_views(
    studied: EffectsController, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_reader: object, _cell: int) -> NoteVotes:
        raise ModelError("the states are no sum: choose another model")

    monkeypatch.setattr(votes, "measure", refuse)
    panel = studied.panel
    panel.details.open("votes")
    user.wait(lambda: panel.votes.empty.text().startswith("The states are no sum"))

    assert not panel.votes.has_view
    assert panel.currentWidget() is not panel.empty
    user.wait(lambda: not studied.busy)


def test_the_strongest_bars_of_a_head_are_found_and_opened(
    studied: EffectsController, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    chorale = earlier_piece()
    monkeypatch.setattr(bundled, "load", lambda _split: [chorale])
    panel, before = studied.panel, user.document.piece
    panel.details.open("bars")
    panel.bars.start.click()
    user.wait(lambda: not studied.busy, timeout=30_000)
    assert panel.bar_list.empty.text() == CHOOSE_HEAD

    panel.grid.chosen.emit(Head(1, 1))
    user.wait(lambda: panel.bar_list.has_view)
    hit = known(panel.bar_list.shown.hit(QPointF(10, 10)))
    assert isinstance(hit.value, Bar)
    panel.bar_list.shown.chosen.emit(hit.value)

    assert user.document.piece is chorale
    assert known(user.document.selection).start == hit.value.start
    assert user.state == f"{hit.value.name} is open; Undo brings your piece back"
    user.document.undo()
    assert user.document.piece is before


def test_a_search_for_bars_that_fails_gives_the_reason(
    studied: EffectsController, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_split: str) -> list[Chorale]:
        raise ModelError("the model cannot: choose another")

    monkeypatch.setattr(bundled, "load", refuse)
    studied.panel.details.open("bars")
    studied.panel.bars.start.click()
    user.wait(lambda: user.message == "The model cannot: choose another")
    assert not studied.panel.bars.running.isVisible()


def test_the_progress_of_the_means_is_shown(studied: EffectsController, user: User) -> None:
    studied._on_note_events((MeansProgress(1, 4),))  # noqa: SLF001
    user.writer.job.events_received.emit((MeansProgress(1, 2),))

    assert studied.panel.empty.text().endswith("once for this model: 25%")
    assert studied.panel.currentWidget() is studied.panel.empty
    assert user.state == "Reading the training pieces for the means of muted heads: 50%"


def test_a_failed_study_gives_the_reason(
    studied: EffectsController, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ModelError("the piece is too long")

    monkeypatch.setattr(effects, "measure", fail)
    user.document.select(Selection(voices=(1,), start=24, stop=25))
    user.wait(lambda: not studied.busy, timeout=30_000)

    assert studied.panel.empty.text() == "The piece is too long"
    assert studied.panel.currentWidget() is studied.panel.empty


# ---------------------------------------------------------------------- with and without


def test_a_new_piece_is_generated_without_and_with_muted_heads(
    ablation: EffectsController, user: User
) -> None:
    ablation.mutes.toggle(0, Head(0, 1))
    assert ablation.panel.listen.isEnabled()

    ablation.comparison.new.trigger()

    builder = known(user.writer.task)
    assert builder.is_pair
    assert builder.piece is None
    assert builder.count == 2
    assert builder.request.mutes == mutes_of(user.document)
    assert builder.request.seed == user.document.form.seed
    user.writing.cancel()


def listen_from_bar_2(ablation: EffectsController, user: User) -> None:
    """Generate the second bar without and with a muted head, and wait for both."""
    ablation.mutes.toggle(0, Head(0, 1))
    user.document.select(_NOTE)
    ablation.comparison.from_bar.trigger()
    user.wait(lambda: user.app.player.playing)


def test_a_piece_is_generated_again_from_the_bar_of_the_chosen_note(
    ablation: EffectsController, user: User
) -> None:
    ablation.mutes.toggle(0, Head(0, 1))
    assert ablation.comparison.from_bar.toolTip() == CHOOSE_LATER
    user.document.select(_NOTE)
    assert "bar 2" in ablation.comparison.from_bar.text()

    ablation.comparison.from_bar.trigger()

    builder = known(user.writer.task)
    assert builder.piece is user.document.piece
    assert builder.form.model == "full"
    np.testing.assert_array_equal(builder.free.all(axis=1), np.arange(32) >= 16)
    user.writing.cancel()


def test_the_pair_is_not_ranked(ablation: EffectsController, user: User) -> None:
    listen_from_bar_2(ablation, user)

    table = user.panel.table
    assert [table.number_at(row) for row in range(3)] == [0, 1, 2]
    assert user.writer.chosen == 1


@pytest.mark.parametrize(
    ("paused_at", "plays", "position"),
    [(32, True, 16), (20, False, 20)],
    ids=["after the end", "after a pause"],
)
def test_the_other_one_plays_again_after_the_end_but_not_after_a_pause(
    ablation: EffectsController, user: User, *, paused_at: int, plays: bool, position: int
) -> None:
    listen_from_bar_2(ablation, user)
    player = user.app.player
    player.pause()
    player.seek(paused_at)

    user.writing.choose(2)

    assert player.playing == plays
    assert player.position == position


# ---------------------------------------------------------------------- two models


def compare(ablation: EffectsController, attention: AttentionController, qtbot: QtBot) -> None:
    attention.models.follow("plain")
    qtbot.waitUntil(lambda: attention.shown_second is not None)
    qtbot.waitUntil(lambda: not ablation.busy, timeout=30_000)


def test_the_effects_are_those_of_a_or_b(
    studied: EffectsController, attention: AttentionController, qtbot: QtBot
) -> None:
    panel = studied.panel
    assert [button.isVisible() for button in panel.sides] == [False, False]
    compare(studied, attention, qtbot)
    assert [button.isVisible() for button in panel.sides] == [True, True]
    assert attention.model == "full"

    panel.sides[1].click()
    qtbot.waitUntil(lambda: not studied.busy, timeout=30_000)

    assert [button.isChecked() for button in panel.sides] == [False, True]
    assert panel.sides[1].toolTip().startswith("Show the effects in plain")
    assert panel.effects_of == "plain"
    attention.models.follow("")
    qtbot.waitUntil(lambda: not studied.busy, timeout=30_000)
    assert panel.effects_of == "full"


def test_heads_of_b_are_chosen_and_muted_in_its_effects(
    studied: EffectsController, attention: AttentionController, user: User
) -> None:
    compare(studied, attention, user.qtbot)
    panel, page, roll = studied.panel, user.window.attention, user.roll
    panel.sides[1].click()
    panel.grid.chosen.emit(Head(1, 1))
    QTest.keyClick(roll, Qt.Key.Key_M)

    assert str(user.document.form.muted.of("plain")) == "2.2"
    assert not mutes_of(user.document)
    assert panel.muted.text() == "Muted: 2.2"
    page.switch.open("maps")
    assert (page.plots.halves[0].grid.heads.chosen, page.plots.halves[1].grid.heads.chosen) == (
        None,
        Head(1, 1),
    )
    page.choices.head_chosen.emit(0, Head(0, 0))
    QTest.keyClick(roll, Qt.Key.Key_M)
    assert str(mutes_of(user.document)) == "1.1"
    page.switch.open(EFFECTS)
    panel.clear.click()
    assert not user.document.form.muted.of("plain")
    assert str(mutes_of(user.document)) == "1.1"


def test_arcs_are_those_of_the_model_of_the_effects(
    studied: EffectsController,
    attention: AttentionController,
    user: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compare(studied, attention, user.qtbot)
    drawn: list[tuple[object, ...]] = []
    monkeypatch.setattr(RollArcs, "show_cell", lambda _self, *shown: drawn.append(shown[:2]))

    studied.panel.sides[1].click()
    studied.panel.grid.chosen.emit(Head(1, 0))

    assert drawn[-1][0] is attention.shown_second
    assert drawn[-1][1] == Head(1, 0)
    user.window.attention.switch.open("maps")
    assert drawn[-1][0] is attention.shown
    assert drawn[-1][1] is None


def test_a_measurement_stays_while_the_other_model_is_shown(
    studied: EffectsController, attention: AttentionController, qtbot: QtBot
) -> None:
    compare(studied, attention, qtbot)
    panel, piece = studied.panel, studied.panel.piece_grid
    panel.piece.start.click()
    qtbot.waitUntil(lambda: not studied.busy, timeout=30_000)
    assert "whole piece" in piece.accessibleDescription()

    panel.sides[1].click()
    assert piece.accessibleDescription() == ""
    panel.sides[0].click()
    assert "whole piece" in piece.accessibleDescription()


def test_the_difference_is_listened_to_with_the_model_of_the_effects(
    studied: EffectsController, user: User, attention: AttentionController
) -> None:
    compare(studied, attention, user.qtbot)
    studied.mutes.toggle(0, Head(0, 0))
    studied.panel.sides[1].click()
    assert not studied.panel.listen.isEnabled()
    studied.mutes.toggle(1, Head(0, 1))
    assert studied.panel.listen.isEnabled()

    studied.comparison.new.trigger()

    task = known(user.writer.task)
    assert task.form.model == "plain"
    user.writing.cancel()
