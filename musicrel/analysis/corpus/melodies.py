"""The bundled melodies, ready to be harmonised.

``assets/melodies/SOURCE.md`` documents the origin and licence of each. A melody is a piece in which
only the soprano has notes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from musicrel import paths
from musicrel.errors import UsageError

FOLDER: Final = "melodies"


def names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in (paths.assets() / FOLDER).glob("*.json")))


def path(name: str) -> Path:
    if name not in names():
        raise UsageError(f"there is no tune {name!r}: expected one of {', '.join(names())}")
    return paths.assets() / FOLDER / f"{name}.json"
