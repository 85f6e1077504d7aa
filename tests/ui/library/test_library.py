"""Models, preferences and sound together with the rest of the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from musicrel.ui.app_controller import AppController
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.sound import ManualOutput
from tests.ui.controllers.user_actions import show_chords

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: hints


def drop(window: MainWindow, path: Path) -> bool:
    """Drop a file or folder on the window; return True if it was accepted."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    copy, left, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier
    enter = QDragEnterEvent(QPoint(9, 9), copy, data, left, keys.NoModifier)
    QApplication.sendEvent(window, enter)
    if enter.isAccepted():
        place = QPoint(9, 9).toPointF()
        QApplication.sendEvent(window, QDropEvent(place, copy, data, left, keys.NoModifier))
    return enter.isAccepted()


def test_a_model_dropped_on_the_window_is_in_the_form_then(
    make_app: Callable[[], AppController], window: MainWindow, download: Path, qtbot: QtBot
) -> None:
    """It can be chosen for both tasks; when it is removed, the default takes its place."""
    app_controller = make_app()
    form_view = window.compose_page.controls.compose_form
    assert drop(window, download)
    boxes = (form_view.model, form_view.model_rewrite)
    qtbot.waitUntil(lambda: all(box.findData("tiny") >= 0 for box in boxes), timeout=20_000)
    dialog = app_controller.library.models.dialog
    assert dialog is not None

    dialog.use_button.click()
    assert app_controller.document.form.model == "tiny"
    dialog.close()
    window.commands.library.models.trigger()
    assert dialog.model is not None
    assert dialog.model.name == "tiny"
    assert dialog.table.selectedItems()[0].font().bold()
    dialog.remove_button.click()

    assert form_view.model.findData("tiny") == -1
    assert app_controller.document.form.model == "relative"
    assert app_controller.preferences.settings.model == ""
    assert dialog.banner.message.endswith("relative is chosen in the form in its place.")
    dialog.close()


@pytest.mark.usefixtures("app_controller")
def test_other_files_are_left_to_the_window(window: MainWindow, tmp_path: Path) -> None:
    """A text file is neither a model nor a piece."""
    (tmp_path / "notes.txt").write_text("text")

    assert not drop(window, tmp_path / "notes.txt")


def test_another_audio_device_is_opened_at_once(
    app_controller: AppController, output: ManualOutput
) -> None:
    """The piece goes on with it."""
    show_chords(app_controller)
    app_controller.player.play()
    while app_controller.player.work():
        pass
    assert (output.running, output.starts) == (True, 1)

    app_controller.library.preferences.change("audio_device", "Headphones")
    while app_controller.player.work():
        pass

    assert (output.running, output.starts) == (True, 2)
    assert app_controller.player.playing


def test_the_form_opens_the_list_of_models(
    app_controller: AppController, window: MainWindow
) -> None:
    """A button below the boxes of models does."""
    window.compose_page.controls.compose_form.advanced.manage.click()

    dialog = app_controller.library.models.dialog
    assert dialog is not None
    assert dialog.isVisible()
    dialog.close()


def test_the_menus_open_the_dialogs(app_controller: AppController, window: MainWindow) -> None:
    """Models, preferences."""
    library, acts = app_controller.library, window.commands.library
    acts.models.trigger()
    acts.preferences.trigger()

    for dialog in (library.models.dialog, library.preferences.dialog):
        assert dialog is not None
        assert dialog.isVisible()
        dialog.close()
