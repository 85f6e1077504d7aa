"""What holds for every test of the window: nothing keeps running, nothing stays open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QThread
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from musicrel.playback.player import Player
from musicrel.playback.recorder import Recorder
from musicrel.presentation.compose import models
from musicrel.presentation.compose.models import ModelChoice
from musicrel.settings import Settings
from musicrel.tokens.conditions import CONDITIONS
from musicrel.ui.app_controller import House
from musicrel.ui.controllers.compose_controller import Studio
from musicrel.ui.jobs import worker as worker_module
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.sound import HandClock, Hands, ManualOutput
from tests.ui.fakes import FakeJobs

ALL = frozenset(CONDITIONS)
CHOICES = (
    ModelChoice(name="full", title="full · 1.2 M", detail="5 layers", conditions=ALL),
    ModelChoice(name="plain", title="plain · 0.7 M", detail="3 layers", conditions=frozenset()),
)
BOTH_SIDES = ModelChoice(
    name="both", title="both · 2.5 M", detail="5 layers", conditions=ALL, family="infill"
)


@pytest.fixture(autouse=True)
def nothing_is_left(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A thread that still runs or a window that is still open fails the test."""
    threads: list[QThread] = []

    class Watched(worker_module._JobThread):
        def start(self, *args: Any) -> None:
            threads.append(self)
            super().start(*args)

    monkeypatch.setattr(worker_module, "_JobThread", Watched)
    yield
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert [thread for thread in threads if thread.isRunning()] == []
    assert [widget for widget in qapp.topLevelWidgets() if widget.isVisible()] == []


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own folder, empty, and no shipped models beside it."""
    monkeypatch.setenv("MUSICREL_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def jobs() -> FakeJobs:
    """Jobs that write without a model; tests set how they go."""
    return FakeJobs()


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    """A window that nobody conducts yet; closed at the end, as the user would."""
    window = MainWindow()
    qtbot.addWidget(window)
    yield window
    window.close()


@pytest.fixture
def studio(
    window: MainWindow, jobs: FakeJobs, home: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> Studio:
    """The whole app on fake jobs, with two models; eight bars, seed 7; shown and warmed up."""
    del home
    monkeypatch.setattr(models, "installed", lambda: (CHOICES, ()))
    studio = Studio(window, jobs.compose, jobs.warm_up, Settings(theme="light"))
    window.page.controls.entries.bars.setValue(2)
    window.page.controls.entries.seed.set_value(7)
    with qtbot.waitExposed(window):
        window.show()
    qtbot.waitUntil(lambda: window.machine.startswith("full"))
    return studio


@pytest.fixture
def output() -> ManualOutput:
    """A sound device without sound, whose time the test turns."""
    return ManualOutput()


@pytest.fixture
def click() -> ManualOutput:
    """Where one hears the click to play to."""
    return ManualOutput()


@pytest.fixture
def hands() -> Hands:
    """A keyboard, and who plays on it."""
    return Hands("Piano")


@pytest.fixture
def house(
    *,
    window: MainWindow,
    jobs: FakeJobs,
    output: ManualOutput,
    click: ManualOutput,
    hands: Hands,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> House:
    """The whole app, sound and files included; two bars, seed 7; shown and warmed up."""
    del home
    monkeypatch.setattr(models, "installed", lambda: (CHOICES, ()))
    house = House(
        window,
        jobs.compose,
        jobs.warm_up,
        read=jobs.read,
        propose=jobs.propose,
        settings=Settings(theme="light"),
        player=Player(output, threaded=False),
        recorder=Recorder(click, ports=hands.ports, opening=hands.open, clock=HandClock()),
    )
    window.page.controls.entries.bars.setValue(2)
    window.page.controls.entries.seed.set_value(7)
    with qtbot.waitExposed(window):
        window.show()
    qtbot.waitUntil(lambda: window.machine.startswith("full"))
    return house
