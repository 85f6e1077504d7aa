"""The dialog of a piece's properties."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from musicrel.chorale import Chorale, Key, Meter
from musicrel.editing.selection import Selection
from musicrel.ui.app_controller import AppController
from musicrel.ui.editing.properties_dialog import PropertiesDialog
from musicrel.ui.shell.main_window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

PIECE = Chorale.of(np.repeat([[72, 67, 64, 48]], 32, axis=0), title="A hymn", key=Key("C", "major"))


@pytest.fixture
def dialog(app_controller: AppController, window: MainWindow) -> PropertiesDialog:
    """Return the dialog, opened from the menu for a piece with a selection."""
    app_controller.document.show_piece(PIECE)
    app_controller.document.select(Selection(voices=(1,), start=0, stop=4))
    window.commands.edit.properties.trigger()
    dialog = app_controller.editing.properties.dialog
    assert dialog is not None
    return dialog


def test_entries_are_applied_as_one_step_of_undo(
    app_controller: AppController, window: MainWindow, dialog: PropertiesDialog
) -> None:
    """The selection stays; the title is shown on the page."""
    dialog.title.setText("Another hymn")
    dialog.composer.setText("J. Crüger")
    dialog.meter.setCurrentText("3/4")
    dialog.pickup.setValue(1)
    dialog.tempo.setValue(96)
    dialog.apply_button.click()

    document = app_controller.document
    assert document.piece is not None
    assert (document.piece.title, document.piece.composer) == ("Another hymn", "J. Crüger")
    assert (document.piece.meter, document.piece.pickup, document.piece.tempo) == (
        Meter(3, 4),
        4,
        96,
    )
    assert document.selection == Selection(voices=(1,), start=0, stop=4)
    assert window.compose_page.title.text() == "Another hymn"
    assert app_controller.editing.properties.dialog is None
    document.undo()
    assert document.piece == PIECE


def test_notes_follow_the_key_if_chosen(
    app_controller: AppController, dialog: PropertiesDialog
) -> None:
    """The choice is enabled with another key of the same mode only."""
    assert not dialog.transpose.isEnabled()
    assert dialog.transpose.toolTip() == "Choose another key first."
    dialog.key.setCurrentIndex(dialog.key.findText("D minor"))
    assert "choose a major key" in dialog.transpose.toolTip()
    dialog.key.setCurrentIndex(dialog.key.findText("D major"))
    dialog.transpose.click()
    dialog.apply_button.click()

    document = app_controller.document
    assert document.piece is not None
    assert document.piece.key == Key("D", "major")
    assert document.piece.pitches[0].tolist() == [74, 69, 66, 50]


def test_invalid_entries_disable_apply_at_once(dialog: PropertiesDialog) -> None:
    """The reason is on the dialog and in the tooltip of the button."""
    assert dialog.problem.isHidden()
    dialog.meter.setCurrentText("4/5")
    assert dialog.problem.isVisible()
    assert dialog.problem.text().startswith("Unknown meter 4/5: expected 1 to 32 over")
    assert not dialog.apply_button.isEnabled()
    assert dialog.apply_button.toolTip() == dialog.problem.text()
    dialog.meter.setCurrentText("4/4")

    assert dialog.problem.isHidden()
    assert dialog.apply_button.isEnabled()
    dialog.reject()


def test_nothing_is_changed_without_a_change(
    app_controller: AppController, dialog: PropertiesDialog
) -> None:
    """There is no step of Undo then, nor after Cancel."""
    before = app_controller.document.piece
    dialog.apply_button.click()

    assert app_controller.document.piece is before


def test_numbers_have_no_zeros_after_the_point(dialog: PropertiesDialog) -> None:
    """And one beat is one beat."""
    assert (dialog.pickup.text(), dialog.tempo.text()) == ("None", "80 quarters a minute")
    dialog.pickup.setValue(1)
    assert dialog.pickup.text() == "1 beat"
    dialog.pickup.setValue(1.5)
    assert dialog.pickup.text() == "1.5 beats"
    dialog.reject()


def test_another_piece_closes_the_dialog(
    app_controller: AppController, dialog: PropertiesDialog
) -> None:
    """Its entries belong to the piece before."""
    dialog.title.setText("Lost")
    app_controller.document.show_piece(Chorale.of([[60, 55, 52, 48]] * 16, title="Other"))

    assert app_controller.editing.properties.dialog is None
    assert app_controller.document.title == "Other"


def test_double_click_on_the_title_opens_the_dialog(
    app_controller: AppController, window: MainWindow
) -> None:
    """Without a piece nothing happens."""
    found: list[str] = []

    def double_click() -> None:
        QTest.mouseDClick(window.compose_page.title, Qt.MouseButton.LeftButton)
        dialog = app_controller.editing.properties.dialog
        if dialog is not None:
            found.append(dialog.title.text())
            dialog.reject()

    double_click()
    app_controller.document.show_piece(PIECE)
    double_click()

    assert found == ["A hymn"]
