"""Varying a part of a piece, and continuing it."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.editing.selection import Selection
from musicrel.ui.app_controller import AppController
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers.user_actions import PIECE, request_candidates
from tests.ui.fakes import FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


def test_a_part_of_the_piece_is_varied(
    both: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Its share is the one of the strip; a selection is rewritten completely."""
    piece = Chorale.of([(72 + n % 2, 67, 64, 48) for n in range(32)])
    both.document.show_piece(piece)
    request_candidates(window, 8)
    strip = window.compose_page.strip
    strip.amount.setCurrentText("Similar")
    strip.rewrite.click()
    qtbot.waitUntil(lambda: not both.candidates.busy)
    window.compose_page.candidates.close_button.click()
    window.compose_page.selecting.select(Selection(voices=(1,), start=4, stop=8))
    assert not strip.amount.isEnabled()
    assert "All selected notes" in strip.amount.toolTip()

    ((_, _, builder),) = jobs.candidate_requests
    assert builder.free.any()
    assert 0 < builder.free.mean() < 1


def test_a_piece_is_continued_and_the_longer_one_is_accepted(
    both: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Esc goes back to the piece as it was; repeating the request takes a new seed."""
    both.document.show_piece(PIECE)
    request_candidates(window, 8)
    for _ in range(2):
        window.commands.rewriting.continue_by[1].trigger()
        qtbot.waitUntil(lambda: not both.candidates.busy)
    first, builder = (builder for _, _, builder in jobs.candidate_requests)
    assert (builder.bars, builder.form.seed != first.form.seed) == (4, True)
    both.candidates.accept()

    assert both.document.piece is not None
    assert (both.document.piece.title, both.document.piece.bars) == ("Air, continued", 6)


def test_without_a_piece_nothing_can_be_continued(
    app_controller: AppController, window: MainWindow
) -> None:
    """The tooltip gives the reason."""
    act = window.commands.rewriting.continue_by[0]
    assert not act.isEnabled()
    assert "nothing to rewrite yet" in act.toolTip()
    assert window.compose_page.strip.more.toolTip() == act.toolTip()
    app_controller.document.show_piece(PIECE)
    assert act.isEnabled()
    window.compose_page.strip.more.click()
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    assert act in menu.actions()
    menu.close()
