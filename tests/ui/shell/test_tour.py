"""A robustness test: two thousand random actions from a fixed seed."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer

from tests.helpers import processes
from tests.helpers.sound import ManualOutput
from tests.soak.tourist import Tourist, resident_bytes
from tests.ui.user import User

# a busy machine needs long, and a timeout skips the teardown
pytestmark = pytest.mark.timeout(1800)

ACTIONS = 2_000
WARM_UP = 100
"""Actions after which memory may grow by no more than ``GROWTH``."""
GROWTH = 150 << 20
LOADED_LATER = ("torch._dynamo", "pyqtgraph", "verovio", "PySide6.QtPrintSupport")
"""Modules that the app loads with the first model, plot, score and print."""


@pytest.fixture(autouse=True)
def no_study_is_left() -> Iterator[None]:
    """End the studies that the tour has started: they outlive their window."""
    with processes.ending_studies():
        yield


def test_two_thousand_actions_do_no_harm(user: User, output: ManualOutput, tmp_path: Path) -> None:
    """No exception, warning, thread, timer or window is left; pytest-qt and conftest check it.

    Memory is bounded.
    """
    tourist = Tourist(user.app, user.window, output, tmp_path)
    for name in LOADED_LATER:
        importlib.import_module(name)
    for _ in range(WARM_UP):
        tourist.step()
    before = resident_bytes()
    for _ in range(ACTIONS - WARM_UP):
        tourist.step()

    assert resident_bytes() - before < GROWTH
    assert len(tourist.done) == len(set(tourist.kinds))
    assert len(user.jobs.requests) > 5
    user.commands.stop.trigger()
    assert len(user.jobs.candidate_requests) > 5
    jobs_of = (user.writer, user.app.files.worker, user.app.writing.reading)
    user.wait(lambda: not any(one.busy for one in jobs_of))
    user.window.close()
    assert user.app.all_ended
    timers = [timer for timer in user.app.findChildren(QTimer) if timer.isActive()]
    assert timers == []
    assert not user.app.player.playing
