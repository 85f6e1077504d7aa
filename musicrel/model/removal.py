"""Removal of a user's model, which is kept in a trash folder so that it can come back."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from musicrel import folder_moves
from musicrel.errors import ModelError
from musicrel.model import catalogue
from musicrel.model.card import CARD

SHIPPED: Final = "{name} belongs to musicrel and cannot be removed: only models of your own can"


@dataclass(frozen=True, slots=True)
class RemovedModel:
    """A model in the trash.

    Attributes:
        name: the name it had.
        folder: the folder it is kept in.
    """

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
    if catalogue.is_shipped(directory):
        raise ModelError(SHIPPED.format(name=name))
    if directory.parent != catalogue.user_models() or not (directory / CARD).is_file():
        raise ModelError(f"no model {name} in {catalogue.user_models()}: nothing was removed")
    return RemovedModel(name, folder_moves.moved(directory, folder_moves.free(trash(), name), CARD))


def restore(removed: RemovedModel) -> str:
    """Move a model back from the trash.

    Returns:
        The name it has now: a number is appended if another model has taken its name.

    Raises:
        FileError: the folder cannot be moved.
    """
    target = folder_moves.free(catalogue.user_models(), removed.name)
    return folder_moves.moved(removed.folder, target, CARD).name
