"""The attention of a cell as arcs."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import Chorale
from musicrel.presentation.attention import arcs
from musicrel.presentation.attention.piece_analysis import PieceAnalysis
from musicrel.presentation.roll.viewport import Viewport

PIECE = Chorale.of(np.tile([[72, 67, 64, -1]], (8, 1)))
VIEW = Viewport(width=800, height=470, steps=8, low=36, high=82, step_width=100, row_height=10)


def analysed(row: dict[int, float], cell: int) -> PieceAnalysis:
    """Return an analysis in which ``cell`` has the weights ``row`` by column."""
    reading = PieceAnalysis(PIECE, "bach", 1, 1, wrote=True)
    for place in range(cell + 1):
        weights = np.zeros((1, 1, place + 1), dtype=np.float32)
        if place == cell:
            weights[0, 0, list(row)] = list(row.values())
        reading.add(weights, nats=1.0)
    return reading


def test_arc_goes_from_the_cell_to_what_it_looked_at() -> None:
    """From middle to middle, bent upwards; the strongest comes last, on top, with its percent."""
    picture = arcs.draw(analysed({1: 0.7, 6: 0.2}, 8), None, 8, VIEW)

    assert picture is not None
    weak, strong = picture.curves
    assert [*strong.start, *strong.end] == [250, 105, 50, 105]
    assert strong.bend[1] < strong.end[1]
    assert (weak.end, strong.label, weak.label) == ((150, 155), "70 %", "20 %")
    assert strong.width > weak.width
    assert strong.opacity > weak.opacity


def test_start_and_rests_have_no_place_on_the_roll() -> None:
    """No arc leads there; START appears in the shares only."""
    picture = arcs.draw(analysed({0: 0.5, 4: 0.5}, 8), None, 8, VIEW)

    assert picture is not None
    assert picture.curves == ()


@pytest.mark.parametrize("cell", [3, 9])
def test_rest_and_unknown_cells_have_no_arcs(cell: int) -> None:
    """The bass rests, and cell 9 is not written yet."""
    assert arcs.draw(analysed({1: 1.0}, 8), None, cell, VIEW) is None


def test_faint_looks_are_left_out_and_few_are_labelled() -> None:
    """Twelve at most, three with numbers."""
    looks = {column: 0.05 - column / 1000 for column in range(1, 21)}
    picture = arcs.draw(analysed(looks | {21: 0.004}, 28), None, 28, VIEW)

    assert picture is not None
    assert len([curve for curve in picture.curves if curve.label]) == 3
    assert len(picture.curves) == 9  # of the twelve strongest, three are rests
