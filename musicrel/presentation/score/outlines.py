"""Outlines: SVG paths as absolute lines and curves; parsing, moving, flipping, measuring.

Grammar: W3C, *SVG 1.1*, 8.3. Arcs and quadratic curves, which music fonts do not use, are rejected.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, Literal

from musicrel.errors import DataError
from musicrel.presentation.score.score_picture import Outline, Segment

_TOKEN: Final = re.compile(r"[A-Za-z]|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_NUMBERS: Final = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Z": 0}
_KINDS: Final[Mapping[str, Literal["M", "L", "C", "Z"]]] = {
    "M": "M", "L": "L", "H": "L", "V": "L", "C": "C", "S": "C", "Z": "Z",
}  # fmt: skip
"""Kind of segment of each command."""
_ROUND: Final = 0.5523
"""Distance of the control points of a quarter circle, in radii."""
_CURVE: Final = 6


def parse(data: str) -> Outline:
    """Parse ``data``, the ``d`` attribute of a path."""
    found: list[Segment] = []
    x = y = first_x = first_y = 0.0
    for command, numbers in _commands(data):
        kind = command.upper()
        points = _absolute(kind, numbers, (x, y) if command.islower() else None, (x, y))
        if kind == "S":
            points = (*_reflected(found, (x, y)), *points)
        if kind == "Z":
            x, y = first_x, first_y
        else:
            x, y = points[-2:]
        if kind == "M":
            first_x, first_y = x, y
        found.append((_KINDS[kind], points))
    return tuple(found)


def of_element(kind: str, given: Mapping[str, str]) -> Outline:
    """Return the outline of a path, polygon, rect or ellipse with these attributes."""
    if kind == "path":
        return parse(given.get("d", ""))
    if kind == "polygon":
        corners = [tuple(map(float, point.split(","))) for point in given["points"].split()]
        return (("M", corners[0]), *(("L", corner) for corner in corners[1:]), ("Z", ()))
    if kind == "rect":
        x, y, width, height = (float(given[name]) for name in ("x", "y", "width", "height"))
        across, down = x + width, y + height
        return (("M", (x, y)), ("L", (across, y)), ("L", (across, down)), ("L", (x, down)),
                ("Z", ()))  # fmt: skip
    return _ellipse(*(float(given[name]) for name in ("cx", "cy", "rx", "ry")))


def moved(outline: Outline, right: float, down: float) -> Outline:
    return tuple(
        (kind, tuple(value + (down if at % 2 else right) for at, value in enumerate(points)))
        for kind, points in outline
    )


def flipped(outline: Outline) -> Outline:
    """Flip an outline vertically: in fonts y grows upwards."""
    return tuple(
        (kind, tuple(-value if at % 2 else value for at, value in enumerate(points)))
        for kind, points in outline
    )


def box(outline: Outline) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom, control points included."""
    across = [value for _, points in outline for value in points[0::2]]
    down = [value for _, points in outline for value in points[1::2]]
    return min(across), min(down), max(across), max(down)


def _commands(data: str) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Yield each command with its numbers; repeated commands get their letter."""
    tokens, at = _TOKEN.findall(data), 0
    command = ""
    while at < len(tokens):
        if tokens[at].isalpha():
            command, at = tokens[at], at + 1
        count = _NUMBERS.get(command.upper())
        if count is None:
            raise DataError(f"an outline has the command {command!r}: expected M L H V C S or Z")
        yield command, tuple(map(float, tokens[at : at + count]))
        at += count
        command = {"M": "L", "m": "l"}.get(command, command)


def _absolute(
    kind: str,
    numbers: tuple[float, ...],
    origin: tuple[float, float] | None,
    here: tuple[float, float],
) -> tuple[float, ...]:
    """Return the points of a command whose numbers are relative to ``origin``."""
    right, down = origin or (0.0, 0.0)
    if kind == "H":
        return (numbers[0] + right, here[1])
    if kind == "V":
        return (here[0], numbers[0] + down)
    return tuple(value + (down if at % 2 else right) for at, value in enumerate(numbers))


def _reflected(found: list[Segment], here: tuple[float, float]) -> tuple[float, float]:
    """Return the control point that continues the previous curve smoothly."""
    points = found[-1][1] if found else ()
    if len(points) != _CURVE:
        return here
    return 2 * here[0] - points[2], 2 * here[1] - points[3]


def _ellipse(x: float, y: float, across: float, down: float) -> Outline:
    right, lower = across * _ROUND, down * _ROUND
    return (
        ("M", (x + across, y)),
        ("C", (x + across, y + lower, x + right, y + down, x, y + down)),
        ("C", (x - right, y + down, x - across, y + lower, x - across, y)),
        ("C", (x - across, y - lower, x - right, y - down, x, y - down)),
        ("C", (x + right, y - down, x + across, y - lower, x + across, y)),
        ("Z", ()),
    )
