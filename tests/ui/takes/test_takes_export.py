"""Export of several takes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from musicrel import settings
from musicrel.chorale import Chorale
from musicrel.ui.app_controller import AppController
from musicrel.ui.files.exports import TakesDialog
from musicrel.ui.takes.takes_view import TakesView
from tests.ui.controllers.user_actions import answer, question
from tests.ui.takes.conftest import FIRST, REWRITTEN
from tests.ui.user import User


@pytest.fixture
def dialog(user: User, view: TakesView) -> TakesDialog:
    """Return the dialog for both takes, the second of which has a name."""
    user.document.takes.rename(2, "Slow: ending")
    user.wait(lambda: view.takes.index_of(2).data() == "Slow: ending")
    view.selectAll()
    user.commands.takes.export.trigger()
    found = user.window.findChild(TakesDialog)
    assert found is not None
    return found


def export(app: AppController, qtbot: QtBot, dialog: TakesDialog, folder: Path) -> None:
    dialog.folder_field.setText(str(folder))
    dialog.action_button.click()
    qtbot.waitUntil(lambda: not app.files.worker.busy)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_selected_takes_are_exported_in_all_chosen_formats(
    user: User, dialog: TakesDialog, folder: Path
) -> None:
    dialog.formats[".mxl"].setChecked(True)
    assert dialog.suffixes == (".mid", ".mxl")
    assert dialog.heading.text() == "2 takes as 4 files"
    first, second = FIRST.title, f"{REWRITTEN.title} – Slow ending"
    export(user.app, user.qtbot, dialog, folder)

    assert names(folder) == sorted(
        [f"{first}.mid", f"{first}.mxl", f"{second}.mid", f"{second}.mxl"]
    )
    assert user.state == f"Exported 2 takes as 4 files to {folder}"
    written = [Chorale.read(folder / f"{name}.mid") for name in (first, second)]
    assert np.array_equal(written[0].pitches, FIRST.pitches)
    assert np.array_equal(written[1].pitches, REWRITTEN.pitches)
    assert settings.load().save_folder == str(folder)


@pytest.mark.parametrize(
    ("button", "kept", "count"),
    [("Replace", b"", 2), ("Keep both", b"old", 3), ("Cancel", b"old", 1)],
)
def test_existing_files_are_asked_about(
    *, user: User, dialog: TakesDialog, folder: Path, button: str, kept: bytes, count: int
) -> None:
    old = folder / f"{FIRST.title}.mid"
    old.write_bytes(b"old")
    export(user.app, user.qtbot, dialog, folder)
    box = question(user.window)
    assert box is not None
    assert box.text() == f"“{old.name}” exists in this folder."
    answer(user.window, button)
    user.wait(lambda: not user.app.files.worker.busy)

    assert old.read_bytes().startswith(kept or b"MThd")
    assert len(names(folder)) == count
    if button == "Cancel":
        assert dialog.isVisible()
        dialog.reject()


def test_what_is_missing_is_said(dialog: TakesDialog, folder: Path) -> None:
    for text, reason in (("", "Choose a folder"), (str(folder / "no"), "There is no such folder")):
        dialog.folder_field.setText(text)
        assert not dialog.action_button.isEnabled()
        assert dialog.action_button.toolTip().startswith(reason)
    dialog.folder_field.setText(str(folder))
    dialog.formats[".mid"].setChecked(False)
    assert dialog.action_button.toolTip() == "Choose at least one format"
    dialog.reject()


def test_a_folder_can_be_browsed(dialog: TakesDialog, folder: Path) -> None:
    dialog.folder_field.setText(str(folder))
    browse = [one for one in dialog.findChildren(QPushButton) if one.text() == "&Browse…"]
    browse[0].click()
    chooser = dialog.findChild(QFileDialog)
    assert chooser is not None
    assert chooser.directory().absolutePath() == str(folder)
    chooser.fileSelected.emit(str(folder.parent))
    chooser.close()
    assert dialog.folder == folder.parent
    dialog.reject()


def test_a_long_export_can_be_cancelled(user: User, dialog: TakesDialog, folder: Path) -> None:
    dialog.formats[".wav"].setChecked(True)
    dialog.folder_field.setText(str(folder))
    dialog.action_button.click()
    user.wait(user.window.job.isVisible)
    user.window.job.cancelled.emit()
    user.wait(lambda: not user.app.files.worker.busy)

    assert user.state == "Exporting 2 takes was cancelled"
    assert all(not name.startswith(".") for name in names(folder))


def test_formats_of_the_last_export_are_chosen_again(
    user: User, dialog: TakesDialog, folder: Path
) -> None:
    dialog.formats[".mid"].setChecked(False)
    dialog.formats[".json"].setChecked(True)
    export(user.app, user.qtbot, dialog, folder)
    user.wait(lambda: user.window.findChild(TakesDialog) is None)
    user.commands.takes.export.trigger()
    again = user.window.findChild(TakesDialog)

    assert again is not None
    assert (again.suffixes, again.folder) == ((".json",), folder)
    again.reject()
