"""Small parts of the window: banner, legend, panel, icons and file names."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QIcon,
    QImage,
    QPainter,
    QPaintEvent,
    QPixmap,
    QTextDocument,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QGraphicsView,
    QLabel,
    QTextBrowser,
    QToolButton,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

from musicrel import paths
from musicrel.figures.figure import Figure, Hit
from musicrel.model import checkpoint
from musicrel.presentation.compose.summary import Fact
from musicrel.presentation.words.palette import DARK, LIGHT, Theme
from musicrel.ui.compose.controls import WIDTH, Controls
from musicrel.ui.files import dialogs
from musicrel.ui.jobs.worker import end_all
from musicrel.ui.library.model_library import ModelLibrary
from musicrel.ui.roll.legend import Legend
from musicrel.ui.shell import card_dialog
from musicrel.ui.shell.main_window import MainWindow
from musicrel.ui.widgets import icons, layout, plots, stylesheet
from musicrel.ui.widgets.banner import Banner
from musicrel.ui.widgets.card_text import CardText
from musicrel.ui.widgets.elided_label import ElidedBox, ElidedLabel
from musicrel.ui.widgets.figure_view import FigureView
from musicrel.ui.widgets.plots import PlotHolder
from tests.helpers.models import tiny_card, tiny_config, tiny_model

ICONS = sorted((paths.assets() / "icons").glob("*.svg"))
LONG = "Current piece: " + "a name that nobody reads to its end " * 4


@pytest.fixture
def controls(qtbot: QtBot) -> Controls:
    controls = Controls()
    qtbot.addWidget(controls)
    return controls


def test_one_button_generates_and_stops(controls: Controls, qtbot: QtBot) -> None:
    assert controls.generate_button.text() == "Generate"
    with qtbot.waitSignal(controls.generate_clicked):
        QTest.mouseClick(controls.generate_button, Qt.MouseButton.LeftButton)

    controls.set_running(True)
    assert controls.generate_button.text() == controls.generate_button.accessibleName() == "Stop"
    with qtbot.waitSignal(controls.stop_clicked):
        QTest.mouseClick(controls.generate_button, Qt.MouseButton.LeftButton)


def test_disabled_button_shows_the_reason(controls: Controls) -> None:
    controls.set_disabled_reason("There is no model")
    assert not controls.generate_button.isEnabled()
    assert controls.generate_button.toolTip() == "There is no model"

    controls.set_running(True)
    assert controls.generate_button.isEnabled()
    controls.set_running(False)
    controls.set_disabled_reason("")
    assert controls.generate_button.isEnabled()


def test_progress_is_visible_during_a_job(controls: Controls) -> None:
    assert controls.progress.isHidden()
    controls.set_running(True)
    assert (controls.progress.minimum(), controls.progress.maximum()) == (0, 0)

    controls.set_progress(0.25)
    assert controls.progress.value() == 250
    controls.set_running(False)
    assert controls.progress.isHidden()


def test_facts_replace_the_previous_ones(controls: Controls, qtbot: QtBot) -> None:
    controls.facts.set_facts([Fact("Notes", "12", "how many"), Fact("Seed", "3", "which")])
    controls.facts.set_facts([Fact("Notes", "13", "how many")])

    qtbot.waitUntil(
        lambda: len(controls.facts.findChildren(type(controls.compose_form.detail))) == 2
    )
    assert not controls.facts.isHidden()
    controls.facts.set_facts([])
    assert controls.facts.isHidden()


def test_banner_shows_one_message_until_it_is_closed(qtbot: QtBot) -> None:
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
    banner = Banner()
    qtbot.addWidget(banner)
    for lines, shown in ((6, "5"), (8, "5\nand 2 more")):
        message = "\n".join(map(str, range(lines)))
        banner.show_message(message)
        assert banner.message == f"0\n1\n2\n3\n4\n{shown}"
        assert banner.accessibleDescription() == message


def test_a_long_fact_does_not_widen_the_panel(qtbot: QtBot) -> None:
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
def test_every_icon_is_drawn(path: Path) -> None:
    stylesheet.apply(LIGHT)
    icon = icons.themed(path.stem, "accent")
    stylesheet.apply(DARK)
    image = icon.pixmap(48, 48).toImage()
    colours = {image.pixelColor(x, y).name() for x in range(48) for y in range(48)}

    assert len(colours) > 1
    if "currentColor" in path.read_text():
        assert DARK.accent in colours


@pytest.mark.parametrize(("setting", "theme"), [("light", LIGHT), ("dark", DARK)])
def test_theme_follows_the_setting(setting: str, theme: Theme) -> None:
    assert stylesheet.theme_for(setting) is theme
    assert stylesheet.theme_for("system") in (LIGHT, DARK)


def test_style_sheet_names_only_colours_that_exist(qtbot: QtBot) -> None:
    for theme in (LIGHT, DARK):
        stylesheet.apply(theme)
        button = QToolButton()
        qtbot.addWidget(button)
        assert button.palette().windowText().color() == QColor(theme.text)


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
    assert dialogs.file_name(title, ".mid") == expected


def test_rows_hold_widgets_layouts_and_blanks(qtbot: QtBot) -> None:
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


def test_icon_of_a_checked_button_has_another_colour() -> None:
    icon = QIcon(icons.themed("stop", checked="accent"))
    shared = QIcon(icon)
    icon.addPixmap(QPixmap(8, 8))

    def colour(mode: QIcon.Mode, state: QIcon.State) -> QColor:
        return icon.pixmap(QSize(32, 32), mode, state).toImage().pixelColor(16, 16)

    assert colour(QIcon.Mode.Normal, QIcon.State.Off) == QColor(LIGHT.text)
    assert colour(QIcon.Mode.Normal, QIcon.State.On) == QColor(LIGHT.accent)
    assert colour(QIcon.Mode.Disabled, QIcon.State.On) == QColor(LIGHT.faint)
    assert not shared.isNull()


def test_tooltip_of_an_elided_label_has_the_full_text(qtbot: QtBot) -> None:
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


def shown(
    qtbot: QtBot, text: str, elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight
) -> ElidedBox:
    """Return a box of 200 pixels with one entry."""
    box = ElidedBox(elide=elide)
    qtbot.addWidget(box)
    box.addItem(text)
    box.setToolTip("Choose one")
    box.resize(200, box.sizeHint().height())
    with qtbot.waitExposed(box):
        box.show()
    return box


def tip(box: ElidedBox) -> str:
    event = QHelpEvent(QEvent.Type.ToolTip, QPoint(5, 5), box.mapToGlobal(QPoint(5, 5)))
    QApplication.sendEvent(box, event)
    text = QToolTip.text()
    QToolTip.hideText()
    return text


def test_a_short_text_is_shown_as_it_is(qtbot: QtBot) -> None:
    box = shown(qtbot, "Ode to Joy")

    assert box.shown_text == "Ode to Joy"
    assert tip(box) == "Choose one"


def test_a_text_can_be_elided_in_the_middle(qtbot: QtBot) -> None:
    name = "relative-articulated-width-256-eight-heads-second-try"
    box = shown(qtbot, name, Qt.TextElideMode.ElideMiddle)

    assert box.shown_text.startswith("relative")
    assert box.shown_text.endswith("try")
    assert tip(box) == f"{name}\nChoose one"


def test_the_list_is_as_wide_as_its_texts(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    box = ElidedBox(window)
    box.addItem(LONG)
    needed = box.fontMetrics().horizontalAdvance(LONG)
    for width, expected in ((300, range(300, 301)), (2000, range(needed, 2000))):
        window.resize(width, 100)
        box.showPopup()
        assert box.view().minimumWidth() in expected
        box.hidePopup()


def shown_page(window: MainWindow, qtbot: QtBot) -> None:
    with qtbot.waitExposed(window):
        window.show()


def test_window_opens_on_the_compose_page(window: MainWindow, qtbot: QtBot) -> None:
    shown_page(window, qtbot)

    assert window.pages.current == "compose"
    assert [b.isChecked() for b in window.pages.switch.buttons.values()] == [True, False, False]
    assert [act.isChecked() for act in window.commands.pages.actions()] == [True, False, False]


def test_pages_are_opened_by_keyboard_and_by_click(window: MainWindow, qtbot: QtBot) -> None:
    shown_page(window, qtbot)
    QTest.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    assert window.pages.current == "attention"
    assert window.pages.switch.buttons["attention"].isChecked()

    QTest.mouseClick(window.pages.switch.buttons["compose"], Qt.MouseButton.LeftButton)
    assert window.pages.current == "compose"
    assert window.commands.pages.checkedAction().data() == "compose"


def test_workspace_moves_to_the_open_page(window: MainWindow, qtbot: QtBot) -> None:
    shown_page(window, qtbot)
    assert window.compose_page.isAncestorOf(window.compose_page.roll)
    window.pages.open("attention")
    assert window.attention.isAncestorOf(window.compose_page.roll)
    assert window.compose_page.roll.isVisible()
    window.pages.open("compose")
    assert window.compose_page.isAncestorOf(window.compose_page.roll)
    assert window.compose_page.roll.isVisible()


def test_in_a_small_window_playback_is_in_the_head_of_the_sheet(
    window: MainWindow, qtbot: QtBot
) -> None:
    """The attention page has no room for the bar below the notes."""
    window.resize(940, 600)
    shown_page(window, qtbot)
    buttons = [
        button
        for button in window.compose_page.findChildren(QToolButton)
        if button.defaultAction() is window.commands.play.play
        and not window.playback.isAncestorOf(button)
    ]
    (play,) = buttons
    assert window.playback.isVisible()
    assert not play.isVisible()
    window.pages.open("attention")
    assert not window.playback.isVisible()
    assert play.isVisible()
    window.resize(1000, 800)
    assert window.playback.isVisible()
    assert not play.isVisible()


def curve() -> QWidget:
    plot: QWidget = plots.library().PlotWidget()
    plot.getPlotItem().plot([1.0, 2.0, 3.0], [3.0, 1.0, 2.0])  # type: ignore[attr-defined]
    return plot


@pytest.fixture
def holder(qtbot: QtBot) -> PlotHolder:
    holder = PlotHolder(curve)
    holder.resize(400, 300)
    qtbot.addWidget(holder)
    with qtbot.waitSignal(holder.made):
        holder.show()
    return holder


def test_plot_is_made_after_the_first_paint(qtbot: QtBot) -> None:
    holder = PlotHolder(curve)
    holder.setMinimumSize(300, 150)
    qtbot.addWidget(holder)
    assert not holder.findChildren(QGraphicsView)

    with qtbot.waitSignal(holder.made):
        holder.show()

    assert holder.findChildren(QGraphicsView)


def test_library_is_imported_before_it_is_needed(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a thread, so that the window goes on."""
    importing: list[str] = []
    monkeypatch.setattr(plots, "library", lambda: importing.append(threading.current_thread().name))
    monkeypatch.setattr(plots, "_PRELOAD_MS", 0)
    plots.preload()
    qtbot.waitUntil(lambda: importing == ["pyqtgraph"])


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_theme_colours_background_and_axes(holder: PlotHolder, theme: Theme) -> None:
    plots.apply_theme(holder.plot.getPlotItem(), theme)

    axis = holder.plot.getPlotItem().getAxis("left")
    assert axis.textPen().color() == QColor(theme.quiet)
    assert holder.plot.grab().toImage().pixelColor(2, 2) == QColor(theme.lane)


OpenCard = Callable[[QWidget], AbstractContextManager[QTextBrowser]]

HOSTILE = (
    "<img src='{place}'><h1>Trusted</h1>",
    "![a picture]({place})",
    "<link rel=stylesheet href='{place}'><script>1</script>",
    "[click](file://{place})",
)


@contextmanager
def of_dialog(parent: QWidget) -> Iterator[QTextBrowser]:
    yield card_dialog.of_model(parent, "bad").text


@contextmanager
def of_list(parent: QWidget) -> Iterator[QTextBrowser]:
    library = ModelLibrary(parent, lambda: False)
    library.show("bad")
    assert library.dialog is not None
    yield library.dialog.card
    library.dialog.close()
    end_all(library)


@pytest.mark.parametrize("open_card", [of_dialog, of_list])
@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_hostile_card_loads_nothing(
    qtbot: QtBot, home: Path, hostile: str, open_card: OpenCard
) -> None:
    home.mkdir()
    picture = home / "secret.png"
    assert QImage(3, 3, QImage.Format.Format_RGB32).save(str(picture))
    model = tiny_model(tiny_config("relative"))
    licence = hostile.format(place=picture)
    checkpoint.save(home / "models" / "bad", model, tiny_card(model, licence=licence))
    parent = QWidget()
    qtbot.addWidget(parent)

    with open_card(parent) as text:
        document = text.document()
        text.grab()  # Qt loads a picture when it is painted
        kind = QTextDocument.ResourceType.ImageResource.value
        kept = [document.resource(kind, QUrl(name)) for name in (str(picture), picture.as_uri())]
        text.anchorClicked.emit(QUrl.fromLocalFile(str(picture)))
        shown, html, source = text.toPlainText(), document.toHtml(), text.source()

    assert "Licence" in shown
    assert [image.size() for image in kept if isinstance(image, QImage)] == 2 * [QSize(1, 1)]
    assert source.isEmpty()
    assert "<h1>Trusted" not in html


def test_a_card_is_shown(qtbot: QtBot) -> None:
    text = CardText()
    qtbot.addWidget(text)
    text.show_markdown("# Model\n\n| by voice | |\n| --- | ---: |\n| alto | 0.5 |")

    assert text.toPlainText().split() == ["Model", "by", "voice", "alto", "0.5"]
    assert "<table" in text.document().toHtml()


def test_a_card_opens_at_its_beginning(qtbot: QtBot) -> None:
    text = CardText("\n\n".join(["line"] * 200))
    qtbot.addWidget(text)
    with qtbot.waitExposed(text):
        text.show()

    assert text.verticalScrollBar().value() == 0


TIMES = 20_000
DRIFT = 100


class Painted(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.times = 0

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.fillRect(event.rect(), 0)
        painter.end()
        self.times += 1


class Emitter(QObject):
    emitted = Signal(object)


def references() -> tuple[int, int]:
    return sys.getrefcount(None), sys.getrefcount(True)


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal from Python 3.12 on")
def test_paints_and_signals_lose_no_reference(qtbot: QtBot) -> None:
    widget, emitter = Painted(), Emitter()
    received: list[object] = []
    qtbot.addWidget(widget)
    widget.resize(8, 8)
    image = QImage(8, 8, QImage.Format.Format_ARGB32)
    emitter.emitted.connect(received.append)
    before = references()

    for number in range(TIMES):
        widget.render(image)
        emitter.emitted.emit(number)

    after = references()
    assert (widget.times, len(received)) == (TIMES, TIMES)
    assert max(abs(one - other) for one, other in zip(before, after, strict=True)) < DRIFT


def square(width: int, _height: int, theme: Theme) -> Figure:
    def paint(painter: QPainter) -> None:
        painter.fillRect(QRectF(0, 0, 30, 30), QColor("#ff0000"))

    def at(x: float, y: float) -> Hit | None:
        return Hit("red", (x, y)) if max(x, y) < 30 else None

    return Figure(width, 200, theme.panel, "A square", paint, at)


@pytest.fixture
def view(qtbot: QtBot) -> FigureView:
    view = FigureView("Shapes")
    qtbot.addWidget(view)
    view.resize(300, 100)
    view.set_figure(square)
    with qtbot.waitExposed(view):
        view.show()
    return view


def colour(view: FigureView, x: float, y: float) -> str:
    image = view.grab().toImage()
    factor = view.factor * image.devicePixelRatio()
    return image.pixelColor(round(x * factor), round(y * factor)).name()


def test_figure_is_painted_on_its_background(view: FigureView) -> None:
    assert colour(view, 15, 15) == "#ff0000"
    assert colour(view, 60, 15) == LIGHT.panel


def test_figure_follows_size_and_theme(view: FigureView) -> None:
    assert view.figure is not None
    assert view.figure.width == round(300 / view.factor)
    assert view.accessibleDescription() == "A square"
    view.resize(500, 100)
    assert view.figure.width == round(500 / view.factor)
    try:
        stylesheet.apply(DARK)
        assert colour(view, 200, 60) == DARK.panel
    finally:
        stylesheet.apply(LIGHT)


def test_mouse_is_reported_in_pixels_of_the_figure(view: FigureView, qtbot: QtBot) -> None:
    words: list[str] = []
    view.described.connect(words.append)
    with qtbot.waitSignal(view.chosen) as chosen:
        QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(20, 10))

    assert chosen.args[0] == pytest.approx((20 / view.factor, 10 / view.factor))
    QTest.mouseMove(view, QPoint(20, 10))
    QTest.mouseMove(view, QPoint(80, 60))
    assert words[-2:] == ["red", ""]


def test_growing_view_is_as_high_as_its_figure(qtbot: QtBot) -> None:
    view = FigureView("Shapes", grows=True)
    qtbot.addWidget(view)
    view.set_figure(square)

    assert view.minimumSizeHint().height() == round(200 * view.factor)
    view.set_figure(None)
    assert view.figure is None
    assert view.accessibleDescription() == ""


def test_file_formats_have_names() -> None:
    assert dialogs.name_filters((".mid", ".midi", ".abc")) == {
        "MIDI file (*.mid)": ".mid",
        "ABC notation (*.abc)": ".abc",
    }
