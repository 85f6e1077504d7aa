"""The bundled melodies, ready to be harmonised.

``assets/melodies/SOURCE.md`` documents the origin and licence of each. A melody is a piece in which
only the soprano has notes.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from musicrel import paths
from musicrel.errors import UsageError

FOLDER: Final = "melodies"
METRES: Final[Mapping[str, str]] = {
    "ah-vous-dirai-je": "7.7.7.7.7.7", "amazing-grace": "8.6.8.6",
    "au-clair-de-la-lune": "6.5.6.5 D", "auld-lang-syne": "8.6.8.6 D",
    "ein-feste-burg": "8.7.8.7.5.5.5.6.7", "god-save-the-king": "6.6.4.6.6.6.4",
    "lobe-den-herren": "14.14.4.7.8", "nun-danket": "6.7.6.7.6.6.6.6",
    "ode-to-joy": "8.7.8.7 D", "old-hundredth": "8.8.8.8",
}  # fmt: skip
"""The metres of the tunes of hymns."""


def names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in (paths.assets() / FOLDER).glob("*.json")))


def path(name: str) -> Path:
    if name not in names():
        raise UsageError(f"there is no tune {name!r}: expected one of {', '.join(names())}")
    return paths.assets() / FOLDER / f"{name}.json"
