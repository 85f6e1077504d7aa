"""Muted heads, and what mattered for a note, in the window."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.editing.selection import Selection
from musicrel.generation.events import MeansProgress
from musicrel.generation.heads.mutes import WHOLE, Head, Mutes
from musicrel.presentation.ablation.source_list import SourceRow
from musicrel.ui.ablation.ablation import Ablation
from musicrel.ui.ablation.mattered_controller import CHOOSE_NOTE, MATTERED
from musicrel.ui.ablation.muted_comparison import CHOOSE_LATER, NONE_MUTED
from musicrel.ui.app_controller import AppController
from musicrel.ui.document.document import Document
from musicrel.ui.shell.main_window import MainWindow

_NOTE = Selection(voices=(1,), start=20, stop=21)


def study(ablation: Ablation, document: Document, window: MainWindow, qtbot: QtBot) -> None:
    """Open the view and choose a note of bar 2."""
    window.attention.switch.open(MATTERED)
    document.select(_NOTE)
    qtbot.waitUntil(lambda: not ablation.controller.busy, timeout=30_000)


def mutes_of(document: Document) -> Mutes:
    return document.form.muted.of("full")


# ---------------------------------------------------------------------- muted heads


def test_a_head_is_muted_in_the_maps_and_crossed_out(
    ablation: Ablation, document: Document, window: MainWindow
) -> None:
    """The key is that of the other grid; screen readers get it, too."""
    grid = window.attention.plots.grid
    window.attention.head_chosen.emit(Head(1, 0))
    QTest.keyClick(grid, Qt.Key.Key_M)

    assert mutes_of(document) == Mutes.parse("2.1", "zero")
    assert not grid._crosses.path().isEmpty()  # noqa: SLF001  # it is drawn
    assert grid.accessibleDescription() == "Layer 2, head 1, muted"

    QTest.keyClick(grid, Qt.Key.Key_M)
    assert not mutes_of(document)
    assert grid._crosses.path().isEmpty()  # noqa: SLF001
    assert ablation.mutes.mutes == Mutes(by="zero")


def test_the_key_mutes_the_chosen_head_after_a_click_on_a_note(
    ablation: Ablation, document: Document, window: MainWindow
) -> None:
    """The focus is in the roll then; with Shift it mutes the layer."""
    window.attention.head_chosen.emit(Head(1, 0))
    roll = window.compose_page.roll
    roll.setFocus()

    QTest.keyClick(roll, Qt.Key.Key_M)
    assert str(mutes_of(document)) == "2.1"
    QTest.keyClick(roll, Qt.Key.Key_M, Qt.KeyboardModifier.ShiftModifier)
    assert str(mutes_of(document)) == "2"
    del ablation


def test_several_heads_and_a_whole_layer_are_muted(ablation: Ablation, document: Document) -> None:
    """All heads of a layer are the layer."""
    for head in (Head(0, 1), Head(1, 0), Head(1, 1)):
        ablation.mutes.toggle(head)
    assert str(mutes_of(document)) == "1.2,2"

    ablation.mutes.toggle(Head(1, WHOLE))
    assert str(mutes_of(document)) == "1.2"


def test_the_remark_names_and_clears_them_on_every_page(
    ablation: Ablation, document: Document, window: MainWindow
) -> None:
    """The next piece is generated with them, of the same seed."""
    seed, remark = document.form.seed, window.muted
    ablation.mutes.toggle(Head(0, 1))

    for page in ("compose", "attention", "experiment"):
        window.pages.open(page)
        assert remark.isVisible()
    assert remark.text.text() == "Model full will write with head 1.2 muted (by zero)"
    assert document.form.request().mutes == Mutes.parse("1.2", "zero")
    assert not document.form_is_used
    assert document.form.seed == seed

    remark.clear.click()
    assert not mutes_of(document)
    assert document.form_is_used


def test_a_take_names_its_muted_heads_and_mutes_none(
    ablation: Ablation, app_controller: AppController, document: Document, qtbot: QtBot
) -> None:
    """Only the user does; generating again asks for another piece of the same seed."""
    ablation.mutes.toggle(Head(0, 1))
    app_controller.compose.generate()
    qtbot.waitUntil(lambda: document.piece is not None)
    number = document.takes.all[-1].number
    ablation.mutes.clear()

    document.use_take(number)

    assert not mutes_of(document)
    assert not document.form_is_used
    take = document.takes.get(number)
    assert take is not None
    assert str(take.form.muted.of("full")) == "1.2"


# ---------------------------------------------------------------------- the note


def test_the_effects_on_the_chosen_note_are_shown(
    ablation: Ablation, document: Document, window: MainWindow, qtbot: QtBot
) -> None:
    """Its distribution and its layers, too."""
    panel = ablation.panel
    window.attention.switch.open(MATTERED)
    assert panel.empty.text() == CHOOSE_NOTE

    study(ablation, document, window, qtbot)

    assert panel.grid.accessibleDescription().startswith("Effects of heads, Alto")
    assert panel.surprisal.text().startswith("Surprisal ")
    assert "Layer 2 (model)" in panel.details.lens.view.accessibleDescription()


def test_surprisal_and_distribution_change_with_the_muted_heads(
    ablation: Ablation, document: Document, window: MainWindow, qtbot: QtBot
) -> None:
    """They go back when the head is unmuted."""
    study(ablation, document, window, qtbot)
    before = ablation.panel.surprisal.text()

    QTest.keyClick(ablation.panel.grid, Qt.Key.Key_Right)  # chooses the first head
    QTest.keyClick(ablation.panel.grid, Qt.Key.Key_M)
    qtbot.waitUntil(lambda: ", muted " in ablation.panel.surprisal.text())

    assert str(mutes_of(document)) == "1.1"
    assert "muted" in ablation.panel.choices.accessibleDescription()
    ablation.panel.clear.click()
    qtbot.waitUntil(lambda: ablation.panel.surprisal.text() == before)


def test_a_head_in_the_grid_is_that_of_the_arcs(
    ablation: Ablation, document: Document, window: MainWindow, qtbot: QtBot
) -> None:
    """The roll above shows the notes it looked at."""
    study(ablation, document, window, qtbot)

    ablation.panel.grid.chosen.emit(Head(1, 1))

    assert ablation.panel.grid.accessibleDescription().startswith("Layer 2, head 2 ")
    window.attention.switch.open("maps")
    assert window.attention.plots.grid.head == Head(1, 1)


def test_nothing_is_studied_while_the_view_is_not_visible(
    ablation: Ablation, document: Document, window: MainWindow
) -> None:
    """Selecting notes on the other views costs nothing."""
    window.attention.switch.open("maps")

    document.select(_NOTE)

    assert not ablation.controller.busy


def test_sources_are_found_on_demand_and_a_click_chooses_one(
    ablation: Ablation, document: Document, window: MainWindow, qtbot: QtBot
) -> None:
    """They stay while heads are muted."""
    study(ablation, document, window, qtbot)
    details = ablation.panel.details

    details.find_sources.click()
    qtbot.waitUntil(lambda: details.sources.view.drawing is not None)
    assert "Sources of Alto" in details.sources.view.accessibleDescription()
    chosen: list[SourceRow] = []
    details.source_chosen.connect(chosen.append)
    details.sources.view.clicked.emit(10.0, 25.0)

    assert document.selection is not None
    assert document.selection.start == chosen[0].start


def test_the_search_for_sources_shows_progress_and_can_be_cancelled(
    ablation: Ablation, document: Document, window: MainWindow, qtbot: QtBot
) -> None:
    """The note stays in view, and the search can be started again."""
    study(ablation, document, window, qtbot)
    details = ablation.panel.details
    details.find_sources.click()
    assert not details.search_progress.isHidden()

    details.search_progress.cancel.click()

    assert details.search_progress.isHidden()
    qtbot.waitUntil(lambda: not ablation.controller.busy)
    assert details.sources.view.drawing is None
    assert ablation.panel.surprisal.text().startswith("Surprisal ")
    details.find_sources.click()
    qtbot.waitUntil(lambda: details.sources.view.drawing is not None)
    assert details.search_progress.isHidden()


def test_the_whole_piece_is_measured_with_progress(
    ablation: Ablation, document: Document, window: MainWindow, qtbot: QtBot
) -> None:
    """At the end the button to cancel is gone."""
    study(ablation, document, window, qtbot)
    details = ablation.panel.details

    details.measure.click()
    assert not details.measure_progress.isHidden()
    qtbot.waitUntil(lambda: not ablation.controller.busy)

    assert details.measure_progress.isHidden()
    assert "whole piece" in details.piece.accessibleDescription()
    effects = ablation.controller.measurement.effects
    assert effects is not None
    assert np.isfinite(effects.by_head).all()


def test_a_measurement_can_be_cancelled_and_is_dropped_with_its_piece(
    ablation: Ablation, document: Document, window: MainWindow, qtbot: QtBot
) -> None:
    """Another piece has other effects."""
    study(ablation, document, window, qtbot)
    ablation.panel.details.measure.click()

    ablation.panel.details.measure_progress.cancel.click()

    assert ablation.controller.measurement.share is None
    ablation.panel.details.measure.click()
    qtbot.waitUntil(lambda: not ablation.controller.busy)
    ablation.mutes.choose_by("mean")
    assert ablation.controller.measurement.effects is None
    ablation.mutes.choose_by("zero")


def test_views_are_exported_as_soon_as_they_are_known(
    ablation: Ablation, document: Document, window: MainWindow, qtbot: QtBot
) -> None:
    """Tooltips of the others name what to do first."""
    actions = ablation.panel.export.menu().actions()
    assert [action.isEnabled() for action in actions] == [False] * 5

    study(ablation, document, window, qtbot)

    assert [action.isEnabled() for action in actions] == [True, True, False, True, False]
    assert "find the sources" in actions[2].toolTip()


def test_the_progress_of_the_means_is_shown(
    ablation: Ablation,
    app_controller: AppController,
    document: Document,
    window: MainWindow,
    qtbot: QtBot,
) -> None:
    """They are computed once for a model, by a study or by a generation."""
    study(ablation, document, window, qtbot)

    ablation.controller._on_events((MeansProgress(1, 4),))  # noqa: SLF001
    app_controller.run.prepared.emit(MeansProgress(1, 2))

    assert ablation.panel.empty.text().endswith("once for this model: 25%")
    assert ablation.panel.currentWidget() is ablation.panel.empty
    assert window.state == "Reading the training pieces for the means of muted heads: 50%"


def test_a_failed_study_gives_the_reason(
    ablation: Ablation,
    document: Document,
    window: MainWindow,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The sentence stands in place of the views."""
    from musicrel.errors import ModelError
    from musicrel.presentation.ablation import note_study

    def fail(*_: object) -> None:
        raise ModelError("the piece is too long")

    monkeypatch.setattr(note_study, "open_reader", fail)
    study(ablation, document, window, qtbot)

    assert ablation.panel.empty.text() == "The piece is too long"
    assert ablation.panel.currentWidget() is ablation.panel.empty


# ---------------------------------------------------------------------- with and without


def test_without_muted_heads_there_is_nothing_to_compare(ablation: Ablation) -> None:
    """The tooltip of the button names what to do."""
    assert not ablation.panel.listen.isEnabled()
    assert ablation.panel.listen.toolTip() == NONE_MUTED


def test_a_new_piece_is_generated_without_and_with_muted_heads(
    ablation: Ablation, app_controller: AppController, document: Document
) -> None:
    """Both are candidates of one seed, from the form."""
    ablation.mutes.toggle(Head(0, 1))
    assert ablation.panel.listen.isEnabled()

    ablation.comparison.new.trigger()

    builder = app_controller.candidates.builder
    assert builder is not None
    assert builder.is_pair
    assert builder.is_new
    assert builder.count == 2
    assert builder.request().mutes == mutes_of(document)
    assert builder.request().seed == document.form.seed
    app_controller.candidates.cancel()


def listen_from_bar_2(
    ablation: Ablation, app_controller: AppController, document: Document, qtbot: QtBot
) -> None:
    """Generate the second bar without and with a muted head, and wait for both."""
    ablation.mutes.toggle(Head(0, 1))
    document.select(_NOTE)
    ablation.comparison.from_bar.trigger()
    qtbot.waitUntil(lambda: app_controller.player.playing)


def test_a_piece_is_generated_again_from_the_bar_of_the_chosen_note(
    ablation: Ablation, app_controller: AppController, document: Document
) -> None:
    """All notes before are kept."""
    ablation.mutes.toggle(Head(0, 1))
    assert ablation.comparison.from_bar.toolTip() == CHOOSE_LATER
    document.select(_NOTE)
    assert "bar 2" in ablation.comparison.from_bar.text()

    ablation.comparison.from_bar.trigger()

    builder = app_controller.candidates.builder
    assert builder is not None
    assert builder.piece is document.piece
    assert builder.form.model == "full"
    np.testing.assert_array_equal(builder.free.all(axis=1), np.arange(32) >= 16)
    app_controller.candidates.cancel()


def test_the_pair_is_not_ranked(
    ablation: Ablation, app_controller: AppController, document: Document, qtbot: QtBot
) -> None:
    """The arrow keys lead from the one with all heads to the one with muted heads."""
    listen_from_bar_2(ablation, app_controller, document, qtbot)

    table = app_controller.window.compose_page.candidates.table
    assert [table.number_at(row) for row in range(3)] == [0, 1, 2]
    assert app_controller.candidates.chosen == 1


def test_the_other_one_plays_again_after_the_end(
    ablation: Ablation, app_controller: AppController, document: Document, qtbot: QtBot
) -> None:
    """A cadence is shorter than the way to the arrow key."""
    listen_from_bar_2(ablation, app_controller, document, qtbot)
    player = app_controller.player
    player.pause()
    player.seek(32)

    app_controller.candidates.choose(2)

    assert player.playing
    assert player.position == 16


def test_the_other_one_stays_silent_after_a_pause(
    ablation: Ablation, app_controller: AppController, document: Document, qtbot: QtBot
) -> None:
    """The playhead stays where the user has stopped it."""
    listen_from_bar_2(ablation, app_controller, document, qtbot)
    player = app_controller.player
    player.pause()
    player.seek(20)

    app_controller.candidates.choose(2)

    assert not player.playing
    assert player.position == 20
