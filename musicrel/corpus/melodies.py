"""The tunes that come with the program, to be harmonised at the first start.

``assets/melodies/SOURCE.md`` says where each comes from and why it may be shipped. A tune is a
piece in which only the soprano sounds. This file knows where the tunes lie.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from musicrel import paths
from musicrel.chorale import Chorale
from musicrel.errors import UsageError

FOLDER: Final = "melodies"


def names() -> tuple[str, ...]:
    """The names of all tunes, as ``load`` takes them, in order of the alphabet."""
    return tuple(sorted(path.stem for path in (paths.assets() / FOLDER).glob("*.json")))


def path(name: str) -> Path:
    """The file of the tune ``name``.

    Raises:
        UsageError: there is no such tune.
    """
    if name not in names():
        raise UsageError(f"there is no tune {name!r}: expected one of {', '.join(names())}")
    return paths.assets() / FOLDER / f"{name}.json"


def load(name: str) -> Chorale:
    """The tune ``name``; its title is in the piece.

    Raises:
        FileError: the file is damaged.
        UsageError: there is no such tune.
    """
    return Chorale.read(path(name))
