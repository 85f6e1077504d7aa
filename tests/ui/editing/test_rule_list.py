"""The list of rule violations beside the sheet, and the keys that walk through it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.presentation.words.keys import with_keys
from musicrel.score.editing.selection import Selection
from musicrel.ui.actions.commands import Group
from musicrel.ui.app_controller import AppController
from musicrel.ui.controllers import rule_marks
from musicrel.ui.controllers.rule_marks import RuleList
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers.user_actions import FINE, WRONG, edit_by_hand
from tests.ui.user import User


@pytest.fixture
def panel(app: AppController) -> RuleList:
    app.document.show_piece(WRONG, action="opened")
    app.window.commands.rewriting.marks.setChecked(True)
    found = app.window.findChild(RuleList)
    assert isinstance(found, RuleList)
    return found


@pytest.fixture
def act(window: MainWindow) -> Group:
    return window.commands.rules


def rows(panel: RuleList) -> list[str]:
    return [panel.list.item(row).text() for row in range(panel.list.count())]


LONG = 257 * 16


# ---------------------------------------------------------------------- the list


def test_the_status_line_opens_the_list(panel: RuleList, window: MainWindow) -> None:
    status = window.compose_page.strip.status
    assert status.text() == "2 violations: parallel fifths 2"
    assert "Click for a list" in status.toolTip()
    QTest.mouseClick(status, Qt.MouseButton.LeftButton)
    assert panel.isVisible()
    assert window.commands.rules.list.isChecked()
    panel.close_button.click()
    assert not panel.isVisible()


def test_a_status_line_without_marks_is_no_link(app: AppController) -> None:
    app.document.show_piece(WRONG, action="opened")
    QTest.mouseClick(app.window.compose_page.strip.status, Qt.MouseButton.LeftButton)
    assert not app.window.commands.rules.list.isChecked()


def test_the_list_switches_the_marks_on(app: AppController, act: Group) -> None:
    app.document.show_piece(WRONG, action="opened")
    act.list.trigger()
    assert app.window.commands.rewriting.marks.isChecked()
    app.window.commands.rewriting.marks.trigger()
    assert not act.list.isChecked()


def test_a_row_selects_its_notes_and_tells_rule_source_and_bachs_rate(
    panel: RuleList, act: Group, app: AppController
) -> None:
    act.list.trigger()
    assert rows(panel) == ["Parallel fifths", "Parallel fifths"]
    assert panel.explanation.text() == with_keys(rule_marks.CHOOSE)
    panel.list.setCurrentRow(1)
    selection = Selection(voices=(0, 3), start=8, stop=32)
    assert app.document.selection == selection
    assert app.document.selection == selection
    assert app.window.compose_page.score.selection == selection
    assert panel.explanation.text().startswith("Two voices a fifth or twelfth apart")
    assert panel.source.text() == "Source: Fux, Gradus ad Parnassum (1725)"
    assert panel.bach.text() == "Bach: 0.64 per 1,000 notes"
    assert panel.list.item(1).toolTip().count("\n") == 4


def test_arrow_keys_walk_through_the_open_list(panel: RuleList, act: Group, user: User) -> None:
    act.list.trigger()
    assert panel.list.currentRow() == -1
    QTest.keyClick(panel.list, Qt.Key.Key_Down)
    assert user.state.startswith("Violation 1 of 2")
    QTest.keyClick(panel.list, Qt.Key.Key_Down)
    assert user.state.startswith("Violation 2 of 2")
    first = panel.list.visualItemRect(panel.list.item(0)).center()
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=first)
    assert user.state.startswith("Violation 1 of 2")


def test_key_waits_until_a_long_piece_is_checked(user: User, act: Group) -> None:
    document = user.document
    document.show_piece(Chorale.of([(72, 65, 62, 48), (74, 67, 64, 50)] * (LONG // 2)))
    user.act.marks.setChecked(False)
    document.select(None)
    act.next.trigger()
    assert user.state == rule_marks.CHECKING
    user.wait(lambda: document.selection is not None, timeout=30_000)
    assert user.state.startswith("Violation 1 of ")


def test_keys_go_from_one_violation_to_the_next(panel: RuleList, act: Group, user: User) -> None:
    act.next.trigger()
    assert user.state == ("Violation 1 of 2: Parallel fifths, Soprano and Bass, bar 1, beat 3")
    act.next.trigger()
    assert user.state.startswith("Violation 2 of 2")
    act.next.trigger()
    assert user.state.startswith("Violation 1 of 2")
    act.previous.trigger()
    assert user.state.startswith("Violation 2 of 2")
    user.document.select(Selection(voices=(1,), start=12, stop=13))
    act.previous.trigger()
    assert user.state.startswith("Violation 1 of 2")
    assert panel.list.currentRow() == 0


def test_the_roll_scrolls_to_the_violation(app: AppController, act: Group) -> None:
    long = Chorale.of([*[WRONG.pitches[0]] * 800, *WRONG.pitches], title="Air")
    app.document.show_piece(long, action="opened")
    roll = app.window.compose_page.roll
    roll.zoom(8)
    bar = roll.horizontalScrollBar()
    bar.triggerAction(bar.SliderAction.SliderToMinimum)
    assert 808 not in roll.seen.seen_steps
    act.next.trigger()
    assert 808 in roll.seen.seen_steps


def test_the_keys_switch_the_marks_on(app: AppController, act: Group) -> None:
    app.document.show_piece(FINE, action="opened")
    act.next.trigger()
    assert app.window.commands.rewriting.marks.isChecked()
    assert app.window.state == "No rule violations"


def test_the_list_stays_open_while_a_piece_is_generated(
    panel: RuleList, act: Group, user: User
) -> None:
    act.list.trigger()
    user.hold(8)
    assert (rows(panel), panel.detail.text()) == ([], "")
    assert panel.isVisible()
    assert act.next.toolTip().startswith("A piece is being generated")
    user.jobs.gate.set()
    user.wait(lambda: panel.detail.text() != "")
    assert rows(panel) != []


def test_the_list_follows_an_edit(panel: RuleList, act: Group, app: AppController) -> None:
    act.next.trigger()
    mended = Chorale.of([*WRONG.pitches[:16], *[WRONG.pitches[8]] * 16])
    edit_by_hand(app, mended)
    assert (rows(panel), panel.list.currentRow()) == (["Parallel fifths"], 0)
    edit_by_hand(app, FINE)
    assert (rows(panel), panel.detail.text()) == ([], "No rule violations")
    assert panel.explanation.text() == ""


@pytest.mark.usefixtures("app")
def test_without_a_piece_the_commands_say_why(act: Group) -> None:
    for action in (act.list, act.next, act.previous, act.rewrite):
        assert not action.isEnabled()
        assert action.toolTip() == (
            "There is no piece yet: generate or open one, or write notes (Ctrl+D)"
        )


# ---------------------------------------------------------------------- candidates


def wait(app: AppController, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not app.writer.busy)


def test_candidates_are_written_without_a_violation(
    panel: RuleList, act: Group, user: User
) -> None:
    act.list.trigger()
    assert panel.rewrite.toolTip().startswith("Select a note with a rule violation first")
    panel.list.setCurrentRow(0)
    panel.rewrite.click()
    wait(user.app, user.qtbot)
    ((_, _, builder),) = user.jobs.candidate_requests
    assert builder.form.rules == ("range", "parallels")
    assert (builder.count, builder.avoided) == (8, "parallel_fifths")
    assert builder.free.any(axis=0).tolist() == [False, True, True, True]
    assert user.document.form.rules == ("range",)
    page = user.page
    assert not panel.isVisible()
    assert page.candidates.detail.text().startswith(
        "8 candidates of Soprano and Bass, bar 1, beat 3, without “Parallel fifths”"
    )
    page.candidates.close_button.click()
    assert panel.isVisible()


def test_candidates_that_break_the_rule_are_marked_and_others_can_be_requested(
    panel: RuleList, act: Group, user: User
) -> None:
    act.next.trigger()
    act.rewrite.trigger()
    wait(user.app, user.qtbot)
    candidates = user.panel
    assert candidates.retry.isVisible()
    items = [candidates.table.item(row, 0) for row in range(candidates.table.rowCount())]
    broken = [item.text().endswith("✕") for item in items if item is not None]
    assert len(broken) == 9
    assert broken == sorted(broken)
    assert any(broken) == bool(candidates.remark.text() or candidates.note.text())
    candidates.retry.click()
    wait(user.app, user.qtbot)
    first, again = (builder for _, _, builder in user.jobs.candidate_requests)
    assert first.free.sum() < again.free.sum()
    assert again.free[:, 0].any()
    del panel


def test_a_violation_of_locked_notes_says_so(panel: RuleList, act: Group, user: User) -> None:
    for voice in range(4):
        user.app.locks.toggle_voice(voice)
    act.next.trigger()
    act.rewrite.trigger()
    assert "All notes around this violation are locked" in user.message
    assert user.jobs.candidate_requests == []
    del panel


def test_a_row_has_a_menu(panel: RuleList, act: Group) -> None:
    act.list.trigger()
    panel.list.customContextMenuRequested.emit(QPoint(5, 5))
    menu = next(menu for menu in panel.findChildren(QMenu) if menu.isVisible())
    assert menu.actions()[-2:] == [act.rewrite, act.list]
    assert menu.toolTipsVisible()
    menu.close()


def test_while_a_candidate_is_shown_its_violations_are_compared_with_the_piece(
    panel: RuleList, act: Group, user: User
) -> None:
    act.next.trigger()
    act.rewrite.trigger()
    wait(user.app, user.qtbot)
    assert user.document.shown is not user.document.piece
    assert not act.rewrite.isEnabled()
    assert act.rewrite.toolTip().startswith("A candidate is shown: accept it")
    text = user.strip.status.text()
    assert text.startswith(("New: ", "Fixed: "))
    del panel


def test_the_menu_of_a_marked_note_offers_candidates_without_its_violation(
    panel: RuleList, act: Group, app: AppController
) -> None:
    assert [act.rewrite, act.list] == app.edit.menu.actions()[-2:]
    app.document.select(Selection(voices=(3,), start=8, stop=16))
    assert act.rewrite.isEnabled()
    app.document.select(Selection(voices=(1,), start=8, stop=16))
    assert act.rewrite.toolTip().startswith("Select a note with a rule violation first")
    del panel
