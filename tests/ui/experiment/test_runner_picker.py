"""Tests of the choice of a runner, in the form and beside a study, and of the list of nodes."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from musicrel.experiment.runners import ray_cluster, runner_choice
from musicrel.experiment.runners.runner_choice import AUTO, LOCAL, RAY, RunnerChoice
from musicrel.experiment.runs import folder_lock
from musicrel.experiment.runs.event_log import EventLog
from musicrel.experiment.study import study_folder, study_text
from musicrel.ui.experiment.runner_picker import RunnerPicker
from tests.ui.experiment.study_app import SOON, page, state, waiting
from tests.ui.user import User

CLUSTER = RunnerChoice(runner=RAY, jobs=AUTO, address="head:6379", fetch=True)


@pytest.fixture
def picker(qtbot: QtBot) -> RunnerPicker:
    made = RunnerPicker()
    qtbot.addWidget(made)
    return made


@pytest.mark.parametrize(
    "chosen", [RunnerChoice(), RunnerChoice(jobs=5), RunnerChoice(jobs=AUTO), CLUSTER]
)
def test_a_shown_choice_is_the_choice(picker: RunnerPicker, chosen: RunnerChoice) -> None:
    picker.show_choice(chosen)

    assert picker.choice() == chosen
    assert picker.address.isHidden() is (chosen.runner == LOCAL)
    assert picker.jobs.isHidden() is (chosen.runner == RAY)


def test_the_same_status_again_keeps_an_edit(picker: RunnerPicker) -> None:
    picker.show_choice(CLUSTER)
    picker.address.setText("other:1")
    picker.show_choice(CLUSTER)
    assert picker.choice().address == "other:1"

    picker.expect()
    picker.show_choice(CLUSTER)
    assert picker.choice() == CLUSTER


def test_an_empty_address_is_that_of_this_machines_cluster(picker: RunnerPicker) -> None:
    picker.show_choice(CLUSTER)
    picker.address.setText(" ")
    assert picker.choice().address == "auto"


def test_without_ray_the_cluster_is_disabled_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr(ray_cluster, "is_installed", lambda: False)
    picker = RunnerPicker()
    qtbot.addWidget(picker)
    item = picker.runner.model().item(1)  # type: ignore[attr-defined]

    assert not item.isEnabled()
    assert item.toolTip() == picker.runner.toolTip() == study_text.NO_RAY
    assert "pip install '.[cluster]'" in study_text.NO_RAY


def test_a_new_study_keeps_the_runner_of_the_form(user: User) -> None:
    form = page(user.app).form
    form.runner.show_choice(RunnerChoice(jobs=4))
    user.wait(form.start.isEnabled, timeout=SOON)
    form.start.click()
    user.wait(lambda: state(user.app) == "running", timeout=SOON)

    (folder,) = study_folder.known_folders()
    assert runner_choice.read(folder) == RunnerChoice(jobs=4)
    picker = page(user.app).study.runner
    assert picker.choice() == RunnerChoice(jobs=4)
    assert picker.jobs.toolTip() == study_text.FIXED
    assert not picker.runner.isEnabled()


def test_another_runner_is_chosen_for_a_study_that_does_not_run(user: User) -> None:
    folder = waiting()
    user.app.studies.choose(folder)
    user.wait(lambda: state(user.app) == "queued", timeout=SOON)
    picker = page(user.app).study.runner
    picker.runner.setCurrentIndex(picker.runner.findData(RAY))
    picker.runner.activated.emit(1)
    picker.address.setText("head:6379")
    picker.address.editingFinished.emit()

    wanted = RunnerChoice(runner=RAY, jobs=AUTO, address="head:6379")
    user.wait(lambda: runner_choice.read(folder) == wanted, timeout=SOON)


def test_nodes_of_a_running_study_are_shown_from_its_files(user: User) -> None:
    folder = waiting()
    runner_choice.write(folder, CLUSTER)
    log, view = EventLog(folder / "events.jsonl"), page(user.app).study
    with folder_lock.writer_lock(folder):
        log.append({"event": "StudyStarted"})
        user.app.studies.choose(folder)
        user.wait(lambda: view.nodes.queue.text() == study_text.CONNECTING, timeout=SOON)
        node = {"name": "office", "cpus": 2, "gpus": 0, "alive": True}
        log.append({"event": "NodesChanged", "nodes": [node]})
        log.append({"event": "RunPlaced", "arm": "vanilla", "seed": 0, "node": "office"})
        user.wait(
            lambda: words(view.nodes.lines) == ["●  office", "2 processors: Vanilla, seed 0"],
            timeout=SOON,
        )
        assert view.nodes.queue.text() == "1 run waits for a place."
        log.append({"event": "RunLost", "arm": "vanilla", "seed": 0, "node": "office"})
        log.append({"event": "NodesChanged", "nodes": [node | {"alive": False}]})
        user.wait(lambda: words(view.nodes.lines)[:1] == ["✕  office"], timeout=SOON)
        assert view.nodes.queue.text() == "No node is left. 2 runs wait for a place."
        assert "the node office was lost" in view.log.toPlainText()


def words(labels: list[QLabel]) -> list[str]:
    return [label.text() for label in labels]
