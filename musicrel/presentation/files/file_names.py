"""Names of files that are valid on every system."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

_NAMELESS: Final = "Chorale"
_MAX_LENGTH: Final = 120
"""Length of a name without its suffix: letters may take two bytes of the 255 that a name has."""
_REFUSED: Final = re.compile(r"[^\w .,()#–-]+")
_DEVICES: Final = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)\b", re.IGNORECASE)
"""Names that Windows keeps for devices, with any suffix."""


def valid(title: str) -> str:
    """Return a file name without suffix for ``title``; letters of all languages are kept."""
    plain = " ".join(_REFUSED.sub("", title)[:_MAX_LENGTH].split()).strip(" .–") or _NAMELESS
    return f"{plain}_" if _DEVICES.fullmatch(plain.partition(".")[0]) else plain


def numbered(name: str, is_taken: Callable[[str], bool]) -> str:
    """Return ``name``, or else the first of "NAME (2)", "NAME (3)" ... that is not taken."""
    free, count = name, 2
    while is_taken(free):
        free, count = f"{name} ({count})", count + 1
    return free
