"""Fixtures of all tests of the window, and checks that nothing is left running or open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QDeadlineTimer, QEvent, QThread
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from musicrel.model.tokens.conditions import CONDITIONS
from musicrel.playback.player import Player
from musicrel.playback.recorder import Recorder
from musicrel.presentation.compose import models
from musicrel.presentation.compose.models import ModelChoice
from musicrel.settings import Settings
from musicrel.ui.app_controller import AppController
from musicrel.ui.controllers.attention_controller import AttentionController
from musicrel.ui.files import session
from musicrel.ui.jobs import generation_service
from musicrel.ui.jobs import worker as worker_module
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.sound import FakeKeyboards, ManualClock, ManualOutput
from tests.ui.fakes import TIMEOUT, FakeJobs
from tests.ui.user import User

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
    threads: list[QThread] = []

    class Watched(worker_module._JobThread):  # noqa: SLF001  # no other place sees all threads
        def start(self, *args: Any) -> None:
            threads.append(self)
            super().start(*args)

    monkeypatch.setattr(worker_module, "_JobThread", Watched)
    yield
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    deadline = QDeadlineTimer(round(TIMEOUT * 500))  # a busy machine may take long to end them
    assert [thread for thread in threads if not thread.wait(deadline)] == []
    assert [widget for widget in qapp.topLevelWidgets() if widget.isVisible()] == []


@pytest.fixture(autouse=True)
def started_windows(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Start no other windows; return the arguments that they would have."""
    started: list[tuple[str, ...]] = []
    monkeypatch.setattr(session, "start_window", started.append)
    return started


@pytest.fixture(autouse=True)
def compiled_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generation_service, "is_missing", lambda: False)


@pytest.fixture(autouse=True)
def light_theme(qapp: QApplication) -> None:
    qapp.setPalette(QPalette())
    if qapp.styleSheet():
        qapp.setStyleSheet("")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MUSICREL_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def jobs() -> FakeJobs:
    """Return fake jobs; tests set their behaviour."""
    return FakeJobs()


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    """Yield a window without controllers; close it at the end without a question."""
    window = MainWindow()
    qtbot.addWidget(window)
    yield window
    window.may_close = lambda: True
    window.close()


@pytest.fixture
def output() -> ManualOutput:
    return ManualOutput()


@pytest.fixture
def click() -> ManualOutput:
    return ManualOutput()


@pytest.fixture
def hands() -> FakeKeyboards:
    return FakeKeyboards("Piano")


@pytest.fixture
def make_app(
    *,
    window: MainWindow,
    jobs: FakeJobs,
    output: ManualOutput,
    click: ManualOutput,
    hands: FakeKeyboards,
    home: Path,
) -> Callable[..., AppController]:
    """Return a function that makes the app with some settings."""
    del home

    def make(**chosen: str) -> AppController:
        recorder = Recorder(click, ports=hands.ports, open_keyboard=hands.open, clock=ManualClock())
        return AppController(
            window,
            jobs,
            settings=Settings(**{"theme": "light", **chosen}),
            player=Player(output, threaded=False),
            recorder=recorder,
        )

    return make


@pytest.fixture
def app(
    make_app: Callable[[], AppController],
    window: MainWindow,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> AppController:
    """Return the whole app with fake jobs: two bars, no phrases, seed 7, shown, model loaded."""
    monkeypatch.setattr(models, "installed", lambda: (CHOICES, ()))
    app = make_app()
    window.may_close = lambda: True  # the tests of projects ask
    compose_form = window.compose_page.controls.compose_form
    compose_form.bars.setValue(2)
    compose_form.phrases.setText("")
    compose_form.seed.set_value(7)
    with qtbot.waitExposed(window):
        window.show()
    qtbot.waitUntil(lambda: window.model_status.startswith("full"))
    return app


@pytest.fixture
def user(app: AppController, jobs: FakeJobs, qtbot: QtBot) -> User:
    return User(app, jobs, qtbot)


@pytest.fixture
def attention(
    app: AppController, window: MainWindow, jobs: FakeJobs
) -> Iterator[AttentionController]:
    window.pages.open("attention")
    yield app.attention
    jobs.gate.set()
