"""Runs in child processes of hosts, on this machine or the nodes of a cluster, or in this process.

A run on this machine survives its parent. On a cluster the folders are on storage that all nodes
share, or the files are fetched back to this machine; a run whose node is lost is placed on another
one and resumes from its last checkpoint there. A run receives requests through its folder, and its
events are read from there. One that is already running is joined, not started a second time.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

import torch

from musicrel.errors import MusicrelError
from musicrel.experiment.recipe import recipe
from musicrel.experiment.runners import run_host
from musicrel.experiment.runners.run_host import (
    Answer,
    Cluster,
    Host,
    LocalHost,
    NodeLostError,
)
from musicrel.experiment.runners.runner import Resources, Runner, RunnerState, RunPoll
from musicrel.experiment.runs import child_process, folder_lock, run_control
from musicrel.experiment.runs.events import Node, TrainEvent, TrainResult
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.jobs import Control, Job

MANY: Final = 10_000
"""Slots where the cluster decides how many runs there is room for."""
_TERMINATION_SECONDS: Final = 10.0
_POLL_SECONDS: Final = 0.1
_CALL_SECONDS: Final = 0.5
"""From an answer of a host on a cluster to the next question."""
_NODES_SECONDS: Final = 2.0
"""From one look at the nodes of a cluster to the next."""
_ANSWER_SECONDS: Final = 15.0
_MAX_LOSSES: Final = 10
_STOPPED: Final = 130


class _Run:
    """A submitted run."""

    def __init__(self, folder: Path, control: Control) -> None:
        self.folder, self._control, self._sent = folder, control, "run"
        self.joined = folder_lock.writer(folder) is not None  # another process runs it already
        self.host: Host | None = None  # None while its folder is in use
        self.begun, self.node, self.problem = False, "", ""  # begun once the host has answered
        self.waits, self.next_call = False, 0.0  # whether a call of the host is not answered yet
        self.losses, self.misses = 0, 0  # hosts lost while it ran, and before it began
        self.sent = 0  # bytes of the control file that the host knows
        self.code: int | None = None
        self.lock, self.locked = ExitStack(), False  # of a folder whose files are fetched

    @property
    def stopped(self) -> bool:
        return self._control() == "stop"

    def start_again(self) -> None:
        """Forward a request once more, to a new process that knows of none."""
        self._sent = "run"

    def forward(self) -> None:
        """Write the current request to the control file unless it is the last one written."""
        command = self._control()
        if command != self._sent:
            run_control.send_request(self.folder, "resume" if command == "run" else command)
            self._sent = command

    @property
    def ended(self) -> bool:
        """Return whether its process has ended, or will never be started."""
        return self.code is not None or bool(self.problem)

    def state(self) -> RunPoll:
        state: RunnerState = "running" if self.begun or self.joined else "waiting"
        return RunPoll(state="ended" if self.ended else state, node=self.node, losses=self.losses)

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
        self.waits, self.begun = False, True
        self.node = answer.node
        if answer.changes is not None:
            run_host.apply(self.folder, answer.changes)
        self.code, self.problem = answer.code, answer.problem


class LocalRunner(Runner):
    """Runs on this machine, several side by side if there is room."""

    def __init__(
        self,
        device: str = "auto",
        threads: int = 1,
        slots: int = 1,
        program: Sequence[str] = child_process.PROGRAM,
    ) -> None:
        self.slots, self._program = slots, program
        self._options = ("--device", device, "--threads", str(threads))
        self._fetch = False  # whether files are fetched back; else the hosts share the folders
        self._call_seconds = 0.0  # between two questions to a host
        self._clock: Callable[[], float] = time.monotonic
        self._runs: dict[Path, _Run] = {}

    def _host(self, folder: Path) -> Host:
        del folder
        return LocalHost(self._program)

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
                    _cancel_joined(folder)
                return
            try:
                if run.waits and (answer := run.host.answer()) is not None:
                    run.take(answer)  # it may have begun since the last poll
                if run.begun and _has_answered(run, run.host):
                    self._call(run, run.host, "cancel")
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
        if run.code not in (None, 0, _STOPPED):  # negative for a signal
            line = child_process.last_line(folder) or f"its process ended with {run.code}"
            raise MusicrelError(line.removeprefix("musicrel train: "))

    def _place(self, run: _Run) -> None:
        """Ask for a place on a node, unless another process still writes in the folder."""
        if not run.locked and folder_lock.writer(run.folder) is not None:
            if run.joined:
                run.forward()
            return
        survived = run.joined and RunFolder(run.folder).state() != "crashed"
        run.joined = False
        if survived or run.stopped:
            run.code = _STOPPED
            return
        if self._fetch and not run.locked:
            run.lock.enter_context(folder_lock.writer_lock(run.folder))
            run.locked = True
        run.sent = run_control.end_offset(run.folder)
        run.start_again()
        files = run_host.read_all(run.folder) if self._fetch else None
        run.host = self._host(run.folder)
        self._call(run, run.host, "start", str(run.folder.resolve()), self._options, files)

    def _exchange(self, run: _Run, host: Host) -> None:
        """Take an answer of the host, pass on requests, and ask again."""
        if run.waits and (answer := host.answer()) is not None:
            run.take(answer)
            run.next_call = self._clock() + self._call_seconds
        if not run.begun:
            if run.stopped:  # no place was free so far
                run.code = _STOPPED
            return
        if not run.ended:
            run.forward()
            if not run.waits and self._clock() >= run.next_call:
                self._call(run, host, "report", run.new_requests() if self._fetch else b"")

    @staticmethod
    def _call(run: _Run, host: Host, method: str, *arguments: object) -> None:
        host.call(method, *arguments)
        run.waits = True


class ClusterRunner(LocalRunner):
    """Runs on the nodes of a cluster; ``fetch`` if they do not share the folders."""

    def __init__(
        self,
        cluster: Cluster,
        needs: Callable[[Path], Resources],
        device: str = "auto",
        threads: int = 1,
        slots: int = MANY,
        *,
        fetch: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(device, threads, slots)
        self._cluster, self._needs, self._fetch = cluster, needs, fetch
        self._call_seconds, self._clock = _CALL_SECONDS, clock
        self._nodes: tuple[Node, ...] = ()
        self._next_look = -math.inf

    def nodes(self) -> tuple[Node, ...]:
        now = self._clock()
        if now >= self._next_look:
            self._next_look = now + _NODES_SECONDS
            self._nodes = self._cluster.nodes()
        return self._nodes

    def _host(self, folder: Path) -> Host:
        return self._cluster.place(self._needs(folder))


def _lose(run: _Run, reason: str) -> None:
    """Give up the host; the next poll places the run again."""
    if run.host is not None:
        run.host.release()
    if run.begun:
        run.losses += 1
    else:
        run.misses += 1
    if max(run.losses, run.misses) > _MAX_LOSSES:
        where = f"the last time {run.node}" if run.begun else "each time before it began"
        run.problem = f"its node was lost {_MAX_LOSSES + 1} times, {where}: {reason}"
    run.host, run.node, run.begun, run.waits = None, "", False, False


def _has_answered(run: _Run, host: Host) -> bool:
    """Wait for the answer to the last call and take it over; return whether it has arrived."""
    if run.waits and (answer := host.answer(_ANSWER_SECONDS)) is not None:
        run.take(answer)
    return not run.waits


def _close(run: _Run, host: Host) -> None:
    """End a host in order if it answers, else by force; one that waits for a place does not."""
    with suppress(NodeLostError):
        if run.begun or not run.waits:
            host.call("close")
            host.answer(_ANSWER_SECONDS)
    host.release()


def _cancel_joined(folder: Path) -> None:
    """Ask the writer of a run to end without saving, and wait for that for some seconds."""
    run_control.send_request(folder, "cancel")
    deadline = time.monotonic() + _TERMINATION_SECONDS
    while folder_lock.writer(folder) is not None and time.monotonic() < deadline:
        time.sleep(_POLL_SECONDS)


class InProcess(Runner):
    """Runs in this process, one at a time, one step between two polls.

    A paused run waits inside ``poll``.
    """

    slots = 1

    def __init__(self, device: torch.device | str = "cpu", threads: int = 1) -> None:
        self._device, self._threads = device, threads
        self._jobs: dict[Path, Job[TrainEvent, TrainResult]] = {}

    def submit(self, folder: Path, control: Control) -> None:
        # other runners need none of it
        from musicrel.experiment.training.train import train  # noqa: PLC0415

        queued = recipe.parse(RunFolder(folder).recipe_toml(), "recipe.toml")
        self._jobs[folder] = train(
            queued,
            folder,
            resume=True,
            device=self._device,
            threads=self._threads,
            control=control,
        )

    def poll(self, folder: Path) -> RunPoll:
        try:
            next(self._jobs[folder])
        except StopIteration:
            return RunPoll(state="ended")
        return RunPoll(state="running")

    def cancel(self, folder: Path) -> None:
        if folder in self._jobs:
            self._jobs.pop(folder).close()

    def collect(self, folder: Path) -> None:
        del self._jobs[folder]
