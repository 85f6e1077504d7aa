"""Tests of the table of runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from musicrel.experiment.study.run_watch import RunStatus
from musicrel.presentation.study import run_table
from musicrel.presentation.study.blocks import Cell
from musicrel.ui.experiment.tables import RunTableView


@pytest.fixture
def view(qtbot: QtBot) -> RunTableView:
    table = RunTableView()
    qtbot.addWidget(table)
    return table


def seeds(view: RunTableView) -> list[str]:
    items = [view.table.item(row, 1) for row in range(view.table.rowCount())]
    return [item.text() for item in items if item is not None]


def test_only_rows_that_have_changed_are_written_again(
    view: RunTableView, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (RunStatus(arm="a", seed=seed, folder=Path(str(seed))) for seed in (4, 7))
    view.show_runs((first, second))
    written: list[RunStatus] = []
    cells = run_table.cells

    def record(run: RunStatus) -> tuple[Cell, ...]:
        written.append(run)
        return cells(run)

    monkeypatch.setattr(run_table, "cells", record)
    running = replace(second, state="running", progress=0.5)
    view.show_runs((first, running))

    assert written == [running]
    state = view.table.item(1, 2)
    assert state is not None
    assert state.text().endswith("50 %")


def test_a_sorted_table_writes_the_rows_that_have_moved(view: RunTableView) -> None:
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
