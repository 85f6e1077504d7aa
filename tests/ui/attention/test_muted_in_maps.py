"""Muted heads in the maps of the Attention page, where another model is chosen or has fewer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel.editing.selection import Selection
from musicrel.generation.heads.mutes import Head, Mutes
from musicrel.presentation.words.muted_heads import MutedHeads
from musicrel.ui.ablation.muted_comparison import NONE_MUTED
from musicrel.ui.app_controller import AppController
from musicrel.ui.controllers.attention_controller import AttentionController
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.fakes import earlier_piece

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


@pytest.fixture
def opened(
    attention: AttentionController, app_controller: AppController, qtbot: QtBot
) -> AttentionController:
    """Return the controller with an opened piece that the first model has read."""
    app_controller.document.show_piece(earlier_piece(), action="opened")
    qtbot.waitUntil(lambda: attention.shown is not None)
    return attention


def choose(window: MainWindow, name: str) -> None:
    """Choose model A on the page."""
    box = window.attention.model
    box.setCurrentIndex(box.findData(name))
    box.activated.emit(box.currentIndex())


def test_muted_heads_are_those_of_the_model_that_is_chosen_on_the_page(
    opened: AttentionController, app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The form, which keeps the heads of both, does not change."""
    grid, listen = window.attention.plots.grid, app_controller.ablation.panel.listen
    window.attention.head_chosen.emit(Head(1, 0))
    app_controller.ablation.mutes.toggle(Head(1, 0))
    assert grid.accessibleDescription() == "Layer 2, head 1, muted"
    assert listen.isEnabled()

    choose(window, "plain")
    qtbot.waitUntil(lambda: opened.shown is not None)

    assert grid.accessibleDescription() == "Layer 2, head 1"
    assert not listen.isEnabled()
    assert listen.toolTip() == NONE_MUTED
    choose(window, "full")
    assert grid.accessibleDescription() == "Layer 2, head 1, muted"
    assert listen.isEnabled()


def test_a_muted_head_that_the_model_no_longer_has_is_reported(
    opened: AttentionController, app_controller: AppController, window: MainWindow
) -> None:
    """A model of the same name was imported in its place."""
    del opened
    document = app_controller.document
    document.set_form(
        replace(document.form, muted=MutedHeads().with_mutes("full", Mutes.parse("9.1")))
    )
    window.attention.head_chosen.emit(Head(0, 0))

    QTest.keyClick(window.attention.plots.grid, Qt.Key.Key_M)

    assert window.compose_page.banner.message.startswith("The model has no head 9.1")
    assert document.form.muted.of("full") == Mutes.parse("9.1")


def test_music_goes_on_when_both_pieces_are_written(
    opened: AttentionController, app_controller: AppController, qtbot: QtBot
) -> None:
    """Without and with muted heads: the first one is played, also if music played before."""
    del opened
    app_controller.ablation.mutes.toggle(Head(1, 0))
    app_controller.document.select(Selection(voices=(1,), start=20, stop=21))
    app_controller.playback.toggle()
    assert app_controller.player.playing

    app_controller.ablation.comparison.from_bar.trigger()
    qtbot.waitUntil(lambda: not app_controller.candidates.busy)

    assert app_controller.candidates.chosen == 1
    assert app_controller.player.playing
    app_controller.candidates.dismiss()
    app_controller.playback.stop()
