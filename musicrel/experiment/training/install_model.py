"""Installation of a run's final model among the user's models, where the app finds it."""

from __future__ import annotations

from pathlib import Path

from musicrel import gate, paths
from musicrel.model.card import CARD, WEIGHTS, check_notes, read_card


def install(model: Path, name: str) -> str:
    """Copy the model directory ``model`` to the user's models.

    The card is written last: a directory with a card is complete. A model that is already installed
    is not copied again.

    Args:
        name: name of the installed model; a number is appended if another model has it.
    """
    check_notes(name, read_card(model))
    contents = {
        WEIGHTS: gate.read(model / WEIGHTS, "weights"),
        CARD: gate.read(model / CARD, "card"),
    }
    root = paths.data() / "models"
    free_name, number = name, 2
    while (root / free_name / CARD).is_file():
        if gate.read(root / free_name / WEIGHTS, "weights") == contents[WEIGHTS]:
            return free_name
        free_name, number = f"{name}-{number}", number + 1
    for file, content in contents.items():
        paths.write_bytes(root / free_name / file, content)
    return free_name
