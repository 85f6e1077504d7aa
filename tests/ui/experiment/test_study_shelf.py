"""The menu of a study: rename, archive, delete, each with undo."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import takewhile

import pytest
from PySide6.QtWidgets import QInputDialog
from pytestqt.qtbot import QtBot

from musicrel.experiment.study import study_folder, study_shelf
from musicrel.ui.app_controller import AppController
from musicrel.ui.experiment.study_jobs import Idle, StatusChanged, StudyService, WatchEvent
from tests.ui.experiment.study_app import SOON, begin, page, state, waiting

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


def shown(open_app: Callable[[], AppController], qtbot: QtBot) -> AppController:
    """Open the app with a study that was not started, and show it."""
    app_controller = open_app()
    app_controller.studies.choose(waiting("mine"))
    qtbot.waitUntil(lambda: state(app_controller) == "queued", timeout=SOON)
    return app_controller


def titles(app_controller: AppController) -> list[str]:
    """Return the titles in the list of studies."""
    listed = page(app_controller).list.list
    return [listed.item(row).text() for row in range(listed.count())]


def until_idle(events: Iterator[WatchEvent]) -> list[WatchEvent]:
    """Return the events of one pass of the watch."""
    return list(takewhile(lambda event: not isinstance(event, Idle), events))


def test_a_deleted_study_comes_back_by_undo(
    open_app: Callable[[], AppController], qtbot: QtBot
) -> None:
    """Meanwhile it is in the trash and not in the list."""
    app_controller = shown(open_app, qtbot)
    banner = page(app_controller).banner

    page(app_controller).study.more.delete.trigger()

    qtbot.waitUntil(lambda: banner.offer == "Undo" and not titles(app_controller), timeout=SOON)
    assert banner.message == f"mine was deleted; it is kept in {study_shelf.trash()}."
    assert app_controller.studies.now is None
    banner.accepted.emit()
    qtbot.waitUntil(lambda: titles(app_controller) == ["mine"], timeout=SOON)
    assert banner.message == "mine is back."
    qtbot.waitUntil(lambda: state(app_controller) == "queued", timeout=SOON)


def test_an_archived_study_is_listed_if_wanted(
    open_app: Callable[[], AppController], qtbot: QtBot
) -> None:
    """It is taken from the archive by the same menu."""
    app_controller = shown(open_app, qtbot)
    listed, more = page(app_controller).list, page(app_controller).study.more

    more.archive.trigger()
    qtbot.waitUntil(
        lambda: listed.archived.isVisible() and not titles(app_controller), timeout=SOON
    )
    listed.archived.click()

    assert titles(app_controller) == ["mine"]
    (folder,) = study_folder.known_folders()
    app_controller.studies.choose(folder)
    qtbot.waitUntil(lambda: "from" in more.archive.text(), timeout=SOON)
    more.archive.trigger()
    qtbot.waitUntil(lambda: not listed.archived.isVisible(), timeout=SOON)
    assert titles(app_controller) == ["mine"]


def test_a_renamed_study_stays_shown(open_app: Callable[[], AppController], qtbot: QtBot) -> None:
    """A name that is not valid is refused with its reason."""
    app_controller = shown(open_app, qtbot)

    def enter(name: str) -> None:
        page(app_controller).study.more.rename.trigger()
        (dialog,) = app_controller.window.findChildren(QInputDialog)
        dialog.setTextValue(name)
        dialog.accept()
        qtbot.waitUntil(lambda: not app_controller.window.findChildren(QInputDialog))

    enter("Night 2")
    qtbot.waitUntil(lambda: titles(app_controller) == ["Night 2"], timeout=SOON)
    qtbot.waitUntil(lambda: state(app_controller) == "queued", timeout=SOON)
    assert page(app_controller).banner.message == "mine is now Night 2."
    enter("a/b")
    qtbot.waitUntil(lambda: "no name" in page(app_controller).banner.message, timeout=SOON)
    assert titles(app_controller) == ["Night 2"]


def test_a_study_that_runs_cannot_be_moved(
    open_app: Callable[[], AppController], qtbot: QtBot
) -> None:
    """The tooltip of each action has the reason."""
    app_controller = open_app()
    begin(app_controller, qtbot, waiting())
    more = page(app_controller).study.more

    for action in (more.rename, more.archive, more.delete):
        assert not action.isEnabled()
        assert action.toolTip() == "The study is running: stop it first"


def test_a_study_that_was_opened_meanwhile_stays_shown(
    open_app: Callable[[], AppController], qtbot: QtBot
) -> None:
    """Moving a study takes a moment."""
    app_controller = shown(open_app, qtbot)
    other = waiting("other")

    page(app_controller).study.more.delete.trigger()
    app_controller.studies.choose(other)

    qtbot.waitUntil(lambda: page(app_controller).banner.offer == "Undo", timeout=SOON)
    qtbot.waitUntil(lambda: state(app_controller) == "queued", timeout=SOON)
    assert app_controller.studies.now is not None
    assert app_controller.studies.now.folder == other


def test_a_study_that_is_shown_again_has_a_status() -> None:
    """Even if the watching thread was too slow to see that none was shown in between."""
    service = StudyService()
    service.folder = waiting("mine")
    events = service.watch()
    assert any(isinstance(event, StatusChanged) for event in until_idle(events))
    assert not any(isinstance(event, StatusChanged) for event in until_idle(events))

    service.folder, service.folder = None, service.folder

    assert any(isinstance(event, StatusChanged) for event in until_idle(events))
