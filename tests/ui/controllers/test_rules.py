"""Rules of a request, and the marks of their violations."""

from __future__ import annotations

from dataclasses import replace

import pytest

from musicrel.chorale import Chorale
from musicrel.playback.player import Player
from musicrel.settings import MARKS_AFTER_EDIT, MARKS_HIDDEN, MARKS_SHOWN, Settings
from musicrel.ui.actions.commands import Group
from musicrel.ui.app_controller import AppController
from musicrel.ui.controllers import rule_marks
from musicrel.ui.controllers.rule_marks import RuleList, RuleMarks
from musicrel.ui.document.document import Document
from musicrel.ui.document.messages import Messages
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.jobs.generation_service import ModelCache
from musicrel.ui.shell.main_window import MainWindow, Services
from tests.helpers.sound import ManualOutput
from tests.ui.controllers.user_actions import FINE, WRONG, edit_by_hand
from tests.ui.user import User


def test_rule_marks_are_shown_with_their_description(act: Group, app: AppController) -> None:
    fifths = Chorale.of([(67, 64, 55, 48)] * 8 + [(69, 65, 55, 50)] * 8)
    app.document.show_piece(fifths)
    act.marks.setChecked(True)

    roll = app.window.compose_page.roll
    assert roll.picture is not None
    note = next(one for one in roll.picture.notes if one.start == 8 and one.voice == 0)
    assert "Parallel fifths: Soprano and Bass" in roll.describe(note)
    assert "Bach: 0.64 per 1,000 notes" in roll.describe(note)
    assert "parallel fifths" in app.window.compose_page.strip.status.text()
    assert "Bach 0.64\n" in app.window.compose_page.strip.status.toolTip()
    assert roll.layers.decor.marked
    assert app.window.compose_page.score.marks
    act.marks.trigger()
    assert not app.window.compose_page.score.marks
    assert not roll.layers.decor.marked
    assert app.window.compose_page.strip.status.text() == ""


def test_rule_marks_follow_the_shown_candidate(act: Group, user: User) -> None:
    act.marks.trigger()
    user.rewrite()
    user.wait(lambda: user.app.rule_marks.found is not None)

    assert user.app.playback.piece is user.document.shown
    assert user.document.shown is not user.document.piece


def test_rules_are_saved(app: AppController) -> None:
    compose_form = app.window.compose_page.controls.compose_form
    compose_form.rules.boxes["parallels"].setChecked(True)
    assert app.preferences.settings.rules == "range,parallels"
    compose_form.set_form(replace(compose_form.form(), rules=("rests",)))
    assert compose_form.rules.value() == ("rests",)
    assert app.preferences.settings.rules == "range,parallels"


def test_scale_rule_needs_a_key(app: AppController) -> None:
    compose_form = app.window.compose_page.controls.compose_form
    compose_form.rules.boxes["scale"].setChecked(True)
    assert "needs to know the key" in compose_form.problem.text()
    compose_form.model.setCurrentIndex(1)
    assert not compose_form.rules.boxes["scale"].isEnabled()
    assert compose_form.rules.boxes["scale"].toolTip().startswith("The rule needs a key")
    assert "scale" not in compose_form.form().rules


# ---------------------------------------------------------------------- marks and edits


def test_the_first_edit_by_hand_switches_the_marks_on(app: AppController) -> None:
    app.document.show_piece(FINE, action="opened")
    assert not app.window.commands.rewriting.marks.isChecked()
    edit_by_hand(app, WRONG)
    assert app.window.commands.rewriting.marks.isChecked()
    assert app.window.compose_page.strip.status.text().startswith(
        "New: parallel fifths, Soprano and Bass, bar 1, beat 3; parallel fifths, Soprano and Bass"
    )
    edit_by_hand(app, FINE)
    assert app.window.compose_page.strip.status.text().startswith("Fixed: parallel fifths, Soprano")
    assert app.window.compose_page.strip.status.text().endswith("No rule violations")
    assert app.preferences.settings.marks == MARKS_AFTER_EDIT


def test_undo_claims_no_change_of_the_rules_and_redo_says_it_again(app: AppController) -> None:
    app.document.show_piece(FINE, action="opened")
    edit_by_hand(app, WRONG)
    status = app.window.compose_page.strip.status
    app.document.undo()
    assert status.text() == "No rule violations"
    app.document.redo()
    assert status.text().startswith("New: ")
    app.locks.toggle_voice(0)
    assert status.text().startswith("New: ")


def test_marks_switched_off_by_the_user_stay_off(app: AppController) -> None:
    marks = app.window.commands.rewriting.marks
    app.document.show_piece(FINE, action="opened")
    marks.trigger()
    assert app.preferences.settings.marks == MARKS_SHOWN
    marks.trigger()
    edit_by_hand(app, WRONG)
    assert not marks.isChecked()
    assert app.preferences.settings.marks == MARKS_HIDDEN


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("setting", [MARKS_AFTER_EDIT, MARKS_SHOWN, MARKS_HIDDEN])
def test_a_session_starts_with_the_marks_of_the_last_one(window: MainWindow, setting: str) -> None:
    services = Services(
        window=window,
        page=window.compose_page,
        commands=window.commands,
        document=Document(window),
        messages=Messages(window),
        preferences=Preferences(Settings(marks=setting)),
        models=ModelCache(),
        player=Player(ManualOutput()),
    )
    RuleMarks(services)
    assert window.commands.rewriting.marks.isChecked() == (setting == MARKS_SHOWN)


def test_an_edited_piece_is_checked_against_the_ranges_of_the_form(act: Group, user: User) -> None:
    document, marks = user.document, user.app.rule_marks
    document.set_form(replace(document.form, ranges="choir", rules=("range",)))
    act.marks.trigger()
    high = Chorale.of([(81, 74, 69, 62)] * 16)
    document.show_piece(high)

    def out_of_range() -> int:
        return 0 if marks.found is None else marks.found.rates.counts["range"]

    assert out_of_range() == 1
    document.set_form(replace(document.form, ranges="full"))
    assert out_of_range() == 0
    document.set_form(replace(document.form, ranges="choir", rules=()))
    assert out_of_range() == 0
    document.set_form(replace(document.form, ranges="choir", rules=("range",)))
    assert out_of_range() == 1


def test_table_list_and_status_line_count_alike(act: Group, user: User) -> None:
    page = user.page
    crossed = Chorale.of([(60, 67, 48, 50)] * 5 + [(72, 67, 55, 48)] * 3 + [(74, 69, 57, 50)] * 8)
    user.document.show_piece(crossed)
    act.marks.setChecked(True)
    user.rewrite(count=3)
    table, listed = page.candidates.table, user.window.findChild(RuleList)
    assert listed is not None

    for row in range(table.rowCount()):
        table.selectRow(row)
        shown, cell = user.app.rule_marks, table.item(row, 2)
        assert shown.found is not None
        assert cell is not None
        assert cell.text() == str(shown.found.rates.total) == str(listed.list.count())
        assert page.strip.status.text().count("violation") == 1
        assert f"{cell.text()} violation" in page.strip.status.text()


def test_another_piece_is_not_compared(app: AppController) -> None:
    app.document.show_piece(FINE, action="opened")
    app.window.commands.rules.list.trigger()
    contents = app.document.contents({})
    app.document.set_aside()
    app.document.show_piece(WRONG, action="generated")
    assert app.window.compose_page.strip.status.text() == "2 violations: parallel fifths 2"
    app.document.restore(contents, saved=True)
    assert app.window.compose_page.strip.status.text() == "No rule violations"


def test_marks_of_a_long_piece_stay_until_it_is_checked_again(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    user.document.show_piece(WRONG, action="opened")
    user.commands.rules.list.trigger()
    monkeypatch.setattr(rule_marks, "AT_ONCE", 1)
    shown = user.page.score.marks
    edit_by_hand(user.app, FINE)
    assert user.page.score.marks == shown
    assert len(shown) == 2
    user.wait(lambda: user.page.score.marks == ())
    assert user.strip.status.text().startswith("Fixed: parallel fifths")
