"""The app in the states that the tests of several controllers start from."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from musicrel.playback.player import Player
from musicrel.ui.actions.commands import Group
from musicrel.ui.app_controller import AppController
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.conftest import BOTH_SIDES, CHOICES
from tests.ui.controllers import user_actions
from tests.ui.user import User


@pytest.fixture
def both(user: User) -> User:
    """Return the app with an infilling model, which is chosen for both tasks."""
    user.form.set_models([*CHOICES, BOTH_SIDES], "both")
    user.form.changed.emit()
    return user


@pytest.fixture
def written(user: User) -> User:
    """Return the app with a piece that was generated."""
    user.generate()
    return user


@pytest.fixture
def act(app: AppController, window: MainWindow, qtbot: QtBot) -> Group:
    app.writing.generate()
    user_actions.wait_for_the_end(qtbot, window)
    return window.commands.rewriting


@pytest.fixture
def player(app: AppController, window: MainWindow) -> Player:
    window.resize(1320, 840)
    return app.player
