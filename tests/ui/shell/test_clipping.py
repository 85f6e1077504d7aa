"""No text is clipped in a window of 1100 x 700 pixels."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLabel,
    QLayout,
    QPushButton,
    QSpinBox,
    QStackedLayout,
    QStyle,
    QStyleOptionComboBox,
    QTableView,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from musicrel.experiment.runs.events import TrainSampled
from musicrel.experiment.study import study_folder, study_form
from musicrel.experiment.study.run_watch import RunStatus
from musicrel.experiment.study.study_status import StudyStatus
from musicrel.model.positions.table import SCHEMES
from musicrel.presentation.compose.summary import Fact
from musicrel.score import json_file
from musicrel.ui.roll.legend import HeatLegend, Legend
from musicrel.ui.shell.main_window import MainWindow
from musicrel.ui.widgets.elided_label import ElidedLabel
from musicrel.ui.widgets.figure_view import FigureView
from tests.helpers.music import minuet
from tests.ui.user import User

SIZE = (1100, 700)
HEADER_PADDING = 5
TEXTS = (QLabel, QPushButton, QToolButton, QCheckBox, QComboBox, QSpinBox)
FACTS = [
    Fact("Notes", "1,234", ""),
    Fact("Surprisal", "0.292 nats/note", ""),
    Fact("Generated in", "12.3 s", ""),
    Fact("Seed", "90278", ""),
]


def painted_width(widget: QWidget, text: str) -> int:
    before, _, rest = text.partition("&")
    metrics = widget.fontMetrics()
    return sum(metrics.horizontalAdvance(part) for part in (before, rest[:1], rest[1:]))


def needed(widget: QWidget) -> int:
    if isinstance(widget, QLabel):
        lines = widget.text().split() if widget.wordWrap() else widget.text().splitlines()
        edges = widget.width() - widget.contentsRect().width()
        return edges + max((painted_width(widget, line) for line in lines), default=0)
    if isinstance(widget, QComboBox):
        return edges_of_box(widget) + painted_width(widget, widget.currentText())
    if isinstance(widget, QSpinBox):
        field, margins = widget.lineEdit(), widget.lineEdit().textMargins()
        edges = widget.width() - field.width() + margins.left() + margins.right()
        return edges + painted_width(widget, widget.text())
    if isinstance(widget, QToolButton):
        return needed_by_tool(widget)
    return widget.minimumSizeHint().width()


def needed_by_tool(button: QToolButton) -> int:
    style = button.toolButtonStyle()
    if style == Qt.ToolButtonStyle.ToolButtonIconOnly:
        return 0
    beside = style == Qt.ToolButtonStyle.ToolButtonTextBesideIcon
    return painted_width(button, button.text()) + beside * button.iconSize().width()


def edges_of_box(box: QComboBox) -> int:
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    control, part = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
    return box.width() - box.style().subControlRect(control, option, part, box).width()


def shown_box(widget: QWidget, window: QWidget) -> QRect:
    box = QRect(widget.mapTo(window, QPoint()), widget.size())
    around = widget.parentWidget()
    while around is not None and around is not window:
        box &= QRect(around.mapTo(window, QPoint()), around.size())
        around = around.parentWidget()
    return box


def problem(widget: QWidget, window: QWidget) -> str:
    text = widget.currentText() if isinstance(widget, QComboBox) else widget.text()  # type: ignore[attr-defined]
    name = f"{type(widget).__name__} {text!r}"
    if widget.width() < needed(widget):
        return f"{name} is {widget.width()} wide and needs {needed(widget)}"
    seen = shown_box(widget, window)
    if not seen.isEmpty() and seen.size() != widget.size():
        return f"{name} is cut to {seen.width()} x {seen.height()} of {widget.size()}"
    if isinstance(widget, QLabel) and widget.height() < widget.heightForWidth(widget.width()):
        return f"{name} is {widget.height()} high and needs more"
    return ""


def painted_problems(window: QWidget) -> Iterator[str]:
    """Yield which pictures with texts are smaller than these need."""
    for kind in (FigureView, HeatLegend, Legend):
        for picture in window.findChildren(kind):
            least = picture.minimumSizeHint()
            if picture.isVisible() and least.expandedTo(picture.size()) != picture.size():
                yield f"{named(picture)} is {picture.size()} and needs {least}"


def clipped(window: QWidget) -> list[str]:
    found = []
    for kind in TEXTS:
        for widget in window.findChildren(kind):
            elides = isinstance(widget, ElidedLabel)
            inside = isinstance(widget.parentWidget(), (QSpinBox, QComboBox))
            if widget.isVisible() and not elides and not inside:
                found.append(problem(widget, window))
    found.extend(overlapping(window))
    found.extend(painted_problems(window))
    for table in window.findChildren(QTableView):
        if table.isVisible():
            found.extend(header_problems(table))
    return [one for one in found if one]


def overlapping(window: QWidget) -> Iterator[str]:
    """Yield a description of each two parts of a layout of which one covers the other.

    A part that does not shrink as far as its layout asks for is drawn over its neighbour.
    """
    for around in window.findChildren(QWidget):
        parts = [part for part in around.children() if isinstance(part, QWidget)]
        laid = [part for part in parts if part.isVisible() and holds(around.layout(), part)]
        for one, other in itertools.combinations(laid, 2):
            if one.geometry().intersects(other.geometry()):
                yield f"{named(one)} and {named(other)} overlap"


def holds(box: QLayout | None, part: QWidget) -> bool:
    if box is None or isinstance(box, QStackedLayout):
        return False
    items = [item for at in range(box.count()) if (item := box.itemAt(at)) is not None]
    return any(item.widget() is part or holds(item.layout(), part) for item in items)


def named(part: QWidget) -> str:
    text = getattr(part, "text", part.accessibleName)
    return f"{type(part).__name__} {text()!r}"


def header_problems(table: QTableView) -> Iterator[str]:
    header, model = table.horizontalHeader(), table.model()
    for column in range(header.count() if header.isVisible() else 0):
        title = str(model.headerData(column, Qt.Orientation.Horizontal))
        font = model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.FontRole)
        metrics = QFontMetrics(font or header.font())
        width = max((metrics.horizontalAdvance(line) for line in title.splitlines()), default=0)
        size, left = header.sectionSize(column), header.sectionViewportPosition(column)
        if size < width + HEADER_PADDING:
            yield f"header {title!r} is {size} wide and needs {width + HEADER_PADDING}"
        scrolls = table.horizontalScrollBarPolicy() != Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        if left + size > header.viewport().width() and not scrolls:
            yield f"header {title!r} ends at {left + size} of {header.viewport().width()}"


def check(window: QWidget, qtbot: QtBot) -> None:
    def nothing_is_clipped() -> None:
        assert clipped(window) == []

    qtbot.waitUntil(nothing_is_clipped)


@pytest.fixture
def small(user: User) -> MainWindow:
    user.window.resize(*SIZE)
    user.controls.generate_button.click()
    user.wait(lambda: user.document.piece is not None and not user.document.generating)
    return user.window


def test_nothing_is_clipped_before_there_is_a_piece(user: User) -> None:
    user.window.resize(*SIZE)

    check(user.window, user.qtbot)


def test_drag_handle_has_a_text(small: MainWindow, qtbot: QtBot) -> None:
    small.compose_page.set_heading("Chorale 90278", "F♯ minor  ·  4/4  ·  16 bars")
    handle, heading = small.compose_page.handle, small.compose_page.heading

    qtbot.waitUntil(lambda: handle.width() == handle.sizeHint().width() and not heading.is_elided)
    assert handle.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonTextBesideIcon


def test_nothing_is_clipped_beside_the_facts_of_a_piece(small: MainWindow, qtbot: QtBot) -> None:
    small.compose_page.controls.facts.set_facts(FACTS)
    check(small, qtbot)


def test_nothing_is_clipped_while_notes_are_coloured_by_surprisal(
    small: MainWindow, qtbot: QtBot
) -> None:
    small.compose_page.surprisal.click()
    qtbot.waitUntil(small.compose_page.heat_legend.isVisible)
    check(small, qtbot)
    legend = small.compose_page.heat_legend
    qtbot.waitUntil(lambda: legend.width() >= legend.minimumSizeHint().width())


def test_rule_violations_are_not_elided(small: MainWindow, qtbot: QtBot) -> None:
    small.commands.rewriting.marks.trigger()
    words = small.compose_page.strip.status
    qtbot.waitUntil(lambda: bool(words.text()))

    qtbot.waitUntil(lambda: not words.is_elided)


@pytest.mark.parametrize("width", [1100, 1294, 1320, 1400, 1440])
def test_nothing_is_clipped_beside_candidates(width: int, user: User, small: MainWindow) -> None:
    small.resize(width, 800)
    small.compose_page.controls.compose_form.candidates.setValue(8)
    small.compose_page.controls.compose_form.candidates.setValue(3)
    small.compose_page.strip.rewrite.click()
    user.wait(lambda: small.compose_page.candidates.isVisible() and not user.writer.busy)

    check(small, user.qtbot)
    assert small.compose_page.controls.isVisible() == (width >= 1400)


def test_headers_of_candidates_have_their_full_titles_in_the_tooltips(small: MainWindow) -> None:
    table = small.compose_page.candidates.table
    columns = range(table.columnCount())
    heads = {head.text(): head for at in columns if (head := table.horizontalHeaderItem(at))}
    head = heads["Copied\nfrom Bach"]

    assert head.toolTip().startswith("Copied from Bach\n")
    assert head.data(Qt.ItemDataRole.AccessibleTextRole) == "Copied from Bach"


@pytest.mark.parametrize("path", study_folder.templates(), ids=lambda path: path.stem)
def test_nothing_is_clipped_in_the_form_of_a_study(
    path: Path, small: MainWindow, qtbot: QtBot
) -> None:
    small.pages.open("experiment")
    form = study_form.read(path.read_text(encoding="utf-8"))
    schemes = [(scheme.key, scheme.summary) for scheme in SCHEMES.values()]
    small.experiment.form.set_form(study_form.offering(form, schemes))
    check(small, qtbot)


def finished_study(folder: Path) -> StudyStatus:
    runs = tuple(
        RunStatus(
            arm=arm, seed=seed, folder=folder / f"{arm}-{seed}", state="finished",
            samples=(TrainSampled(step=12_000, file="sample.json", nats_per_note=4.612),),
        )
        for arm in ("vanilla", "sinusoidal_concat")
        for seed in (0, 12_345)
    )  # fmt: skip
    for run in runs:
        json_file.write(minuet(), run.sample_file(run.samples[0]))
    return StudyStatus(
        folder=folder / ("a study with a name " * 3), name="long", kind="study",
        state="finished", runs=runs, verdicts=("vanilla is better than sinusoidal_concat",),
    )  # fmt: skip
