"""Drawings as PNG, painted by Pillow.

Text uses a font of the machine, so pictures of two machines may differ. Without one of the known
fonts it uses Pillow's own, which has ASCII letters only.
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from musicrel.errors import UsageError
from musicrel.presentation.drawing.drawing import (
    Anchor,
    Area,
    Drawing,
    Item,
    Line,
    Pixels,
    Raster,
    Rectangle,
    Text,
)

SCALE: Final = 2.0
"""Dots per pixel of a drawing: sharp on high-resolution screens and on paper."""
MAX_DOTS: Final = 120_000_000
"""Limit of a picture: larger ones take more memory than small machines have."""

_Font = ImageFont.FreeTypeFont | ImageFont.ImageFont
_REGULAR: Final = (
    "DejaVuSans.ttf",
    "NotoSans-Regular.ttf",
    "segoeui.ttf",
    "Arial.ttf",
    "arial.ttf",
)
_BOLD: Final = (
    "DejaVuSans-Bold.ttf",
    "NotoSans-Bold.ttf",
    "segoeuib.ttf",
    "Arial Bold.ttf",
    "arialbd.ttf",
)
_ANCHORS: Final[Mapping[Anchor, str]] = {"start": "ls", "middle": "ms", "end": "rs"}
_IN_ASCII: Final = str.maketrans({
    "♯": "#", "♭": "b", "≥": ">=",
    "ß": "ss", "’": "'", "‘": "'", "–": "-", "—": "-", "·": "-", "…": "...",
})  # fmt: skip


def to_png(drawing: Drawing, *, scale: float = SCALE) -> bytes:
    width, height = round(drawing.width * scale), round(drawing.height * scale)
    if width * height > MAX_DOTS:
        raise UsageError(
            f"a PNG of {width} x {height} dots is too large: expected at most "
            f"{MAX_DOTS // 1_000_000} million dots; export SVG, or a part of the piece"
        )
    image = Image.new("RGB", (width, height), drawing.background)
    painter = _Painter(image, scale)
    for item in drawing.items:
        painter.paint(item)
    return _saved(image)


def encode(pixels: Pixels) -> bytes:
    """Return pixels, uint8 (rows, columns, 3), as PNG."""
    return _saved(Image.fromarray(pixels))


def _saved(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, format="PNG", optimize=True)
    return out.getvalue()


class _Painter:
    """A painter of items on an image, ``scale`` dots per pixel."""

    def __init__(self, image: Image.Image, scale: float) -> None:
        self._image = image
        self._draw = ImageDraw.Draw(image, "RGBA")
        self._scale = scale

    def paint(self, item: Item) -> None:
        match item:
            case Rectangle():
                self._rectangle(item)
            case Line():
                points = [(x * self._scale, y * self._scale) for x, y in item.points]
                pen = max(round(item.width * self._scale), 1)
                self._draw.line(points, fill=item.colour, width=pen, joint="curve")
            case Area():
                corners = [(x * self._scale, y * self._scale) for x, y in item.points]
                self._draw.polygon(corners, fill=f"{item.fill}{round(255 * item.opacity):02x}")
            case Text():
                self._text(item)
            case Raster():
                self._raster(item)

    def _rectangle(self, item: Rectangle) -> None:
        left, top, right, bottom = self._box(item)
        if right <= left or bottom <= top:
            return
        opaque = round(255 * item.opacity)
        self._draw.rectangle(
            (left, top, right - 1, bottom - 1),
            fill=f"{item.fill}{opaque:02x}",
            outline=item.edge,
            width=max(round(self._scale), 1) if item.edge else 0,
        )

    def _text(self, item: Text) -> None:
        place = (item.x * self._scale, item.y * self._scale)
        font = _font(round(item.size * self._scale), bold=item.bold)
        text = item.text if _has_all_letters(font) else _ascii(item.text)
        self._draw.text(place, text, fill=item.colour, font=font, anchor=_ANCHORS[item.anchor])

    def _raster(self, item: Raster) -> None:
        left, top, right, bottom = self._box(item)
        dots = Image.fromarray(item.pixels)
        size = (max(right - left, 1), max(bottom - top, 1))
        self._image.paste(dots.resize(size, Image.Resampling.NEAREST), (left, top))

    def _box(self, item: Rectangle | Raster) -> tuple[int, int, int, int]:
        """Return left, top, right, bottom in dots, rounded so that neighbours touch."""
        edges = (item.x, item.y, item.x + item.width, item.y + item.height)
        left, top, right, bottom = (round(edge * self._scale) for edge in edges)
        return left, top, right, bottom


@cache
def _font(size: int, *, bold: bool) -> _Font:
    for name in _BOLD if bold else _REGULAR:
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            continue
    return ImageFont.load_default(size)


def _has_all_letters(font: _Font) -> bool:
    """Return whether this is a full font of the machine, not Pillow's small one."""
    return isinstance(font, ImageFont.FreeTypeFont) and font.getname()[0] != "Aileron"


def _ascii(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.translate(_IN_ASCII))
    return plain.encode("ascii", "ignore").decode("ascii")
