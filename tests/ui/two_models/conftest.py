"""The app with a piece of each of two models."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from musicrel.ui.actions.commands import Group
from musicrel.ui.app_controller import AppController
from musicrel.ui.shell.main_window import MainWindow
from musicrel.ui.two_models.two_models import TwoModels
from tests.ui.fakes import FakeJobs

FIFTH = 7


@pytest.fixture
def act(window: MainWindow) -> Group:
    return window.commands.two_models


@pytest.fixture
def two_models(app: AppController, jobs: FakeJobs) -> TwoModels:
    jobs.raised["plain"] = FIFTH
    app.two_models.compare_with("plain")
    return app.two_models


@pytest.fixture
def written(two_models: TwoModels, app: AppController, qtbot: QtBot) -> TwoModels:
    app.writing.generate()
    qtbot.waitUntil(lambda: not app.document.generating)
    qtbot.waitUntil(lambda: bool(two_models.view.surprisal.text()))
    return two_models
