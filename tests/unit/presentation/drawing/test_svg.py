"""SVG: every item of a drawing becomes an element."""

from __future__ import annotations

import base64
import io
from xml.etree import ElementTree as ET

import numpy as np
from PIL import Image

from musicrel.chorale import Chorale
from musicrel.presentation.attention import attention_drawing
from musicrel.presentation.drawing import svg
from musicrel.presentation.drawing.drawing import Drawing, Item, Line, Raster, Rectangle, Text
from musicrel.presentation.roll import roll_drawing
from musicrel.presentation.words.palette import DARK, LIGHT

SPACE = "{http://www.w3.org/2000/svg}"
PIECE = Chorale.of([[72, 67, 64, 48]] * 16, title="Jesu & <Freude>\x00")


def parsed(text: str) -> ET.Element:
    """Return the root of the file."""
    return ET.fromstring(text)  # noqa: S314 (it is our own)


def painted(*items: Item) -> list[ET.Element]:
    """Return the elements of ``items`` without title and background."""
    drawing = Drawing(width=100, height=50, background="#ffffff", title="T", items=items)
    return list(parsed(svg.to_svg(drawing)))[2:]


def test_the_frame_has_size_background_and_title() -> None:
    """So that it scales, and can be read aloud."""
    drawing = Drawing(width=100, height=50, background="#123456", title="A roll", items=())

    root = parsed(svg.to_svg(drawing))

    assert (root.get("width"), root.get("height"), root.get("viewBox")) == (
        "100", "50", "0 0 100 50",
    )  # fmt: skip
    assert root.findtext(f"{SPACE}title") == "A roll"
    (background,) = root.findall(f"{SPACE}rect")
    assert background.get("fill") == "#123456"


def test_a_rectangle_keeps_its_rim_inside() -> None:
    """Half a pixel of the line would reach over."""
    plain, rimmed = painted(
        Rectangle(x=1, y=2, width=10, height=5, fill="#00ff00", opacity=0.25),
        Rectangle(x=1, y=2, width=10, height=5, fill="#00ff00", edge="#ff0000"),
    )

    assert {name: plain.get(name) for name in ("x", "y", "width", "height", "fill-opacity")} == {
        "x": "1", "y": "2", "width": "10", "height": "5", "fill-opacity": "0.25",
    }  # fmt: skip
    assert {name: rimmed.get(name) for name in ("x", "y", "width", "height", "stroke")} == {
        "x": "1.5", "y": "2.5", "width": "9", "height": "4", "stroke": "#ff0000",
    }  # fmt: skip


def test_lines_and_texts_are_where_they_were_put() -> None:
    """Signs of XML are letters; what is no letter is left out."""
    line, text = painted(
        Line(points=((0, 0), (1.5, 2)), colour="#000000", width=2),
        Text(x=3, y=4, text="a < b & c\x07", size=12, colour="#111111", anchor="end", bold=True),
    )

    assert (line.get("points"), line.get("stroke-width")) == ("0,0 1.5,2", "2")
    assert text.text == "a < b & c"
    assert (text.get("text-anchor"), text.get("font-weight")) == ("end", "bold")


def test_a_raster_is_a_picture_within() -> None:
    """Its dots come out as they went in."""
    pixels = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)

    (image,) = painted(Raster(x=0, y=0, width=20, height=20, pixels=pixels))

    kind, content = (image.get("href") or "").split(",")
    assert kind == "data:image/png;base64"
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(base64.b64decode(content)))), pixels)


def test_a_roll_is_the_same_text_each_time_and_another_in_the_dark() -> None:
    """The title in it is whole but for what no file can hold."""
    text = svg.to_svg(roll_drawing.draw(PIECE, LIGHT))

    assert text == svg.to_svg(roll_drawing.draw(PIECE, LIGHT))
    assert text != svg.to_svg(roll_drawing.draw(PIECE, DARK))
    assert "Jesu & <Freude>" in [element.text for element in parsed(text).iter(f"{SPACE}text")]


def test_an_attention_map_is_small_whatever_its_size() -> None:
    """One picture, not a rectangle for each dot."""
    weights = np.tri(66, dtype=np.float32)

    drawing = attention_drawing.draw(weights, PIECE, layer=1, head=2, theme=LIGHT)
    root = parsed(svg.to_svg(drawing))

    assert len(root.findall(f"{SPACE}image")) == 2
    assert len(root.findall(f"{SPACE}rect")) < 10
