"""Drawings as SVG."""

from __future__ import annotations

import base64
from typing import Final
from xml.etree import ElementTree as ET

from musicrel.presentation.drawing import png
from musicrel.presentation.drawing.drawing import Area, Drawing, Item, Line, Raster, Rectangle, Text

_FONTS: Final = "DejaVu Sans, Noto Sans, Segoe UI, Helvetica, Arial, sans-serif"


def to_svg(drawing: Drawing) -> str:
    """Return ``drawing`` as SVG; characters that XML cannot hold are left out."""
    root = ET.Element(
        "svg",
        xmlns="http://www.w3.org/2000/svg",
        width=str(drawing.width),
        height=str(drawing.height),
        viewBox=f"0 0 {drawing.width} {drawing.height}",
        role="img",
    )
    root.set("font-family", _FONTS)
    ET.SubElement(root, "title").text = _printable(drawing.title)
    ET.SubElement(root, "rect", width="100%", height="100%", fill=drawing.background)
    for item in drawing.items:
        _add(root, item)
    ET.indent(root, " ")
    return ET.tostring(root, encoding="unicode") + "\n"


def _add(root: ET.Element, item: Item) -> None:
    match item:
        case Rectangle():
            _rectangle(root, item)
        case Line():
            points = " ".join(f"{_number(x)},{_number(y)}" for x, y in item.points)
            line = ET.SubElement(root, "polyline", points=points, fill="none", stroke=item.colour)
            line.set("stroke-width", _number(item.width))
            if item.dashed:
                line.set("stroke-dasharray", "5 4")
        case Area():
            points = " ".join(f"{_number(x)},{_number(y)}" for x, y in item.points)
            area = ET.SubElement(root, "polygon", points=points, fill=item.fill)
            area.set("fill-opacity", _number(item.opacity))
        case Text():
            _text(root, item)
        case Raster():
            _raster(root, item)


def _rectangle(root: ET.Element, item: Rectangle) -> None:
    """Add a rectangle, its outline inside its bounds so that neighbours do not overlap."""
    rim = 0.5 if item.edge else 0.0
    element = ET.SubElement(
        root,
        "rect",
        x=_number(item.x + rim),
        y=_number(item.y + rim),
        width=_number(max(item.width - 2 * rim, 0)),
        height=_number(max(item.height - 2 * rim, 0)),
        fill=item.fill,
    )
    if item.edge:
        element.set("stroke", item.edge)
    if item.opacity < 1:
        element.set("fill-opacity", _number(item.opacity))


def _text(root: ET.Element, item: Text) -> None:
    element = ET.SubElement(root, "text", x=_number(item.x), y=_number(item.y), fill=item.colour)
    element.set("font-size", _number(item.size))
    if item.anchor != "start":
        element.set("text-anchor", item.anchor)
    if item.bold:
        element.set("font-weight", "bold")
    element.text = _printable(item.text)


def _raster(root: ET.Element, item: Raster) -> None:
    """Embed the pixels as a PNG: a map of a thousand tokens has a million of them."""
    content = base64.b64encode(png.encode(item.pixels)).decode("ascii")
    element = ET.SubElement(
        root,
        "image",
        x=_number(item.x),
        y=_number(item.y),
        width=_number(item.width),
        height=_number(item.height),
        href=f"data:image/png;base64,{content}",
        preserveAspectRatio="none",
    )
    element.set("style", "image-rendering:pixelated")


def _printable(text: str) -> str:
    return "".join(letter for letter in text if letter.isprintable())


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
