"""``musicrel convert`` from and to projects, and other commands that read one."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from musicrel.chorale import Chorale, Voice
from musicrel.cli.main import main
from musicrel.cli.options import source_file
from musicrel.project.contents import Contents
from musicrel.project.project_file import ProjectFile
from musicrel.score.midi import midi_events
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


def several() -> Contents:
    """Return the contents of the project without the deletion."""
    full = full_contents()
    return replace(full, states=full.states[:1], position=0)


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


def test_all_takes_are_written_into_a_folder(folder: Path, tmp_path: Path, capsys: Capture) -> None:
    """Named for title and take, in every format; the names are printed."""
    out = tmp_path / "new" / "takes"
    words = ["convert", "several.musicrel", str(out), "--takes", "all", "--format", "mid,mxl"]
    ProjectFile.create(folder / "several.musicrel", several()).close()

    assert main(words) == 0

    stems = ["Menuett für Änne – Menuett", "random 2 – 日本"]
    expected = [str(out / f"{stem}{suffix}") for stem in stems for suffix in (".mid", ".mxl")]
    assert capsys.readouterr().out.splitlines() == expected
    assert sorted(str(path) for path in out.iterdir()) == sorted(expected)
    first = several().takes[0].piece
    assert Chorale.read(expected[0]) == first


@pytest.mark.parametrize(
    ("which", "stems"),
    [
        ("rated", ["Menuett für Änne – Menuett"]),
        ("日本", ["random 2 – 日本"]),
        ("4, menuett,1", ["Menuett für Änne – Menuett", "random 2 – 日本"]),
    ],
)
def test_takes_are_chosen_by_rating_name_or_number(
    folder: Path, capsys: Capture, which: str, stems: list[str]
) -> None:
    """Each once, by number."""
    ProjectFile.create(folder / "several.musicrel", several()).close()

    assert main(["convert", "several.musicrel", "out", "--takes", which]) == 0

    written = [Path(line).stem for line in capsys.readouterr().out.splitlines()]
    assert written == stems


def test_existing_files_are_replaced_only_if_asked(folder: Path, capsys: Capture) -> None:
    """Nothing is written without."""
    (folder / "out").mkdir()
    (folder / "out" / "random 2 – 日本.mid").write_bytes(b"old")
    words = ["convert", "piece.musicrel", "out", "--takes", "all"]

    assert main(words) == 1
    assert (
        "random 2 – 日本.mid exists: choose another name, or add --force" in capsys.readouterr().err
    )
    assert (folder / "out" / "random 2 – 日本.mid").read_bytes() == b"old"
    assert main([*words, "--force"]) == 0
    assert (folder / "out" / "random 2 – 日本.mid").read_bytes().startswith(b"MThd")


def test_takes_have_the_requested_instruments(folder: Path) -> None:
    """Those of a single file."""
    words = ["convert", "piece.musicrel", "out", "--takes", "all", "--sound", "organ"]

    assert main(words) == 0

    tracks = midi_events.parse((folder / "out" / "random 2 – 日本.mid").read_bytes()).tracks[1:]
    programs = [event.data[0] for track in tracks for event in track if event.kind == "program"]
    assert programs == [19] * 4


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["piece.mid", "out", "--takes", "all"], 2, "piece.mid has no takes: expected --takes"),
        (
            ["piece.musicrel", "out", "--takes", "7"],
            2,
            "piece.musicrel has no take '7': expected --takes with one of 4",
        ),
        (["piece.musicrel", "out", "--takes", ""], 2, "--takes '' has an empty name"),
        (["piece.musicrel", "out", "--takes", "4,"], 2, "--takes '4,' has an empty name"),
        (["piece.musicrel", "out", "--takes", "all", "--format", "mid,"], 2, "format '': expected"),
        (
            ["piece.musicrel", "out", "--takes", "all", "--format", "pdf"],
            2,
            "or png; a PDF is exported by the window",
        ),
        (["piece.musicrel", "out", "--takes", "rated"], 2, "piece.musicrel has no rated take"),
        (["empty.musicrel", "out", "--takes", "all"], 2, "empty.musicrel has no take"),
        (
            ["piece.musicrel", "out", "--takes", "all", "--format", "doc"],
            2,
            "format 'doc': expected mid, ",
        ),
        (["piece.musicrel", "out", "--takes", "all", "--take", "4"], 2, "exclude each other"),
        (
            ["piece.musicrel", "out.mid", "--format", "mid"],
            2,
            "--format needs --takes",
        ),
        (
            ["piece.musicrel", "out", "--takes", "all", "--metronome"],
            2,
            "leave out --metronome",
        ),
        (["piece.musicrel", "piece.mid", "--takes", "all"], 1, "cannot write"),
    ],
)
def test_errors_about_takes_are_one_sentence(
    folder: Path, capsys: Capture, words: list[str], code: int, message: str
) -> None:
    """Nothing is written."""
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    assert main(["convert", *words]) == code

    printed = capsys.readouterr().err
    assert message in printed
    assert printed.count("\n") == 1
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


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
