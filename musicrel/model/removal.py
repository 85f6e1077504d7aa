"""Removal of a user's model, which is kept in a trash folder so that it can come back.

The user's models may be on another disk than the trash, behind a link.
"""

from __future__ import annotations

import errno
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from musicrel import paths
from musicrel.errors import FileError, ModelError
from musicrel.model import catalogue
from musicrel.model.card import CARD

_ELSE: Final = "close programs that use the folder and try again"
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
    return paths.data() / "trash" / "models"


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
    return RemovedModel(name, _moved(directory, _free(trash(), name)))


def restore(removed: RemovedModel) -> str:
    """Move a model back from the trash.

    Returns:
        The name it has now: a number is appended if another model has taken its name.

    Raises:
        FileError: the folder cannot be moved.
    """
    return _moved(removed.folder, _free(catalogue.user_models(), removed.name)).name


def _free(folder: Path, name: str) -> Path:
    """Return a path in ``folder`` that is not taken."""
    path, number = folder / name, 2
    while path.exists():
        path, number = folder / f"{name}-{number}", number + 1
    return path


def move(source: Path, target: Path) -> None:
    """Move the folder of a model, also to another disk.

    Raises:
        OSError: it cannot be moved; nothing is changed.
    """
    try:
        source.rename(target)
    except OSError as reason:
        if reason.errno != errno.EXDEV:
            raise
        _move_copy(source, target)


def _move_copy(source: Path, target: Path) -> None:
    """Copy a folder and remove the first one; only a folder with a card is a model.

    The card is copied last and removed first, so that at any time one model is complete.
    """
    if source.is_symlink():
        target.symlink_to(source.resolve())
        source.unlink()
        return
    target.mkdir()
    try:
        ignored = shutil.ignore_patterns(CARD)
        shutil.copytree(source, target, ignore=ignored, dirs_exist_ok=True)
        shutil.copy2(source / CARD, target / CARD)
        (source / CARD).unlink()
    except OSError:
        shutil.rmtree(target, ignore_errors=True)
        raise
    shutil.rmtree(source, ignore_errors=True)


def _moved(source: Path, target: Path) -> Path:
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        move(source, target)
    except OSError as reason:
        raise FileError(
            f"cannot move {source} to {target}: {paths.describe_failed_write(reason, _ELSE)}"
        ) from reason
    return target
