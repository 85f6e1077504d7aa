"""The strip of takes in the app: using, rating, naming, filtering, deleting."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu

from musicrel import settings
from musicrel.chorale import Chorale, Provenance
from musicrel.generation.request import GenerationRequest
from musicrel.presentation.compose.form import Form
from musicrel.presentation.words.keys import with_keys
from musicrel.ui.actions.commands import Group
from musicrel.ui.app_controller import AppController
from musicrel.ui.controllers import takes_controller
from musicrel.ui.document.document import GENERATING
from musicrel.ui.shell.main_window import MainWindow
from musicrel.ui.takes import takes_view
from musicrel.ui.takes.takes_view import TakesView
from tests.helpers.sound import ManualOutput
from tests.ui.takes.conftest import FIRST, REWRITTEN
from tests.ui.user import User

HERE = {"device": "cpu", "kernel": "compiled", "precision": "single"}
ELSEWHERE = HERE | {"kernel": "torch"}
SENTENCE = "Hymn was made with kernel torch (here compiled): its seed may give other notes here"


def listed(view: TakesView) -> list[int]:
    rows = (view.takes.row_at(view.takes.index(n, 0)) for n in range(view.takes.rowCount()))
    return [row.number for row in rows if row is not None]


def commands_of(actions: Group) -> set[QAction]:
    """Return the commands that need a selected take."""
    return {*actions.all} - {actions.show, actions.end}


def test_without_takes_the_strip_says_what_it_is_for(app: AppController) -> None:
    panel, actions = app.window.takes, app.window.commands.takes

    assert panel.isVisible()
    assert panel.empty.text() == takes_view.EMPTY
    assert panel.height() < 60
    assert {action.toolTip() for action in commands_of(actions)} == {takes_controller.NO_TAKES}


def test_every_generated_piece_is_a_take(user: User) -> None:
    user.generate()
    user.generate()
    view = user.window.takes.view
    user.wait(lambda: listed(view) == [2, 1])
    row = view.takes.row_at(view.takes.index(0, 0))

    assert row is not None
    assert (row.current, row.origin) == (True, "generated")
    assert user.window.takes.heading.text() == "Takes  ·  2"
    assert user.document.take is not None


def test_enter_brings_a_take_back_with_its_settings(user: User, view: TakesView) -> None:
    document = user.document
    document.set_form(Form(model="full", bars=7, seed=3, candidates=4))
    view.select([1])
    QTest.keyClick(view, Qt.Key.Key_Return)

    assert document.piece is FIRST
    assert document.form.bars != 7
    assert document.form.candidates == 4
    assert document.take is not None
    assert document.take.number == 1
    user.wait(lambda: view.selected_rows[0].current)
    assert not user.commands.takes.use.isEnabled()
    document.undo()
    assert document.piece is REWRITTEN


def test_the_selected_take_is_described(view: TakesView, window: MainWindow) -> None:
    view.select([2])
    assert window.takes.details.text() == "3 notes changed  ·  rewritten from “Air”"
    view.select([1, 2])
    assert window.takes.details.text() == "2 takes selected"
    assert window.commands.takes.use.toolTip() == takes_controller.ONLY_ONE
    view.select([])
    assert window.commands.takes.use.toolTip() == with_keys(takes_controller.NOT_SELECTED)


def test_digits_rate_the_selected_takes(user: User, view: TakesView) -> None:
    view.setFocus()
    user.wait(view.hasFocus)
    view.select([1, 2])
    QTest.keyClick(view, Qt.Key.Key_2)
    takes = user.document.takes
    assert [take.rating for take in takes.all] == [2, 2]

    view.star_clicked.emit(1, 3)
    view.star_clicked.emit(2, 2)
    assert [take.rating for take in takes.all] == [3, 1]
    QTest.keyClick(view, Qt.Key.Key_0)
    assert [take.rating for take in takes.all] == [0, 0]


def test_f2_renames_a_take(user: User, view: TakesView) -> None:
    view.setFocus()
    user.wait(view.hasFocus)
    view.select([2])
    QTest.keyClick(view, Qt.Key.Key_F2)
    field = view.findChild(QLineEdit)
    assert field is not None
    field.setText("Air")
    view.rename()  # goes on where it is: Qt would warn
    takes, before = user.document.takes, user.document.undo_state
    with user.qtbot.waitSignal(takes.changed):
        QTest.keyClick(field, Qt.Key.Key_Return)
    QTest.keyClick(field, Qt.Key.Key_Return)  # a line edit passes it on to the view

    assert user.document.undo_state is before
    assert [take.name for take in takes.all] == ["Air", "Air, no. 2"]


def test_filter_and_order_are_chosen(app: AppController, view: TakesView) -> None:
    panel = app.window.takes
    app.document.takes.rate(1, 3)
    panel.order.setCurrentIndex(panel.order.findData("rating"))
    assert listed(view) == [1, 2]
    panel.filter.setCurrentIndex(panel.filter.findData("rewritten"))
    assert listed(view) == [2]
    assert panel.heading.text() == "Takes  ·  1 of 2"
    panel.filter.setCurrentIndex(panel.filter.findData("continued"))
    app.window.resize(1100, 700)
    QApplication.processEvents()
    assert panel.empty.text() == takes_view.NO_MATCH
    assert panel.empty.isVisible()
    assert not panel.empty.is_elided


def test_a_new_take_is_visible_under_any_filter(view: TakesView, user: User) -> None:
    panel = user.window.takes
    panel.filter.setCurrentIndex(panel.filter.findData("rewritten"))
    user.generate()
    user.wait(lambda: 3 in listed(view))

    assert panel.filter.currentData() == "all"


def test_takes_are_deleted_and_undo_brings_them_back(user: User, view: TakesView) -> None:
    view.setFocus()
    user.wait(view.hasFocus)
    view.select([1, 2])
    QTest.keyClick(view, Qt.Key.Key_Delete)
    user.wait(lambda: listed(view) == [2])
    assert user.state.startswith("1 take deleted")
    view.select([2])
    assert user.commands.takes.delete.toolTip() == takes_controller.STAYS

    user.document.undo()
    user.wait(lambda: listed(view) == [2, 1])


def test_the_strip_is_hidden_and_shown_by_a_command(app: AppController, view: TakesView) -> None:
    """A line with their number stays, which opens it."""
    panel = app.window.takes
    panel.heading.click()
    assert (panel.isVisible(), view.isVisible()) == (True, False)
    assert panel.heading.text() == "Takes  ·  2"
    assert settings.load().cards == takes_controller.HIDDEN
    app.window.pages.open("attention")
    app.window.commands.takes.show.trigger()
    assert app.window.pages.current == "compose"
    assert view.isVisible()
    assert settings.load().cards == takes_controller.SHOWN
    app.window.pages.open("attention")
    assert panel.isHidden()


def test_takes_and_mixer_are_closed_until_they_are_opened(app: AppController) -> None:
    actions = app.window.commands
    assert (actions.takes.show.isChecked(), actions.play.mixer.isChecked()) == (False, False)
    actions.play.mixer.trigger()
    assert settings.load().mixer == "shown"
    assert settings.load().cards == takes_controller.HIDDEN


def test_a_low_window_has_room_for_takes_or_mixer(view: TakesView, window: MainWindow) -> None:
    mixer, takes = window.commands.play.mixer, window.commands.takes.show
    mixer.trigger()
    assert (mixer.isChecked(), takes.isChecked()) == (True, True)
    window.resize(1100, 700)
    QApplication.processEvents()
    assert (mixer.isChecked(), takes.isChecked()) == (False, True)
    assert view.cards.low
    mixer.trigger()
    assert (mixer.isChecked(), takes.isChecked()) == (True, False)
    takes.trigger()
    assert (mixer.isChecked(), takes.isChecked()) == (False, True)
    window.resize(1320, 840)
    QApplication.processEvents()
    mixer.trigger()
    assert (mixer.isChecked(), takes.isChecked()) == (True, True)


def test_no_take_is_used_while_a_piece_is_generated(view: TakesView, user: User) -> None:
    view.select([1])
    user.hold(8)
    user.wait(lambda: user.commands.takes.use.toolTip() == GENERATING)
    assert user.commands.takes.delete.toolTip() == GENERATING
    user.stop()
    user.wait(user.commands.takes.use.isEnabled)


def test_the_context_menu_has_all_commands_with_reasons(view: TakesView, user: User) -> None:
    view.select([1])
    view.customContextMenuRequested.emit(view.rect().center())
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    actions = user.commands.takes
    assert commands_of(actions) <= set(menu.actions())
    assert menu.toolTipsVisible()
    assert user.commands.takes.play_change.toolTip() == takes_controller.IS_NEW
    menu.close()


def test_the_take_of_an_edited_piece_can_be_used_again(user: User, view: TakesView) -> None:
    document = user.document
    document.show_piece(FIRST.cropped(0, 32))
    view.select([2])
    user.wait(user.commands.takes.use.isEnabled)
    user.commands.takes.use.trigger()

    assert document.piece is REWRITTEN


def test_no_take_is_deleted_while_candidates_of_a_new_piece_are_open(
    user: User, view: TakesView
) -> None:
    """There is no piece whose Undo would bring it back."""
    user.form.candidates.setValue(2)
    user.app.writing.generate()
    user.wait(lambda: user.writer.chosen != 0)
    view.select([1])

    assert user.commands.takes.delete.toolTip() == takes_controller.CHOOSING
    user.writing.dismiss()
    assert user.commands.takes.delete.isEnabled()


def made_with(machine: dict[str, str], model: str = "full") -> Chorale:
    provenance = Provenance(model=model, sha256="0", seed=5, machine=machine)
    piece = Chorale.of(np.full((16, 4), [72, 67, 64, 48]), title="Hymn")
    return replace(piece, provenance=provenance)


def use(app: AppController, window: MainWindow, piece: Chorale) -> None:
    app.document.show_piece(piece, action="generated")
    app.document.show_piece(Chorale.of([(74, 67, 62, 50)] * 16), action="opened")
    app.takes.show_takes()
    window.takes.view.select([1])
    window.commands.takes.use.trigger()


def test_a_take_from_another_machine_names_the_difference(user: User) -> None:
    """Its model is loaded, because it writes next."""
    user.jobs.machine = HERE
    before = len(user.jobs.load_requests)

    use(user.app, user.window, made_with(ELSEWHERE, model="plain"))

    user.wait(lambda: user.state == SENTENCE)
    assert user.jobs.load_requests[before:] == [("plain", "auto")]


def test_a_take_from_this_machine_says_nothing(user: User) -> None:
    user.jobs.machine = HERE

    states: list[str] = []
    user.app.messages.state_changed.connect(states.append)

    use(user.app, user.window, made_with(HERE))
    user.wait(lambda: not user.app.machine_difference.job.busy)

    assert states
    assert not any("was made with" in sentence for sentence in states)


def test_a_model_that_is_not_installed_is_not_loaded(user: User) -> None:
    before = len(user.jobs.load_requests)

    use(user.app, user.window, made_with(ELSEWHERE, model="gone"))

    assert not user.app.machine_difference.job.busy
    assert len(user.jobs.load_requests) == before


def test_a_take_with_settings_beside_the_form_names_them(app: AppController) -> None:
    settings = GenerationRequest(top_k=5, tempo=76).to_json()
    provenance = Provenance(model="full", sha256="0", seed=5, settings=settings, machine=ELSEWHERE)

    use(app, app.window, replace(made_with(HERE), provenance=provenance))

    expected = "Hymn was made with top-k 5, not in the form: its seed gives other notes"
    assert app.window.state == expected


def test_the_change_is_looped_and_the_loop_of_the_user_comes_back(
    user: User, view: TakesView
) -> None:
    document, player = user.document, user.app.player
    document.use_take(1)
    user.app.playback.drag_loop(4.0, 8.0)
    player.seek(6.0)
    before = player.loop
    view.select([2])
    user.commands.takes.play_change.trigger()

    assert (document.shown, document.piece, player.playing) == (REWRITTEN, FIRST, True)
    assert [player.loop, user.page.roll.loop] == [(20, 36)] * 2
    QTest.keyClick(user.window, Qt.Key.Key_Space)
    user.wait(lambda: document.shown is FIRST)
    assert [player.loop, user.page.roll.loop] == [before] * 2
    assert (player.position, player.playing) == (6.0, False)


def test_a_take_is_played_from_its_beginning(app: AppController, view: TakesView) -> None:
    document, player = app.document, app.player
    player.seek(10.0)
    view.select([1])
    app.window.commands.takes.play.trigger()
    assert (document.shown, player.position, player.loop) == (FIRST, 0.0, None)
    assert app.window.state == "Playing “Air”: end it (Esc)"
    app.window.commands.takes.play.trigger()
    assert (document.shown, player.position) == (REWRITTEN, 10.0)
    assert app.window.state == takes_controller.ENDED


def test_letters_of_the_strip_play(user: User, view: TakesView) -> None:
    player = user.app.player
    view.setFocus()
    user.wait(view.hasFocus)
    view.select([2])
    QTest.keyClick(view, Qt.Key.Key_P)
    assert (player.playing, player.loop) == (True, None)
    QTest.keyClick(view, Qt.Key.Key_P)
    QTest.keyClick(view, Qt.Key.Key_C)
    assert (player.playing, player.loop) == (True, (20, 36))
    QTest.keyClick(view, Qt.Key.Key_C)
    assert not player.playing


def test_another_take_can_be_used_while_one_is_played(app: AppController, view: TakesView) -> None:
    document = app.document
    view.select([1])
    app.window.commands.takes.play.trigger()
    assert app.window.commands.takes.use.isEnabled()
    app.window.commands.takes.use.trigger()

    assert document.piece is FIRST is document.shown
    assert not app.player.playing


def test_the_end_of_the_take_ends_the_playback(
    user: User, view: TakesView, output: ManualOutput
) -> None:
    player = user.app.player
    view.select([1])
    user.commands.takes.play.trigger()

    def play_on() -> bool:
        player.work()
        output.advance(1.0)
        return not player.playing

    user.wait(play_on)
    user.wait(lambda: user.document.shown is REWRITTEN)


def test_escape_ends_the_playback(app: AppController, view: TakesView) -> None:
    view.select([1])
    app.window.commands.takes.play.trigger()
    assert app.window.commands.takes.end.isEnabled()
    QTest.keyClick(app.window, Qt.Key.Key_Escape)
    assert app.document.shown is REWRITTEN
    assert app.window.commands.takes.end.toolTip() == takes_controller.NOT_PLAYING

    app.window.compose_page.controls.compose_form.candidates.setValue(2)
    app.window.compose_page.strip.rewrite.click()
    app.window.commands.takes.play.trigger()
    QTest.keyClick(app.window, Qt.Key.Key_Escape)
    assert app.document.shown is REWRITTEN


@pytest.mark.parametrize("change", ["undo", "generate", "hide", "close"])
def test_a_change_of_the_piece_ends_the_playback(change: str, user: User, view: TakesView) -> None:
    view.select([1])
    user.commands.takes.play.trigger()
    match change:
        case "undo":
            user.document.undo()
        case "generate":
            user.app.writing.generate()
        case "hide":
            user.window.takes.heading.click()
        case _:
            user.window.close()

    assert not user.app.player.playing


def test_an_unchanged_take_has_no_change_to_play(user: User, view: TakesView) -> None:
    user.document.takes.add(REWRITTEN, user.document.form, "rewritten", parent=2)
    user.wait(lambda: view.takes.rowCount() == 3)
    view.select([3])

    assert user.commands.takes.play_change.toolTip() == takes_controller.UNCHANGED
