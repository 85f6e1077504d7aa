"""Bars of shares of attention."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from musicrel.presentation.attention.piece_analysis import PieceAnalysis, Share
from musicrel.presentation.words.palette import DARK, LIGHT, Theme
from musicrel.ui.attention.share_bars import ShareBars

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # offscreen: size hints
SHARES = (Share("near", 0.75, 0.2), Share("far", 0.25, 0.8))


@pytest.fixture
def bars(qtbot: QtBot) -> ShareBars:
    """Return visible bars of two shares with marks."""
    bars = ShareBars("Attention by distance")
    qtbot.addWidget(bars)
    bars.resize(300, 60)
    bars.set_theme(LIGHT)
    with qtbot.waitExposed(bars):
        bars.show()
    bars.show_shares(SHARES)
    return bars


def colour(bars: ShareBars, x: float, row: int) -> QColor:
    """Return the colour of a bar at a position of the axis."""
    image: QImage = bars.view.grab().toImage()
    place = bars.view.mapFromScene(bars.box.mapViewToScene(QPointF(x, row)))
    return image.pixelColor(place * image.devicePixelRatio())


def test_bars_are_as_wide_as_their_shares(bars: ShareBars) -> None:
    """From 0, one below the other."""
    assert bars.bars.opts["width"] == [0.75, 0.25]
    assert list(bars.bars.opts["y"]) == [0, 1]
    assert colour(bars, 0.7, 0) == colour(bars, 0.15, 1) == QColor(LIGHT.accent)
    assert colour(bars, 0.9, 0) == colour(bars, 0.4, 1) == QColor(LIGHT.edge)


def test_selected_note_is_marked(bars: ShareBars) -> None:
    """Without one, there are no marks."""
    x, y = bars.marks.getData()
    assert (x.tolist(), y.tolist()) == ([0.2, 0.8], [0, 1])

    bars.show_shares(tuple(share._replace(here=None) for share in SHARES))

    assert len(bars.marks.getData()[0]) == 0


def test_axes_have_names_and_numbers(bars: ShareBars) -> None:
    """Numbers are percentages."""
    assert bars.labels == {
        "left": [(0, "near"), (1, "far")],
        "right": [(0, "75 %"), (1, "25 %")],
    }


def test_shares_are_described_in_words(bars: ShareBars) -> None:
    """For screen readers, and in the tooltip."""
    assert bars.accessibleName() == "Attention by distance"
    assert bars.accessibleDescription() == (
        "near: 75 % over the piece, this note 20 %, far: 25 % over the piece, this note 80 %"
    )
    assert bars.toolTip().splitlines()[0] == "near: 75 % over the piece, this note 20 %"


def test_bars_of_an_analysis_are_the_whole_attention(
    bars: ShareBars, analysis: PieceAnalysis
) -> None:
    """Shares by distance sum to 1."""
    bars.show_shares(analysis.by_lag(None, 9))

    assert sum(bars.bars.opts["width"]) == pytest.approx(1)
    assert sum(bars.marks.getData()[0]) == pytest.approx(1)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_voices_have_their_colours(qtbot: QtBot, analysis: PieceAnalysis, theme: Theme) -> None:
    """Also after a change of the theme."""
    bars = ShareBars("Attention by voice", voices=True)
    qtbot.addWidget(bars)
    bars.resize(300, 100)
    bars.set_theme(LIGHT)
    bars.show_shares(analysis.by_voice(None, None))
    bars.set_theme(theme)

    for voice in range(4):
        assert colour(bars, 0.1, voice) == QColor(theme.voices[voice])


def test_tooltip_explains_the_distances(bars: ShareBars) -> None:
    """Those of the voices need no explanation."""
    bars.show_shares((Share("within a beat", 0.5, None), Share("Alto", 0.5, None)))

    beat, alto = bars.toolTip().splitlines()
    assert beat.startswith("within a beat: 50 % over the piece (up to a beat before the note")
    assert alto == "Alto: 50 % over the piece"
