"""Installation of a run's final model among the user's models, where the app finds it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from musicrel import paths
from musicrel.model.card import CARD, WEIGHTS, check_notes, read_card

_MAX_FILE_BYTES: Final = 1 << 32


def install(model: Path, name: str) -> str:
    """Copy the model directory ``model`` to the user's models.

    The card is written last: a directory with a card is complete. A model that is already installed
    is not copied again.

    Args:
        model: a model directory.
        name: name of the installed model; a number is appended if another model has it.

    Returns:
        The name it was installed under.

    Raises:
        ModelError: the model cannot generate notes.
        FileError: the directory cannot be read or written.
    """
    check_notes(name, read_card(model))
    contents = {
        file: paths.read_bytes(model / file, limit=_MAX_FILE_BYTES) for file in (WEIGHTS, CARD)
    }
    root = paths.data() / "models"
    free_name, number = name, 2
    while (root / free_name / CARD).is_file():
        if paths.read_bytes(root / free_name / WEIGHTS, limit=_MAX_FILE_BYTES) == contents[WEIGHTS]:
            return free_name
        free_name, number = f"{name}-{number}", number + 1
    for file, content in contents.items():
        paths.write_bytes(root / free_name / file, content)
    return free_name
