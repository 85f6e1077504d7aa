"""Runs side by side, on this machine, the nodes of a cluster or in this process.

Each run has a host, which trains it, mostly in a child process. A run receives requests through its
folder, and its events are read from there; one that is already running is joined. A run whose node
is lost resumes on another one from its last checkpoint. Whatever the host, the files are the same,
so a study that was started with one kind can be finished with another.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import torch

from musicrel.errors import MusicrelError
from musicrel.experiment.recipe import recipe
from musicrel.experiment.runners import run_host
from musicrel.experiment.runners.resources import Resources
from musicrel.experiment.runners.run_host import Answer, Cluster, Host, LocalHost, NodeLostError
from musicrel.experiment.runs import child_process, events, folder_lock, run_control
from musicrel.experiment.runs.events import Node, StudyEvent, TrainEvent, TrainResult
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.jobs import Control, Job, RunCommand

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
_NEVER: Final = Answer(node="", code=_STOPPED)
"""Of a run that was stopped before its host began it."""
_CHANGES: Final = (
    events.TrainStarted, events.TrainPaused, events.TrainResumed, events.TrainStopped,
)  # fmt: skip
"""Events after which a run is paused, or is not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Runner:
    """A way to train the runs in folders."""

    place: Callable[[Path, Control], Host]  # returns a new host for the run in a folder
    slots: int = 1  # runs side by side at most
    options: tuple[str, ...] = ()  # of the command that a host starts
    fetch: bool = False  # whether files are fetched back; else the hosts share the folders
    # whether requests are written to the folder of a run; else its host asks the control
    forwards: bool = True
    # returns the machines of a cluster, lost ones, too; none if runs are on this one
    nodes: Callable[[], tuple[Node, ...]] = tuple
    call_seconds: float = 0.0  # between two questions to a host
    clock: Callable[[], float] = time.monotonic


def local(
    device: str = "auto",
    threads: int = 1,
    slots: int = 1,
    program: Sequence[str] = child_process.PROGRAM,
) -> Runner:
    """Return a runner of child processes on this machine, several if there is room."""
    options = _options(device, threads)
    return Runner(place=lambda *_: LocalHost(program), slots=slots, options=options)


def on_cluster(
    cluster: Cluster,
    needs: Callable[[Path], Resources],
    device: str = "auto",
    threads: int = 1,
    slots: int = MANY,
    *,
    fetch: bool = False,
    clock: Callable[[], float] = time.monotonic,
) -> Runner:
    """Return a runner on the nodes of a cluster; ``fetch`` if they do not share the folders."""
    return Runner(
        place=lambda folder, _control: cluster.place(needs(folder)),
        slots=slots,
        options=_options(device, threads),
        fetch=fetch,
        nodes=cluster.nodes,
        call_seconds=_CALL_SECONDS,
        clock=clock,
    )


def in_process(device: torch.device | str = "cpu", threads: int = 1) -> Runner:
    """Return a runner of one run at a time in this process, a step between two polls.

    A paused run waits for the end of the pause within a step.
    """
    return Runner(
        place=lambda folder, control: JobHost(folder, control, device, threads), forwards=False
    )


def _options(device: str, threads: int) -> tuple[str, ...]:
    return "--device", device, "--threads", str(threads)


class JobHost:
    """A host that trains in this process."""

    def __init__(
        self, folder: Path, control: Control, device: torch.device | str, threads: int
    ) -> None:
        # other hosts need none of it
        from musicrel.experiment.training.train import train  # noqa: PLC0415

        self._job: Job[TrainEvent, TrainResult] = train(
            recipe.parse(RunFolder(folder).recipe_toml(), "recipe.toml"),
            folder,
            resume=True,
            device=device,
            threads=threads,
            control=control,
        )
        self._last = Answer(node="")

    def call(self, method: str, *_arguments: object) -> None:
        if method == "report":
            try:
                next(self._job)
            except StopIteration:
                self._last = Answer(node="", code=0)
        elif method in ("cancel", "close"):
            self._job.close()

    def answer(self, seconds: float = 0.0) -> Answer:
        del seconds
        return self._last

    def release(self) -> None:
        self._job.close()


class _Run:
    """A run that was begun: its host, how far its log was read, and what is known of it."""

    def __init__(self, folder: Path, runner: Runner, control: Control) -> None:
        self.folder, self._runner, self._control = folder, runner, control
        self._log = RunFolder(folder).log
        self._offset = self._log.end_offset()
        self.paused = False
        self._command = "run"  # the last one that was forwarded
        self._joined = folder_lock.writer(folder) is not None  # another process runs it already
        self._host: Host | None = None  # None while its folder is in use
        self._answer: Answer | None = None  # the last one of the host; None before it has begun
        self._waits, self._next_call = False, 0.0  # waits for the answer to a call of the host
        self.losses, self._misses = 0, 0  # hosts lost while it ran, and before it began
        self._sent = 0  # bytes of the control file that the host knows
        self._lock, self._locked = ExitStack(), False  # of a folder whose files are fetched

    @property
    def node(self) -> str:
        return self._answer.node if self._answer is not None else ""

    @property
    def ended(self) -> bool:
        """Return whether its process has ended, or will never be started."""
        answer = self._answer
        return answer is not None and (answer.code is not None or bool(answer.problem))

    @property
    def waiting(self) -> bool:
        """Return whether it waits for a free machine."""
        return self._answer is None and not self._joined

    def poll(self) -> None:
        """Pass on new requests; the events that led to the state are in the folder afterwards."""
        try:
            if self._host is None:
                self.place()
            else:
                self._exchange(self._host)
        except NodeLostError as reason:
            self._lose(str(reason))

    def events(self) -> Generator[TrainEvent]:
        """Yield the events that were added to its log."""
        while True:
            lines, self._offset = self._log.follow(self._offset)
            if not lines:
                return
            for event in map(events.read, lines):
                if isinstance(event, _CHANGES):
                    self.paused = isinstance(event, events.TrainPaused)
                if isinstance(event, TrainEvent):
                    yield event

    def place(self) -> None:
        """Ask for a place on a node, unless another process still writes in the folder."""
        if not self._locked and folder_lock.writer(self.folder) is not None:
            if self._joined:
                self._forward()
            return
        survived = self._joined and RunFolder(self.folder).state() != "crashed"
        self._joined = False
        if survived or self._control() == "stop":
            self._answer = _NEVER
            return
        if self._runner.fetch and not self._locked:
            self._lock.enter_context(folder_lock.writer_lock(self.folder))
            self._locked = True
        self._sent = run_control.end_offset(self.folder)
        self._command = "run"  # a new process knows of no request
        files = run_host.read_all(self.folder) if self._runner.fetch else None
        self._host = self._runner.place(self.folder, self._control)
        path = str(self.folder.resolve())
        self._call(self._host, "start", path, self._runner.options, files)

    def cancel(self) -> None:
        """End without saving; no process of it is left when this returns."""
        with self._lock:
            host = self._host
            if host is None:
                if self._joined:
                    _cancel_joined(self.folder)
                return
            try:
                self._take(host)  # it may have begun since the last poll
                if self._answer is not None and not self._take(host, _ANSWER_SECONDS):
                    self._call(host, "cancel")
                    self._take(host, _ANSWER_SECONDS)
            except NodeLostError:
                pass  # and its processes with it
            finally:
                self._close(host)

    def collect(self) -> None:
        """Complete the folder after the end."""
        with self._lock:
            if self._host is not None:
                self._close(self._host)
        code, problem = (self._answer.code, self._answer.problem) if self._answer else (0, "")
        if not problem and code not in (None, 0, _STOPPED):  # negative for a signal
            problem = child_process.last_line(self.folder) or f"its process ended with {code}"
        if problem:
            raise MusicrelError(problem.removeprefix("musicrel train: "))

    def _exchange(self, host: Host) -> None:
        """Take an answer of the host, pass on requests, and ask again."""
        if self._waits and not self._take(host):
            self._next_call = self._runner.clock() + self._runner.call_seconds
        if self._answer is None and self._control() == "stop":  # no place was free so far
            host.release()
            self._host, self._answer = None, _NEVER
        if self._answer is None or self.ended:
            return
        if self._runner.forwards:
            self._forward()
        if not self._waits and self._runner.clock() >= self._next_call:
            self._call(host, "report", self._new_requests() if self._runner.fetch else b"")

    def _call(self, host: Host, method: str, *arguments: object) -> None:
        host.call(method, *arguments)
        self._waits = True

    def _take(self, host: Host, seconds: float = 0.0) -> bool:
        """Take the answer to the last call over; return whether it has still not arrived."""
        if self._waits and (answer := host.answer(seconds)) is not None:
            self._waits, self._answer = False, answer
            if answer.changes is not None:
                run_host.apply(self.folder, answer.changes)
        return self._waits

    def _forward(self) -> None:
        """Write the current request to the control file unless it is the last one written."""
        command = self._control()
        if command != self._command:
            run_control.send_request(self.folder, "resume" if command == "run" else command)
            self._command = command

    def _new_requests(self) -> bytes:
        """Return the lines of the control file that the host does not know."""
        try:
            with (self.folder / run_control.CONTROL).open("rb") as file:
                file.seek(self._sent)
                content = file.read()
        except OSError:
            return b""
        self._sent += len(content)
        return content

    def _lose(self, reason: str) -> None:
        """Give up the host; the next poll places the run again."""
        if self._host is not None:
            self._host.release()
        begun, node = self._answer is not None, self.node
        self.losses, self._misses = self.losses + begun, self._misses + (not begun)
        self._host, self._answer, self._waits = None, None, False
        if max(self.losses, self._misses) > _MAX_LOSSES:
            where = f"the last time {node}" if begun else "each time before it began"
            problem = f"its node was lost {_MAX_LOSSES + 1} times, {where}: {reason}"
            self._answer = Answer(node="", problem=problem)

    def _close(self, host: Host) -> None:
        """End a host in order if it answers, else by force; one that waits for a place does not."""
        with suppress(NodeLostError):
            if self._answer is not None or not self._waits:
                host.call("close")
                host.answer(_ANSWER_SECONDS)
        host.release()


def _cancel_joined(folder: Path) -> None:
    """Ask the writer of a run to end without saving, and wait for that for some seconds."""
    run_control.send_request(folder, "cancel")
    deadline = time.monotonic() + _TERMINATION_SECONDS
    while folder_lock.writer(folder) is not None and time.monotonic() < deadline:
        time.sleep(_POLL_SECONDS)


def run_side_by_side(
    queued: Mapping[Path, events.RunBegan], runner: Runner, control: Control
) -> Generator[StudyEvent]:
    """Run the runs queued in folders, in this order as far as slots are free.

    If a run fails or is stopped, the others save and end, too. Closing the generator cancels all.

    Args:
        queued: by folder, the event of a run's beginning, which names it.

    Raises:
        MusicrelError: a run has failed; the message names the first one that did.
    """
    queue = _Queue(queued, runner, control)
    try:
        while queue.active or (queue.waiting and queue.command() != "stop"):
            yield from queue.begin()
            yield from queue.poll_all()
            yield from queue.nodes()
            yield from queue.pauses()
            if queue.idle:
                folder = next(iter((*queue.active, *queue.waiting, *queued)))
                yield events.RunEvent(**queue.name(folder), of_run=None)
                time.sleep(_POLL_SECONDS)
    finally:
        queue.cancel()
    if queue.failure is not None:
        raise queue.failure


class _Queue:
    """The runs that wait, and those that were begun."""

    def __init__(
        self, queued: Mapping[Path, events.RunBegan], runner: Runner, control: Control
    ) -> None:
        self.waiting, self.active = deque(queued), dict[Path, _Run]()
        self.failure: MusicrelError | None = None
        self._queued, self._runner, self._control = queued, runner, control
        self.idle, self._stopped, self._paused = True, False, False
        self._nodes: tuple[Node, ...] = ()
        self._next_look = -math.inf

    def command(self) -> RunCommand:
        return "stop" if self._stopped else self._control()

    def name(self, folder: Path) -> dict[str, Any]:
        begun = self._queued[folder]
        return {"arm": begun.arm, "seed": begun.seed, "rate": begun.rate}

    def begin(self) -> Generator[StudyEvent]:
        while self.waiting and len(self.active) < self._runner.slots and self.command() == "run":
            folder = self.waiting.popleft()
            yield self._queued[folder]
            try:
                self.active[folder] = _Run(folder, self._runner, self.command)
                self.active[folder].place()
            except MusicrelError as reason:
                self._fail(folder, reason)

    def poll_all(self) -> Generator[StudyEvent]:
        self.idle = True
        for folder in [*self.active]:
            try:
                yield from self._poll(folder, self.active[folder])
            except MusicrelError as reason:
                self._fail(folder, reason)

    def nodes(self) -> Generator[StudyEvent]:
        """Yield an event if the machines of the cluster are others than before."""
        now = self._runner.clock()
        if now < self._next_look:
            return
        self._next_look = now + _NODES_SECONDS
        found = self._runner.nodes()
        if found != self._nodes:
            self._nodes = found
            yield events.NodesChanged(nodes=found)

    def pauses(self) -> Generator[StudyEvent]:
        requested = self.command() == "pause"
        runs = [run.paused or (requested and run.waiting) for run in self.active.values()]
        paused = all(runs) if runs else requested
        if paused != self._paused:
            self._paused = paused
            yield events.StudyPaused() if paused else events.StudyResumed()

    def cancel(self) -> None:
        for folder in self.active:
            with suppress(MusicrelError):  # its folder was deleted
                run_control.send_request(folder, "cancel")
        while self.active:
            _, run = self.active.popitem()
            with suppress(MusicrelError):
                run.cancel()

    def _poll(self, folder: Path, run: _Run) -> Generator[StudyEvent]:
        name, losses, node = self.name(folder), run.losses, run.node
        run.poll()
        if run.losses > losses:
            self.idle = False
            yield events.RunLost(**name, node=node)
        if run.node not in ("", node):
            yield events.RunPlaced(**name, node=run.node)
        yield from self._events(folder, run)
        if not run.ended:
            return
        self.idle = False
        run.collect()
        del self.active[folder]
        yield from self._events(folder, run)
        result = RunFolder(folder).result()
        if result is None:  # stopped on request, and so are the others
            self._stopped = True
            return
        yield events.RunEnded(
            **name,
            valid=result.valid,
            test=result.test,
            seconds=result.seconds,
            stopped=result.stopped,
        )

    def _events(self, folder: Path, run: _Run) -> Generator[StudyEvent]:
        for event in run.events():
            self.idle = False
            yield events.RunEvent(**self.name(folder), of_run=event)

    def _fail(self, folder: Path, reason: MusicrelError) -> None:
        self._stopped = True
        if run := self.active.pop(folder, None):
            with suppress(MusicrelError):
                run.cancel()
        if self.failure is None:
            message = f"{self._queued[folder].run}: {reason}; the study can be resumed"
            self.failure = type(reason)(message)
            self.failure.__cause__ = reason
