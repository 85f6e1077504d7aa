"""Chords by what sounds: the kind and the root of a set of pitch classes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from musicrel.harmony.numeral import INTERVALS


def _table() -> dict[frozenset[int], tuple[str, int]]:
    """Return kind and root by pitch classes; the fifth of a triad or a dominant may be absent."""
    shapes: list[tuple[str, tuple[int, ...]]] = [*INTERVALS.items()]
    shapes += [("major", (0, 4)), ("minor", (0, 3)), ("dominant", (0, 4, 10))]
    table: dict[frozenset[int], tuple[str, int]] = {}
    for kind, tones in shapes:
        for root in range(12):
            table.setdefault(frozenset((root + tone) % 12 for tone in tones), (kind, root))
    return table


CHORDS: Final[Mapping[frozenset[int], tuple[str, int]]] = MappingProxyType(_table())
"""Pitch classes -> kind, as in ``numeral.INTERVALS``, and root; of equal sets the first root."""
