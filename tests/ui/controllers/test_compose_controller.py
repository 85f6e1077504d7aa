"""Generation and settings with fake jobs."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from musicrel import settings
from musicrel.errors import GenerationError, ModelError
from musicrel.presentation.compose import models
from musicrel.ui.app_controller import AppController
from musicrel.ui.controllers.compose_controller import UNRANKED
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers.user_actions import generate, hold, stop
from tests.ui.fakes import TIMEOUT, FakeJobs, generated

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


def test_generate_writes_the_piece(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The job gets the settings of the form; the piece has a title and can be saved."""
    generate(qtbot, window)

    ((name, device, request),) = jobs.requests
    assert (name, device, request.bars, request.seed) == ("full", "auto", 2, 7)
    assert app_controller.document.piece == generated(request)
    assert window.compose_page.title.text() == "Chorale 7"
    assert window.compose_page.heading.text() == "4/4  ·  2 bars"
    assert window.compose_page.export.isEnabled()
    assert window.windowTitle() == "Chorale 7[*] – musicrel"
    assert window.isWindowModified()
    assert window.state == "Generated in 1.0 s"
    assert re.fullmatch(r"full   ·   CPU   ·   128 tokens/s   ·   [\d,]+ MB", window.model_status)


@pytest.mark.parametrize(("quality", "sentence"), [("draft", UNRANKED), ("normal", "")])
def test_cadences_that_nothing_leads_to_are_mentioned(
    app_controller: AppController, window: MainWindow, qtbot: QtBot, quality: str, sentence: str
) -> None:
    """A single draft is not searched and not chosen by its cadences."""
    form = replace(app_controller.document.form, cadence="plagal", quality=quality)
    app_controller.document.set_form(form)
    generate(qtbot, window)

    assert window.state == f"Generated in 1.0 s{sentence}"


def test_piece_is_shown_during_generation(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Notes, bar and progress are shown; the unfinished piece cannot be saved."""
    hold(qtbot, window, jobs, 70)

    shown = window.compose_page.roll.picture
    assert shown is not None
    assert (len({note.start for note in shown.notes}), shown.written) == (18, 18)
    assert window.state == "Generating bar 2 of 2"
    assert window.compose_page.controls.progress.value() == round(1000 * 70 / 128)
    assert not window.compose_page.export.isEnabled()
    assert "being generated" in window.compose_page.export.toolTip()
    assert app_controller.document.piece is None
    stop(qtbot, window, jobs)


def test_the_search_for_a_phrase_is_shown(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The notes written so far stay visible."""
    jobs.searches_endings = True
    hold(qtbot, window, jobs, 70)
    qtbot.waitUntil(lambda: window.state == "Searching among versions of a phrase")
    assert window.compose_page.controls.progress.value() == round(1000 * 70 / 128)
    assert app_controller.document.piece is None
    stop(qtbot, window, jobs)
    assert app_controller.document.piece is not None


def test_a_search_shows_how_constrained_it_is(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The number stays until the next one, or until notes are chosen."""
    jobs.searches_endings, jobs.search = True, 3.4
    hold(qtbot, window, jobs, 70)
    qtbot.waitUntil(lambda: window.state == "Searching: 3 of 16 continuations fit")
    stop(qtbot, window, jobs)
    assert app_controller.document.piece is not None


def test_stop_keeps_the_written_notes(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The title marks the piece as unfinished, and it has its provenance."""
    hold(qtbot, window, jobs, 70)
    stop(qtbot, window, jobs)

    piece = app_controller.document.piece
    assert piece is not None
    assert piece.steps == 17
    assert piece.title == "Chorale 7, unfinished"
    assert piece.provenance is not None
    assert piece.provenance.settings["written_steps"] == 17
    assert window.compose_page.export.isEnabled()
    assert window.state == "Stopped in bar 2 of 2"


def test_stop_before_the_first_note_leaves_no_piece(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """There is nothing to export."""
    jobs.hold_at = 0
    QTest.mouseClick(window.compose_page.controls.generate_button, Qt.MouseButton.LeftButton)
    assert jobs.waiting.wait(TIMEOUT)
    stop(qtbot, window, jobs)

    assert app_controller.document.piece is None
    assert window.compose_page.title.text() == "New chorale"
    assert "nothing to export" in window.compose_page.export.toolTip()


def test_escape_stops_and_control_g_generates(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The shortcuts work without the mouse."""
    jobs.hold_at = 20
    QTest.keyClick(window, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    assert jobs.waiting.wait(TIMEOUT)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    jobs.gate.set()

    qtbot.waitUntil(lambda: app_controller.document.piece is not None)
    assert window.compose_page.title.text() == "Chorale 7, unfinished"


def test_failure_is_shown_and_the_notes_are_kept(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The next generation clears the banner."""
    jobs.fail_at, jobs.error = 40, GenerationError("the model gives no distribution at step 10")
    generate(qtbot, window)

    assert window.compose_page.banner.message == "The model gives no distribution at step 10"
    assert app_controller.document.piece is not None
    assert app_controller.document.piece.steps == 10
    jobs.fail_at = None
    generate(qtbot, window)
    assert window.compose_page.banner.message == ""


def test_closing_the_window_ends_the_generation(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The job ends in its own thread."""
    hold(qtbot, window, jobs, 40)
    jobs.gate.set()
    window.close()

    assert app_controller.all_ended
    assert len(jobs.closed_in) == 1
    assert not window.isVisible()


def test_same_form_again_gives_another_piece(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """A new random seed is shown; entering the old one gives the old piece."""
    generate(qtbot, window)
    first = app_controller.document.piece
    generate(qtbot, window)
    assert jobs.requests[1][2].seed == window.compose_page.controls.compose_form.form().seed != 7

    window.compose_page.controls.compose_form.seed.set_value(7)
    generate(qtbot, window)
    assert app_controller.document.piece == first


def test_stopped_piece_is_generated_again_with_its_seed(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Only a finished piece makes Generate take a new seed."""
    hold(qtbot, window, jobs, 40)
    stop(qtbot, window, jobs)
    generate(qtbot, window)

    assert [request.seed for _, _, request in jobs.requests] == [7, 7]
    assert app_controller.document.piece is not None
    assert app_controller.document.piece.steps == 32


def test_invalid_phrases_are_explained(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Generate is disabled until they fit; its tooltip gives the reason."""
    controls = window.compose_page.controls
    controls.compose_form.phrases.setText("1,2")

    assert controls.compose_form.problem.text() == controls.generate_button.toolTip()
    assert "have 3 bars: expected 2" in controls.generate_button.toolTip()
    assert not controls.generate_button.isEnabled()
    app_controller.compose.generate()
    assert jobs.requests == []

    controls.compose_form.bars.setValue(3)
    assert controls.generate_button.isEnabled()
    generate(qtbot, window)
    assert jobs.requests[0][2].phrases == (1, 2)


def test_empty_piece_shows_the_form(app_controller: AppController, window: MainWindow) -> None:
    """Its bars and fermatas are shown before generation."""
    window.compose_page.controls.compose_form.bars.setValue(4)
    window.compose_page.controls.compose_form.phrases.setText("2 2")

    shown = window.compose_page.roll.picture
    assert shown is not None
    assert (len(shown.bars), len(shown.fermatas), shown.written) == (4, 2, 0)
    assert app_controller.document.piece is None


def test_form_does_not_change_the_current_piece(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """Entries apply to the next generation."""
    generate(qtbot, window)
    window.compose_page.controls.compose_form.bars.setValue(4)

    shown = window.compose_page.roll.picture
    assert shown is not None
    assert len(shown.bars) == 2
    assert window.compose_page.title.text() == "Chorale 7"
    assert app_controller.document.piece is not None


def test_selected_model_is_saved_and_loaded(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """It is loaded before Generate is clicked."""
    window.compose_page.controls.compose_form.model.setCurrentIndex(1)

    qtbot.waitUntil(lambda: window.model_status.startswith("plain"))
    assert jobs.load_requests == [("full", "auto"), ("plain", "auto")]
    assert settings.load().model == "plain"
    del app_controller


def test_selected_device_is_saved_and_used(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """It applies to the next piece."""
    cpu = next(act for act in window.commands.devices.actions() if act.data() == "cpu")
    cpu.trigger()
    generate(qtbot, window)

    assert jobs.requests[0][1] == "cpu"
    assert settings.load().device == "cpu"
    del app_controller


def test_theme_can_be_changed_and_is_saved(
    app_controller: AppController, window: MainWindow
) -> None:
    """Every part of the window changes at once."""
    before = window.grab().toImage().pixelColor(3, 3)
    dark = next(act for act in window.commands.themes.actions() if act.data() == "dark")
    dark.trigger()

    assert window.grab().toImage().pixelColor(3, 3) != before
    assert settings.load().theme == "dark"
    del app_controller


def test_window_geometry_is_saved(
    app_controller: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The next window opens with the same size."""
    window.resize(1000, 650)
    window.close()
    following = MainWindow()
    qtbot.addWidget(following)
    following.restore_geometry_text(settings.load().window)

    assert (following.width(), following.height()) == (1000, 650)
    del app_controller


@pytest.mark.parametrize("text", ["", "no base 64!", "AAAA"])
def test_invalid_window_geometry_gives_the_default_size(window: MainWindow, text: str) -> None:
    """A damaged setting does not break the window."""
    window.restore_geometry_text(text)

    assert window.width() >= 780


def test_settings_that_cannot_be_saved_are_logged(
    app_controller: AppController, window: MainWindow, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """They stay in effect for this session."""
    settings.file().unlink(missing_ok=True)
    if home.exists():
        home.rmdir()
    home.write_text("a file where the folder should be")
    window.compose_page.controls.compose_form.model.setCurrentIndex(1)

    assert "cannot be saved" in caplog.text
    del app_controller


def test_without_a_model_the_way_to_import_one_is_named(
    make_app: Callable[[], AppController],
    window: MainWindow,
    jobs: FakeJobs,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Generate is disabled; no job is started."""
    monkeypatch.setattr(models, "installed", lambda: ((), ()))
    make_app().model.warm_up()

    assert not window.compose_page.controls.generate_button.isEnabled()
    assert "Compose > Models" in window.compose_page.controls.generate_button.toolTip()
    assert jobs.load_requests == []


def test_damaged_model_is_reported(
    make_app: Callable[[], AppController], window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not offered."""
    problem = "bach: card.json is not valid JSON"
    monkeypatch.setattr(models, "installed", lambda: ((), (problem,)))
    make_app()

    assert window.compose_page.banner.message == f"A model cannot be used: {problem}"


def test_loading_failure_is_shown_at_once(
    app_controller: AppController, window: MainWindow, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """It is shown before Generate is clicked; the next model may work."""
    jobs.load_error = ModelError("its weights are truncated")
    window.compose_page.controls.compose_form.model.setCurrentIndex(1)
    qtbot.waitUntil(lambda: window.compose_page.banner.message == "Its weights are truncated")

    jobs.load_error = None
    window.compose_page.controls.compose_form.model.setCurrentIndex(0)
    qtbot.waitUntil(lambda: len(jobs.load_requests) == 3)
    del app_controller
