"""The app with some takes."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from musicrel.ui.app_controller import AppController
from musicrel.ui.shell.main_window import MainWindow
from musicrel.ui.takes.takes_view import TakesView
from tests.ui.takes.pieces import FIRST, REWRITTEN


@pytest.fixture
def view(app_controller: AppController, window: MainWindow, qtbot: QtBot) -> TakesView:
    """Return the strip with a generated take and one that was rewritten from it, the current."""
    window.resize(1320, 840)
    app_controller.document.show_piece(FIRST, action="generated")
    app_controller.document.show_piece(REWRITTEN, action="rewritten")
    view = window.takes.view
    qtbot.waitUntil(lambda: view.takes.rowCount() == 2)
    return view
