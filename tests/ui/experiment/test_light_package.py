"""The Experiment page of the light package, which goes without torch."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from musicrel.model import processor
from musicrel.ui.app_controller import AppController
from musicrel.ui.experiment.study_jobs import NO_STUDIES


def test_the_page_says_what_the_full_package_adds(
    open_app: Callable[[], AppController], monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    """There is neither form nor list, and no job looks for studies."""
    monkeypatch.setattr(processor, "has_torch", lambda: False)

    app_controller = open_app()
    page = app_controller.window.experiment
    qtbot.waitUntil(page.notice.isVisible)

    assert page.notice.text() == NO_STUDIES
    assert not page.form.isVisible()
    assert not page.list.isVisible()
    assert not app_controller.studies.shut_down()[0].busy
