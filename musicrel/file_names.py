"""Names of files and folders that are valid on every system."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Final

_MAX_LENGTH: Final = 120
# Length of a name without its suffix: systems allow 255 bytes, a letter takes up to four.
_MAX_BYTES: Final = 200
_REFUSED: Final = re.compile(r"[^\w .,()#–-]+")
# Names that Windows keeps for devices, with any suffix.
_DEVICES: Final = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)\b", re.IGNORECASE)


def valid(title: str, nameless: str = "Chorale") -> str:
    """Return a name without suffix for ``title``; letters of all languages are kept.

    It is ``nameless`` if nothing is left of the title.
    """
    cut = _REFUSED.sub("", title)[:_MAX_LENGTH].encode()[:_MAX_BYTES].decode(errors="ignore")
    plain = " ".join(cut.split()).strip(" .–") or nameless
    return f"{plain}_" if _DEVICES.fullmatch(plain.partition(".")[0]) else plain


def numbered(name: str, is_taken: Callable[[str], bool], pattern: str = "{} ({})") -> str:
    """Return ``name``, or else the first of "NAME (2)", "NAME (3)" ... that is not taken."""
    names = itertools.chain([name], (pattern.format(name, count) for count in itertools.count(2)))
    return next(free for free in names if not is_taken(free))
