"""The app in the states that the tests of several controllers start from."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from musicrel.playback.player import Player
from musicrel.ui.actions.rewrite_commands import RewriteCommands
from musicrel.ui.app_controller import AppController
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.conftest import BOTH_SIDES, CHOICES


@pytest.fixture
def both(app_controller: AppController, window: MainWindow) -> AppController:
    """Return the app with a third model selected, which sees both sides."""
    window.compose_page.controls.compose_form.set_models([*CHOICES, BOTH_SIDES], "both")
    window.compose_page.controls.compose_form.changed.emit()
    return app_controller


@pytest.fixture
def act(app_controller: AppController, window: MainWindow, qtbot: QtBot) -> RewriteCommands:
    """Return the commands, with a piece of two bars."""
    app_controller.compose.generate()
    qtbot.waitUntil(
        lambda: app_controller.document.piece is not None and not app_controller.document.generating
    )
    return window.commands.rewriting


@pytest.fixture
def player(app_controller: AppController, window: MainWindow) -> Player:
    """Return the player of the app."""
    window.resize(1320, 840)
    return app_controller.player
