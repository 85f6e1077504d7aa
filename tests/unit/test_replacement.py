"""Replacement of a file in one step, also when the program is killed or the disk is full."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from musicrel import file_names, paths, replacement
from musicrel.errors import FileError
from musicrel.replacement import sweep

LEFT = ".piece.mid.0123abcd.musicrel-part"
on_posix = pytest.mark.skipif(os.name == "nt", reason="Windows has other rights and locks")


def write(path: Path, content: str) -> None:
    with replacement.replacement(path) as new:
        new.write_text(content)


@contextlib.contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@on_posix
def test_a_sweep_opens_files_only(tmp_path: Path) -> None:
    (tmp_path / LEFT).symlink_to(tmp_path / "victim")
    (tmp_path / "victim").write_text("precious")
    os.mkfifo(tmp_path / LEFT.replace("0123", "4567"))
    before = names(tmp_path)

    sweep(tmp_path)

    assert names(tmp_path) == before


@on_posix
@pytest.mark.parametrize(("mask", "expected"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_new_file_has_the_permissions_of_the_umask(
    tmp_path: Path, mask: int, expected: int
) -> None:
    with umask(mask):
        write(tmp_path / "file", "new")
    assert mode(tmp_path / "file") == expected


@on_posix
@pytest.mark.parametrize("private", [0o600, 0o640, 0o777])
def test_a_replaced_file_keeps_its_permissions(tmp_path: Path, private: int) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "file").chmod(private)
    with umask(0o022), replacement.replacement(tmp_path / "file") as new:
        assert mode(new) == private
    assert mode(tmp_path / "file") == private


@on_posix
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "file").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "there" / "file")

    write(tmp_path / "link", "new")

    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there" / "file").read_text() == "new"


@on_posix
def test_a_loop_of_links_is_an_error_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(OSError, match="Too many levels of symbolic links"):
        write(tmp_path / "a", "new")


@on_posix
def test_a_pipe_is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="it is a device or a pipe, not a file"):
        write(tmp_path / "pipe", "new")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_a_write_protected_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("old")
    monkeypatch.setattr(os, "access", lambda _path, kind: kind != os.W_OK)
    with pytest.raises(PermissionError, match="it is write-protected"):
        write(tmp_path / "file", "new")
    assert (tmp_path / "file").read_text() == "old"


@pytest.mark.parametrize("fault", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_fault_leaves_the_old_file_and_nothing_else(tmp_path: Path, fault: BaseException) -> None:
    write(tmp_path / "file", "old")

    def write_half() -> None:
        with replacement.replacement(tmp_path / "file") as new:
            new.write_text("half")
            raise fault

    with pytest.raises(type(fault)):
        write_half()

    assert (tmp_path / "file").read_text() == "old"
    assert names(tmp_path) == ["file"]


def test_a_long_name_leaves_room_for_that_of_the_temporary_file(tmp_path: Path) -> None:
    name = "ä" * 127
    write(tmp_path / name, "new")
    assert names(tmp_path) == [name]


KILLED = """
import os, signal, sys
from pathlib import Path
from musicrel.replacement import replacement
with replacement(Path(sys.argv[1])) as new:
    new.write_text("half")
    new.with_name(new.name + "-journal").touch()
    print(new.name, flush=True)
    sys.stdin.readline()
"""


def test_what_a_killed_program_left_is_deleted_and_what_a_running_one_writes_is_not(
    tmp_path: Path,
) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path / "file")]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        name = process.stdout.readline().strip()
        sweep(tmp_path)
        assert names(tmp_path) == [name, f"{name}-journal"]
        process.kill()
    sweep(tmp_path)
    assert names(tmp_path) == []


def test_the_first_file_in_a_folder_sweeps_it(tmp_path: Path) -> None:
    """Later ones cost no listing of the folder; files of other programs stay."""
    (tmp_path / LEFT).write_text("half")
    (tmp_path / ".other.part").write_text("of a browser")
    write(tmp_path / "file", "new")
    assert names(tmp_path) == [".other.part", "file"]

    (tmp_path / LEFT).write_text("half")
    write(tmp_path / "file", "newer")
    assert names(tmp_path) == [".other.part", LEFT, "file"]


def test_a_sweep_between_creation_and_lock_does_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    times: list[int] = []

    def late(handle: int, *, wait: bool) -> None:
        if wait and not times:
            times.append(handle)
            for path in tmp_path.iterdir():
                path.unlink()

    monkeypatch.setattr(replacement, "_lock", late)
    write(tmp_path / "file", "new")

    assert len(times) == 1
    assert (tmp_path / "file").read_text() == "new"


@pytest.mark.parametrize(("system", "times"), [("posix", 1), ("nt", 0)])
@on_posix
def test_a_folders_names_are_made_to_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str, times: int
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    monkeypatch.setattr(os, "name", system)
    replacement.sync_folder(tmp_path)
    monkeypatch.undo()

    assert len(synced) == times


def test_assets_are_found_inside_the_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "_assets").mkdir()
    monkeypatch.setattr(paths, "_PACKAGE", tmp_path)
    assert paths.assets() == tmp_path / "_assets"


def test_the_users_folder_and_shared_data_can_be_moved(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """By MUSICREL_HOME and MUSICREL_SHARED; the default is the system folder for user data."""
    monkeypatch.setenv("MUSICREL_HOME", str(tmp_path))
    assert paths.data() == tmp_path
    monkeypatch.delenv("MUSICREL_HOME")
    assert paths.data().name == "musicrel"

    monkeypatch.setenv("MUSICREL_SHARED", str(tmp_path))
    assert paths.shared_data() == tmp_path
    monkeypatch.delenv("MUSICREL_SHARED")
    assert paths.shared_data() == Path(paths.__file__).parents[2] / "shared" / "data"


def test_a_file_is_written_with_its_folder(tmp_path: Path) -> None:
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
    (tmp_path / "file").touch()
    (tmp_path / "folder" / "inside").mkdir(parents=True)
    for path in (tmp_path / "file" / "new", tmp_path / "folder"):
        with pytest.raises(FileError, match=f"cannot write {path}: "):
            paths.write_bytes(path, b"")


def test_a_folder_is_tried_before_long_work(tmp_path: Path) -> None:
    paths.require_writable(tmp_path / "new" / "folder")
    (tmp_path / "file").touch()
    assert list((tmp_path / "new" / "folder").iterdir()) == []
    with pytest.raises(
        FileError, match=r"cannot write into .*file/new: .*; choose a folder you may"
    ):
        paths.require_writable(tmp_path / "file" / "new")


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_that_form_a_loop_stay(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert paths.resolved(tmp_path / "link") == tmp_path.resolve() / "file"
    assert paths.resolved(tmp_path / "loop") == tmp_path.resolve() / "loop"


def test_a_name_that_no_file_can_have_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert paths.is_file(tmp_path / "file")
    assert not paths.is_file(tmp_path / ("x" * 5000))


def test_text_that_no_file_can_hold_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "title.txt"
    paths.write_text(path, "before")
    with pytest.raises(FileError, match=r"the text has '\\ud83d', half of a surrogate pair"):
        paths.write_text(path, "Air \ud83d")
    assert path.read_text() == "before"


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Chorale 7", "Chorale 7"), ("Übung №1 – (B♭)", "Übung 1 – (B)"),
        ("a/b\\c:d?*<>|\"e", "abcde"), (" BWV 102.7  Vater ", "BWV 102.7 Vater"),
        ("...", "Chorale"), ("\ud800\0\n", "Chorale"), ("– ", "Chorale"), ("日本", "日本"),
        ("CON", "CON_"), ("lpt1.x", "lpt1.x_"), ("Concerto", "Concerto"), ("a" * 500, "a" * 120),
        ("日" * 500, "日" * 66), ("a" * 119 + ".b", "a" * 119),
    ],
)  # fmt: skip
def test_a_name_is_valid_on_every_system(title: str, name: str) -> None:
    """Letters of all languages stay; what a system may refuse is removed."""
    assert file_names.valid(title) == name


def test_a_title_without_a_letter_gets_a_name_and_a_taken_one_a_number() -> None:
    assert file_names.valid("***", "model") == "model"
    assert file_names.valid("***", "") == ""

    assert file_names.numbered("a", {"b"}.__contains__) == "a"
    assert file_names.numbered("a", {"a", "a (2)"}.__contains__) == "a (3)"
