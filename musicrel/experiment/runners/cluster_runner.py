"""Runs on the nodes of a cluster, each in a child process of its host there.

The folders are on storage that all nodes share, or the files are fetched back to this machine. A
run whose node is lost is placed on another one and resumes from its last checkpoint there.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

from musicrel.errors import MusicrelError
from musicrel.experiment.runners import mirror
from musicrel.experiment.runners.cluster import Cluster, Host, NodeLostError
from musicrel.experiment.runners.local_runner import cancel_joined, check_exit
from musicrel.experiment.runners.resources import Resources
from musicrel.experiment.runners.run_host import Answer
from musicrel.experiment.runners.runner import Node, Requests, RunnerState, RunPoll
from musicrel.experiment.runs import folder_lock, run_control
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.jobs import Control

MANY: Final = 10_000
"""Slots where the cluster decides how many runs there is room for."""
_CALL_SECONDS: Final = 0.5
_NODES_SECONDS: Final = 2.0
"""Seconds between two looks at the nodes."""
_ANSWER_SECONDS: Final = 15.0
_MAX_LOSSES: Final = 10
_STOPPED: Final = 130


class _Run:
    """A submitted run.

    Attributes:
        joined: another process runs it, which was started before.
        host: its host; None while its folder is in use.
        node: name of the host's machine; "" before its first answer.
        waits: whether a call of the host is not answered yet.
        losses: number of hosts that were lost while it ran.
        misses: number of hosts that were lost before it began.
        sent: bytes of the control file that the host knows.
        lock: holds the lock of a folder whose files are fetched.
    """

    def __init__(self, folder: Path, control: Control) -> None:
        self.folder, self.requests = folder, Requests(folder, control)
        self.joined = folder_lock.writer(folder) is not None
        self.host: Host | None = None
        self.node, self.problem = "", ""
        self.waits, self.next_call = False, 0.0
        self.losses, self.misses, self.sent = 0, 0, 0
        self.code: int | None = None
        self.lock, self.locked = ExitStack(), False

    @property
    def ended(self) -> bool:
        """Return whether its process has ended, or will never be started."""
        return self.code is not None or bool(self.problem)

    def state(self) -> RunPoll:
        state: RunnerState = "running" if self.node or self.joined else "waiting"
        return RunPoll(state="ended" if self.ended else state, node=self.node, losses=self.losses)

    def is_in_use(self) -> bool:
        """Return whether another process writes in the folder."""
        return not self.locked and folder_lock.writer(self.folder) is not None

    def new_requests(self) -> bytes:
        """Return the lines of the control file that the host does not know."""
        try:
            with (self.folder / run_control.CONTROL).open("rb") as file:
                file.seek(self.sent)
                content = file.read()
        except OSError:
            return b""
        self.sent += len(content)
        return content

    def take(self, answer: Answer) -> None:
        """Take over an answer of the host."""
        self.waits = False
        self.node = answer.node
        if answer.changes is not None:
            mirror.apply(self.folder, answer.changes)
        self.code, self.problem = answer.code, answer.problem


class ClusterRunner:
    """Runs on the nodes of a cluster.

    Args:
        fetch: fetch the files back; False: all nodes share the folders.
        clock: returns seconds.
    """

    def __init__(
        self,
        cluster: Cluster,
        options: Sequence[str],
        needs: Callable[[Path], Resources],
        *,
        slots: int = MANY,
        fetch: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.slots = slots
        self._cluster, self._options, self._needs = cluster, tuple(options), needs
        self._fetch, self._clock = fetch, clock
        self._runs: dict[Path, _Run] = {}
        self._nodes: tuple[Node, ...] = ()
        self._next_look = -math.inf

    def nodes(self) -> tuple[Node, ...]:
        now = self._clock()
        if now >= self._next_look:
            self._next_look = now + _NODES_SECONDS
            self._nodes = self._cluster.nodes()
        return self._nodes

    def submit(self, folder: Path, control: Control) -> None:
        self._runs[folder] = _Run(folder, control)
        self._place(self._runs[folder])

    def poll(self, folder: Path) -> RunPoll:
        run = self._runs[folder]
        try:
            if run.host is None:
                self._place(run)
            else:
                self._exchange(run, run.host)
        except NodeLostError as reason:
            _lose(run, str(reason))
        return run.state()

    def cancel(self, folder: Path) -> None:
        run = self._runs.pop(folder, None)
        if run is None:
            return
        with run.lock:
            if run.host is None:
                if run.joined:
                    cancel_joined(folder)
                return
            try:
                if run.node and _has_answered(run, run.host):
                    run.host.call("cancel")
                    run.waits = True
                    _has_answered(run, run.host)
            except NodeLostError:
                pass  # and its processes with it
            finally:
                _close(run, run.host)

    def collect(self, folder: Path) -> None:
        run = self._runs.pop(folder)
        with run.lock:
            if run.host is not None:
                _close(run, run.host)
        if run.problem:
            raise MusicrelError(run.problem)
        check_exit(folder, run.code or 0)

    def _place(self, run: _Run) -> None:
        """Ask for a place on a node, unless another process still writes in the folder."""
        if run.is_in_use():
            if run.joined:
                run.requests.forward()
            return
        survived = run.joined and RunFolder(run.folder).state() != "crashed"
        run.joined = False
        if survived or run.requests.stopped:
            run.code = _STOPPED
            return
        if self._fetch and not run.locked:
            run.lock.enter_context(folder_lock.writer_lock(run.folder))
            run.locked = True
        run.sent = run_control.end_offset(run.folder)
        run.requests.start_again()
        files = mirror.read_all(run.folder) if self._fetch else None
        run.host = self._cluster.place(self._needs(run.folder))
        self._call(run, run.host, "start", str(run.folder.resolve()), self._options, files)

    def _exchange(self, run: _Run, host: Host) -> None:
        """Take an answer of the host, pass on requests, and ask again."""
        if run.waits and (answer := host.answer()) is not None:
            run.take(answer)
            run.next_call = self._clock() + _CALL_SECONDS
        if not run.node:
            if run.requests.stopped:  # no place was free so far
                run.code = _STOPPED
            return
        if not run.ended:
            run.requests.forward()
            if not run.waits and self._clock() >= run.next_call:
                self._call(run, host, "report", run.new_requests() if self._fetch else b"")

    @staticmethod
    def _call(run: _Run, host: Host, method: str, *arguments: object) -> None:
        host.call(method, *arguments)
        run.waits = True


def _lose(run: _Run, reason: str) -> None:
    """Give up the host; the next poll places the run again."""
    if run.host is not None:
        run.host.release()
    if run.node:
        run.losses += 1
    else:
        run.misses += 1
    if max(run.losses, run.misses) > _MAX_LOSSES:
        where = f"the last time {run.node}" if run.node else "each time before it began"
        run.problem = f"its node was lost {_MAX_LOSSES + 1} times, {where}: {reason}"
    run.host, run.node, run.waits = None, "", False


def _has_answered(run: _Run, host: Host) -> bool:
    """Wait for the answer to the last call and take it over; return whether it has arrived."""
    if run.waits and (answer := host.answer(_ANSWER_SECONDS)) is not None:
        run.take(answer)
    return not run.waits


def _close(run: _Run, host: Host) -> None:
    """End a host in order if it answers, else by force; one that waits for a place does not."""
    with suppress(NodeLostError):
        if run.node or not run.waits:
            host.call("close")
            host.answer(_ANSWER_SECONDS)
    host.release()
