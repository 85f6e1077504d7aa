"""A run as a folder: ``run.json recipe.toml events.jsonl control.jsonl checkpoints/ best/ model/``.

``result.json`` joins them when the run is finished, ``samples/`` when small pieces were asked for,
``weighed/`` when tables are weighed by what the model writes, ``base/``, a run of its own, where
one had to come first.
What state a run is in can be told from its folder alone, by anyone, at any time.

This file knows which file is what; it knows nothing of models or of what the numbers mean.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, Literal

from torch import Tensor

from musicrel import paths
from musicrel.errors import FileError, UsageError
from musicrel.experiment.runs import folder_lock
from musicrel.experiment.runs.checkpoints import Checkpoints, State
from musicrel.experiment.runs.event_log import EventLog, Line, standing

FORMAT: Final = "musicrel-run"
VERSION: Final = 2
_LARGEST_TEXT: Final = 64_000_000

RunState = Literal[
    "queued", "running", "paused", "stopped", "cancelled", "finished", "crashed"
]  # fmt: skip
"""Not begun; at work; holding; ended on request, saved or at once; done; ended by a death or a
failure."""

RETURNS: Final = frozenset({"TrainStarted", "TrainRolledBack"})
"""Events after which steps later than theirs are made again."""


class RunFolder:
    """The folder of one run.

    Args:
        path: the folder; it may not exist yet.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._log = EventLog(path / "events.jsonl")
        self._checkpoints = Checkpoints(path / "checkpoints")
        self._rounds = Checkpoints(path / "weighed")

    @property
    def model(self) -> Path:
        """The finished model's directory."""
        return self.path / "model"

    @property
    def best(self) -> Path:
        """The directory of the best weights so far."""
        return self.path / "best"

    def begin(self, recipe_toml: str) -> None:
        """Make the folder for a new run.

        Raises:
            UsageError: the folder holds a run or a study already.
            FileError: it cannot be written.
        """
        if (self.path / "study.toml").exists():
            raise UsageError(f"{self.path} holds a study: choose another --out, of the run alone")
        if (self.path / "recipe.toml").exists():
            raise UsageError(
                f"{self.path} holds a run already: go on with --resume, or choose another --out"
            )
        about = {"format": FORMAT, "version": VERSION}
        paths.write_text(self.path / "run.json", json.dumps(about) + "\n")
        paths.write_text(self.path / "recipe.toml", recipe_toml)

    def recipe_toml(self) -> str:
        """The recipe of the run that is in the folder.

        Raises:
            UsageError: there is no run, or one of another format.
        """
        if not (self.path / "recipe.toml").is_file():
            raise UsageError(f"{self.path} holds no run to resume: start it without --resume")
        check_version(self.path / "run.json", FORMAT, VERSION)
        content = paths.read_bytes(self.path / "recipe.toml", limit=_LARGEST_TEXT)
        return content.decode("utf-8", errors="replace")

    def lock(self) -> folder_lock.WriterLock:
        """The right to write here; for ``with``."""
        return folder_lock.WriterLock(self.path)

    def state(self) -> RunState:
        """How things stand, whoever works on it and whether or not this process started it."""
        return state_of(self.path, "result.json")

    def append_event(self, event: Mapping[str, Any]) -> None:
        """Add a line to ``events.jsonl``.

        Raises:
            FileError: it cannot be written, or the folder is gone.
        """
        self.writing(lambda: self._log.append(event))

    def follow(self, offset: int = 0) -> tuple[list[Line], int]:
        """The events after ``offset``, and where to look next; see ``EventLog.follow``."""
        return self._log.follow(offset)

    def end_of_events(self) -> int:
        """The offset from which ``follow`` gives what is written from now on."""
        return self._log.end()

    def events(self) -> list[Line]:
        """The events that still hold: steps that were made again stand here once."""
        return standing(self._log.events(), RETURNS)

    def save_checkpoint(
        self, step: int, tensors: Mapping[str, Tensor], counters: Mapping[str, Any]
    ) -> None:
        """Store a state; the last two are kept.

        Raises:
            FileError: it cannot be written, or the folder is gone.
        """
        self.writing(self._log.sync)
        self.writing(lambda: self._checkpoints.save(step, tensors, counters))

    def latest_checkpoint(self) -> State | None:
        """The newest state that is whole, or None where there is none."""
        return self._checkpoints.latest()

    def save_round(self, number: int, tables: Mapping[str, Tensor], of: str) -> None:
        """Store tables as a round of weighing left them; ``of``: sha256 of the weights before all.

        Raises:
            FileError: it cannot be written, or the folder is gone.
        """
        about = {"round": number, "of": of}
        self.writing(lambda: self._rounds.save(number, tables, about))

    def latest_round(self, of: str) -> tuple[dict[str, Tensor], int]:
        """The tables after the last round that is whole, and its number; 0 where there is none.

        Rounds that are damaged or of other weights are taken away.

        Raises:
            FileError: the folder cannot be written.
        """
        tables, about = self._rounds.latest() or ({}, {})
        number = int(about["round"]) if about.get("of") == of else 0
        self._rounds.tidy(number)
        return (tables if number else {}), number

    def mend(self, step: int) -> None:
        """Take away what a sudden death left behind, before going on from ``step``."""
        self._log.mend()
        self._checkpoints.tidy(step)

    def sample(self, step: int) -> Path:
        """Where the small piece written after ``step`` lies."""
        return self.path / "samples" / f"step-{step}.json"

    def write_result(self, result: Mapping[str, Any]) -> None:
        """Write ``result.json``; the run is done."""
        text = json.dumps(result, indent=2) + "\n"
        self.writing(lambda: paths.write_text(self.path / "result.json", text))

    def result(self) -> dict[str, Any] | None:
        """What ``write_result`` wrote; None while the run is not done.

        Raises:
            FileError: it is damaged.
        """
        return read_table(self.path / "result.json")

    def writing(self, write: Callable[[], object]) -> None:
        """Let ``write`` put something into the folder.

        Raises:
            FileError: the folder is gone, the disk is full, or it may not be written.
        """
        if not (self.path / "run.json").exists():  # writing would make the folder anew, half empty
            raise FileError(f"the folder of the run, {self.path}, is gone: the run cannot go on")
        try:
            write()
        except FileError as reason:
            raise _explained(reason, self.path) from reason


def state_of(folder: Path, result: str) -> RunState:
    """The state of the run or study in ``folder``.

    Args:
        folder: with a lock, ``events.jsonl`` and, once it is done, a result.
        result: name of the file that says it is done.
    """
    last = EventLog(folder / "events.jsonl").last()
    name = str(last.get("event")) if last else ""
    if folder_lock.writer(folder) is not None:
        return "paused" if name.endswith("Paused") else "running"
    if (folder / result).is_file():
        return "finished"
    if not name:
        return "queued"
    if not name.endswith("Stopped"):
        return "crashed"
    return "cancelled" if last and last.get("saved") is False else "stopped"


def check_version(path: Path, name: str, version: int) -> None:
    """See that a folder is of the kind and version this program reads.

    Args:
        path: the file that says so; older folders have none.
        name: the format's name.
        version: the one expected.

    Raises:
        UsageError: it is another.
    """
    about = read_table(path) or {"format": name, "version": 1}
    if about.get("format") != name:
        raise UsageError(
            f"{path.parent} is of format {about.get('format')!r}, expected {name!r}: "
            "choose another folder"
        )
    if about.get("version") != version:
        found = about.get("version")
        newer = isinstance(found, int) and found > version
        remedy = "update musicrel to use it" if newer else "start it anew in another folder"
        raise UsageError(
            f"{path.parent} is of format version {found!r}, this program reads {version}: {remedy}"
        )


def read_table(path: Path) -> dict[str, Any] | None:
    """The JSON object in ``path``; None where there is no such file.

    Raises:
        FileError: it cannot be read, or holds no object.
    """
    if not path.exists():
        return None
    try:
        values = json.loads(paths.read_bytes(path, limit=_LARGEST_TEXT))
    except (ValueError, RecursionError) as reason:
        raise FileError(f"{path} is damaged: it is no JSON") from reason
    if not isinstance(values, dict):
        raise FileError(f"{path} is damaged: it holds no JSON object")
    return values


def _explained(reason: FileError, folder: Path) -> FileError:
    """``reason``, or what to do about a full disk."""
    cause: BaseException | None = reason
    while cause is not None and not isinstance(cause, OSError):
        cause = cause.__cause__
    if isinstance(cause, OSError) and cause.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return FileError(
            f"the disk of {folder} is full: what was saved before is whole, make room and resume"
        )
    return reason
