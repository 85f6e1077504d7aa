"""Kill a process again and again while it edits a project; at most the last edit may be lost.

``python -m tests.helpers.kill_project 200`` kills 200 times and prints the result. The session goes
on in the same file after every kill, with snapshots now and then.
"""

from __future__ import annotations

import contextlib
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

from musicrel.project.contents import Contents
from musicrel.project.project_file import ProjectFile
from tests.helpers.projects import edit, plain

_MAX_LINES = 40
_MAX_SECONDS = 0.02
_SNAPSHOT_EVERY = 7


def edit_for_ever(path: Path) -> None:
    """Go on with the session in ``path``; print the number of each edit that was written."""
    project = ProjectFile.open(path)
    contents = project.read()
    number = contents.mixer["edits"]
    while True:
        number += 1
        contents = edit(contents, number)
        project.write(contents)
        print(number, flush=True)  # noqa: T201
        if number % _SNAPSHOT_EVERY == 0:
            project.copy_to(snapshot(path))


def snapshot(path: Path) -> Path:
    return path.with_suffix(".snapshot")


def kill_while_editing(path: Path, rng: np.random.Generator) -> int:
    """Kill a process that edits ``path`` at a random moment; return the last edit it printed."""
    command = [sys.executable, "-m", "tests.helpers.kill_project", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        last = 0
        for _ in range(int(rng.integers(1, _MAX_LINES))):
            last = int(process.stdout.readline())
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(rng.uniform(0, _MAX_SECONDS))
        process.kill()
        printed = process.stdout.read().splitlines()
    # a number is printed as one short write, which is there whole or not at all
    return int(printed[-1]) if printed else last


def survive(kills: int, folder: Path, seed: int = 0) -> Counter[str]:
    """Kill ``kills`` times and check the file after each; return what was found."""
    path, rng = folder / "session.musicrel", np.random.default_rng(seed)
    contents = Contents(mixer={"edits": 0})
    ProjectFile.create(path, contents).close()
    found: Counter[str] = Counter()
    for _ in range(kills):
        last = kill_while_editing(path, rng)
        found["edits"] = last
        stored = _checked(path)
        edits = stored.mixer["edits"]
        assert edits in (last, last + 1), f"edit {last} was written, but {edits} was found"
        found["unprinted edit found"] += edits - last
        while contents.mixer["edits"] < edits:
            contents = edit(contents, contents.mixer["edits"] + 1)
        assert plain(stored) == plain(contents)
        if snapshot(path).exists():
            assert _checked(snapshot(path)).mixer["edits"] % _SNAPSHOT_EVERY == 0
            found["snapshots read"] += 1
        found["kills"] += 1
    return found


def _checked(path: Path) -> Contents:
    project = ProjectFile.open(path, read_only=True)
    assert project.problems == ()
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    return project.read()


def main() -> None:
    if sys.argv[1].isdigit():
        with tempfile.TemporaryDirectory() as folder:
            print(dict(survive(int(sys.argv[1]), Path(folder))))  # noqa: T201
    else:
        edit_for_ever(Path(sys.argv[1]))


if __name__ == "__main__":
    main()
