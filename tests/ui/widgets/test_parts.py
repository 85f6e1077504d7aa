"""The small parts of the window: banner, legend, panel, icons, saving."""

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
    """It says which it will do, and tells which was wished for."""
    assert controls.main.text() == "Generate"
    with qtbot.waitSignal(controls.generate_clicked):
        QTest.mouseClick(controls.main, Qt.MouseButton.LeftButton)

    controls.set_running(True)
    assert controls.main.text() == controls.main.accessibleName() == "Stop"
    with qtbot.waitSignal(controls.stop_clicked):
        QTest.mouseClick(controls.main, Qt.MouseButton.LeftButton)


def test_button_says_why_it_cannot(controls: Controls) -> None:
    """In its tooltip; it can always stop what runs."""
    controls.set_obstacle("There is no model")
    assert not controls.main.isEnabled()
    assert controls.main.toolTip() == "There is no model"

    controls.set_running(True)
    assert controls.main.isEnabled()
    controls.set_running(False)
    controls.set_obstacle("")
    assert controls.main.isEnabled()


def test_progress_is_seen_while_something_runs(controls: Controls) -> None:
    """First without an end in sight, then as a share."""
    assert controls.progress.isHidden()
    controls.set_running(True)
    assert (controls.progress.minimum(), controls.progress.maximum()) == (0, 0)

    controls.set_progress(0.25)
    assert controls.progress.value() == 250
    controls.set_running(False)
    assert controls.progress.isHidden()


def test_facts_replace_those_before(controls: Controls, qtbot: QtBot) -> None:
    """And without any the card is gone."""
    controls.facts.tell([Fact("Notes", "12", "how many"), Fact("Seed", "3", "which")])
    controls.facts.tell([Fact("Notes", "13", "how many")])

    qtbot.waitUntil(lambda: len(controls.facts.findChildren(type(controls.entries.detail))) == 2)
    assert not controls.facts.isHidden()
    controls.facts.tell([])
    assert controls.facts.isHidden()


def test_banner_tells_one_sentence_until_it_is_closed(qtbot: QtBot) -> None:
    """As plain text, so that nothing in it is taken for markup."""
    banner = Banner()
    qtbot.addWidget(banner)
    assert banner.sentence == ""

    banner.tell("<b>not bold</b>")
    assert banner.sentence == banner.accessibleDescription() == "<b>not bold</b>"
    button = banner.findChild(QToolButton)
    assert button is not None
    button.click()
    assert banner.sentence == ""


def test_a_title_too_long_for_the_sheet_ends_in_an_ellipsis(qtbot: QtBot) -> None:
    """The whole of it is in the tooltip; a shorter one is there in full."""
    page = ComposePage()
    qtbot.addWidget(page)
    page.resize(1320, 700)
    page.show()
    page.set_heading("Es ist genug, " * 20, "20 bars of 4/4 in A major")
    assert page.title.text().startswith("Es ist genug")
    assert page.title.text().endswith("…")
    assert page.title.toolTip() == page.title.whole == "Es ist genug, " * 20
    page.set_heading("Chorale 7", "20 bars of 4/4 in A major")
    assert page.title.text() == "Chorale 7"


def test_legend_leaves_names_out_where_it_is_narrow(qtbot: QtBot) -> None:
    """The chips stay longer; what would be cut is not shown at all."""
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
def test_every_drawing_can_be_drawn(qtbot: QtBot, path: Path) -> None:
    """Not blank, and in the colour that is asked for where it has none of its own."""
    image = icons.pixmap(path.stem, 48, "#ff0000").toImage()
    colours = {image.pixelColor(x, y).name() for x in range(48) for y in range(48)}

    assert len(colours) > 1
    if "currentColor" in path.read_text():
        assert "#ff0000" in colours
    del qtbot


def test_app_icon_has_all_sizes(qtbot: QtBot) -> None:
    """Small for a title bar, large for a dock."""
    assert {size.width() for size in icons.app_icon().availableSizes()} >= {16, 32, 256}
    del qtbot


@pytest.mark.parametrize(("wish", "theme"), [("light", LIGHT), ("dark", DARK)])
def test_wished_theme_is_chosen(qtbot: QtBot, wish: str, theme: Theme) -> None:
    """Whatever the system says."""
    assert stylesheet.chosen(wish) is theme
    assert stylesheet.chosen("system") in (LIGHT, DARK)
    del qtbot


def test_style_sheet_names_only_colours_that_exist(qtbot: QtBot) -> None:
    """Qt takes it without a warning, in both themes."""
    for theme in (LIGHT, DARK):
        stylesheet.dress(theme)
        button = QToolButton()
        qtbot.addWidget(button)
        assert button.palette().windowText().color() == QColor(theme.text)


def test_kinds_of_files_have_names() -> None:
    """Those without one are called by their suffix; two suffixes of one kind are offered once."""
    assert file_dialogs.filters((".mid", ".midi", ".abc")) == {
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
    """Letters of all languages stay, what a system may refuse goes."""
    assert file_dialogs.file_name(title, ".mid") == expected
