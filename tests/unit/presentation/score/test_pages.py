"""Systems laid out on pages."""

from __future__ import annotations

from itertools import pairwise

import pytest

from musicrel.presentation.score import pages
from musicrel.presentation.score.pages import Heading, Page
from musicrel.presentation.score.score_picture import Column, Score, System

A4, LETTER = 267.0, 249.4
"""Heights between the margins in millimetres."""
HEADING = Heading("Air", "Anna B.")


def system(start: int, height: float = 40.0, right: float = 19_000.0) -> System:
    """Return a system without ink, ``height`` millimetres high."""
    columns = (Column(start, 0.0), Column(start + 16, right))
    return System(
        ink=(), heads=(), staves=(), columns=columns, lines=columns,
        top=-300.0, bottom=height / pages.SCALE - 300.0, right=right,
    )  # fmt: skip


def score(count: int, height: float = 40.0, right: float = 19_000.0) -> Score:
    """Return a score of equal systems."""
    systems = tuple(system(16 * number, height, right) for number in range(count))
    return Score(systems=systems, outlines={}, width=19_000.0)


def counts(found: tuple[Page, ...]) -> list[int]:
    """Return the number of systems of each page."""
    return [len(page.systems) for page in found]


def test_every_system_stands_once_in_its_order() -> None:
    """Within the room, below the heading and above the page number."""
    whole = score(17)
    found = pages.pages(whole, HEADING, A4)

    placed = [system for page in found for system, _ in page.systems]
    assert placed == list(whole.systems)
    for number, page in enumerate(found):
        tops = [top for _, top in page.systems]
        assert tops[0] == (19.0 if number == 0 else 9.0)
        assert all(below - above >= 44.0 for above, below in pairwise(tops))
        assert tops[-1] + 40.0 <= A4 - 8.0


def test_a_page_of_letter_has_less_room() -> None:
    """The same systems need more pages."""
    assert counts(pages.pages(score(15, 45.0), Heading(), A4)) == [5, 5, 5]
    assert counts(pages.pages(score(15, 45.0), Heading(), LETTER)) == [4, 4, 4, 3]


def test_the_first_page_has_title_and_composer_and_the_others_the_title() -> None:
    """Each page of several has its number."""
    first, second = pages.pages(score(7), HEADING, A4)

    assert [(text.text, text.points, text.where) for text in first.texts] == [
        ("Air", 18.0, "centre"), ("Anna B.", 11.0, "right"), ("1", 9.0, "centre"),
    ]  # fmt: skip
    assert [(text.text, text.points, text.top) for text in second.texts] == [
        ("Air", 9.0, 0.0), ("2", 9.0, None),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("heading", "texts", "top"),
    [
        (Heading(), [], 0.0),
        (Heading("Air"), ["Air"], 13.0),
        (Heading(composer="Anna B."), ["Anna B."], 6.0),
    ],
)
def test_what_is_not_known_takes_no_room(heading: Heading, texts: list[str], top: float) -> None:
    """A single page has no number."""
    (page,) = pages.pages(score(2), heading, A4)

    assert [text.text for text in page.texts] == texts
    assert page.systems[0].top == top


def test_the_last_page_has_no_single_system() -> None:
    """Unless the page before it cannot spare one."""
    assert counts(pages.pages(score(6), HEADING, A4)) == [4, 2]
    assert counts(pages.pages(score(3, 110.0), HEADING, A4)) == [2, 1]


def test_a_full_page_is_spread_and_the_last_one_as_far() -> None:
    """To the foot of the page, if the systems do not stand too far apart."""
    first, last = pages.pages(score(7), HEADING, A4)

    assert first.systems[-1].top + 40.0 == pytest.approx(A4 - 8.0)
    distances = [below.top - above.top for above, below in pairwise(first.systems)]
    assert distances == pytest.approx([distances[0]] * 4)
    assert last.systems[1].top - last.systems[0].top == pytest.approx(distances[0])
    few, _ = pages.pages(score(4, 90.0), HEADING, A4)
    assert few.systems[1].top - few.systems[0].top == pytest.approx(90.0 + 4 * 4.125)


def test_a_score_wider_than_the_room_is_reduced() -> None:
    """So that its widest system fits."""
    wide = score(3, right=38_000.0)

    assert pages.scale(wide) == pytest.approx(pages.SCALE / 2)
    (page,) = pages.pages(wide, Heading(), A4)
    assert page.systems[1].top == pytest.approx(20.0 + 4.125 / 2)


def test_a_system_higher_than_the_page_has_a_page_of_its_own() -> None:
    """It is cut at the foot, but nothing is lost."""
    assert counts(pages.pages(score(2, 400.0), HEADING, A4)) == [1, 1]


def test_a_score_without_systems_has_no_page() -> None:
    """There is nothing to paint."""
    assert pages.pages(score(0), HEADING, A4) == ()
