"""The dialog of a piece's properties."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from musicrel.chorale import LINES, Chorale, Key, Meter
from musicrel.score.editing.selection import Selection
from musicrel.settings import NUMERALS_HIDDEN, NUMERALS_SHOWN
from musicrel.ui.app_controller import AppController
from musicrel.ui.editing.numerals_layer import RollNumerals
from musicrel.ui.editing.properties import PropertiesDialog
from tests.ui.user import User

PIECE = Chorale.of(np.repeat([[72, 67, 64, 48]], 32, axis=0), title="A hymn", key=Key("C", "major"))


@pytest.fixture
def dialog(app: AppController) -> PropertiesDialog:
    app.document.show_piece(PIECE)
    app.document.select(Selection(voices=(1,), start=0, stop=4))
    app.window.commands.edit.properties.trigger()
    dialog = app.properties.dialog
    assert dialog is not None
    return dialog


def test_entries_are_applied_as_one_step_of_undo(user: User, dialog: PropertiesDialog) -> None:
    dialog.title.setText("Another hymn")
    dialog.subtitle.setText("For choir")
    dialog.composer.setText("J. Crüger")
    dialog.poet.setText("P. Gerhardt")
    dialog.tune.setText("ASSAM")
    dialog.copyright.setText("© nobody")
    dialog.meter.setCurrentText("3/4")
    dialog.pickup.setValue(1)
    dialog.tempo.setValue(96)
    dialog.action_button.click()

    document = user.document
    assert document.piece is not None
    assert [getattr(document.piece, name) for name in LINES] == [
        "Another hymn", "For choir", "J. Crüger", "P. Gerhardt", "ASSAM", "© nobody",
    ]  # fmt: skip
    assert (document.piece.meter, document.piece.pickup, document.piece.tempo) == (
        Meter(3, 4),
        4,
        96,
    )
    assert document.selection == Selection(voices=(1,), start=0, stop=4)
    assert user.page.title.text() == "Another hymn"
    assert user.app.properties.dialog is None
    document.undo()
    assert document.piece == PIECE


def test_notes_follow_the_key_if_chosen(app: AppController, dialog: PropertiesDialog) -> None:
    assert not dialog.transpose.isEnabled()
    assert dialog.transpose.toolTip() == "Choose another key first."
    dialog.key.setCurrentIndex(dialog.key.findText("D minor"))
    assert "choose a major key" in dialog.transpose.toolTip()
    dialog.key.setCurrentIndex(dialog.key.findText("D major"))
    dialog.transpose.click()
    dialog.action_button.click()

    document = app.document
    assert document.piece is not None
    assert document.piece.key == Key("D", "major")
    assert document.piece.pitches[0].tolist() == [74, 69, 66, 50]


def test_invalid_entries_disable_apply_at_once(dialog: PropertiesDialog) -> None:
    assert dialog.problem.isHidden()
    dialog.meter.setCurrentText("4/5")
    assert dialog.problem.isVisible()
    assert dialog.problem.text().startswith("Unknown meter 4/5: expected 1 to 32 over")
    assert not dialog.action_button.isEnabled()
    assert dialog.action_button.toolTip() == dialog.problem.text()
    dialog.meter.setCurrentText("4/4")

    assert dialog.problem.isHidden()
    assert dialog.action_button.isEnabled()
    dialog.reject()


def test_nothing_is_changed_without_a_change(app: AppController, dialog: PropertiesDialog) -> None:
    before = app.document.piece
    dialog.action_button.click()

    assert app.document.piece is before


def test_numbers_have_no_zeros_after_the_point(dialog: PropertiesDialog) -> None:
    assert (dialog.pickup.text(), dialog.tempo.text()) == ("None", "80 quarters a minute")
    dialog.pickup.stepUp()
    assert dialog.pickup.text() == "1 beat"
    dialog.pickup.setValue(1.5)
    assert dialog.pickup.text() == "1.5 beats"
    dialog.reject()


def test_another_piece_closes_the_dialog(app: AppController, dialog: PropertiesDialog) -> None:
    dialog.title.setText("Lost")
    app.document.show_piece(Chorale.of([[60, 55, 52, 48]] * 16, title="Other"))

    assert app.properties.dialog is None
    assert app.document.title == "Other"


def test_double_click_on_the_title_opens_the_dialog(app: AppController) -> None:
    found: list[str] = []

    def double_click() -> None:
        QTest.mouseDClick(app.window.compose_page.title, Qt.MouseButton.LeftButton)
        dialog = app.properties.dialog
        if dialog is not None:
            found.append(dialog.title.text())
            dialog.reject()

    double_click()
    app.document.show_piece(PIECE)
    double_click()

    assert found == ["A hymn"]


CHORDS = np.repeat([(67, 64, 60, 48), (65, 62, 59, 43), (67, 64, 60, 48)], 8, axis=0)
NUMBERED = Chorale.of(CHORDS, key=Key("C", "major"), title="Air")
OTHER = Chorale.of(CHORDS - 2, key=Key("Bb", "major"), title="Air")


@pytest.fixture
def strip(app: AppController) -> RollNumerals:
    app.document.show_piece(NUMBERED, action="opened")
    found = app.window.findChild(RollNumerals)
    assert isinstance(found, RollNumerals)
    return found


def texts(strip: RollNumerals) -> list[str] | None:
    return None if strip.numerals is None else [numeral.text for numeral in strip.numerals]


def test_switch_shows_and_hides_numerals(user: User, strip: RollNumerals) -> None:
    assert texts(strip) is None

    user.commands.numerals.trigger()
    user.wait(lambda: texts(strip) == ["C: I", "V7", "I"])
    assert user.app.preferences.settings.numerals == NUMERALS_SHOWN

    user.commands.numerals.trigger()
    assert texts(strip) is None
    assert user.app.preferences.settings.numerals == NUMERALS_HIDDEN


def test_numerals_follow_the_piece(user: User, strip: RollNumerals) -> None:
    user.commands.numerals.setChecked(True)
    user.wait(lambda: bool(texts(strip)))

    user.document.show_piece(OTHER, action="opened")

    user.wait(lambda: texts(strip) == ["Bb: I", "V7", "I"])


@pytest.mark.parametrize("on", [True, False])
@pytest.mark.usefixtures("strip")
def test_exported_score_has_what_is_shown(user: User, tmp_path: Path, on: bool) -> None:
    user.commands.numerals.setChecked(on)
    path = tmp_path / "air.musicxml"

    user.app.files.export(NUMBERED, path)

    user.wait(path.exists)
    assert ("<harmony" in path.read_text(encoding="utf-8")) is on
