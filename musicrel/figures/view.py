"""Views of data that can be written to a file, as a picture or as a table.

Qt is imported with the first picture: tables need none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from musicrel import paths
from musicrel.errors import UsageError
from musicrel.presentation.words.markdown import to_csv
from musicrel.presentation.words.palette import Theme
from musicrel.score.files import one_of

if TYPE_CHECKING:
    from musicrel.figures.figure import Figure

CSV: Final = ".csv"
SUFFIXES: Final = (".png", ".svg", CSV)  # suffixes of the files that a view can be written to


@dataclass(frozen=True)
class View:
    title: str  # of the view and the piece; proposed as the name of the file
    draw: Callable[[Theme], Figure]
    # returns its numbers by rows, the names of the columns first
    table: Callable[[], Iterable[Iterable[object]]]


def check_suffix(path: Path) -> None:
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError(f"cannot write {path}: expected a name that ends in {one_of(SUFFIXES)}")


def write(view: View, path: Path, theme: Theme) -> None:
    if path.suffix.lower() == CSV:
        paths.write_text(path, to_csv(view.table()))
    else:
        from musicrel.figures import figure

        figure.write(view.draw(theme), path)
