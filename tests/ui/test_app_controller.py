"""The controllers of the app together."""

from __future__ import annotations

from PySide6.QtCore import QTimer

from musicrel.ui.app_controller import AppController
from musicrel.ui.jobs.turn import Turn

LONG = 60_000
"""Interval in milliseconds that no test waits for."""


def test_closing_stops_every_single_shot_timer_and_turn(app: AppController) -> None:
    timers = [timer for timer in app.findChildren(QTimer) if timer.isSingleShot()]
    turns = app.findChildren(Turn)
    for timer in timers:
        timer.start(LONG)
    for turn in turns:
        turn.start()
    app.window.close()

    assert len(timers) > 15
    assert len(turns) > 15
    assert [timer.parent() for timer in timers if timer.isActive()] == []
    assert [turn.parent() for turn in turns if turn.waits] == []
