"""The available models: those bundled with the program and those of the user."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from musicrel import paths
from musicrel.errors import ModelError
from musicrel.model.card import CARD

CRITIC: Final = "critic"
"""Name of the model used for ranking candidates."""


def model_directories() -> list[Path]:
    """List all model directories, bundled ones first, each group by name."""
    found: list[Path] = []
    for root in (_shipped_models(), user_models()):
        if root.is_dir():
            found += sorted(path for path in root.iterdir() if (path / CARD).is_file())
    return found


def user_models() -> Path:
    """Return the folder of the user's models, which need not exist."""
    return paths.data() / "models"


def is_shipped(directory: Path) -> bool:
    """Return True if a model directory belongs to the program."""
    return directory.parent == _shipped_models()


def critic() -> Path | None:
    """Return the directory of the critic used for ranking, None if there is none."""
    return next((path for path in model_directories() if path.name == CRITIC), None)


def find(name_or_directory: str) -> Path:
    """Return the directory of a model given by name or by path.

    Raises:
        ModelError: there is no such model.
    """
    known = {path.name: path for path in reversed(model_directories())}
    if name_or_directory in known:
        return known[name_or_directory]
    if paths.is_file(Path(name_or_directory) / CARD):
        return Path(name_or_directory)
    names = ", ".join(sorted(known)) or "none yet"
    raise ModelError(
        f"no model {name_or_directory!r}: expected a model directory with a {CARD}, "
        f"or one of {names}"
    )


def _shipped_models() -> Path:
    return paths.assets() / "models"
