"""The models at hand: those shipped and those the user made.

This file knows folders; what is in one stands in ``card`` and ``checkpoint``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from musicrel import paths
from musicrel.errors import ModelError
from musicrel.model.card import CARD

CRITIC: Final = "critic"
"""The name of the model that has a say in the ranking."""


def folders() -> list[Path]:
    """All model directories, the shipped ones first, each kind by name."""
    found: list[Path] = []
    for root in (paths.assets() / "models", paths.data() / "models"):
        if root.is_dir():
            found += sorted(path for path in root.iterdir() if (path / CARD).is_file())
    return found


def critic() -> Path | None:
    """The directory of the critic that ranks; None where there is none."""
    return next((path for path in folders() if path.name == CRITIC), None)


def find(name_or_directory: str) -> Path:
    """The directory of a model given by name or by path.

    Raises:
        ModelError: there is none.
    """
    known = {path.name: path for path in reversed(folders())}
    if name_or_directory in known:
        return known[name_or_directory]
    if (Path(name_or_directory) / CARD).is_file():
        return Path(name_or_directory)
    names = ", ".join(sorted(known)) or "none yet"
    raise ModelError(
        f"no model {name_or_directory!r}: expected a model directory with a {CARD}, "
        f"or one of {names}"
    )
