"""One piece from a project, and a project with one piece."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from musicrel.chorale import Provenance
from musicrel.errors import FileError, UsageError
from musicrel.presentation.compose.form import Form
from musicrel.presentation.roll import lock_cells
from musicrel.project import project_piece
from musicrel.project.contents import Contents
from musicrel.project.project_file import ProjectFile
from musicrel.project.take import Take
from tests.helpers.music import minuet, random_chorale
from tests.helpers.projects import full_contents

PIECES = [random_chorale(number) for number in range(1, 9)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a project."""
    return tmp_path / "piece.musicrel"


def write_takes(path: Path, *names: str) -> None:
    """Write a project with takes of these names, numbered from 1, and an empty sheet."""
    takes = tuple(
        Take(number=number, name=name, piece=PIECES[number - 1], form=Form())
        for number, name in enumerate(names, 1)
    )
    ProjectFile.create(path, Contents(takes=takes)).close()


def test_the_piece_on_the_sheet_is_read(path: Path) -> None:
    """The one of the current state."""
    ProjectFile.create(path, full_contents()).close()

    found = project_piece.read_piece(path)

    assert found.chorale == full_contents().states[1].piece
    assert found.report == ()


@pytest.mark.parametrize(
    ("name", "number"), [("Hymn", 1), ("hymn", 2), ("HYMNUS", 3), ("3", 4), ("2", 2), ("5", 5)]
)
def test_a_take_is_found_by_name_or_number(path: Path, name: str, number: int) -> None:
    """The name is tried first, then the number, then the name in any case."""
    write_takes(path, "Hymn", "hymn", "Hymnus", "3", "")

    assert project_piece.read_piece(path, name).chorale == PIECES[number - 1]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Fugue", r"no take 'Fugue': expected --take with one of 1 \(A\), 2 \(A\), 3 \(B\), 4 \(C"),
        ("A", "has 2 takes 'A': expected a number, as in --take 1; theirs are 1 and 2"),
        ("9", r"no take '9': .* 5 \(D\) \.\.\.$"),
        ("0", "no take '0'"),
    ],
)
def test_an_unknown_or_ambiguous_name_is_a_sentence(path: Path, name: str, message: str) -> None:
    """It names some of the takes."""
    write_takes(path, "A", "A", "B", "C", "D", "E")

    with pytest.raises(UsageError, match=message):
        project_piece.read_piece(path, name)


def test_a_deleted_take_is_not_found(path: Path) -> None:
    """Undo would bring it back, in the app."""
    contents = full_contents()
    ProjectFile.create(path, contents).close()

    with pytest.raises(UsageError, match=r"no take '1': expected --take with one of 4 \(日本\)$"):
        project_piece.read_piece(path, "1")


def test_an_empty_sheet_is_a_sentence(path: Path) -> None:
    """With the takes that could be named instead, if there are any."""
    write_takes(path, "A")
    with pytest.raises(
        FileError, match=r"empty; expected musicrel convert --take with one of 1 \(A\)"
    ):
        project_piece.read_piece(path)

    ProjectFile.create(path).close()
    with pytest.raises(FileError, match="its sheet is empty; it has no takes"):
        project_piece.read_piece(path)
    with pytest.raises(UsageError, match="no take '1': it has no takes"):
        project_piece.read_piece(path, "1")


def test_a_project_in_use_is_read(path: Path) -> None:
    """With the last edit, and without disturbing the program that edits it."""
    project = ProjectFile.create(path, full_contents())
    edited = replace(project.read(), position=2)
    project.write(edited)

    assert project_piece.read_piece(path).chorale == edited.states[2].piece

    project.write(replace(edited, position=0))
    project.close()
    assert [found.name for found in path.parent.iterdir()] == [path.name]


def test_locks_and_form_of_a_piece_are_kept(path: Path) -> None:
    """Both come from its provenance, and the locks go back there."""
    form = Form(bars=2, phrases="1,1", pickup=0, seed=7)
    settings = form.request().to_json()
    origin = Provenance(model=form.model, seed=7, settings=settings, sha256="")
    locked = np.zeros((32, 4), dtype=np.bool_)
    locked[4:20, 3] = True
    piece = replace(random_chorale(7, 32), provenance=origin)
    piece = lock_cells.with_locks_in_provenance(piece, locked)
    project_piece.write_piece(piece, path)

    contents = ProjectFile.open(path, read_only=True).read()
    assert contents.current is not None
    assert (contents.current.locks == locked).all()
    assert contents.form == contents.current.form == contents.takes[0].form == form
    assert project_piece.read_piece(path).chorale == piece


def test_locks_of_the_sheet_are_read(path: Path) -> None:
    """The app exports them, too; the take itself has none."""
    form = Form(bars=2, phrases="1,1", pickup=0)
    settings = form.request().to_json()
    origin = Provenance(model=form.model, seed=0, settings=settings, sha256="")
    piece = replace(random_chorale(7, 32), provenance=origin)
    contents = project_piece.contents_of(piece)
    locked = np.ones((32, 4), dtype=np.bool_)
    state = replace(contents.states[0], locks=locked)
    ProjectFile.create(path, replace(contents, states=(state,))).close()

    assert lock_cells.locks_from_provenance(project_piece.read_piece(path).chorale).all()
    assert project_piece.read_piece(path, "1").chorale == piece


def test_a_piece_becomes_a_project_of_one_take(path: Path) -> None:
    """It is on the sheet, and one step of Undo."""
    project_piece.write_piece(minuet(), path)

    project = ProjectFile.open(path)
    contents = project.read()
    project.close()
    (take,) = contents.takes
    assert (take.name, take.action, take.accepted) == ("Minuet", "opened", True)
    assert contents.current is not None
    assert contents.current.piece == take.piece == minuet()
    assert not contents.current.locks.any()
    assert (contents.current.take, len(contents.states)) == (1, 1)
    assert project.problems == ()
