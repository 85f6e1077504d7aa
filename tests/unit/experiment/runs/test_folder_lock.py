"""One writer a folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from musicrel.errors import FileError
from musicrel.experiment.runs.folder_lock import LOCK, WriterLock, writer

HOLD = """
import sys
from pathlib import Path
from musicrel.experiment.runs.folder_lock import WriterLock
with WriterLock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def held_by_child(folder: Path) -> subprocess.Popen[str]:
    """A process that holds the lock until it is killed."""
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    return child


def end(child: subprocess.Popen[str]) -> None:
    """Kill it and close its pipes."""
    child.kill()
    child.communicate()


def test_a_second_writer_gets_a_sentence(tmp_path: Path) -> None:
    """In the same process or another; the id is told."""
    with (
        WriterLock(tmp_path),
        pytest.raises(FileError, match="is being written by this very process: wait for its end"),
        WriterLock(tmp_path),
    ):
        pass
    child = held_by_child(tmp_path)
    try:
        with (
            pytest.raises(FileError, match=f"is being written by process {child.pid}: wait"),
            WriterLock(tmp_path),
        ):
            pass
        assert writer(tmp_path) == child.pid
    finally:
        end(child)


def test_the_lock_of_a_dead_process_is_taken_over(tmp_path: Path) -> None:
    """It was killed and could not tidy up."""
    end(held_by_child(tmp_path))

    assert (tmp_path / LOCK).read_bytes()
    assert writer(tmp_path) is None
    with WriterLock(tmp_path):
        assert writer(tmp_path) == os.getpid()


def test_a_process_with_the_same_id_is_not_the_writer(tmp_path: Path) -> None:
    """Ids are used again; the time a process began tells them apart."""
    began = psutil.Process().create_time() - 5
    (tmp_path / LOCK).write_text(json.dumps({"pid": os.getpid(), "began": began}))

    assert writer(tmp_path) is None


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b'{"pid": "x", "began": 1}', b"\xff" * 9])
def test_a_damaged_lock_is_nobodys(tmp_path: Path, content: bytes) -> None:
    """And may be taken."""
    (tmp_path / LOCK).write_bytes(content)

    assert writer(tmp_path) is None
    with WriterLock(tmp_path):
        assert writer(tmp_path) == os.getpid()


def test_a_lock_given_back_is_nobodys(tmp_path: Path) -> None:
    """And can be taken again; a folder without one has no writer."""
    assert writer(tmp_path) is None
    for _ in range(2):
        with WriterLock(tmp_path):
            pass
        assert writer(tmp_path) is None


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """Here it is missing."""
    with pytest.raises(FileError, match=r"cannot write into .*nowhere.*; choose a folder"):
        WriterLock(tmp_path / "nowhere").__enter__()
