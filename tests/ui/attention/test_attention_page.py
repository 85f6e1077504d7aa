"""The Attention page with its plots."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from musicrel.chorale import Chorale
from musicrel.generation.heads.mutes import Head
from musicrel.presentation.attention.piece_analysis import PieceAnalysis
from musicrel.presentation.attention.step_analysis import INFILL, StepAnalysis
from musicrel.presentation.comparison import difference_drawing, note_attention
from musicrel.presentation.comparison.chart import TimeAxis
from musicrel.presentation.comparison.views import Shown
from musicrel.presentation.words.palette import DARK, LIGHT
from musicrel.ui.attention import comparison_views
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
page.show_analysis(None)
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
    page.show_analysis(Shown(analysis, heads=(Head(0, 1), None), cell=70))
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
    page.show_analysis(None)

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
    page.show_analysis(Shown(analysis))

    assert page.words.text() == HINT


def test_description_stays_while_a_model_generates(page: AttentionPage, analyse: Analyse) -> None:
    """New cells do not replace the dot under the mouse."""
    growing = analyse(40)
    page.show_analysis(Shown(growing, heads=(Head(0, 0), None), cell=39))
    page.plots.map.pointed.emit(30, 30)
    before = page.words.text()
    add_cells(growing, 41)
    page.show_analysis(Shown(growing, heads=(Head(0, 0), None), cell=40))

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


@pytest.mark.parametrize("suffix", [".png", ".svg", ".csv"])
def test_visible_view_is_exported(
    qtbot: QtBot, page: AttentionPage, tmp_path: Path, suffix: str
) -> None:
    """The dialog proposes piece and head as a name; the file has the picture or the numbers."""
    path = tmp_path / f"map{suffix}"
    page.export.click()
    dialog = page.findChild(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    assert Path(dialog.selectedFiles()[0]).name == "Two bars, Layer 1, head 2.png"
    with qtbot.waitSignal(page.exports.exported):
        dialog.fileSelected.emit(str(path))
    dialog.close()

    if suffix == ".csv":
        assert path.read_text(encoding="utf-8").startswith("model,head,step,voice,START,0 S,0 A")
    else:
        assert QImage(str(path)).width() >= 520


def test_failed_export_is_reported(qtbot: QtBot, page: AttentionPage, tmp_path: Path) -> None:
    """The sentence names the file."""
    (tmp_path / "file").write_text("no folder")
    view = page.exported
    assert view is not None

    with qtbot.waitSignal(page.exports.failed) as failed:
        page.exports.write(view, tmp_path / "file" / "map.png")

    assert "cannot write" in failed.args[0]


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("maps", "Two bars, Layer 1, head 2"),
        ("note", "Two bars, Tenor E4 (bar 2, beat 1¼)"),
        ("shares", "Two bars, shares of attention"),
        ("surprisal", "Two bars, full and plain"),
        ("claims", "Two bars, claims"),
    ],
)
def test_every_view_of_two_models_has_a_picture_and_numbers(
    page: AttentionPage, analyse: Analyse, name: str, title: str
) -> None:
    """The file is named after piece and view; each row of numbers has all columns."""
    page.show_analysis(both(analyse))
    page.switch.open(name)
    view = page.exported

    assert view is not None
    assert view.title == title
    assert view.draw(DARK).items
    rows = [tuple(row) for row in view.table()]
    assert len({len(row) for row in rows}) == 1


def test_two_models_are_side_by_side_on_one_scale(page: AttentionPage, analyse: Analyse) -> None:
    """The second has its own heads; the shares are in a view of their own."""
    page.show_analysis(both(analyse))

    first, second = page.plots.first, page.plots.second
    assert second.isVisible()
    assert not page.plots.by_lag.isVisible()
    assert first.map.scale_labels == second.map.scale_labels
    assert (first.title.text(), second.title.text()) == (
        "A: full, layer 1, head 2", "B: plain, mean of all heads",
    )  # fmt: skip
    page.show_analysis(Shown(analyse(128)))
    assert not second.isVisible()
    assert page.plots.by_lag.isVisible()
    assert first.title.isHidden()


def test_heads_of_the_second_model_are_chosen_in_its_grid(
    qtbot: QtBot, page: AttentionPage, analyse: Analyse
) -> None:
    """Each model has its own signal."""
    page.show_analysis(both(analyse))

    with qtbot.waitSignal(page.second_head_chosen) as chosen:
        page.plots.second.grid.chosen.emit(Head(1, 1))

    assert chosen.args == [Head(1, 1)]


def test_views_without_a_note_or_a_second_model_say_what_to_do(
    page: AttentionPage, analyse: Analyse
) -> None:
    """They cannot be exported."""
    page.show_analysis(Shown(analyse(128)))
    page.switch.open("note")
    page.show_analysis(Shown(analyse(128)))
    assert page.comparison.note.empty.text() == comparison_views.CHOOSE_NOTE
    page.switch.open("surprisal")
    page.show_analysis(Shown(analyse(128)))

    assert page.comparison.surprisal.empty.text() == comparison_views.CHOOSE_SECOND
    assert not page.export.isEnabled()
    page.show_analysis(Shown(analyse(128)), reading=True)
    assert page.comparison.surprisal.empty.text() == comparison_views.NOT_YET


def test_step_under_the_mouse_is_described_in_note_and_surprisal(
    page: AttentionPage, analyse: Analyse
) -> None:
    """Outside the chart the whole view is described; a click chooses the step."""
    cells: list[int] = []
    page.cell_chosen.connect(cells.append)
    for name, words, whole in (
        ("note", "Bar 2, beat 1¼: A 100 %, B 50 %", "Tenor E4 (bar 2, beat 1¼).  A: most"),
        ("surprisal", "After bar 2, beat 1¼: +72.0 nats; here +4.00", "A 32.000, B 64.000 nats"),
    ):
        page.switch.open(name)
        page.show_analysis(both(analyse))
        panel = getattr(page.comparison, name)
        axis = _axis(page, name)
        panel.view.pointed.emit(axis.x(17) + 1, 20)
        assert page.words.text() == words
        panel.view.pointed.emit(-1, -1)
        assert page.words.text().startswith(whole)
        panel.view.clicked.emit(axis.x(17) + 1, 20)
    assert cells == [68, 68]


def test_infilling_model_has_a_map_of_steps(page: AttentionPage) -> None:
    """Rows may be known in any order; its shares run from the past to the future."""
    page.show_analysis(Shown(infilling(), cell=70))

    assert page.plots.map.image.image.shape == (128, 32)
    assert page.words.text() == "Tenor E4 (bar 2, beat 1¼): 100 % on bar 2, beat 2 (largest weight)"
    assert "step after" in page.plots.by_lag.accessibleDescription()
    assert not page.plots.by_voice.isVisible()
    page.plots.map.pointed.emit(70, 3)
    assert page.words.text() == "Tenor E4 (bar 2, beat 1¼): 0 % on bar 1, beat 1¾"


def both(analyse: Analyse) -> Shown:
    """Return the analyses of the same piece by two models; the second is surprised more."""
    first, second = analyse(128), analyse(0)
    second.model = "plain"
    add_cells(second, 128, nats=2.0)
    return Shown(first, second, (Head(0, 1), None), 70)


def infilling() -> StepAnalysis:
    """Return an analysis of two bars in which the cell 70 attends three steps ahead."""
    piece = Chorale.of(np.tile([[72, 67, 64, 48]], (32, 1)), title="Two bars")
    found = StepAnalysis(piece, "both", 2, 2, wrote=False, kind=INFILL)
    row = np.zeros((2, 2, 32), dtype=np.float32)
    row[..., 20] = 1
    found.add_at(70, row)
    return found


def _axis(page: AttentionPage, name: str) -> TimeAxis:
    """Return the horizontal axis of a chart."""
    comparison, shown = page.comparison, page.shown
    assert shown is not None
    if name == "note":
        assert shown.note is not None
        return note_attention.axis(shown.note, comparison.note.view.drawn_width)
    assert comparison.difference is not None
    width = comparison.surprisal.view.drawn_width
    return difference_drawing.axis(comparison.difference, width)


def test_a_dot_under_the_mouse_that_another_analysis_does_not_have_is_not_described(
    page: AttentionPage, analysis: PieceAnalysis
) -> None:
    """The mouse may rest on the map while a model of the other kind is chosen by keys."""
    page.plots.map.pointed.emit(100, 90)
    steps = StepAnalysis(analysis.chorale, "both", 2, 2, wrote=False, kind=INFILL)
    steps.add_at(100, np.full((2, 2, steps.columns), 1 / steps.columns, dtype=np.float32))

    page.show_analysis(Shown(steps))

    assert page.words.text() == HINT
