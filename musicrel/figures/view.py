"""Files of views: a table, or a picture; a table needs no Qt."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from musicrel import paths
from musicrel.errors import UsageError
from musicrel.presentation.attention.view import View
from musicrel.presentation.words.markdown import to_csv
from musicrel.presentation.words.palette import Theme
from musicrel.score.files import one_of

CSV: Final = ".csv"
SUFFIXES: Final = (".png", ".svg", CSV)  # suffixes of the files that a view can be written to


def check_suffix(path: Path) -> None:
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError(f"cannot write {path}: expected a name that ends in {one_of(SUFFIXES)}")


def write(view: View, path: Path, theme: Theme) -> None:
    if path.suffix.lower() == CSV:
        paths.write_text(path, to_csv(view.table()))
    else:
        from musicrel.figures import figure

        figure.write(view.draw(theme), path)
