"""Room for Roman numerals in the score, with the font of this computer."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QFont

from musicrel import jobs
from musicrel.corpus import bundled
from musicrel.figures.paint import draw_numeral
from musicrel.figures.score import FAMILIES, NUMERAL
from musicrel.presentation.score import engraver
from musicrel.presentation.score.score_picture import SPACE, System, Words

pytestmark = pytest.mark.usefixtures("qtbot")


def edges(system: System) -> list[tuple[float, float]]:
    font = QFont(FAMILIES)
    font.setStyleHint(QFont.StyleHint.Serif)
    font.setPixelSize(NUMERAL)
    row = [ink for ink in system.ink if isinstance(ink, Words) and ink.style == "numeral"]
    return [
        (ink.x, ink.x + draw_numeral(None, QPointF(), ink.text, font) * ink.size / 100)
        for ink in row
    ]


@pytest.mark.parametrize("width", [8_000.0, 20_000.0])
def test_numerals_do_not_touch_each_other_or_the_margin(width: float) -> None:
    for piece in bundled.load("valid")[:3]:
        score = jobs.run(engraver.engrave(piece, width=width, numerals=True))
        for system in score.systems:
            row = edges(system)
            assert all(one[1] < other[0] for one, other in itertools.pairwise(row))
            assert all(right < system.right + 2 * SPACE for _, right in row)


def test_figures_are_stacked() -> None:
    font = QFont(FAMILIES)
    font.setPixelSize(100)

    one, two = (draw_numeral(None, QPointF(), text, font) for text in ("V7", "V65"))

    assert two == pytest.approx(one, rel=0.05)
