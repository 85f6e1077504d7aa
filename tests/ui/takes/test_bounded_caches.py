"""Two hundred generations do not grow without limit: sound and pictures of takes are dropped."""

from __future__ import annotations

import gc
from collections import Counter

import pytest
from pytestqt.qtbot import QtBot

from musicrel.playback.render_cache import RenderCache
from musicrel.presentation.attention.piece_analysis import PieceAnalysis
from musicrel.presentation.roll.roll import Roll
from musicrel.presentation.score.score_picture import Score
from musicrel.ui.app_controller import AppController
from musicrel.ui.shell.main_window import MainWindow
from musicrel.ui.takes.thumbnails import MAX_KEPT
from tests.ui.controllers.user_actions import generate

pytestmark = [
    pytest.mark.slow,
    pytest.mark.qt_log_ignore("This plugin does not support"),  # offscreen: raise, hints
]

GENERATIONS = 200
CACHED = (RenderCache, PieceAnalysis, Roll, Score)
MOST = 4
"""Most objects of one kind: those of the piece, and some that were replaced just now."""


def alive() -> Counter[str]:
    """Return the numbers of objects that hold sound, attention or pictures of pieces."""
    gc.collect()
    return Counter(type(one).__name__ for one in gc.get_objects() if type(one) in CACHED)


def test_caches_are_bounded(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The takes themselves are all kept."""
    view, seen, before = window.takes.view, Counter[str](), alive()
    for number in range(GENERATIONS):
        generate(qtbot, window)
        app_controller.player.work()
        view.horizontalScrollBar().setValue(view.horizontalScrollBar().maximum() * (number % 2))
        view.grab()
        if number % 10 == 0:
            window.commands.score.setChecked(True)
            qtbot.waitUntil(lambda: not app_controller.engraving.busy)
            seen |= alive()
            window.commands.score.setChecked(False)

    assert len(app_controller.document.takes.all) == GENERATIONS
    assert set(seen) == {kind.__name__ for kind in CACHED}
    assert {kind: count for kind, count in (alive() - before).items() if count > MOST} == {}
    assert 0 < len(view.cards.thumbnails) <= MAX_KEPT
