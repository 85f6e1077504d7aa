"""Rules of a request, and the marks of their violations."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.settings import MARKS_AFTER_EDIT, MARKS_HIDDEN, MARKS_SHOWN, Settings
from musicrel.ui.actions.rewrite_commands import RewriteCommands
from musicrel.ui.app_controller import AppController
from musicrel.ui.controllers import rule_marks
from musicrel.ui.controllers.rule_marks import RuleMarks
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.editing.rule_list import RuleList
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers.user_actions import FINE, WRONG, edit_by_hand, rewrite

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


def test_rule_marks_are_shown_with_their_description(
    act: RewriteCommands, app_controller: AppController, window: MainWindow
) -> None:
    """It gives the rate of Bach's chorales; the summary has it, too."""
    fifths = Chorale.of([(67, 64, 55, 48)] * 8 + [(69, 65, 55, 50)] * 8)
    app_controller.document.show_piece(fifths)
    act.marks.setChecked(True)

    roll = window.compose_page.roll
    assert roll.picture is not None
    note = next(one for one in roll.picture.notes if one.start == 8 and one.voice == 0)
    assert "Parallel fifths: Soprano and Bass" in roll.describe(note)
    assert "Bach: 0.64 per 1,000 notes" in roll.describe(note)
    assert "parallel fifths" in window.compose_page.strip.status.text()
    assert "Bach 0.64\n" in window.compose_page.strip.status.toolTip()
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
    qtbot.waitUntil(lambda: app_controller.rule_marks.rates is not None)

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


# ---------------------------------------------------------------------- marks and edits


def test_the_first_edit_by_hand_switches_the_marks_on(
    app_controller: AppController, window: MainWindow
) -> None:
    """The status line names what it broke, and then what the next one fixed."""
    app_controller.document.show_piece(FINE, action="opened")
    assert not window.commands.rewriting.marks.isChecked()
    edit_by_hand(app_controller, WRONG)
    assert window.commands.rewriting.marks.isChecked()
    assert window.compose_page.strip.status.text().startswith(
        "New: parallel fifths, Soprano and Bass, bar 1, beat 3; parallel fifths, Soprano and Bass"
    )
    edit_by_hand(app_controller, FINE)
    assert window.compose_page.strip.status.text().startswith("Fixed: parallel fifths, Soprano")
    assert window.compose_page.strip.status.text().endswith("No rule violations")
    assert app_controller.preferences.settings.marks == MARKS_AFTER_EDIT


def test_undo_and_redo_say_what_they_change(
    app_controller: AppController, window: MainWindow
) -> None:
    """A lock changes nothing."""
    app_controller.document.show_piece(FINE, action="opened")
    edit_by_hand(app_controller, WRONG)
    status = window.compose_page.strip.status
    app_controller.document.undo()
    assert status.text().startswith("Fixed: ")
    app_controller.document.redo()
    assert status.text().startswith("New: ")
    app_controller.locks.toggle_voice(0)
    assert status.text().startswith("New: ")


def test_marks_switched_off_by_the_user_stay_off(
    app_controller: AppController, window: MainWindow
) -> None:
    """In the next session, too."""
    marks = window.commands.rewriting.marks
    app_controller.document.show_piece(FINE, action="opened")
    marks.trigger()
    assert app_controller.preferences.settings.marks == MARKS_SHOWN
    marks.trigger()
    edit_by_hand(app_controller, WRONG)
    assert not marks.isChecked()
    assert app_controller.preferences.settings.marks == MARKS_HIDDEN


@pytest.mark.parametrize("setting", [MARKS_AFTER_EDIT, MARKS_SHOWN, MARKS_HIDDEN])
def test_a_session_starts_with_the_marks_of_the_last_one(
    window: MainWindow, home: Path, setting: str
) -> None:
    """They are on if the user switched them on."""
    del home
    page, action = window.compose_page, QAction("Marks", window, checkable=True)
    preferences = Preferences(Settings(marks=setting))
    views = (page.roll, page.score)
    RuleMarks(Document(window), Messages(window), preferences, views=views, action=action)
    assert action.isChecked() == (setting == MARKS_SHOWN)


def test_an_edited_piece_is_checked_against_the_ranges_of_the_form(
    act: RewriteCommands, app_controller: AppController, window: MainWindow
) -> None:
    """They are the ones that the roll draws, and another preset checks the piece again."""
    document, marks = app_controller.document, app_controller.rule_marks
    document.set_form(replace(document.form, ranges="choir", rules=("range",)))
    act.marks.trigger()
    high = Chorale.of([(81, 74, 69, 62)] * 16)
    document.show_piece(high)

    def out_of_range() -> int:
        return 0 if marks.rates is None else marks.rates.counts["range"]

    assert out_of_range() == 1
    document.set_form(replace(document.form, ranges="full"))
    assert out_of_range() == 0
    document.set_form(replace(document.form, ranges="choir", rules=()))
    assert out_of_range() == 0
    document.set_form(replace(document.form, ranges="choir", rules=("range",)))
    assert out_of_range() == 1
    del window


def test_table_list_and_status_line_count_alike(
    act: RewriteCommands, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """A crossing of five sixteenths is one violation, and the line has the number once."""
    page = window.compose_page
    crossed = Chorale.of([(60, 67, 48, 50)] * 5 + [(72, 67, 55, 48)] * 3 + [(74, 69, 57, 50)] * 8)
    app_controller.document.show_piece(crossed)
    act.marks.setChecked(True)
    rewrite(app_controller, window, qtbot, count=3)
    table, listed = page.candidates.table, window.findChild(RuleList)
    assert listed is not None

    for row in range(table.rowCount()):
        table.selectRow(row)
        shown, cell = app_controller.rule_marks, table.item(row, 2)
        assert shown.rates is not None
        assert cell is not None
        assert cell.text() == str(shown.rates.total) == str(listed.list.count())
        assert page.strip.status.text().count("violation") == 1
        assert f"{cell.text()} violation" in page.strip.status.text()


def test_another_piece_is_not_compared(app_controller: AppController, window: MainWindow) -> None:
    """Nothing was broken by an edit."""
    app_controller.document.show_piece(FINE, action="opened")
    window.commands.rules.list.trigger()
    contents = app_controller.document.contents({})
    app_controller.document.set_aside()
    app_controller.document.show_piece(WRONG, action="generated")
    assert window.compose_page.strip.status.text() == "2 violations: parallel fifths 2"
    app_controller.document.restore(contents, saved=True)
    assert window.compose_page.strip.status.text() == "No rule violations"


def test_marks_of_a_long_piece_stay_until_it_is_checked_again(
    *,
    app_controller: AppController,
    window: MainWindow,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    """A worker checks it; the marks do not flicker."""
    app_controller.document.show_piece(WRONG, action="opened")
    window.commands.rules.list.trigger()
    monkeypatch.setattr(rule_marks, "AT_ONCE", 1)
    shown = window.compose_page.score.marks
    edit_by_hand(app_controller, FINE)
    assert window.compose_page.score.marks == shown
    assert len(shown) == 2
    qtbot.waitUntil(lambda: window.compose_page.score.marks == ())
    assert window.compose_page.strip.status.text().startswith("Fixed: parallel fifths")
