"""A study's folder, table, samples and models on the experiment page."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from musicrel.experiment.runs.event_log import EventLog
from musicrel.experiment.runs.events import TrainSampled
from musicrel.experiment.study import definition, layer_costs, run_table, study_folder, study_form
from musicrel.experiment.study.blocks import Cell
from musicrel.experiment.study.memory_study import MemoryStudy
from musicrel.experiment.study.run_watch import RunStatus
from musicrel.score import json_file
from musicrel.ui.app_controller import AppController
from musicrel.ui.experiment.sample_panel import SamplePanel
from musicrel.ui.experiment.tables import RunTableView
from tests.helpers.models import tiny_model_directory
from tests.helpers.music import minuet
from tests.ui.experiment.study_app import SOON, begin, choose_template, column, page, state, waiting


def form_text(app: AppController) -> str:
    return study_form.text(page(app).form.form())


def test_table_is_copied_and_sorted(app: AppController, qtbot: QtBot) -> None:
    app.studies.choose(waiting())
    table = page(app).study.runs
    qtbot.waitUntil(lambda: table.table.rowCount() == 2, timeout=SOON)
    table.sort(0)
    assert column(app, 0) == ["Relative", "Vanilla"]
    table.copy_csv.trigger()
    assert QGuiApplication.clipboard().text().splitlines()[1].startswith("Relative,0,queued")
    table.copy_latex.trigger()
    assert r"Relative & 0 & queued" in QGuiApplication.clipboard().text()
    table.copy_markdown.trigger()
    assert QGuiApplication.clipboard().text().splitlines()[2].startswith("| Relative | 0 | queued")


def test_memory_study_shows_its_table_and_result(app: AppController, qtbot: QtBot) -> None:
    form, view = page(app).form, page(app).study
    choose_template(app, "Attention memory")
    qtbot.waitUntil(lambda: "20 rows" in form.plan.text(), timeout=SOON)
    measured = definition.parse(form_text(app), "memory")
    assert isinstance(measured, MemoryStudy)
    few = replace(measured, lengths=(16, 32), arms=("vanilla",), width=16, heads=2, repeats=1,
                  text='name = "memory"\nkind = "memory"\nlengths = [16, 32]\narms = ["vanilla"]\n'
                  'width = 16\nheads = 2\nrepeats = 1\n')  # fmt: skip
    place = study_folder.unused_folder("memory")
    definition.create(place, few)
    app.studies.choose(place)
    qtbot.waitUntil(lambda: state(app) == "queued", timeout=SOON)
    assert view.costs.isVisible()
    assert not view.curves.isVisible()
    assert view.verdict.accessibleName().startswith("No result yet: no row is measured")

    for _ in layer_costs.measure(few, place, resume=True):
        pass

    qtbot.waitUntil(lambda: state(app) == "finished", timeout=SOON)
    qtbot.waitUntil(lambda: "Memory grows" in view.verdict.text(), timeout=SOON)
    table = view.costs.tables["Peak memory"]
    cells = [table.item(row, 0) for row in range(table.rowCount())]
    assert [cell.text() for cell in cells if cell is not None] == ["16", "32", "growth"]
    app.studies.choose(waiting())
    qtbot.waitUntil(lambda: state(app) == "queued", timeout=SOON)
    assert view.curves.isVisible()
    assert not view.costs.isVisible()


def test_samples_of_one_evaluation_are_side_by_side(qtbot: QtBot) -> None:
    def run(arm: str, *steps: int) -> RunStatus:
        samples = (TrainSampled(step=step, file="none", nats_per_note=1.0) for step in steps)
        return RunStatus(arm=arm, seed=0, folder=Path(arm), samples=tuple(samples))

    panel = SamplePanel()
    qtbot.addWidget(panel)
    panel.show_runs((run("vanilla", 10, 20), run("relative", 10), run("rope")), ended=False)

    assert [panel.step.itemData(row) for row in range(panel.step.count())] == [20, 10]
    assert [card.title.toolTip() for card in panel.cards] == [
        "Vanilla · seed 0 · step 20", "Relative · seed 0 · step 10",
    ]  # fmt: skip


def test_sample_is_played_and_opened(app: AppController, qtbot: QtBot) -> None:
    folder = waiting()
    run = folder / "runs/vanilla-seed0"
    (run / "samples").mkdir()
    json_file.write(minuet(), run / "samples/step-4.json")
    event = {"event": "TrainSampled", "step": 4, "file": "step-4.json", "nats_per_note": 2.0}
    EventLog(run / "events.jsonl").append(event)
    app.studies.choose(folder)
    samples = page(app).study.samples
    qtbot.waitUntil(lambda: len(samples.cards) == 1, timeout=SOON)
    card = samples.cards[0]

    card.play.click()
    player = app.player
    assert (player.playing, player.chorale, card.play.text()) == (True, card.piece, "Stop")
    card.play.click()
    assert (player.playing, card.play.text()) == (False, "Play")
    card.open.click()
    assert app.document.piece is card.piece
    assert app.window.pages.current == "compose"


def test_finished_model_can_be_used(app: AppController, qtbot: QtBot) -> None:
    folder = waiting()
    begin(app, qtbot, folder)
    (folder / "go").touch()
    qtbot.waitUntil(page(app).study.runs.use.isEnabled, timeout=SOON)
    for run in (folder / "runs").iterdir():
        tiny_model_directory(run / "model")
    before = app.preferences.settings.model
    page(app).study.runs.table.selectRow(1)
    assert app.preferences.settings.model == before
    page(app).study.runs.use.click()

    name = "smoke-relative-seed0"
    qtbot.waitUntil(lambda: app.preferences.settings.model == name, timeout=SOON)
    assert (
        Path(study_folder.runs_folder().parent) / "models/smoke-relative-seed0/card.json"
    ).is_file()
    assert app.window.pages.current == "compose"


def test_study_folder_elsewhere_is_opened_and_remembered(
    open_app: Callable[[], AppController], qtbot: QtBot, tmp_path: Path
) -> None:
    folder = waiting()
    elsewhere = tmp_path / "elsewhere"
    shutil.move(folder, elsewhere)
    app = open_app()
    app.studies.open_folder(elsewhere)
    qtbot.waitUntil(lambda: state(app) == "queued", timeout=SOON)
    qtbot.waitUntil(lambda: study_folder.known_folders() == [elsewhere], timeout=SOON)

    app.studies.open_folder(tmp_path)
    qtbot.waitUntil(lambda: "holds no study" in page(app).banner.message, timeout=SOON)


def test_deleted_folder_is_reported(app: AppController, qtbot: QtBot) -> None:
    folder = waiting()
    app.studies.choose(folder)
    qtbot.waitUntil(lambda: state(app) == "queued", timeout=SOON)
    shutil.rmtree(folder)

    qtbot.waitUntil(lambda: state(app) == "gone", timeout=SOON)
    assert "was deleted" in page(app).study.banner.message
    page(app).list.new.click()
    assert page(app).form.isVisible()


def test_unsupported_format_is_reported(app: AppController, qtbot: QtBot) -> None:
    folder = waiting()
    (folder / definition.ABOUT).write_text('{"format": "musicrel-study", "version": 0}')
    app.studies.choose(folder)

    qtbot.waitUntil(lambda: state(app) == "unreadable", timeout=SOON)
    assert "format version 0" in page(app).study.banner.message


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
