"""PNG: every item of a drawing is painted."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image

from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.presentation.attention import attention_drawing
from musicrel.presentation.drawing import png
from musicrel.presentation.drawing.drawing import Drawing, Item, Line, Raster, Rectangle, Text
from musicrel.presentation.roll import roll_drawing
from musicrel.presentation.words.palette import DARK, LIGHT

RED, WHITE, BLACK = [255, 0, 0], [255, 255, 255], [0, 0, 0]


def pixels(content: bytes) -> Any:
    """Return the pixels of a file: uint8 (rows, columns, 3)."""
    return np.asarray(Image.open(io.BytesIO(content)))


def painted(*items: Item, scale: float = 1.0) -> Any:
    """``items`` on white paper of 40 x 20 pixels."""
    drawing = Drawing(width=40, height=20, background="#ffffff", title="", items=items)
    return pixels(png.to_png(drawing, scale=scale))


def test_the_scale_is_dots_a_pixel() -> None:
    """On paper that nothing is painted on."""
    assert painted().shape == (20, 40, 3)
    assert painted(scale=2.5).shape == (50, 100, 3)
    assert (painted() == 255).all()


def test_a_rectangle_fills_its_pixels_and_no_more() -> None:
    """Neighbours meet without overlapping; the rim lies inside."""
    paper = painted(
        Rectangle(x=2, y=3, width=5, height=4, fill="#ff0000"),
        Rectangle(x=10, y=3, width=5, height=5, fill="#ff0000", edge="#000000"),
        Rectangle(x=20, y=3, width=5, height=5, fill="#000000", opacity=0.5),
        Rectangle(x=30, y=3, width=0, height=5, fill="#000000"),
    )

    assert np.argwhere((paper[:, :9] == RED).all(axis=2))[[0, -1]].tolist() == [[3, 2], [6, 6]]
    assert (paper[3, 10].tolist(), paper[5, 12].tolist()) == (BLACK, RED)
    assert 120 < paper[5, 22, 0] < 135
    assert (paper[:, 28:] == 255).all()


def test_lines_and_rasters_are_painted() -> None:
    """A line through its points, a dot of a raster as large as it should be."""
    dots = np.array([[RED, BLACK]], dtype=np.uint8)

    paper = painted(
        Line(points=((0, 10), (39, 10)), colour="#ff0000"),
        Raster(x=4, y=0, width=8, height=4, pixels=dots),
    )

    assert paper[10, 20].tolist() == RED
    assert (paper[0:4, 4:8] == RED).all()
    assert (paper[0:4, 8:12] == BLACK).all()


@pytest.mark.parametrize(("anchor", "columns"), [("start", (20, 40)), ("end", (0, 21))])
def test_a_text_stands_on_its_line_beside_its_anchor(anchor: Any, columns: tuple[int, int]) -> None:
    """Bold letters are heavier."""
    thin, bold = (
        painted(Text(x=20, y=15, text="TT", size=10, colour="#000000", anchor=anchor, bold=heavy))
        for heavy in (False, True)
    )

    inked = np.argwhere((thin < 128).all(axis=2))
    assert inked[:, 0].max() == 14
    assert columns[0] <= inked[:, 1].min() <= inked[:, 1].max() < columns[1]
    assert bold.sum() < thin.sum()


def test_without_a_font_of_the_machine_letters_are_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    """Umlauts lose their dots rather than the whole letter."""
    drawn: list[str] = []
    monkeypatch.setattr(png, "_REGULAR", ("no-such-font.ttf",))
    monkeypatch.setattr(
        "PIL.ImageDraw.ImageDraw.text", lambda _self, _place, text, **_: drawn.append(text)
    )
    png._font.cache_clear()

    painted(Text(x=0, y=15, text="Schönster Gruß, F♯ · 4/4 …", size=10, colour="#000000"))

    png._font.cache_clear()
    assert drawn == ["Schonster Gruss, F# - 4/4 ..."]


def test_a_picture_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before memory is taken."""
    monkeypatch.setattr(png, "MAX_DOTS", 799)

    with pytest.raises(UsageError, match=r"a PNG of 40 x 20 dots is too large: .*; export SVG"):
        painted()


def test_a_roll_is_the_same_file_each_time() -> None:
    """In either palette."""
    piece = Chorale.of([[72, 67, 64, 48]] * 16)

    light, again, dark = (
        png.to_png(roll_drawing.draw(piece, theme)) for theme in (LIGHT, LIGHT, DARK)
    )
    assert light == again
    assert light != dark


def test_an_attention_map_can_be_painted() -> None:
    """Twice as large as its drawing unless asked otherwise."""
    piece = Chorale.of([[72, 67, 64, 48]] * 4)
    weights = np.tri(18, dtype=np.float32)

    drawing = attention_drawing.draw(weights, piece, layer=1, head=1, theme=LIGHT)
    usual, small = pixels(png.to_png(drawing)), pixels(png.to_png(drawing, scale=1))

    assert usual.shape[:2] == tuple(2 * length for length in small.shape[:2])
