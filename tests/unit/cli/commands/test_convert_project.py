"""``musicrel convert`` from and to projects, and other commands that read one."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from musicrel.chorale import Chorale, Voice
from musicrel.cli.main import main
from musicrel.cli.options import source_file
from musicrel.project.contents import Contents
from musicrel.project.project_file import ProjectFile
from tests.helpers.projects import full_contents

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Write a project with two takes, the first of them deleted."""
    path = tmp_path / "piece.musicrel"
    ProjectFile.create(path, full_contents()).close()
    return path


@pytest.fixture
def folder(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make the folder of the project the current one, with a piece and a text beside it."""
    monkeypatch.chdir(project.parent)
    Path("fake.musicrel").write_text("no project", encoding="utf-8")
    ProjectFile.create(Path("empty.musicrel")).close()
    full_contents().takes[0].piece.write("piece.mid")
    return project.parent


def test_the_piece_on_the_sheet_is_converted(project: Path, tmp_path: Path) -> None:
    """To any format; the project stays as it is."""
    before = project.read_bytes()
    out = tmp_path / "piece.json"

    assert main(["convert", str(project), str(out)]) == 0

    assert Chorale.read(out) == full_contents().states[1].piece
    assert project.read_bytes() == before


@pytest.mark.parametrize("suffix", ["mid", "musicxml", "json", "svg", "musicrel"])
def test_a_take_is_converted(project: Path, tmp_path: Path, suffix: str) -> None:
    """By its name."""
    out = tmp_path / f"take.{suffix}"

    assert main(["convert", str(project), str(out), "--take", "日本"]) == 0

    assert out.stat().st_size > 0


def test_a_piece_becomes_a_project_and_a_piece_again(tmp_path: Path) -> None:
    """Without loss."""
    piece = full_contents().takes[0].piece
    there, back = tmp_path / "there.MUSICREL", tmp_path / "back.json"
    piece.write(tmp_path / "piece.json")

    assert main(["convert", str(tmp_path / "piece.json"), str(there)]) == 0
    assert main(["convert", str(there), str(back)]) == 0

    assert Chorale.read(back) == piece


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["piece.musicrel", "out.mid", "--take", "Fugue"], 2, "piece.musicrel has no take 'Fugue'"),
        (
            ["piece.mid", "out.mid", "--take", "1"],
            2,
            "piece.mid has no takes: expected --take with",
        ),
        (
            ["piece.mid", "piece.musicrel"],
            2,
            "piece.musicrel is a project with 1 take, which would be lost: choose another name",
        ),
        (["piece.musicrel", "./piece.musicrel", "--take", "4"], 2, "which would be lost"),
        (["piece.mid", "empty.musicrel"], 2, "empty.musicrel is a project: choose another name"),
        (
            ["piece.mid", "fake.musicrel"],
            2,
            "fake.musicrel exists, but cannot be read: choose another name",
        ),
        (["no.musicrel", "out.mid"], 1, "cannot read no.musicrel: there is no such file"),
        (
            ["fake.musicrel", "out.mid"],
            1,
            "cannot read fake.musicrel: it is not a musicrel project",
        ),
        (["piece.musicrel", "out.musicrel", "--sound", "organ"], 2, "has no place for instruments"),
    ],
)
def test_errors_are_one_sentence(
    folder: Path, capsys: Capture, words: list[str], code: int, message: str
) -> None:
    """Nothing is written."""
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    assert main(["convert", *words]) == code

    printed = capsys.readouterr().err
    assert message in printed
    assert printed.count("\n") == 1
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.usefixtures("folder")
def test_a_project_that_is_open_is_not_replaced(project: Path, capsys: Capture) -> None:
    """The program that has it goes on writing it."""
    opened = ProjectFile.open(project)

    assert main(["convert", "piece.mid", project.name]) == 2

    assert "is a project with 1 take" in capsys.readouterr().err
    opened.write(Contents(mixer={"volume": 1}))
    opened.close()


def test_what_is_missing_of_a_damaged_project_is_printed(
    project: Path, tmp_path: Path, capsys: Capture
) -> None:
    """The piece is converted all the same."""
    with closing(sqlite3.connect(project)) as connection:
        connection.execute("DELETE FROM pieces WHERE id = 1")
        connection.commit()

    assert main(["convert", str(project), str(tmp_path / "piece.mid")]) == 0

    assert capsys.readouterr().err.splitlines() == [
        "piece.musicrel: 1 take cannot be read",
        "piece.musicrel: 1 Undo step cannot be read",
    ]


def test_a_project_is_graded(project: Path, capsys: Capture) -> None:
    """The piece on its sheet stands for it."""
    assert main(["grade", str(project), "--json"]) == 0

    (piece,) = json.loads(capsys.readouterr().out)["pieces"]
    assert piece["file"] == str(project)


def test_the_melody_of_a_project_is_read(project: Path) -> None:
    """That of the voice which is asked for."""
    found = source_file.read_melody(project, Voice.SOPRANO).chorale

    assert (found.pitches[:, Voice.SOPRANO] >= 0).any()
    assert (found.pitches[:, Voice.ALTO :] < 0).all()
