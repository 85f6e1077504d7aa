"""A piece from a file the user names; what its reader had to bend is told beside the result.

This file knows paths and sentences; the formats stand in ``musicrel.score``.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from musicrel.cli import output

if TYPE_CHECKING:
    from musicrel.chorale import Chorale


def read(path: Path) -> Chorale:
    """The piece in ``path``.

    Raises:
        UsageError: no format with this suffix can be read.
        FileError: the file is missing, damaged, too long, or holds no music.
    """
    from musicrel.score import files

    found = files.reading(path)
    for sentence in found.report:
        output.note(f"{path.name}: {sentence}")
    return found.chorale
