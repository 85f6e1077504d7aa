"""Cyclic garbage is freed in the window's thread."""

from __future__ import annotations

import gc
import sys
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtGui import QWindow
from pytestqt.qtbot import QtBot

from musicrel.ui.jobs import gc_timer
from musicrel.ui.jobs.gc_timer import GcTimer

FEW, MANY = 50, 2000
pytestmark = pytest.mark.usefixtures("qapp")


class Cycle(QObject):
    """An object that refers to itself: only the collector can free it."""

    def __init__(self) -> None:
        super().__init__()
        self.itself = self


@pytest.fixture(autouse=True)
def few_make_a_collection_due() -> Iterator[None]:
    before, enabled = gc.get_threshold(), gc.isenabled()
    gc.collect()
    gc.set_threshold(FEW, *before[1:])
    yield
    gc.set_threshold(*before)
    (gc.enable if enabled else gc.disable)()


def freed_in(cycle: Cycle) -> list[int]:
    threads: list[int] = []
    weakref.finalize(cycle, lambda: threads.append(threading.get_ident()))
    return threads


def allocate() -> None:
    assert len([[number] for number in range(MANY)]) == MANY


def test_other_threads_do_not_collect(qtbot: QtBot) -> None:
    timer = GcTimer()
    freed = freed_in(Cycle())
    thread = threading.Thread(target=allocate)
    thread.start()
    thread.join()
    assert freed == []

    kept = [[number] for number in range(MANY)]
    qtbot.waitUntil(lambda: freed == [threading.get_ident()])
    assert len(kept) == MANY
    timer.stop()


def test_nothing_is_collected_before_it_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    gc.disable()
    freed = freed_in(Cycle())
    gc.collect(0)
    assert len(freed) == 1

    monkeypatch.setattr(gc, "get_count", lambda: (FEW, 0, 0))
    freed = freed_in(Cycle())
    gc_timer.collect_if_due()
    assert freed == []


@pytest.fixture
def full_collection_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gc, "get_count", lambda: (0, 0, gc.get_threshold()[2] + 1))


@pytest.fixture
def timer() -> Iterator[GcTimer]:
    timer = GcTimer(busy=lambda: False)
    timer.stop()
    gc.disable()
    yield timer
    timer.stop()


def old_cycle() -> list[int]:
    cycle = Cycle()
    freed = freed_in(cycle)
    gc.collect(1)
    del cycle
    return freed


def check(timer: GcTimer, times: int) -> None:
    for _ in range(times):
        timer.check()


@pytest.mark.usefixtures("full_collection_is_due")
def test_a_cycle_made_after_start_up_is_freed(timer: GcTimer) -> None:
    timer.freeze_startup_objects()
    check(timer, 20)

    freed = old_cycle()
    check(timer, 20)

    assert freed == [threading.get_ident()]


@pytest.mark.usefixtures("full_collection_is_due")
def test_a_full_collection_waits_until_the_user_is_idle(timer: GcTimer) -> None:
    window = QWindow()
    timer.watch(window)
    freed = old_cycle()
    for _ in range(3):
        check(timer, 9)
        QCoreApplication.sendEvent(window, QEvent(QEvent.Type.KeyPress))
    assert freed == []

    check(timer, 11)
    assert freed == [threading.get_ident()]


@pytest.mark.usefixtures("full_collection_is_due")
def test_a_full_collection_waits_for_the_end_of_playback() -> None:
    playing = [True]
    timer = GcTimer(busy=lambda: playing[0])
    freed = old_cycle()
    check(timer, 50)
    assert freed == []

    playing.clear()
    playing.append(False)
    check(timer, 1)
    assert freed == [threading.get_ident()]
    timer.stop()


def test_an_overdue_full_collection_does_not_wait(
    monkeypatch: pytest.MonkeyPatch, timer: GcTimer
) -> None:
    """At ten times Python's threshold it runs although the user is active."""
    freed = old_cycle()
    monkeypatch.setattr(gc, "get_count", lambda: (0, 0, 10 * gc.get_threshold()[2] + 1))
    check(timer, 1)
    assert freed == [threading.get_ident()]


class Memory:
    """Python reports these blocks as allocated, and that a collection is due."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.blocks, self.freezes = 0, 0
        patch.setattr(sys, "getallocatedblocks", lambda: self.blocks)
        patch.setattr(gc, "get_count", lambda: (FEW + 1, 0, 0))
        patch.setattr(gc, "freeze", self._freeze)

    def _freeze(self) -> None:
        self.freezes += 1


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch, timer: GcTimer) -> Memory:
    memory = Memory(monkeypatch)
    timer.freeze_startup_objects()
    memory.freezes = 0
    return memory


def test_the_objects_of_an_import_are_not_collected(memory: Memory, timer: GcTimer) -> None:
    """Many new objects at once stay until the end; a collection would visit all of them."""
    freed = freed_in(Cycle())
    memory.blocks += 100_001
    check(timer, 2)
    assert (memory.freezes, freed) == (1, [])


def test_nor_are_those_of_an_import_that_takes_long(memory: Memory, timer: GcTimer) -> None:
    """On a busy computer an import goes on for many checks; what it left is not visited later."""
    for _ in range(100):
        memory.blocks += 1_000
        check(timer, 1)
    assert memory.freezes == 0

    memory.blocks += 1_000
    check(timer, 2)
    assert memory.freezes == 1


def test_what_is_gone_at_the_next_check_is_not_frozen(memory: Memory, timer: GcTimer) -> None:
    for _ in range(60):
        memory.blocks = 500_000
        check(timer, 1)
        memory.blocks = 0
        check(timer, 1)
    assert memory.freezes == 0


def test_what_is_replaced_again_and_again_is_frozen_once_at_most(
    memory: Memory, timer: GcTimer
) -> None:
    for _ in range(60):
        memory.blocks = 500_000
        check(timer, 2)
        memory.blocks = 0
        check(timer, 1)
    assert memory.freezes == 1


def test_objects_that_are_soon_dropped_are_never_frozen(
    monkeypatch: pytest.MonkeyPatch, timer: GcTimer
) -> None:
    """A picture of the piece, for example, is replaced after each edit."""
    freezes: list[None] = []
    monkeypatch.setattr(gc, "freeze", lambda: freezes.append(None))
    for _ in range(60):
        picture: list[dict[str, int]] = [{} for _ in range(6_000)]
        check(timer, 1)
        assert len(picture) == 6_000
        del picture
    assert freezes == []


def test_bursts_of_objects_are_collected_after_the_first_ones(
    memory: Memory, timer: GcTimer
) -> None:
    """A user who opens large pieces for hours gets their memory back."""
    for _ in range(10):
        memory.blocks += 100_001
        check(timer, 2)
    freed = freed_in(Cycle())
    memory.blocks += 100_001
    check(timer, 1)
    assert (memory.freezes, freed) == (10, [threading.get_ident()])


def test_stop_unfreezes_the_objects_from_start_up_and_collects_as_before(timer: GcTimer) -> None:
    timer.freeze_startup_objects()
    assert gc.get_freeze_count() > 0

    timer.stop()

    assert (gc.get_freeze_count(), gc.isenabled()) == (0, True)
