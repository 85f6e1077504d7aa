"""The pictures of systems that the score keeps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication

from musicrel import jobs
from musicrel.chorale import Chorale
from musicrel.presentation.score import engraver
from musicrel.presentation.score.score_window import ScoreWindow
from musicrel.presentation.words.palette import LIGHT
from musicrel.ui.score.score_layers import ScoreLayers

BAR = np.repeat([[72, 67, 64, 48], [74, 65, 62, 50]] * 2, 4, axis=0)
PIECE = Chorale.of(np.tile(BAR, (120, 1)))
PIXEL = 4
"""Bytes of a pixel."""


@pytest.fixture(scope="module")
def window(qapp: QApplication) -> ScoreWindow:
    """Return a window onto a score of twenty systems or more."""
    del qapp  # an application must exist
    empty = ScoreWindow(width=900, height=500, space=8.0)
    score = jobs.run(engraver.engrave(PIECE, width=empty.page_width))
    assert len(score.systems) >= 20
    return empty.of(score)


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_pictures_of_a_long_score_take_no_more_than_two_views(
    window: ScoreWindow, ratio: float
) -> None:
    """However far it was scrolled."""
    layers = ScoreLayers()
    for index in range(20):
        layers.picture(window, index, LIGHT, None, ratio)

    assert layers.kept_bytes <= 2 * window.width * window.height * ratio**2 * PIXEL
    assert len(layers) > 3


def test_all_systems_in_sight_are_kept(window: ScoreWindow) -> None:
    """A tall view shows twenty: none is painted a second time."""
    layers, tall = ScoreLayers(), replace(window, height=3500)
    seen = [*tall.seen(0, tall.height)]
    first = [layers.picture(tall, index, LIGHT, None, 1.0).cacheKey() for index in seen]
    again = [layers.picture(tall, index, LIGHT, None, 1.0).cacheKey() for index in seen]

    assert len(seen) >= 20
    assert again == first
