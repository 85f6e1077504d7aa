"""Replacement of a file in one step, also when the program is killed or the disk is full."""

from __future__ import annotations

import contextlib
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from musicrel import replacement
from musicrel.replacement import sweep

LEFT = ".piece.mid.0123abcd.musicrel-part"
on_posix = pytest.mark.skipif(os.name == "nt", reason="Windows has other rights and locks")


def write(path: Path, content: str) -> None:
    """Replace a file by text."""
    with replacement.replacement(path) as new:
        new.write_text(content)


@contextlib.contextmanager
def umask(mask: int) -> Iterator[None]:
    """Set the umask of the process."""
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def mode(path: Path) -> int:
    """Return the permissions of a file."""
    return stat.S_IMODE(path.stat().st_mode)


def names(folder: Path) -> list[str]:
    """Return the names in a folder."""
    return sorted(path.name for path in folder.iterdir())


@on_posix
def test_a_sweep_opens_files_only(tmp_path: Path) -> None:
    """A link or a pipe with such a name is from somebody else."""
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
    """Any other program gives it the same."""
    with umask(mask):
        write(tmp_path / "file", "new")

    assert mode(tmp_path / "file") == expected


@on_posix
@pytest.mark.parametrize("private", [0o600, 0o640, 0o777])
def test_a_replaced_file_keeps_its_permissions(tmp_path: Path, private: int) -> None:
    """Also while it is written: a private file is never open to others."""
    (tmp_path / "file").touch()
    (tmp_path / "file").chmod(private)

    with umask(0o022), replacement.replacement(tmp_path / "file") as new:
        assert mode(new) == private

    assert mode(tmp_path / "file") == private


@on_posix
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """Its target is replaced."""
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "file").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "there" / "file")

    write(tmp_path / "link", "new")

    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there" / "file").read_text() == "new"


@on_posix
def test_a_loop_of_links_is_an_error_of_the_system(tmp_path: Path) -> None:
    """Not one of Python."""
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")

    with pytest.raises(OSError, match="Too many levels of symbolic links"):
        write(tmp_path / "a", "new")


@on_posix
def test_a_pipe_is_not_replaced(tmp_path: Path) -> None:
    """Nor is a device, such as /dev/null."""
    os.mkfifo(tmp_path / "pipe")

    with pytest.raises(OSError, match="it is a device or a pipe, not a file"):
        write(tmp_path / "pipe", "new")

    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_a_write_protected_file_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Although its folder can be written."""
    (tmp_path / "file").write_text("old")
    monkeypatch.setattr(os, "access", lambda _path, kind: kind != os.W_OK)

    with pytest.raises(PermissionError, match="it is write-protected"):
        write(tmp_path / "file", "new")

    assert (tmp_path / "file").read_text() == "old"


@pytest.mark.parametrize("fault", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_fault_leaves_the_old_file_and_nothing_else(tmp_path: Path, fault: BaseException) -> None:
    """In the middle of writing."""
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
    """Systems allow 255 bytes."""
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
    """A running program holds a lock on its temporary file."""
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
    """Another temporary file is created."""
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


def test_a_folder_that_cannot_be_listed_is_not_swept(tmp_path: Path) -> None:
    """Nothing is raised: the write itself reports what is wrong."""
    sweep(tmp_path / "missing")

    assert not (tmp_path / "missing").exists()


@pytest.mark.parametrize(("system", "times"), [("posix", 1), ("nt", 0)])
@on_posix
def test_a_folders_names_are_made_to_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str, times: int
) -> None:
    """The folder itself is synchronised, on systems that can."""
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    monkeypatch.setattr(os, "name", system)
    replacement.sync_folder(tmp_path)
    monkeypatch.undo()

    assert len(synced) == times
