"""A study's folder, table, samples and models on the experiment page."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from musicrel.experiment.runs.event_log import EventLog
from musicrel.experiment.study import definition, layer_costs, study_folder
from musicrel.experiment.study.memory_study import MemoryStudy
from musicrel.presentation.study import study_form
from musicrel.score import json_file
from musicrel.ui.app_controller import AppController
from tests.helpers.models import tiny_model_directory
from tests.helpers.music import minuet
from tests.ui.experiment.study_app import SOON, begin, column, page, state, waiting


def form_text(app_controller: AppController) -> str:
    """Return the study of the form as TOML."""
    return study_form.text(page(app_controller).form.form())


def test_table_is_copied_and_sorted(open_app: Callable[[], AppController], qtbot: QtBot) -> None:
    """A click on a header sorts it; Markdown and CSV have the shown order."""
    app_controller = open_app()
    app_controller.studies.choose(waiting())
    table = page(app_controller).study.runs
    qtbot.waitUntil(lambda: table.table.rowCount() == 2, timeout=SOON)
    table.sort(0)
    assert column(app_controller, 0) == ["Relative", "Vanilla"]
    table.copy_csv.trigger()
    assert QGuiApplication.clipboard().text().splitlines()[1].startswith("relative,0,queued")
    table.copy_markdown.trigger()
    assert QGuiApplication.clipboard().text().splitlines()[2].startswith("| Relative | 0 | queued")


def test_memory_study_shows_its_table_and_result(
    open_app: Callable[[], AppController], qtbot: QtBot
) -> None:
    """They replace curves and runs and are updated; another study shows its own again."""
    app_controller = open_app()
    form, view = page(app_controller).form, page(app_controller).study
    form.templates.chosen.emit(form.templates.row_of("Attention memory"))
    qtbot.waitUntil(lambda: "20 rows" in form.plan.text(), timeout=SOON)
    measured = definition.parse(form_text(app_controller), "memory")
    assert isinstance(measured, MemoryStudy)
    few = replace(measured, lengths=(16, 32), arms=("vanilla",), width=16, heads=2, repeats=1,
                  text='name = "memory"\nkind = "memory"\nlengths = [16, 32]\narms = ["vanilla"]\n'
                  'width = 16\nheads = 2\nrepeats = 1\n')  # fmt: skip
    place = study_folder.unused_folder("memory")
    definition.create(place, few)
    app_controller.studies.choose(place)
    qtbot.waitUntil(lambda: state(app_controller) == "queued", timeout=SOON)
    assert view.costs.isVisible()
    assert not view.curves.isVisible()
    assert view.verdict.accessibleName().startswith("No result yet: no row is measured")

    for _ in layer_costs.measure(few, place, resume=True):
        pass

    qtbot.waitUntil(lambda: state(app_controller) == "finished", timeout=SOON)
    qtbot.waitUntil(lambda: "Memory grows" in view.verdict.text(), timeout=SOON)
    table = view.costs.tables["Peak memory"]
    cells = [table.item(row, 0) for row in range(table.rowCount())]
    assert [cell.text() for cell in cells if cell is not None] == ["16", "32", "growth"]
    app_controller.studies.choose(waiting())
    qtbot.waitUntil(lambda: state(app_controller) == "queued", timeout=SOON)
    assert view.curves.isVisible()
    assert not view.costs.isVisible()


def test_sample_is_played_and_opened(open_app: Callable[[], AppController], qtbot: QtBot) -> None:
    """Afterwards the player has the current piece again."""
    app_controller = open_app()
    folder = waiting()
    run = folder / "runs/vanilla-seed0"
    (run / "samples").mkdir()
    json_file.write(minuet(), run / "samples/step-4.json")
    event = {"event": "TrainSampled", "step": 4, "file": "step-4.json", "nats_per_note": 2.0}
    EventLog(run / "events.jsonl").append(event)
    app_controller.studies.choose(folder)
    samples = page(app_controller).study.samples
    qtbot.waitUntil(lambda: len(samples.cards) == 1, timeout=SOON)
    card = samples.cards[0]

    card.play.click()
    player = app_controller.player
    assert (player.playing, player.chorale, card.play.text()) == (True, card.piece, "Stop")
    card.play.click()
    assert (player.playing, card.play.text()) == (False, "Play")
    card.open.click()
    assert app_controller.document.piece is card.piece
    assert app_controller.window.pages.current == "compose"


def test_finished_model_can_be_used(open_app: Callable[[], AppController], qtbot: QtBot) -> None:
    """It is installed and selected, and the compose page opens."""
    app_controller = open_app()
    folder = waiting()
    begin(app_controller, qtbot, folder)
    (folder / "go").touch()
    qtbot.waitUntil(page(app_controller).study.runs.use.isEnabled, timeout=SOON)
    for run in (folder / "runs").iterdir():
        tiny_model_directory(run / "model")
    before = app_controller.preferences.settings.model
    page(app_controller).study.runs.table.selectRow(1)
    assert app_controller.preferences.settings.model == before
    page(app_controller).study.runs.use.click()

    name = "smoke-relative-seed0"
    qtbot.waitUntil(lambda: app_controller.preferences.settings.model == name, timeout=SOON)
    assert (
        Path(study_folder.runs_folder().parent) / "models/smoke-relative-seed0/card.json"
    ).is_file()
    assert app_controller.window.pages.current == "compose"


def test_study_folder_elsewhere_is_opened_and_remembered(
    open_app: Callable[[], AppController], qtbot: QtBot, tmp_path: Path
) -> None:
    """A folder without a study is reported."""
    folder = waiting()
    elsewhere = tmp_path / "elsewhere"
    shutil.move(folder, elsewhere)
    app_controller = open_app()
    app_controller.studies.open_folder(elsewhere)
    qtbot.waitUntil(lambda: state(app_controller) == "queued", timeout=SOON)
    qtbot.waitUntil(lambda: study_folder.known_folders() == [elsewhere], timeout=SOON)

    app_controller.studies.open_folder(tmp_path)
    qtbot.waitUntil(lambda: "holds no study" in page(app_controller).banner.message, timeout=SOON)


def test_deleted_folder_is_reported(open_app: Callable[[], AppController], qtbot: QtBot) -> None:
    """The last state stays visible."""
    app_controller = open_app()
    folder = waiting()
    app_controller.studies.choose(folder)
    qtbot.waitUntil(lambda: state(app_controller) == "queued", timeout=SOON)
    shutil.rmtree(folder)

    qtbot.waitUntil(lambda: state(app_controller) == "gone", timeout=SOON)
    assert "was deleted" in page(app_controller).study.banner.message
    page(app_controller).list.new.click()
    assert page(app_controller).form.isVisible()


def test_unsupported_format_is_reported(
    open_app: Callable[[], AppController], qtbot: QtBot
) -> None:
    """The banner has one sentence."""
    app_controller = open_app()
    folder = waiting()
    (folder / definition.ABOUT).write_text('{"format": "musicrel-study", "version": 0}')
    app_controller.studies.choose(folder)

    qtbot.waitUntil(lambda: state(app_controller) == "unreadable", timeout=SOON)
    assert "format version 0" in page(app_controller).study.banner.message
