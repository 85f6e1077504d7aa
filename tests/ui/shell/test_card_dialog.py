"""The card of a model in a window."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from musicrel.ui.shell import card_dialog


def test_the_card_of_a_shipped_model_can_be_read(qtbot: QtBot) -> None:
    """Title and text are the model's."""
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = card_dialog.of_model(parent, "relative")
    assert dialog.windowTitle() == "About relative"
    assert "What it learned from" in dialog.text.toPlainText()
    assert "musicrel evaluate --model relative --split test" in dialog.text.toPlainText()


def test_a_model_that_is_not_there_is_said_to_be_missing(qtbot: QtBot) -> None:
    """The window has the reason in it."""
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = card_dialog.of_model(parent, "nobody")
    assert "no model 'nobody': expected a model directory" in dialog.text.toPlainText()
