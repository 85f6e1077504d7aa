"""Small parts of the window: banner, legend, panel, icons and file names."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from musicrel.presentation.compose.summary import Fact
from musicrel.presentation.words.palette import DARK, LIGHT, Theme
from musicrel.ui.compose.compose_page import ComposePage
from musicrel.ui.compose.controls import Controls
from musicrel.ui.files import file_dialogs
from musicrel.ui.roll.legend import Legend
from musicrel.ui.widgets import icons, stylesheet
from musicrel.ui.widgets.banner import Banner

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


@pytest.fixture
def controls(qtbot: QtBot) -> Controls:
    controls = Controls()
    qtbot.addWidget(controls)
    controls.set_theme(LIGHT)
    return controls


def test_one_button_generates_and_stops(controls: Controls, qtbot: QtBot) -> None:
    """Its text is the action of the next click."""
    assert controls.generate_button.text() == "Generate"
    with qtbot.waitSignal(controls.generate_clicked):
        QTest.mouseClick(controls.generate_button, Qt.MouseButton.LeftButton)

    controls.set_running(True)
    assert controls.generate_button.text() == controls.generate_button.accessibleName() == "Stop"
    with qtbot.waitSignal(controls.stop_clicked):
        QTest.mouseClick(controls.generate_button, Qt.MouseButton.LeftButton)


def test_disabled_button_shows_the_reason(controls: Controls) -> None:
    """The reason is in the tooltip; Stop is always enabled."""
    controls.set_disabled_reason("There is no model")
    assert not controls.generate_button.isEnabled()
    assert controls.generate_button.toolTip() == "There is no model"

    controls.set_running(True)
    assert controls.generate_button.isEnabled()
    controls.set_running(False)
    controls.set_disabled_reason("")
    assert controls.generate_button.isEnabled()


def test_progress_is_visible_during_a_job(controls: Controls) -> None:
    """It is indeterminate first and then a share."""
    assert controls.progress.isHidden()
    controls.set_running(True)
    assert (controls.progress.minimum(), controls.progress.maximum()) == (0, 0)

    controls.set_progress(0.25)
    assert controls.progress.value() == 250
    controls.set_running(False)
    assert controls.progress.isHidden()


def test_facts_replace_the_previous_ones(controls: Controls, qtbot: QtBot) -> None:
    """Without facts the card is hidden."""
    controls.facts.set_facts([Fact("Notes", "12", "how many"), Fact("Seed", "3", "which")])
    controls.facts.set_facts([Fact("Notes", "13", "how many")])

    qtbot.waitUntil(
        lambda: len(controls.facts.findChildren(type(controls.compose_form.detail))) == 2
    )
    assert not controls.facts.isHidden()
    controls.facts.set_facts([])
    assert controls.facts.isHidden()


def test_banner_shows_one_message_until_it_is_closed(qtbot: QtBot) -> None:
    """The message is plain text: markup in it is not interpreted."""
    banner = Banner()
    qtbot.addWidget(banner)
    assert banner.message == ""

    banner.show_message("<b>not bold</b>")
    assert banner.message == banner.accessibleDescription() == "<b>not bold</b>"
    button = banner.findChild(QToolButton)
    assert button is not None
    button.click()
    assert banner.message == ""


def test_a_title_too_long_for_the_sheet_is_elided(qtbot: QtBot) -> None:
    """The full title is in the tooltip; a shorter title is not elided."""
    page = ComposePage()
    qtbot.addWidget(page)
    page.resize(1320, 700)
    page.show()
    page.set_heading("Es ist genug, " * 20, "20 bars of 4/4 in A major")
    assert page.title.text().startswith("Es ist genug")
    assert page.title.text().endswith("…")
    assert page.title.toolTip() == page.title.full_text == "Es ist genug, " * 20
    page.set_heading("Chorale 7", "20 bars of 4/4 in A major")
    assert page.title.text() == "Chorale 7"


def test_narrow_legend_hides_names(qtbot: QtBot) -> None:
    """The colours stay longer; nothing is shown in part."""
    legend = Legend()
    qtbot.addWidget(legend)
    legend.set_theme(DARK)
    shown = {}
    for width in (legend.sizeHint().width(), 96, 80):
        legend.resize(width, legend.sizeHint().height())
        image = legend.grab().toImage()
        shown[width] = {image.pixelColor(x, 5).name() for x in range(image.width())}

    assert set(DARK.voices) <= shown[legend.sizeHint().width()]
    assert set(DARK.voices) <= shown[96]
    assert not set(DARK.voices) & shown[80]


@pytest.mark.parametrize("path", sorted(icons.folder().glob("*.svg")), ids=lambda path: path.stem)
def test_every_icon_is_drawn(qtbot: QtBot, path: Path) -> None:
    """None is blank; those without a colour of their own have the given one."""
    image = icons.pixmap(path.stem, 48, "#ff0000").toImage()
    colours = {image.pixelColor(x, y).name() for x in range(48) for y in range(48)}

    assert len(colours) > 1
    if "currentColor" in path.read_text():
        assert "#ff0000" in colours
    del qtbot


def test_app_icon_has_all_sizes(qtbot: QtBot) -> None:
    """Small ones for title bars, large ones for docks."""
    assert {size.width() for size in icons.app_icon().availableSizes()} >= {16, 32, 256}
    del qtbot


@pytest.mark.parametrize(("setting", "theme"), [("light", LIGHT), ("dark", DARK)])
def test_theme_follows_the_setting(qtbot: QtBot, setting: str, theme: Theme) -> None:
    """The system decides only for the setting "system"."""
    assert stylesheet.theme_for(setting) is theme
    assert stylesheet.theme_for("system") in (LIGHT, DARK)
    del qtbot


def test_style_sheet_names_only_colours_that_exist(qtbot: QtBot) -> None:
    """Qt parses it without a warning, in both themes."""
    for theme in (LIGHT, DARK):
        stylesheet.apply(theme)
        button = QToolButton()
        qtbot.addWidget(button)
        assert button.palette().windowText().color() == QColor(theme.text)


def test_file_formats_have_names() -> None:
    """Others are named by their suffix; two suffixes of one format are listed once."""
    assert file_dialogs.name_filters((".mid", ".midi", ".abc")) == {
        "MIDI file (*.mid)": ".mid",
        "ABC file (*.abc)": ".abc",
    }


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Chorale 7", "Chorale 7.mid"),
        ("a/b\\c:d?", "abcd.mid"),
        ("...", "Chorale.mid"),
        ("Übung №1", "Übung 1.mid"),
    ],
)
def test_file_name_suits_every_system(title: str, expected: str) -> None:
    """Letters of all languages are kept; characters that a system may refuse are removed."""
    assert file_dialogs.file_name(title, ".mid") == expected
