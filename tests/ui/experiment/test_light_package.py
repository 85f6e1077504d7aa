"""The Experiment page of the light package, which goes without torch."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from musicrel.model import devices
from musicrel.ui.app_controller import AppController
from musicrel.ui.experiment.study_controller import NO_STUDIES
from musicrel.ui.jobs.worker import LatestJob


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
