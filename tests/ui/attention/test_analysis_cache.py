"""The growth of an analysis while a piece is written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtTest import QSignalSpy
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.errors import ModelError
from musicrel.ui.attention import analysis_cache
from musicrel.ui.attention.analysis_cache import AnalysisCache, AnalysisRequest
from tests.helpers.known import known
from tests.ui.fakes import FakeJobs, steps_of

PIECE = Chorale.of(np.full((16, 4), [72, 67, 64, 48]))


@pytest.fixture
def growing(monkeypatch: pytest.MonkeyPatch) -> Iterator[AnalysisCache]:
    monkeypatch.setattr(analysis_cache, "SLICE", 0.0)
    cache = AnalysisCache(FakeJobs().analyse)
    cache.begin(PIECE, "full")
    yield cache
    cache.shut_down()


def cells(cache: AnalysisCache) -> int:
    return cache.current.cells if cache.current is not None else 0


def test_many_steps_at_once_are_added_between_other_events(
    growing: AnalysisCache, qtbot: QtBot
) -> None:
    changes = QSignalSpy(growing.changed)
    growing.add(tuple(steps_of(PIECE))[:8], PIECE)
    assert (cells(growing), changes.count()) == (1, 0)

    qtbot.waitUntil(lambda: changes.count() == 1)

    assert cells(growing) == 8


def test_the_views_are_drawn_once_for_reports_that_come_together(
    growing: AnalysisCache, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr(analysis_cache, "SLICE", 10.0)
    changes, steps = QSignalSpy(growing.changed), tuple(steps_of(PIECE))
    growing.add(steps[:4], PIECE)
    growing.add(steps[4:8], PIECE)
    assert (cells(growing), changes.count()) == (8, 0)

    qtbot.waitUntil(lambda: changes.count() > 0)
    QCoreApplication.processEvents()

    assert changes.count() == 1


def test_the_end_of_a_piece_adds_one_slice_in_a_turn(growing: AnalysisCache, qtbot: QtBot) -> None:
    growing.add(tuple(steps_of(PIECE)), PIECE)
    growing.end(PIECE)

    seen = [cells(growing)]
    for _ in range(PIECE.steps * 4):
        QCoreApplication.processEvents()
        seen.append(cells(growing))

    assert seen[0] == 1
    assert max(np.diff(seen)) == 1  # a slice of no time has one step
    qtbot.waitUntil(lambda: known(growing.current).chorale is PIECE)
    assert cells(growing) == 64


def test_a_request_at_the_end_of_a_piece_finds_what_was_written(
    qtbot: QtBot, jobs: FakeJobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analysis_cache, "SLICE", 0.0)
    cache = AnalysisCache(jobs.analyse)
    cache.begin(PIECE, "full")
    cache.add(tuple(steps_of(PIECE)), PIECE)
    cache.end(PIECE)

    cache.request(*requests("full", "plain"))
    qtbot.waitUntil(lambda: names(cache) == ("full", "plain") and not cache.busy)

    assert [name for name, _, _ in jobs.analysis_requests] == ["plain"]
    assert known(cache.current).wrote
    cache.shut_down()


def test_an_edit_before_the_last_steps_are_added_drops_the_analysis(growing: AnalysisCache) -> None:
    growing.add(tuple(steps_of(PIECE)), PIECE)
    growing.end(PIECE)
    edited = replace(PIECE, title="edited")

    growing.end(edited)

    assert growing.current is None


def test_steps_of_a_stopped_piece_are_dropped(growing: AnalysisCache, qtbot: QtBot) -> None:
    growing.add(tuple(steps_of(PIECE))[:8], PIECE)
    growing.end(None)
    assert growing.current is None

    growing.begin(PIECE, "full")
    growing.add(tuple(steps_of(PIECE))[:2], PIECE)

    qtbot.waitUntil(lambda: cells(growing) == 2)


def test_steps_that_wait_are_dropped_with_the_window(growing: AnalysisCache) -> None:
    steps = tuple(steps_of(PIECE))
    growing.add(steps[:8], PIECE)
    changes = QSignalSpy(growing.changed)

    growing.shut_down()
    growing.add(steps[8:16], PIECE)
    QCoreApplication.processEvents()

    assert (cells(growing), changes.count()) == (1, 0)


def requests(*models: str) -> list[AnalysisRequest]:
    return [AnalysisRequest(model, "cpu", PIECE) for model in models]


@pytest.fixture
def two(jobs: FakeJobs) -> Iterator[AnalysisCache]:
    cache = AnalysisCache(jobs.analyse)
    cache.request(*requests("full", "plain"))
    yield cache
    cache.shut_down()


def names(cache: AnalysisCache) -> tuple[str | None, str | None]:
    shown = (cache.current, cache.second)
    return tuple(one.model if one is not None else None for one in shown)  # type: ignore[return-value]


def test_two_models_read_the_same_piece(two: AnalysisCache, jobs: FakeJobs, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: names(two) == ("full", "plain"))
    two.request(*requests("full", "plain"))

    assert sorted(name for name, _, _ in jobs.analysis_requests) == ["full", "plain"]
    assert known(two.second).chorale is PIECE


def test_models_that_change_places_are_not_read_again(
    two: AnalysisCache, jobs: FakeJobs, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: names(two) == ("full", "plain") and not two.busy)
    two.request(*requests("plain", "full"))
    assert names(two) == ("plain", "full")
    two.request(*requests("plain"))
    assert names(two) == ("plain", None)

    assert len(jobs.analysis_requests) == 2


def test_failure_of_the_second_model_leaves_the_first(
    two: AnalysisCache, jobs: FakeJobs, qtbot: QtBot
) -> None:
    qtbot.waitUntil(lambda: names(two) == ("full", "plain") and not two.busy)
    jobs.analysis_error = ModelError("it is gone")
    with qtbot.waitSignal(two.failed) as failed:
        two.request(*requests("full", "other"))
    assert failed.args == ["it is gone"]
    assert names(two) == ("full", None)
    jobs.analysis_error = None
    qtbot.waitUntil(lambda: not two.busy)

    two.request(*requests("full", "other"))
    qtbot.waitUntil(lambda: names(two) == ("full", "other"))


def test_progress_names_its_model(jobs: FakeJobs, qtbot: QtBot) -> None:
    cache = AnalysisCache(jobs.analyse)
    progress: list[tuple[str, float]] = []
    cache.progressed.connect(lambda model, share: progress.append((model, share)))
    jobs.endless_analysis = True
    cache.request(*requests("full"))
    qtbot.waitUntil(lambda: ("full", 0.25) in progress)
    jobs.endless_analysis = False
    qtbot.waitUntil(lambda: progress[-1] == ("full", 1.0))
    cache.shut_down()
