"""The controllers of the app together."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QDeadlineTimer, QTimer

from musicrel.ui.app_controller import AppController
from musicrel.ui.jobs.worker import LatestJob

LONG = 60_000
"""Interval in milliseconds that no test waits for."""


def test_closing_requests_all_jobs_to_end_before_waiting(
    app: AppController, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All share one deadline, so that the window is blocked once at most."""
    request_end, wait = LatestJob.request_end, LatestJob.wait
    order: list[tuple[str, LatestJob]] = []
    deadlines: list[QDeadlineTimer] = []

    def request(worker: LatestJob) -> None:
        order.append(("request", worker))
        request_end(worker)

    def wait_for(worker: LatestJob, deadline: QDeadlineTimer) -> bool:
        order.append(("wait", worker))
        deadlines.append(deadline)
        return wait(worker, deadline)

    monkeypatch.setattr(LatestJob, "request_end", request)
    monkeypatch.setattr(LatestJob, "wait", wait_for)

    app.window.close()

    half = len(order) // 2
    assert half > 10
    assert [what for what, _ in order] == ["request"] * half + ["wait"] * half
    assert {worker for _, worker in order[:half]} == {worker for _, worker in order[half:]}
    assert all(deadline is deadlines[0] for deadline in deadlines)
    assert app.all_ended


def test_closing_stops_every_single_shot_timer(app: AppController) -> None:
    timers = [timer for timer in app.findChildren(QTimer) if timer.isSingleShot()]
    for timer in timers:
        timer.start(LONG)
    app.window.close()

    assert len(timers) > 20
    assert [timer.parent() for timer in timers if timer.isActive()] == []
