"""Engraved systems for engraving the next version of a piece: most edits change one or two."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from musicrel.presentation.score.score_picture import Outline, System

_MAX_KEPT: Final = 150
"""Entries of about 50 KB: a piece of four hundred bars, or the last versions of a usual one."""


class EngravingCache:
    """The most recently used systems by their content."""

    def __init__(self) -> None:
        self.outlines: dict[str, Outline] = {}
        self._kept: dict[Hashable, tuple[System, ...]] = {}

    def get(self, key: Hashable) -> tuple[System, ...] | None:
        """Return the systems of ``key``, if they are kept."""
        found = self._kept.pop(key, None)
        if found is not None:
            self._kept[key] = found
        return found

    def put(self, key: Hashable, systems: tuple[System, ...]) -> tuple[System, ...]:
        self._kept[key] = systems
        if len(self._kept) > _MAX_KEPT:
            del self._kept[next(iter(self._kept))]
        return systems
