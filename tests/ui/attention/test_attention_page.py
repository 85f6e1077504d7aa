"""The Attention page with its plots."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from musicrel.analysis.claims.claim_shares import STEPS
from musicrel.chorale import Chorale
from musicrel.errors import ModelError
from musicrel.experiment.probes import Probe
from musicrel.generation.heads.mutes import Head
from musicrel.interpretability.piece_analysis import INFILL, PieceAnalysis
from musicrel.interpretability.results import Places
from musicrel.interpretability.shown import Shown
from musicrel.jobs import Job
from musicrel.presentation.words.palette import DARK, LIGHT, Theme
from musicrel.ui.attention import attention_page
from musicrel.ui.attention.attention_page import HINT, NO_PLACES, AttentionPage
from musicrel.ui.controllers.attention_controller import AttentionController
from musicrel.ui.widgets import stylesheet
from tests.helpers.known import known
from tests.ui.attention.conftest import Analyse, add_cells
from tests.ui.fakes import TIMEOUT
from tests.ui.user import User

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
    page = AttentionPage()
    qtbot.addWidget(page)
    page.resize(1060, 420)
    with qtbot.waitExposed(page):
        page.show()
    page.show_analysis(Shown(analysis, heads=(Head(0, 1), None), cell=70))
    return page


def test_page_opens_without_pyqtgraph() -> None:
    answer = subprocess.run(
        [sys.executable, "-c", OPENING], capture_output=True, text=True, check=True
    )

    assert answer.stdout.strip() == "False"


def test_page_without_weights_says_why(page: AttentionPage) -> None:
    page.empty.setText("No note has been generated yet.")
    page.show_analysis(None)

    assert page.empty.isVisible()
    assert page.caption.text() == ""
    hidden = (page.plots, page.head, page.words, page.reset, page.export)
    assert not any(part.isVisible() for part in hidden)


def test_plots_show_one_head(page: AttentionPage) -> None:
    assert page.head.text() == "Layer 1, head 2"
    assert page.plots.halves[0].grid.heads.chosen == Head(0, 1)
    assert page.plots.halves[0].map.map.image.image[70, 69] == 255
    assert "Soprano: A 25 % (this note 100 %)" in page.plots.shares.shown.accessibleDescription()
    assert page.caption.text() == "full generated this piece"


def test_largest_weight_of_the_chosen_cell_is_described(page: AttentionPage) -> None:
    words = "Tenor E4 (bar 2, beat 1¼): 100 % on Soprano C5 (bar 2, beat 1¼) (largest weight)"

    assert page.words.text() == words
    assert page.plots.halves[0].map.accessibleDescription() == words


def test_dot_under_the_mouse_is_described(page: AttentionPage) -> None:
    page.plots.halves[0].map.pointed.emit(6, 0)
    assert page.words.text() == "Tenor E4 (bar 1, beat 1¼): 0 % on START"

    page.plots.halves[0].map.pointed.emit(-1, -1)
    assert page.words.text().endswith("(largest weight)")


def test_description_stays_while_a_model_generates(page: AttentionPage, analyse: Analyse) -> None:
    growing = analyse(40)
    page.show_analysis(Shown(growing, heads=(Head(0, 0), None), cell=39))
    page.plots.halves[0].map.pointed.emit(30, 30)
    before = page.words.text()
    add_cells(growing, 41)
    page.show_analysis(Shown(growing, heads=(Head(0, 0), None), cell=40))

    assert page.words.text() == before
    assert before.startswith("Tenor E4 (bar 1, beat 2¾): 100 % on")


def test_theme_of_the_app_changes_all_plots(page: AttentionPage, qtbot: QtBot) -> None:
    half = page.plots.halves[0]
    views = [half.grid, half.map.view, page.plots.shares.shown]

    def in_colours(theme: Theme) -> bool:
        corners = [view.grab().toImage().pixelColor(2, 2) for view in views]
        return corners == [QColor(theme.panel)] * 3

    try:
        for theme in (DARK, LIGHT):
            stylesheet.apply(theme)
            qtbot.waitUntil(partial(in_colours, theme))
    finally:
        QApplication.instance().setStyleSheet("")  # type: ignore[union-attr]


def test_zoom_is_reset(page: AttentionPage) -> None:
    page.plots.halves[0].map.box.scaleBy((0.5, 0.5))
    page.reset.click()

    assert page.plots.halves[0].map.box.viewRect().width() == 128


@pytest.mark.parametrize("suffix", [".png", ".svg", ".csv"])
def test_visible_view_is_exported(
    qtbot: QtBot, page: AttentionPage, tmp_path: Path, suffix: str
) -> None:
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
    (tmp_path / "file").write_text("no folder")
    view = known(page.exported)

    with qtbot.waitSignal(page.exports.failed) as failed:
        page.exports.write(view, tmp_path / "file" / "map.png")

    assert "cannot write" in failed.args[0]


def test_charts_are_made_again_for_other_widths(
    page: AttentionPage, analyse: Analyse, qtbot: QtBot
) -> None:
    page.show_analysis(both(analyse))
    page.switch.open("claims")
    page.show_analysis(both(analyse))
    chart = page.charts["claims"]
    qtbot.waitUntil(lambda: chart.shown.figure is not None)
    before = chart.shown.minimumSizeHint().height()
    assert "Claim: Without relative attention" in chart.shown.accessibleDescription()
    hit = known(chart.shown.hit(QPointF(20, 80)))
    assert hit.tip.startswith("Claim: With relative attention")

    page.resize(500, 420)
    qtbot.waitUntil(lambda: chart.shown.minimumSizeHint().height() > before)


def test_places_are_shown_if_the_heads_learn_them(page: AttentionPage, analyse: Analyse) -> None:
    analysis, chart = analyse(128), page.charts["places"]
    page.switch.open("places")
    page.show_analysis(Shown(analysis))
    assert (chart.has_view, chart.empty.text()) == (False, NO_PLACES)

    own = np.arange(128.0).reshape(-1, 4) + 1.5
    analysis.places = Places(128, np.stack([own, own / 2] * 2).reshape(2, 2, -1, 4))
    page.show_analysis(Shown(analysis))
    assert page.head.text() == "All heads"
    page.show_analysis(Shown(analysis, heads=(Head(0, 1), None)))
    assert (chart.has_view, page.export.isEnabled()) == (True, True)
    assert page.head.text() == "Layer 1, head 2"
    assert page.words.text() == "Learned places, bar 1.0 to 3.0. Dotted: where the notes are."


def test_two_models_are_side_by_side_on_one_scale(page: AttentionPage, analyse: Analyse) -> None:
    page.show_analysis(both(analyse))

    first, second = page.plots.halves
    assert second.isVisible()
    assert not page.plots.shares.isVisible()
    assert first.map.map.scale_labels == second.map.map.scale_labels
    assert (first.title.text(), second.title.text()) == (
        "A: full, layer 1, head 2", "B: plain, mean of all heads",
    )  # fmt: skip
    page.show_analysis(Shown(analyse(128)))
    assert not second.isVisible()
    assert page.plots.shares.isVisible()
    assert first.title.isHidden()


def test_views_without_a_note_or_a_second_model_say_what_to_do(
    page: AttentionPage, analyse: Analyse
) -> None:
    page.show_analysis(Shown(analyse(128)))
    page.switch.open("note")
    page.show_analysis(Shown(analyse(128)))
    assert page.charts["note"].empty.text() == attention_page.CHOOSE_NOTE
    page.switch.open("surprisal")
    page.show_analysis(Shown(analyse(128)))

    assert page.charts["surprisal"].empty.text() == attention_page.CHOOSE_SECOND
    assert not page.export.isEnabled()
    page.show_analysis(Shown(analyse(128), is_reading=True))
    assert page.charts["surprisal"].empty.text() == attention_page.NOT_YET


def test_step_under_the_mouse_is_described_in_note_and_surprisal(
    page: AttentionPage, analyse: Analyse
) -> None:
    cells: list[int] = []
    page.choices.cell_chosen.connect(cells.append)
    for name, words, whole in (
        ("note", "Bar 2, beat 1¼: A 100 %, B 50 %", "Tenor E4 (bar 2, beat 1¼).  A: most"),
        (
            "surprisal",
            "After bar 2, beat 1¼: +72.0 nats; here +4.00",
            "A predicts this piece better in 2 of 2 bars",
        ),
    ):
        page.switch.open(name)
        page.show_analysis(both(analyse))
        chart = page.charts[name].shown
        figure = known(chart.figure)
        x = next(x for x in range(figure.width) if (hit := figure.at(x, 30)) and hit.value == 68)
        spot = (QPointF(x, 30) * chart.factor).toPoint() + QPoint(2, 0)
        QTest.mouseMove(chart, spot)
        assert page.words.text() == words
        QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=spot)
        QApplication.sendEvent(chart, QEvent(QEvent.Type.Leave))
        assert page.words.text().startswith(whole)
    assert cells == [68, 68]


def test_infilling_model_has_a_map_of_steps(page: AttentionPage) -> None:
    page.show_analysis(Shown(infilling(), cell=70))

    assert page.plots.halves[0].map.map.image.image.shape == (128, 32)
    assert page.words.text() == "Tenor E4 (bar 2, beat 1¼): 100 % on bar 2, beat 2 (largest weight)"
    assert "step after" in page.plots.shares.shown.accessibleDescription()
    assert "Soprano" not in page.plots.shares.shown.accessibleDescription()
    page.plots.halves[0].map.pointed.emit(70, 3)
    assert page.words.text() == "Tenor E4 (bar 2, beat 1¼): 0 % on bar 1, beat 1¾"


def both(analyse: Analyse) -> Shown:
    """Return the analyses of the same piece by two models; the second is surprised more."""
    first, second = analyse(128), analyse(0)
    second.model = "plain"
    add_cells(second, 128, nats=2.0)
    return Shown(first, second, (Head(0, 1), None), 70)


def infilling() -> PieceAnalysis:
    """Return an analysis of two bars in which the cell 70 attends three steps ahead."""
    piece = Chorale.of(np.tile([[72, 67, 64, 48]], (32, 1)), title="Two bars")
    found = PieceAnalysis(piece, "both", 2, 2, wrote=False, columns=STEPS, kind=INFILL)
    row = np.zeros((2, 2, 32), dtype=np.float32)
    row[..., 20] = 1
    found.add_at(70, row)
    return found


def test_a_dot_under_the_mouse_that_another_analysis_does_not_have_is_not_described(
    page: AttentionPage, analysis: PieceAnalysis
) -> None:
    """The mouse may rest on the map while a model of the other kind is chosen by keys."""
    page.plots.halves[0].map.pointed.emit(100, 90)
    steps = PieceAnalysis(analysis.chorale, "both", 2, 2, wrote=False, columns=STEPS, kind=INFILL)
    steps.add_at(100, np.full((2, 2, steps.width), 1 / steps.width, dtype=np.float32))

    page.show_analysis(Shown(steps))

    assert page.words.text() == HINT


FOUND = (
    Probe(name="order", finding="the model knows order"),
    Probe(name="length", finding="longer sequences cost more", verdict="notable"),
)


class Examiner:
    """A fake diagnosis with two probes; the second waits at a gate."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.gate = threading.Event()
        self.problem = ""

    def examine(self, model: str, device: str) -> Job[Probe, list[Probe]]:
        self.calls.append(f"{model} on {device}")
        if self.problem:
            raise ModelError(self.problem)
        yield FOUND[0]
        self.gate.wait(TIMEOUT)
        yield FOUND[1]
        return list(FOUND)


@pytest.fixture
def examiner() -> Examiner:
    made = Examiner()
    made.gate.set()
    return made


@pytest.fixture
def attention(user: User, examiner: Examiner) -> Iterator[AttentionController]:
    user.app.attention.diagnosis.job = examiner.examine
    user.window.pages.open("attention")
    yield user.app.attention
    examiner.gate.set()
    user.jobs.gate.set()


def rows(attention: AttentionController) -> list[list[str]]:
    table = attention.diagnosis.table
    return [
        [item.text() if (item := table.item(row, place)) else "" for place in range(3)]
        for row in range(table.rowCount())
    ]


def test_a_click_diagnoses_the_chosen_model(
    attention: AttentionController, user: User, examiner: Examiner
) -> None:
    examiner.gate.clear()
    user.window.attention.diagnose.click()
    user.wait(lambda: len(rows(attention)) == 1)
    assert attention.diagnosis.words.text() == "Testing full …"
    user.window.attention.diagnose.click()
    examiner.gate.set()
    user.wait(lambda: "1 notable" in attention.diagnosis.words.text())

    assert attention.diagnosis.isVisible()
    assert examiner.calls == ["full on auto"] * 2
    assert attention.diagnosis.words.text() == "full: 0 wrong, 1 notable, 1 ok"
    assert rows(attention) == [
        ["order", "ok", "The model knows order"],
        ["length", "notable", "Longer sequences cost more"],
    ]


def test_a_failed_diagnosis_is_reported(
    attention: AttentionController, user: User, examiner: Examiner
) -> None:
    examiner.problem = "the weights are damaged"
    user.window.attention.diagnose.click()

    user.wait(lambda: attention.diagnosis.words.text() == "The weights are damaged")
    assert rows(attention) == []
