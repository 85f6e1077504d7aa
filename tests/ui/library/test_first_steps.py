"""The offers on the empty sheet."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from musicrel import settings
from musicrel.ui.app_controller import AppController
from musicrel.ui.files import recent
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers.user_actions import generate, show_chords
from tests.ui.fakes import FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: hints


def click(app_controller: AppController, text: str) -> None:
    """Click the offer that begins with a text, by keyboard."""
    card = app_controller.library.first_steps.card
    button = next(one for one in card.buttons if one.text().startswith(text))
    button.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(button, Qt.Key.Key_Space)


def test_a_first_start_offers_three_things(
    app_controller: AppController, window: MainWindow
) -> None:
    """They replace the hint of the roll."""
    card = app_controller.library.first_steps.card

    assert card.isVisible()
    assert [button.text() for button in card.buttons] == [
        "Generate a chorale", "Write a melody and harmonise it", "Open a file (MIDI, MusicXML)"
    ]  # fmt: skip
    assert window.compose_page.roll.hint == ("", "")


def test_the_offers_end_with_the_first_piece(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """They do not come back with an empty document."""
    click(app_controller, "Generate")
    card = app_controller.library.first_steps.card
    assert not card.isVisible()
    qtbot.waitUntil(lambda: not app_controller.document.generating)
    assert settings.load().first_steps == "hidden"

    app_controller.projects.discard()
    app_controller.projects.new()

    assert not card.isVisible()
    assert not window.commands.library.offers.isChecked()


def test_a_melody_can_be_written_at_once(app_controller: AppController, window: MainWindow) -> None:
    """The hint of note input is shown in place of the offers, which come back after it."""
    card = app_controller.library.first_steps.card
    click(app_controller, "Write")

    assert window.commands.rewriting.draw.isChecked()
    assert not card.isVisible()
    assert window.compose_page.roll.hint[0] != ""
    window.commands.rewriting.draw.trigger()
    assert card.isVisible()
    assert window.compose_page.roll.hint == ("", "")


def test_a_file_can_be_opened(app_controller: AppController, window: MainWindow) -> None:
    """The dialog opens."""
    click(app_controller, "Open")

    dialogs = [one for one in window.findChildren(QFileDialog) if one.isVisible()]
    assert len(dialogs) == 1
    dialogs[0].reject()


def test_someone_who_has_opened_documents_is_not_asked(
    make_app: Callable[[], AppController], tmp_path: Path
) -> None:
    """The usual hint is shown."""
    recent.add(tmp_path / "hymn.musicrel")

    app_controller = make_app()

    assert not app_controller.library.first_steps.wanted
    assert app_controller.window.compose_page.roll.hint[0] != ""


def test_the_menu_brings_the_offers_back(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """On an empty sheet; over a piece they stay hidden."""
    card, toggle = app_controller.library.first_steps.card, window.commands.library.offers
    toggle.trigger()
    assert (card.isVisible(), settings.load().first_steps) == (False, "hidden")
    assert window.compose_page.roll.hint[0] != ""
    toggle.trigger()
    assert (card.isVisible(), settings.load().first_steps) == (True, "shown")

    generate(qtbot, window)
    toggle.trigger()

    assert not card.isVisible()


def test_nothing_is_offered_over_a_piece(app_controller: AppController) -> None:
    """However it came there."""
    show_chords(app_controller)

    assert not app_controller.library.first_steps.card.isVisible()


def test_the_offers_hide_while_notes_are_written(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """They follow the state of their commands."""
    jobs.hold_at = 4
    window.compose_page.controls.generate_button.click()
    assert not app_controller.library.first_steps.card.isVisible()
    jobs.gate.set()
    qtbot.waitUntil(lambda: not app_controller.document.generating)


def test_the_offers_need_an_empty_sheet(app_controller: AppController, window: MainWindow) -> None:
    """With a piece, the command is disabled with the reason."""
    offers = window.commands.library.offers
    assert offers.isEnabled()

    show_chords(app_controller)

    assert not offers.isEnabled()
    assert offers.toolTip().startswith("The sheet has a piece")


def test_the_offers_give_room_to_two_models(app_controller: AppController) -> None:
    """They need the whole height of the sheet."""
    card = app_controller.library.first_steps.card

    app_controller.twin.controller.compare_with("vanilla")
    assert not card.isVisible()

    app_controller.twin.controller.compare_with("")
    assert card.isVisible()
