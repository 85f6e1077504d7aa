"""A combo box with long texts."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from musicrel.ui.widgets.elided_box import ElidedBox

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

LONG = "Current piece: " + "a name that nobody reads to its end " * 4


def shown(
    qtbot: QtBot, text: str, elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight
) -> ElidedBox:
    """Return a box of 200 pixels with one entry."""
    box = ElidedBox(elide=elide)
    qtbot.addWidget(box)
    box.addItem(text)
    box.setToolTip("Choose one")
    box.resize(200, box.sizeHint().height())
    with qtbot.waitExposed(box):
        box.show()
    return box


def tip(box: ElidedBox) -> str:
    """Point at the box and return its tooltip."""
    event = QHelpEvent(QEvent.Type.ToolTip, QPoint(5, 5), box.mapToGlobal(QPoint(5, 5)))
    QApplication.sendEvent(box, event)
    text = QToolTip.text()
    QToolTip.hideText()
    return text


def test_a_long_text_is_elided_and_complete_in_the_tooltip(qtbot: QtBot) -> None:
    """The box does not grow with it."""
    box = shown(qtbot, LONG)

    assert box.shown_text.endswith("…")
    assert box.sizeHint().width() < 300
    assert tip(box) == f"{LONG}\nChoose one"


def test_a_short_text_is_shown_as_it_is(qtbot: QtBot) -> None:
    """The tooltip does not repeat it."""
    box = shown(qtbot, "Ode to Joy")

    assert box.shown_text == "Ode to Joy"
    assert tip(box) == "Choose one"


def test_a_text_can_be_elided_in_the_middle(qtbot: QtBot) -> None:
    """Names of models often differ in their ends."""
    name = "relative-articulated-width-256-eight-heads-second-try"
    box = shown(qtbot, name, Qt.TextElideMode.ElideMiddle)

    assert box.shown_text.startswith("relative")
    assert box.shown_text.endswith("try")
    assert tip(box) == f"{name}\nChoose one"


def test_the_list_is_as_wide_as_its_texts(qtbot: QtBot) -> None:
    """But not wider than the window."""
    window = QWidget()
    qtbot.addWidget(window)
    box = ElidedBox(window)
    box.addItem(LONG)
    needed = box.fontMetrics().horizontalAdvance(LONG)
    for width, expected in ((300, range(300, 301)), (2000, range(needed, 2000))):
        window.resize(width, 100)
        box.showPopup()
        assert box.view().minimumWidth() in expected
        box.hidePopup()
