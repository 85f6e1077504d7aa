"""The part of a run on a cluster that lives on a node: it starts the run's process and watches it.

The run ends with its host. torch is not imported here: a host takes little memory beside the run.

Machines that share no storage send what has changed of a folder since the last time: the new lines
of logs, whole files else. Files are read before logs and written after them, so that the copy never
has a checkpoint whose events it lacks.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final, Protocol, TypeAlias

import psutil

from musicrel import paths, untrusted
from musicrel.errors import FileError, MusicrelError
from musicrel.experiment.runners.resources import Resources
from musicrel.experiment.runs import child_process, folder_lock, run_control
from musicrel.experiment.runs.events import Node

Files: TypeAlias = Mapping[str, bytes]

_OWN: Final = (folder_lock.LOCK, folder_lock.ALIVE, run_control.CONTROL)
_LOG: Final = ".jsonl"
_MARK: Final = "result.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    lines: Mapping[str, tuple[int, bytes]]  # new lines of logs, and the byte at which they begin
    files: Files  # new contents of other files
    removed: tuple[str, ...]  # paths of files in subfolders that are gone, such as old checkpoints


class Outbox:
    """The changes of a run folder since they were last asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._known = {name: _signature(path) for name, path in _files(folder).items()}
        self._sent: dict[str, int] = {}

    def changes(self) -> Changes:
        found = _files(self._folder)
        files: dict[str, bytes] = {}
        for name, path in found.items():
            signature = _signature(path)
            if not name.endswith(_LOG) and self._known.get(name) != signature:
                with suppress(FileNotFoundError):  # it was replaced by a newer one meanwhile
                    files[name] = path.read_bytes()
                    self._known[name] = signature
        removed = tuple(name for name in self._known if name not in found and "/" in name)
        if not (self._folder / "recipe.toml").exists():  # deleted by a cleaner of temporary files
            removed = ()
        for name in removed:
            del self._known[name]
        logs = [name for name in found if name.endswith(_LOG)]
        lines = {name: self._new_lines(name, found[name]) for name in logs}
        return Changes(
            lines={name: new for name, new in lines.items() if new[1]}, files=files, removed=removed
        )

    def _new_lines(self, name: str, path: Path) -> tuple[int, bytes]:
        """Return the complete lines that were not sent yet, and where they begin."""
        begin = self._sent.get(name, 0)
        with path.open("rb") as file:
            file.seek(begin)
            content = file.read()
        content = content[: content.rfind(b"\n") + 1]
        self._sent[name] = begin + len(content)
        return begin, content


def read_all(folder: Path) -> dict[str, bytes]:
    """Return all files of a run folder that another machine needs to resume the run."""
    with paths.explained(f"read {folder}"):
        return {name: path.read_bytes() for name, path in _files(folder).items()}


def write_all(folder: Path, files: Files) -> None:
    for name, content in files.items():
        paths.write_bytes(_inside(folder, name), content)


def apply(folder: Path, changes: Changes) -> None:
    """Write changes into the copy of a run folder: logs first, the mark of its end last."""
    if not folder.is_dir():
        raise FileError(f"the folder of the run, {folder}, was deleted: the run cannot continue")
    for name, (begin, content) in changes.lines.items():
        _write_at(_inside(folder, name), begin, content)
    for name in sorted(changes.files, key=_order):
        paths.write_bytes(_inside(folder, name), changes.files[name])
    for name in changes.removed:
        with suppress(OSError):  # harmless: an old checkpoint
            _inside(folder, name).unlink(missing_ok=True)


def _order(name: str) -> tuple[bool, bool, str]:
    """Return the rank of a file: tensors before the JSON that vouches for them, results last."""
    return name == _MARK, name.endswith(".json"), name


def _inside(folder: Path, name: str) -> Path:
    parts = PurePosixPath(name).parts
    if not parts or ".." in parts or PurePosixPath(name).is_absolute():
        raise FileError(f"the node sent a file {name!r}: expected one inside the run's folder")
    return folder.joinpath(*parts)


def _write_at(path: Path, begin: int, content: bytes) -> None:
    with paths.explained(f"write {path}"):
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = "r+b" if path.exists() else "w+b"
        with open(path, mode, opener=untrusted.descriptor) as file:
            file.truncate(begin)
            file.seek(begin)
            file.write(content)


def _files(folder: Path) -> dict[str, Path]:
    """Return the files of a run that machines exchange, by their path in its folder."""
    return {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.name not in _OWN and not path.name.startswith(".") and path.is_file()
    }


def _signature(path: Path) -> tuple[int, int] | None:
    try:
        about = path.stat()
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size


_TERMINATION_SECONDS: Final = 10.0
_PREFIX: Final = "musicrel-run-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    node: str  # name of its machine
    code: int | None = None  # exit code of the run's process; None while it runs
    problem: str = ""  # reason why it could not be started or followed, one sentence; "" if it was
    changes: Changes | None = None  # of the folder; None if the machines share it


class RunHost:
    """A host of one run."""

    def __init__(
        self,
        program: Sequence[str] = child_process.PROGRAM,
        node: str | None = None,
        *,
        survives: bool = False,
    ) -> None:
        self._program, self._survives = program, survives
        self._node = socket.gethostname() if node is None else node
        self.process: subprocess.Popen[bytes] | None = None
        self._folder: Path | None = None
        self._outbox: Outbox | None = None

    def start(self, folder: str, options: Sequence[str], files: Files | None) -> Answer:
        """Start the run's process."""
        if files is None and not Path(folder).is_dir():
            return self._answer(
                f"the node {self._node} has no folder {folder}: put the study on storage that all "
                "nodes share, or give --fetch"
            )
        try:
            self._folder = Path(folder) if files is None else self._copy(files)
            self.process = child_process.start(
                self._folder, options, self._program, ends_with_parent=not self._survives
            )
        except (MusicrelError, OSError) as reason:
            return self._answer(f"cannot start the run: {reason}")
        return self._answer()

    def report(self, requests: bytes) -> Answer:
        if requests and self._folder is not None:
            path = self._folder / run_control.CONTROL
            try:
                with open(path, "ab", opener=untrusted.descriptor) as file:
                    file.write(requests)
            except OSError as reason:
                return self._answer(f"cannot write {path}: {paths.describe_os_error(reason)}")
        return self._answer()

    def cancel(self) -> Answer:
        """End the process without saving, and return the last changes."""
        if self._folder is not None and self.process is not None:
            try:
                run_control.send_request(self._folder, "cancel")
                self.process.wait(_TERMINATION_SECONDS)
            except (FileError, subprocess.TimeoutExpired):
                self.process.kill()
                self.process.wait()
        return self._answer()

    def close(self) -> Answer:
        """Kill the process if it is still running, and delete a temporary folder."""
        if self.process is not None:
            with self.process as process:
                process.kill()
        if self._outbox is not None and self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        return Answer(node=self._node, code=0)

    def _copy(self, files: Files) -> Path:
        """Return a new temporary folder with ``files``; those of killed hosts are deleted."""
        here = psutil.Process().pid
        for old in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
            pid = old.name.removeprefix(_PREFIX).partition("-")[0]
            if pid.isdecimal() and not psutil.pid_exists(int(pid)):
                shutil.rmtree(old, ignore_errors=True)
        folder = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{here}-"))
        write_all(folder, files)
        self._outbox = Outbox(folder)
        return folder

    def _answer(self, problem: str = "") -> Answer:
        code = None if self.process is None else self.process.poll()  # before the last changes
        changes = None if self._outbox is None else self._outbox.changes()
        return Answer(node=self._node, code=code, problem=problem, changes=changes)


class LocalHost(RunHost):
    def __init__(self, program: Sequence[str]) -> None:
        super().__init__(program, node="", survives=True)
        self._last: Answer | None = None

    def call(self, method: str, *arguments: object) -> None:
        self._last = getattr(self, method)(*arguments)

    def answer(self, seconds: float = 0.0) -> Answer | None:
        del seconds
        return self._last

    def release(self) -> None:
        """Do nothing: there is no place to free."""


class NodeLostError(MusicrelError):
    """The node of a host, or the host's process there, does not exist any more."""


class Host(Protocol):
    """A ``RunHost`` that has, or waits for, a place on a node. One call is answered at a time."""

    def call(self, method: str, *arguments: object) -> None:
        """Call a method of the ``RunHost`` without waiting for the answer."""
        ...

    def answer(self, seconds: float = 0.0) -> Answer | None:
        """Return the answer to the last call; None if it has not arrived after ``seconds``."""
        ...

    def release(self) -> None:
        """End the host and every process it started, and free its place."""
        ...


class Cluster(Protocol):
    def place(self, needs: Resources) -> Host:
        """Return a new host; it gets its place as soon as a node has the resources free."""
        ...

    def nodes(self) -> tuple[Node, ...]:
        """Return all nodes with processors, lost ones, too; a lost cluster has none."""
        ...
