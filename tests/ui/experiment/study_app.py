"""The experiment page of the app with a fake process, and studies to start."""

from __future__ import annotations

import sys
from pathlib import Path

from pytestqt.qtbot import QtBot

from musicrel.experiment.study import definition, study, study_folder
from musicrel.ui.app_controller import AppController
from musicrel.ui.experiment.experiment_page import ExperimentPage
from tests.ui import fake_study

FAKE = (sys.executable, str(Path(fake_study.__file__)))
SOON = 120_000
"""Milliseconds after which a process that was started must have come so far."""


def page(app_controller: AppController) -> ExperimentPage:
    """Return the experiment page."""
    return app_controller.window.experiment


def state(app_controller: AppController) -> str:
    """Return the state of the shown study."""
    now = app_controller.studies.now
    return now.state if now is not None else ""


def column(app_controller: AppController, place: int) -> list[str]:
    """Return the texts of a column of the table of runs."""
    table = page(app_controller).study.runs.table
    items = [table.item(row, place) for row in range(table.rowCount())]
    return [item.text() for item in items if item is not None]


def waiting(name: str = "smoke") -> Path:
    """Create a study in the user's folder that was not started."""
    folder = study_folder.unused_folder(name)
    definition.create(folder, study.load("smoke"))
    return folder


def begin(app_controller: AppController, qtbot: QtBot, folder: Path) -> None:
    """Start a study and wait until it runs."""
    app_controller.studies.choose(folder)
    qtbot.waitUntil(lambda: state(app_controller) == "queued", timeout=SOON)
    app_controller.studies.do("start")
    qtbot.waitUntil(lambda: state(app_controller) == "running", timeout=SOON)
