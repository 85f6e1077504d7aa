"""The form of a new study: templates, checks and keyboard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.experiment.study import study
from musicrel.presentation.words import display_names
from musicrel.ui.app_controller import AppController
from musicrel.ui.experiment.study_form_controller import WAIT_FOR_CHECK
from tests.ui.experiment.study_app import SOON, page


def test_first_visit_shows_the_form_of_a_shipped_study(
    open_app: Callable[[], AppController], qtbot: QtBot
) -> None:
    """It is checked: the plan is shown, without a time estimate."""
    app_controller = open_app()
    form = page(app_controller).form

    qtbot.waitUntil(lambda: "4 runs" in form.plan.text(), timeout=SOON)
    assert page(app_controller).form.isVisible()
    assert form.templates.title(form.templates.marked) == "Quick study"
    assert "No time estimate" in form.plan.text()
    qtbot.waitUntil(lambda: form.templates.time(form.templates.marked) != "", timeout=SOON)
    assert form.templates.time(form.templates.marked) == "Time not known yet"
    assert form.start.isEnabled()
    assert [box.text() for box in form.arms.boxes][:2] == ["Vanilla", "Relative"]


def test_all_four_studies_of_the_report_are_offered(
    open_app: Callable[[], AppController], qtbot: QtBot
) -> None:
    """Each shows its checked plan; the published one is unchanged."""
    app_controller = open_app()
    form = page(app_controller).form
    qtbot.waitUntil(lambda: "4 runs" in form.plan.text(), timeout=SOON)

    for name, plan in (
        ("published", "Relative (as published) 469,813 parameters (+32,768)"),
        ("window", "10 runs"),
        ("memory", "20 rows: Vanilla, Relative (tiled)"),
        ("bytes", "11 runs"),
    ):
        row = form.templates.row_of(display_names.study(name))
        form.templates.chosen.emit(row)
        qtbot.waitUntil(lambda plan=plan: plan in form.plan.text(), timeout=SOON)  # type: ignore[misc]
        assert form.start.isEnabled()
        assert form.seeds.isEnabled() == (name != "memory")
        assert not form.problem.text()


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ("amount", "0", "budget is 0 tokens: expected more than 0"),
        ("seeds", "0-9999", "has 20,000 runs: expected at most 1,000"),
        ("seeds", "x", "expected distinct whole numbers"),
        ("name", "a/b", "expected up to 40 letters"),
    ],
)
def test_invalid_value_is_explained(
    field: str, typed: str, sentence: str, open_app: Callable[[], AppController], qtbot: QtBot
) -> None:
    """The button's tooltip gives the same message."""
    app_controller = open_app()
    form = page(app_controller).form
    qtbot.waitUntil(lambda: "4 runs" in form.plan.text(), timeout=SOON)
    getattr(form, field).setText(typed)

    qtbot.waitUntil(lambda: sentence in form.problem.text(), timeout=SOON)
    assert not form.start.isEnabled()
    assert sentence in form.start.toolTip() or sentence in form.problem.text()


def test_invalid_study_file_is_explained(
    open_app: Callable[[], AppController], qtbot: QtBot, tmp_path: Path
) -> None:
    """The message stays when schemes are offered that the file does not name."""
    app_controller = open_app()
    form = page(app_controller).form
    qtbot.waitUntil(form.start.isEnabled, timeout=SOON)
    file = tmp_path / "spiral.toml"
    file.write_text(study.load("smoke").text.replace('scheme = "relative"', 'scheme = "spiral"'))
    app_controller.studies.study_form.read(file, -1)

    sentence = "unknown positional scheme 'spiral': expected one of none, sinusoidal"
    qtbot.waitUntil(lambda: sentence in form.start.toolTip(), timeout=SOON)
    assert sentence in form.problem.text()
    assert not form.start.isEnabled()


def test_unchecked_form_cannot_be_started(
    open_app: Callable[[], AppController], qtbot: QtBot
) -> None:
    """The button is disabled from the first edit until the check has finished."""
    app_controller = open_app()
    form = page(app_controller).form
    qtbot.waitUntil(form.start.isEnabled, timeout=SOON)

    form.amount.setText("7")
    assert not form.start.isEnabled()
    assert form.start.toolTip() == WAIT_FOR_CHECK
    qtbot.waitUntil(form.start.isEnabled, timeout=SOON)


def test_everything_is_reached_by_keyboard(
    open_app: Callable[[], AppController], qtbot: QtBot
) -> None:
    """Tab reaches list, form and button."""
    app_controller = open_app()
    boxes = page(app_controller).form.arms.boxes
    qtbot.waitUntil(lambda: len(boxes) > 2 and boxes[-1].isVisible(), timeout=SOON)
    window = app_controller.window
    seen = set()
    for _ in range(80):
        QTest.keyClick(window, Qt.Key.Key_Tab)
        seen.add(window.focusWidget())
    form = page(app_controller).form
    entries = {form.templates, form.name, form.seeds, form.amount, form.samples, *form.arms.boxes}
    assert {
        page(app_controller).list.new,
        page(app_controller).list.list,
        form.start,
    } | entries <= seen
