"""The growth of an analysis while a piece is written."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.ui.attention import analysis_cache
from musicrel.ui.attention.analysis_cache import AnalysisCache
from tests.ui.fakes import FakeJobs, steps_of

PIECE = Chorale.of(np.full((16, 4), [72, 67, 64, 48]))


@pytest.fixture
def growing(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[AnalysisCache]:
    """Yield a cache with an analysis that has time for one step at once."""
    del qtbot
    monkeypatch.setattr(analysis_cache, "SLICE", 0.0)
    cache = AnalysisCache(FakeJobs().analyse)
    cache.begin(PIECE, "full")
    yield cache
    cache.shut_down()


def cells(cache: AnalysisCache) -> int:
    """Return the number of cells of the current analysis."""
    return cache.current.cells if cache.current is not None else 0


def test_many_steps_at_once_are_added_between_other_events(
    growing: AnalysisCache, qtbot: QtBot
) -> None:
    """The views get one signal, when all are there."""
    changes = QSignalSpy(growing.changed)
    growing.add(tuple(steps_of(PIECE))[:8], PIECE)
    assert (cells(growing), changes.count()) == (1, 0)

    qtbot.waitUntil(lambda: changes.count() == 1)

    assert cells(growing) == 8


def test_the_end_of_the_piece_waits_for_no_step(growing: AnalysisCache) -> None:
    """The analysis is complete then."""
    growing.add(tuple(steps_of(PIECE)), PIECE)

    growing.end(PIECE)

    assert cells(growing) == 64


def test_steps_of_a_stopped_piece_are_dropped(growing: AnalysisCache, qtbot: QtBot) -> None:
    """They belong to no analysis any more."""
    growing.add(tuple(steps_of(PIECE))[:8], PIECE)
    growing.end(None)
    assert growing.current is None

    growing.begin(PIECE, "full")
    growing.add(tuple(steps_of(PIECE))[:2], PIECE)

    qtbot.waitUntil(lambda: cells(growing) == 2)
