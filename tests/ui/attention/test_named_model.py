"""The model named on the Attention page is the one whose maps are shown."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Provenance
from musicrel.errors import ModelError
from musicrel.ui.app_controller import AppController
from musicrel.ui.attention import named_models as module
from musicrel.ui.controllers.attention_controller import AttentionController
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.fakes import TIMEOUT, FakeJobs, earlier_piece

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


def choose(window: MainWindow, row: int) -> None:
    """Choose a model on the Attention page."""
    window.attention.model.setCurrentIndex(row)
    window.attention.model.activated.emit(row)


def generate(qtbot: QtBot, app_controller: AppController) -> None:
    """Generate a piece."""
    app_controller.compose.generate()
    document = app_controller.document
    qtbot.waitUntil(lambda: document.piece is not None and not document.generating)


def open_piece(app_controller: AppController, model: str) -> None:
    """Open a piece that a model wrote."""
    piece = replace(earlier_piece(), provenance=Provenance(model=model, sha256="0", seed=3))
    form = replace(app_controller.document.form, model=model)
    app_controller.document.show_piece(piece, form=form, action="opened")


def check(qtbot: QtBot, attention: AttentionController, window: MainWindow, model: str) -> None:
    """Check that box, caption and maps are those of ``model``."""
    qtbot.waitUntil(lambda: attention.shown is not None)
    assert attention.shown is not None
    assert attention.shown.model == model
    assert window.attention.model.currentData() == model
    qtbot.waitUntil(lambda: window.attention.caption.text().startswith(f"{model} ("))


def test_generated_piece(
    attention: AttentionController, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The model of the form wrote it."""
    generate(qtbot, app_controller)

    check(qtbot, attention, window, "full")


def test_opened_piece_of_another_model(
    attention: AttentionController, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The form takes the model of the piece, and so does the page."""
    generate(qtbot, app_controller)
    open_piece(app_controller, "plain")

    check(qtbot, attention, window, "plain")


def test_opened_piece_of_a_missing_model(
    attention: AttentionController, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The chosen model stays."""
    generate(qtbot, app_controller)
    open_piece(app_controller, "gone")

    check(qtbot, attention, window, "full")


def test_undo_and_redo(
    attention: AttentionController, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """Each piece comes back with its form."""
    generate(qtbot, app_controller)
    open_piece(app_controller, "plain")
    app_controller.document.undo()
    check(qtbot, attention, window, "full")
    app_controller.document.redo()
    check(qtbot, attention, window, "plain")


def test_another_model_in_the_box(
    attention: AttentionController, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The maps of the one before are gone at once."""
    generate(qtbot, app_controller)
    choose(window, 1)
    assert attention.shown is None
    assert window.attention.empty.isVisible()

    check(qtbot, attention, window, "plain")


def test_the_model_that_writes_stays(
    attention: AttentionController, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The next piece is by the model of the form, and the page names it again."""
    generate(qtbot, app_controller)
    choose(window, 1)
    check(qtbot, attention, window, "plain")
    assert app_controller.document.form.model == "full"

    generate(qtbot, app_controller)

    assert app_controller.document.form.model == "full"
    check(qtbot, attention, window, "full")


def test_the_choice_outlives_other_entries_of_the_form_but_not_another_model(
    attention: AttentionController, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The page follows the form once another model writes."""
    form_view = window.compose_page.controls.compose_form
    generate(qtbot, app_controller)
    choose(window, 1)

    form_view.bars.setValue(3)
    check(qtbot, attention, window, "plain")
    for row in (1, 0):
        form_view.model.setCurrentIndex(row)
    check(qtbot, attention, window, "full")
    assert "chosen in Compose" in window.attention.model.toolTip()


def test_another_model_in_the_form_of_the_hidden_page(
    attention: AttentionController, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """Nothing is analysed until the page is opened; colours of the other model are not used."""
    generate(qtbot, app_controller)
    window.pages.open("compose")
    window.compose_page.controls.compose_form.model.setCurrentIndex(1)
    assert attention.analyses.current is not None
    assert attention.shown is None

    window.pages.open("attention")
    check(qtbot, attention, window, "plain")


def test_another_model_in_the_form_during_generation(
    attention: AttentionController,
    app_controller: AppController,
    window: MainWindow,
    jobs: FakeJobs,
    qtbot: QtBot,
) -> None:
    """The model that writes is named until it has finished; the box cannot be changed."""
    jobs.hold_at = 70
    app_controller.compose.generate()
    assert jobs.waiting.wait(TIMEOUT)
    window.compose_page.controls.compose_form.model.setCurrentIndex(1)
    check(qtbot, attention, window, "full")
    assert not window.attention.model.isEnabled()
    assert window.attention.model.toolTip() == module.GENERATES
    jobs.gate.set()
    qtbot.waitUntil(lambda: not app_controller.document.generating)

    check(qtbot, attention, window, "plain")
    assert window.attention.model.isEnabled()


def test_model_that_cannot_be_analysed(
    attention: AttentionController,
    app_controller: AppController,
    window: MainWindow,
    jobs: FakeJobs,
    qtbot: QtBot,
) -> None:
    """The reason is shown in place of the maps of another model."""
    generate(qtbot, app_controller)
    jobs.analysis_error = ModelError("it is gone")
    choose(window, 1)
    qtbot.waitUntil(lambda: window.attention.empty.text() == "It is gone")

    assert attention.shown is None
    assert window.attention.model.currentData() == "plain"
