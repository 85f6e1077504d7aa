"""Projects that are small on disk and large in memory: read as far as memory is bounded."""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from musicrel.chorale import MAX_STEPS
from musicrel.errors import FileError
from musicrel.project.contents import Contents
from musicrel.project.project_file import ProjectFile
from tests.helpers.projects import full_contents, plain

_HEADER = (
    '{{"format": "musicrel-chorale", "version": 1, "title": "{number}", "tempo": 100, '
    '"meter": "4/4", "pickup": 0, "key": "C major", "steps": {steps}, "provenance": '
    '{{"model": "m", "sha256": "0", "seed": 1, "settings": {{"list": [{values}]}}}}}}\n'
)


def piece(number: int, steps: int = MAX_STEPS, values: str = "") -> bytes:
    """Return the bytes of a piece of rests."""
    header = _HEADER.format(number=number, steps=steps, values=values).encode()
    return header + b"\xff" * (4 * steps) + bytes(steps // 2) + bytes(steps // 8)


def of_long_pieces() -> Iterator[bytes]:
    """Yield the bytes of the longest pieces."""
    return (piece(number) for number in range(3000))


def of_long_headers() -> Iterator[bytes]:
    """Each piece has a million empty lists."""
    lists = ",".join(["[]"] * 1_000_000)
    return (piece(number, 16, lists) for number in range(20))


@pytest.mark.parametrize("pieces", [of_long_pieces, of_long_headers])
def test_memory_is_bounded(tmp_path: Path, pieces: Callable[[], Iterator[bytes]]) -> None:
    """The first takes are there; the rest is counted, and the file stays as it is."""
    path = tmp_path / "large.musicrel"
    ProjectFile.create(path, full_contents()).close()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        for number, content in enumerate(pieces(), start=100):
            values = (number, hashlib.sha256(content).digest(), zlib.compress(content))
            connection.execute("INSERT INTO pieces VALUES (?, ?, ?)", values)
            take = (number, number, "", "{}", "", None, 0, 0, 0.0)
            connection.execute("INSERT INTO takes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", take)
        connection.commit()
    tracemalloc.start()

    project = ProjectFile.open(path)

    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    found = project.read()
    assert peak < 100_000_000 + 60 * path.stat().st_size
    assert project.problems[0] == ("its contents would need far too much memory for a project")
    assert plain(found)["takes"][:2] == plain(full_contents())["takes"]
    assert project.read_only
    with pytest.raises(FileError, match="is damaged and stays as it is"):
        project.write(Contents())
