"""A thread that works while there is work."""

from __future__ import annotations

import threading

import pytest

from musicrel.playback.background_thread import Worker


def _nothing() -> None:
    """No one to tell."""


def test_it_works_until_there_is_nothing_left_and_again_when_stirred() -> None:
    """Each piece of work in turn."""
    left, done = [3], threading.Event()

    def work() -> bool:
        left[0] -= 1
        if left[0] == 0:
            done.set()
        return left[0] > 0

    worker = Worker(work, _nothing)
    worker.stir()
    assert done.wait(10)
    done.clear()
    left[0] = 5
    worker.stir()
    assert done.wait(10)
    worker.close()
    worker.stir()

    assert left == [0]


def test_it_survives_a_fault_and_tells(caplog: pytest.LogCaptureFixture) -> None:
    """The next stir finds it alive."""
    told, again = threading.Event(), threading.Event()

    def work() -> bool:
        if told.is_set():
            again.set()
            return False
        raise ZeroDivisionError

    worker = Worker(work, told.set)
    worker.stir()
    assert told.wait(10)
    worker.stir()
    assert again.wait(10)
    worker.close()

    assert "a piece of work failed" in caplog.text


def test_one_that_was_never_stirred_can_be_closed() -> None:
    """There is no thread to wait for."""
    before = threading.active_count()

    Worker(lambda: False, _nothing).close()

    assert threading.active_count() == before
