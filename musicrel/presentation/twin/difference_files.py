"""The differences of two pieces as a file: a picture or a table."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from musicrel import paths
from musicrel.presentation.files import pictures
from musicrel.presentation.study.csv_text import to_csv
from musicrel.presentation.twin import difference_table, twin_drawing
from musicrel.presentation.twin.agreement import Agreement
from musicrel.presentation.words.palette import LIGHT

_TABLE: Final = ".csv"
SUFFIXES: Final = (*pictures.KINDS, _TABLE)
"""Suffixes of the formats, in lower case."""


def write(agreement: Agreement, models: tuple[str, str], path: Path) -> None:
    """Write the differences in the format of the suffix."""
    if path.suffix.lower() == _TABLE:
        paths.write_text(path, to_csv(difference_table.rows(agreement, models)))
    else:
        pictures.write(twin_drawing.draw(agreement, models, LIGHT), path)
