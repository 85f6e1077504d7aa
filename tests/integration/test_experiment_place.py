"""A real study in the app, with a pause, a death and a restart in it, and what it finds at last."""

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
from musicrel.experiment.study import results, study, study_folder
from musicrel.playback.player import Player
from musicrel.settings import Settings
from musicrel.ui.app_controller import House
from musicrel.ui.experiment.study_jobs import Desk
from musicrel.ui.jobs.generation_service import ModelShelf
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.music import tiny_data
from tests.helpers.sound import ManualOutput

pytestmark = [pytest.mark.slow, pytest.mark.timeout(280)]

PATIENCE = 120_000
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
def house_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> Iterator[Callable[[], House]]:
    """Opens the app; whatever it has started ends with the test."""
    monkeypatch.setenv("MUSICREL_HOME", str(tmp_path / "home"))
    houses: list[House] = []

    def opened() -> House:
        window, shelf = MainWindow(), ModelShelf()
        qtbot.addWidget(window)
        house = House(
            window, shelf.compose, shelf.warm_up, read=shelf.read, propose=shelf.propose,
            settings=Settings(), player=Player(ManualOutput(), threaded=False),
            desk=Desk(device=lambda: "cpu"),
        )  # fmt: skip
        houses.append(house)
        with qtbot.waitExposed(window):
            window.show()
        window.places.open("experiment")
        return house

    yield opened
    for house in houses:
        house.studio._window.close()
    for folder in (tmp_path / "home/runs").rglob("writer.lock"):
        pid = folder_lock.writer(folder.parent)
        if pid is not None:
            psutil.Process(pid).kill()


def state(house: House) -> str:
    """How the study that is seen stands."""
    now = house.experimenting.now
    return now.state if now is not None else ""


def learned(house: House) -> int:
    """Steps that are seen, of all runs."""
    now = house.experimenting.now
    return sum(run.step for run in now.runs) if now is not None else 0


def begun_and_paused(house: House, folder: Path, qtbot: QtBot) -> None:
    """Start the study, hold it once, and see it go on."""
    house.experimenting.choose(folder)
    qtbot.waitUntil(lambda: state(house) == "queued", timeout=PATIENCE)
    house.experimenting.do("start")
    qtbot.waitUntil(lambda: state(house) == "running" and learned(house) > 20, timeout=PATIENCE)
    house.experimenting.do("pause")
    qtbot.waitUntil(lambda: state(house) == "paused", timeout=PATIENCE)
    at = learned(house)
    house.experimenting.do("resume")
    qtbot.waitUntil(lambda: learned(house) > at, timeout=PATIENCE)


def killed(folder: Path) -> None:
    """End the study and its run at once, as a power cut does."""
    for place in (folder, *(folder / "runs").iterdir()):
        pid = folder_lock.writer(place)
        if pid is not None:
            os.kill(pid, signal.SIGKILL)


def resumed(house: House, qtbot: QtBot) -> None:
    """Find the study in the list, go on with it, and see its end."""
    studies_seen = house.experimenting._page.list.list
    qtbot.waitUntil(lambda: studies_seen.count() == 1, timeout=PATIENCE)
    studies_seen.setCurrentRow(0)
    qtbot.waitUntil(lambda: state(house) == "crashed" and learned(house) > 0, timeout=PATIENCE)
    house.experimenting.do("start")
    qtbot.waitUntil(lambda: state(house) == "finished", timeout=PATIENCE)


def undisturbed(file: Path, folder: Path) -> dict[str, Any]:
    """What the command line finds, in one go."""
    words = ["compare", "--study", str(file), "--out", str(folder), "--device", "cpu"]
    subprocess.run([sys.executable, "-m", "musicrel", *words], check=True, timeout=200)
    return figures(folder)


def figures(folder: Path) -> dict[str, Any]:
    """The verdict, and the losses of all runs."""
    found = json.loads((folder / "results.json").read_text())
    losses = [(run["arm"], run["valid"], run["test"]) for run in found["runs"]]
    return {"verdict": found["verdict"], "losses": losses}


def test_study_with_pause_kill_and_restart_finds_what_an_undisturbed_one_finds(
    house_of: Callable[[], House], qtbot: QtBot, tmp_path: Path
) -> None:
    """The same verdict, and the same figures to the last digit."""
    text = TINY.format(source=tiny_data(tmp_path / "tiny.json"), steps=240)
    (tmp_path / "tiny.toml").write_text(text)
    folder = study_folder.free("tiny")
    results.begin(folder, study.parse(text, "tiny"))

    house = house_of()
    begun_and_paused(house, folder, qtbot)
    killed(folder)
    qtbot.waitUntil(lambda: state(house) == "crashed", timeout=PATIENCE)
    house.studio._window.close()
    again = house_of()
    resumed(again, qtbot)

    expected = undisturbed(tmp_path / "tiny.toml", tmp_path / "undisturbed")
    assert figures(folder) == expected
    verdict = again.experimenting._page.study.verdict.text()
    assert expected["verdict"]["sentence"].lower() in verdict.lower()
