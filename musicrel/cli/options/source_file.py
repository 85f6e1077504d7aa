"""A piece from a file that the user names; the changes its reader made are printed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from musicrel.cli import output

if TYPE_CHECKING:
    from musicrel.chorale import Chorale
    from musicrel.score.importing.conversion import ImportedPiece


def read(path: Path) -> Chorale:
    """Read the piece in ``path``.

    Raises:
        UsageError: the suffix is not one of a format that can be read.
        FileError: the file is missing, damaged, too long, or holds no music.
    """
    from musicrel.score import files

    return reported(files.import_satb(path), path).chorale


def reported(source: ImportedPiece, path: Path) -> ImportedPiece:
    """Print the changes made on importing ``path``; return ``source``."""
    for sentence in source.report:
        output.print_message(f"{path.name}: {sentence}")
    return source
