"""Pictures as PNG, painted by Pillow.

Letters come from a font of the machine, so that pictures of two machines may differ in them; where
none of the known ones is there, from Pillow's own, which has ASCII letters only. This file knows
dots; what is drawn stands in ``roll_drawing`` and ``attention_drawing``.
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.presentation.attention import attention_drawing
from musicrel.presentation.attention.attention_record import Weights
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
from musicrel.presentation.roll import roll_drawing
from musicrel.presentation.words.palette import LIGHT, Theme

SCALE: Final = 2.0
"""Dots a pixel of a drawing: sharp on fine screens and on paper."""
MOST_DOTS: Final = 120_000_000
"""Larger pictures take more memory than small machines have."""

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
    "♯": "#", "♭": "b", "ß": "ss", "’": "'", "‘": "'", "–": "-", "—": "-", "·": "-", "…": "...",
})  # fmt: skip


def roll_png(chorale: Chorale, theme: Theme = LIGHT, *, scale: float = SCALE) -> bytes:
    """The piano roll of ``chorale``.

    Raises:
        UsageError: the picture would be too large.
    """
    return to_png(roll_drawing.draw(chorale, theme), scale=scale)


def attention_png(
    weights: Weights,
    chorale: Chorale,
    *,
    layer: int,
    head: int | None,
    theme: Theme = LIGHT,
    scale: float = SCALE,
) -> bytes:
    """What one head looked at; the arguments are those of ``attention_drawing.draw``."""
    drawing = attention_drawing.draw(weights, chorale, layer=layer, head=head, theme=theme)
    return to_png(drawing, scale=scale)


def to_png(drawing: Drawing, *, scale: float = SCALE) -> bytes:
    """The PNG of ``drawing``.

    Args:
        drawing: what to paint.
        scale: dots a pixel.

    Raises:
        UsageError: the picture would have more than ``MOST_DOTS``.
    """
    width, height = round(drawing.width * scale), round(drawing.height * scale)
    if width * height > MOST_DOTS:
        raise UsageError(
            f"a PNG of {width} x {height} dots is larger than the {MOST_DOTS // 1_000_000} million "
            "written here: take SVG, or a part of the piece"
        )
    image = Image.new("RGB", (width, height), drawing.background)
    painter = _Painter(image, scale)
    for item in drawing.items:
        painter.paint(item)
    return _saved(image)


def encode(pixels: Pixels) -> bytes:
    """The PNG of dots given as uint8 (rows, columns, 3)."""
    return _saved(Image.fromarray(pixels))


def _saved(image: Image.Image) -> bytes:
    out = io.BytesIO()
    image.save(out, format="PNG", optimize=True)
    return out.getvalue()


class _Painter:
    """Paints items on an image, ``scale`` dots for each of their pixels."""

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
        """Left, top, right, bottom in dots, so rounded that neighbours meet."""
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
    """Whether it is a whole font of the machine, not the small one Pillow brings."""
    return isinstance(font, ImageFont.FreeTypeFont) and font.getname()[0] != "Aileron"


def _ascii(text: str) -> str:
    """``text`` in the letters every font has."""
    plain = unicodedata.normalize("NFKD", text.translate(_IN_ASCII))
    return plain.encode("ascii", "ignore").decode("ascii")
