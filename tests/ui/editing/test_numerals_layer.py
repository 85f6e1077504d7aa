"""Roman numerals in the window: the switch, the strip, the score, and files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale, Key
from musicrel.settings import NUMERALS_HIDDEN, NUMERALS_SHOWN
from musicrel.ui.app_controller import AppController
from musicrel.ui.roll.roll_numerals import RollNumerals
from musicrel.ui.shell.main_window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints

CHORDS = np.repeat([(67, 64, 60, 48), (65, 62, 59, 43), (67, 64, 60, 48)], 8, axis=0)
PIECE = Chorale.of(CHORDS, key=Key("C", "major"), title="Air")
OTHER = Chorale.of(CHORDS - 2, key=Key("Bb", "major"), title="Air")


@pytest.fixture
def strip(window: MainWindow, app_controller: AppController) -> RollNumerals:
    """Return the strip of a window with a piece."""
    app_controller.document.show_piece(PIECE, action="opened")
    found = window.findChild(RollNumerals)
    assert isinstance(found, RollNumerals)
    return found


def texts(strip: RollNumerals) -> list[str] | None:
    return None if strip.numerals is None else [numeral.text for numeral in strip.numerals]


def test_switch_shows_and_hides_numerals(
    qtbot: QtBot, window: MainWindow, app_controller: AppController, strip: RollNumerals
) -> None:
    """The choice is remembered."""
    assert texts(strip) is None

    window.commands.numerals.trigger()
    qtbot.waitUntil(lambda: texts(strip) == ["C: I", "V7", "I"])
    assert app_controller.preferences.settings.numerals == NUMERALS_SHOWN

    window.commands.numerals.trigger()
    assert texts(strip) is None
    assert app_controller.preferences.settings.numerals == NUMERALS_HIDDEN


def test_numerals_follow_the_piece(
    qtbot: QtBot, window: MainWindow, app_controller: AppController, strip: RollNumerals
) -> None:
    """Those of the piece before stay until the new ones are found."""
    window.commands.numerals.setChecked(True)
    qtbot.waitUntil(lambda: bool(texts(strip)))

    app_controller.document.show_piece(OTHER, action="opened")

    qtbot.waitUntil(lambda: texts(strip) == ["Bb: I", "V7", "I"])


@pytest.mark.parametrize("on", [True, False])
@pytest.mark.usefixtures("strip")
def test_exported_score_has_what_is_shown(
    qtbot: QtBot, window: MainWindow, app_controller: AppController, tmp_path: Path, on: bool
) -> None:
    """MusicXML has numerals while they are on."""
    window.commands.numerals.setChecked(on)
    path = tmp_path / "air.musicxml"

    app_controller.files.export(PIECE, path)

    qtbot.waitUntil(path.exists)
    assert ("<harmony" in path.read_text(encoding="utf-8")) is on
