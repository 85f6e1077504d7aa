"""Locations on disk, and atomic writes."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from musicrel import paths
from musicrel.errors import FileError


def test_assets_are_found_in_the_source_tree() -> None:
    """Beside the package."""
    assert paths.assets() == Path(paths.__file__).parents[1] / "assets"
    assert paths.assets().is_dir()


def test_assets_are_found_inside_the_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within the package, where it was installed."""
    (tmp_path / "_assets").mkdir()
    monkeypatch.setattr(paths, "_PACKAGE", tmp_path)

    assert paths.assets() == tmp_path / "_assets"


def test_the_users_folder_can_be_moved(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """By MUSICREL_HOME; the default is the system's folder for user data."""
    monkeypatch.setenv("MUSICREL_HOME", str(tmp_path))
    assert paths.data() == tmp_path

    monkeypatch.delenv("MUSICREL_HOME")
    assert paths.data().name == "musicrel"


def test_shared_data_can_be_moved(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """By MUSICREL_SHARED; the default is beside the source tree."""
    monkeypatch.setenv("MUSICREL_SHARED", str(tmp_path))
    assert paths.shared_data() == tmp_path

    monkeypatch.delenv("MUSICREL_SHARED")
    assert paths.shared_data() == Path(paths.__file__).parents[2] / "shared" / "data"


def test_a_file_is_written_with_its_folder(tmp_path: Path) -> None:
    """Nothing else is left there."""
    paths.write_bytes(tmp_path / "a" / "b" / "file.bin", b"\x00\x01")

    assert (tmp_path / "a" / "b" / "file.bin").read_bytes() == b"\x00\x01"
    assert [path.name for path in (tmp_path / "a" / "b").iterdir()] == ["file.bin"]


def test_text_is_utf_8(tmp_path: Path) -> None:
    """For any system encoding; line ends are unchanged."""
    paths.write_text(tmp_path / "file.txt", "B♭\n")

    assert (tmp_path / "file.txt").read_bytes() == b"B\xe2\x99\xad\n"


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (errno.ENOSPC, "the disk is full; make room on it, or choose another disk"),
        (errno.EDQUOT, "your share of the disk is used up; make room on it, or choose another"),
        (errno.EIO, "the disk cannot be read or written; choose another disk"),
        (errno.ENAMETOOLONG, "its name is too long; choose a shorter one"),
        (errno.EACCES, "Permission denied; choose a folder you may write to"),
        (errno.EROFS, "Read-only file system; choose a folder you may write to"),
    ],
)
def test_a_failed_write_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, sentence: str
) -> None:
    """A full disk is not a folder that one may not write to; the old file stays."""
    paths.write_text(tmp_path / "file", "old")

    def fail(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(FileError, match=f"cannot write .*file: {sentence}"):
        paths.write_text(tmp_path / "file", "new")

    assert (tmp_path / "file").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """A file in place of a folder, or a folder in place of the file."""
    (tmp_path / "file").touch()
    (tmp_path / "folder" / "inside").mkdir(parents=True)

    for path in (tmp_path / "file" / "new", tmp_path / "folder"):
        with pytest.raises(FileError, match=f"cannot write {path}: "):
            paths.write_bytes(path, b"")


def test_a_folder_is_tried_before_long_work(tmp_path: Path) -> None:
    """It is created, and left empty."""
    paths.require_writable(tmp_path / "new" / "folder")
    (tmp_path / "file").touch()

    assert list((tmp_path / "new" / "folder").iterdir()) == []
    with pytest.raises(
        FileError, match=r"cannot write into .*file/new: .*; choose a folder you may"
    ):
        paths.require_writable(tmp_path / "file" / "new")


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_that_form_a_loop_stay(tmp_path: Path) -> None:
    """Other links are followed."""
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "link").symlink_to(tmp_path / "file")

    assert paths.resolved(tmp_path / "link") == tmp_path.resolve() / "file"
    assert paths.resolved(tmp_path / "loop") == tmp_path.resolve() / "loop"


def test_a_name_that_no_file_can_have_is_no_file(tmp_path: Path) -> None:
    """It is too long for the system, which raises an error."""
    (tmp_path / "file").touch()

    assert paths.is_file(tmp_path / "file")
    assert not paths.is_file(tmp_path / ("x" * 5000))


def test_text_that_no_file_can_hold_is_refused(tmp_path: Path) -> None:
    """Half of a surrogate pair has no UTF-8; the file before stays."""
    path = tmp_path / "title.txt"
    paths.write_text(path, "before")
    with pytest.raises(FileError, match=r"the text has '\\ud83d', half of a surrogate pair"):
        paths.write_text(path, "Air \ud83d")
    assert path.read_text() == "before"
