"""Room for Roman numerals in the score, with the font of this computer."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtGui import QFont

from musicrel import jobs
from musicrel.corpus import bundled
from musicrel.presentation.score import engraver
from musicrel.presentation.score.score_picture import SPACE, System, Words
from musicrel.ui.score.score_paint import FAMILIES, NUMERAL
from musicrel.ui.widgets import numeral_paint

pytestmark = pytest.mark.usefixtures("qtbot")


def edges(system: System) -> list[tuple[float, float]]:
    """Return the left and right edges of the numerals of a system."""
    font = QFont(FAMILIES)
    font.setStyleHint(QFont.StyleHint.Serif)
    font.setPixelSize(NUMERAL)
    row = [ink for ink in system.ink if isinstance(ink, Words) and ink.style == "numeral"]
    return [(ink.x, ink.x + numeral_paint.width(ink.text, font) * ink.size / 100) for ink in row]


@pytest.mark.parametrize("width", [8_000.0, 20_000.0])
def test_numerals_do_not_touch_each_other_or_the_margin(width: float) -> None:
    """In narrow and in wide windows."""
    for piece in bundled.load("valid")[:3]:
        score = jobs.run(engraver.engrave(piece, width=width, numerals=True))
        for system in score.systems:
            row = edges(system)
            assert all(one[1] < other[0] for one, other in itertools.pairwise(row))
            assert all(right < system.right + 2 * SPACE for _, right in row)


def test_figures_are_stacked() -> None:
    """Two figures take no more room than one."""
    font = QFont(FAMILIES)
    font.setPixelSize(100)

    one, two = (numeral_paint.width(text, font) for text in ("V7", "V65"))

    assert two == pytest.approx(one, rel=0.05)
