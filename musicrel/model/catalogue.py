"""The available models: those bundled with the program and those of the user."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from musicrel import folder_moves, paths
from musicrel.errors import ModelError
from musicrel.language import tr
from musicrel.model.card import CARD


def model_directories() -> list[Path]:
    """List all model directories, bundled ones first, each group by name."""
    found: list[Path] = []
    for root in (shipped_models(), user_models()):
        if root.is_dir():
            found += sorted(path for path in root.iterdir() if (path / CARD).is_file())
    return found


def user_models() -> Path:
    """Return the folder of the user's models, which need not exist."""
    return paths.data() / "models"


def is_shipped(directory: Path) -> bool:
    """Return True if a model directory belongs to the program."""
    return directory.parent == shipped_models()


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
    names = ", ".join(sorted(known)) or tr("none yet")
    raise ModelError(
        tr(
            "no model {name!r}: expected a model directory with a {card}, or one of {names}",
            name=name_or_directory, card=CARD, names=names,
        )
    )  # fmt: skip


def shipped_models() -> Path:
    """Return the folder of the bundled models."""
    return paths.assets() / "models"


SHIPPED: Final = tr("{name} belongs to musicrel and cannot be removed: only models of your own can")


@dataclass(frozen=True, slots=True)
class RemovedModel:
    """A model in the trash."""

    name: str
    folder: Path


def trash() -> Path:
    """Return the folder of removed models, which need not exist."""
    return folder_moves.trash("models")


def remove(directory: Path) -> RemovedModel:
    """Move a model of the user to the trash.

    Raises:
        ModelError: the model belongs to the program, or is not one of the user's.
        FileError: the folder cannot be moved.
    """
    name = directory.name
    if is_shipped(directory):
        raise ModelError(SHIPPED.format(name=name))
    if directory.parent != user_models() or not (directory / CARD).is_file():
        raise ModelError(
            tr("no model {name} in {folder}: nothing was removed", name=name, folder=user_models())
        )
    return RemovedModel(name, folder_moves.moved(directory, folder_moves.free(trash(), name), CARD))


def restore(removed: RemovedModel) -> str:
    """Move a model back from the trash.

    Returns:
        The name it has now: a number is appended if another model has taken its name.

    Raises:
        FileError: the folder cannot be moved.
    """
    target = folder_moves.free(user_models(), removed.name)
    return folder_moves.moved(removed.folder, target, CARD).name
