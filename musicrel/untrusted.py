"""Content of untrusted origin: it enters the program here, before every parser.

A file is read up to the limit of its kind, and only if it is a regular one: a device has no end,
and a pipe blocks its reader. JSON and TOML are parsed here, and errors of archives are caught here,
so that no exception of a parser reaches the user.
"""

from __future__ import annotations

import contextlib
import errno
import io
import json
import lzma
import math
import os
import re
import stat
import struct
import tokenize
import tomllib
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Final, Literal, Never

import numpy as np

from musicrel.errors import DataError, FileError
from musicrel.language import tr
from musicrel.paths import describe_os_error

Kind = Literal[
    "midi", "musicxml", "mxl", "abc", "chorale", "project", "project log", "locks", "words",
    "settings", "recent_documents", "window_record", "guide", "card", "weights", "head means",
    "discriminator", "model archive", "recipe", "study", "study list", "run", "events",
    "counters", "checkpoint", "measures", "corpus", "jsb", "reference", "speeds",
]  # fmt: skip
"""Kinds of files that are read."""

LIMITS: Final[Mapping[Kind, int]] = {
    "midi": 4_000_000,
    "musicxml": 24_000_000,
    "mxl": 8_000_000,
    "abc": 4_000_000,
    "chorale": 4_000_000,  # three times the longest piece, also for writing
    "project": 1 << 30,  # some hundred thousand takes
    "project log": 1 << 28,  # sixty times the length at which SQLite empties one
    "locks": 4_000_000,
    "words": 100_000,  # a hundred long verses
    "settings": 100_000,
    "recent_documents": 100_000,
    "window_record": 100_000,
    "guide": 1_000_000,
    "card": 1_000_000,
    "weights": 512_000_000,
    "head means": 16_000_000,  # a thousand times those of a bundled model
    "discriminator": 4_000_000,  # ten times that of a bundled model
    "model archive": 1_024_000_000,
    "recipe": 100_000,
    "study": 1_000_000,
    "study list": 1_000_000,
    "run": 64_000_000,  # run.json, result.json, results.json
    "events": 16_000_000,  # at a time
    "counters": 1_000_000,
    "checkpoint": 16_000_000_000,
    "measures": 1_000_000_000,
    "corpus": 64_000_000,
    "jsb": 32 << 20,  # twenty times the published file
    "reference": 1 << 20,  # figures that are shipped
    "speeds": 100_000,
}
"""Kind -> the most bytes that are read of a file."""
MAX_DEPTH: Final = 64  # levels of nesting in JSON and TOML; files of musicrel have about ten

# Number of values in JSON, which take about 50 bytes each; the longest files have five million.
_MAX_VALUES: Final = 10_000_000
_MAX_INTEGER: Final = 10**300  # size of the largest whole number that is accepted; a float holds it
_HALF_PAIR: Final = re.compile("[\ud800-\udfff]")
_SUSPECT: Final = re.compile(r"\d{300}|\\u[dD][89a-fA-F]|[\ud800-\udfff]")
"""Found in every text whose values have too many digits or half of a surrogate pair."""

ARCHIVE_ERRORS: Final = (
    zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError,
    LookupError, OSError, OverflowError, RuntimeError, SyntaxError, ValueError,
    MemoryError, tokenize.TokenError,
)  # fmt: skip
"""Exceptions of ``zipfile``, its codecs and ``numpy.load`` for damaged archives."""


def read(path: Path, kind: Kind) -> bytes:
    """Return the content of a file."""
    limit = LIMITS[kind]
    with opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > limit:
            text = tr("{path} has {size:,} bytes, but at most {limit:,} are read here",
                      path=path, size=size, limit=limit)  # fmt: skip
            raise FileError(text)
        content = file.read(size + 1)
    if len(content) > size:
        raise FileError(tr("cannot read {path}: it grows while it is read; try again", path=path))
    return content


@contextlib.contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """Open a regular file for reading."""
    try:
        with open(path, "rb", opener=without_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise FileError(
                    tr("cannot read {path}: it is a device or a pipe, expected a file", path=path)
                )
            yield file
    except OSError as reason:
        why = describe_os_error(reason)
        raise FileError(tr("cannot read {path}: {why}", path=path, why=why)) from reason
    except ValueError as reason:  # a path with a NUL character
        raise FileError(tr("cannot read {path}: {why}", path=path, why=reason)) from reason


def parse_json(content: str | bytes, what: str = "", *, finite: bool = True) -> Any:
    """Parse JSON, of which ``what`` is the name in messages; bytes are UTF-8.

    Standard JSON has no NaN and infinity: they are refused if it is to be ``finite``.
    """
    what = what or tr("it")
    problem = tr("{what} is not valid JSON", what=what)
    try:
        text = content if isinstance(content, str) else content.decode("utf-8-sig")
        if len(text) > _MAX_VALUES and sum(map(text.count, ",[{")) > _MAX_VALUES:
            too_many = tr("{what} has more than {n:,} values, too many to be read",
                          what=what, n=_MAX_VALUES)  # fmt: skip
            raise DataError(too_many)
        value = (_FINITE if finite else _ANY).decode(text)
    except json.JSONDecodeError as reason:
        place = tr("in line {line}, column {column}", line=reason.lineno, column=reason.colno)
        raise DataError(f"{problem}: {reason.msg} {place}") from reason
    except (UnicodeDecodeError, RecursionError, ValueError) as reason:
        raise DataError(f"{problem}: {_described(reason)}") from reason
    if text.count("[") + text.count("{") > MAX_DEPTH or _SUSPECT.search(text):
        _check_values(value, problem)
    return value


def parse_toml(content: str | bytes, what: str = "") -> dict[str, Any]:
    """Parse TOML."""
    problem = tr("{what} is not valid TOML", what=what or tr("it"))
    try:
        tables = tomllib.loads(content if isinstance(content, str) else content.decode("utf-8"))
    except tomllib.TOMLDecodeError as reason:
        raise DataError(f"{problem}: {reason}") from reason
    except (UnicodeDecodeError, RecursionError, ValueError, OverflowError) as reason:
        raise DataError(f"{problem}: {_described(reason)}") from reason
    _check_values(tables, problem)
    return tables


def _described(reason: Exception) -> str:
    """Describe an error of a parser."""
    if isinstance(reason, UnicodeDecodeError):
        return tr("it is not UTF-8 text")
    return _too_deep() if isinstance(reason, RecursionError) else _too_long()


def _too_deep() -> str:
    return tr("it is nested too deeply")


def _too_long() -> str:
    return tr("a number has too many digits")


def unpack_arrays(content: bytes, kind: Kind) -> dict[str, np.ndarray[Any, Any]]:
    """Return the arrays of an npz file by name."""
    with unpacking():
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
        if size > LIMITS[kind]:
            most = LIMITS[kind]
            text = tr("it decompresses to {size:,} bytes, more than {most:,}", size=size, most=most)
            raise DataError(text)
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            found = dict(arrays.items())
    if not all(isinstance(array, np.ndarray) for array in found.values()):
        raise DataError("an entry is no array")
    return found


@contextlib.contextmanager
def unpacking() -> Iterator[None]:
    """Turn the errors of archives and their codecs within the block into one of ours."""
    try:
        yield
    except NotImplementedError as reason:
        raise DataError(tr("it is an archive of an unknown method of compression")) from reason
    except ARCHIVE_ERRORS as reason:
        encrypted = type(reason) is RuntimeError and "encrypted" in str(reason)
        text = tr("it is an encrypted archive") if encrypted else tr("it is a damaged archive")
        raise DataError(text) from reason


def without_waiting(path: str, flags: int) -> int:
    """Open a file; a pipe without a writer does not block."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def descriptor(path: str | Path, flags: int, mode: int = 0o666) -> int:
    """Open a file that lies beside another, or in a folder that anyone may have sent.

    It is an opener for ``open``, and stands in for ``os.open``. A link, which would lead elsewhere,
    a folder, a device or a pipe is an ``OSError``, and so is a file of several names (hard links)
    that would be written.
    """
    with contextlib.suppress(FileNotFoundError):
        _check_is_own(os.lstat(path), flags)
    without = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    handle = os.open(path, flags & ~os.O_TRUNC | without, mode)
    try:
        _check_is_own(os.fstat(handle), flags)  # it may have been exchanged
        if flags & os.O_TRUNC:
            os.ftruncate(handle, 0)
    except BaseException:
        os.close(handle)
        raise
    return handle


def _check_is_own(found: os.stat_result, flags: int) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise OSError(
            errno.ELOOP, tr("it is not a regular file (it is a link, folder, device or pipe)")
        )
    if found.st_nlink > 1 and flags & (os.O_WRONLY | os.O_RDWR):
        raise OSError(
            errno.EMLINK, tr("it has another name (a hard link), under which it would be changed")
        )


def _refuse(name: str) -> Never:
    raise DataError(tr("it is not valid JSON: {name} is not a JSON number", name=name))


def _finite(digits: str) -> float:
    """Parse a float; refuse a number too large for a finite one."""
    number = float(digits)
    return number if math.isfinite(number) else _refuse(digits[:20])


def _check_values(value: object, problem: str) -> None:
    """Check depth and numbers of parsed values; ``problem`` begins the message."""
    level = [value]
    for _ in range(MAX_DEPTH):
        inner: list[object] = []
        for outer in level:
            if isinstance(outer, str):
                _check_text(outer, problem)
            elif isinstance(outer, dict):
                _check_text("".join(outer), problem)
                inner += outer.values()
            elif isinstance(outer, list):
                inner += outer
            elif isinstance(outer, int) and abs(outer) > _MAX_INTEGER:
                raise DataError(f"{problem}: {_too_long()}")
        if not inner:
            return
        level = inner
    raise DataError(f"{problem}: {_too_deep()}")


def _check_text(text: str, problem: str) -> None:
    if not text.isascii() and _HALF_PAIR.search(text):
        raise DataError(f"{problem}: a text holds half of a surrogate pair, which is no character")


_ANY: Final = json.JSONDecoder()
_FINITE: Final = json.JSONDecoder(parse_constant=_refuse, parse_float=_finite)
