"""Circular garbage is freed in the thread of the window."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from musicrel.ui.jobs import gc_timer
from musicrel.ui.jobs.gc_timer import GarbageTimer

FEW, MANY = 50, 2000


class Circle(QObject):
    """Refers to itself: only the collector can free it."""

    def __init__(self) -> None:
        super().__init__()
        self.itself = self


@pytest.fixture(autouse=True)
def few_make_a_collection_due() -> Iterator[None]:
    """What Python counts until it collects, low enough for a test; as before afterwards."""
    before, enabled = gc.get_threshold(), gc.isenabled()
    gc.collect()
    gc.set_threshold(FEW, *before[1:])
    yield
    gc.set_threshold(*before)
    (gc.enable if enabled else gc.disable)()


def freed_in(qtbot: QtBot, circle: Circle) -> list[int]:
    """Where it will be freed: the threads, one or none yet."""
    del qtbot
    threads: list[int] = []
    weakref.finalize(circle, lambda: threads.append(threading.get_ident()))
    return threads


def allocate() -> None:
    """More than Python's threshold; all of it can be freed, and is no garbage yet."""
    assert len([[number] for number in range(MANY)]) == MANY


def test_other_threads_do_not_collect(qtbot: QtBot) -> None:
    """However much they allocate; the window's thread does, soon after."""
    timer = GarbageTimer()
    freed = freed_in(qtbot, Circle())
    thread = threading.Thread(target=allocate)
    thread.start()
    thread.join()
    assert freed == []

    kept = [[number] for number in range(MANY)]
    qtbot.waitUntil(lambda: freed == [threading.get_ident()])
    assert len(kept) == MANY
    timer.stop()


def test_afterwards_python_collects_by_itself_again(qtbot: QtBot) -> None:
    """The timer changes nothing for good."""
    del qtbot
    timer = GarbageTimer()
    assert not gc.isenabled()

    timer.stop()

    assert gc.isenabled()


def test_nothing_is_collected_before_it_is_due(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looking costs nothing."""
    gc.disable()
    freed = freed_in(qtbot, Circle())
    gc.collect(0)
    assert len(freed) == 1

    monkeypatch.setattr(gc, "get_count", lambda: (FEW, 0, 0))
    freed = freed_in(qtbot, Circle())
    gc_timer.collect_if_due()
    assert freed == []


def test_slow_full_collection_freezes_what_it_found_alive(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The modules of torch are looked through once, not every ten seconds."""
    del qtbot
    gc.unfreeze()
    monkeypatch.setattr(gc, "get_count", lambda: (0, 0, 1000))
    monkeypatch.setattr(gc_timer, "_FRAME_SECONDS", 0.0)

    gc_timer.collect_if_due()

    assert gc.get_freeze_count() > 0
    gc.unfreeze()
