"""Names at the ends of lines, and marks."""

from __future__ import annotations

import pytest

from musicrel.presentation.drawing.drawing import Area, Text
from musicrel.presentation.study import line_ends
from musicrel.presentation.study.line_ends import LineEnd
from musicrel.presentation.words.palette import DARK


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ([50.0, 100.0], [50.0, 100.0]),
        ([50.0, 50.0, 51.0], [50.0, 65.0, 80.0]),
        ([195.0, 196.0, 197.0], [170.0, 185.0, 200.0]),
        ([0.0], [10.0]),
        ([], []),
    ],
)
def test_names_keep_apart_and_within_the_picture(
    wanted: list[float], expected: list[float]
) -> None:
    """They stay as close to their lines as possible."""
    assert line_ends.spread(wanted, 10.0, 200.0) == expected


def test_names_that_are_too_many_keep_apart_all_the_same() -> None:
    """They go beyond the lower edge then."""
    found = line_ends.spread([100.0] * 9, 80.0, 120.0)

    assert found == [80.0 + 15.0 * place for place in range(9)]


def test_lines_of_one_colour_have_other_marks() -> None:
    """The first four have none; each name has the mark of its line."""
    found = [line_ends.marks(number, [(0.0, 0.0)], "#000000") for number in (0, 4, 8, 12)]
    corners = [[len(mark.points) for mark in marks if isinstance(mark, Area)] for marks in found]
    assert corners == [[], [12], [4], [3]]
    assert {line_ends.colour(number, DARK) for number in (1, 5, 9)} == {DARK.voice_edges[1]}


def test_marks_are_few_and_the_last_point_has_one() -> None:
    """However many points there are."""
    points = [(float(x), 0.0) for x in range(100)]
    found = [mark for mark in line_ends.marks(4, points, "#000000") if isinstance(mark, Area)]

    assert len(found) <= 12
    assert max(x for mark in found for x, _ in mark.points) > 99


def test_a_long_name_is_shortened_and_its_value_is_not() -> None:
    """The figure is what one looks for."""
    end = LineEnd(y=20.0, name="relative-as-published", value="0.554")
    (item,) = line_ends.names([end], DARK, x=0.0, width=120.0, box=(0.0, 100.0))

    assert isinstance(item, Text)
    assert item.text.startswith("relat")
    assert item.text.endswith("… 0.554")
