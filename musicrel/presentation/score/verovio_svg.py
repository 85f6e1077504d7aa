"""A reader of Verovio's SVG: nested pictures, references, styles and spans become plain ink.

The result needs no style sheet, no ``currentColor`` and no embedded font; glyphs within text, as in
the tempo, become outlines. Coordinates are those of Verovio's ``definition-scale``, below the
margin of the page.

Format: Verovio 6, *Toolkit Reference Book*, "SVG output".
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal, NamedTuple
from xml.etree import ElementTree as ET

from musicrel.editing.notes import Note
from musicrel.errors import DataError
from musicrel.presentation.score.score_picture import (
    SPACE,
    Column,
    Glyph,
    Head,
    Ink,
    Outline,
    Owner,
    Segment,
    Shape,
    Staff,
    Stroke,
    System,
    Words,
)

_SVG: Final = "{http://www.w3.org/2000/svg}"
_XLINK: Final = "{http://www.w3.org/1999/xlink}href"
_MOVE: Final = re.compile(r"translate\((-?[\d.]+), ?(-?[\d.]+)\)(?: scale\((-?[\d.]+))?")
_LINE: Final = re.compile(r"M(-?[\d.]+) (-?[\d.]+) L(-?[\d.]+) (-?[\d.]+)")
_TEXT_STYLES: Final = {"mNum": "italic", "tempo": "bold", "harm": "numeral"}
_HEAD_MIDDLE: Final = 0.59 * SPACE  # distance from the left edge of a black head to its centre
_FIRST_SIGN: Final = "\ue000"
_LAST_SIGN: Final = "\uf8ff"  # private use area of music fonts (W3C, *SMuFL 1.4*)
_SIGN_WIDTH: Final = 0.5  # width of a glyph within text, in font sizes
# width of the dot of a note, which is less
_SIGN_WIDTHS: Final[Mapping[str, float]] = MappingProxyType({"ECB7": 0.25})
_STAFF_LINES: Final = 5

# returns the outline of a glyph within text by its SMuFL code, such as ECA5
OutlineOf = Callable[[str], Outline]


class SvgPosition(NamedTuple):
    """The position in the piece of a note or rest of the file; a rest has no note."""

    voice: int
    start: int
    stop: int
    note: Note | None


@dataclass(slots=True)
class _Line:
    """A system that is being read."""

    ink: list[Ink] = field(default_factory=list)
    heads: list[Head] = field(default_factory=list)
    staves: list[Staff] = field(default_factory=list)
    columns: dict[int, float] = field(default_factory=dict)
    bars: list[tuple[float, float]] = field(default_factory=list)
    steps: list[tuple[int, int]] = field(default_factory=list)


class Reader:
    """A reader of the pages of one piece.

    Args:
        found: outlines of glyphs by name; those of the pages are added.
    """

    def __init__(
        self,
        positions: Mapping[str, SvgPosition],
        staves: tuple[tuple[int, ...], ...],
        in_text: OutlineOf,
        found: dict[str, Outline] | None = None,
    ) -> None:
        self._positions, self._staves, self._in_text = positions, staves, in_text
        self.outlines = found if found is not None else {}  # outlines of the glyphs found so far

    def systems(self, svg: str, known: Sequence[System | None] = ()) -> Iterator[System]:
        """Yield the systems of a page, in order.

        Args:
            known: systems that need not be read, by their place on the page; None: unknown.
        """
        root = ET.fromstring(svg)  # noqa: S314 (Verovio wrote it)
        for sign in root.iterfind(f"{_SVG}defs/{_SVG}g"):
            path, name = sign.find(f"{_SVG}path"), sign.get("id", "").partition("-")[0]
            if path is not None and name not in self.outlines:
                self.outlines[name] = flipped(parse_path(path.get("d", "")))
        groups = (group for group in root.iter(f"{_SVG}g") if group.get("class") == "system")
        for group, system in itertools.zip_longest(groups, known):
            if group is not None:
                yield system or self._system(group)

    # ------------------------------------------------------------------ systems

    def _system(self, group: ET.Element) -> System:
        self._line = line = _Line()
        for child in group:
            if child.get("class") == "measure":
                self._measure(child)
            else:
                self._ink(child, None, "")
        return _finished(line, self.outlines)

    def _measure(self, group: ET.Element) -> None:
        """Read a bar: its staves, and the marks above and below them."""
        line = self._line
        names = [element.get("id", "") for element in group.iter(f"{_SVG}g")]
        known = [self._positions[name] for name in names if name in self._positions]
        start = min(position.start for position in known)
        line.steps.append((start, max(position.stop for position in known)))
        staves = [child for child in group if child.get("class") == "staff"]
        edges = [self._staff_edges(staff) for staff in staves]
        line.bars.append((edges[0][0], edges[0][1]))
        if not line.staves:
            line.staves = [
                Staff(top, bottom, voices)
                for (_, _, top, bottom), voices in zip(edges, self._staves, strict=True)
            ]
        for child in group:
            self._ink(child, None, "")
        line.columns.setdefault(start, edges[0][0] + SPACE)

    def _staff_edges(self, staff: ET.Element) -> tuple[float, float, float, float]:
        """Return left, right, top and bottom of a staff's lines."""
        found = [_LINE.fullmatch(path.get("d", "")) for path in staff.iterfind(f"{_SVG}path")]
        rows = [[float(number) for number in line.groups()] for line in found if line]
        upper, lower = rows[0], rows[_STAFF_LINES - 1]
        return upper[0], upper[2], upper[1], lower[1]

    # ------------------------------------------------------------------ ink

    def _ink(self, element: ET.Element, owner: Owner | None, style: str) -> None:
        kind = element.get("class", "")
        if "placeholder" in kind or element.get("visibility") == "hidden":
            return
        if element.tag != f"{_SVG}g":
            self._line.ink += self._drawn(element, owner, style)
            return
        position = self._positions.get(element.get("id", ""))
        if position is not None:
            owner = Owner(position.voice, position.start)
            self._record_position(element, position)
        for child in element:
            self._ink(child, owner, _TEXT_STYLES.get(kind, style))

    def _record_position(self, element: ET.Element, position: SvgPosition) -> None:
        """Record the position of a note or rest; rests of a whole bar have none."""
        sign = element.find(f".//{_SVG}use")
        if sign is None or element.get("class") == "mRest":
            return
        x, y, _ = _moved(sign.get("transform", ""))
        x += _HEAD_MIDDLE
        columns = self._line.columns
        columns[position.start] = min(columns.get(position.start, x), x)
        if position.note is not None:
            self._line.heads.append(Head(position.note, position.start, position.stop, x, y))

    def _drawn(self, element: ET.Element, owner: Owner | None, style: str) -> Iterator[Ink]:
        kind = element.tag.removeprefix(_SVG)
        match kind:
            case "use":
                x, y, scale = _moved(element.get("transform", ""))
                name = element.get(_XLINK, "")[1:].partition("-")[0]
                yield Glyph(name, x, y, scale, owner)
            case "text":
                yield from self._words(element, style)
            case "path" if line := _LINE.fullmatch(element.get("d", "")):
                x1, y1, x2, y2 = (float(number) for number in line.groups())
                yield Stroke(x1, y1, x2, y2, float(element.get("stroke-width", 0)), owner)
            case "path" | "polygon" | "rect" | "ellipse":
                width = float(element.get("stroke-width", 0))
                yield Shape(shape_of(kind, element.attrib), width, owner)
            case _:
                raise DataError(
                    f"the engraved score has an element {kind!r}: expected lines and glyphs"
                )

    def _words(self, element: ET.Element, style: str) -> Iterator[Ink]:
        """Read text line by line; signs in it become glyphs and shift the text after them."""
        x, y = float(element.get("x", 0)), float(element.get("y", 0))
        anchor, text, size = element.get("text-anchor", "start"), "", 0.0
        for span in element.iter(f"{_SVG}tspan"):
            if span.get("x") is not None:
                yield from _unless_blank(Words(text, x, y, size, anchor, style))
                x, y = float(span.get("x", 0)), float(span.get("y", 0))
                text = ""
            if not span.text:
                continue
            size = float(span.get("font-size", "0px")[:-2])
            if _FIRST_SIGN <= span.text[0] <= _LAST_SIGN:
                for name in self._signs(span.text):
                    yield Glyph(name, x, y, size / 1000)
                    x += size * _SIGN_WIDTHS.get(name, _SIGN_WIDTH)
            else:
                text += span.text
        yield from _unless_blank(Words(text, x, y, size, anchor, style))

    def _signs(self, text: str) -> Iterator[str]:
        """Read the glyphs within text: a note and perhaps a dot, with a blank between."""
        for sign in text:
            if _FIRST_SIGN <= sign <= _LAST_SIGN:
                name = f"{ord(sign):04X}"
                self.outlines[name] = self._in_text(name)
                yield name


def _unless_blank(words: Words) -> Iterator[Words]:
    if words.text.strip():
        yield words._replace(text=words.text.strip())


def _finished(line: _Line, signs: Mapping[str, Outline]) -> System:
    boxes = [box for ink in line.ink if (box := _box(ink, signs)) is not None]
    last, right = line.steps[-1][1], line.bars[-1][1]
    columns = [Column(step, x) for step, x in sorted(line.columns.items())]
    bars = [Column(steps[0], bar[0]) for steps, bar in zip(line.steps, line.bars, strict=True)]
    return System(
        ink=tuple(line.ink),
        heads=tuple(line.heads),
        staves=tuple(line.staves),
        columns=(*columns, Column(last, right)),
        lines=(*bars, Column(last, right)),
        top=min(box[1] for box in boxes),
        bottom=max(box[3] for box in boxes),
        right=max(box[2] for box in boxes),
    )


def _box(ink: Ink, signs: Mapping[str, Outline]) -> tuple[float, float, float, float] | None:
    match ink:
        case Stroke(x1, y1, x2, y2):
            return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)
        case Shape(outline):
            return bounds(outline)
        case Glyph(name, x, y, scale):
            left, top, right, bottom = bounds(signs[name])
            return x + left * scale, y + top * scale, x + right * scale, y + bottom * scale
        case Words(_, x, y, size):
            return x, y - size, x, y + size / 4


def _moved(transform: str) -> tuple[float, float, float]:
    """Parse a transform: offset right, offset down, scale."""
    found = _MOVE.match(transform)
    if found is None:
        return 0.0, 0.0, 1.0
    return float(found[1]), float(found[2]), float(found[3] or 1)


_TOKEN: Final = re.compile(r"[A-Za-z]|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_NUMBERS: Final = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Z": 0}
# kind of segment of each command
_KINDS: Final[Mapping[str, Literal["M", "L", "C", "Z"]]] = {
    "M": "M", "L": "L", "H": "L", "V": "L", "C": "C", "S": "C", "Z": "Z",
}  # fmt: skip
_ROUND: Final = 0.5523  # distance of the control points of a quarter circle, in radii
_CURVE: Final = 6


def parse_path(data: str) -> Outline:
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


def shape_of(kind: str, given: Mapping[str, str]) -> Outline:
    """Return the outline of a path, polygon, rect or ellipse with these attributes."""
    if kind == "path":
        return parse_path(given.get("d", ""))
    if kind == "polygon":
        corners = [tuple(map(float, point.split(","))) for point in given["points"].split()]
        return (("M", corners[0]), *(("L", corner) for corner in corners[1:]), ("Z", ()))
    if kind == "rect":
        x, y, width, height = (float(given[name]) for name in ("x", "y", "width", "height"))
        across, down = x + width, y + height
        return (("M", (x, y)), ("L", (across, y)), ("L", (across, down)), ("L", (x, down)),
                ("Z", ()))  # fmt: skip
    return _ellipse(*(float(given[name]) for name in ("cx", "cy", "rx", "ry")))


def flipped(outline: Outline) -> Outline:
    """Flip an outline vertically: in fonts y grows upwards."""
    return tuple(
        (kind, tuple(-value if at % 2 else value for at, value in enumerate(points)))
        for kind, points in outline
    )


def bounds(outline: Outline) -> tuple[float, float, float, float]:
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
