"""The app with a piece of each of two models."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from musicrel.ui.actions.commands import Group
from musicrel.ui.app_controller import AppController
from musicrel.ui.shell.main_window import MainWindow
from musicrel.ui.two_models.two_models import TwoModels
from tests.ui.controllers import user_actions
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
    user_actions.wait_for_the_end(qtbot, app.window)
    qtbot.waitUntil(lambda: "nats" in two_models.view.pieces[0].toolTip())
    qtbot.waitUntil(lambda: bool(two_models.view.pieces[0].text()))
    return two_models
