"""Studies in a fake process: start, pause, stop, cancel, queue."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from musicrel.experiment.runs import folder_lock, run_control
from musicrel.experiment.runs.event_log import EventLog
from musicrel.experiment.study import study_folder
from musicrel.ui.app_controller import AppController
from musicrel.ui.experiment.study_jobs import StudyService
from tests.ui.experiment.study_app import FAKE, SOON, begin, column, page, state, waiting


def test_queued_study_starts_with_the_app(
    open_app: Callable[[], AppController], qtbot: QtBot
) -> None:
    """The oldest one starts."""
    folder = waiting()
    app_controller = open_app()
    app_controller.studies.choose(folder)

    qtbot.waitUntil(lambda: state(app_controller) == "running", timeout=SOON)


def test_study_is_started_only_once(home: Path) -> None:
    """This holds although its process takes a while to lock the folder."""
    study_service, folder = StudyService(program=FAKE), waiting()
    for _ in range(2):
        study_service.start_process(folder)
    assert study_service.do_commands() == []

    (process,) = (child for child in psutil.Process().children() if str(folder) in child.cmdline())
    process.kill()
    process.wait()
    assert home.exists()


def test_stopping_is_shown_at_once(open_app: Callable[[], AppController], qtbot: QtBot) -> None:
    """The state is shown until the process has saved and ended; Cancel still works."""
    app_controller = open_app()
    begin(app_controller, qtbot, waiting())
    buttons = page(app_controller).study.buttons
    buttons["stop"].click()

    assert page(app_controller).study.state.text().startswith("Stopping and saving")
    assert not buttons["stop"].isEnabled()
    assert buttons["cancel"].isEnabled()
    qtbot.waitUntil(lambda: state(app_controller) == "stopped", timeout=SOON)
    assert page(app_controller).study.state.text().startswith("Stopped and saved")


def test_study_is_started_paused_resumed_and_finished(
    open_app: Callable[[], AppController], qtbot: QtBot
) -> None:
    """Curves, table and result are shown; the process is controlled through its folder alone."""
    app_controller = open_app()
    form = page(app_controller).form
    qtbot.waitUntil(form.start.isEnabled, timeout=SOON)
    form.templates.chosen.emit(form.templates.row_of("Test run"))
    qtbot.waitUntil(lambda: "2 runs" in form.plan.text(), timeout=SOON)
    form.start.click()
    qtbot.waitUntil(lambda: state(app_controller) == "running", timeout=SOON)
    folder = study_folder.runs_folder() / "smoke"

    page(app_controller).study.buttons["pause"].click()
    qtbot.waitUntil(lambda: state(app_controller) == "paused", timeout=SOON)
    assert page(app_controller).study.buttons["resume"].isVisible()
    (folder / "go").touch()
    page(app_controller).study.buttons["resume"].click()

    qtbot.waitUntil(lambda: state(app_controller) == "finished", timeout=SOON)
    view = page(app_controller).study
    qtbot.waitUntil(
        lambda: view.verdict.accessibleName().startswith("Not enough to say"), timeout=SOON
    )
    assert column(app_controller, 3) == ["2.6000", "2.6000"]
    curves = view.curves.view
    qtbot.waitUntil(lambda: "Vanilla 2.600" in curves.accessibleDescription(), timeout=SOON)
    assert not view.buttons["stop"].isEnabled()
    assert "finished" in view.buttons["stop"].toolTip()
    asked = [line["wish"] for line in EventLog(folder / run_control.CONTROL).events()]
    assert asked == ["pause", "resume"]


def test_study_keeps_running_after_the_app_is_closed(
    open_app: Callable[[], AppController], qtbot: QtBot
) -> None:
    """The next start shows it running and can stop it."""
    first = open_app()
    folder = waiting()
    begin(first, qtbot, folder)
    first.window.close()
    assert first.all_ended
    assert folder_lock.writer(folder) is not None

    second = open_app()
    qtbot.waitUntil(lambda: page(second).list.list.count() == 1, timeout=SOON)
    page(second).list.list.setCurrentRow(0)
    qtbot.waitUntil(lambda: state(second) == "running", timeout=SOON)
    page(second).study.buttons["stop"].click()
    qtbot.waitUntil(lambda: state(second) == "stopped", timeout=SOON)
    assert page(second).study.buttons["start"].text() == "&Resume"


def test_two_apps_follow_one_study(open_app: Callable[[], AppController], qtbot: QtBot) -> None:
    """Both show its state, and each can control it."""
    one, other = open_app(), open_app()
    folder = waiting()
    begin(one, qtbot, folder)
    other.studies.choose(folder)
    qtbot.waitUntil(lambda: state(other) == "running", timeout=SOON)

    other.studies.do("pause")
    qtbot.waitUntil(lambda: state(one) == state(other) == "paused", timeout=SOON)
    one.studies.do("stop")
    qtbot.waitUntil(lambda: state(one) == state(other) == "stopped", timeout=SOON)


def test_killed_study_is_interrupted_and_can_be_resumed(
    open_app: Callable[[], AppController], qtbot: QtBot
) -> None:
    """A new process resumes it."""
    app_controller = open_app()
    folder = waiting()
    begin(app_controller, qtbot, folder)
    pid = folder_lock.writer(folder)
    assert pid is not None
    psutil.Process(pid).kill()

    qtbot.waitUntil(lambda: state(app_controller) == "crashed", timeout=SOON)
    assert page(app_controller).study.state.text().startswith("Interrupted")
    (folder / "go").touch()
    page(app_controller).study.buttons["start"].click()
    qtbot.waitUntil(lambda: state(app_controller) == "finished", timeout=SOON)


def test_next_study_of_the_queue_starts(
    open_app: Callable[[], AppController], qtbot: QtBot
) -> None:
    """It also starts after a failure, whose message is shown."""
    app_controller = open_app()
    first, second = waiting("first"), waiting("second")
    (first / "fail").touch()
    begin(app_controller, qtbot, first)
    qtbot.waitUntil(lambda: page(app_controller).form.start.text() == "Add to queue", timeout=SOON)
    (first / "go").touch()

    qtbot.waitUntil(lambda: state(app_controller) == "failed", timeout=SOON)
    assert "the loss is not finite" in page(app_controller).study.banner.message
    qtbot.waitUntil(lambda: folder_lock.writer(second) is not None, timeout=SOON)
    app_controller.studies.choose(second)
    qtbot.waitUntil(lambda: state(app_controller) == "running", timeout=SOON)


@pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: dialogs
def test_cancelling_needs_confirmation(open_app: Callable[[], AppController], qtbot: QtBot) -> None:
    """Escape and Return keep the study running."""
    app_controller = open_app()
    folder = waiting()
    begin(app_controller, qtbot, folder)
    page(app_controller).study.buttons["cancel"].click()
    (box,) = app_controller.window.findChildren(QMessageBox)
    box.escapeButton().click()
    assert run_control.end_offset(folder) == 0

    page(app_controller).study.buttons["cancel"].click()
    box = app_controller.window.findChildren(QMessageBox)[-1]
    next(button for button in box.buttons() if button is not box.escapeButton()).click()
    qtbot.waitUntil(lambda: state(app_controller) == "cancelled", timeout=SOON)
    assert page(app_controller).study.state.text().startswith("Cancelled")


@pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: dialogs
def test_queued_study_can_be_deleted(open_app: Callable[[], AppController], qtbot: QtBot) -> None:
    """After confirmation its folder is deleted."""
    app_controller = open_app()
    folder = waiting()
    app_controller.studies.choose(folder)
    qtbot.waitUntil(lambda: state(app_controller) == "queued", timeout=SOON)
    page(app_controller).study.buttons["cancel"].click()
    (box,) = app_controller.window.findChildren(QMessageBox)
    next(button for button in box.buttons() if button is not box.escapeButton()).click()

    qtbot.waitUntil(lambda: not folder.exists(), timeout=SOON)
    assert page(app_controller).form.isVisible()
