"""Logs and other things that somebody may have put beside a project, to do harm outside of it."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from musicrel.project import project_file, project_piece
from musicrel.project.project_file import ProjectFile
from tests.helpers.projects import full_contents, with_take

_MAGIC: Final = bytes.fromhex("d9d505f920a163d7")
_SECTOR: Final = 512

Make = Callable[[Path, Path], object]


def journal(victim: Path, *, pages: int = 0, size: int = 4096, sector: int = _SECTOR) -> bytes:
    header = _MAGIC + struct.pack(">5I", 0, 7, pages, sector, size)
    return header.ljust(_SECTOR, b"\0") + super_journal(victim)


def super_journal(victim: Path) -> bytes:
    name = os.fsencode(victim)
    place = struct.pack(">I", (1 << 30) // 4096 + 1)
    return place + name + struct.pack(">2I", len(name), sum(name)) + _MAGIC


def log_of_no_end(path: Path, victim: Path) -> None:
    other = victim.with_name("other")
    other.write_bytes(path.read_bytes())
    with contextlib.closing(sqlite3.connect(other)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA user_version = 1")
        wal = bytearray(other.with_name("other-wal").read_bytes())
    order = "<" if wal[3] == 0x82 else ">"
    sums = struct.unpack(">2I", wal[24:32])
    pages = struct.pack(">I", 1 << 28)
    for begin in range(32, len(wal), 24 + 4096):  # one frame: the first page
        wal[begin + 4 : begin + 8] = pages
        page = memoryview(wal)[begin + 24 : begin + 24 + 4096]
        page[28:32] = pages
        sums = _sums(bytes(wal[begin : begin + 8]) + bytes(page), sums, order)
        wal[begin + 16 : begin + 24] = struct.pack(">2I", *sums)
        page.release()
    Path(f"{path}-wal").write_bytes(wal)


def _sums(content: bytes, sums: tuple[int, ...], order: str) -> tuple[int, int]:
    first, second = sums
    for one, other in struct.iter_unpack(f"{order}2I", content):
        first = (first + one + second) % (1 << 32)
        second = (second + other + first) % (1 << 32)
    return first, second


def _writes(suffix: str, content: Callable[[Path], bytes]) -> Make:
    return lambda path, victim: Path(f"{path}{suffix}").write_bytes(content(victim))


def _of_no_file(suffix: str) -> dict[str, Make]:
    def make_huge(path: Path, _victim: Path) -> None:
        with Path(f"{path}{suffix}").open("wb") as file:
            file.truncate(1 << 40)

    return {
        "link": lambda path, victim: Path(f"{path}{suffix}").symlink_to(victim),
        "device": lambda path, _: Path(f"{path}{suffix}").symlink_to("/dev/zero"),
        "pipe": lambda path, _: os.mkfifo(f"{path}{suffix}"),
        "folder": lambda path, _: Path(f"{path}{suffix}").mkdir(),
        "huge file": make_huge,
    }


HARMLESS: Final[Mapping[str, Make]] = MappingProxyType(
    {
        "journal that names a file": _writes("-journal", lambda victim: journal(victim, pages=99)),
        "journal that names two": _writes(
            "-journal", lambda victim: journal(victim, pages=99) + super_journal(victim)
        ),
        "journal of odd sectors": _writes(
            "-journal", lambda victim: journal(victim, sector=1 << 31)
        ),
        "journal of odd pages": _writes("-journal", lambda victim: journal(victim, size=3)),
        "journal of no end": _writes("-journal", lambda victim: journal(victim, pages=1 << 28)),
        "name and no journal": _writes("-journal", super_journal),
        "text as a journal": _writes("-journal", lambda _: b"text" * 999),
        "text as a log": _writes("-wal", lambda _: b"text" * 999),
        "log of another name": lambda path, victim: Path(f"{path}-wal").hardlink_to(victim),
        "journal of another name": lambda path, victim: Path(f"{path}-journal").hardlink_to(victim),
        "index of another name": lambda path, victim: Path(f"{path}-shm").hardlink_to(victim),
    }
)
"""Name -> what puts it beside a project, given a file outside; the project is read all the same."""
REFUSED: Final[Mapping[str, Make]] = MappingProxyType(
    {
        f"{what} as {suffix}": make
        for suffix in ("-wal", "-journal", "-shm")
        for what, make in _of_no_file(suffix).items()
    }
    | {"log of no end": log_of_no_end}
)
"""The same for what is refused."""
LOCKS: Final[Mapping[str, Make]] = MappingProxyType(_of_no_file(""))
"""The same for what is put in place of a lock."""


def verify(path: Path) -> None:
    project_file.problems(path)


def convert(path: Path) -> None:
    project_piece.read_piece(path)


def look(path: Path) -> None:
    ProjectFile.open(path, read_only=True).close()


def edit(path: Path) -> None:
    with contextlib.closing(ProjectFile.open(path)) as found:
        found.write(with_take(found.read()))


def save_over(path: Path) -> None:
    project_file.write_new(full_contents(), path)


def restore(path: Path) -> None:
    snapshot = path.with_name("snapshot")
    project_file.write_new(full_contents(), snapshot)
    project_file.restore(path, snapshot)


def restore_from(path: Path) -> None:
    project_file.restore(path.with_name("other.musicrel"), path)


READERS: Final = (verify, convert, look, restore_from)
WRITERS: Final = (edit, save_over, restore)
"""Readers and writers of projects."""
