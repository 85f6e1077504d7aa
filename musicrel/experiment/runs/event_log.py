"""An append-only log of events in JSON Lines, written by one process and followed by others.

The file only grows, so the offset of a reader stays valid. A crash may leave a last line without
a line break: readers wait for the rest of it, and the next writer truncates it.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import FileIO
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec

from musicrel import paths, untrusted
from musicrel.errors import DataError

EventDict: TypeAlias = dict[str, Any]

_TAIL_BYTES: Final = 65_536
_MAX_STEP: Final = 2**53
_LINE_BREAK: Final = b"\n"


class EventLog:
    """An event log in one file, which need not exist."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, event: Mapping[str, Any] | msgspec.Struct) -> None:
        """Append ``event``; on return the operating system has it, even if this process ends."""
        line = json.dumps(msgspec.to_builtins(event)).encode() + _LINE_BREAK
        with _opened("write", self.path, "ab") as file:
            _add(file, line)

    def follow(self, offset: int = 0) -> tuple[list[EventDict], int]:
        """Return the events after ``offset``, and the offset for the next call."""
        size = self._size()
        if size is None or 0 < size == offset:  # not opened: observers of many runs ask often
            return [], size or 0
        with untrusted.opened(self.path) as file:
            if offset > file.seek(0, os.SEEK_END):
                offset = 0
            file.seek(offset)
            content = file.read(untrusted.LIMITS["events"])
        complete = content[: _complete_length(content)]
        return _parse(complete), offset + len(complete)

    def events(self) -> list[EventDict]:
        return self._all()[0]

    def end_offset(self) -> int:
        """Return the offset after the last complete line, in bytes."""
        return self._all()[1]

    def damaged_lines(self) -> int:
        found, end = self._all()
        if not end:
            return 0
        with untrusted.opened(self.path) as file:
            return file.read(end).count(_LINE_BREAK) - len(found)

    def _all(self) -> tuple[list[EventDict], int]:
        found, offset = self.follow()
        while True:
            more, after = self.follow(offset)
            if after == offset:
                return found, offset
            found, offset = found + more, after

    def _size(self) -> int | None:
        try:
            return self.path.stat().st_size
        except OSError:
            return None

    def last(self) -> EventDict | None:
        """Return the newest event without reading the whole file; None if there is none."""
        size = self._size()
        if size is None:
            return None
        with untrusted.opened(self.path) as file:
            file.seek(max(size - _TAIL_BYTES, 0))
            content = file.read(_TAIL_BYTES)
        lines = reversed(content[: _complete_length(content)].splitlines())
        return next((event for line in lines for event in _parse(line)), None)

    def repair(self) -> None:
        """Truncate an incomplete last line; only the writer may do this."""
        if self.path.exists():
            with _opened("repair", self.path, "r+b") as file:
                file.truncate(_complete_length(file.read()))

    def sync(self) -> None:
        """Flush all events to the disk, so that they survive a power failure."""
        with _opened("write", self.path, "ab") as file:
            os.fsync(file.fileno())


def drop_repeated_steps(events: Iterable[EventDict], rewinds: frozenset[str]) -> list[EventDict]:
    """Return ``events`` without those of steps that were repeated later."""
    kept: list[EventDict] = []
    for event in events:
        if event.get("event") in rewinds and "step" in event:
            kept = [before for before in kept if before.get("step", 0) <= event["step"]]
        kept.append(event)
    return kept


@contextmanager
def _opened(action: str, path: Path, mode: str) -> Iterator[FileIO]:
    """Open a file, unbuffered; an error of the system becomes a sentence about ``path``."""
    with (
        paths.explained(f"{action} {path}"),
        FileIO(str(path), mode, opener=untrusted.descriptor) as file,
    ):
        yield file


def _add(file: FileIO, line: bytes) -> None:
    size = file.seek(0, os.SEEK_END)
    if file.write(line) != len(line):  # a disk that fills up accepts a part first
        file.truncate(size)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _complete_length(content: bytes) -> int:
    return content.rfind(_LINE_BREAK) + 1


def _parse(content: bytes) -> list[EventDict]:
    """Return the events in ``content``; other lines are skipped."""
    lines = content.splitlines()
    found = _value(b"[%s]" % b",".join(lines))  # all at once takes half the time
    if not isinstance(found, list) or len(found) != len(lines):
        found = [_value(line) for line in lines]
    return [
        value
        for value in found
        if isinstance(value, dict)
        and isinstance(value.get("event", ""), str)
        and type(step := value.get("step", 0)) is int
        and 0 <= step <= _MAX_STEP
    ]


def _value(content: bytes) -> object:
    """Return a JSON value; None if it is not valid."""
    try:
        return untrusted.parse_json(content, finite=False)
    except DataError:
        return None
