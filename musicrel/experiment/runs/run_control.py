"""Requests to a run, which any process can append to ``control.jsonl`` in its folder.

The newest request is valid. A run reads those written after it was started: the process that
starts it takes ``end_offset`` first, so that no request made meanwhile is lost and no request to
an earlier session is repeated.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal, TypeVar, get_args

from musicrel.errors import FileError, UsageError
from musicrel.experiment.runs.event_log import EventDict, EventLog
from musicrel.jobs import Control, RunCommand

Request = Literal["pause", "resume", "stop", "cancel"]
"""Pause; resume; save and end; end without saving, keeping the last checkpoint."""
FolderCommand = Literal["run", "pause", "stop", "cancel"]
CommandT = TypeVar("CommandT", RunCommand, FolderCommand)

REQUESTS: Final[tuple[Request, ...]] = get_args(Request)
CONTROL: Final = "control.jsonl"
_POLL_SECONDS: Final = 0.2
_REQUEST_KEY: Final = "wish"


def send_request(folder: Path, request: Request) -> None:
    """Send a request to the run in ``folder``, which follows it before its next step."""
    if request not in REQUESTS:
        raise UsageError(f"unknown request {request!r} to a run: expected {', '.join(REQUESTS)}")
    EventLog(folder / CONTROL).append({_REQUEST_KEY: request, "time": round(time.time(), 3)})


def end_offset(folder: Path) -> int:
    """Return the size of the control file, in bytes; 0 if there is none."""
    try:
        return (folder / CONTROL).stat().st_size
    except OSError:
        return 0


def wait_while_paused(read_command: Callable[[], CommandT]) -> CommandT:
    """Poll ``read_command`` until it returns another command than pause; return that."""
    while (command := read_command()) == "pause":
        time.sleep(_POLL_SECONDS)
    return command


def combined(*controls: Control) -> Control:
    """Return several controls as one: stop takes precedence over pause, and pause over run."""
    return lambda: max((control() for control in controls), key=("run", "pause", "stop").index)


class RunControl:
    """A reader of the control file of a run; cheap enough for every step.

    It reads from the byte ``since`` on; None: from the end of the file.
    """

    def __init__(self, folder: Path, since: int | None = None) -> None:
        self._folder = folder
        self._log = EventLog(folder / CONTROL)
        self._offset = end_offset(folder) if since is None else since
        self._size = self._offset
        self._requested: FolderCommand = "run"

    def requested(self) -> FolderCommand:
        """Return the requested command, with cancel distinct from stop."""
        size = end_offset(self._folder)
        if size == self._size:
            return self._requested
        self._size, lines = size, list[EventDict]()
        with suppress(FileError):  # the folder was deleted; the next write reports it
            lines, self._offset = self._log.follow(self._offset)
        for line in lines:
            request = line.get(_REQUEST_KEY)
            if request in REQUESTS and self._requested != "cancel":  # which is final
                self._requested = "run" if request == "resume" else request
        return self._requested

    def command(self) -> RunCommand:
        requested = self.requested()
        return "stop" if requested == "cancel" else requested
