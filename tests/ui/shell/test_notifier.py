"""Notifications when work ends while another program is in use."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget
from pytestqt.qtbot import QtBot

from musicrel.ui.document.messages import Messages
from musicrel.ui.shell.notifier import Notifier
from tests.ui.user import User


class Desktop:
    """The desktop: the messages it shows, and whether the user is elsewhere."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.away, self.shown, self.alerts = True, list[str](), 0
        monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: True)
        monkeypatch.setattr(
            QSystemTrayIcon, "showMessage", lambda *given: self.shown.append(given[2])
        )
        monkeypatch.setattr(QSystemTrayIcon, "show", lambda *_: None)
        monkeypatch.setattr(QApplication, "alert", self._alert)

    def _alert(self, *_: object) -> None:
        self.alerts += 1


@pytest.fixture
def desktop(monkeypatch: pytest.MonkeyPatch) -> Desktop:
    return Desktop(monkeypatch)


def test_the_end_of_work_is_reported_only_to_a_user_who_is_elsewhere(
    qtbot: QtBot, desktop: Desktop
) -> None:
    window, messages = QWidget(), Messages()
    qtbot.addWidget(window)
    Notifier(window, messages, lambda: desktop.away)
    messages.ended.emit("The piece is ready")
    desktop.away = False
    messages.ended.emit("The candidates are ready")

    assert (desktop.shown, desktop.alerts) == (["The piece is ready"], 1)


def test_a_piece_that_was_written_is_reported_and_a_stopped_one_is_not(user: User) -> None:
    sentences: list[str] = []
    user.app.messages.ended.connect(sentences.append)
    user.generate()
    assert sentences == ["The piece is ready"]
    user.form.candidates.setValue(2)
    user.generate()
    assert sentences[1:] == ["The candidates are ready"]
