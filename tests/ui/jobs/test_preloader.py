"""Models made ready before they are needed."""

from __future__ import annotations

import threading

from pytestqt.qtbot import QtBot

from musicrel.jobs import Job
from musicrel.ui.jobs.generation_service import Loaded, Loading
from musicrel.ui.jobs.preloader import Warming
from tests.ui.fakes import PATIENCE


def test_only_the_last_wish_counts(qtbot: QtBot) -> None:
    """While one model loads, others may be chosen; the last of them comes next."""
    gate, begun, asked = threading.Event(), threading.Event(), []

    def warm_up(name: str, device: str) -> Job[Loading | Loaded, None]:
        asked.append(name)
        yield Loading(model=name)
        begun.set()
        gate.wait(PATIENCE)
        yield Loaded(model=name, sha256="", device=device)

    warming = Warming(warm_up)
    told: list[object] = []
    warming.prepared.connect(told.append)
    warming.want("first", "cpu")
    assert begun.wait(PATIENCE)
    warming.want("second", "cpu")
    warming.want("third", "cpu")
    gate.set()

    qtbot.waitUntil(lambda: Loaded(model="third", sha256="", device="cpu") in told)
    qtbot.waitUntil(lambda: not warming.busy)
    assert asked == ["first", "third"]


def test_shut_down_forgets_what_was_to_come(qtbot: QtBot) -> None:
    """Nothing starts any more once the window is going."""
    gate, asked = threading.Event(), []

    def warm_up(name: str, device: str) -> Job[Loading | Loaded, None]:
        asked.append(name)
        yield Loading(model=name)
        gate.wait(PATIENCE)
        yield Loaded(model=name, sha256="", device=device)

    warming = Warming(warm_up)
    warming.want("first", "cpu")
    warming.want("second", "cpu")
    gate.set()

    assert warming.shut_down()
    assert "second" not in asked
    del qtbot
