"""The part of a run on a cluster that lives on a node: it starts the run's process and watches it.

The run is a child process, as on this machine, and ends with its host. torch is not imported here:
a host takes little memory beside the run.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

from musicrel import gate, paths
from musicrel.errors import FileError, MusicrelError
from musicrel.experiment.runners import mirror
from musicrel.experiment.runners.mirror import Changes, Files, Outbox
from musicrel.experiment.runs import child_process, run_control

_TERMINATION_SECONDS: Final = 10.0
_PREFIX: Final = "musicrel-run-"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    node: str  # name of its machine
    code: int | None = None  # exit code of the run's process; None while it runs
    problem: str = ""  # reason why it could not be started or followed, one sentence; "" if it was
    changes: Changes | None = None  # of the folder; None if the machines share it


class RunHost:
    """A host of one run.

    Args:
        node: name of its node; "": that of its machine.
    """

    def __init__(self, program: Sequence[str] = child_process.PROGRAM, node: str = "") -> None:
        self._program, self._node = program, node or socket.gethostname()
        self.process: subprocess.Popen[bytes] | None = None
        self._folder: Path | None = None
        self._outbox: Outbox | None = None

    def start(self, folder: str, options: Sequence[str], files: Files | None) -> Answer:
        """Start the run's process.

        Args:
            files: contents of the folder, to be copied to a temporary one; None: it is shared.
        """
        if files is None and not Path(folder).is_dir():
            return Answer(
                node=self._node,
                problem=f"the node {self._node} has no folder {folder}: put the study on "
                "storage that all nodes share, or give --fetch",
            )
        try:
            self._folder = Path(folder) if files is None else self._copy(files)
            self.process = child_process.start(
                self._folder, options, self._program, ends_with_parent=True
            )
        except (MusicrelError, OSError) as reason:
            return Answer(node=self._node, problem=f"cannot start the run: {reason}")
        return self._answer()

    def report(self, requests: bytes) -> Answer:
        """Return the state of the process, and what has changed."""
        if requests and self._folder is not None:
            path = self._folder / run_control.CONTROL
            try:
                with open(path, "ab", opener=gate.descriptor) as file:
                    file.write(requests)
            except OSError as reason:
                problem = f"cannot write {path}: {paths.describe_os_error(reason)}"
                return Answer(node=self._node, problem=problem)
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
        mirror.write_all(folder, files)
        self._outbox = Outbox(folder)
        return folder

    def _answer(self) -> Answer:
        code = None if self.process is None else self.process.poll()  # before the last changes
        changes = None if self._outbox is None else self._outbox.changes()
        return Answer(node=self._node, code=code, changes=changes)
