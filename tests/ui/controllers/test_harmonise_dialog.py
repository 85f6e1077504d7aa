"""The dialog for harmonising a melody."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog
from pytestqt.qtbot import QtBot

from musicrel.chorale import Voice
from musicrel.editing.selection import Selection
from musicrel.presentation.compose import harmonise_form
from musicrel.presentation.compose.harmonise_form import Source
from musicrel.ui.app_controller import AppController
from musicrel.ui.compose.harmonise_dialog import HarmoniseDialog
from musicrel.ui.shell.main_window import MainWindow
from tests.ui.controllers.user_actions import PIECE, harmonise
from tests.ui.fakes import FakeJobs

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


@pytest.fixture
def dialog(both: AppController, window: MainWindow) -> HarmoniseDialog:
    """Open and return the dialog."""
    window.commands.rewriting.harmonise.trigger()
    assert both.harmonise.dialog is not None
    return both.harmonise.dialog


def opened(app_controller: AppController) -> HarmoniseDialog | None:
    """Return the open dialog."""
    return app_controller.harmonise.dialog


def test_current_piece_and_bundled_melodies_are_offered(dialog: HarmoniseDialog) -> None:
    """The current piece comes first; the dialog previews the selected melody."""
    titles = [dialog.melody.itemText(row) for row in range(dialog.melody.count())]

    assert titles == sorted(titles)
    assert "Ode to Joy" in titles
    assert harmonise_form.NOTHING_ON_ROLL in dialog.melody.toolTip()
    assert dialog.preview.picture is not None
    assert not dialog.unread.isVisible()
    dialog.reject()


def test_the_dialog_works_by_keyboard(
    dialog: HarmoniseDialog, both: AppController, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The melody has the focus; Enter starts."""
    qtbot.waitUntil(dialog.melody.hasFocus)
    QTest.keyClicks(dialog.melody, "Ode")
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(jobs.candidate_requests) and not both.candidates.busy)

    ((name, _, builder),) = jobs.candidate_requests
    assert builder.free.any()
    assert builder.piece is not None
    assert (name, builder.piece.title, builder.count) == (
        "both",
        "Ode to Joy",
        1,
    )
    assert both.harmonise.dialog is None


def test_the_dialog_opens_once_and_esc_closes_it(
    dialog: HarmoniseDialog, both: AppController, window: MainWindow, jobs: FakeJobs
) -> None:
    """Nothing is harmonised."""
    window.compose_page.controls.harmonise.click()
    assert opened(both) is dialog
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert opened(both) is None
    assert jobs.candidate_requests == []


def test_the_model_of_the_form_is_selected(dialog: HarmoniseDialog) -> None:
    """The detail explains how a model knows the melody ahead; all have a quality."""
    assert dialog.form().model == "both"
    assert dialog.model_detail.text() == harmonise_form.SEES_AHEAD
    dialog.quality.setCurrentIndex(2)
    assert dialog.form().quality == "high"
    dialog.model.setCurrentIndex(dialog.model.findData("plain"))
    assert dialog.model_detail.text() == harmonise_form.SEARCHES
    assert dialog.form().quality == "high"
    dialog.reject()


def test_the_chosen_model_is_that_of_the_form_from_now_on(
    dialog: HarmoniseDialog, both: AppController, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """The model that rewrites passages stays."""
    rewriting = both.document.rewriting_model
    dialog.model.setCurrentIndex(dialog.model.findData("plain"))
    dialog.accept()
    qtbot.waitUntil(lambda: bool(jobs.candidate_requests) and not both.candidates.busy)
    assert both.document.form.model == both.preferences.settings.model == "plain"
    assert both.document.rewriting_model == rewriting
    both.harmonise.ask()
    again = opened(both)
    assert again is not None
    assert again.form().model == "plain"
    again.reject()


def test_without_a_model_the_dialog_cannot_start(
    app_controller: AppController, window: MainWindow
) -> None:
    """The button's tooltip gives the reason."""
    window.compose_page.controls.compose_form.set_models([], "")
    window.compose_page.controls.compose_form.changed.emit()
    window.compose_page.controls.harmonise.click()
    dialog = app_controller.harmonise.dialog
    assert dialog is not None
    assert not dialog.start_button.isEnabled()
    assert dialog.start_button.toolTip().startswith("No model can harmonise")
    assert dialog.model_detail.text() == dialog.start_button.toolTip()
    dialog.reject()


def test_the_selected_voice_of_the_roll_is_the_melody(
    both: AppController, window: MainWindow, qtbot: QtBot
) -> None:
    """The current piece is offered first."""
    both.document.show_piece(PIECE)
    window.compose_page.selecting.select(Selection(voices=(3,), start=0, stop=4))
    window.commands.rewriting.harmonise.trigger()
    dialog = both.harmonise.dialog
    assert dialog is not None
    assert dialog.form().source == Source(title="Current piece: Air")
    voices = [dialog.form().voice]
    dialog.melody.setCurrentIndex(1)
    voices.append(dialog.form().voice)
    assert voices == [Voice.BASS, Voice.SOPRANO]
    dialog.reject()
    del qtbot


def test_a_file_is_chosen_in_the_dialog(
    dialog: HarmoniseDialog, both: AppController, qtbot: QtBot, tmp_path: Path
) -> None:
    """It is read when the dialog is accepted."""
    dialog.file.click()
    chooser = dialog.findChild(QFileDialog)
    assert chooser is not None
    chooser.fileSelected.emit(str(tmp_path / "tune.mid"))
    chooser.reject()
    assert dialog.form().source == Source(title="tune.mid", path=tmp_path / "tune.mid")
    assert dialog.preview.picture is None
    assert dialog.unread.isVisible()
    dialog.buttons.button(QDialogButtonBox.StandardButton.Cancel).click()
    qtbot.waitUntil(lambda: both.harmonise.dialog is None)


def test_phrases_of_the_dialog_are_checked(
    dialog: HarmoniseDialog, both: AppController, jobs: FakeJobs, qtbot: QtBot
) -> None:
    """Invalid ones are reported in the banner, and no job is started."""
    dialog.phrases.setText("1,2")
    tune = dialog.form()
    dialog.reject()
    harmonise(both, qtbot, tune)
    assert "phrases have 3 bars: expected" in both.window.compose_page.banner.message
    assert jobs.candidate_requests == []


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("2,x", "Phrases are '2,x': expected the bars"),
        ("3", "The phrases have 3 bars: expected 16"),
    ],
)
def test_mistyped_phrases_are_refused_in_the_dialog(
    typed: str, sentence: str, dialog: HarmoniseDialog, both: AppController, jobs: FakeJobs
) -> None:
    """Enter does nothing until they are right, and the document stays as it is."""
    dialog.melody.setCurrentIndex(dialog.melody.findText("Ode to Joy"))
    dialog.phrases.setText(typed)
    assert dialog.remark.text().startswith(sentence)
    assert dialog.start_button.toolTip() == dialog.remark.text()
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert opened(both) is dialog
    assert (both.document.piece, jobs.candidate_requests) == (None, [])
    dialog.phrases.setText("4,4,4,4")
    assert dialog.start_button.isEnabled()
    assert dialog.remark.isHidden()
    dialog.reject()


def test_the_dialog_says_that_a_melody_will_be_moved(
    both: AppController, window: MainWindow
) -> None:
    """For the voice that is chosen."""
    both.document.show_piece(PIECE.transposed(-24))
    window.commands.rewriting.harmonise.trigger()
    dialog = opened(both)
    assert dialog is not None
    assert dialog.remark.text().startswith("The melody lies outside the range of its voice: it was")
    assert dialog.start_button.isEnabled()
    dialog.reject()
