"""Models, preferences and sound together with the rest of the window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QFileDialog, QMenu, QWidget
from pytestqt.qtbot import QtBot

from musicrel import settings
from musicrel.chorale import Chorale
from musicrel.settings import Settings
from musicrel.ui.actions import commands
from musicrel.ui.app_controller import AppController
from musicrel.ui.document.preferences import Preferences
from musicrel.ui.files import recent
from musicrel.ui.jobs.worker import end_all
from musicrel.ui.library.preferences_dialog import PreferencesDialog
from musicrel.ui.shell.main_window import MainWindow
from tests.helpers.sound import ManualOutput
from tests.ui.controllers.user_actions import answer, show_chords
from tests.ui.user import User


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
    app = make_app()
    form_view = window.compose_page.controls.compose_form
    assert drop(window, download)
    boxes = (form_view.model, form_view.model_rewrite)
    qtbot.waitUntil(lambda: all(box.findData("tiny") >= 0 for box in boxes), timeout=20_000)
    dialog = app.library.models.dialog

    dialog.use_button.click()
    assert app.document.form.model == "tiny"
    dialog.close()
    window.commands.library.models.trigger()
    assert dialog.model is not None
    assert dialog.model.name == "tiny"
    assert dialog.table.selectedItems()[0].font().bold()
    dialog.remove_button.click()

    assert form_view.model.findData("tiny") == -1
    assert app.document.form.model == "relative"
    assert app.preferences.settings.model == ""
    assert dialog.banner.message.endswith("relative is chosen in the form instead.")
    dialog.close()


def test_another_audio_device_is_opened_at_once(app: AppController, output: ManualOutput) -> None:
    show_chords(app)
    app.player.play()
    while app.player.work():
        pass
    assert (output.running, output.starts) == (True, 1)

    app.library.show_preferences()
    dialog = app.library.preferences
    assert dialog is not None
    dialog.change("audio_device", "Headphones")
    dialog.close()
    while app.player.work():
        pass

    assert (output.running, output.starts) == (True, 2)
    assert app.player.playing


def test_the_form_opens_the_list_of_models(app: AppController) -> None:
    app.window.compose_page.controls.compose_form.manage.click()

    dialog = app.library.models.dialog
    assert dialog.isVisible()
    dialog.close()


def click(app: AppController, text: str) -> None:
    card = app.library.first_steps.card
    button = next(one for one in card.buttons if one.text().startswith(text))
    button.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(button, Qt.Key.Key_Space)


def test_a_first_start_offers_three_things(app: AppController) -> None:
    card = app.library.first_steps.card

    assert card.isVisible()
    assert [button.text() for button in card.buttons] == [
        "Generate a chorale", "Write a melody and harmonise it", "Open a file (MIDI, MusicXML, ABC)"
    ]  # fmt: skip
    assert app.window.compose_page.roll.hint == ("", "")


def test_the_offers_end_with_the_first_piece(user: User) -> None:
    click(user.app, "Generate")
    card = user.app.library.first_steps.card
    assert not card.isVisible()
    user.wait(lambda: settings.load().first_steps == "hidden")

    user.app.projects.new()
    answer(user.window, "Don't Save")

    assert not card.isVisible()
    assert not user.commands.library.offers.isChecked()


def test_the_first_piece_is_followed_by_three_more_offers(user: User) -> None:
    offers = user.app.library.first_steps.next
    assert not offers.isVisible()

    click(user.app, "Generate")
    user.wait(offers.isVisible)

    assert [button.text() for button in offers.buttons] == [
        "Listen", "Change a phrase", "Export as MIDI, score or sound"
    ]  # fmt: skip
    user.wait(lambda: not (user.writer.busy or user.page.brackets.disabled_reason))
    menu = user.page.brackets.menu
    offers.buttons[1].click()
    assert menu.isVisible()
    assert "All phrases as in &Bach" in [action.text() for action in menu.actions()]
    menu.close()
    for page, seen in (("attention", False), ("compose", True)):
        user.window.pages.open(page)
        assert offers.isVisible() == seen
    offers.close_button.click()
    assert not offers.isVisible()
    user.generate()
    assert not offers.isVisible()


def test_a_phrase_is_not_offered_where_no_fermatas_show_phrases(user: User) -> None:
    offers = user.app.library.first_steps.next
    click(user.app, "Open")
    user.window.findChildren(QFileDialog)[0].reject()

    user.document.show_piece(Chorale.of([(72, 67, 64, 48)] * 16))

    assert [button.isVisible() for button in offers.buttons] == [True, False, True]


def test_a_phrase_is_offered_on_the_roll(user: User) -> None:
    click(user.app, "Generate")
    user.wait(user.app.library.first_steps.next.isVisible)
    user.wait(lambda: not user.writer.busy)
    user.commands.score.setChecked(True)
    user.app.library.first_steps.next.buttons[1].click()
    assert user.page.brackets.isVisible()
    user.page.brackets.menu.close()


def test_the_first_note_of_a_melody_is_followed_by_no_offers(user: User) -> None:
    click(user.app, "Write a melody")
    QTest.keyClick(user.roll, Qt.Key.Key_C)
    assert user.piece.pitches.max() > 0
    assert not user.app.library.first_steps.next.isVisible()
    user.act.draw.setChecked(False)


def test_a_piece_without_the_card_is_followed_by_no_offers(user: User) -> None:
    user.generate()
    assert not user.app.library.first_steps.next.isVisible()


def test_a_melody_can_be_written_at_once(app: AppController) -> None:
    card = app.library.first_steps.card
    click(app, "Write")

    assert app.window.commands.rewriting.draw.isChecked()
    assert not card.isVisible()
    assert app.window.compose_page.roll.hint[0] != ""
    app.window.commands.rewriting.draw.trigger()
    assert card.isVisible()
    assert app.window.compose_page.roll.hint == ("", "")


def test_the_offer_to_write_a_melody_is_note_input_of_two_menus(app: AppController) -> None:
    draw, offer = app.window.commands.rewriting.draw, app.library.first_steps.card.buttons[1]
    menus = {menu.title() for menu in draw.associatedObjects() if isinstance(menu, QMenu)}

    assert menus == {"&Edit", "&Compose"}
    assert offer.toolTip() == commands.tip(draw)


def test_a_file_can_be_opened(app: AppController) -> None:
    click(app, "Open")

    dialogs = [one for one in app.window.findChildren(QFileDialog) if one.isVisible()]
    assert len(dialogs) == 1
    dialogs[0].reject()


def test_someone_who_has_opened_documents_is_not_asked(
    make_app: Callable[[], AppController], tmp_path: Path
) -> None:
    recent.add(tmp_path / "hymn.musicrel")

    app = make_app()

    assert not app.library.first_steps.wanted
    assert app.window.compose_page.roll.hint[0] != ""


def test_the_menu_brings_the_offers_back(user: User) -> None:
    card, toggle = user.app.library.first_steps.card, user.commands.library.offers
    toggle.trigger()
    assert (card.isVisible(), settings.load().first_steps) == (False, "hidden")
    assert user.roll.hint[0] != ""
    toggle.trigger()
    assert (card.isVisible(), settings.load().first_steps) == (True, "shown")

    user.generate()
    toggle.trigger()

    assert not card.isVisible()


def test_the_offers_hide_while_notes_are_written(user: User) -> None:
    user.jobs.hold_at = 4
    user.controls.generate_button.click()
    assert not user.app.library.first_steps.card.isVisible()
    user.jobs.gate.set()
    user.wait(lambda: not user.document.generating)


def test_the_offers_need_an_empty_sheet(app: AppController) -> None:
    offers = app.window.commands.library.offers
    assert offers.isEnabled()

    show_chords(app)

    assert not offers.isEnabled()
    assert offers.toolTip().startswith("There is a piece on the sheet")


def test_the_offers_give_room_to_two_models(app: AppController) -> None:
    card = app.library.first_steps.card

    app.two_models.compare_with("vanilla")
    assert not card.isVisible()

    app.two_models.compare_with("")
    assert card.isVisible()


@pytest.fixture
def preferences(home: Path) -> Preferences:
    del home
    return Preferences(Settings())


@pytest.fixture
def dialog(parent: QWidget, preferences: Preferences, qtbot: QtBot) -> Iterator[PreferencesDialog]:
    dialog = PreferencesDialog(parent, preferences, lambda: ("Speakers", "Headphones"))
    dialog.refresh()
    dialog.show()
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: dialog.audio_device.count() == 3)
    yield dialog
    dialog.close()
    end_all(dialog)


def choose(box: QComboBox, value: str) -> None:
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
        ("sheet", "parts"),
    ],
)
def test_a_choice_is_stored_at_once(name: str, value: str, dialog: PreferencesDialog) -> None:
    choose(getattr(dialog, name), value)

    assert getattr(settings.load(), name) == value


def test_models_compute_on_all_cores_unless_a_number_is_chosen(
    dialog: PreferencesDialog, preferences: Preferences, qtbot: QtBot
) -> None:
    assert (dialog.cores.text(), preferences.threads) == ("All", None)
    dialog.cores.setMaximum(8)
    with qtbot.waitSignal(dialog.device_chosen) as signal:
        dialog.cores.setValue(2)

    assert signal.args == ["auto"]
    assert preferences.threads == 2


def test_a_device_that_is_there_is_used(dialog: PreferencesDialog, qtbot: QtBot) -> None:
    with qtbot.waitSignal(dialog.device_chosen, timeout=60_000) as signal:
        choose(dialog.device, "cpu")

    assert signal.args == ["cpu"]


def test_a_device_that_is_missing_is_refused(
    dialog: PreferencesDialog, preferences: Preferences, qtbot: QtBot
) -> None:
    choose(dialog.device, "mps")

    qtbot.waitUntil(lambda: "has no MPS device" in dialog.problem.text(), timeout=60_000)
    assert preferences.device == "auto"
    assert dialog.device.currentData() == "auto"


def test_a_folder_that_is_missing_is_refused(
    dialog: PreferencesDialog, preferences: Preferences, tmp_path: Path
) -> None:
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
    preferences.remember(save_folder="/scores", save_suffix=".wav")
    assert preferences.export_place == ("/scores", ".wav")
    preferences.remember(export_suffix=".pdf")
    assert preferences.export_place == ("/scores", ".pdf")


def test_an_audio_device_that_is_gone_is_marked(
    dialog: PreferencesDialog, preferences: Preferences, qtbot: QtBot
) -> None:
    preferences.remember(audio_device="Old card")
    dialog.refresh()
    box = dialog.audio_device

    qtbot.waitUntil(lambda: box.currentText() == "Old card (not connected)")
    assert preferences.settings.audio_device == "Old card"


def test_the_defaults_come_back(dialog: PreferencesDialog, preferences: Preferences) -> None:
    preferences.remember(theme="dark", text_size="150", cores="2", sound="organ")

    dialog.defaults.click()

    assert preferences.settings == Settings(sound="organ")


def test_the_dialog_follows_changes_made_elsewhere(
    dialog: PreferencesDialog, preferences: Preferences
) -> None:
    preferences.remember(theme="light")

    assert dialog.theme.currentData() == "light"
