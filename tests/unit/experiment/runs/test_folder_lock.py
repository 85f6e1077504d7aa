"""Tests of the lock that allows one writer per folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from musicrel.errors import FileError
from musicrel.experiment.runs.folder_lock import ALIVE, LOCK, writer, writer_lock

HOLD = """
import sys
from pathlib import Path
from musicrel.experiment.runs.folder_lock import writer_lock
with writer_lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def held_by_child(folder: Path) -> subprocess.Popen[str]:
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    return child


def end(child: subprocess.Popen[Any]) -> None:
    child.kill()
    child.communicate()


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    with (
        writer_lock(tmp_path),
        pytest.raises(FileError, match="is being written by this very process: wait for its end"),
        writer_lock(tmp_path),
    ):
        pass
    child = held_by_child(tmp_path)
    try:
        with (
            pytest.raises(FileError, match=f"is being written by process {child.pid}: wait"),
            writer_lock(tmp_path),
        ):
            pass
        assert writer(tmp_path) == child.pid
    finally:
        end(child)


def test_the_lock_of_a_dead_process_is_taken_over(tmp_path: Path) -> None:
    end(held_by_child(tmp_path))

    assert (tmp_path / LOCK).read_bytes()
    assert writer(tmp_path) is None
    with writer_lock(tmp_path):
        assert writer(tmp_path) == os.getpid()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no zombies")
def test_a_killed_writer_is_gone_before_its_parent_reaps_it(tmp_path: Path) -> None:
    child = held_by_child(tmp_path)
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)

    assert writer(tmp_path) is None
    end(child)


def test_a_process_with_the_same_id_is_not_the_writer(tmp_path: Path) -> None:
    end(held_by_child(tmp_path))
    (tmp_path / LOCK).write_text(json.dumps({"pid": os.getpid()}))

    assert writer(tmp_path) is None


def test_the_files_of_a_folder_written_before_are_taken_over(tmp_path: Path) -> None:
    (tmp_path / LOCK).write_text('{"pid": 12887}')
    (tmp_path / ALIVE).touch()
    for name in (LOCK, ALIVE):
        (tmp_path / name).chmod(0o444)

    assert writer(tmp_path) is None
    assert (tmp_path / LOCK).read_text() == '{"pid": 12887}'
    for name in (LOCK, ALIVE):
        (tmp_path / name).chmod(0o644)
    with writer_lock(tmp_path):
        assert writer(tmp_path) == os.getpid()


def test_a_process_started_by_the_writer_does_not_inherit_its_lock(tmp_path: Path) -> None:
    with writer_lock(tmp_path):
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        assert writer(tmp_path) is None
    finally:
        end(child)


def test_readers_do_not_stop_a_writer_that_starts(tmp_path: Path) -> None:
    done = threading.Event()
    answers: set[int | None] = set()

    def read() -> None:
        while not done.is_set():
            answers.add(writer(tmp_path))

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    try:
        for _ in range(200):
            with writer_lock(tmp_path):
                assert writer(tmp_path) == os.getpid()
    finally:
        done.set()
        for reader in readers:
            reader.join()

    assert answers <= {None, os.getpid()}


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b'{"pid": "x"}', b"\xff" * 9])
def test_a_damaged_lock_has_no_writer(tmp_path: Path, content: bytes) -> None:
    (tmp_path / LOCK).write_bytes(content)

    assert writer(tmp_path) is None
    with writer_lock(tmp_path):
        assert writer(tmp_path) == os.getpid()


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with (
        pytest.raises(FileError, match=r"cannot write into .*nowhere.*; choose a folder"),
        writer_lock(tmp_path / "nowhere"),
    ):
        pass


def test_a_lock_that_is_another_file_is_named(tmp_path: Path) -> None:
    """Writing into it would change the other one."""
    other = tmp_path / "other"
    other.write_bytes(b"precious")
    (tmp_path / "writer.lock").hardlink_to(other)
    with (
        pytest.raises(FileError, match=r"cannot write into .*writer\.lock.*hard link"),
        writer_lock(tmp_path),
    ):
        pass
    assert other.read_bytes() == b"precious"
