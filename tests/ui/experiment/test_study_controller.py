"""Studies in a fake process: start, pause, stop, cancel, queue; the page without torch."""

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
from musicrel.model import device_choice, devices
from musicrel.ui.app_controller import AppController
from musicrel.ui.experiment.study_controller import NO_STUDIES
from musicrel.ui.experiment.study_jobs import StudyService
from musicrel.ui.jobs.worker import LatestJob
from tests.helpers.measured_devices import Graphics
from tests.ui.experiment.study_app import (
    FAKE,
    SOON,
    begin,
    choose_template,
    column,
    page,
    state,
    waiting,
)
from tests.ui.user import User


def test_queued_study_starts_with_the_app(
    open_app: Callable[[], AppController], qtbot: QtBot
) -> None:
    folder = waiting()
    app = open_app()
    app.studies.choose(folder)

    qtbot.waitUntil(lambda: state(app) == "running", timeout=SOON)


def test_study_is_started_only_once(home: Path) -> None:
    study_service, folder = StudyService(program=FAKE), waiting()
    before = psutil.Process().children()
    for _ in range(2):
        study_service.start_process(folder)
    assert [*study_service.do_commands()] == []

    (process,) = {*psutil.Process().children()}.difference(before)
    process.kill()
    process.wait()
    assert home.exists()


def test_devices_are_measured_before_a_study_starts(
    open_app: Callable[[], AppController],
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    """The process of the study finds the speeds in the cache."""
    gpu, states, app = Graphics(monkeypatch, home), list[str](), open_app()
    gpu.answer(
        {"device": "cuda", "share": 0.25},
        {"device": "cpu", "tokens_per_second": 1.0},
        {"device": "cuda", "tokens_per_second": 2.0},
    )
    app.messages.state_changed.connect(states.append)

    begin(app, qtbot, waiting())

    assert "Measuring which device is faster for training, once: GPU, 25 %" in states
    assert gpu.started == ["training"]
    assert device_choice.described() == "training on the GPU"


def test_stopping_is_shown_at_once(user: User) -> None:
    begin(user.app, user.qtbot, waiting())
    buttons = page(user.app).study.buttons
    buttons["stop"].click()

    assert page(user.app).study.state.text().startswith("Stopping and saving")
    assert not buttons["stop"].isEnabled()
    assert buttons["cancel"].isEnabled()
    user.wait(lambda: state(user.app) == "stopped", timeout=SOON)
    assert page(user.app).study.state.text().startswith("Stopped and saved")


def test_study_is_started_paused_resumed_and_finished(user: User) -> None:
    form = page(user.app).form
    user.wait(form.start.isEnabled, timeout=SOON)
    choose_template(user.app, "Test run")
    user.wait(lambda: "2 runs" in form.plan.text(), timeout=SOON)
    form.start.click()
    user.wait(lambda: state(user.app) == "running", timeout=SOON)
    folder = study_folder.runs_folder() / "smoke"

    page(user.app).study.buttons["pause"].click()
    user.wait(lambda: state(user.app) == "paused", timeout=SOON)
    assert page(user.app).study.buttons["resume"].isVisible()
    (folder / "go").touch()
    page(user.app).study.buttons["resume"].click()

    user.wait(lambda: state(user.app) == "finished", timeout=SOON)
    view = page(user.app).study
    user.wait(lambda: view.verdict.accessibleName().startswith("The study works. "), timeout=SOON)
    assert column(user.app, 3) == ["2.6000", "2.6000"]
    curves = view.curves.view
    user.wait(lambda: "Vanilla 2.600" in curves.accessibleDescription(), timeout=SOON)
    assert not view.buttons["stop"].isEnabled()
    assert "finished" in view.buttons["stop"].toolTip()
    asked = [line["wish"] for line in EventLog(folder / run_control.CONTROL).events()]
    assert asked == ["pause", "resume"]


def test_study_keeps_running_after_the_app_is_closed(
    open_app: Callable[[], AppController], qtbot: QtBot
) -> None:
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
    one, other = open_app(), open_app()
    folder = waiting()
    begin(one, qtbot, folder)
    other.studies.choose(folder)
    qtbot.waitUntil(lambda: state(other) == "running", timeout=SOON)

    other.studies.do("pause")
    qtbot.waitUntil(lambda: state(one) == state(other) == "paused", timeout=SOON)
    one.studies.do("stop")
    qtbot.waitUntil(lambda: state(one) == state(other) == "stopped", timeout=SOON)


def test_killed_study_is_interrupted_and_can_be_resumed(user: User) -> None:
    folder = waiting()
    begin(user.app, user.qtbot, folder)
    pid = folder_lock.writer(folder)
    assert pid is not None
    psutil.Process(pid).kill()

    user.wait(lambda: state(user.app) == "crashed", timeout=SOON)
    assert page(user.app).study.state.text().startswith("Interrupted")
    (folder / "go").touch()
    page(user.app).study.buttons["start"].click()
    user.wait(lambda: state(user.app) == "finished", timeout=SOON)


def test_next_study_of_the_queue_starts(user: User) -> None:
    first, second = waiting("first"), waiting("second")
    (first / "fail").touch()
    begin(user.app, user.qtbot, first)
    user.wait(lambda: page(user.app).form.start.text() == "Add to queue", timeout=SOON)
    (first / "go").touch()

    user.wait(lambda: state(user.app) == "failed", timeout=SOON)
    assert "the loss is not finite" in page(user.app).study.banner.message
    user.wait(lambda: folder_lock.writer(second) is not None, timeout=SOON)
    user.app.studies.choose(second)
    user.wait(lambda: state(user.app) == "running", timeout=SOON)


@pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: dialogs
def test_cancelling_needs_confirmation(user: User) -> None:
    folder = waiting()
    begin(user.app, user.qtbot, folder)
    page(user.app).study.buttons["cancel"].click()
    (box,) = user.window.findChildren(QMessageBox)
    box.escapeButton().click()
    assert run_control.end_offset(folder) == 0

    page(user.app).study.buttons["cancel"].click()
    box = user.window.findChildren(QMessageBox)[-1]
    next(button for button in box.buttons() if button is not box.escapeButton()).click()
    user.wait(lambda: state(user.app) == "cancelled", timeout=SOON)
    assert page(user.app).study.state.text().startswith("Cancelled")


@pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: dialogs
def test_queued_study_can_be_deleted(user: User) -> None:
    folder = waiting()
    user.app.studies.choose(folder)
    user.wait(lambda: state(user.app) == "queued", timeout=SOON)
    page(user.app).study.buttons["cancel"].click()
    (box,) = user.window.findChildren(QMessageBox)
    next(button for button in box.buttons() if button is not box.escapeButton()).click()

    user.wait(lambda: not folder.exists(), timeout=SOON)
    assert page(user.app).form.isVisible()


def test_the_page_says_what_the_full_package_adds(
    open_app: Callable[[], AppController], monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr(devices, "has_torch", lambda: False)

    app = open_app()
    page = app.window.experiment
    qtbot.waitUntil(page.notice.isVisible)

    assert page.notice.text() == NO_STUDIES
    assert not page.form.isVisible()
    assert not page.list.isVisible()
    assert not any(worker.busy for worker in app.studies.findChildren(LatestJob))
