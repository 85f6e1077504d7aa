"""Outlines of signs, as fonts and SVG give them."""

from __future__ import annotations

import pytest

from musicrel.errors import DataError
from musicrel.presentation.score import outlines


def test_relative_commands_become_absolute() -> None:
    """Lines of all kinds, from where the one before ended."""
    assert outlines.parse("M10 10h5v-5l1 1z") == (
        ("M", (10, 10)), ("L", (15, 10)), ("L", (15, 5)), ("L", (16, 6)), ("Z", ()),
    )  # fmt: skip


def test_after_a_close_counting_goes_on_from_the_beginning() -> None:
    """The next outline begins where the one before did."""
    assert outlines.parse("m1 2l5 5zm1 1") == (
        ("M", (1, 2)), ("L", (6, 7)), ("Z", ()), ("M", (2, 3)),
    )  # fmt: skip


def test_smooth_curve_goes_on_in_the_direction_of_the_one_before() -> None:
    """Its first handle mirrors the last one."""
    assert outlines.parse("M0 0c0 1 2 3 4 4s3 0 4 0") == (
        ("M", (0, 0)), ("C", (0, 1, 2, 3, 4, 4)), ("C", (6, 5, 7, 4, 8, 4)),
    )  # fmt: skip


def test_numbers_need_no_letter_and_no_space_between_them() -> None:
    """A repeated command is not named again; a sign separates."""
    assert outlines.parse("M1-2 3-4c1-1 2-2 3-3") == (
        ("M", (1, -2)), ("L", (3, -4)), ("C", (4, -5, 5, -6, 6, -7)),
    )  # fmt: skip


def test_unknown_command_is_named() -> None:
    """Arcs are in no music font."""
    with pytest.raises(DataError, match="'A': expected M L H V C S or Z"):
        outlines.parse("M0 0A1 1 0 0 0 2 2")


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
    """The size stays."""
    assert outlines.box(outlines.of_element(kind, given)) == box


def test_outline_is_moved_and_turned_upside_down() -> None:
    """All its points are."""
    line = outlines.parse("M1 2L3 4")

    assert outlines.moved(line, 10, 20) == (("M", (11, 22)), ("L", (13, 24)))
    assert outlines.flipped(line) == (("M", (1, -2)), ("L", (3, -4)))
