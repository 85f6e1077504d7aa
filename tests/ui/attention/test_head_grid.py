"""Grids of heads, as thumbnails of their maps and as effects: keys, mouse, menu and words."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QContextMenuEvent
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from musicrel.generation.heads.mutes import WHOLE, Head, Mutes
from musicrel.interpretability import effect_charts
from musicrel.interpretability.effect_charts import HeadGrid
from musicrel.interpretability.piece_analysis import PieceAnalysis
from musicrel.presentation.words.palette import DARK, LIGHT, Theme
from musicrel.ui.attention.head_grid import Choices, HeadGridView, Heads
from musicrel.ui.widgets import stylesheet
from tests.helpers.known import known
from tests.unit.interpretability.test_effects import EFFECTS

Show = Callable[..., HeadGridView]


@pytest.fixture
def show(qtbot: QtBot) -> Show:
    """Return a function that shows effects, or thumbnails of an analysis, in a grid."""
    grid = HeadGridView("Heads", Choices())
    qtbot.addWidget(grid)
    grid.resize(400, 200)

    def shown(
        chosen: Head | None = Head(0, 0),  # noqa: B008  # it is immutable
        mutes: str = "",
        analysis: PieceAnalysis | None = None,
    ) -> HeadGridView:
        muted, has_mean = Mutes.parse(mutes), analysis is not None
        heads = Heads(1, 2, 2, muted, chosen, has_mean=has_mean)
        if analysis is None:
            grid.show_heads(heads, partial(effect_charts.effects, EFFECTS, muted, chosen))
        else:
            grid.show_heads(
                heads,
                partial(effect_charts.thumbnails, analysis, muted, chosen),
            )
        return grid

    return shown


def place(grid: HeadGridView, head: Head | None) -> QPoint:
    figure = known(grid.figure)
    if grid.heads.has_mean:
        places = HeadGrid(2, 2, figure.width, figure.height, has_mean=True)
    else:
        places = effect_charts.effect_grid(EFFECTS, figure.width, figure.height)
    is_layer = head is not None and head.head == WHOLE
    box = places.layer(head.layer) if head is not None and is_layer else places.head(head)
    return (box.center() * grid.factor).toPoint()


def click(grid: HeadGridView, head: Head | None) -> None:
    QTest.mouseClick(grid, Qt.MouseButton.LeftButton, pos=place(grid, head))


@pytest.mark.parametrize(
    ("head", "key", "expected", "has_mean"),
    [
        (Head(0, 0), Qt.Key.Key_Right, Head(0, 1), False),
        (Head(0, 0), Qt.Key.Key_Down, Head(1, 0), False),
        (Head(0, 0), Qt.Key.Key_Left, Head(0, 0), False),
        (Head(0, 0), Qt.Key.Key_Up, Head(0, 0), False),
        (None, Qt.Key.Key_Right, Head(0, 0), False),
        (None, Qt.Key.Key_Down, Head(0, 0), True),
        (None, Qt.Key.Key_Up, None, True),
        (Head(0, 0), Qt.Key.Key_Up, None, True),
        (Head(0, 1), Qt.Key.Key_Right, Head(0, 1), True),
        (Head(1, 1), Qt.Key.Key_Down, Head(1, 1), True),
    ],
)
def test_arrow_keys_choose_a_neighbour(
    show: Show,
    analysis: PieceAnalysis,
    *,
    head: Head | None,
    key: Qt.Key,
    expected: Head | None,
    has_mean: bool,
) -> None:
    grid = show(head, analysis=analysis if has_mean else None)
    chosen = QSignalSpy(grid.choices.head_chosen)

    QTest.keyClick(grid, key)

    assert chosen.at(0) == [1, expected]


def test_keys_mute_the_chosen_head_or_its_layer(show: Show) -> None:
    grid = show(Head(0, 0))
    muted = QSignalSpy(grid.choices.mute_toggled)

    QTest.keyClick(grid, Qt.Key.Key_M)
    QTest.keyClick(grid, Qt.Key.Key_M, Qt.KeyboardModifier.ShiftModifier)

    assert [muted.at(0), muted.at(1)] == [[1, Head(0, 0)], [1, Head(0, WHOLE)]]


def test_a_click_chooses_a_head_and_the_name_of_a_layer_mutes_it(show: Show) -> None:
    grid = show()
    chosen, muted = QSignalSpy(grid.choices.head_chosen), QSignalSpy(grid.choices.mute_toggled)

    click(grid, Head(1, 1))
    click(grid, Head(1, WHOLE))

    assert (chosen.count(), chosen.at(0)) == (1, [1, Head(1, 1)])
    assert (muted.count(), muted.at(0)) == (1, [1, Head(1, WHOLE)])


def test_a_click_chooses_a_thumbnail_or_the_mean(show: Show, analysis: PieceAnalysis) -> None:
    grid = show(analysis=analysis)
    chosen = QSignalSpy(grid.choices.head_chosen)
    for head in (Head(1, 0), None, Head(1, WHOLE)):
        click(grid, head)
    beside = QPoint(place(grid, Head(0, 1)).x(), place(grid, None).y())
    QTest.mouseClick(grid, Qt.MouseButton.LeftButton, pos=beside)

    assert [chosen.at(row) for row in range(chosen.count())] == [[1, Head(1, 0)], [1, None]]


def test_the_menu_mutes_the_head_under_the_mouse_or_its_layer(
    show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QMenu, "popup", lambda *_: None)
    grid = show(mutes="2.2")
    muted, cleared = QSignalSpy(grid.choices.mute_toggled), QSignalSpy(grid.choices.mutes_cleared)
    at = place(grid, Head(1, 1))
    QApplication.sendEvent(grid, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, at))
    (menu,) = grid.findChildren(QMenu)
    titles = [action.text() for action in menu.actions() if action.text()]
    assert titles == ["Unmute layer 2, head 2", "Mute layer 2", "Unmute all heads"]

    menu.actions()[1].trigger()
    menu.actions()[-1].trigger()
    menu.deleteLater()

    assert (muted.at(0), cleared.at(0)) == ([1, Head(1, WHOLE)], [1])


def test_the_chosen_head_is_described_with_its_effect(show: Show) -> None:
    assert show().accessibleDescription().startswith("Layer 1, head 1 helped by 0.50 nats")
    assert "; muted. Effects" in show(mutes="1.1").accessibleDescription()


def test_the_chosen_thumbnail_is_named(show: Show, analysis: PieceAnalysis) -> None:
    assert show(None, analysis=analysis).accessibleDescription() == "Mean of all heads"
    grid = show(Head(1, 0), "2.1", analysis)
    assert grid.accessibleDescription() == "Layer 2, head 1, muted"


def test_the_head_under_the_mouse_is_described(show: Show) -> None:
    grid, words = show(), list[str]()
    grid.described.connect(words.append)
    hit = known(grid.hit(QPointF(place(grid, Head(0, 1)))))
    assert (
        hit.tip
        == hit.words
        == "Layer 1, head 2 hindered by 0.25 nats; looks at soprano 50 %, alto 20 %"
    )

    QApplication.sendEvent(grid, QEvent(QEvent.Type.Leave))

    assert words == [""]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_the_chosen_thumbnail_has_a_frame(
    show: Show, analysis: PieceAnalysis, theme: Theme
) -> None:
    try:
        stylesheet.apply(theme)
        grid = show(Head(1, 1), analysis=analysis)
        assert grid.figure is not None
        places = HeadGrid(2, 2, grid.figure.width, grid.figure.height, has_mean=True)
        at = QPointF(places.head(Head(1, 1)).center().x(), places.head(Head(1, 1)).top())
        image = grid.grab().toImage()
        dot = at * grid.factor * image.devicePixelRatio()
        around = [image.pixelColor((dot + QPointF(0, down)).toPoint()) for down in (-1, 0, 1)]
        assert QColor(theme.accent) in around
    finally:
        stylesheet.apply(LIGHT)


def test_each_thumbnail_has_its_own_scale(analysis: PieceAnalysis) -> None:
    """The scale of the mean ends at weight 0.5: level 128 is drawn as 128 / sqrt(0.5)."""
    analysis.thumbnails[0][:5] = 1

    mean, first, *_ = effect_charts.stretched(analysis.thumbnails)

    assert analysis.thumbnails[0].max() == 128
    assert mean[5:].max() == 181
    assert (first == analysis.thumbnails[1]).all()


def test_a_thumbnail_has_the_colours_of_a_map(analysis: PieceAnalysis) -> None:
    picture = effect_charts.image(analysis.thumbnails[1], LIGHT)

    diagonal, future = picture.pixelColor(30, 30), picture.pixelColor(50, 30)
    assert (diagonal, future) == (QColor(LIGHT.text), QColor(LIGHT.panel))
