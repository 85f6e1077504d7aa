"""Small parts of the window: banner, legend, panel, icons and file names."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QIcon, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolButton, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from musicrel import paths
from musicrel.presentation.compose.summary import Fact
from musicrel.presentation.words.palette import DARK, LIGHT, Theme
from musicrel.ui.compose.compose_page import ComposePage
from musicrel.ui.compose.controls import WIDTH, Controls
from musicrel.ui.files import file_dialogs
from musicrel.ui.roll.legend import Legend
from musicrel.ui.widgets import icons, layout, stylesheet
from musicrel.ui.widgets.banner import Banner
from musicrel.ui.widgets.elided_label import ElidedLabel

ICONS = sorted((paths.assets() / "icons").glob("*.svg"))
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: raise, hints


@pytest.fixture
def controls(qtbot: QtBot) -> Controls:
    controls = Controls()
    qtbot.addWidget(controls)
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


def test_a_banner_shows_some_lines_and_its_tooltip_the_others(qtbot: QtBot) -> None:
    """Six lines fit."""
    banner = Banner()
    qtbot.addWidget(banner)
    for lines, shown in ((6, "5"), (8, "5\nand 2 more")):
        message = "\n".join(map(str, range(lines)))
        banner.show_message(message)
        assert banner.message == f"0\n1\n2\n3\n4\n{shown}"
        assert banner.accessibleDescription() == message


def test_a_label_that_wraps_is_never_elided(qtbot: QtBot) -> None:
    """It is as high as its text needs."""
    label = ElidedLabel("2 violations: parallel fifths 2  ·  by relative, 3.1 muted", wraps=True)
    qtbot.addWidget(label)
    label.resize(120, 20)
    assert label.shown_text == label.text()
    assert not label.is_elided
    assert label.heightForWidth(120) > label.heightForWidth(1000)


def test_a_title_too_long_for_the_sheet_is_elided(qtbot: QtBot) -> None:
    """A shorter title is not elided."""
    page = ComposePage()
    qtbot.addWidget(page)
    page.resize(1320, 700)
    page.show()
    page.set_heading("Es ist genug, " * 20, "20 bars of 4/4 in A major")
    assert page.title.is_elided
    page.set_heading("Chorale 7", "20 bars of 4/4 in A major")
    assert not page.title.is_elided


def test_a_long_fact_does_not_widen_the_panel(qtbot: QtBot) -> None:
    """The tooltip has the whole name of a model."""
    controls = Controls()
    qtbot.addWidget(controls)
    name = "relative-articulated-width-256-eight-heads-second-try"
    controls.facts.set_facts([Fact("Model", name, "which")])
    value = controls.facts.findChildren(QLabel)[1]

    assert controls.minimumSizeHint().width() == WIDTH
    assert value.text().startswith("relative")
    assert value.text().endswith("try")
    assert value.toolTip() == f"{name}\nwhich"


def test_narrow_legend_hides_names(qtbot: QtBot) -> None:
    """The colours stay longer; nothing is shown in part."""
    legend = Legend()
    qtbot.addWidget(legend)
    stylesheet.apply(DARK)
    shown = {}
    for width in (legend.sizeHint().width(), 96, 80):
        legend.resize(width, legend.sizeHint().height())
        image = legend.grab().toImage()
        shown[width] = {image.pixelColor(x, 5).name() for x in range(image.width())}

    assert set(DARK.voices) <= shown[legend.sizeHint().width()]
    assert set(DARK.voices) <= shown[96]
    assert not set(DARK.voices) & shown[80]


@pytest.mark.parametrize("path", ICONS, ids=lambda path: path.stem)
def test_every_icon_is_drawn(qtbot: QtBot, path: Path) -> None:
    """None is blank; those without a colour of their own have one of the current theme."""
    stylesheet.apply(LIGHT)
    icon = icons.themed(path.stem, "accent")
    stylesheet.apply(DARK)
    image = icon.pixmap(48, 48).toImage()
    colours = {image.pixelColor(x, y).name() for x in range(48) for y in range(48)}

    assert len(colours) > 1
    if "currentColor" in path.read_text():
        assert DARK.accent in colours
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


def test_rows_hold_widgets_layouts_and_blanks(qtbot: QtBot) -> None:
    """A pair sets a stretch factor, a number is blank pixels, None takes what is left."""
    owner, first, second = QWidget(), QToolButton(), QToolButton()
    qtbot.addWidget(owner)
    inner = layout.column(second)
    row = layout.row((first, 2), 7, inner, None, owner=owner, spacing=3, margins=(1, 2, 3, 4))

    assert owner.layout() is row
    assert row.indexOf(first) == 0
    assert row.indexOf(inner) == 2
    assert inner.indexOf(second) == 0
    assert [row.stretch(place) for place in range(row.count())] == [2, 0, 0, 1]
    assert (row.spacing(), row.contentsMargins().bottom()) == (3, 4)


def test_icon_of_a_checked_button_has_another_colour(qtbot: QtBot) -> None:
    """Disabled, it is faint; an icon changed by Qt keeps its colours."""
    icon = QIcon(icons.themed("stop", checked="accent"))
    shared = QIcon(icon)
    icon.addPixmap(QPixmap(8, 8))

    def colour(mode: QIcon.Mode, state: QIcon.State) -> QColor:
        return icon.pixmap(QSize(32, 32), mode, state).toImage().pixelColor(16, 16)

    assert colour(QIcon.Mode.Normal, QIcon.State.Off) == QColor(LIGHT.text)
    assert colour(QIcon.Mode.Normal, QIcon.State.On) == QColor(LIGHT.accent)
    assert colour(QIcon.Mode.Disabled, QIcon.State.On) == QColor(LIGHT.faint)
    assert not shared.isNull()
    del qtbot


def test_a_label_can_be_elided_in_the_middle(qtbot: QtBot) -> None:
    """A head stands behind the name of its model."""
    label = ElidedLabel("A: relative-articulated, head 3", elide=Qt.TextElideMode.ElideMiddle)
    qtbot.addWidget(label)
    label.resize(120, 20)

    assert label.shown_text.startswith("A: ")
    assert label.shown_text.endswith("head 3")
    assert "…" in label.shown_text


def test_tooltip_of_an_elided_label_has_the_full_text(qtbot: QtBot) -> None:
    """A tooltip of its own follows."""
    label = ElidedLabel("Es ist genug")
    qtbot.addWidget(label)
    label.resize(40, 20)
    label.show()

    def tip() -> str:
        place = QPoint(5, 5)
        here = QHelpEvent(QEvent.Type.ToolTip, place, label.mapToGlobal(place))
        QApplication.sendEvent(label, here)
        return QToolTip.text()

    assert tip() == "Es ist genug"
    label.setToolTip("BWV 60")
    assert tip() == "Es ist genug\nBWV 60"
    QToolTip.hideText()
