"""A guard against Qt bindings with reference leaks.

PySide6 6.12.0 on Python before 3.12 lost a reference to None with every call without a result; the
process aborted after about five thousand of them, while short tests passed.
"""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

TIMES = 20_000
DRIFT = 100


class Painted(QWidget):
    """A widget that counts its paint events."""

    def __init__(self) -> None:
        super().__init__()
        self.times = 0

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.fillRect(event.rect(), 0)
        painter.end()
        self.times += 1


class Emitter(QObject):
    """An object with a signal."""

    emitted = Signal(object)


def references() -> tuple[int, int]:
    return sys.getrefcount(None), sys.getrefcount(True)


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal from Python 3.12 on")
def test_paints_and_signals_lose_no_reference(qtbot: QtBot) -> None:
    """After twenty thousand of each, the reference counts of None and True are unchanged."""
    widget, emitter = Painted(), Emitter()
    received: list[object] = []
    qtbot.addWidget(widget)
    widget.resize(8, 8)
    image = QImage(8, 8, QImage.Format.Format_ARGB32)
    emitter.emitted.connect(received.append)
    before = references()

    for number in range(TIMES):
        widget.render(image)
        emitter.emitted.emit(number)

    after = references()
    assert (widget.times, len(received)) == (TIMES, TIMES)
    assert max(abs(one - other) for one, other in zip(before, after, strict=True)) < DRIFT
