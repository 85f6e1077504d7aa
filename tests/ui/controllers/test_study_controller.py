"""The Experiment place, whole, on a stand-in for the process that carries a study out."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from musicrel.experiment.runs import folder_lock, run_control
from musicrel.experiment.runs.event_log import EventLog
from musicrel.experiment.study import layer_costs, memory_study, results, study, study_folder
from musicrel.playback.player import Player
from musicrel.presentation.compose import models
from musicrel.presentation.study import study_form
from musicrel.score import json_file
from musicrel.settings import Settings
from musicrel.ui.app_controller import House
from musicrel.ui.experiment.experiment_page import ExperimentPage
from musicrel.ui.experiment.study_form_controller import CHECKING
from musicrel.ui.experiment.study_jobs import Desk
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.models import tiny_model_directory
from tests.helpers.music import minuet
from tests.helpers.sound import ManualOutput
from tests.ui import fake_study
from tests.ui.conftest import CHOICES
from tests.ui.fakes import FakeJobs

FAKE = (sys.executable, str(Path(fake_study.__file__)))
SOON = 20_000
"""Milliseconds after which a process that was started must have come so far."""


@pytest.fixture(autouse=True)
def no_process_is_left(home: Path) -> Iterator[None]:
    """What a test started in its home ends with it."""
    del home
    yield
    for folder in study_folder.known():
        pid = folder_lock.writer(folder)
        if pid is not None:
            psutil.Process(pid).kill()


@pytest.fixture
def open_house(
    jobs: FakeJobs, home: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> Iterator[Callable[[], House]]:
    """Opens the app in the Experiment place; at the end all that were opened are closed."""
    del home
    monkeypatch.setattr(models, "installed", lambda: (CHOICES, ()))
    houses: list[House] = []

    def opened() -> House:
        window = MainWindow()
        qtbot.addWidget(window)
        house = House(
            window, jobs.compose, jobs.warm_up, read=jobs.read, propose=jobs.propose,
            settings=Settings(theme="light"),
            player=Player(ManualOutput(), threaded=False), desk=Desk(program=FAKE),
        )  # fmt: skip
        with qtbot.waitExposed(window):
            window.show()
        houses.append(house)
        window.places.open("experiment")
        return house

    yield opened
    for house in houses:
        house.studio._window.close()


def page(house: House) -> ExperimentPage:
    """Its Experiment place."""
    return house.experimenting._page


def state(house: House) -> str:
    """How the study that is seen stands."""
    now = house.experimenting.now
    return now.state if now is not None else ""


def column(house: House, place: int) -> list[str]:
    """What stands in a column of the table of runs."""
    table = page(house).study.runs.table
    items = [table.item(row, place) for row in range(table.rowCount())]
    return [item.text() for item in items if item is not None]


def waiting(name: str = "smoke") -> Path:
    """A study in the user's folder that nobody has started."""
    folder = study_folder.free(name)
    results.begin(folder, study.load("smoke"))
    return folder


def begin(house: House, qtbot: QtBot, folder: Path) -> None:
    """Start a study that waits, and see it run."""
    house.experimenting.choose(folder)
    qtbot.waitUntil(lambda: state(house) == "queued", timeout=SOON)
    house.experimenting.do("start")
    qtbot.waitUntil(lambda: state(house) == "running", timeout=SOON)


def test_first_visit_shows_the_form_of_a_shipped_study(
    open_house: Callable[[], House], qtbot: QtBot
) -> None:
    """Checked by the engine: what it would make, and honestly no estimate."""
    house = open_house()
    form = page(house).form

    qtbot.waitUntil(lambda: "4 runs" in form.plan.text(), timeout=SOON)
    assert page(house).shows_form
    assert form.template.currentText() == "quick"
    assert "No estimate" in form.plan.text()
    assert form.start.isEnabled()
    assert [box.text() for box in form.arms.boxes][:2] == ["vanilla", "relative"]


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ("amount", "0", "budget is 0 tokens: expected more than 0"),
        ("seeds", "0-9999", "asks for 20,000 runs: expected at most 200"),
        ("seeds", "x", "expected whole numbers that differ"),
        ("name", "a/b", "expected up to 40 letters"),
    ],
)
def test_engine_answers_a_bad_value(
    field: str, typed: str, sentence: str, open_house: Callable[[], House], qtbot: QtBot
) -> None:
    """In its one sentence; the button says why it does nothing."""
    house = open_house()
    form = page(house).form
    qtbot.waitUntil(lambda: "4 runs" in form.plan.text(), timeout=SOON)
    getattr(form, field).setText(typed)

    qtbot.waitUntil(lambda: sentence in form.problem.text(), timeout=SOON)
    assert not form.start.isEnabled()
    assert sentence in form.start.toolTip() or sentence in form.problem.text()


def test_bad_study_file_is_answered_in_one_sentence(
    open_house: Callable[[], House], qtbot: QtBot, tmp_path: Path
) -> None:
    """The sentence stays, also when schemes are offered that the file does not name."""
    house = open_house()
    form = page(house).form
    qtbot.waitUntil(form.start.isEnabled, timeout=SOON)
    file = tmp_path / "spiral.toml"
    file.write_text(study.load("smoke").text.replace('scheme = "relative"', 'scheme = "spiral"'))
    house.experimenting.planning._read(file, -1)

    sentence = "unknown positional scheme 'spiral': expected one of none, sinusoidal"
    qtbot.waitUntil(lambda: sentence in form.start.toolTip(), timeout=SOON)
    assert sentence in form.problem.text()
    assert not form.start.isEnabled()


def test_nothing_is_started_that_the_engine_has_not_seen(
    open_house: Callable[[], House], qtbot: QtBot
) -> None:
    """From the first letter typed until it has answered."""
    house = open_house()
    form = page(house).form
    qtbot.waitUntil(form.start.isEnabled, timeout=SOON)

    form.amount.setText("7")
    assert not form.start.isEnabled()
    assert form.start.toolTip() == CHECKING
    qtbot.waitUntil(form.start.isEnabled, timeout=SOON)


def test_study_that_waited_begins_when_the_app_is_opened(
    open_house: Callable[[], House], qtbot: QtBot
) -> None:
    """The oldest of them; whoever closed the app had put it into the queue."""
    folder = waiting()
    house = open_house()
    house.experimenting.choose(folder)

    qtbot.waitUntil(lambda: state(house) == "running", timeout=SOON)


def test_study_is_started_once_though_it_takes_its_time(home: Path) -> None:
    """Until its process has the lock, nothing in the folder tells that it is on its way."""
    desk, folder = Desk(program=FAKE), waiting()
    for _ in range(2):
        desk.go_on(folder, "study")
    assert desk._do_commands() == []

    (process,) = desk._started.values()
    process.kill()
    process.wait()
    assert home.exists()


def test_stopping_is_said_at_once(open_house: Callable[[], House], qtbot: QtBot) -> None:
    """Until the process has saved and ended; it can still be cancelled."""
    house = open_house()
    begin(house, qtbot, waiting())
    buttons = page(house).study.buttons
    buttons["stop"].click()

    assert page(house).study.state.text().startswith("Stopping: ")
    assert not buttons["stop"].isEnabled()
    assert buttons["cancel"].isEnabled()
    qtbot.waitUntil(lambda: state(house) == "stopped", timeout=SOON)
    assert page(house).study.state.text().startswith("Stopped and saved")


def test_study_is_started_paused_resumed_and_finished(
    open_house: Callable[[], House], qtbot: QtBot
) -> None:
    """Its curves, table and verdict are seen; the process is told through its folder alone."""
    house = open_house()
    form = page(house).form
    qtbot.waitUntil(form.start.isEnabled, timeout=SOON)
    form.template.setCurrentIndex(form.template.findText("smoke"))
    form.template.activated.emit(form.template.findText("smoke"))
    qtbot.waitUntil(lambda: "2 runs" in form.plan.text(), timeout=SOON)
    form.start.click()
    qtbot.waitUntil(lambda: state(house) == "running", timeout=SOON)
    folder = study_folder.folder() / "smoke"

    page(house).study.buttons["pause"].click()
    qtbot.waitUntil(lambda: state(house) == "paused", timeout=SOON)
    assert page(house).study.buttons["resume"].isVisible()
    (folder / "go").touch()
    page(house).study.buttons["resume"].click()

    qtbot.waitUntil(lambda: state(house) == "finished", timeout=SOON)
    view = page(house).study
    qtbot.waitUntil(lambda: "better by 1.000" in view.verdict.text(), timeout=SOON)
    assert column(house, 3) == ["2.6000", "2.6000"]
    assert "vanilla 2.600" in view.curves.view._draw((600, 300)).title  # type: ignore[misc]
    assert not view.buttons["stop"].isEnabled()
    assert "finished" in view.buttons["stop"].toolTip()
    asked = [line["wish"] for line in EventLog(folder / run_control.CONTROL).events()]
    assert asked == ["pause", "resume"]


def test_study_goes_on_when_the_app_is_closed_and_is_found_again(
    open_house: Callable[[], House], qtbot: QtBot
) -> None:
    """Closing ends no study; the next start shows it running, and can stop it."""
    first = open_house()
    folder = waiting()
    begin(first, qtbot, folder)
    first.studio._window.close()
    assert first.all_ended
    assert folder_lock.writer(folder) is not None

    second = open_house()
    qtbot.waitUntil(lambda: page(second).list.list.count() == 1, timeout=SOON)
    page(second).list.list.setCurrentRow(0)
    qtbot.waitUntil(lambda: state(second) == "running", timeout=SOON)
    page(second).study.buttons["stop"].click()
    qtbot.waitUntil(lambda: state(second) == "stopped", timeout=SOON)
    assert page(second).study.buttons["start"].text() == "&Resume"


def test_two_apps_follow_one_study(open_house: Callable[[], House], qtbot: QtBot) -> None:
    """Neither writes but its wishes; each can steer."""
    one, other = open_house(), open_house()
    folder = waiting()
    begin(one, qtbot, folder)
    other.experimenting.choose(folder)
    qtbot.waitUntil(lambda: state(other) == "running", timeout=SOON)

    other.experimenting.do("pause")
    qtbot.waitUntil(lambda: state(one) == state(other) == "paused", timeout=SOON)
    one.experimenting.do("stop")
    qtbot.waitUntil(lambda: state(one) == state(other) == "stopped", timeout=SOON)


def test_killed_study_is_interrupted_and_can_be_resumed(
    open_house: Callable[[], House], qtbot: QtBot
) -> None:
    """It goes on in a new process."""
    house = open_house()
    folder = waiting()
    begin(house, qtbot, folder)
    pid = folder_lock.writer(folder)
    assert pid is not None
    psutil.Process(pid).kill()

    qtbot.waitUntil(lambda: state(house) == "crashed", timeout=SOON)
    assert page(house).study.state.text().startswith("Interrupted")
    (folder / "go").touch()
    page(house).study.buttons["start"].click()
    qtbot.waitUntil(lambda: state(house) == "finished", timeout=SOON)


def test_next_in_the_queue_begins_when_one_has_ended(
    open_house: Callable[[], House], qtbot: QtBot
) -> None:
    """Also after a failure, whose sentence is shown."""
    house = open_house()
    first, second = waiting("first"), waiting("second")
    (first / "fail").touch()
    begin(house, qtbot, first)
    qtbot.waitUntil(lambda: page(house).form.start.text() == "Add to queue", timeout=SOON)
    (first / "go").touch()

    qtbot.waitUntil(lambda: state(house) == "failed", timeout=SOON)
    assert "the loss is no number" in page(house).study.banner.sentence
    qtbot.waitUntil(lambda: folder_lock.writer(second) is not None, timeout=SOON)
    house.experimenting.choose(second)
    qtbot.waitUntil(lambda: state(house) == "running", timeout=SOON)


@pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: dialogs
def test_cancelling_is_asked_for_once_more(open_house: Callable[[], House], qtbot: QtBot) -> None:
    """Leaving it is what Escape and Return do."""
    house = open_house()
    folder = waiting()
    begin(house, qtbot, folder)
    page(house).study.buttons["cancel"].click()
    (box,) = house.studio._window.findChildren(QMessageBox)
    box.escapeButton().click()
    assert run_control.length(folder) == 0

    page(house).study.buttons["cancel"].click()
    box = house.studio._window.findChildren(QMessageBox)[-1]
    next(button for button in box.buttons() if button is not box.escapeButton()).click()
    qtbot.waitUntil(lambda: state(house) == "cancelled", timeout=SOON)
    assert page(house).study.state.text().startswith("Ended at once")


@pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: dialogs
def test_waiting_study_is_taken_out_of_the_queue(
    open_house: Callable[[], House], qtbot: QtBot
) -> None:
    """After a question; its folder is gone then."""
    house = open_house()
    folder = waiting()
    house.experimenting.choose(folder)
    qtbot.waitUntil(lambda: state(house) == "queued", timeout=SOON)
    page(house).study.buttons["cancel"].click()
    (box,) = house.studio._window.findChildren(QMessageBox)
    next(button for button in box.buttons() if button is not box.escapeButton()).click()

    qtbot.waitUntil(lambda: not folder.exists(), timeout=SOON)
    assert page(house).shows_form


def test_folder_that_vanishes_is_told(open_house: Callable[[], House], qtbot: QtBot) -> None:
    """In a sentence; what was seen of it stays, and the window can be used."""
    house = open_house()
    folder = waiting()
    house.experimenting.choose(folder)
    qtbot.waitUntil(lambda: state(house) == "queued", timeout=SOON)
    shutil.rmtree(folder)

    qtbot.waitUntil(lambda: state(house) == "gone", timeout=SOON)
    assert "is gone" in page(house).study.banner.sentence
    page(house).list.new.click()
    assert page(house).shows_form


def test_older_format_is_told(open_house: Callable[[], House], qtbot: QtBot) -> None:
    """In a sentence, without a traceback."""
    house = open_house()
    folder = waiting()
    (folder / results.ABOUT).write_text('{"format": "musicrel-study", "version": 0}')
    house.experimenting.choose(folder)

    qtbot.waitUntil(lambda: state(house) == "unreadable", timeout=SOON)
    assert "format version 0" in page(house).study.banner.sentence


def test_study_folder_elsewhere_is_opened_and_remembered(
    open_house: Callable[[], House], qtbot: QtBot, tmp_path: Path
) -> None:
    """A folder without a study is answered with a sentence."""
    folder = waiting()
    elsewhere = tmp_path / "elsewhere"
    shutil.move(folder, elsewhere)
    house = open_house()
    house.experimenting.open_folder(elsewhere)
    qtbot.waitUntil(lambda: state(house) == "queued", timeout=SOON)
    assert study_folder.known() == [elsewhere]

    house.experimenting.open_folder(tmp_path)
    qtbot.waitUntil(lambda: "holds no study" in page(house).banner.sentence, timeout=SOON)


def test_finished_model_is_taken_to_compose(
    open_house: Callable[[], House], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one click: it is among the models, chosen, and the place where one writes is open."""
    house = open_house()
    folder = waiting()
    begin(house, qtbot, folder)
    (folder / "go").touch()
    qtbot.waitUntil(page(house).study.runs.use.isEnabled, timeout=SOON)
    for run in (folder / "runs").iterdir():
        tiny_model_directory(run / "model")
    chosen: list[str] = []
    monkeypatch.setattr(house.studio.machine, "choose_model", chosen.append)
    page(house).study.runs.table.selectRow(1)
    page(house).study.runs.use.click()

    qtbot.waitUntil(lambda: chosen == ["smoke-relative-seed0"], timeout=SOON)
    assert (Path(study_folder.folder().parent) / "models/smoke-relative-seed0/card.json").is_file()
    assert house.studio._window.places.current == "compose"


def test_small_piece_is_heard_and_taken_to_compose(
    open_house: Callable[[], House], qtbot: QtBot
) -> None:
    """The piece of the sheet is back in the player afterwards."""
    house = open_house()
    folder = waiting()
    run = folder / "runs/vanilla-seed0"
    (run / "samples").mkdir()
    json_file.write(minuet(), run / "samples/step-4.json")
    event = {"event": "TrainSampled", "step": 4, "file": "step-4.json", "nats_per_note": 2.0}
    EventLog(run / "events.jsonl").append(event)
    house.experimenting.choose(folder)
    samples = page(house).study.samples
    qtbot.waitUntil(lambda: len(samples.cards) == 1, timeout=SOON)
    card = samples.cards[0]

    card.play.click()
    player = house.listening._player
    assert (player.playing, player.chorale, card.play.text()) == (True, card.piece, "Stop")
    card.play.click()
    assert (player.playing, card.play.text()) == (False, "Play")
    card.open.click()
    assert house.studio.piece is card.piece
    assert house.studio._window.places.current == "compose"


def test_table_is_copied_and_sorted(open_house: Callable[[], House], qtbot: QtBot) -> None:
    """By a click on a head; as Markdown and CSV, in the order that is seen."""
    house = open_house()
    house.experimenting.choose(waiting())
    table = page(house).study.runs
    qtbot.waitUntil(lambda: table.table.rowCount() == 2, timeout=SOON)
    table.sort(0)
    assert column(house, 0) == ["relative", "vanilla"]
    table.copy_csv.click()
    assert QGuiApplication.clipboard().text().splitlines()[1].startswith("relative,0,queued")
    table.copy_markdown.click()
    assert QGuiApplication.clipboard().text().splitlines()[2].startswith("| relative | 0 | waiting")


def test_everything_is_reached_by_keyboard(open_house: Callable[[], House], qtbot: QtBot) -> None:
    """Tab comes to the list, the form and its button."""
    house = open_house()
    boxes = page(house).form.arms.boxes
    qtbot.waitUntil(lambda: len(boxes) > 2 and boxes[-1].isVisible(), timeout=SOON)
    window = house.studio._window
    seen = set()
    for _ in range(80):
        QTest.keyClick(window, Qt.Key.Key_Tab)
        seen.add(window.focusWidget())
    form = page(house).form
    entries = {form.template, form.name, form.seeds, form.amount, form.samples, *form.arms.boxes}
    assert {page(house).list.new, page(house).list.list, form.start} | entries <= seen


def test_all_four_studies_of_the_report_are_offered(
    open_house: Callable[[], House], qtbot: QtBot
) -> None:
    """Each with what it would do, checked by the engine; the published one as it was published."""
    house = open_house()
    form = page(house).form
    qtbot.waitUntil(lambda: "4 runs" in form.plan.text(), timeout=SOON)

    for name, says in (
        ("published", "relative-as-published 469,813 parameters (+32,768)"),
        ("window", "10 runs"),
        ("memory", "20 rows: vanilla, relative-tiled"),
        ("bytes", "11 runs"),
    ):
        row = form.template.findText(name)
        form.template.activated.emit(row)
        qtbot.waitUntil(lambda says=says: says in form.plan.text(), timeout=SOON)  # type: ignore[misc]
        assert form.start.isEnabled()
        assert form.seeds.isEnabled() == (name != "memory")
        assert not form.problem.text()


def test_a_study_that_trains_nothing_shows_its_table_and_sentence(
    open_house: Callable[[], House], qtbot: QtBot
) -> None:
    """In the place of curves and runs, as it grows; another study has its own again."""
    house = open_house()
    form, view = page(house).form, page(house).study
    form.template.activated.emit(form.template.findText("memory"))
    qtbot.waitUntil(lambda: "20 rows" in form.plan.text(), timeout=SOON)
    measured = memory_study.parse(form_text(house), "memory")
    assert measured is not None
    few = replace(measured, lengths=(16, 32), arms=("vanilla",), width=16, heads=2, repeats=1,
                  text='name = "memory"\nkind = "memory"\nlengths = [16, 32]\narms = ["vanilla"]\n'
                  'width = 16\nheads = 2\nrepeats = 1\n')  # fmt: skip
    place = study_folder.free("memory")
    layer_costs.begin(place, few)
    house.experimenting.choose(place)
    qtbot.waitUntil(lambda: state(house) == "queued", timeout=SOON)
    assert view.costs.isVisible()
    assert not view.curves.isVisible()
    assert view.verdict.text().startswith("No row is measured yet")

    for _ in layer_costs.measure(few, place, resume=True):
        pass

    qtbot.waitUntil(lambda: state(house) == "finished", timeout=SOON)
    qtbot.waitUntil(lambda: "Memory grows" in view.verdict.text(), timeout=SOON)
    table = view.costs.tables["Peak memory"]
    cells = [table.item(row, 0) for row in range(table.rowCount())]
    assert [cell.text() for cell in cells if cell is not None] == ["16", "32", "grows as"]
    house.experimenting.choose(waiting())
    qtbot.waitUntil(lambda: state(house) == "queued", timeout=SOON)
    assert view.curves.isVisible()
    assert not view.costs.isVisible()


def form_text(house: House) -> str:
    """The study that the form would begin, as TOML."""
    return study_form.text(page(house).form.form())
