"""Files of several takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from musicrel import jobs
from musicrel.chorale import Chorale
from musicrel.errors import DataError, FileError
from musicrel.jobs import Job
from musicrel.presentation.files import take_files
from musicrel.presentation.files.take_files import NamedPiece, TakeFile, TakeProgress
from musicrel.score import files

AIR = Chorale.of([[72, 67, 64, 48]] * 16, title="Air")


def write_file(piece: Chorale, path: Path) -> Job[float, None]:
    """Write a file in two parts."""
    yield 0.5
    files.write(piece, path)


def planned(folder: Path, *names: str, suffixes: tuple[str, ...] = (".mid",)) -> list[TakeFile]:
    """Plan files of takes with these names."""
    return take_files.plan([NamedPiece(name, AIR) for name in names], folder, suffixes)


@pytest.mark.parametrize(
    ("title", "name", "stem"),
    [
        ("Air", "Slow", "Air – Slow"),
        ("Air", "Air", "Air"),
        ("Air", "Air (2)", "Air (2)"),
        ("", "Slow", "Slow"),
        ("a/b", "c:d", "ab – cd"),
    ],
)
def test_a_file_is_named_for_title_and_take(
    tmp_path: Path, title: str, name: str, stem: str
) -> None:
    """The title stands once."""
    piece = Chorale.of([[60, 55, 52, 48]], title=title)

    (file,) = take_files.plan([NamedPiece(name, piece)], tmp_path, [".mid"])

    assert file.path == tmp_path / f"{stem}.mid"


def test_equal_names_get_numbers_for_all_formats_alike(tmp_path: Path) -> None:
    """Also names that differ in case or in refused letters only."""
    found = planned(tmp_path, "Slow", "slow", "Slow?", suffixes=(".mid", ".mxl"))

    assert [file.path.name for file in found] == [
        "Air – Slow.mid", "Air – Slow.mxl",
        "Air – slow (2).mid", "Air – slow (2).mxl",
        "Air – Slow (3).mid", "Air – Slow (3).mxl",
    ]  # fmt: skip


def test_existing_files_are_found_or_kept(tmp_path: Path) -> None:
    """A number that fits one format is taken for all."""
    (tmp_path / "Air – Slow.mxl").write_bytes(b"")
    takes = [NamedPiece("Slow", AIR), NamedPiece("Fast", AIR)]

    over = take_files.plan(takes, tmp_path, [".mid", ".mxl"])
    beside = take_files.plan(takes, tmp_path, [".mid", ".mxl"], beside=True)

    assert [file.path for file in over if file.path.exists()] == [tmp_path / "Air – Slow.mxl"]
    assert [file.path.stem for file in beside] == ["Air – Slow (2)"] * 2 + ["Air – Fast"] * 2
    assert not any(file.path.exists() for file in beside)


def test_all_files_are_written_with_progress(tmp_path: Path) -> None:
    """The sentence counts takes and files."""
    found = planned(tmp_path / "new", "Air", "Slow", suffixes=(".mid", ".json"))
    events: list[TakeProgress] = []

    paths, sentence = jobs.run(take_files.write(found, write_file), events.append)

    assert sentence == f"Exported 2 takes as 4 files to {tmp_path / 'new'}"
    assert [event.share for event in events] == [number / 8 for number in range(8)]
    assert events[2].path == events[3].path == found[1].path
    assert paths == tuple(file.path for file in found)
    assert all(Chorale.read(path) == AIR for path in paths)


def test_what_a_format_cannot_hold_is_named_and_the_rest_written(tmp_path: Path) -> None:
    """With the reason."""
    odd = Chorale.of([[60, 55, 52, 48]], title="Odd")
    takes = [NamedPiece("Odd", odd), NamedPiece("Air", AIR)]
    found = take_files.plan(takes, tmp_path, [".mid", ".mxl"])

    def write_some(piece: Chorale, path: Path) -> Job[float, None]:
        if piece is odd and path.suffix == ".mxl":
            raise DataError("a text holds what it cannot represent")
        return write_file(piece, path)

    paths, sentence = jobs.run(take_files.write(found, write_some))

    assert sentence.startswith(f"Exported 2 takes as 3 files to {tmp_path}; “Odd” is not among")
    assert "as .mxl: a text holds" in sentence
    assert sorted(path.name for path in paths) == ["Air.mid", "Air.mxl", "Odd.mid"]
    assert sorted(tmp_path.iterdir()) == sorted(paths)


def test_a_file_that_cannot_be_written_ends_the_job(tmp_path: Path) -> None:
    """The sentence counts the files before it."""
    found = planned(tmp_path, "Air", "Slow")
    (tmp_path / "Air – Slow.mid").mkdir()

    with pytest.raises(FileError, match=r"only 1 of 2 files were exported: cannot write .*Slow"):
        jobs.run(take_files.write(found, write_file))
    assert (tmp_path / "Air.mid").is_file()


def test_a_cancelled_job_keeps_what_is_written(tmp_path: Path) -> None:
    """No file is half written."""
    job = take_files.write(planned(tmp_path, "Air", "Slow"), write_file)
    for event in job:
        if event.path.stem == "Air – Slow":
            job.close()

    assert [path.name for path in tmp_path.iterdir()] == ["Air.mid"]
