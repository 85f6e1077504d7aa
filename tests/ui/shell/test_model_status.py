"""The status line while a model is loaded and the kernel is compiled."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from musicrel.ui.app_controller import AppController
from musicrel.ui.controllers import model_controller
from musicrel.ui.jobs.generation_service import Loaded
from musicrel.ui.jobs.latest_job import LatestJob
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.fakes import FakeJobs


def test_compilation_is_announced(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The model is ready after it."""
    jobs.hold_compilation = True
    app_controller.model.warm_up()
    qtbot.waitUntil(lambda: window.state == model_controller.COMPILING)

    jobs.gate.set()

    qtbot.waitUntil(lambda: window.state == model_controller.READY)


def test_writing_waits_for_the_compilation_and_can_be_stopped(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The reason is in the status line meanwhile."""
    jobs.hold_compilation = True
    app_controller.compose.generate()
    qtbot.waitUntil(lambda: window.state == model_controller.COMPILING)

    app_controller.compose.stop()
    jobs.gate.set()

    qtbot.waitUntil(lambda: not app_controller.document.generating)
    assert app_controller.document.piece is None


def test_a_missing_kernel_is_mentioned(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The sentence is elided where the window is narrow."""
    jobs.warning = "the compiled kernel is switched off: pieces are written by torch"
    narrow = window.minimumSizeHint().width()

    app_controller.model.warm_up()

    qtbot.waitUntil(lambda: window.state == f"Ready; {jobs.warning}")
    assert window.minimumSizeHint().width() == narrow


def test_the_speed_stays_if_a_loading_ends_later(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The model wrote while its loading waited for the processor."""
    app_controller.compose.generate()
    qtbot.waitUntil(lambda: not app_controller.document.generating)
    assert "tokens/s" in window.model_status

    (loading,) = app_controller.model.findChildren(LatestJob)
    loading.events_received.emit((Loaded(model="full", sha256="0", device="CPU"),))

    assert "tokens/s" in window.model_status
    assert window.state == model_controller.READY
