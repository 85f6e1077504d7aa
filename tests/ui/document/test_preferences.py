"""The settings of the user, and when they are saved."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from musicrel import settings
from musicrel.settings import Settings
from musicrel.ui.document.preferences import Preferences


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch, home: Path) -> list[Settings]:
    """Return what has been saved."""
    found: list[Settings] = []
    monkeypatch.setattr(settings, "save", found.append)
    del home
    return found


def test_a_slider_is_saved_once(qtbot: QtBot, saved: list[Settings]) -> None:
    """Its changes take effect at once; the file is written after the last one."""
    preferences, changes = Preferences(Settings()), list[str]()
    preferences.changed.connect(lambda: changes.append(preferences.settings.click_level))
    for level in range(50):
        preferences.remember_soon(click_level=str(level))

    assert (saved, len(changes), changes[-1]) == ([], 50, "49")
    qtbot.waitUntil(lambda: saved == [Settings(click_level="49")])


def test_another_change_saves_a_slider_too(qtbot: QtBot, saved: list[Settings]) -> None:
    """So the settings are complete when the app ends; nothing is saved twice."""
    preferences = Preferences(Settings())
    preferences.remember_soon(click_level="30")
    preferences.remember(theme="dark")
    assert saved == [Settings(click_level="30", theme="dark")]

    with qtbot.waitSignal(preferences.changed):
        preferences.remember_soon(click_level="40")
    qtbot.waitUntil(lambda: len(saved) > 1)
    assert saved[1:] == [Settings(click_level="40", theme="dark")]
