"""Mutations inside containers: members of archives, cells of a project, the header of weights.

Without them, checksums and compression would stop nearly every mutation at the door.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import re
import sqlite3
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from numpy.random import Generator

from tests.faults.mutation import mutated

_METHODS: Final = (
    zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA,
)  # fmt: skip
_TYPES: Final = (
    b"F64", b"F32", b"F16", b"BF16", b"F8_E4M3", b"F8_E8M0", b"F4", b"I64", b"U64", b"U16", b"U8",
    b"BOOL", b"C64", b"Q4", b"",
)  # fmt: skip
"""Types of tensors, of which few can be read."""
_LENGTH: Final = 8
"""Bytes of the length before the header of safetensors."""


def zipped(members: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as archive:
        for name, member in members.items():
            archive.writestr(zipfile.ZipInfo(name), member, method)
    return content.getvalue()


def changed_archive(content: bytes, other: bytes, rng: Generator) -> bytes:
    """Change a member of a zip archive, its compression, or the bytes of the whole."""
    method = _METHODS[rng.integers(len(_METHODS))]
    members = _members(content)
    name = sorted(members)[rng.integers(len(members))]
    if rng.random() < 0.6:
        others = _members(other)
        members[name] = mutated(members[name], others.get(name, b""), rng)
    packed = zipped(members, method)
    return mutated(packed, other, rng) if rng.random() < 0.5 else packed


def _members(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def changed_project(content: bytes, other: bytes, rng: Generator) -> bytes:
    """Change a cell of a project, a piece with its checksum, or the bytes of the whole."""
    if rng.random() < 0.5:
        return mutated(content, other, rng)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "project"
        path.write_bytes(content)
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
            _change_cell(connection, rng)
        return path.read_bytes()


def _change_cell(connection: sqlite3.Connection, rng: Generator) -> None:
    tables = ("document", "pieces", "takes", "states")
    table = tables[rng.integers(len(tables))]
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    rows = [row[0] for row in connection.execute(f"SELECT rowid FROM {table}")]  # noqa: S608
    column, row = columns[rng.integers(len(columns))], rows[rng.integers(len(rows))]
    query = f"SELECT {column} FROM {table} WHERE rowid = ?"  # noqa: S608
    value: object = connection.execute(query, (row,)).fetchone()[0]
    if isinstance(value, str):
        text = mutated(value.encode(), b"", rng)
        changed: object = text.decode("utf-8", "replace") if rng.random() < 0.7 else text
    elif isinstance(value, bytes):
        changed = mutated(value, b"", rng)
    else:
        changed = (None, -1, 2**62, 0.5, "x", b"\xff", 1e308)[rng.integers(7)]
    with contextlib.suppress(sqlite3.IntegrityError):
        connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (changed, row))  # noqa: S608
    if table == "pieces" and column == "content" and rng.random() < 0.8:
        _change_piece(connection, row, rng)


def _change_piece(connection: sqlite3.Connection, row: int, rng: Generator) -> None:
    query = "SELECT content FROM pieces WHERE rowid != ? LIMIT 1"
    plain = zlib.decompress(connection.execute(query, (row,)).fetchone()[0])
    changed = mutated(plain, b"", rng)
    values = (hashlib.sha256(changed).digest(), zlib.compress(changed), row)
    with contextlib.suppress(sqlite3.IntegrityError):  # the project has this piece already
        connection.execute("UPDATE pieces SET digest = ?, content = ? WHERE rowid = ?", values)


def changed_weights(content: bytes, other: bytes, rng: Generator) -> bytes:
    """Change the header of a safetensors file and mend its length, or the bytes of the whole."""
    if rng.random() < 0.3:
        return mutated(content, other, rng)
    length = struct.unpack("<Q", content[:_LENGTH])[0]
    header = content[_LENGTH : _LENGTH + length]
    if rng.random() < 0.3:
        after = _TYPES[rng.integers(len(_TYPES))]
        header = re.sub(rb'"F(16|32)"', b'"%s"' % after, header, count=int(rng.integers(2)))
    else:
        header = mutated(header, b"", rng)
    return struct.pack("<Q", len(header)) + header + content[_LENGTH + length :]
