"""The list of rule violations beside the sheet, and the keys that walk through it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.editing.selection import Selection
from musicrel.ui.actions.rule_commands import RuleCommands
from musicrel.ui.app_controller import AppController
from musicrel.ui.editing import rule_list, rule_list_controller
from musicrel.ui.editing.rule_list import RuleList
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers.user_actions import FINE, WRONG, edit_by_hand, hold
from tests.ui.fakes import FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


@pytest.fixture
def panel(app_controller: AppController, window: MainWindow) -> RuleList:
    """Return the list of a piece with two violations."""
    app_controller.document.show_piece(WRONG, action="opened")
    window.commands.rewriting.marks.setChecked(True)
    found = window.findChild(RuleList)
    assert isinstance(found, RuleList)
    return found


@pytest.fixture
def act(window: MainWindow) -> RuleCommands:
    """Return the commands."""
    return window.commands.rules


def rows(panel: RuleList) -> list[str]:
    """Return the titles of the rows."""
    return [panel.list.item(row).text() for row in range(panel.list.count())]


LONG = 257 * 16


# ---------------------------------------------------------------------- the list


def test_the_status_line_opens_the_list(panel: RuleList, window: MainWindow) -> None:
    """Its close button closes it."""
    status = window.compose_page.strip.status
    assert status.text() == "2 violations: parallel fifths 2"
    assert "Click for a list" in status.toolTip()
    QTest.mouseClick(status, Qt.MouseButton.LeftButton)
    assert panel.isVisible()
    assert window.commands.rules.list.isChecked()
    panel.close_button.click()
    assert not panel.isVisible()


def test_a_status_line_without_marks_is_no_link(
    app_controller: AppController, window: MainWindow
) -> None:
    """A click does nothing."""
    app_controller.document.show_piece(WRONG, action="opened")
    QTest.mouseClick(window.compose_page.strip.status, Qt.MouseButton.LeftButton)
    assert not window.commands.rules.list.isChecked()


def test_the_list_switches_the_marks_on(
    app_controller: AppController, window: MainWindow, act: RuleCommands
) -> None:
    """Without marks, it closes."""
    app_controller.document.show_piece(WRONG, action="opened")
    act.list.trigger()
    assert window.commands.rewriting.marks.isChecked()
    window.commands.rewriting.marks.trigger()
    assert not act.list.isChecked()


def test_a_row_selects_its_notes_and_tells_rule_source_and_bachs_rate(
    panel: RuleList, act: RuleCommands, app_controller: AppController, window: MainWindow
) -> None:
    """Roll and score show the selection; the sheet scrolls there."""
    act.list.trigger()
    assert rows(panel) == ["Parallel fifths", "Parallel fifths"]
    assert panel.explanation.text() == rule_list.CHOOSE
    panel.list.setCurrentRow(1)
    selection = Selection(voices=(0, 3), start=8, stop=32)
    assert app_controller.document.selection == selection
    assert window.compose_page.selecting.selection == selection
    assert window.compose_page.score.selection == selection
    assert panel.explanation.text().startswith("Two voices a fifth or twelfth apart")
    assert panel.source.text() == "Source: Fux, Gradus ad Parnassum (1725)"
    assert panel.bach.text() == "Bach: 0.64 per 1,000 notes"
    assert panel.list.item(1).toolTip().count("\n") == 4


def test_arrow_keys_walk_through_the_open_list(
    panel: RuleList, act: RuleCommands, window: MainWindow
) -> None:
    """From the first row; a click selects as well."""
    act.list.trigger()
    assert panel.list.currentRow() == -1
    QTest.keyClick(panel.list, Qt.Key.Key_Down)
    assert window.state.startswith("Violation 1 of 2")
    QTest.keyClick(panel.list, Qt.Key.Key_Down)
    assert window.state.startswith("Violation 2 of 2")
    first = panel.list.visualItemRect(panel.list.item(0)).center()
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=first)
    assert window.state.startswith("Violation 1 of 2")


def test_key_waits_until_a_long_piece_is_checked(
    app_controller: AppController, window: MainWindow, act: RuleCommands, qtbot: QtBot
) -> None:
    """A worker checks it; then the first violation is selected."""
    document = app_controller.document
    document.show_piece(Chorale.of([(72, 65, 62, 48), (74, 67, 64, 50)] * (LONG // 2)))
    window.commands.rewriting.marks.setChecked(False)
    document.select(None)
    act.next.trigger()
    assert window.state == rule_list_controller.CHECKING
    qtbot.waitUntil(lambda: document.selection is not None, timeout=30_000)
    assert window.state.startswith("Violation 1 of ")


def test_keys_go_from_one_violation_to_the_next(
    panel: RuleList, act: RuleCommands, app_controller: AppController, window: MainWindow
) -> None:
    """Around the ends, and on from a selection elsewhere."""
    act.next.trigger()
    assert window.state == ("Violation 1 of 2: Parallel fifths, Soprano and Bass, bar 1, beat 3")
    act.next.trigger()
    assert window.state.startswith("Violation 2 of 2")
    act.next.trigger()
    assert window.state.startswith("Violation 1 of 2")
    act.previous.trigger()
    assert window.state.startswith("Violation 2 of 2")
    app_controller.document.select(Selection(voices=(1,), start=12, stop=13))
    act.previous.trigger()
    assert window.state.startswith("Violation 1 of 2")
    assert panel.list.currentRow() == 0


def test_the_roll_scrolls_to_the_violation(
    app_controller: AppController, window: MainWindow, act: RuleCommands
) -> None:
    """Even if the user has scrolled away."""
    long = Chorale.of([*[WRONG.pitches[0]] * 800, *WRONG.pitches], title="Air")
    app_controller.document.show_piece(long, action="opened")
    roll = window.compose_page.roll
    roll.zoom(8)
    bar = roll.horizontalScrollBar()
    bar.triggerAction(bar.SliderAction.SliderToMinimum)
    assert 808 not in roll.seen.seen_steps
    act.next.trigger()
    assert 808 in roll.seen.seen_steps


def test_the_keys_switch_the_marks_on(
    app_controller: AppController, window: MainWindow, act: RuleCommands
) -> None:
    """A piece without violations has a message."""
    app_controller.document.show_piece(FINE, action="opened")
    act.next.trigger()
    assert window.commands.rewriting.marks.isChecked()
    assert window.state == "No rule violations"


def test_the_list_stays_open_while_a_piece_is_generated(
    panel: RuleList, act: RuleCommands, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """It is empty then."""
    act.list.trigger()
    hold(qtbot, window, jobs, 8)
    assert (rows(panel), panel.detail.text()) == ([], "")
    assert panel.isVisible()
    assert act.next.toolTip().startswith("A piece is being generated")
    jobs.gate.set()
    qtbot.waitUntil(lambda: panel.detail.text() != "")
    assert rows(panel) != []


def test_the_list_follows_an_edit(
    panel: RuleList, act: RuleCommands, app_controller: AppController
) -> None:
    """The selected violation stays selected while it is there."""
    act.next.trigger()
    mended = Chorale.of([*WRONG.pitches[:16], *[WRONG.pitches[8]] * 16])
    edit_by_hand(app_controller, mended)
    assert (rows(panel), panel.list.currentRow()) == (["Parallel fifths"], 0)
    edit_by_hand(app_controller, FINE)
    assert (rows(panel), panel.detail.text()) == ([], "No rule violations")
    assert panel.explanation.text() == ""


def test_without_a_piece_the_commands_say_why(
    app_controller: AppController, act: RuleCommands
) -> None:
    """There is nothing to check."""
    del app_controller
    for action in (act.list, act.next, act.previous, act.rewrite):
        assert not action.isEnabled()
        assert action.toolTip() == (
            "There is no piece yet: generate or open one, or write notes (Ctrl+D)"
        )


# ---------------------------------------------------------------------- candidates


def wait(app_controller: AppController, qtbot: QtBot) -> None:
    """Wait until the candidates are finished."""
    qtbot.waitUntil(lambda: not app_controller.candidates.busy)


def test_candidates_are_written_without_a_violation(
    *, panel: RuleList, act: RuleCommands, app_controller: AppController, window: MainWindow,
    jobs: FakeJobs, qtbot: QtBot,
) -> None:  # fmt: skip
    """The melody stays, the rule is on for this request, and the list makes room."""
    act.list.trigger()
    assert panel.rewrite.toolTip().startswith("Select a note with a rule violation first")
    panel.list.setCurrentRow(0)
    panel.rewrite.click()
    wait(app_controller, qtbot)
    ((_, _, builder),) = jobs.candidate_requests
    assert builder.form.rules == ("range", "parallels")
    assert (builder.count, builder.avoided) == (8, "parallel_fifths")
    assert builder.free.any(axis=0).tolist() == [False, True, True, True]
    assert app_controller.document.form.rules == ("range",)
    page = window.compose_page
    assert not panel.isVisible()
    assert page.candidates.detail.text().startswith(
        "8 candidates of Soprano and Bass, bar 1, beat 3, without “Parallel fifths”"
    )
    page.candidates.close_button.click()
    assert panel.isVisible()


def test_candidates_that_break_the_rule_are_marked_and_others_can_be_requested(
    *, panel: RuleList, act: RuleCommands, app_controller: AppController, window: MainWindow,
    jobs: FakeJobs, qtbot: QtBot,
) -> None:  # fmt: skip
    """The second request frees the melody and has another seed."""
    act.next.trigger()
    act.rewrite.trigger()
    wait(app_controller, qtbot)
    candidates = window.compose_page.candidates
    assert candidates.retry.isVisible()
    items = [candidates.table.item(row, 0) for row in range(candidates.table.rowCount())]
    broken = [item.text().endswith("✕") for item in items if item is not None]
    assert len(broken) == 9
    assert broken == sorted(broken)
    assert any(broken) == bool(candidates.remark.text() or candidates.note.text())
    candidates.retry.click()
    wait(app_controller, qtbot)
    first, again = (builder for _, _, builder in jobs.candidate_requests)
    assert first.free.sum() < again.free.sum()
    assert again.free[:, 0].any()
    del panel


def test_usual_candidates_offer_no_second_try(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """There is no rule to avoid."""
    app_controller.document.show_piece(WRONG, action="opened")
    window.compose_page.controls.compose_form.candidates.setValue(2)
    app_controller.rewrite.rewrite()
    wait(app_controller, qtbot)
    assert not window.compose_page.candidates.retry.isVisible()


def test_a_violation_of_locked_notes_says_so(
    panel: RuleList, act: RuleCommands, app_controller: AppController, window: MainWindow,
    jobs: FakeJobs,
) -> None:  # fmt: skip
    """Nothing is requested."""
    for voice in range(4):
        app_controller.locks.toggle_voice(voice)
    act.next.trigger()
    act.rewrite.trigger()
    assert "All notes around this violation are locked" in window.compose_page.banner.message
    assert jobs.candidate_requests == []
    del panel


def test_a_row_has_a_menu(panel: RuleList, act: RuleCommands, window: MainWindow) -> None:
    """It writes candidates, too."""
    act.list.trigger()
    panel.list.customContextMenuRequested.emit(QPoint(5, 5))
    menu = next(menu for menu in panel.findChildren(QMenu) if menu.isVisible())
    assert menu.actions()[-2:] == [act.rewrite, act.list]
    assert menu.toolTipsVisible()
    menu.close()
    del window


def test_while_a_candidate_is_shown_its_violations_are_compared_with_the_piece(
    panel: RuleList, act: RuleCommands, app_controller: AppController, window: MainWindow,
    qtbot: QtBot,
) -> None:  # fmt: skip
    """Nothing can be rewritten then."""
    act.next.trigger()
    act.rewrite.trigger()
    wait(app_controller, qtbot)
    assert app_controller.document.shown is not app_controller.document.piece
    assert not act.rewrite.isEnabled()
    assert act.rewrite.toolTip().startswith("A candidate is shown: accept it")
    text = window.compose_page.strip.status.text()
    assert text.startswith(("New: ", "Fixed: "))
    del panel


def test_the_menu_of_a_marked_note_offers_candidates_without_its_violation(
    panel: RuleList, act: RuleCommands, app_controller: AppController
) -> None:
    """For other notes its tooltip gives the reason why not."""
    assert [act.rewrite, act.list] == app_controller.editing.commands.menu.actions()[-2:]
    app_controller.document.select(Selection(voices=(3,), start=8, stop=16))
    assert act.rewrite.isEnabled()
    app_controller.document.select(Selection(voices=(1,), start=8, stop=16))
    assert act.rewrite.toolTip().startswith("Select a note with a rule violation first")
    del panel
