"""The menu of a study: rename, archive, delete, each with undo."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

import pytest
from PySide6.QtWidgets import QInputDialog
from pytestqt.qtbot import QtBot

from musicrel.experiment.study import study_folder
from musicrel.experiment.study.study_status import StudyStatus
from musicrel.ui.app_controller import AppController
from musicrel.ui.experiment.study_jobs import StudyService, WatchEvent
from tests.ui.experiment.study_app import SOON, begin, page, state, waiting

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


@pytest.fixture
def shown(app: AppController, qtbot: QtBot) -> AppController:
    app.studies.choose(waiting("mine"))
    qtbot.waitUntil(lambda: state(app) == "queued", timeout=SOON)
    return app


def titles(app: AppController) -> list[str]:
    listed = page(app).list.list
    return [listed.item(row).text() for row in range(listed.count())]


def until_idle(events: Iterator[WatchEvent]) -> list[WatchEvent]:
    return list(takewhile(lambda event: event is not None, events))


def test_a_deleted_study_comes_back_by_undo(shown: AppController, qtbot: QtBot) -> None:
    app = shown
    banner = page(app).banner

    page(app).study.more.delete.trigger()

    qtbot.waitUntil(lambda: banner.offer == "Undo" and not titles(app), timeout=SOON)
    assert banner.message == f"mine was deleted; it is kept in {study_folder.trash()}."
    assert app.studies.now is None
    banner.accepted.emit()
    qtbot.waitUntil(lambda: titles(app) == ["mine"], timeout=SOON)
    assert banner.message == "mine is back."
    qtbot.waitUntil(lambda: state(app) == "queued", timeout=SOON)


def test_an_archived_study_is_listed_if_wanted(shown: AppController, qtbot: QtBot) -> None:
    app = shown
    listed, more = page(app).list, page(app).study.more

    more.archive.trigger()
    qtbot.waitUntil(lambda: listed.archived.isVisible() and not titles(app), timeout=SOON)
    listed.archived.click()

    assert titles(app) == ["mine"]
    (folder,) = study_folder.known_folders()
    app.studies.choose(folder)
    qtbot.waitUntil(lambda: "from" in more.archive.text(), timeout=SOON)
    more.archive.trigger()
    qtbot.waitUntil(lambda: not listed.archived.isVisible(), timeout=SOON)
    assert titles(app) == ["mine"]


def test_a_renamed_study_stays_shown(shown: AppController, qtbot: QtBot) -> None:
    app = shown

    def enter(name: str) -> None:
        page(app).study.more.rename.trigger()
        (dialog,) = app.window.findChildren(QInputDialog)
        dialog.setTextValue(name)
        dialog.accept()
        qtbot.waitUntil(lambda: not app.window.findChildren(QInputDialog))

    enter("Night 2")
    qtbot.waitUntil(lambda: titles(app) == ["Night 2"], timeout=SOON)
    qtbot.waitUntil(lambda: state(app) == "queued", timeout=SOON)
    assert page(app).banner.message == "mine is now Night 2."
    enter("a/b")
    qtbot.waitUntil(lambda: "no name" in page(app).banner.message, timeout=SOON)
    assert titles(app) == ["Night 2"]


def test_a_study_that_runs_cannot_be_moved(app: AppController, qtbot: QtBot) -> None:
    begin(app, qtbot, waiting())
    more = page(app).study.more

    for action in (more.rename, more.archive, more.delete):
        assert not action.isEnabled()
        assert action.toolTip() == "The study is running: stop it first"


def test_a_study_that_was_opened_meanwhile_stays_shown(shown: AppController, qtbot: QtBot) -> None:
    app = shown
    other = waiting("other")

    page(app).study.more.delete.trigger()
    app.studies.choose(other)

    qtbot.waitUntil(lambda: page(app).banner.offer == "Undo", timeout=SOON)
    qtbot.waitUntil(lambda: state(app) == "queued", timeout=SOON)
    assert app.studies.now is not None
    assert app.studies.now.folder == other


def test_a_study_that_is_shown_again_has_a_status() -> None:
    service, folder = StudyService(), waiting("mine")
    service.show(folder)
    events = service.watch()
    assert any(isinstance(event, StudyStatus) for event in until_idle(events))
    assert not any(isinstance(event, StudyStatus) for event in until_idle(events))

    service.show(None)
    service.show(folder)

    assert any(isinstance(event, StudyStatus) for event in until_idle(events))
