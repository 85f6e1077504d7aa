"""Test of a study in the app that is paused, killed and restarted."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from pytestqt.qtbot import QtBot

from musicrel.experiment.runs import folder_lock
from musicrel.experiment.study import definition, study, study_folder
from musicrel.playback.player import Player
from musicrel.settings import Settings
from musicrel.ui.app_controller import AppController
from musicrel.ui.experiment.study_jobs import StudyService
from musicrel.ui.jobs.generation_service import ModelCache
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.music import tiny_data
from tests.helpers.sound import ManualOutput

pytestmark = pytest.mark.timeout(280)

TIMEOUT = 120_000
TINY = """
name = "tiny"
seeds = [0]
[budget]
steps = {steps}
[model]
width = 32
layers = 2
heads = 2
feedforward = 64
[data]
source = "{source}"
window = 64
[training]
batch = 2
warmup_steps = 10
evaluate_every = 50
checkpoint_every = 10
[[arms]]
name = "vanilla"
scheme = "sinusoidal"
[[arms]]
name = "relative"
scheme = "relative"
options = {{ max_distance = 32, shared = false }}
"""


@pytest.fixture
def open_app(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> Iterator[Callable[[], AppController]]:
    """Return a function that opens the app; its processes end with the test."""
    monkeypatch.setenv("MUSICREL_HOME", str(tmp_path / "home"))
    opened: list[AppController] = []

    def open_window() -> AppController:
        window, model_cache = MainWindow(), ModelCache()
        qtbot.addWidget(window)
        app_controller = AppController(
            window, model_cache, settings=Settings(), player=Player(ManualOutput(), threaded=False),
            study_service=StudyService(device=lambda: "cpu"),
        )  # fmt: skip
        opened.append(app_controller)
        with qtbot.waitExposed(window):
            window.show()
        window.pages.open("experiment")
        return app_controller

    yield open_window
    for app_controller in opened:
        app_controller.projects.discard()
        app_controller.window.close()
    for folder in (tmp_path / "home/runs").rglob("writer.lock"):
        pid = folder_lock.writer(folder.parent)
        if pid is not None:
            psutil.Process(pid).kill()


def state(app_controller: AppController) -> str:
    now = app_controller.studies.now
    return now.state if now is not None else ""


def steps(app_controller: AppController) -> int:
    now = app_controller.studies.now
    return sum(run.step for run in now.runs) if now is not None else 0


def start_and_pause(app_controller: AppController, folder: Path, qtbot: QtBot) -> None:
    app_controller.studies.choose(folder)
    qtbot.waitUntil(lambda: state(app_controller) == "queued", timeout=TIMEOUT)
    app_controller.studies.do("start")
    qtbot.waitUntil(
        lambda: state(app_controller) == "running" and steps(app_controller) > 20, timeout=TIMEOUT
    )
    app_controller.studies.do("pause")
    qtbot.waitUntil(lambda: state(app_controller) == "paused", timeout=TIMEOUT)
    at = steps(app_controller)
    app_controller.studies.do("resume")
    qtbot.waitUntil(lambda: steps(app_controller) > at, timeout=TIMEOUT)


def kill(folder: Path) -> None:
    for place in (folder, *(folder / "runs").iterdir()):
        pid = folder_lock.writer(place)
        if pid is not None:
            os.kill(pid, signal.SIGKILL)


def resume(app_controller: AppController, qtbot: QtBot) -> None:
    studies_seen = app_controller.window.experiment.list.list
    qtbot.waitUntil(lambda: studies_seen.count() == 1, timeout=TIMEOUT)
    studies_seen.setCurrentRow(0)
    qtbot.waitUntil(
        lambda: state(app_controller) == "crashed" and steps(app_controller) > 0, timeout=TIMEOUT
    )
    app_controller.studies.do("start")
    qtbot.waitUntil(lambda: state(app_controller) == "finished", timeout=TIMEOUT)


def uninterrupted(file: Path, folder: Path) -> dict[str, Any]:
    words = ["compare", "--study", str(file), "--out", str(folder), "--device", "cpu"]
    subprocess.run([sys.executable, "-m", "musicrel", *words], check=True, timeout=200)
    return figures(folder)


def figures(folder: Path) -> dict[str, Any]:
    found = json.loads((folder / "results.json").read_text())
    losses = [(run["arm"], run["valid"], run["test"]) for run in found["runs"]]
    return {"verdict": found["verdict"], "losses": losses}


def test_a_paused_killed_and_restarted_study_equals_an_uninterrupted_one(
    open_app: Callable[[], AppController], qtbot: QtBot, tmp_path: Path
) -> None:
    text = TINY.format(source=tiny_data(tmp_path / "tiny.json"), steps=240)
    (tmp_path / "tiny.toml").write_text(text)
    folder = study_folder.unused_folder("tiny")
    definition.create(folder, study.parse(text, "tiny"))

    app_controller = open_app()
    start_and_pause(app_controller, folder, qtbot)
    kill(folder)
    qtbot.waitUntil(lambda: state(app_controller) == "crashed", timeout=TIMEOUT)
    app_controller.projects.discard()
    app_controller.window.close()
    again = open_app()
    resume(again, qtbot)

    expected = uninterrupted(tmp_path / "tiny.toml", tmp_path / "uninterrupted")
    assert figures(folder) == expected
    verdict = again.window.experiment.study.verdict.accessibleName()
    plain = verdict.translate({0xA0: " ", 0x0A: " ", 0x2212: "-"})  # line breaks, minus signs
    assert plain.startswith("The study works. Too few seeds (1) to say which is better")
    assert expected["verdict"]["sentence"].rpartition(": ")[2].lower() in plain.lower()
