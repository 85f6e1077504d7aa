"""Tests of the table of runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from musicrel.experiment.study.run_watch import RunStatus
from musicrel.presentation.study import run_table
from musicrel.ui.experiment.run_table_view import RunTableView


@pytest.fixture
def view(qtbot: QtBot) -> RunTableView:
    """Return an empty table."""
    table = RunTableView()
    qtbot.addWidget(table)
    return table


def seeds(view: RunTableView) -> list[str]:
    """Return the texts of the second column."""
    items = [view.table.item(row, 1) for row in range(view.table.rowCount())]
    return [item.text() for item in items if item is not None]


def test_only_rows_that_have_changed_are_written_again(
    view: RunTableView, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A study may have hundreds of runs, of which a few are training."""
    first, second = (RunStatus(arm="a", seed=seed, folder=Path(str(seed))) for seed in (4, 7))
    view.show_runs((first, second))
    written: list[RunStatus] = []
    rows = run_table.rows

    def record(runs: Sequence[RunStatus]) -> list[list[str]]:
        written.extend(runs)
        return rows(runs)

    monkeypatch.setattr(run_table, "rows", record)
    running = replace(second, state="running", progress=0.5)
    view.show_runs((first, running))

    assert written == [running]
    state = view.table.item(1, 2)
    assert state is not None
    assert state.text().endswith("50 %")


def test_a_sorted_table_writes_the_rows_that_have_moved(view: RunTableView) -> None:
    """Ascending, descending, and as they were; with a run more and a run less."""
    runs = tuple(RunStatus(arm="a", seed=seed, folder=Path(str(seed))) for seed in (7, 4, 9))
    view.show_runs(runs)
    found = [seeds(view)]
    for _ in range(3):
        view.sort(1)
        found.append(seeds(view))
    view.show_runs(runs[1:])
    found.append(seeds(view))

    assert found == [
        ["7", "4", "9"], ["4", "7", "9"], ["9", "7", "4"], ["7", "4", "9"], ["4", "9"],
    ]  # fmt: skip
