"""Names that files and commands of version 1 use, and their names today: the one table of them.

Files written by version 1 stay readable, and keys of files that are written today stay as they
were, except where this module gives a new one. Code uses today's names; readers and writers
translate through the tables here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

QUALITIES: Final[Mapping[str, str]] = {"careful": "high"}
"""Values of ``quality`` (version 1: ``patience``)."""

PROVENANCE_KEYS: Final[Mapping[str, str]] = {"patience": "quality"}
"""Keys of a piece's provenance settings and of the app's settings, and their keys today."""
