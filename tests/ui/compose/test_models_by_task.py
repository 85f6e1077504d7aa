"""A model for writing and one for rewriting, each remembered."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from musicrel import settings
from musicrel.chorale import Chorale, Provenance
from musicrel.presentation.compose import models
from musicrel.presentation.compose.models import ModelChoice
from musicrel.ui.app_controller import AppController
from musicrel.ui.compose.compose_form import ComposeForm
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.conftest import BOTH_SIDES, CHOICES
from tests.ui.fakes import FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

PIECE = Chorale.of(np.full((32, 4), [72, 67, 64, 48]))
TRIAL = replace(CHOICES[0], name="a-trial", title="a-trial · test run", is_test_run=True)


@pytest.fixture
def compose_form(
    app_controller: AppController, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> ComposeForm:
    """Return the form of the app with a model that sees both sides and one of a test run."""
    install(monkeypatch, TRIAL, *CHOICES, BOTH_SIDES)
    app_controller.compose.offer_models()
    return window.compose_page.controls.compose_form


def install(monkeypatch: pytest.MonkeyPatch, *choices: ModelChoice) -> None:
    monkeypatch.setattr(models, "installed", lambda: (choices, ()))


def rewrite(app_controller: AppController, jobs: FakeJobs, qtbot: QtBot) -> str:
    """Rewrite the piece and return the name of the model that did."""
    count = len(jobs.candidate_requests)
    app_controller.rewrite.rewrite()
    qtbot.waitUntil(lambda: not app_controller.candidates.busy)
    assert len(jobs.candidate_requests) == count + 1
    return jobs.candidate_requests[-1][0]


def test_piece_is_rewritten_with_a_model_that_sees_ahead(
    compose_form: ComposeForm, app_controller: AppController, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """It is written with the other one; the notes on screen agree."""
    app_controller.compose.generate()
    document = app_controller.document
    qtbot.waitUntil(lambda: document.piece is not None and not document.generating)

    assert jobs.requests[0][0] == "full"
    assert rewrite(app_controller, jobs, qtbot) == "both"
    assert document.form.model == "full"
    assert document.sees_both_sides
    assert compose_form.model_rewrite.name == "both"


def test_models_of_both_tasks_are_remembered(
    compose_form: ComposeForm, app_controller: AppController, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Each in an entry of its own."""
    app_controller.document.show_piece(PIECE, action="opened")
    compose_form.model_rewrite.setCurrentIndex(compose_form.model_rewrite.findData("plain"))

    assert rewrite(app_controller, jobs, qtbot) == "plain"
    assert (settings.load().model, settings.load().model_rewrite) == ("", "plain")
    assert not app_controller.document.sees_both_sides
    compose_form.model.setCurrentIndex(compose_form.model.findData("plain"))
    assert (settings.load().model, settings.load().model_rewrite) == ("plain", "plain")
    app_controller.compose.offer_models()
    assert (compose_form.model.name, compose_form.model_rewrite.name) == ("plain", "plain")


def test_model_of_a_test_run_does_not_become_the_default(compose_form: ComposeForm) -> None:
    """It is first in the list, and its title marks it."""
    assert compose_form.model.itemText(0) == "a-trial · test run"
    assert compose_form.model.name == "full"


def test_finished_study_changes_no_model(
    compose_form: ComposeForm, app_controller: AppController, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model that is installed is used only if it is asked for."""
    trial = replace(BOTH_SIDES, name="b-trial", is_test_run=True)
    install(monkeypatch, trial, TRIAL, *CHOICES, BOTH_SIDES)
    app_controller.compose.offer_models()

    assert (compose_form.model.name, compose_form.model_rewrite.name) == ("full", "both")


@pytest.mark.parametrize(
    ("name", "expected"), [("a-trial", ("a-trial", "both")), ("newer", ("full", "newer"))]
)
def test_model_is_used_for_the_task_that_suits_it(
    compose_form: ComposeForm,
    app_controller: AppController,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    expected: tuple[str, str],
) -> None:
    """One that sees both sides rewrites; "Use in Compose" takes one of a test run, too."""
    install(monkeypatch, TRIAL, *CHOICES, BOTH_SIDES, replace(BOTH_SIDES, name="newer"))
    app_controller.compose.use_model(name)

    assert (compose_form.model.name, compose_form.model_rewrite.name) == expected


def test_only_models_of_test_runs_ask_for_a_choice(
    compose_form: ComposeForm,
    app_controller: AppController,
    window: MainWindow,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Generate is disabled until one is chosen."""
    install(monkeypatch, TRIAL)
    app_controller.compose.offer_models()
    button = window.compose_page.controls.generate_button
    assert not button.isEnabled()
    assert "Choose a model" in button.toolTip()

    compose_form.model.setCurrentIndex(0)
    assert button.isEnabled()


def test_status_line_names_the_model_of_the_piece(
    app_controller: AppController, window: MainWindow
) -> None:
    """A piece that no model wrote has none."""
    status = window.compose_page.strip.status
    by_model = replace(PIECE, provenance=Provenance(model="relative", sha256="0", seed=1))
    app_controller.document.show_piece(by_model, action="opened")
    assert status.text() == "by relative"
    app_controller.document.show_piece(PIECE, action="opened")
    assert status.text() == ""


def test_status_line_names_the_model_of_a_candidate(
    app_controller: AppController, window: MainWindow
) -> None:
    """It is that of the notes on screen."""
    app_controller.document.show_piece(PIECE, action="opened")
    by_model = replace(PIECE, provenance=Provenance(model="other", sha256="0", seed=1))
    app_controller.document.preview(by_model)

    assert window.compose_page.strip.status.text() == "by other"


def test_advanced_part_is_remembered(app_controller: AppController, window: MainWindow) -> None:
    """The next window shows it as it was."""
    advanced = window.compose_page.controls.compose_form.advanced
    assert app_controller.preferences.settings.advanced == "hidden"
    advanced.heading.click()
    assert settings.load().advanced == "shown"
    advanced.heading.click()
    assert settings.load().advanced == "hidden"
