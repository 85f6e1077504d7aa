"""Writers of pictures as files, by suffix; score formats are in ``musicrel.score.files``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from musicrel import paths
from musicrel.chorale import Chorale, Flags
from musicrel.errors import UsageError
from musicrel.presentation.attention import attention_drawing, cross_attention_drawing
from musicrel.presentation.attention.attention_record import Weights
from musicrel.presentation.drawing import png, svg
from musicrel.presentation.drawing.drawing import Drawing
from musicrel.presentation.roll import roll_drawing
from musicrel.presentation.words.palette import LIGHT, Theme

Paint: TypeAlias = Callable[[Drawing], bytes]


def _svg_bytes(drawing: Drawing) -> bytes:
    return svg.to_svg(drawing).encode("utf-8")


KINDS: Final[Mapping[str, Paint]] = {".svg": _svg_bytes, ".png": png.to_png}
"""Lower-case suffix -> function that encodes a drawing."""


def write_roll(chorale: Chorale, path: Path, theme: Theme = LIGHT) -> None:
    """Write the piano roll of ``chorale``.

    Raises:
        UsageError: the suffix is not that of a picture, or a PNG would be too large.
        FileError: the file cannot be written.
    """
    paint = painter(path)
    paths.write_bytes(path, paint(roll_drawing.draw(chorale, theme)))


def write_attention(
    weights: Weights,
    chorale: Chorale,
    path: Path,
    *,
    layer: int,
    head: int | None,
    theme: Theme = LIGHT,
) -> None:
    """Write the attention map of one head; arguments as of ``attention_drawing.draw``.

    Raises:
        UsageError: the suffix is not that of a picture.
        DataError: the weights do not fit the piece.
        FileError: the file cannot be written.
    """
    paint = painter(path)
    drawing = attention_drawing.draw(weights, chorale, layer=layer, head=head, theme=theme)
    paths.write_bytes(path, paint(drawing))


def write_cross_attention(
    weights: Weights,
    chorale: Chorale,
    path: Path,
    *,
    given: Flags,
    layer: int,
    head: int | None,
    theme: Theme = LIGHT,
) -> None:
    """Write the cross-attention of one head; arguments as of ``cross_attention_drawing.draw``.

    Raises:
        UsageError: the suffix is not that of a picture.
        DataError: the weights do not fit the piece, or all notes are given.
        FileError: the file cannot be written.
    """
    paint = painter(path)
    drawing = cross_attention_drawing.draw(
        weights, chorale, given, layer=layer, head=head, theme=theme
    )
    paths.write_bytes(path, paint(drawing))


def painter(path: Path) -> Paint:
    """Return the encoder for the suffix of ``path``.

    Raises:
        UsageError: no picture format has this suffix.
    """
    paint = KINDS.get(path.suffix.lower())
    if paint is None:
        raise UsageError(f"cannot draw {path}: expected a name that ends in .svg or .png")
    return paint
