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


def page(app: AppController) -> ExperimentPage:
    return app.window.experiment


def state(app: AppController) -> str:
    now = app.studies.now
    return now.state if now is not None else ""


def column(app: AppController, place: int) -> list[str]:
    table = page(app).study.runs.table
    items = [table.item(row, place) for row in range(table.rowCount())]
    return [item.text() for item in items if item is not None]


def choose_template(app: AppController, title: str) -> None:
    templates = page(app).form.templates
    (card,) = (
        card for card in templates.boxes if card.text().startswith((f"{title}\n", f"{title}:"))
    )
    templates.chosen.emit(templates.boxes.index(card))


def waiting(name: str = "smoke") -> Path:
    folder = study_folder.unused_folder(name)
    definition.create(folder, study.load("smoke"))
    return folder


def begin(app: AppController, qtbot: QtBot, folder: Path) -> None:
    app.studies.choose(folder)
    qtbot.waitUntil(lambda: state(app) == "queued", timeout=SOON)
    app.studies.do("start")
    qtbot.waitUntil(lambda: state(app) == "running", timeout=SOON)
