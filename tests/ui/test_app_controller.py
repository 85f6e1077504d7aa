"""The controllers of the app together."""

from __future__ import annotations

from PySide6.QtCore import QTimer

from musicrel.ui.app_controller import AppController

LONG = 60_000
"""Interval in milliseconds that no test waits for."""


def test_closing_stops_every_single_shot_timer(app: AppController) -> None:
    timers = [timer for timer in app.findChildren(QTimer) if timer.isSingleShot()]
    for timer in timers:
        timer.start(LONG)
    app.window.close()

    assert len(timers) > 20
    assert [timer.parent() for timer in timers if timer.isActive()] == []
