"""The Attention page with its plots."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from musicrel.presentation.attention.piece_analysis import Head, PieceAnalysis
from musicrel.presentation.words.palette import DARK, LIGHT
from musicrel.ui.attention.attention_page import HINT, AttentionPage
from musicrel.ui.widgets import stylesheet
from tests.ui.attention.conftest import Analyse, add_cells

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: size hints

OPENING = """
import sys
from PySide6.QtWidgets import QApplication
from musicrel.ui.attention.attention_page import AttentionPage

app = QApplication([])
page = AttentionPage()
page.show_analysis(None, None, None)
page.show()
app.processEvents()
print("pyqtgraph" in sys.modules)
"""


@pytest.fixture
def page(qtbot: QtBot, analysis: PieceAnalysis) -> AttentionPage:
    """Return the visible page with an analysis of two bars, one head and a cell chosen."""
    page = AttentionPage()
    qtbot.addWidget(page)
    page.resize(1060, 420)
    with qtbot.waitExposed(page):
        page.show()
    page.show_analysis(analysis, Head(0, 1), 70)
    return page


def test_page_opens_without_pyqtgraph() -> None:
    """It is imported for the first analysis, not before the window is painted."""
    answer = subprocess.run(
        [sys.executable, "-c", OPENING], capture_output=True, text=True, check=True
    )

    assert answer.stdout.strip() == "False"


def test_page_without_weights_says_why(page: AttentionPage) -> None:
    """The plots and their buttons are hidden."""
    page.set_empty("No note has been generated yet.")
    page.show_analysis(None, None, None)

    assert page.empty.isVisible()
    assert page.caption.text() == ""
    hidden = (page.plots, page.head, page.words, page.reset, page.export)
    assert not any(part.isVisible() for part in hidden)


def test_plots_show_one_head(page: AttentionPage) -> None:
    """Grid, map and bars agree; the name of the head is there once."""
    assert page.head.text() == "Layer 1, head 2"
    assert page.plots.grid.head == Head(0, 1)
    assert page.plots.map.image.image[70, 69] == 255
    assert page.plots.by_voice.marks.getData()[0].tolist() == [1, 0, 0, 0]
    assert page.caption.text() == "full (generated this piece)"


def test_largest_weight_of_the_chosen_cell_is_described(page: AttentionPage) -> None:
    """Also to screen readers."""
    words = "Tenor E4 (bar 2, beat 1¼): 100 % on Soprano C5 (bar 2, beat 1¼) (largest weight)"

    assert page.words.text() == words
    assert page.plots.map.accessibleDescription() == words


def test_dot_under_the_mouse_is_described(page: AttentionPage) -> None:
    """Query, weight and key; without a dot and a chosen cell, a hint."""
    page.plots.map.pointed.emit(6, 0)
    assert page.words.text() == "Tenor E4 (bar 1, beat 1¼): 0 % on START"

    page.plots.map.pointed.emit(-1, -1)
    assert page.words.text().endswith("(largest weight)")


def test_hint_explains_the_map(page: AttentionPage, analysis: PieceAnalysis) -> None:
    """It is shown while no cell is chosen."""
    page.show_analysis(analysis, None, None)

    assert page.words.text() == HINT


def test_description_stays_while_a_model_generates(page: AttentionPage, analyse: Analyse) -> None:
    """New cells do not replace the dot under the mouse."""
    growing = analyse(40)
    page.show_analysis(growing, Head(0, 0), 39)
    page.plots.map.pointed.emit(30, 30)
    before = page.words.text()
    add_cells(growing, 41)
    page.show_analysis(growing, Head(0, 0), 40)

    assert page.words.text() == before
    assert before.startswith("Tenor E4 (bar 1, beat 2¾): 100 % on")


def test_theme_of_the_app_changes_all_plots(page: AttentionPage) -> None:
    """The page needs no other call."""
    views = [part.view for part in (page.plots.grid, page.plots.map, page.plots.by_lag)]
    try:
        for theme in (DARK, LIGHT):
            stylesheet.apply(theme)
            corners = [view.grab().toImage().pixelColor(2, 2) for view in views]
            assert corners == [QColor(theme.panel)] * 3
    finally:
        QApplication.instance().setStyleSheet("")  # type: ignore[union-attr]


def test_zoom_is_reset(page: AttentionPage) -> None:
    """The button shows the whole map."""
    page.plots.map.box.scaleBy((0.5, 0.5))
    page.reset.click()

    assert page.plots.map.box.viewRect().width() == 128


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_map_is_exported(page: AttentionPage, tmp_path: Path, suffix: str) -> None:
    """The dialog proposes piece and head as a name; the file can be opened."""
    page.export.click()
    dialog = page.findChild(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    assert Path(dialog.selectedFiles()[0]).name == "Two bars, Layer 1, head 2.png"
    dialog.fileSelected.emit(str(tmp_path / f"map{suffix}"))
    dialog.close()

    image = QImage(str(tmp_path / f"map{suffix}"))
    assert image.width() >= page.plots.map.width()


def test_failed_export_is_reported(qtbot: QtBot, page: AttentionPage, tmp_path: Path) -> None:
    """The sentence names the file."""
    (tmp_path / "file").write_text("no folder")

    with qtbot.waitSignal(page.failed) as failed:
        page.write(tmp_path / "file" / "map.png")

    assert "cannot write" in failed.args[0]
