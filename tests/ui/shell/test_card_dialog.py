"""The dialog with a model card."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from musicrel.ui.shell import card_dialog


def test_card_of_a_bundled_model_is_shown(qtbot: QtBot) -> None:
    """The title names the model."""
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = card_dialog.of_model(parent, "relative")
    assert dialog.windowTitle() == "About relative"
    assert "Training data" in dialog.text.toPlainText()
    assert "musicrel evaluate --model relative --split test" in dialog.text.toPlainText()


def test_missing_model_is_reported(qtbot: QtBot) -> None:
    """The text is the reason."""
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = card_dialog.of_model(parent, "nobody")
    assert "no model 'nobody': expected a model directory" in dialog.text.toPlainText()
