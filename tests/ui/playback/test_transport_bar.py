"""The transport bar at all widths."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from musicrel.ui.actions.commands import Commands
from musicrel.ui.playback.transport_bar import TransportBar
from musicrel.ui.widgets import stylesheet

_DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


@pytest.fixture(autouse=True)
def usual_size() -> Iterator[None]:
    yield
    stylesheet.set_text_size(100)


@pytest.fixture
def bar(qtbot: QtBot) -> Iterator[TransportBar]:
    window = QWidget()  # a window of its own is never narrower than its layout
    qtbot.addWidget(window)
    bar = TransportBar(Commands(window).play, window)
    bar.show_volume(on=True)
    bar.set_position("188.4", "10:00", "12:00")
    window.show()
    yield bar
    window.close()


def overlaps(bar: TransportBar) -> list[str]:
    parts = bar.findChildren(QWidget, options=_DIRECT)
    shown = sorted((part for part in parts if part.isVisible()), key=lambda part: part.x())
    pairs = [
        f"{one.accessibleName()}, {next_.accessibleName()}"
        for one, next_ in pairwise(shown)
        if one.geometry().right() >= next_.x()
    ]
    return pairs + [
        part.accessibleName() for part in shown if not bar.rect().contains(part.geometry())
    ]


@pytest.mark.parametrize("reason", ["", "No device"])
@pytest.mark.parametrize("percent", [100, 150])
def test_nothing_overlaps(bar: TransportBar, reason: str, percent: int) -> None:
    stylesheet.set_text_size(percent)
    bar.set_silent(reason)

    for width in (560 if percent == 100 else 620, *range(640, 901, 10)):
        bar.resize(width, bar.height())
        assert overlaps(bar) == [], width


def test_it_hides_the_least_important_parts(bar: TransportBar) -> None:
    bar.resize(1000, bar.height())
    assert (bar.time, bar.volume.isVisible()) == ("10:00 / 12:00", True)
    bar.resize(720, bar.height())
    assert (bar.time, bar.volume.isVisible()) == ("10:00", True)
    bar.resize(640, bar.height())
    assert (bar.time, bar.volume.isVisible()) == ("10:00", False)
    bar.resize(1000, bar.height())
    assert (bar.time, bar.volume.isVisible()) == ("10:00 / 12:00", True)
