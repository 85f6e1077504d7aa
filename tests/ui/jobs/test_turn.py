"""Turns of the event loop."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from pytestqt.qtbot import QtBot

from musicrel.ui.jobs.turn import Turn


@pytest.fixture
def served() -> list[str]:
    return []


@pytest.fixture
def make(qapp: QCoreApplication, served: list[str]) -> Callable[[str], Turn]:
    owner = QObject(qapp)

    def made(name: str) -> Turn:
        turn = Turn(owner)
        turn.due.connect(lambda: served.append(name))
        return turn

    return made


def test_turns_come_one_at_a_time_in_their_order(
    make: Callable[[str], Turn], served: list[str], qtbot: QtBot
) -> None:
    timer = QTimer(interval=0)
    timer.timeout.connect(lambda: served.append("timer"))
    timer.start()
    for name in ("one", "two", "three"):
        make(name).start()

    qtbot.waitUntil(lambda: "three" in served)
    timer.stop()

    works = [place for place, name in enumerate(served) if name != "timer"]
    assert [served[place] for place in works] == ["one", "two", "three"]
    assert all("timer" in served[one:other] for one, other in pairwise(works))


def test_a_turn_comes_once_however_often_it_was_started(
    make: Callable[[str], Turn], served: list[str], qtbot: QtBot
) -> None:
    one, last = make("one"), make("last")
    one.start()
    one.start()
    last.start()
    assert one.waits

    qtbot.waitUntil(lambda: "last" in served)

    assert served == ["one", "last"]
    assert not one.waits


def test_a_turn_may_be_started_again_in_its_own(
    make: Callable[[str], Turn], served: list[str], qtbot: QtBot
) -> None:
    one = make("one")
    one.due.connect(lambda: one.start() if len(served) < 3 else None)
    one.start()

    qtbot.waitUntil(lambda: len(served) == 3)

    assert not one.waits


def test_stopped_and_deleted_turns_do_not_come(
    make: Callable[[str], Turn], served: list[str], qtbot: QtBot
) -> None:
    stopped, deleted, last = make("stopped"), make("deleted"), make("last")
    for turn in (stopped, deleted, last):
        turn.start()
    stopped.stop()
    deleted.deleteLater()
    QCoreApplication.sendPostedEvents(deleted, QEvent.Type.DeferredDelete.value)

    qtbot.waitUntil(lambda: "last" in served)

    assert served == ["last"]
