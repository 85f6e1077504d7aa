"""Positions on a staff: heights and degrees, voices and steps at a point."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pytest

from musicrel import jobs
from musicrel.chorale import REST, Chorale, Key
from musicrel.corpus import bundled
from musicrel.editing.selection import Selection
from musicrel.presentation.score import engraver, staff_positions
from musicrel.presentation.score.score_picture import SPACE, Head, Score, System
from musicrel.score.musicxml.musicxml_writer import Layout
from musicrel.score.notation.spelling import spell

LAYOUTS: tuple[Layout, ...] = ("staves", "parts")


@cache
def chorale() -> Chorale:
    return next(p for p in itertools.chain.from_iterable(bundled.load_all().values()) if p.key)


def engraved(piece: Chorale, layout: Layout = "staves") -> Score:
    return jobs.run(engraver.engrave(piece, width=15_000, layout=layout))


def quarters(bars: int = 2) -> Chorale:
    bar = np.repeat([[72, 67, 64, 48], [74, 65, 62, 50]] * 2, 4, axis=0)
    return Chorale.of(np.tile(bar, (bars, 1)))


def head(system: System, voice: int, step: int) -> Head:
    return next(found for found in system.sounding(step) if found.note.voice == voice)


def degree(pitch: int, key: Key | None) -> int:
    """Return the degree of a pitch, counted by hand."""
    spelled = spell(pitch, key)
    return 7 * spelled.octave + "CDEFGAB".index(spelled.step)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_height_of_every_head_is_that_of_its_degree(layout: Layout) -> None:
    """In all clefs; the outermost sharp of the key may be printed as a flat."""
    piece, found = chorale(), 0
    for system in engraved(piece, layout).systems:
        for each in system.heads:
            staff = staff_positions.staff_of(system, each.note.voice)
            expected = degree(each.note.pitch, piece.key)
            assert staff_positions.degree_at(staff, each.y) - expected in (0, 1)
            found += staff_positions.degree_at(staff, each.y) == expected
            assert staff_positions.y_of(
                staff, staff_positions.degree_at(staff, each.y)
            ) == pytest.approx(each.y, abs=1)

    assert found > 0.95 * sum(len(system.heads) for system in engraved(piece, layout).systems)


def test_heads_outside_a_staff_have_ledger_lines() -> None:
    """Middle C has one below the treble staff, A5 one and C6 two above it."""
    staff = engraved(quarters()).systems[0].staves[0]

    def lines(number: int) -> list[float]:
        return [
            round((staff.bottom - y) / SPACE) for y in staff_positions.ledger_lines(staff, number)
        ]

    assert lines(degree(60, None)) == [-1]
    assert lines(degree(62, None)) == lines(degree(79, None)) == []
    assert lines(degree(81, None)) == [5]
    assert lines(degree(84, None)) == [5, 6]
    assert lines(degree(57, None)) == [-1, -2]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_nearest_voice_is_that_of_the_nearest_head_of_the_staff(layout: Layout) -> None:
    """Near each head this is its voice."""
    system = engraved(quarters(), layout).systems[0]
    for each in system.heads:
        assert staff_positions.voice_at(system, each.x, each.y) == each.note.voice


def test_in_silence_the_half_of_the_staff_gives_the_voice() -> None:
    """The upper voice above the middle line, the lower one below it."""
    system = engraved(Chorale.of([[REST] * 4] * 16)).systems[0]
    upper, lower = system.staves
    places = [upper.top, upper.bottom, lower.top - SPACE, lower.bottom + SPACE]

    assert [staff_positions.voice_at(system, system.x_at(4), y) for y in places] == [0, 1, 2, 3]


def test_an_empty_bar_has_the_steps_of_the_grid() -> None:
    """Quarters by default, or finer."""
    system = engraved(Chorale.of([[REST] * 4] * 32)).systems[0]
    places = [system.x_at(step) for step in (0, 3, 5, 9.5, 13, 17, 29)]

    assert [staff_positions.step_at(system, x) for x in places] == [0, 4, 4, 8, 12, 16, 28]
    finer = [system.x_at(step) for step in (0, 2.8, 3.2, 9.5, 30)]
    assert [staff_positions.step_at(system, x, grid=2) for x in finer] == [0, 2, 4, 10, 30]


def test_a_note_between_the_points_of_the_grid_has_its_own_step() -> None:
    """It begins on an eighth."""
    pitches = np.repeat([[72, 67, 64, 48], [74, 65, 62, 50]] * 4, 2, axis=0)
    system = engraved(Chorale.of(pitches)).systems[0]

    assert staff_positions.step_at(system, head(system, 0, 6).x) == 6


def test_a_point_is_in_the_bar_between_two_lines() -> None:
    """Before the first line it is in the first bar, after the last in the last."""
    system = engraved(quarters()).systems[0]
    line = system.lines[1].x

    assert staff_positions.bar_at(system, line - 1) == (0, 16)
    assert staff_positions.bar_at(system, line + 1) == (16, 32)
    assert staff_positions.bar_at(system, -5 * SPACE) == (0, 16)
    assert staff_positions.bar_at(system, system.right + SPACE) == (16, 32)


def test_the_cell_at_a_point_is_one_step_of_one_voice() -> None:
    """It is the cell cursor."""
    system = engraved(quarters()).systems[0]
    near = head(system, 2, 8)

    assert staff_positions.cell_at(system, near.x, near.y) == Selection(
        voices=(2,), start=8, stop=9
    )


def test_some_heads_are_selected_from_the_first_to_the_last() -> None:
    """No heads: no selection."""
    system = engraved(quarters()).systems[0]
    heads = [head(system, 3, 4), head(system, 1, 12)]

    assert staff_positions.selection_of(heads) == Selection(voices=(1, 3), start=4, stop=16)
    assert staff_positions.selection_of([]) is None
