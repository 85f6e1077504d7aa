"""Windows that are opened, closed and killed one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from musicrel.playback.player import Player
from musicrel.presentation.compose import models
from musicrel.project.project_file import ProjectFile
from musicrel.settings import Settings
from musicrel.ui.app_controller import AppController
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.projects import full_contents, plain
from tests.helpers.sound import ManualOutput
from tests.ui.conftest import CHOICES
from tests.ui.controllers.user_actions import generate
from tests.ui.fakes import FakeJobs

OpenWindow = Callable[[], AppController]


@pytest.fixture
def open_window(
    jobs: FakeJobs, home: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> Iterator[OpenWindow]:
    """Yield a function that opens a window; close all at the end without a question."""
    del home
    monkeypatch.setattr(models, "installed", lambda: (CHOICES, ()))
    opened: list[AppController] = []

    def open_one() -> AppController:
        window = MainWindow()
        qtbot.addWidget(window)
        app = AppController(
            window, jobs, settings=Settings(theme="light"),
            player=Player(ManualOutput(), threaded=False),
        )  # fmt: skip
        window.compose_page.controls.compose_form.bars.setValue(2)
        window.compose_page.controls.compose_form.seed.set_value(7)
        with qtbot.waitExposed(window):
            window.show()
        qtbot.waitUntil(lambda: window.model_status.startswith("full"))
        opened.append(app)
        return app

    yield open_one
    for app in opened:
        jobs.gate.set()
        kill(app)


@pytest.fixture
def app(open_window: OpenWindow) -> AppController:
    return open_window()


@pytest.fixture
def project(app: AppController, qtbot: QtBot, tmp_path: Path) -> Path:
    generate(qtbot, app.window)
    app.projects.save_as(tmp_path / "hymn.musicrel")
    return tmp_path / "hymn.musicrel"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Write a project with everything that a document keeps."""
    ProjectFile.create(tmp_path / "full.musicrel", full_contents()).close()
    return tmp_path / "full.musicrel"


def kill(app: AppController) -> None:
    """End a window as a logout does: its files stay, its locks are free."""
    app.window.may_close = lambda: True
    app.window.close()


def contents_of(path: Path) -> dict[str, Any]:
    return plain(ProjectFile.open(path, read_only=True).read())


def choose(app: AppController, path: Path | None) -> str:
    """Choose a file in the open dialog, or cancel it; return the proposed path."""
    (dialog,) = [each for each in app.window.findChildren(QFileDialog) if each.isVisible()]
    proposed = dialog.selectedFiles()[0] if dialog.selectedFiles() else ""
    if path is not None:
        dialog.fileSelected.emit(str(path))
    dialog.close()
    return proposed


def title(app: AppController) -> str:
    mark = "*" if app.window.isWindowModified() else ""
    return app.window.windowTitle().replace("[*]", mark)


def lock_all(app: AppController) -> None:
    piece = app.document.piece
    assert piece is not None
    app.document.set_locks(np.ones((piece.steps, 4), dtype=bool))


def message(app: AppController) -> str:
    return app.window.compose_page.banner.message
