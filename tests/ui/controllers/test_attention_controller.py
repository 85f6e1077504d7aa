"""Attention and surprisal with fake jobs."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.editing.selection import Selection
from musicrel.errors import ModelError
from musicrel.generation.heads.mutes import Head
from musicrel.ui.app_controller import AppController
from musicrel.ui.controllers import attention_controller as attention_module
from musicrel.ui.controllers.attention_controller import AttentionController
from musicrel.ui.jobs.worker import wait_for_all
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.fakes import TIMEOUT, FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


def generate(qtbot: QtBot, app_controller: AppController) -> None:
    """Generate a piece."""
    app_controller.compose.generate()
    qtbot.waitUntil(
        lambda: app_controller.document.piece is not None and not app_controller.document.generating
    )


def choose_model(window: MainWindow, row: int) -> None:
    """Select a model on the attention page."""
    window.attention.model.setCurrentIndex(row)
    window.attention.model.activated.emit(row)


def test_empty_page_explains_how_to_fill_it(
    attention: AttentionController, window: MainWindow
) -> None:
    """The message asks to generate a piece."""
    assert window.attention.empty.text() == attention_module.NO_PIECE
    assert window.attention.empty.isVisible()
    assert attention.analyses.current is None


def test_attention_is_shown_during_generation(
    attention: AttentionController,
    app_controller: AppController,
    window: MainWindow,
    jobs: FakeJobs,
    qtbot: QtBot,
) -> None:
    """The newest note is in view, and no analysis job is needed."""
    jobs.hold_at = 70
    app_controller.compose.generate()
    assert jobs.waiting.wait(TIMEOUT)
    qtbot.waitUntil(lambda: attention.analyses.current is not None)
    qtbot.waitUntil(lambda: attention.analyses.current.cells == 70)  # type: ignore[union-attr]

    qtbot.waitUntil(window.attention.plots.map.isVisible)
    assert window.attention.caption.text() == "full (generated this piece)"
    assert window.attention.words.text().startswith("Alto G4 (bar 2, beat 1¼): 100 % on")
    assert window.attention.run.defaultAction() is window.commands.stop
    jobs.gate.set()
    qtbot.waitUntil(lambda: not app_controller.document.generating)
    assert window.attention.run.defaultAction() is window.commands.generate
    assert attention.analyses.current is not None
    assert attention.analyses.current.cells == 128
    assert jobs.analysis_requests == []


def test_another_model_analyses_the_same_piece(
    attention: AttentionController,
    app_controller: AppController,
    window: MainWindow,
    jobs: FakeJobs,
    qtbot: QtBot,
) -> None:
    """A job does it, and the form keeps its model; going back to the first needs no job."""
    generate(qtbot, app_controller)
    own = attention.analyses.current
    choose_model(window, 1)
    qtbot.waitUntil(lambda: attention.analyses.current not in (None, own))

    assert [(name, piece) for name, _, piece in jobs.analysis_requests] == [
        ("plain", app_controller.document.piece)
    ]
    assert window.attention.caption.text() == "plain (did not generate this piece)"
    assert window.compose_page.controls.compose_form.form().model == "full"
    assert app_controller.preferences.settings.model == ""
    choose_model(window, 0)
    assert attention.analyses.current is own
    assert len(jobs.analysis_requests) == 1


def test_analysis_of_a_replaced_piece_is_dropped(
    attention: AttentionController,
    app_controller: AppController,
    window: MainWindow,
    jobs: FakeJobs,
    qtbot: QtBot,
) -> None:
    """Its late result is not shown; the new piece is analysed instead."""
    generate(qtbot, app_controller)
    jobs.hold_analysis = True
    choose_model(window, 1)
    assert jobs.waiting.wait(TIMEOUT)
    assert window.attention.empty.text() == "Analysing the piece with plain …"
    choose_model(window, 0)
    own = attention.analyses.current
    jobs.gate.set()
    qtbot.waitUntil(lambda: not attention.analyses.busy)

    assert attention.analyses.current is own
    assert own is not None
    assert own.wrote


def test_nothing_is_analysed_while_the_page_is_hidden(
    attention: AttentionController,
    app_controller: AppController,
    window: MainWindow,
    jobs: FakeJobs,
    qtbot: QtBot,
) -> None:
    """The analysis starts when the page is opened."""
    window.pages.open("compose")
    generate(qtbot, app_controller)
    window.compose_page.controls.compose_form.model.setCurrentIndex(1)
    assert jobs.analysis_requests == []

    window.pages.open("attention")
    qtbot.waitUntil(lambda: attention.analyses.current is not None)
    qtbot.waitUntil(lambda: attention.analyses.current.model == "plain")  # type: ignore[union-attr]


def test_failure_is_shown_in_place_of_the_map(
    attention: AttentionController,
    app_controller: AppController,
    window: MainWindow,
    jobs: FakeJobs,
    qtbot: QtBot,
) -> None:
    """The message is a sentence; selecting a model tries again."""
    generate(qtbot, app_controller)
    jobs.analysis_error = ModelError("its weights are truncated")
    choose_model(window, 1)
    qtbot.waitUntil(lambda: window.attention.empty.text() == "Its weights are truncated")

    choose_model(window, 0)
    assert window.attention.plots.map.isVisible()
    del attention


def test_too_long_piece_is_explained(
    attention: AttentionController,
    app_controller: AppController,
    window: MainWindow,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The message names the limit; surprisal is still available."""
    monkeypatch.setattr(attention_module, "MAX_RECORDED_TOKENS", 100)
    generate(qtbot, app_controller)

    assert "up to 100 cells (1 bars of 4/4)" in window.attention.empty.text()
    assert attention.analyses.current is not None
    assert np.isfinite(attention.analyses.current.nats).all()


def test_too_long_piece_is_analysed_only_for_surprisal(
    *,
    attention: AttentionController,
    app_controller: AppController,
    window: MainWindow,
    jobs: FakeJobs,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Opening the attention page starts no job; note colours by surprisal do."""
    monkeypatch.setattr(attention_module, "MAX_RECORDED_TOKENS", 100)
    generate(qtbot, app_controller)
    choose_model(window, 1)
    assert "up to 100 cells" in window.attention.empty.text()
    assert not attention.analyses.busy

    window.compose_page.surprisal.setChecked(True)
    qtbot.waitUntil(lambda: len(jobs.analysis_requests) == 1)


def test_long_analysis_shows_progress_and_can_be_ended(
    attention: AttentionController,
    app_controller: AppController,
    window: MainWindow,
    jobs: FakeJobs,
    qtbot: QtBot,
) -> None:
    """Shutting down does not wait for its result."""
    generate(qtbot, app_controller)
    jobs.endless_analysis = True
    choose_model(window, 1)
    qtbot.waitUntil(lambda: window.state == "Analysing the piece with plain: 25%")

    assert window.attention.empty.text() == window.state
    assert wait_for_all(attention.shut_down())


def test_selected_note_is_in_view(
    attention: AttentionController, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """Its largest weight is described, its weights are bars over the lags; Escape deselects it."""
    generate(qtbot, app_controller)
    window.compose_page.selecting.select(Selection(voices=(2,), start=5, stop=6))

    assert "100 % on Alto G4 (bar 1, beat 2¼) (largest weight)" in window.attention.words.text()
    assert window.state == "Tenor: bar 1, beat 2¼"
    assert "same step: " in window.attention.plots.by_lag.accessibleDescription()
    assert "this note 100 %" in window.attention.plots.by_lag.accessibleDescription()
    window.compose_page.selecting.select(None)
    assert "this note" not in window.attention.plots.by_lag.accessibleDescription()
    del attention


def test_row_of_the_map_selects_on_the_roll(
    attention: AttentionController, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """A click on a row selects its note."""
    generate(qtbot, app_controller)
    window.attention.plots.map.cell_chosen.emit(9)

    assert window.compose_page.selecting.selection == Selection(voices=(1,), start=2, stop=3)
    del attention


def test_heads_are_selected_by_keyboard(
    attention: AttentionController, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """Arrow keys move from the mean to the first layer, along it, and back."""
    generate(qtbot, app_controller)
    grid, descriptions = window.attention.plots.grid, []
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down):
        QTest.keyClick(grid, key)
        descriptions.append(window.attention.head.text())
    assert descriptions == [
        "Layer 1, head 1", "Layer 1, head 2", "Layer 1, head 2", "Layer 2, head 2",
    ]  # fmt: skip
    QTest.keyClick(grid, Qt.Key.Key_Up)
    QTest.keyClick(grid, Qt.Key.Key_Up)
    assert window.attention.head.text() == "Mean of all heads"
    del attention


def test_head_is_selected_by_click(
    attention: AttentionController, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """A click on its thumbnail selects it."""
    generate(qtbot, app_controller)
    grid = window.attention.plots.grid
    centre = grid.box.mapViewToScene(grid.tile(Head(1, 0)).center())
    spot = grid.view.mapFromScene(centre)
    QTest.mouseClick(grid.view.viewport(), Qt.MouseButton.LeftButton, pos=spot)

    assert window.attention.head.text() == "Layer 2, head 1"
    assert grid.accessibleDescription() == "Layer 2, head 1"
    del attention


def test_notes_are_coloured_by_surprisal(
    attention: AttentionController,
    app_controller: AppController,
    window: MainWindow,
    jobs: FakeJobs,
    qtbot: QtBot,
) -> None:
    """Legend and menu follow the setting, also on the compose page."""
    generate(qtbot, app_controller)
    window.pages.open("compose")
    roll = window.compose_page.roll
    # A page still being laid out would change the picture's size between the two grabs.
    roll.setFixedSize(560, 300)
    qtbot.waitUntil(lambda: roll.size() == QSize(560, 300))
    before = roll.grab().toImage()
    surprisal = next(a for a in window.commands.tints.actions() if a.data() == "surprisal")
    surprisal.trigger()

    assert window.compose_page.surprisal.isChecked()
    assert window.compose_page.heat_legend.isVisible()
    assert not window.compose_page.legend.isVisible()
    assert "computed by full" in window.compose_page.heat_legend.toolTip()
    assert roll.grab().toImage() != before
    QTest.keyClick(window, Qt.Key.Key_U, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not window.compose_page.surprisal.isChecked())
    assert roll.grab().toImage() == before
    assert jobs.analysis_requests == []
    del attention


def test_closing_the_window_ends_the_analysis(
    attention: AttentionController,
    app_controller: AppController,
    window: MainWindow,
    jobs: FakeJobs,
    qtbot: QtBot,
) -> None:
    """The job ends in its own thread."""
    generate(qtbot, app_controller)
    jobs.hold_analysis = True
    choose_model(window, 1)
    assert jobs.waiting.wait(TIMEOUT)
    jobs.gate.set()

    assert wait_for_all(attention.shut_down())
