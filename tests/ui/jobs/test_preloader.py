"""Loading of models before they are needed."""

from __future__ import annotations

import threading

from pytestqt.qtbot import QtBot

from musicrel.jobs import Job
from musicrel.ui.jobs.generation_service import Loaded, Loading
from musicrel.ui.jobs.preloader import Preloader
from musicrel.ui.jobs.worker import wait_for_all
from tests.ui.fakes import TIMEOUT


def test_only_the_last_request_counts(qtbot: QtBot) -> None:
    """Of several requests during a load only the last one follows."""
    gate, started, names = threading.Event(), threading.Event(), []

    def warm_up(name: str, device: str) -> Job[Loading | Loaded, None]:
        names.append(name)
        yield Loading(model=name)
        started.set()
        gate.wait(TIMEOUT)
        yield Loaded(model=name, sha256="", device=device)

    preloader = Preloader(warm_up)
    events: list[object] = []
    preloader.load_progressed.connect(events.append)
    preloader.preload("first", "cpu")
    assert started.wait(TIMEOUT)
    preloader.preload("second", "cpu")
    preloader.preload("third", "cpu")
    gate.set()

    qtbot.waitUntil(lambda: Loaded(model="third", sha256="", device="cpu") in events)
    qtbot.waitUntil(lambda: not preloader.busy)
    assert names == ["first", "third"]


def test_shut_down_drops_the_waiting_request(qtbot: QtBot) -> None:
    """No load starts after the window was closed."""
    gate, names = threading.Event(), []

    def warm_up(name: str, device: str) -> Job[Loading | Loaded, None]:
        names.append(name)
        yield Loading(model=name)
        gate.wait(TIMEOUT)
        yield Loaded(model=name, sha256="", device=device)

    preloader = Preloader(warm_up)
    preloader.preload("first", "cpu")
    preloader.preload("second", "cpu")
    gate.set()

    assert wait_for_all(preloader.shut_down())
    assert "second" not in names
    del qtbot
