"""The dialog of the preferences."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QWidget
from pytestqt.qtbot import QtBot

from musicrel import settings
from musicrel.settings import Settings
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.jobs.worker import wait_for_all
from musicrel.ui.library.preference_controller import PreferenceController
from musicrel.ui.library.preferences_dialog import PreferencesDialog

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: hints


@pytest.fixture
def preferences(home: Path) -> Preferences:
    """Return the defaults."""
    del home
    return Preferences(Settings())


@pytest.fixture
def controller(
    parent: QWidget, preferences: Preferences, qtbot: QtBot
) -> Iterator[PreferenceController]:
    """Yield the controller with its dialog open, on a computer with two devices for sound."""
    controller = PreferenceController(parent, preferences, lambda: ("Speakers", "Headphones"))
    controller.show()
    assert controller.dialog is not None
    qtbot.addWidget(controller.dialog)
    qtbot.waitUntil(lambda: dialog_of(controller).audio_device.count() == 3)
    yield controller
    controller.dialog.close()
    wait_for_all(controller.shut_down())


def dialog_of(controller: PreferenceController) -> PreferencesDialog:
    """Return the open dialog."""
    assert controller.dialog is not None
    return controller.dialog


def choose(box: QComboBox, value: str) -> None:
    """Choose an entry as a user does."""
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("theme", "dark"),
        ("text_size", "125"),
        ("motion", "reduced"),
        ("audio_device", "Headphones"),
        ("export_suffix", ".musicxml"),
        ("at_start", "last"),
    ],
)
def test_a_choice_is_stored_at_once(
    name: str, value: str, controller: PreferenceController
) -> None:
    """The settings file has it."""
    choose(getattr(dialog_of(controller), name), value)

    assert getattr(settings.load(), name) == value


def test_another_number_of_threads_is_applied(
    controller: PreferenceController, preferences: Preferences, qtbot: QtBot
) -> None:
    """The model is prepared again."""
    dialog = dialog_of(controller)
    dialog.threads.setMaximum(8)
    with qtbot.waitSignal(controller.device_chosen) as signal:
        dialog.threads.setValue(2)

    assert signal.args == ["auto"]
    assert preferences.threads == 2


def test_a_device_that_is_there_is_used(controller: PreferenceController, qtbot: QtBot) -> None:
    """It is checked in a thread, which imports torch."""
    with qtbot.waitSignal(controller.device_chosen, timeout=60_000) as signal:
        choose(dialog_of(controller).device, "cpu")

    assert signal.args == ["cpu"]


def test_a_device_that_is_missing_is_refused(
    controller: PreferenceController, preferences: Preferences, qtbot: QtBot
) -> None:
    """The old one is shown again, with a sentence."""
    dialog = dialog_of(controller)
    choose(dialog.device, "mps")

    qtbot.waitUntil(lambda: "has no MPS device" in dialog.problem.text(), timeout=60_000)
    assert preferences.device == "auto"
    assert dialog.device.currentData() == "auto"


def test_a_folder_that_is_missing_is_refused(
    controller: PreferenceController, preferences: Preferences, tmp_path: Path
) -> None:
    """One that exists is stored; an empty field stands for the last one."""
    dialog = dialog_of(controller)
    dialog.export_folder.setText("/no/such/folder")
    dialog.export_folder.editingFinished.emit()
    assert dialog.problem.text().startswith("There is no folder /no/such/folder")
    assert dialog.export_folder.text() == "/no/such/folder"  # it can be corrected
    assert preferences.settings.export_folder == ""

    dialog.export_folder.setText(str(tmp_path))
    dialog.export_folder.editingFinished.emit()

    assert dialog.problem.isHidden()
    assert preferences.export_place == (str(tmp_path), ".mid")


def test_without_a_preferred_folder_the_last_one_is_proposed(preferences: Preferences) -> None:
    """The same holds for the format."""
    preferences.remember(save_folder="/scores", save_suffix=".wav")
    assert preferences.export_place == ("/scores", ".wav")
    preferences.remember(export_suffix=".pdf")
    assert preferences.export_place == ("/scores", ".pdf")


def test_an_audio_device_that_is_gone_is_marked(
    controller: PreferenceController, preferences: Preferences, qtbot: QtBot
) -> None:
    """It stays chosen for the day it is connected again."""
    preferences.remember(audio_device="Old card")
    controller.show()
    box = dialog_of(controller).audio_device

    qtbot.waitUntil(lambda: box.currentText() == "Old card (not connected)")
    assert preferences.settings.audio_device == "Old card"


def test_the_defaults_come_back(controller: PreferenceController, preferences: Preferences) -> None:
    """Settings that are not in the dialog stay."""
    preferences.remember(theme="dark", text_size="150", threads="2", sound="organ")

    dialog_of(controller).defaults.click()

    assert preferences.settings == Settings(sound="organ")


def test_the_dialog_follows_changes_made_elsewhere(
    controller: PreferenceController, preferences: Preferences
) -> None:
    """Such as the theme in the menu."""
    preferences.remember(theme="light")

    assert dialog_of(controller).theme.currentData() == "light"
