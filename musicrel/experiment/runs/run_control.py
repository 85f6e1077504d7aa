"""What is wanted of a run, asked by anyone through ``control.jsonl`` in its folder.

The newest line holds. A run heeds the lines written after it was started: whoever starts one notes
the file's length first (``length``), so that nothing asked meanwhile is lost and nothing asked of
an earlier sitting counts again.

This file knows wishes; it knows nothing of how a run fulfils them.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal, TypeVar, get_args

from musicrel.errors import FileError, UsageError
from musicrel.experiment.runs.event_log import EventLog
from musicrel.jobs import Control, Wish

Request = Literal["pause", "resume", "stop", "cancel"]
"""Hold; go on; save and end; end at once, keeping the last checkpoint."""
Answer = Literal["run", "pause", "stop", "cancel"]
Asked = TypeVar("Asked", Wish, Answer)

REQUESTS: Final[tuple[Request, ...]] = get_args(Request)
CONTROL: Final = "control.jsonl"
_SECONDS_BETWEEN_LOOKS: Final = 0.2


def ask(folder: Path, request: Request) -> None:
    """Ask something of the run in ``folder``; it is heeded before the next step.

    Raises:
        UsageError: there is no such request.
        FileError: there is no such folder, or it cannot be written.
    """
    if request not in REQUESTS:
        raise UsageError(f"cannot ask {request!r} of a run: expected {', '.join(REQUESTS)}")
    EventLog(folder / CONTROL).append({"wish": request, "time": round(time.time(), 3)})


def length(folder: Path) -> int:
    """Bytes of wishes so far; 0 where there are none."""
    try:
        return (folder / CONTROL).stat().st_size
    except OSError:
        return 0


def after_pause(asked: Callable[[], Asked]) -> Asked:
    """Wait while a pause is wanted; what is wanted then."""
    while (answer := asked()) == "pause":
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    return answer


class Either:
    """Two controls as one: whatever ends sooner."""

    def __init__(self, *controls: Control) -> None:
        self._controls = controls

    def wish(self) -> Wish:
        """See ``musicrel.jobs.Control``."""
        wishes = [control.wish() for control in self._controls]
        return max(wishes, key=("run", "pause", "stop").index)


class FolderControl:
    """A control that asks the file; cheap enough for every step.

    Args:
        folder: of the run.
        since: byte of the file from which on wishes count; None: those made from now on.
    """

    def __init__(self, folder: Path, since: int | None = None) -> None:
        self._folder = folder
        self._log = EventLog(folder / CONTROL)
        self._offset = length(folder) if since is None else since
        self._seen = self._offset
        self._answer: Answer = "run"

    def asked(self) -> Answer:
        """What is wanted now, cancelling told apart from stopping."""
        size = length(self._folder)
        if size != self._seen:
            self._seen = size
            self._read()
        return self._answer

    def wish(self) -> Wish:
        """See ``musicrel.jobs.Control``; to cancel is to stop, for those who know no difference."""
        asked = self.asked()
        return "stop" if asked == "cancel" else asked

    def _read(self) -> None:
        try:
            lines, self._offset = self._log.follow(self._offset)
        except FileError:  # the folder is going; the next write says so
            return
        for line in lines:
            request = line.get("wish")
            if request in REQUESTS and self._answer != "cancel":  # nothing undoes that
                self._answer = "run" if request == "resume" else request
