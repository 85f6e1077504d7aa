"""The app on its experiment page; no process of a study outlives its test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from pytestqt.qtbot import QtBot

from musicrel.experiment.runs import folder_lock
from musicrel.experiment.study import study_folder
from musicrel.playback.player import Player
from musicrel.presentation.compose import models
from musicrel.settings import Settings
from musicrel.ui.app_controller import AppController
from musicrel.ui.experiment.study_jobs import StudyService
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.sound import ManualOutput
from tests.ui.conftest import CHOICES
from tests.ui.experiment.study_app import FAKE
from tests.ui.fakes import FakeJobs


@pytest.fixture(autouse=True)
def no_process_is_left(home: Path) -> Iterator[None]:
    del home
    yield
    for folder in study_folder.known_folders():
        pid = folder_lock.writer(folder)
        if pid is not None:
            with suppress(psutil.NoSuchProcess):  # it has ended by itself meanwhile
                psutil.Process(pid).kill()


@pytest.fixture
def open_app(
    jobs: FakeJobs, home: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> Iterator[Callable[[], AppController]]:
    del home
    monkeypatch.setattr(models, "installed", lambda: (CHOICES, ()))
    controllers: list[AppController] = []

    def opened() -> AppController:
        window = MainWindow()
        qtbot.addWidget(window)
        app = AppController(
            window, jobs, settings=Settings(theme="light"),
            player=Player(ManualOutput(), threaded=False), study_service=StudyService(program=FAKE),
        )  # fmt: skip
        with qtbot.waitExposed(window):
            window.show()
        window.may_close = lambda: True  # the tests of projects ask
        controllers.append(app)
        window.pages.open("experiment")
        return app

    yield opened
    for app in controllers:
        app.window.close()


@pytest.fixture
def app(open_app: Callable[[], AppController]) -> AppController:
    return open_app()
