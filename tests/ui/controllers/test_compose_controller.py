"""Generation and settings with fake jobs."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from musicrel import settings
from musicrel.errors import GenerationError, ModelError
from musicrel.presentation.compose import models
from musicrel.ui.app_controller import AppController
from musicrel.ui.controllers.writing_controller import UNRANKED
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.fakes import TIMEOUT, FakeJobs, generated
from tests.ui.user import User


def test_generate_writes_the_piece(user: User) -> None:
    """The job gets the settings of the form; the piece has a title and can be saved."""
    user.generate()

    ((name, device, request),) = user.jobs.requests
    assert (name, device, request.bars, request.seed) == ("full", "auto", 2, 7)
    assert user.document.piece == generated(request)
    assert user.page.title.text() == "Chorale 7"
    assert user.page.heading.text() == "4/4  ·  2 bars"
    assert user.page.export.isEnabled()
    assert user.window.windowTitle() == "Chorale 7[*] – musicrel"
    assert user.window.isWindowModified()
    assert user.state == "Generated in 1.0 s"
    assert re.fullmatch(
        r"full   ·   CPU   ·   128 tokens/s   ·   [\d,]+ MB", user.window.model_status
    )


@pytest.mark.parametrize(("quality", "sentence"), [("draft", UNRANKED), ("normal", "")])
def test_cadences_that_nothing_leads_to_are_mentioned(
    user: User, quality: str, sentence: str
) -> None:
    form = replace(user.document.form, cadence="plagal", quality=quality)
    user.document.set_form(form)
    user.generate()

    assert user.state == f"Generated in 1.0 s{sentence}"


def test_piece_is_shown_during_generation(user: User) -> None:
    """Notes, bar and progress are shown; the unfinished piece cannot be saved."""
    user.hold(70)

    shown = user.page.roll.picture
    assert shown is not None
    assert (len({note.start for note in shown.notes}), shown.written) == (18, 18)
    assert user.state == "Generating bar 2 of 2"
    assert user.controls.progress.value() == round(1000 * 70 / 128)
    assert not user.page.export.isEnabled()
    assert "being generated" in user.page.export.toolTip()
    assert user.document.piece is None
    user.stop()


@pytest.mark.parametrize(
    ("search", "state"),
    [
        (None, "Searching among versions of a phrase"),
        (3.4, "Searching: 3 of 16 continuations fit"),
    ],
)
def test_the_search_for_a_phrase_is_shown(user: User, search: float | None, state: str) -> None:
    user.jobs.searches_endings, user.jobs.search = True, search
    user.hold(70)
    user.wait(lambda: user.state == state)
    assert user.controls.progress.value() == round(1000 * 70 / 128)
    assert user.document.piece is None
    user.stop()


def test_stop_keeps_the_written_notes(user: User) -> None:
    user.hold(70)
    user.stop()

    piece = user.document.piece
    assert piece is not None
    assert piece.steps == 17
    assert piece.title == "Chorale 7, unfinished"
    assert piece.provenance is not None
    assert piece.provenance.settings["written_steps"] == 17
    assert user.page.export.isEnabled()
    assert user.state == "Stopped in bar 2 of 2"


def test_stop_before_the_first_note_leaves_no_piece(user: User) -> None:
    user.jobs.hold_at = 0
    QTest.mouseClick(user.controls.generate_button, Qt.MouseButton.LeftButton)
    assert user.jobs.waiting.wait(TIMEOUT)
    user.stop()

    assert user.document.piece is None
    assert user.page.title.text() == "New chorale"
    assert "nothing to export" in user.page.export.toolTip()


def test_escape_stops_and_control_g_generates(user: User) -> None:
    user.jobs.hold_at = 20
    QTest.keyClick(user.window, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    assert user.jobs.waiting.wait(TIMEOUT)
    QTest.keyClick(user.window, Qt.Key.Key_Escape)
    user.jobs.gate.set()

    user.wait(lambda: user.document.piece is not None)
    assert user.page.title.text() == "Chorale 7, unfinished"


def test_failure_is_shown_and_the_notes_are_kept(user: User) -> None:
    user.jobs.fail_at, user.jobs.error = (
        40,
        GenerationError("the model gives no distribution at step 10"),
    )
    user.generate()

    assert user.message == "The model gives no distribution at step 10"
    assert user.piece.steps == 10
    user.jobs.fail_at = None
    user.generate()
    assert user.message == ""


def test_closing_the_window_ends_the_generation(user: User) -> None:
    user.hold(40)
    user.jobs.gate.set()
    user.window.close()

    assert user.app.all_ended
    assert len(user.jobs.closed_in) == 1
    assert not user.window.isVisible()


def test_same_form_again_gives_another_piece(user: User) -> None:
    """A new random seed is shown; entering the old one gives the old piece."""
    user.generate()
    first = user.document.piece
    user.generate()
    assert user.jobs.requests[1][2].seed == user.form.form().seed != 7

    user.form.seed.set_value(7)
    user.generate()
    assert user.document.piece == first


def test_stopped_piece_is_generated_again_with_its_seed(user: User) -> None:
    user.hold(40)
    user.stop()
    user.generate()

    assert [request.seed for _, _, request in user.jobs.requests] == [7, 7]
    assert user.piece.steps == 32


def test_invalid_phrases_are_explained(user: User) -> None:
    """Generate is disabled until they fit; its tooltip gives the reason."""
    controls = user.controls
    controls.compose_form.phrases.setText("1,2")

    assert controls.compose_form.problem.text() == controls.generate_button.toolTip()
    assert "have 3 bars: expected 2" in controls.generate_button.toolTip()
    assert not controls.generate_button.isEnabled()
    user.app.writing.generate()
    assert user.jobs.requests == []

    controls.compose_form.bars.setValue(3)
    assert controls.generate_button.isEnabled()
    user.generate()
    assert user.jobs.requests[0][2].phrases == (1, 2)


def test_empty_piece_shows_the_form(user: User) -> None:
    user.form.bars.setValue(4)
    user.form.phrases.setText("2 2")

    shown = user.page.roll.picture
    assert shown is not None
    assert (len(shown.bars), len(shown.fermatas), shown.written) == (4, 2, 0)
    assert user.document.piece is None


def test_form_does_not_change_the_current_piece(user: User) -> None:
    user.generate()
    user.form.bars.setValue(4)

    shown = user.page.roll.picture
    assert shown is not None
    assert len(shown.bars) == 2
    assert user.page.title.text() == "Chorale 7"


def test_selected_model_is_saved_and_loaded(user: User) -> None:
    user.form.model.setCurrentIndex(1)

    user.wait(lambda: user.window.model_status.startswith("plain"))
    assert user.jobs.load_requests == [("full", "auto"), ("plain", "auto")]
    assert settings.load().model == "plain"


def test_selected_device_is_saved_and_used(user: User) -> None:
    cpu = next(act for act in user.window.commands.devices.actions() if act.data() == "cpu")
    cpu.trigger()
    user.generate()

    assert user.jobs.requests[0][1] == "cpu"
    assert settings.load().device == "cpu"


def test_theme_can_be_changed_and_is_saved(user: User) -> None:
    before = user.window.grab().toImage().pixelColor(3, 3)
    dark = next(act for act in user.window.commands.themes.actions() if act.data() == "dark")
    dark.trigger()

    assert user.window.grab().toImage().pixelColor(3, 3) != before
    assert settings.load().theme == "dark"


def test_window_geometry_is_saved(user: User) -> None:
    user.window.resize(1000, 650)
    user.window.close()
    following = MainWindow()
    user.qtbot.addWidget(following)
    following.restore_geometry_text(settings.load().window)

    assert (following.width(), following.height()) == (1000, 650)


@pytest.mark.parametrize("text", ["", "no base 64!", "AAAA"])
def test_invalid_window_geometry_gives_the_default_size(window: MainWindow, text: str) -> None:
    window.restore_geometry_text(text)

    assert window.width() >= 780


def test_settings_that_cannot_be_saved_are_logged(
    user: User, home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings.file().unlink(missing_ok=True)
    if home.exists():
        home.rmdir()
    home.write_text("a file where the folder should be")
    user.form.model.setCurrentIndex(1)

    assert "cannot be saved" in caplog.text


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
    problem = "bach: card.json is not valid JSON"
    monkeypatch.setattr(models, "installed", lambda: ((), (problem,)))
    make_app()

    assert window.compose_page.banner.message == f"A model cannot be used: {problem}"


def test_loading_failure_is_shown_at_once(user: User) -> None:
    """It is shown before Generate is clicked; the next model may work."""
    user.jobs.load_error = ModelError("its weights are truncated")
    user.form.model.setCurrentIndex(1)
    user.wait(lambda: user.message == "Its weights are truncated")

    user.jobs.load_error = None
    user.form.model.setCurrentIndex(0)
    user.wait(lambda: len(user.jobs.load_requests) == 3)


def test_phrases_that_cannot_be_read_are_replaced_by_those_of_a_take(user: User) -> None:
    user.generate()
    before = user.form.phrases.text()
    user.form.phrases.setText("1,x")
    assert not user.commands.generate.isEnabled()

    user.document.use_take(user.document.takes.all[0].number)

    assert (user.form.phrases.text(), user.form.phrases.problem) == (before, "")
    assert user.commands.generate.isEnabled()


def test_phrases_that_cannot_be_read_count_only_for_models_that_know_phrases(user: User) -> None:
    user.form.phrases.setText("1,x")
    user.form.model.set_value("plain")
    assert not user.form.phrases.isEnabled()
    assert user.commands.generate.isEnabled()


def test_the_form_asks_for_a_loop(user: User) -> None:
    four, eight = user.act.loop_of
    eight.trigger()
    form = user.form.form()
    assert (form.bars, form.pickup, form.phrases, form.cadence) == (8, 0, (), "half")
    assert (
        user.state
        == "The form asks for a loop of 8 bars, from the tonic to the dominant: press Generate"
    )

    four.trigger()
    user.generate()
    assert user.piece.steps == 64
    assert not user.piece.fermatas.any()
