"""Labels, questions and tooltips show a text that looks like HTML as it is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from musicrel.presentation.words.palette import LIGHT
from musicrel.ui.widgets import stylesheet

HOSTILE = "<b>Air</b><img src='/etc/passwd'>"
PLAIN = Qt.TextFormat.PlainText


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    stylesheet.apply(LIGHT)
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.show()
    return parent


def test_a_label_is_plain(parent: QWidget) -> None:
    label = QLabel(HOSTILE, parent)
    label.show()
    label.setText(HOSTILE)

    assert label.textFormat() == PLAIN
    assert label.text() == HOSTILE


def test_a_label_of_our_own_html_stays_rich(parent: QWidget) -> None:
    label = QLabel(parent)
    label.setTextFormat(Qt.TextFormat.RichText)
    label.show()

    assert label.textFormat() == Qt.TextFormat.RichText


def test_a_question_is_plain(parent: QWidget) -> None:
    box = QMessageBox(QMessageBox.Icon.Question, "musicrel", HOSTILE, parent=parent)
    box.setInformativeText(HOSTILE)
    box.open()
    labels = {label.textFormat() for label in box.findChildren(QLabel) if label.text()}
    box.close()

    assert labels == {PLAIN}


def test_a_tooltip_is_plain(parent: QWidget) -> None:
    QToolTip.showText(parent.mapToGlobal(QPoint(2, 2)), HOSTILE, parent)
    tips = [one for one in QApplication.topLevelWidgets() if isinstance(one, QLabel)]
    shown = [tip for tip in tips if tip.text() == HOSTILE]
    formats = {tip.textFormat() for tip in shown}
    QToolTip.hideText()

    assert formats == {PLAIN}


def test_the_style_is_set_once(parent: QWidget) -> None:
    del parent
    before = QApplication.style()
    stylesheet.apply(LIGHT)

    assert QApplication.style() is before
