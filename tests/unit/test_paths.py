"""Locations on disk, and atomic writes."""

from __future__ import annotations

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


@pytest.mark.skipif(os.name == "nt", reason="Windows has other rights")
def test_everybody_may_read_what_is_written(tmp_path: Path) -> None:
    """A plain temporary file would be private."""
    paths.write_bytes(tmp_path / "file", b"")

    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o644


def test_the_old_file_stays_when_the_new_one_cannot_be_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk nothing is half written, and no temporary file is left."""
    paths.write_text(tmp_path / "file", "old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(
        FileError, match=r"cannot write .*file: No space left on device; choose a folder you may"
    ):
        paths.write_text(tmp_path / "file", "new")

    assert (tmp_path / "file").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_an_interruption_leaves_no_temporary_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C during a write."""

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        paths.write_bytes(tmp_path / "file", b"")

    assert list(tmp_path.iterdir()) == []


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
    with pytest.raises(FileError, match=r"cannot write into .*file/new: .*; choose another folder"):
        paths.require_writable(tmp_path / "file" / "new")


def test_a_file_is_read_up_to_its_limit(tmp_path: Path) -> None:
    """A longer one is refused unread."""
    (tmp_path / "file").write_bytes(bytes(1000))

    assert paths.read_bytes(tmp_path / "file", limit=1000) == bytes(1000)
    with pytest.raises(FileError, match="file has 1,000 bytes, but at most 999 are read here"):
        paths.read_bytes(tmp_path / "file", limit=999)


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    """A missing file, or a folder."""
    for path in (tmp_path / "nothing", tmp_path):
        with pytest.raises(FileError, match=f"cannot read {path}: "):
            paths.read_bytes(path, limit=10**9)


@pytest.mark.parametrize(("system", "times"), [("posix", 1), ("nt", 0)])
@pytest.mark.skipif(os.name == "nt", reason="Windows cannot open folders")
def test_a_folders_names_are_made_to_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str, times: int
) -> None:
    """The folder itself is synchronised, on systems that can."""
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    monkeypatch.setattr(os, "name", system)

    paths.sync_folder(tmp_path)

    assert len(synced) == times


def test_text_that_no_file_can_hold_is_refused(tmp_path: Path) -> None:
    """Half of a surrogate pair has no UTF-8; the file before stays."""
    path = tmp_path / "title.txt"
    paths.write_text(path, "before")
    with pytest.raises(FileError, match=r"the text has '\\ud83d', half of a surrogate pair"):
        paths.write_text(path, "Air \ud83d")
    assert path.read_text() == "before"
