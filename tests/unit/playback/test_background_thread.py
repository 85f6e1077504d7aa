"""The background thread."""

from __future__ import annotations

import threading

import pytest

from musicrel.playback.background_thread import BackgroundThread


def _nothing(_error: Exception) -> None:
    """Do nothing."""


def test_it_works_until_nothing_is_left_and_again_when_woken() -> None:
    """The pieces of work are done in turn."""
    left, done = [3], threading.Event()

    def work() -> bool:
        left[0] -= 1
        if left[0] == 0:
            done.set()
        return left[0] > 0

    worker = BackgroundThread(work, _nothing)
    worker.wake()
    assert done.wait(10)
    done.clear()
    left[0] = 5
    worker.wake()
    assert done.wait(10)
    worker.close()
    worker.wake()

    assert left == [0]


def test_it_survives_an_error_and_reports_it(caplog: pytest.LogCaptureFixture) -> None:
    """The thread reacts to the next wake."""
    failed, again = threading.Event(), threading.Event()
    errors: list[Exception] = []

    def work() -> bool:
        if failed.is_set():
            again.set()
            return False
        raise ZeroDivisionError

    def report(error: Exception) -> None:
        errors.append(error)
        failed.set()

    worker = BackgroundThread(work, report)
    worker.wake()
    assert failed.wait(10)
    worker.wake()
    assert again.wait(10)
    worker.close()

    assert [type(error) for error in errors] == [ZeroDivisionError]
    assert "a piece of work failed" in caplog.text


def test_a_thread_that_was_never_started_can_be_closed() -> None:
    """There is no thread to wait for."""
    before = threading.active_count()

    BackgroundThread(lambda: False, _nothing).close()

    assert threading.active_count() == before
