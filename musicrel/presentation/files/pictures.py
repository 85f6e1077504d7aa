"""Writers of pictures as files, by suffix; score formats are in ``musicrel.score.files``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from musicrel import paths
from musicrel.chorale import Chorale
from musicrel.errors import UsageError
from musicrel.presentation.drawing import png, svg
from musicrel.presentation.drawing.drawing import Drawing
from musicrel.presentation.roll import roll_drawing
from musicrel.presentation.words.palette import LIGHT

Paint: TypeAlias = Callable[[Drawing], bytes]

KINDS: Final[Mapping[str, Paint]] = {
    ".svg": lambda drawing: svg.to_svg(drawing).encode("utf-8"),
    ".png": png.to_png,
}
"""Lower-case suffix -> function that encodes a drawing."""


def write_roll(chorale: Chorale, path: Path) -> None:
    """Write the piano roll of ``chorale``; errors as of ``write``."""
    write(roll_drawing.draw(chorale, LIGHT), path)


def write(drawing: Drawing, path: Path) -> None:
    """Write ``drawing`` in the format of the suffix."""
    paths.write_bytes(path, painter(path)(drawing))


def painter(path: Path) -> Paint:
    """Return the encoder for the suffix of ``path``."""
    paint = KINDS.get(path.suffix.lower())
    if paint is None:
        known = " or ".join(KINDS)
        raise UsageError(f"cannot draw {path}: expected a name that ends in {known}")
    return paint
