"""Pieces kept in a folder while they are written: a measurement that stops goes on from there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import musicrel.score.files  # noqa: F401  # registers the formats that Chorale.read knows
from musicrel.chorale import Chorale

_SHA_DIGITS = 8


@dataclass(frozen=True, slots=True)
class KeptPieces:
    """The pieces of one model for one task.

    Attributes:
        folder: where they are; None: nothing is kept.
    """

    folder: Path | None = None

    @classmethod
    def of(cls, folder: Path | None, name: str, sha256: str, task: str) -> KeptPieces:
        """Return the pieces of a model in ``folder``; other weights have another place."""
        place = f"{Path(name).name}-{sha256[:_SHA_DIGITS]}-{task}"
        return cls(folder / place if folder else None)

    def piece(self, number: int, make: Callable[[], Chorale]) -> Chorale:
        """Return the kept piece of a number; if there is none, make it and keep it."""
        if self.folder is None:
            return make()
        file = self.folder / f"{number:03}.json"
        if not file.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            make().write(file)
        return Chorale.read(file)
