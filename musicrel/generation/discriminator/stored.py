"""Parts of the discriminator as they are stored beside the weights of a model."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from musicrel.errors import DataError, FileError
from musicrel.generation.loaded_model import LoadedModel
from musicrel.model import companions

_OTHER: Final = "%s is not of these weights of %s and is ignored: restore the model's folder"
_DAMAGED: Final = "%s is damaged and is ignored (%s): restore the model's folder"

_Part = TypeVar("_Part")
_log = logging.getLogger(__name__)


def known(model: LoadedModel, name: str, read: Callable[[Path], _Part]) -> _Part | None:
    """Return a part of the discriminator of a model; None if there is none of its weights.

    Args:
        model: the model.
        name: name of the file of the part.
        read: reads it; raises ``FileError`` or ``DataError``.
    """
    folder = model.weights.directory
    if folder is None or not (folder / name).is_file():
        return None
    try:
        found = read(folder / name)
    except (FileError, DataError) as reason:
        _log.warning(_DAMAGED, folder / name, reason)
        return None
    if companions.hash_in(folder / name) != model.sha256:
        _log.warning(_OTHER, folder / name, model.name)
        return None
    return found
