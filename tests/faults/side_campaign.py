"""A campaign of logs and other things beside a project, for everything that opens it.

A content is the suffix or the name of the thing in a line, and its bytes. A touch of another
file is a fault.
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from numpy.random import Generator

from musicrel.errors import FileError
from musicrel.ui.files import session
from tests.faults import side_files
from tests.faults.mutation import mutated
from tests.helpers.projects import edit

_PRECIOUS: Final = b"precious" * 99
_LOCK: Final = "lock: "
_KINDS: Final[Mapping[str, side_files.Make]] = {
    **side_files.HARMLESS,
    **side_files.REFUSED,
    **{f"{_LOCK}{name}": make for name, make in side_files.LOCKS.items()},
}


def seeds(folder: Path) -> list[bytes]:
    project = folder / "kept.musicrel"
    side_files.save_over(project)
    (folder / "victim").write_bytes(_PRECIOUS)
    with contextlib.closing(sqlite3.connect(shutil.copy(project, folder / "copy"))) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("UPDATE takes SET name = 'changed'")
        other.commit()
        log = (folder / "copy-wal").read_bytes()
    return [b"-wal\n" + log, b"-journal\n" + side_files.journal(folder / "victim", pages=9)]


def changed(content: bytes, other: bytes, rng: Generator) -> bytes:
    """Change the bytes of a log, or choose another thing."""
    if rng.random() < 0.5:
        return sorted(_KINDS)[rng.integers(len(_KINDS))].encode() + b"\n"
    what, _, log = content.partition(b"\n")
    return what + b"\n" + mutated(log, other.partition(b"\n")[2], rng)


def read(content: bytes, folder: Path) -> object:
    """Open the project in every way, each time with the thing beside it.

    Raises:
        AssertionError: another file was touched, or the log of a project that was only read.
        FileError: it is refused.
    """
    refused: list[FileError] = []
    for use in (*side_files.READERS, *side_files.WRITERS, edit_in_app):
        place = folder / "here"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        path = Path(shutil.copy(folder / "kept.musicrel", place / "a.musicrel"))
        _put(content, path, folder / "victim")
        before = path.read_bytes()
        try:
            use(path)
        except FileError as reason:
            refused.append(reason)
        assert (folder / "victim").read_bytes() == _PRECIOUS, use.__name__
        assert use not in side_files.READERS or path.read_bytes() == before, use.__name__
    if refused:
        raise refused[0]
    return None


def edit_in_app(path: Path) -> None:
    opened = session.open_project(path)
    contents = edit(opened.contents, 1)
    try:
        opened.write(contents, saved=False)
        opened.save(contents)
    finally:
        opened.close()


def _put(content: bytes, path: Path, victim: Path) -> None:
    what, _, log = content.partition(b"\n")
    name = what.decode()
    if name.startswith(_LOCK):
        path = path.with_name(f".{path.name}.lock")
    if name in _KINDS:
        _KINDS[name](path, victim)
    else:
        Path(f"{path}{name}").write_bytes(log)
