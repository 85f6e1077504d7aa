"""A model for writing and one for rewriting, each remembered."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from musicrel import settings
from musicrel.chorale import Chorale, Provenance
from musicrel.presentation.compose import models
from musicrel.presentation.compose.models import ModelChoice
from musicrel.ui.compose.compose_form import ComposeForm
from musicrel.ui.compose.form_fields import MORE
from tests.ui.conftest import BOTH_SIDES, CHOICES
from tests.ui.user import User

PIECE = Chorale.of(np.full((32, 4), [72, 67, 64, 48]))
TRIAL = replace(CHOICES[0], name="a-trial", title="a-trial · test run", is_test_run=True)


@pytest.fixture
def compose_form(user: User, monkeypatch: pytest.MonkeyPatch) -> ComposeForm:
    install(monkeypatch, TRIAL, *CHOICES, BOTH_SIDES)
    user.app.form.offer_models()
    return user.form


def install(monkeypatch: pytest.MonkeyPatch, *choices: ModelChoice) -> None:
    monkeypatch.setattr(models, "installed", lambda: (choices, ()))


def rewrite(user: User) -> str:
    count = len(user.jobs.candidate_requests)
    user.app.writing.rewrite()
    user.wait(lambda: not user.writer.busy)
    assert len(user.jobs.candidate_requests) == count + 1
    return user.jobs.candidate_requests[-1][0]


def test_piece_is_rewritten_with_a_model_that_sees_ahead(
    compose_form: ComposeForm, user: User
) -> None:
    """It is written with the other one; the notes on screen agree."""
    user.generate()
    document = user.document

    assert user.jobs.requests[0][0] == "full"
    assert rewrite(user) == "both"
    assert document.form.model == "full"
    assert document.sees_both_sides
    assert compose_form.model_rewrite.value() == "both"


def test_models_of_both_tasks_are_remembered(compose_form: ComposeForm, user: User) -> None:
    user.document.show_piece(PIECE, action="opened")
    compose_form.model_rewrite.setCurrentIndex(compose_form.model_rewrite.findData("plain"))

    assert rewrite(user) == "plain"
    assert (settings.load().model, settings.load().model_rewrite) == ("", "plain")
    assert not user.document.sees_both_sides
    compose_form.model.setCurrentIndex(compose_form.model.findData("plain"))
    assert (settings.load().model, settings.load().model_rewrite) == ("plain", "plain")
    user.app.form.offer_models()
    assert (compose_form.model.value(), compose_form.model_rewrite.value()) == ("plain", "plain")


def test_finished_study_changes_no_model(
    compose_form: ComposeForm, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    trial = replace(BOTH_SIDES, name="b-trial", is_test_run=True)
    install(monkeypatch, trial, TRIAL, *CHOICES, BOTH_SIDES)
    user.app.form.offer_models()

    assert (compose_form.model.value(), compose_form.model_rewrite.value()) == ("full", "both")


@pytest.mark.parametrize(
    ("name", "expected"), [("a-trial", ("a-trial", "both")), ("newer", ("full", "newer"))]
)
def test_model_is_used_for_the_task_that_suits_it(
    compose_form: ComposeForm,
    user: User,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    expected: tuple[str, str],
) -> None:
    """One that sees both sides rewrites; "Use in Compose" takes one of a test run, too."""
    install(monkeypatch, TRIAL, *CHOICES, BOTH_SIDES, replace(BOTH_SIDES, name="newer"))
    user.app.form.use_model(name)

    assert (compose_form.model.value(), compose_form.model_rewrite.value()) == expected


def test_only_models_of_test_runs_ask_for_a_choice(
    compose_form: ComposeForm, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, TRIAL)
    user.app.form.offer_models()
    button = user.controls.generate_button
    assert not button.isEnabled()
    assert "Choose a model" in button.toolTip()

    compose_form.model.setCurrentIndex(0)
    assert button.isEnabled()


def test_status_line_names_the_model_of_the_piece(user: User) -> None:
    status = user.strip.status
    by_model = replace(PIECE, provenance=Provenance(model="relative", sha256="0", seed=1))
    user.document.show_piece(by_model, action="opened")
    assert status.text() == "by Relative"
    user.document.show_piece(PIECE, action="opened")
    assert status.text() == ""


def test_status_line_names_the_model_of_a_candidate(user: User) -> None:
    user.document.show_piece(PIECE, action="opened")
    by_model = replace(PIECE, provenance=Provenance(model="other", sha256="0", seed=1))
    user.document.preview(by_model)

    assert user.strip.status.text() == "by other"


def test_advanced_part_is_remembered(user: User) -> None:
    advanced = user.form.advanced
    assert user.app.preferences.settings.advanced == "hidden"
    advanced.heading.click()
    assert settings.load().advanced == "shown"
    advanced.heading.click()
    assert settings.load().advanced == "hidden"


def test_models_to_measure_are_under_a_heading_that_cannot_be_chosen(
    compose_form: ComposeForm, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, *CHOICES, TRIAL)
    user.app.form.offer_models()
    box = compose_form.model
    row = box.findText(MORE)
    box.setCurrentIndex(row - 1)
    QTest.keyClick(box, Qt.Key.Key_Down)

    assert row > 0
    assert box.value() == TRIAL.name
