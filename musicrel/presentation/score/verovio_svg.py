"""Verovio's SVG as plain ink: nested pictures, references, styles and spans are resolved.

What is left has no style sheet, no ``currentColor`` and no embedded font; signs within text, as in
the tempo, are given as outlines too. Coordinates stay those of Verovio's ``definition-scale``.

The format: Verovio 6, *Toolkit Reference Book*, "SVG output". This file knows SVG; it knows nothing
of how Verovio is called.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

from musicrel.errors import DataError
from musicrel.presentation.roll.roll import RollNote
from musicrel.presentation.score import outlines
from musicrel.presentation.score.score_picture import (
    SPACE,
    Column,
    Glyph,
    Head,
    Ink,
    Outline,
    Owner,
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
_TEXT_STYLES: Final = {"mNum": "italic", "tempo": "bold"}
_HEAD_MIDDLE: Final = 0.59 * SPACE
"""From the left edge of a black head to its middle."""
_FIRST_SIGN: Final = "\ue000"
_LAST_SIGN: Final = "\uf8ff"
"""Where music fonts have their signs (W3C, *SMuFL 1.4*)."""
_SIGN_WIDTH: Final = 0.5
"""Room a sign takes within text, relative to its size."""
_STAFF_LINES: Final = 5

OutlineOf = Callable[[str], Outline]
"""The outline of a sign by its SMuFL name, as in ECA5; for signs that stand within text."""


class Place(NamedTuple):
    """What a note or rest of the file is in the piece; a rest has no note."""

    voice: int
    start: int
    stop: int
    note: RollNote | None


@dataclass(slots=True)
class _Line:
    """A system while it is read."""

    ink: list[Ink] = field(default_factory=list)
    heads: list[Head] = field(default_factory=list)
    staves: list[Staff] = field(default_factory=list)
    columns: dict[int, float] = field(default_factory=dict)
    bars: list[tuple[float, float]] = field(default_factory=list)
    steps: list[tuple[int, int]] = field(default_factory=list)


class Reader:
    """Reads pages of one piece.

    Args:
        places: what each id in the file is.
        staves: who reads each staff, from the upper to the lower.
        in_text: gives the outlines of signs within text.
    """

    def __init__(
        self,
        places: Mapping[str, Place],
        staves: tuple[tuple[int, ...], ...],
        in_text: OutlineOf,
    ) -> None:
        self._places, self._staves, self._in_text = places, staves, in_text
        self.outlines: dict[str, Outline] = {}
        """The signs met so far."""

    def systems(self, svg: str) -> Iterator[System]:
        """The systems of a page, in order.

        Raises:
            DataError: there is something in it that cannot be drawn.
        """
        root = ET.fromstring(svg)  # noqa: S314 (Verovio wrote it)
        for sign in root.iterfind(f"{_SVG}defs/{_SVG}g"):
            self._define(sign)
        margin = root.find(f".//{_SVG}g[@class='page-margin']")
        right, down, _ = _moved(margin.get("transform", "") if margin is not None else "")
        for group in root.iter(f"{_SVG}g"):
            if group.get("class") == "system":
                self._x, self._y = right, down
                yield self._system(group)

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
        """A bar: its staves, and the marks above and below them."""
        line = self._line
        known = [self._places[name] for name in _ids(group) if name in self._places]
        start = min(place.start for place in known)
        line.steps.append((start, max(place.stop for place in known)))
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
        """Left, right, top and bottom of a staff's lines."""
        found = [_LINE.fullmatch(path.get("d", "")) for path in staff.iterfind(f"{_SVG}path")]
        rows = [[float(number) for number in line.groups()] for line in found if line]
        upper, lower = rows[0], rows[_STAFF_LINES - 1]
        x, y = self._x, self._y
        return upper[0] + x, upper[2] + x, upper[1] + y, lower[1] + y

    # ------------------------------------------------------------------ ink

    def _ink(self, element: ET.Element, owner: Owner | None, style: str) -> None:
        """Everything in ``element``, which belongs to ``owner``."""
        kind = element.get("class", "")
        if "placeholder" in kind or element.get("visibility") == "hidden":
            return
        if element.tag != f"{_SVG}g":
            self._line.ink += self._drawn(element, owner, style)
            return
        place = self._places.get(element.get("id", ""))
        if place is not None:
            owner = Owner(place.voice, place.start)
            self._stand(element, place)
        for child in element:
            self._ink(child, owner, _TEXT_STYLES.get(kind, style))

    def _stand(self, element: ET.Element, place: Place) -> None:
        """Remember where a note or rest stands; rests of a whole bar stand nowhere."""
        sign = element.find(f".//{_SVG}use")
        if sign is None or element.get("class") == "mRest":
            return
        x, y, _ = _moved(sign.get("transform", ""))
        x, y = x + self._x + _HEAD_MIDDLE, y + self._y
        columns = self._line.columns
        columns[place.start] = min(columns.get(place.start, x), x)
        if place.note is not None:
            self._line.heads.append(Head(place.note, place.start, place.stop, x, y))

    def _drawn(self, element: ET.Element, owner: Owner | None, style: str) -> Iterator[Ink]:
        kind = element.tag.removeprefix(_SVG)
        match kind:
            case "use":
                x, y, scale = _moved(element.get("transform", ""))
                name = element.get(_XLINK, "")[1:].partition("-")[0]
                yield Glyph(name, x + self._x, y + self._y, scale, owner)
            case "text":
                yield from self._words(element, style)
            case "path" if line := _LINE.fullmatch(element.get("d", "")):
                x1, y1, x2, y2 = (float(number) for number in line.groups())
                width = float(element.get("stroke-width", 0))
                x, y = self._x, self._y
                yield Stroke(x1 + x, y1 + y, x2 + x, y2 + y, width, owner)
            case "path" | "polygon" | "rect" | "ellipse":
                shape = outlines.of_element(kind, element.attrib)
                width = float(element.get("stroke-width", 0))
                yield Shape(outlines.moved(shape, self._x, self._y), width, owner)
            case _:
                raise DataError(f"the engraved score holds a {kind!r}: expected lines and signs")

    def _words(self, element: ET.Element, style: str) -> Iterator[Ink]:
        """Text, line by line; signs in it become glyphs, and what follows one moves on."""
        x, y = float(element.get("x", 0)) + self._x, float(element.get("y", 0)) + self._y
        anchor, text, size = element.get("text-anchor", "start"), "", 0.0
        for span in element.iter(f"{_SVG}tspan"):
            if span.get("x") is not None:
                yield from _said(Words(text, x, y, size, anchor, style))
                x, y = float(span.get("x", 0)) + self._x, float(span.get("y", 0)) + self._y
                text = ""
            if not span.text:
                continue
            size = float(span.get("font-size", "0px")[:-2])
            if _FIRST_SIGN <= span.text[0] <= _LAST_SIGN:
                name = f"{ord(span.text[0]):04X}"
                self.outlines[name] = self._in_text(name)
                yield Glyph(name, x, y, size / 1000)
                x += size * _SIGN_WIDTH
            else:
                text += span.text
        yield from _said(Words(text, x, y, size, anchor, style))

    def _define(self, sign: ET.Element) -> None:
        name = sign.get("id", "").partition("-")[0]
        path = sign.find(f"{_SVG}path")
        if path is not None and name not in self.outlines:
            self.outlines[name] = outlines.flipped(outlines.parse(path.get("d", "")))


def _said(words: Words) -> Iterator[Words]:
    """The words, where there are any."""
    if words.text.strip():
        yield words._replace(text=words.text.strip())


def _finished(line: _Line, signs: Mapping[str, Outline]) -> System:
    """The system, with its edges."""
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
    """Left, top, right and bottom of what is drawn."""
    match ink:
        case Stroke(x1, y1, x2, y2):
            return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)
        case Shape(outline):
            return outlines.box(outline)
        case Glyph(name, x, y, scale):
            left, top, right, bottom = outlines.box(signs[name])
            return x + left * scale, y + top * scale, x + right * scale, y + bottom * scale
        case Words(_, x, y, size):
            return x, y - size, x, y + size / 4


def _moved(transform: str) -> tuple[float, float, float]:
    """How far to the right and down, and how large."""
    found = _MOVE.match(transform)
    if found is None:
        return 0.0, 0.0, 1.0
    return float(found[1]), float(found[2]), float(found[3] or 1)


def _ids(group: ET.Element) -> Iterator[str]:
    return (element.get("id", "") for element in group.iter(f"{_SVG}g"))
