"""The app as its user meets it, on jobs that need no model."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel import settings
from musicrel.errors import GenerationError, ModelError
from musicrel.presentation.compose import models
from musicrel.settings import Settings
from musicrel.ui.controllers.compose_controller import Studio
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.fakes import PATIENCE, FakeJobs, written

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


def generate(qtbot: QtBot, window: MainWindow) -> None:
    """Press Generate and wait for the end."""
    QTest.mouseClick(window.page.controls.main, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.page.controls.main.text() == "Generate")


def hold(qtbot: QtBot, window: MainWindow, jobs: FakeJobs, cells: int) -> None:
    """Press Generate and wait until so many cells are written."""
    jobs.hold_at = cells
    QTest.mouseClick(window.page.controls.main, Qt.MouseButton.LeftButton)
    assert jobs.waiting.wait(PATIENCE)
    qtbot.waitUntil(lambda: window.state.startswith(("Writing", "Trying")))


def stop(qtbot: QtBot, window: MainWindow, jobs: FakeJobs) -> None:
    """Press Stop and wait for the end."""
    QTest.mouseClick(window.page.controls.main, Qt.MouseButton.LeftButton)
    jobs.gate.set()
    qtbot.waitUntil(lambda: window.page.controls.main.text() == "Generate")


def test_generate_writes_the_piece(
    studio: Studio, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The model is asked for what the form says; the piece is named, described and saveable."""
    generate(qtbot, window)

    ((name, device, request),) = jobs.asked
    assert (name, device, request.bars, request.seed) == ("full", "auto", 2, 7)
    assert studio.piece == written(request)
    assert window.page.title.whole == "Chorale 7"
    assert window.page.heading.text() == "4/4  ·  2 bars  ·  0:06"
    assert window.page.save.isEnabled()
    assert window.windowTitle() == "Chorale 7[*] – musicrel"
    assert window.isWindowModified()
    assert window.state == "Written in 1.0 seconds"
    assert re.fullmatch(r"full   ·   CPU   ·   128 tokens/s   ·   [\d,]+ MB", window.machine)


def test_piece_is_seen_while_it_grows(
    studio: Studio, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Notes, bar and progress; meanwhile the window can be used, but saves nothing half done."""
    hold(qtbot, window, jobs, 70)

    shown = window.page.roll.picture
    assert shown is not None
    assert (len({note.start for note in shown.notes}), shown.written) == (18, 18)
    assert window.state == "Writing bar 2 of 2"
    assert window.page.controls.progress.value() == round(1000 * 70 / 128)
    assert not window.page.save.isEnabled()
    assert "being written" in window.page.save.toolTip()
    assert studio.piece is None
    stop(qtbot, window, jobs)


def test_it_is_said_when_ways_to_an_end_are_tried(
    studio: Studio, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """No note is seen meanwhile; what was written stays in sight."""
    jobs.tries = True
    hold(qtbot, window, jobs, 70)
    qtbot.waitUntil(lambda: window.state == "Trying how the phrase may end")
    assert window.page.controls.progress.value() == round(1000 * 70 / 128)
    assert studio.piece is None
    stop(qtbot, window, jobs)
    assert studio.piece is not None


def test_stop_keeps_what_was_written(
    studio: Studio, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """As a piece of its own that says where it comes from and that it is not all."""
    hold(qtbot, window, jobs, 70)
    stop(qtbot, window, jobs)

    piece = studio.piece
    assert piece is not None
    assert piece.steps == 17
    assert piece.title == "Chorale 7, unfinished"
    assert piece.provenance is not None
    assert piece.provenance.settings["written_steps"] == 17
    assert window.page.save.isEnabled()
    assert window.state == "Stopped in bar 2 of 2"


def test_stop_before_the_first_note_leaves_an_empty_sheet(
    studio: Studio, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Nothing is called a piece that is none."""
    jobs.hold_at = 0
    QTest.mouseClick(window.page.controls.main, Qt.MouseButton.LeftButton)
    assert jobs.waiting.wait(PATIENCE)
    stop(qtbot, window, jobs)

    assert studio.piece is None
    assert window.page.title.whole == "New chorale"
    assert "nothing to save" in window.page.save.toolTip()


def test_escape_stops_and_control_g_generates(
    studio: Studio, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The keyboard is enough."""
    jobs.hold_at = 20
    QTest.keyClick(window, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    assert jobs.waiting.wait(PATIENCE)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    jobs.gate.set()

    qtbot.waitUntil(lambda: studio.piece is not None)
    assert window.page.title.whole == "Chorale 7, unfinished"


def test_failure_is_told_and_nothing_is_lost(
    studio: Studio, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """In the banner, as a sentence; the notes so far stay and the next try clears it."""
    jobs.fail_at, jobs.error = 40, GenerationError("the model gives no distribution at step 10")
    generate(qtbot, window)

    assert window.page.banner.sentence == "The model gives no distribution at step 10"
    assert studio.piece is not None
    assert studio.piece.steps == 10
    jobs.fail_at = None
    generate(qtbot, window)
    assert window.page.banner.sentence == ""


def test_window_closed_while_writing_ends_the_job(
    studio: Studio, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """In its own thread; nothing hangs and nothing is told to a window that is gone."""
    hold(qtbot, window, jobs, 40)
    jobs.gate.set()
    window.close()

    assert studio.all_ended
    assert len(jobs.closed_in) == 1
    assert not window.isVisible()


def test_same_form_again_gives_another_piece(
    studio: Studio, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """A new seed is rolled and shown; typing the old one gives the old piece."""
    generate(qtbot, window)
    first = studio.piece
    generate(qtbot, window)
    assert jobs.asked[1][2].seed == window.page.controls.entries.form().seed != 7

    window.page.controls.entries.seed.set_value(7)
    generate(qtbot, window)
    assert studio.piece == first


def test_stopped_piece_can_be_begun_again(
    studio: Studio, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """With the same seed, as it was never heard to its end."""
    hold(qtbot, window, jobs, 40)
    stop(qtbot, window, jobs)
    generate(qtbot, window)

    assert [request.seed for _, _, request in jobs.asked] == [7, 7]
    assert studio.piece is not None
    assert studio.piece.steps == 32


def test_phrases_that_do_not_fit_are_told_beside_them(
    studio: Studio, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Generate waits until they do, and says why."""
    controls = window.page.controls
    controls.entries.phrases.setText("1,2")

    assert controls.entries.problem.text() == controls.main.toolTip()
    assert "make 3 bars, but the piece has 2" in controls.main.toolTip()
    assert not controls.main.isEnabled()
    studio.generate()
    assert jobs.asked == []

    controls.entries.bars.setValue(3)
    assert controls.main.isEnabled()
    generate(qtbot, window)
    assert jobs.asked[0][2].phrases == (1, 2)


def test_empty_sheet_shows_the_form(studio: Studio, window: MainWindow) -> None:
    """Bars and fermatas stand there before a note is written."""
    window.page.controls.entries.bars.setValue(4)
    window.page.controls.entries.phrases.setText("2 2")

    shown = window.page.roll.picture
    assert shown is not None
    assert (len(shown.bars), len(shown.fermatas), shown.written) == (4, 2, 0)
    assert studio.piece is None


def test_form_does_not_touch_a_piece_that_is_there(
    studio: Studio, window: MainWindow, qtbot: QtBot
) -> None:
    """It is about the next one."""
    generate(qtbot, window)
    window.page.controls.entries.bars.setValue(4)

    shown = window.page.roll.picture
    assert shown is not None
    assert len(shown.bars) == 2
    assert window.page.title.whole == "Chorale 7"
    assert studio.piece is not None


def test_other_model_is_remembered_and_made_ready(
    studio: Studio, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """So that its first piece comes quickly too."""
    window.page.controls.entries.model.setCurrentIndex(1)

    qtbot.waitUntil(lambda: window.machine.startswith("plain"))
    assert jobs.warmed == [("full", "auto"), ("plain", "auto")]
    assert settings.load().model == "plain"
    del studio


def test_other_device_is_remembered_and_used(
    studio: Studio, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """For the next piece on."""
    cpu = next(act for act in window.commands.devices.actions() if act.data() == "cpu")
    cpu.trigger()
    generate(qtbot, window)

    assert jobs.asked[0][1] == "cpu"
    assert settings.load().device == "cpu"
    del studio


def test_colours_can_be_changed_and_are_remembered(studio: Studio, window: MainWindow) -> None:
    """At once, in every part of the window."""
    before = window.grab().toImage().pixelColor(3, 3)
    dark = next(act for act in window.commands.themes.actions() if act.data() == "dark")
    dark.trigger()

    assert window.grab().toImage().pixelColor(3, 3) != before
    assert settings.load().theme == "dark"
    del studio


def test_place_of_the_window_is_remembered(
    studio: Studio, window: MainWindow, qtbot: QtBot
) -> None:
    """The next window opens where this one was closed."""
    window.resize(1000, 650)
    window.close()
    following = MainWindow()
    qtbot.addWidget(following)
    following.restore_place(settings.load().window)

    assert (following.width(), following.height()) == (1000, 650)
    del studio


@pytest.mark.parametrize("text", ["", "no base 64!", "AAAA"])
def test_place_that_cannot_be_read_is_the_usual_one(window: MainWindow, text: str) -> None:
    """A damaged setting opens no window of no size."""
    window.restore_place(text)

    assert window.width() >= 780


def test_settings_that_cannot_be_kept_stop_nobody(
    studio: Studio, window: MainWindow, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The log says so."""
    settings.file().unlink(missing_ok=True)
    if home.exists():
        home.rmdir()
    home.write_text("a file where the folder should be")
    window.page.controls.entries.model.setCurrentIndex(1)

    assert "not remembered" in caplog.text
    del studio


def test_without_a_model_the_window_says_what_is_missing(
    window: MainWindow, jobs: FakeJobs, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Generate is disabled and names the folder; nothing is loaded."""
    monkeypatch.setattr(models, "installed", lambda: ((), ()))
    studio = Studio(window, jobs.compose, jobs.warm_up, Settings())
    studio.machine.warm_up()

    assert not window.page.controls.main.isEnabled()
    assert str(home / "models") in window.page.controls.main.toolTip()
    assert jobs.warmed == []


def test_damaged_model_is_left_out_and_named(
    window: MainWindow, jobs: FakeJobs, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The banner says which."""
    problem = "bach: card.json is not valid JSON"
    monkeypatch.setattr(models, "installed", lambda: ((), (problem,)))
    studio = Studio(window, jobs.compose, jobs.warm_up, Settings())

    assert window.page.banner.sentence == f"A model is left out: {problem}"
    del studio, home


def test_model_that_cannot_be_loaded_is_told_at_once(
    studio: Studio, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Not only when a piece is asked of it; the next one may be fine."""
    jobs.warm_error = ModelError("its weights are truncated")
    window.page.controls.entries.model.setCurrentIndex(1)
    qtbot.waitUntil(lambda: window.page.banner.sentence == "Its weights are truncated")

    jobs.warm_error = None
    window.page.controls.entries.model.setCurrentIndex(0)
    qtbot.waitUntil(lambda: len(jobs.warmed) == 3)
    del studio
