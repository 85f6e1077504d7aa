"""The app with a piece of each of two models."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from musicrel.ui.actions.twin_commands import TwinCommands
from musicrel.ui.app_controller import AppController
from musicrel.ui.shell.main_window import MainWindow
from musicrel.ui.twin.twin import Twin
from tests.ui.fakes import FakeJobs

FIFTH = 7


@pytest.fixture
def act(window: MainWindow) -> TwinCommands:
    """Return the commands."""
    return window.commands.twin


@pytest.fixture
def twin(app_controller: AppController, jobs: FakeJobs) -> Twin:
    """Return the comparison with the model "plain", whose pieces are a fifth higher."""
    jobs.raised["plain"] = FIFTH
    app_controller.twin.controller.compare_with("plain")
    return app_controller.twin


@pytest.fixture
def written(twin: Twin, app_controller: AppController, qtbot: QtBot) -> Twin:
    """Return the comparison of two pieces of two bars."""
    app_controller.compose.generate()
    qtbot.waitUntil(lambda: not app_controller.document.generating)
    qtbot.waitUntil(lambda: bool(twin.view.surprisal.text()))
    return twin
