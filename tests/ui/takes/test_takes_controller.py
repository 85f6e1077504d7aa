"""The strip of takes in the app: using, rating, naming, filtering, deleting."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu
from pytestqt.qtbot import QtBot

from musicrel import settings
from musicrel.presentation.compose.form import Form
from musicrel.ui.app_controller import AppController
from musicrel.ui.controllers import takes_controller
from musicrel.ui.document.document import GENERATING
from musicrel.ui.shell.main_window import MainWindow
from musicrel.ui.takes import takes_panel
from musicrel.ui.takes.takes_view import TakesView
from tests.ui.controllers.user_actions import generate, hold, stop
from tests.ui.fakes import FakeJobs
from tests.ui.takes.pieces import FIRST, REWRITTEN

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


def listed(view: TakesView) -> list[int]:
    """Return the numbers of the takes in the order of the strip."""
    rows = (view.takes.row_at(view.takes.index(n, 0)) for n in range(view.takes.rowCount()))
    return [row.number for row in rows if row is not None]


def test_without_takes_the_strip_says_what_it_is_for(
    app_controller: AppController, window: MainWindow
) -> None:
    """It takes one line; the commands give the reason why they are disabled."""
    panel, actions = window.takes, window.commands.takes

    assert panel.isVisible()
    assert panel.empty.text() == takes_panel.EMPTY
    assert panel.height() < 60
    assert {action.toolTip() for action in (actions.use, *actions.with_keys)} == {
        takes_controller.NO_TAKES
    }
    del app_controller


def test_every_generated_piece_is_a_take(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The newest comes first and is the current one."""
    generate(qtbot, window)
    generate(qtbot, window)
    view = window.takes.view
    qtbot.waitUntil(lambda: listed(view) == [2, 1])
    row = view.takes.row_at(view.takes.index(0, 0))

    assert row is not None
    assert (row.current, row.origin) == (True, "generated")
    assert window.takes.title.text() == "Takes  ·  2"
    assert app_controller.document.take is not None


def test_enter_brings_a_take_back_with_its_settings(
    app_controller: AppController, view: TakesView, qtbot: QtBot
) -> None:
    """Undo goes back; the current take cannot be used once more."""
    document = app_controller.document
    document.set_form(Form(model="full", bars=7, seed=3, candidates=4))
    view.select([1])
    QTest.keyClick(view, Qt.Key.Key_Return)

    assert document.piece is FIRST
    assert document.form.bars != 7
    assert document.form.candidates == 4
    assert document.take is not None
    assert document.take.number == 1
    qtbot.waitUntil(lambda: view.selected_rows[0].current)
    assert not app_controller.window.commands.takes.use.isEnabled()
    document.undo()
    assert document.piece is REWRITTEN


def test_the_selected_take_is_described(view: TakesView, window: MainWindow) -> None:
    """Several ones are counted."""
    view.select([2])
    assert window.takes.details.text() == "3 notes changed  ·  rewritten from “Air”"
    view.select([1, 2])
    assert window.takes.details.text() == "2 takes selected"
    assert window.commands.takes.use.toolTip() == takes_controller.ONLY_ONE
    view.select([])
    assert window.commands.takes.use.toolTip() == takes_controller.NOT_SELECTED


def test_digits_rate_the_selected_takes(
    app_controller: AppController, view: TakesView, qtbot: QtBot
) -> None:
    """A click on the last star of a rating takes it away."""
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    view.select([1, 2])
    QTest.keyClick(view, Qt.Key.Key_2)
    takes = app_controller.document.takes
    assert [take.rating for take in takes.all] == [2, 2]

    view.star_clicked.emit(1, 3)
    view.star_clicked.emit(2, 2)
    assert [take.rating for take in takes.all] == [3, 1]
    QTest.keyClick(view, Qt.Key.Key_0)
    assert [take.rating for take in takes.all] == [0, 0]


def test_f2_renames_a_take(app_controller: AppController, view: TakesView, qtbot: QtBot) -> None:
    """A name of another take gets a number."""
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    view.select([2])
    QTest.keyClick(view, Qt.Key.Key_F2)
    field = view.findChild(QLineEdit)
    assert field is not None
    field.setText("Air")
    takes, before = app_controller.document.takes, app_controller.document.undo_state
    with qtbot.waitSignal(takes.changed):
        QTest.keyClick(field, Qt.Key.Key_Return)
    QTest.keyClick(field, Qt.Key.Key_Return)  # a line edit passes it on to the view

    assert app_controller.document.undo_state is before
    assert [take.name for take in takes.all] == ["Air", "Air (2)"]


def test_filter_and_order_are_chosen(
    app_controller: AppController, view: TakesView, window: MainWindow
) -> None:
    """A filter without a match has a sentence."""
    panel = window.takes
    app_controller.document.takes.rate(1, 3)
    panel.order.setCurrentIndex(panel.order.findData("rating"))
    assert listed(view) == [1, 2]
    panel.filter.setCurrentIndex(panel.filter.findData("rewritten"))
    assert listed(view) == [2]
    assert panel.title.text() == "Takes  ·  1 of 2"
    panel.filter.setCurrentIndex(panel.filter.findData("continued"))
    window.resize(1100, 700)
    QApplication.processEvents()
    assert panel.empty.text() == takes_panel.NO_MATCH
    assert panel.empty.isVisible()
    assert not panel.empty.is_elided


def test_a_new_take_is_visible_under_any_filter(
    view: TakesView, window: MainWindow, qtbot: QtBot
) -> None:
    """A filter that it does not match is reset."""
    panel = window.takes
    panel.filter.setCurrentIndex(panel.filter.findData("rewritten"))
    generate(qtbot, window)
    qtbot.waitUntil(lambda: 3 in listed(view))

    assert panel.shown_filter == "all"


def test_takes_are_deleted_and_undo_brings_them_back(
    app_controller: AppController, view: TakesView, window: MainWindow, qtbot: QtBot
) -> None:
    """The current take stays, also if it is selected."""
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    view.select([1, 2])
    QTest.keyClick(view, Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: listed(view) == [2])
    assert window.state.startswith("1 take deleted")
    view.select([2])
    assert window.commands.takes.delete.toolTip() == takes_controller.STAYS

    app_controller.document.undo()
    qtbot.waitUntil(lambda: listed(view) == [2, 1])


def test_the_strip_is_hidden_and_shown_by_a_command(
    app_controller: AppController, view: TakesView, window: MainWindow
) -> None:
    """This is remembered; other pages have no strip."""
    panel = window.takes
    panel.close_button.click()
    assert panel.isHidden()
    assert settings.load().takes == takes_controller.HIDDEN
    window.pages.open("attention")
    window.commands.takes.show.trigger()
    assert window.pages.current == "compose"
    assert panel.isVisible()
    assert settings.load().takes == takes_controller.SHOWN
    window.pages.open("attention")
    assert panel.isHidden()
    del app_controller, view


def test_a_low_window_has_room_for_takes_or_mixer(view: TakesView, window: MainWindow) -> None:
    """Showing one hides the other; a larger window has room for both again."""
    mixer, takes = window.commands.play.mixer, window.commands.takes.show
    assert (mixer.isChecked(), takes.isChecked()) == (True, True)
    window.resize(1100, 700)
    QApplication.processEvents()
    assert (mixer.isChecked(), takes.isChecked()) == (False, True)
    assert view.cards.low
    mixer.trigger()
    assert (mixer.isChecked(), takes.isChecked()) == (True, False)
    mixer.trigger()
    assert (mixer.isChecked(), takes.isChecked()) == (False, True)
    mixer.trigger()
    takes.trigger()
    assert (mixer.isChecked(), takes.isChecked()) == (False, True)
    window.resize(1320, 840)
    QApplication.processEvents()
    assert (mixer.isChecked(), takes.isChecked()) == (True, True)


def test_no_take_is_used_while_a_piece_is_generated(
    view: TakesView, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The tooltips give the reason."""
    view.select([1])
    hold(qtbot, window, jobs, 8)
    qtbot.waitUntil(lambda: window.commands.takes.use.toolTip() == GENERATING)
    assert window.commands.takes.delete.toolTip() == GENERATING
    stop(qtbot, window, jobs)
    qtbot.waitUntil(window.commands.takes.use.isEnabled)


def test_the_context_menu_has_all_commands_with_reasons(
    view: TakesView, window: MainWindow
) -> None:
    """A new piece has no change to play."""
    view.select([1])
    view.customContextMenuRequested.emit(view.rect().center())
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    actions = window.commands.takes
    assert {actions.use, *actions.with_keys} <= set(menu.actions())
    assert menu.toolTipsVisible()
    assert window.commands.takes.play_change.toolTip() == takes_controller.IS_NEW
    menu.close()


def test_the_take_of_an_edited_piece_can_be_used_again(
    app_controller: AppController, view: TakesView, window: MainWindow, qtbot: QtBot
) -> None:
    """It brings back the notes before the edit."""
    document = app_controller.document
    document.show_piece(FIRST.cropped(0, 32))
    view.select([2])
    qtbot.waitUntil(window.commands.takes.use.isEnabled)
    window.commands.takes.use.trigger()

    assert document.piece is REWRITTEN


def test_no_take_is_deleted_while_candidates_of_a_new_piece_are_open(
    app_controller: AppController, view: TakesView, window: MainWindow, qtbot: QtBot
) -> None:
    """There is no piece whose Undo would bring it back."""
    window.compose_page.controls.compose_form.candidates.setValue(2)
    app_controller.compose.generate()
    qtbot.waitUntil(lambda: app_controller.candidates.chosen != 0)
    view.select([1])

    assert window.commands.takes.delete.toolTip() == takes_controller.CHOOSING
    app_controller.candidates.dismiss()
    assert window.commands.takes.delete.isEnabled()
