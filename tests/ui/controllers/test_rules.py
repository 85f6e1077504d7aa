"""Rules of a request, and the marks of their violations."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.ui.actions.rewrite_commands import RewriteCommands
from musicrel.ui.app_controller import AppController
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers.user_actions import rewrite

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


def test_rule_marks_are_shown_with_their_description(
    act: RewriteCommands, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """It gives the rate of Bach's chorales; the summary has a table."""
    fifths = Chorale.of([(67, 64, 55, 48)] * 8 + [(69, 65, 55, 50)] * 8)
    app_controller.document.show_piece(fifths)
    act.marks.trigger()
    qtbot.waitUntil(lambda: app_controller.rule_marks.counts is not None)

    roll = window.compose_page.roll
    assert roll.picture is not None
    note = next(one for one in roll.picture.notes if one.start == 8 and one.voice == 0)
    assert "Parallel fifths: Soprano and Bass" in roll.describe(note)
    assert "Bach: 0.64 per 1,000 notes" in roll.describe(note)
    assert "Parallel" in window.compose_page.strip.status.text()
    assert "<table>" in window.compose_page.strip.status.toolTip()
    assert roll.decor.marked.notes
    assert window.compose_page.score.marks
    act.marks.trigger()
    assert not window.compose_page.score.marks
    assert not roll.decor.marked.notes
    assert window.compose_page.strip.status.text() == ""


def test_rule_marks_follow_the_shown_candidate(
    act: RewriteCommands, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The marks of the original are not shown with it."""
    act.marks.trigger()
    rewrite(app_controller, window, qtbot)
    qtbot.waitUntil(lambda: app_controller.rule_marks.counts is not None)

    assert app_controller.playback.piece is app_controller.document.shown
    assert app_controller.document.shown is not app_controller.document.piece


def test_rules_are_saved(app_controller: AppController, window: MainWindow) -> None:
    """The rules of an opened piece are shown, but not saved."""
    compose_form = window.compose_page.controls.compose_form
    compose_form.rules.boxes["parallels"].setChecked(True)
    assert app_controller.preferences.settings.rules == "range,parallels"
    compose_form.set_form(replace(compose_form.form(), rules=("rests",)))
    assert compose_form.rules.value() == ("rests",)
    assert app_controller.preferences.settings.rules == "range,parallels"


def test_scale_rule_needs_a_key(app_controller: AppController, window: MainWindow) -> None:
    """A model without key conditioning disables it; others require a key in the form."""
    compose_form = window.compose_page.controls.compose_form
    compose_form.rules.boxes["scale"].setChecked(True)
    assert "needs to know the key" in compose_form.problem.text()
    compose_form.model.setCurrentIndex(1)
    assert not compose_form.rules.boxes["scale"].isEnabled()
    assert compose_form.rules.boxes["scale"].toolTip().startswith("The rule needs a key")
    assert "scale" not in compose_form.form().rules
    del app_controller
