"""The visible part of a score, points on it, and its pages on paper."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath

from musicrel import jobs
from musicrel.analysis.corpus import bundled
from musicrel.chorale import REST, Chorale, Key
from musicrel.errors import DataError
from musicrel.figures import engraver, sheets
from musicrel.figures.score import SPACE, Column, Head, Score, Staff, System
from musicrel.figures.sheets import Page
from musicrel.score.editing.notes import Note
from musicrel.score.editing.selection import Selection
from musicrel.score.musicxml.musicxml_writer import Layout
from musicrel.score.notation.spelling import spell
from musicrel.ui.score.score_window import ABOVE, MARGIN, ScoreWindow, Spot


def system(start: int) -> System:
    note = Note(start, start + 16, 72, 0)
    return System(
        ink=(),
        heads=(Head(note, start, start + 16, 10 * SPACE, 2 * SPACE),),
        staves=(Staff(2 * SPACE, 6 * SPACE, (0,)),),
        columns=(Column(start, 10 * SPACE), Column(start + 16, 50 * SPACE)),
        lines=(Column(start, 0.0), Column(start + 16, 50 * SPACE)),
        top=0.0,
        bottom=10 * SPACE,
        right=50 * SPACE,
    )


SCORE = Score(systems=tuple(map(system, (0, 16, 32))), width=50 * SPACE)
WINDOW = ScoreWindow(width=500 + 2 * MARGIN, height=200, space=10.0).of(SCORE)


def test_systems_stand_below_each_other() -> None:
    boxes = [WINDOW.box(index) for index in range(3)]

    assert [box.top() for box in boxes] == [25 - ABOVE, 150 - ABOVE, 275 - ABOVE]
    assert {box.height() for box in boxes} == {100 + 2 * ABOVE}
    assert WINDOW.whole == 400


def test_score_for_more_room_is_shown_smaller() -> None:
    narrow = ScoreWindow(width=250 + 2 * MARGIN, height=200, space=10.0).of(SCORE)

    assert narrow.scale == WINDOW.scale / 2
    assert narrow.page_width == 25 * SPACE


def test_pixel_finds_the_note_that_is_there() -> None:
    spot = WINDOW.spot(QPointF(MARGIN + 100, 150 + 20))
    assert spot is not None
    assert spot.head is not None
    assert (spot.head.note.start, spot.step) == (16, 16)
    beside = WINDOW.spot(QPointF(MARGIN + 480, 150 + 20))
    assert beside is not None
    assert (beside.head, beside.step) == (None, 16)
    assert WINDOW.spot(QPointF(MARGIN, 399)) is None


def test_only_systems_with_ink_in_sight_are_seen_and_scrolled_to_their_top_otherwise() -> None:
    assert WINDOW.showing(3) == 0
    assert WINDOW.showing(20) == 150 - ABOVE
    assert WINDOW.showing(99) == 275 - ABOVE
    assert ScoreWindow().showing(5) == 0

    assert list(WINDOW.seen(0, 200)) == [0, 1]
    assert list(WINDOW.seen(390, 500)) == []
    assert list(ScoreWindow().seen(0, 200)) == []


def test_point_selects_its_note_its_cell_or_its_bar() -> None:
    note, empty = (WINDOW.spot(QPointF(MARGIN + x, 150 + 20)) for x in (100, 480))
    assert note is not None
    assert empty is not None

    assert note.selection == Selection(voices=(0,), start=16, stop=32)
    assert empty.selection == Selection(voices=(0,), start=28, stop=29)
    assert empty.bar == Selection(voices=(0,), start=16, stop=32)
    assert empty.staff == SCORE.systems[1].staves[0]


def steps(one: tuple[float, float], other: tuple[float, float]) -> tuple[int, int] | None:
    corners = (QPointF(MARGIN + x, y) for x, y in (one, other))
    found = WINDOW.in_band(*corners)
    return (found.start, found.stop) if found else None


def test_rubber_band_has_the_heads_between_two_points() -> None:
    assert steps((90, 40), (110, 60)) == (0, 16)
    assert steps((110, 60), (90, 40)) == (0, 16)
    assert steps((90, 40), (95, 60)) is None


def test_rubber_band_over_systems_goes_from_one_place_to_the_other_line_by_line() -> None:
    before, after = 90, 110
    assert steps((before, 40), (after, 300)) == (0, 48)
    assert steps((after, 40), (after, 300)) == (16, 48)
    assert steps((after, 300), (after, 40)) == (16, 48)
    assert steps((after, 40), (before, 300)) == (16, 32)


def test_zoom_stays_at_the_same_system() -> None:
    scrolled = replace(WINDOW, hidden=140)

    assert scrolled.zoomed(20.0).hidden == 140
    assert scrolled.zoomed(5.0).hidden == 0


def test_beginning_of_a_score_covers_what_is_visible_or_not() -> None:
    one, two = (Score(systems=SCORE.systems[:n], width=1.0) for n in (1, 2))

    assert not WINDOW.covered_by(one)
    assert not WINDOW.covered_by(replace(one, systems=()))  # nothing is engraved yet
    assert WINDOW.covered_by(two)
    assert ScoreWindow().covered_by(one)


@pytest.mark.parametrize(("requested", "space"), [(1.0, 4.0), (9.0, 9.0), (99.0, 22.0)])
def test_zoom_stays_where_notes_can_be_read(requested: float, space: float) -> None:
    assert WINDOW.zoomed(requested).space == space


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
    spelled = spell(pitch, key)
    return 7 * spelled.octave + "CDEFGAB".index(spelled.step)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_height_of_every_head_is_that_of_its_degree(layout: Layout) -> None:
    piece, found = chorale(), 0
    for system in engraved(piece, layout).systems:
        for each in system.heads:
            staff = system.staff_of(each.note.voice)
            expected = degree(each.note.pitch, piece.key)
            assert staff.degree_at(each.y) - expected in (0, 1)
            found += staff.degree_at(each.y) == expected
            assert staff.y_of(staff.degree_at(each.y)) == pytest.approx(each.y, abs=1)

    assert found > 0.95 * sum(len(system.heads) for system in engraved(piece, layout).systems)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_nearest_voice_is_that_of_the_nearest_head_of_the_staff(layout: Layout) -> None:
    system = engraved(quarters(), layout).systems[0]
    for each in system.heads:
        assert Spot(system, each.x, each.y).voice == each.note.voice


def test_in_silence_the_half_of_the_staff_gives_the_voice() -> None:
    system = engraved(Chorale.of([[REST] * 4] * 16)).systems[0]
    upper, lower = system.staves
    places = [upper.top, upper.bottom, lower.top - SPACE, lower.bottom + SPACE]

    assert [Spot(system, system.x_at(4), y).voice for y in places] == [0, 1, 2, 3]


def test_an_empty_bar_has_the_steps_of_the_grid_and_a_note_between_them_its_own() -> None:
    system = engraved(Chorale.of([[REST] * 4] * 32)).systems[0]
    places = [system.x_at(step) for step in (0, 3, 5, 9.5, 13, 17, 29)]

    assert [system.step_at(x, 4) for x in places] == [0, 4, 4, 8, 12, 16, 28]
    finer = [system.x_at(step) for step in (0, 2.8, 3.2, 9.5, 30)]
    assert [system.step_at(x, 2) for x in finer] == [0, 2, 4, 10, 30]

    pitches = np.repeat([[72, 67, 64, 48], [74, 65, 62, 50]] * 4, 2, axis=0)
    system = engraved(Chorale.of(pitches)).systems[0]

    assert system.step_at(head(system, 0, 6).x, 4) == 6


TREBLE, BASS = Staff(0.0, 4 * SPACE, (0, 1)), Staff(10 * SPACE, 14 * SPACE, (2, 3))


@pytest.mark.parametrize(
    ("staff", "degree", "spaces", "ledgers"),
    [
        (TREBLE, 34, 2.0, []),
        (TREBLE, 28, 5.0, [5.0]),
        (BASS, 31, 7.5, [9.0, 8.0]),
        (BASS, 18, 14.0, []),
    ],
)
def test_a_degree_has_its_height_and_ledger_lines(
    staff: Staff, degree: int, spaces: float, ledgers: list[float]
) -> None:
    assert staff.y_of(degree) == spaces * SPACE
    assert staff.degree_at(spaces * SPACE) == degree
    assert staff.ledger_lines(degree) == [y * SPACE for y in ledgers]


def points(path: QPainterPath) -> list[tuple[float, float]]:
    elements = map(path.elementAt, range(path.elementCount()))
    return [(element.x, element.y) for element in elements]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("M10 10h5v-5l1 1z", [(10, 10), (15, 10), (15, 5), (16, 6), (10, 10)]),
        ("m1 2l5 5zm1 1", [(1, 2), (6, 7), (1, 2), (2, 3)]),
        ("M0 0c0 1 2 3 4 4s3 0 4 0", [(0, 0), (0, 1), (2, 3), (4, 4), (6, 5), (7, 4), (8, 4)]),
        ("M1-2 3-4c1-1 2-2 3-3", [(1, -2), (3, -4), (4, -5), (5, -6), (6, -7)]),
    ],
    ids=["relative", "on from the beginning after a close", "on in the direction before",
         "without letter or space"],
)  # fmt: skip
def test_commands_become_absolute(path: str, expected: list[tuple[float, float]]) -> None:
    assert points(engraver.path_of(path)) == expected


def test_unknown_command_is_named() -> None:
    with pytest.raises(DataError, match="'A': expected M L H V C S or Z"):
        engraver.path_of("M0 0A1 1 0 0 0 2 2")


@pytest.mark.parametrize(
    ("kind", "given", "box"),
    [
        ("polygon", {"points": "1,2 5,2 5,8"}, (1, 2, 5, 8)),
        ("rect", {"x": "1", "y": "2", "width": "3", "height": "4"}, (1, 2, 4, 6)),
        ("ellipse", {"cx": "5", "cy": "6", "rx": "2", "ry": "1"}, (3, 5, 7, 7)),
        ("path", {"d": "M0 1L2 3"}, (0, 1, 2, 3)),
    ],
)
def test_every_shape_becomes_an_outline(
    kind: str, given: dict[str, str], box: tuple[float, ...]
) -> None:
    assert engraver.shape_of(kind, given).controlPointRect().getCoords() == box


A4, LETTER = 267.0, 249.4
"""Heights between the margins in millimetres."""
WIDTH = 19_000.0 * sheets.SCALE
PLAIN = Chorale.of([[60, 55, 52, 48]])
HEADING = replace(PLAIN, title="Air", composer="Anna B.")


def bare_system(start: int, height: float = 40.0, right: float = 19_000.0) -> System:
    columns = (Column(start, 0.0), Column(start + 16, right))
    return System(
        ink=(), heads=(), staves=(), columns=columns, lines=columns,
        top=-300.0, bottom=height / sheets.SCALE - 300.0, right=right,
    )  # fmt: skip


def score(count: int, height: float = 40.0, right: float = 19_000.0) -> Score:
    systems = tuple(bare_system(16 * number, height, right) for number in range(count))
    return Score(systems=systems, width=19_000.0)


def pages(score: Score, piece: Chorale, height: float) -> tuple[Page, ...]:
    return sheets.pages(score, piece, height, sheets.scale(score, WIDTH))


def counts(found: tuple[Page, ...]) -> list[int]:
    return [len(page.systems) for page in found]


def test_every_system_stands_once_in_its_order() -> None:
    whole = score(17)
    found = pages(whole, HEADING, A4)

    placed = [one for page in found for one, _ in page.systems]
    assert placed == list(whole.systems)
    for number, page in enumerate(found):
        tops = [top for _, top in page.systems]
        assert tops[0] == (19.0 if number == 0 else 9.0)
        assert all(below - above >= 44.0 for above, below in pairwise(tops))
        assert tops[-1] + 40.0 <= A4 - 8.0


def test_systems_fill_the_page_and_none_stands_alone_on_the_last() -> None:
    assert counts(pages(score(15, 45.0), PLAIN, A4)) == [5, 5, 5]
    assert counts(pages(score(15, 45.0), PLAIN, LETTER)) == [4, 4, 4, 3]

    assert counts(pages(score(6), HEADING, A4)) == [4, 2]
    assert counts(pages(score(3, 110.0), HEADING, A4)) == [2, 1]


def test_the_first_page_has_title_and_composer_and_the_others_the_title() -> None:
    first, second = pages(score(7), HEADING, A4)

    assert [(text.text, text.points, text.where) for text in first.texts] == [
        ("Air", 18.0, "centre"), ("Anna B.", 11.0, "right"), ("1", 9.0, "centre"),
    ]  # fmt: skip
    assert [(text.text, text.points, text.top) for text in second.texts] == [
        ("Air", 9.0, 0.0), ("2", 9.0, None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("heading", "texts", "top"),
    [
        ({}, [], 0.0),
        ({"title": "Air"}, ["Air"], 13.0),
        ({"composer": "Anna B."}, ["Anna B."], 6.0),
        ({"poet": "Carl D.", "composer": "Anna B."}, ["Carl D.", "Anna B."], 6.0),
        ({"title": "Air", "poet": "Carl D.", "tune": "LINN"}, ["Air", "Carl D.", "LINN"], 19.0),
        ({"composer": "Anna B.", "tune": "LINN"}, ["Anna B.", "LINN"], 12.0),
        ({"title": "Air", "subtitle": "For choir"}, ["Air", "For choir"], 20.0),
        ({"copyright": "© nobody"}, ["© nobody"], 0.0),
    ],
)
def test_what_is_not_known_takes_no_room(
    heading: dict[str, Any], texts: list[str], top: float
) -> None:
    (page,) = pages(score(2), replace(PLAIN, **heading), A4)

    assert [text.text for text in page.texts] == texts
    assert page.systems[0][1] == top


def test_poet_and_composer_share_a_line_and_the_first_page_ends_with_the_copyright() -> None:
    piece = replace(HEADING, poet="Carl D.", tune="LINN", copyright="© nobody")
    first, second = pages(score(7), piece, A4)

    assert [(text.text, text.where, text.top, text.share) for text in first.texts[1:]] == [
        ("Carl D.", "left", 9.5, 0.48), ("Anna B.", "right", 9.5, 0.48),
        ("LINN", "right", 15.5, 0.48), ("© nobody", "centre", None, 1.0),
    ]  # fmt: skip
    assert [text.text for text in second.texts] == ["Air", "2"]


def test_the_subtitle_stands_between_the_title_and_the_names() -> None:
    first, second = pages(score(7), replace(HEADING, subtitle="For choir"), A4)

    assert [(text.text, text.where, text.top) for text in first.texts[:3]] == [
        ("Air", "centre", 0.0), ("For choir", "centre", 8.5), ("Anna B.", "right", 16.5),
    ]  # fmt: skip
    assert [text.text for text in second.texts] == ["Air", "2"]


def distances(page: Page) -> list[float]:
    return [below - above for (_, above), (_, below) in pairwise(page.systems)]


def test_a_full_page_is_spread_and_the_last_one_as_far() -> None:
    first, last = pages(score(7), HEADING, A4)

    assert first.systems[-1][1] + 40.0 == pytest.approx(A4 - 8.0)
    assert distances(first) == pytest.approx([distances(first)[0]] * 4)
    assert distances(last)[0] == pytest.approx(distances(first)[0])
    few, _ = pages(score(4, 90.0), HEADING, A4)
    assert distances(few)[0] == pytest.approx(90.0 + 4 * 4.125)


def test_a_score_wider_than_the_room_is_reduced() -> None:
    wide = score(3, right=38_000.0)

    assert sheets.scale(wide, WIDTH) == pytest.approx(sheets.SCALE / 2)
    (page,) = pages(wide, PLAIN, A4)
    assert page.systems[1][1] == pytest.approx(20.0 + 4.125 / 2)


def test_a_system_higher_than_the_page_has_its_own_and_no_system_none() -> None:
    assert counts(pages(score(2, 400.0), HEADING, A4)) == [1, 1]

    assert pages(score(0), HEADING, A4) == ()
