"""Takes the model of a finished run over to the user's own models, where the app finds it.

This file knows model directories; it knows nothing of runs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from musicrel import paths
from musicrel.model.card import CARD, WEIGHTS, check_notes, read_card

_LARGEST: Final = 1 << 32


def adopt(model: Path, name: str) -> str:
    """Copy the model directory ``model`` to the user's models, as ``name`` or one like it.

    The card comes last: what has one is a whole model.

    Raises:
        ModelError: it knows no notes, so that nothing could be written with it.
        FileError: it cannot be read or written.
    """
    check_notes(name, read_card(model))
    contents = {file: paths.read_bytes(model / file, limit=_LARGEST) for file in (WEIGHTS, CARD)}
    root = paths.data() / "models"
    wished, number = name, 2
    while (root / wished / CARD).is_file():
        if paths.read_bytes(root / wished / WEIGHTS, limit=_LARGEST) == contents[WEIGHTS]:
            return wished
        wished, number = f"{name}-{number}", number + 1
    for file, content in contents.items():
        paths.write_bytes(root / wished / file, content)
    return wished
