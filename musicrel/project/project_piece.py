"""One piece from a project, and a project with one piece."""

from __future__ import annotations

from operator import attrgetter
from pathlib import Path
from typing import Final

from musicrel.chorale import Chorale
from musicrel.errors import FileError, UsageError
from musicrel.language import count, tr
from musicrel.presentation import lock_cells
from musicrel.presentation.compose.form import Form
from musicrel.presentation.compose.form_from_provenance import form_from_provenance
from musicrel.project.contents import Contents, State, Take
from musicrel.project.project_file import ProjectFile, write_new
from musicrel.score.importing.conversion import ImportedPiece

ALL: Final = "all"
RATED: Final = "rated"
_MAX_NAMED: Final = 5  # number of takes that a message names


def read_piece(path: Path, take: str = "") -> ImportedPiece:
    project = ProjectFile.open(path, read_only=True)
    contents = project.read()
    state = contents.current
    if take:
        piece = _find(contents, take, path).piece
    elif state is not None:
        piece = lock_cells.with_locks_in_provenance(state.piece, state.locks)
    else:
        known = _known(visible(contents), "musicrel convert --take")
        raise FileError(f"cannot read {path}: its sheet is empty; {known}")
    return ImportedPiece(chorale=piece, report=project.problems)


def read_takes(path: Path, which: str) -> tuple[tuple[Take, ...], tuple[str, ...]]:
    project = ProjectFile.open(path, read_only=True)
    contents = project.read()
    takes = visible(contents)
    if which == RATED:
        takes = tuple(take for take in takes if take.rating)
    elif which != ALL:
        named = [_find(contents, name.strip(), path, "--takes") for name in which.split(",")]
        takes = tuple({take.number: take for take in named}.values())
    if not takes:
        raise UsageError(f"{path} has no {'rated ' * (which == RATED)}take")
    return tuple(sorted(takes, key=attrgetter("number"))), project.problems


def contents_of(piece: Chorale, form: Form | None = None) -> Contents:
    """Return a document with ``piece`` as its only take, and the locks of its provenance."""
    form = form_from_provenance(piece.provenance).form or form or Form()
    name = piece.title or tr("Take {number}", number=1)
    take = Take(number=1, name=name, piece=piece, form=form, action="opened", accepted=True)
    locks = lock_cells.locks_from_provenance(piece)
    state = State(piece=piece, locks=locks, form=form, take=1)
    return Contents(takes=(take,), states=(state,), position=0, present=True, form=form)


def write_piece(piece: Chorale, path: Path) -> None:
    write_new(contents_of(piece), path)


def check_new(path: Path) -> None:
    """Check that no project is lost by writing ``path``."""
    if not path.exists():
        return
    try:
        takes = visible(ProjectFile.open(path, read_only=True).read())
    except FileError:
        raise UsageError(f"{path} exists, but cannot be read: choose another name") from None
    lost = f" with {count(len(takes), 'take')}, which would be lost" if takes else ""
    raise UsageError(f"{path} is a project{lost}: choose another name")


def visible(contents: Contents) -> tuple[Take, ...]:
    deleted = contents.states[contents.position].deleted if contents.states else frozenset()
    return tuple(take for take in contents.takes if take.number not in deleted)


def _find(contents: Contents, name: str, path: Path, option: str = "--take") -> Take:
    """Return the take with this name, or else with this number.

    ``option`` is the one that named it, for the errors.
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
        raise UsageError(f"{path} has no take {name!r}: {_known(takes, option)}")
    numbers = " and ".join(str(take.number) for take in found[:_MAX_NAMED])
    raise UsageError(
        f"{path} has {len(found)} takes {name!r}: expected a number, as in {option} "
        f"{found[0].number}; theirs are {numbers}"
    )


def _known(takes: tuple[Take, ...], option: str = "--take") -> str:
    """Return the names of some takes, for ``option``, as the end of a sentence."""
    if not takes:
        return "it has no takes"
    named = ", ".join(f"{take.number} ({take.name})" for take in takes[:_MAX_NAMED])
    return f"expected {option} with one of {named}{' ...' if len(takes) > _MAX_NAMED else ''}"
