"""Export of several takes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from musicrel import settings
from musicrel.chorale import Chorale
from musicrel.ui.app_controller import AppController
from musicrel.ui.files.takes_dialog import TakesDialog
from musicrel.ui.shell.main_window import MainWindow
from musicrel.ui.takes.takes_view import TakesView
from tests.ui.controllers.user_actions import answer, question
from tests.ui.takes.pieces import FIRST, REWRITTEN

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def dialog(
    app_controller: AppController, window: MainWindow, view: TakesView, qtbot: QtBot
) -> TakesDialog:
    """Return the dialog for both takes, the second of which has a name."""
    app_controller.document.takes.rename(2, "Slow: ending")
    qtbot.waitUntil(lambda: view.takes.index_of(2).data() == "Slow: ending")
    view.selectAll()
    window.commands.takes.export.trigger()
    found = window.findChild(TakesDialog)
    assert found is not None
    return found


def export(app_controller: AppController, qtbot: QtBot, dialog: TakesDialog, folder: Path) -> None:
    """Export to ``folder`` and wait for the end, or for a question."""
    dialog.folder_field.setText(str(folder))
    dialog.export_button.click()
    qtbot.waitUntil(lambda: not app_controller.files.busy)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return an empty folder."""
    (tmp_path / "out").mkdir()
    return tmp_path / "out"


def names(folder: Path) -> list[str]:
    """Return the names of the files in a folder."""
    return sorted(path.name for path in folder.iterdir())


def test_selected_takes_are_exported_in_all_chosen_formats(
    app_controller: AppController,
    window: MainWindow,
    dialog: TakesDialog,
    qtbot: QtBot,
    folder: Path,
) -> None:
    """The dialog shows the names before, the status bar their number after."""
    dialog.formats[".mxl"].setChecked(True)
    assert dialog.suffixes == (".mid", ".mxl")
    assert dialog.heading.text() == "2 takes as 4 files"
    first, second = FIRST.title, f"{REWRITTEN.title} – Slow ending"
    export(app_controller, qtbot, dialog, folder)

    assert names(folder) == sorted(
        [f"{first}.mid", f"{first}.mxl", f"{second}.mid", f"{second}.mxl"]
    )
    assert window.state == f"Exported 2 takes as 4 files to {folder}"
    written = [Chorale.read(folder / f"{name}.mid") for name in (first, second)]
    assert np.array_equal(written[0].pitches, FIRST.pitches)
    assert np.array_equal(written[1].pitches, REWRITTEN.pitches)
    assert settings.load().save_folder == str(folder)


@pytest.mark.parametrize(
    ("button", "kept", "count"),
    [("Replace", b"", 2), ("Keep both", b"old", 3), ("Cancel", b"old", 1)],
)
def test_existing_files_are_asked_about(
    app_controller: AppController,
    window: MainWindow,
    dialog: TakesDialog,
    qtbot: QtBot,
    folder: Path,
    *,
    button: str,
    kept: bytes,
    count: int,
) -> None:
    """They are replaced, or the new ones get a number, or nothing happens."""
    old = folder / f"{FIRST.title}.mid"
    old.write_bytes(b"old")
    export(app_controller, qtbot, dialog, folder)
    box = question(window)
    assert box is not None
    assert box.text() == f"“{old.name}” exists in this folder."
    answer(window, button)
    qtbot.waitUntil(lambda: not app_controller.files.busy)

    assert old.read_bytes().startswith(kept or b"MThd")
    assert len(names(folder)) == count
    if button == "Cancel":
        assert dialog.isVisible()
        dialog.reject()


def test_what_is_missing_is_said(
    app_controller: AppController, dialog: TakesDialog, folder: Path
) -> None:
    """In the tooltip of the disabled button."""
    for text, reason in (
        ("", "Choose a folder"),
        (str(folder / "no"), "There is no such folder"),
    ):
        dialog.folder_field.setText(text)
        assert not dialog.export_button.isEnabled()
        assert dialog.export_button.toolTip().startswith(reason)
    dialog.folder_field.setText(str(folder))
    dialog.formats[".mid"].setChecked(False)
    assert dialog.export_button.toolTip() == "Choose at least one format"
    dialog.reject()
    del app_controller


def test_a_folder_can_be_browsed(
    app_controller: AppController, dialog: TakesDialog, folder: Path
) -> None:
    """The chooser opens at the present one."""
    dialog.folder_field.setText(str(folder))
    dialog.browse.click()
    chooser = dialog.findChild(QFileDialog)
    assert chooser is not None
    assert chooser.directory().absolutePath() == str(folder)
    chooser.fileSelected.emit(str(folder.parent))
    chooser.close()
    assert dialog.folder == folder.parent
    dialog.reject()
    del app_controller


def test_a_long_export_can_be_cancelled(
    app_controller: AppController,
    window: MainWindow,
    dialog: TakesDialog,
    qtbot: QtBot,
    folder: Path,
) -> None:
    """Files that are finished stay, none is half written."""
    dialog.formats[".wav"].setChecked(True)
    dialog.folder_field.setText(str(folder))
    dialog.export_button.click()
    qtbot.waitUntil(window.job.isVisible)
    window.job.cancelled.emit()
    qtbot.waitUntil(lambda: not app_controller.files.busy)

    assert window.state == "Exporting 2 takes was cancelled"
    assert all(not name.startswith(".") for name in names(folder))


def test_formats_of_the_last_export_are_chosen_again(
    app_controller: AppController,
    window: MainWindow,
    dialog: TakesDialog,
    qtbot: QtBot,
    folder: Path,
) -> None:
    """And its folder."""
    dialog.formats[".mid"].setChecked(False)
    dialog.formats[".json"].setChecked(True)
    export(app_controller, qtbot, dialog, folder)
    qtbot.waitUntil(lambda: window.findChild(TakesDialog) is None)
    window.commands.takes.export.trigger()
    again = window.findChild(TakesDialog)

    assert again is not None
    assert (again.suffixes, again.folder) == ((".json",), folder)
    again.reject()
