"""The live curves of a study: updates, zoom, crosshair, scales, names and export."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from musicrel.experiment.study.run_watch import RunStatus
from musicrel.figures import plots
from musicrel.figures.curves import CurvePlot
from musicrel.presentation.words.palette import DARK, LIGHT
from musicrel.ui.experiment.curve_panel import LEGEND, CurvePanel
from musicrel.ui.widgets import stylesheet
from tests.helpers.runs import evaluation, train_step

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: size hints


def run(arm: str, seed: int = 0, *, steps: int = 10, loss: float = 2.0) -> RunStatus:
    at = [(step, 100 * step, step / 2) for step in range(1, steps + 1)]
    points = tuple(evaluation(k, loss * steps / k, tokens=n, seconds=s) for k, n, s in at)
    train = tuple(train_step(k, loss * steps / k / 2, tokens=n, seconds=s) for k, n, s in at)
    folder = Path(f"{arm}-{seed}")
    return RunStatus(arm=arm, seed=seed, folder=folder, valid=points, train=train)


RUNS = (run("vanilla"), run("relative", loss=1.0))


@pytest.fixture
def panel(qtbot: QtBot) -> CurvePanel:
    panel = CurvePanel()
    panel.resize(700, 420)
    qtbot.addWidget(panel)
    with qtbot.waitSignal(panel.view.made):
        panel.show()
    return panel


def plot_of(panel: CurvePanel) -> CurvePlot:
    assert panel.plot is not None
    return panel.plot


def visible_range(panel: CurvePanel) -> tuple[float, ...]:
    panel.grab()  # pyqtgraph computes the range when it paints
    across, up = plot_of(panel).box.viewRange()
    return (*across, *up)


def labels(panel: CurvePanel) -> list[str]:
    return plot_of(panel).names.texts


def move_mouse(panel: CurvePanel, x: float, y: float) -> None:
    panel.grab()
    QApplication.processEvents()  # the axes take their widths from their labels
    view = plot_of(panel).view
    place = plot_of(panel).box.mapViewToScene(QPointF(x, y))
    view.scene().sigMouseMoved.emit(place)


def test_curves_of_a_hidden_panel_appear_when_it_is_shown(qtbot: QtBot) -> None:
    panel = CurvePanel()
    panel.resize(700, 420)
    qtbot.addWidget(panel)
    panel.show_runs("Quick study", RUNS)
    with qtbot.waitSignal(panel.view.made):
        panel.show()

    assert labels(panel) == ["Vanilla 2.000", "Relative 1.000"]


def test_curves_grow_as_evaluations_arrive(panel: CurvePanel) -> None:
    panel.show_runs("Quick study", (run("vanilla", steps=2),))
    before = visible_range(panel)
    panel.show_runs("Quick study", (run("vanilla", steps=50),))

    assert visible_range(panel)[1] > 10 * before[1]
    assert panel.view.accessibleDescription() == "Quick study: Vanilla 2.000 nats/note"


def test_panel_without_curves_says_when_they_come(panel: CurvePanel) -> None:
    panel.show_runs("Quick study", (RunStatus(arm="vanilla", seed=0, folder=Path("v")),))

    assert panel.view.accessibleDescription() == "Quick study: no evaluation yet"
    assert labels(panel) == []
    assert not panel.export.isEnabled()


def test_zoom_survives_an_update(panel: CurvePanel) -> None:
    panel.show_runs("Quick study", RUNS)
    QTest.keyClick(plot_of(panel).view, Qt.Key.Key_Plus)
    QTest.keyClick(plot_of(panel).view, Qt.Key.Key_Right)
    zoomed = visible_range(panel)
    panel.show_runs("Quick study", (*RUNS, run("rope", steps=40)))
    assert visible_range(panel) == zoomed

    panel.reset.click()
    whole = visible_range(panel)
    assert whole[1] > 40
    panel.show_runs("Quick study", (*RUNS, run("rope", steps=80)))
    assert visible_range(panel)[1] > 80


def test_another_study_is_shown_as_a_whole(panel: CurvePanel) -> None:
    panel.show_runs("Quick study", RUNS)
    QTest.keyClick(plot_of(panel).view, Qt.Key.Key_Plus)
    panel.show_runs("Full study", (run("vanilla", steps=90),))

    assert visible_range(panel)[1] > 90


@pytest.mark.parametrize(("key", "grows"), [(Qt.Key.Key_Plus, False), (Qt.Key.Key_Minus, True)])
def test_keys_zoom_and_0_resets(panel: CurvePanel, key: Qt.Key, *, grows: bool) -> None:
    panel.show_runs("Quick study", RUNS)
    left, right, *_ = whole = visible_range(panel)
    view = plot_of(panel).view
    QTest.keyClick(view, key)
    after = visible_range(panel)
    assert (after[1] - after[0] > right - left) == grows

    QTest.keyClick(view, Qt.Key.Key_0)
    assert visible_range(panel) == pytest.approx(whole)


def test_wheel_zooms_and_drag_moves(panel: CurvePanel) -> None:
    panel.show_runs("Quick study", RUNS)
    viewport = plot_of(panel).view.viewport()
    before, middle = visible_range(panel), QPoint(200, 150)
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, pos=middle)
    for step in range(1, 5):
        QTest.mouseMove(viewport, middle + QPoint(20 * step, 0))
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=middle + QPoint(80, 0))

    assert visible_range(panel)[0] < before[0]
    moved = visible_range(panel)
    QTest.wheelEvent(panel.windowHandle(), viewport.mapTo(panel, middle), QPoint(0, 240))
    assert visible_range(panel)[1] - visible_range(panel)[0] < moved[1] - moved[0]


def test_crosshair_shows_the_losses_of_all_arms(panel: CurvePanel) -> None:
    panel.show_runs("Quick study", RUNS)
    move_mouse(panel, 5.2, 5.0)

    assert panel.words.text() == "5 steps: Vanilla 4.000  ·  Relative 2.000 nats/note"
    assert labels(panel) == ["Vanilla 4.000", "Relative 2.000"]
    QApplication.sendEvent(plot_of(panel).view, QEvent(QEvent.Type.Leave))
    assert panel.words.text() == ""
    assert labels(panel) == ["Vanilla 2.000", "Relative 1.000"]


def test_the_legend_names_means_only_where_there_are_several_seeds(panel: CurvePanel) -> None:
    for title, runs, legend in (("One", RUNS, ""), ("Two", (*RUNS, run("relative", 1)), LEGEND)):
        panel.show_runs(title, runs)
        assert panel.words.text() == legend


def test_crosshair_reads_a_logarithmic_axis(panel: CurvePanel) -> None:
    panel.show_runs("Quick study", RUNS)
    panel.log_x.setChecked(True)
    panel.axis.setCurrentIndex(panel.axis.findData("tokens"))
    move_mouse(panel, 2.99, 5.0)

    assert panel.words.text().startswith("977 tokens: Vanilla 2.000")


def test_training_can_be_shown_beside_validation(panel: CurvePanel) -> None:
    panel.show_runs("Quick study", RUNS)
    panel.split.setCurrentIndex(panel.split.findData("both"))
    move_mouse(panel, 9.9, 2.0)

    assert labels(panel) == ["Vanilla 2.000", "Relative 1.000"]
    assert "Relative (training) 0.500" in panel.words.text()


def test_names_are_in_the_order_of_the_ends_with_the_markers_of_their_lines(
    panel: CurvePanel,
) -> None:
    arms = tuple(run(f"arm {number}", loss=2 - number / 1000) for number in range(11))
    panel.show_runs("Quick study", arms)
    QApplication.processEvents()

    assert [text[0] for text in labels(panel)[3:10:3]] == ["\N{EN SPACE}", "●", "■"]
    heights = [plot_of(panel).names.box(number).top() for number in range(11)]
    assert heights == sorted(heights)
    assert heights[-1] < plot_of(panel).view.height()


def test_long_name_is_shortened_and_its_loss_is_not(panel: CurvePanel) -> None:
    panel.show_runs("Quick study", (run("a-name-that-is-much-too-long-for-any-margin-" * 3),))
    QApplication.processEvents()

    assert labels(panel)[0].endswith("… 2.000")
    assert plot_of(panel).names.box(0).right() <= plot_of(panel).view.width()


def test_seeds_have_thin_lines_and_a_band(panel: CurvePanel) -> None:
    panel.show_runs("Quick study", (RUNS[0], run("vanilla", 1, loss=3.0)))
    one = panel.grab().toImage()
    panel.show_runs("Quick study", (run("vanilla", loss=2.5),))

    assert labels(panel) == ["Vanilla 2.500"]
    assert one != panel.grab().toImage()
    panel.show_runs("Quick study", (RUNS[0], run("vanilla", 1, loss=3.0)))
    (band,) = (
        item
        for item in plot_of(panel).plot.items
        if isinstance(item, plots.library().FillBetweenItem)
    )
    assert band.path().boundingRect().height() > 0


def test_new_theme_colours_the_plot(panel: CurvePanel) -> None:
    panel.show_runs("Quick study", RUNS)
    QTest.keyClick(plot_of(panel).view, Qt.Key.Key_Plus)
    zoomed = visible_range(panel)
    try:
        stylesheet.apply(DARK)
        picture = plot_of(panel).view.grab().toImage()
        assert picture.pixelColor(1, 1) == QColor(DARK.lane)
        assert visible_range(panel) == zoomed
    finally:
        stylesheet.apply(LIGHT)


@pytest.mark.parametrize("suffix", [".png", ".svg", ".csv"])
def test_curves_are_exported(panel: CurvePanel, tmp_path: Path, suffix: str) -> None:
    panel.show_runs("Quick study", RUNS)
    panel.export.click()
    (dialog,) = panel.findChildren(QFileDialog)
    assert len(dialog.nameFilters()) == 3
    dialog.fileSelected.emit(str(tmp_path / f"curves{suffix}"))
    dialog.close()

    readers: dict[str, Callable[[Path], int]] = {
        ".png": lambda path: QImage(str(path)).width(),
        ".svg": lambda path: path.read_text().count("Vanilla 2.000"),
        ".csv": lambda path: len(list(csv.reader(path.read_text().splitlines()))),
    }
    # in SVG, the description and the name
    expected = {".png": 2 * plot_of(panel).view.width(), ".svg": 2, ".csv": 21}
    assert readers[suffix](tmp_path / f"curves{suffix}") == expected[suffix]


def test_export_that_fails_is_reported(panel: CurvePanel, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    panel.show_runs("Quick study", RUNS)
    with qtbot.waitSignal(panel.failed) as failed:
        panel.write(tmp_path / "file" / "curves.csv")

    assert "cannot write" in failed.args[0]
