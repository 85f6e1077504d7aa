"""Roman numerals in the engraved score."""

from __future__ import annotations

import itertools

import pytest

from musicrel import jobs
from musicrel.chorale import Chorale
from musicrel.corpus import bundled
from musicrel.harmony.analysis import numerals
from musicrel.presentation.score import engraver
from musicrel.presentation.score.engraving_cache import EngravingCache
from musicrel.presentation.score.score_picture import SPACE, Score, System, Words
from musicrel.score.musicxml.musicxml_writer import Layout

WIDE = 24_000.0
NARROW = 9_000.0


@pytest.fixture(scope="module")
def piece() -> Chorale:
    return bundled.load("valid")[1]


def engraved(piece: Chorale, layout: Layout = "staves", width: float = WIDE) -> Score:
    return jobs.run(engraver.engrave(piece, width=width, layout=layout, numerals=True))


def labels(system: System) -> list[Words]:
    return [ink for ink in system.ink if isinstance(ink, Words) and ink.style == "numeral"]


@pytest.mark.parametrize("layout", ["staves", "parts"])
def test_all_numerals_are_drawn_below_the_lowest_staff(piece: Chorale, layout: Layout) -> None:
    """Their order is that of the chords, their lower edge counts for the system."""
    score = engraved(piece, layout)

    found = [ink.text for system in score.systems for ink in labels(system)]
    assert found == [numeral.text for numeral in numerals(piece)]
    for system in score.systems:
        assert all(ink.y > system.staves[-1].bottom + SPACE for ink in labels(system))
        assert all(ink.y < system.bottom for ink in labels(system))


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_numerals_of_a_system_share_a_line_and_do_not_overlap(piece: Chorale, width: float) -> None:
    for system in engraved(piece, width=width).systems:
        row = labels(system)
        assert len({ink.y for ink in row}) == 1
        assert all(one.x + SPACE < other.x for one, other in itertools.pairwise(row))


def test_numerals_stand_at_their_chords(piece: Chorale) -> None:
    starts = [numeral.start for numeral in numerals(piece)]
    score = engraved(piece)

    drawn = [(system, ink.x) for system in score.systems for ink in labels(system)]
    for step, (system, x) in zip(starts, drawn, strict=True):
        assert system.start <= step < system.stop
        assert abs(system.x_at(step) - x) < 3 * SPACE


def test_without_numerals_the_score_has_none(piece: Chorale) -> None:
    """Also from a cache that holds the score with numerals."""
    cache = EngravingCache()
    for on in (True, False):
        job = engraver.engrave(piece, width=WIDE, numerals=on, cache=cache)
        found = [ink for system in jobs.run(job).systems for ink in labels(system)]
        assert bool(found) is on
