"""The modules through which a study passes, from the form to the process that trains it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NoReturn

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from musicrel import paths
from musicrel.cli.main import main
from musicrel.experiment.runners import runner_choice
from musicrel.experiment.runners.run_host import LocalHost
from musicrel.experiment.study.study import Study
from musicrel.experiment.study.study_form import StudyForm
from musicrel.ui.experiment.study_form_controller import StudyFormController
from musicrel.ui.experiment.study_form_view import StudyFormView
from musicrel.ui.experiment.study_jobs import StudyService
from musicrel.ui.jobs.worker import end_all
from tests.helpers.trace import modules_holding
from tests.ui.experiment.study_app import SOON

MOST = 12


class TrainingBeginsError(Exception):
    """Raised in place of the first run of the study."""


def is_study(value: object) -> bool:
    return isinstance(value, Study | StudyForm) or (isinstance(value, str) and "[[arms]]" in value)


def begin_training(*_: object) -> NoReturn:
    raise TrainingBeginsError


def test_study_passes_few_modules_from_the_form_to_its_training(
    home: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = home / "small.toml"
    file.parent.mkdir(parents=True)
    shutil.copy(paths.assets() / "studies" / "smoke.toml", file)
    view, owner = StudyFormView(), QObject()
    qtbot.addWidget(view)
    controller = StudyFormController(view, StudyService(), owner)
    with modules_holding(is_study) as in_the_window:
        controller.read(file, -1)
        qtbot.waitUntil(view.start.isEnabled, timeout=SOON)
        with qtbot.waitSignal(controller.prepared, timeout=SOON) as prepared:
            view.start.click()
    assert end_all(owner)

    monkeypatch.setattr(LocalHost, "call", begin_training)
    arguments = ["--resume", "--out", str(prepared.args[0]), "--device", "cpu", "--jobs", "2"]
    with modules_holding(is_study) as in_the_child, pytest.raises(TrainingBeginsError):
        main(["compare", *arguments])

    assert runner_choice.read(prepared.args[0]).jobs == 2
    assert {"musicrel.ui.experiment.study_form_view", "musicrel.experiment.study.definition"} <= {
        *in_the_window
    }, "neither the form nor the job in its thread was seen"
    assert "musicrel.cli.commands.training" in in_the_child
    assert len({*in_the_window, *in_the_child}) <= MOST, sorted({*in_the_window, *in_the_child})
