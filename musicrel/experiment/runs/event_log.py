"""A file of events, one JSON object a line, that one process writes and others read along.

The file only grows: whoever follows it keeps a place in it that stays right. A line that a sudden
death cut short has no end; readers wait for its end, and the next writer takes it away.

This file knows lines; it knows nothing of what the events mean.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable, Mapping
from io import FileIO
from pathlib import Path
from typing import Any, Final, TypeAlias

from musicrel.errors import FileError

Line: TypeAlias = dict[str, Any]

_READ_AT_ONCE: Final = 16_000_000
_LOOK_BACK: Final = 65_536
_END: Final = b"\n"


class EventLog:
    """The lines of one file.

    Args:
        path: the file; it need not exist yet, its folder must when a line is added.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, event: Mapping[str, Any]) -> None:
        """Add a line; it is with the system, safe from the end of this process, on return.

        Raises:
            FileError: it cannot be written; what was written of it is taken away again.
        """
        line = json.dumps(event).encode() + _END
        try:
            with self.path.open("ab", buffering=0) as file:
                _add(file, line)
        except OSError as reason:
            raise FileError(f"cannot write {self.path}: {reason.strerror or reason}") from reason

    def follow(self, offset: int = 0) -> tuple[list[Line], int]:
        """What was added since the last look.

        Args:
            offset: what the last look gave, 0 at first.

        Returns:
            The events whose lines are complete, and the offset for the next look. A file that has
            become shorter is read from its beginning.
        """
        try:
            with self.path.open("rb") as file:
                if offset > file.seek(0, os.SEEK_END):
                    offset = 0
                file.seek(offset)
                content = file.read(_READ_AT_ONCE)
        except FileNotFoundError:
            return [], 0
        except OSError as reason:
            raise FileError(f"cannot read {self.path}: {reason.strerror or reason}") from reason
        complete = content[: content.rfind(_END) + 1]
        return _parsed(complete), offset + len(complete)

    def events(self) -> list[Line]:
        """All events so far."""
        return self._all()[0]

    def end(self) -> int:
        """The offset from which ``follow`` gives what is added from now on."""
        return self._all()[1]

    def _all(self) -> tuple[list[Line], int]:
        found, offset = self.follow()
        while True:
            more, after = self.follow(offset)
            if after == offset:
                return found, offset
            found, offset = found + more, after

    def last(self) -> Line | None:
        """The newest event, found without reading the whole file."""
        try:
            size = self.path.stat().st_size
        except OSError:
            return None
        found, _ = self.follow(max(size - _LOOK_BACK, 0))
        return found[-1] if found else None

    def mend(self) -> None:
        """Take a last line away that has no end; only the writer may do this.

        Raises:
            FileError: the file cannot be changed.
        """
        try:
            with self.path.open("r+b") as file:
                file.truncate(_whole_length(file.read()))
        except FileNotFoundError:
            return
        except OSError as reason:
            raise FileError(f"cannot mend {self.path}: {reason.strerror or reason}") from reason

    def sync(self) -> None:
        """Make all lines survive a power cut, too."""
        try:
            with self.path.open("ab") as file:
                os.fsync(file.fileno())
        except OSError as reason:
            raise FileError(f"cannot write {self.path}: {reason.strerror or reason}") from reason


def standing(events: Iterable[Line], returns: frozenset[str]) -> list[Line]:
    """The events that still hold: those of steps made again later are left out.

    Args:
        events: in the order they were written.
        returns: names of the events that say a run goes on from their ``step``.
    """
    kept: list[Line] = []
    for event in events:
        if event.get("event") in returns:
            kept = [before for before in kept if before.get("step", 0) <= event["step"]]
        kept.append(event)
    return kept


def _add(file: FileIO, line: bytes) -> None:
    """Write all of ``line`` at the end, or nothing."""
    size = file.seek(0, os.SEEK_END)
    if file.write(line) != len(line):  # a disk that fills up takes a part first
        file.truncate(size)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _whole_length(content: bytes) -> int:
    return content.rfind(_END) + 1


def _parsed(content: bytes) -> list[Line]:
    """The objects in ``content``; a line that is none is passed over."""
    found: list[Line] = []
    for line in content.splitlines():
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            found.append(value)
    return found
