"""One piece from a project, and a project with one piece."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from musicrel.chorale import Chorale
from musicrel.errors import FileError, UsageError
from musicrel.presentation.compose.form import Form
from musicrel.project.contents import Contents
from musicrel.project.project_file import ProjectFile, write_new
from musicrel.project.state import State
from musicrel.project.take import Take
from musicrel.score.importing.conversion import ImportedPiece

_MAX_NAMED: Final = 5
"""Number of takes that a message names."""


def read_piece(path: Path, take: str = "") -> ImportedPiece:
    """Read the piece on the sheet of a project, or one of its takes.

    Args:
        path: a project, which may be in use.
        take: name or number of a take; "": the piece on the sheet.

    Returns:
        The piece; the report has what could not be read of the project.

    Raises:
        UsageError: no take has this name, or several have.
        FileError: the file cannot be read, is no project or has nothing on its sheet.
    """
    project = ProjectFile.open(path, read_only=True)
    contents = project.read()
    found = _find(contents, take, path) if take else contents.current
    if found is None:
        raise FileError(f"cannot read {path}: its sheet is empty; {_known(visible(contents))}")
    return ImportedPiece(chorale=found.piece, report=project.problems)


def write_piece(piece: Chorale, path: Path) -> None:
    """Write a project with ``piece`` as its only take; an existing file is replaced.

    Raises:
        FileError: the folder is not writable, the disk is full, or the piece cannot be stored.
    """
    form = Form()
    take = Take(
        number=1,
        name=piece.title or "Take 1",
        piece=piece,
        form=form,
        action="opened",
        accepted=True,
    )
    state = State(piece=piece, locks=np.zeros_like(piece.onsets), form=form, take=1)
    write_new(Contents(takes=(take,), states=(state,), position=0, present=True), path)


def visible(contents: Contents) -> tuple[Take, ...]:
    """Return the takes that are not deleted."""
    deleted = contents.states[contents.position].deleted if contents.states else frozenset()
    return tuple(take for take in contents.takes if take.number not in deleted)


def _find(contents: Contents, name: str, path: Path) -> Take:
    """Return the take with this name, or else with this number.

    Raises:
        UsageError: there is none, or several have the name.
    """
    takes = visible(contents)
    found = (
        [take for take in takes if take.name == name]
        or [take for take in takes if str(take.number) == name]
        or [take for take in takes if take.name.casefold() == name.casefold()]
    )
    if len(found) == 1:
        return found[0]
    if not found:
        raise UsageError(f"{path} has no take {name!r}: {_known(takes)}")
    numbers = " and ".join(str(take.number) for take in found[:_MAX_NAMED])
    raise UsageError(
        f"{path} has {len(found)} takes {name!r}: expected a number, as in --take "
        f"{found[0].number}; theirs are {numbers}"
    )


def _known(takes: tuple[Take, ...]) -> str:
    """Return the names of some takes as the end of a sentence."""
    if not takes:
        return "it has no takes"
    named = ", ".join(f"{take.number} ({take.name})" for take in takes[:_MAX_NAMED])
    return f"expected --take with one of {named}{' ...' if len(takes) > _MAX_NAMED else ''}"
