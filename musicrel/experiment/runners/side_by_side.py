"""Runs of a study, as many side by side as the runner has slots for."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from musicrel.errors import MusicrelError
from musicrel.experiment.runners.runner import Node, Runner, RunPoll
from musicrel.experiment.runs import run_control
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.training.train_events import (
    TrainEvent,
    TrainPaused,
    TrainResumed,
    TrainStarted,
    TrainStopped,
    from_json,
)
from musicrel.jobs import Control, RunCommand

_POLL_SECONDS: Final = 0.1
_CHANGES: Final = (TrainStarted, TrainPaused, TrainResumed, TrainStopped)
"""Events after which a run is paused, or is not."""


@dataclass(frozen=True, slots=True)
class Began:
    """A run is submitted."""

    folder: Path


@dataclass(frozen=True, slots=True)
class Happened:
    """An event of a run; None: no new event, so that the consumer is called regularly."""

    folder: Path
    event: TrainEvent | None


@dataclass(frozen=True, slots=True)
class Placed:
    """A run has a place on a machine of a cluster."""

    folder: Path
    node: str


@dataclass(frozen=True, slots=True)
class NodesFound:
    """The machines of the cluster, at first and whenever one is added or lost."""

    nodes: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Lost:
    """The machine of a run was lost; the run continues from its last checkpoint elsewhere."""

    folder: Path
    node: str


@dataclass(frozen=True, slots=True)
class Ended:
    """A run is finished, or stopped by a request."""

    folder: Path


@dataclass(frozen=True, slots=True)
class Paused:
    """All submitted runs are paused."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """A run continues after a pause of all."""


RunnerEvent: TypeAlias = Began | Placed | Happened | Lost | Ended | Paused | Resumed | NodesFound


class RunFailedError(MusicrelError):
    def __init__(self, folder: Path, reason: MusicrelError) -> None:
        super().__init__(str(reason))
        self.folder, self.reason = folder, reason


def run_side_by_side(
    folders: Sequence[Path], runner: Runner, control: Control
) -> Generator[RunnerEvent]:
    """Run the runs queued in ``folders``, in this order as far as slots are free.

    If a run fails or is stopped, the others save and end, too. Closing the generator cancels all.
    """
    queue = _Queue(folders, runner, control)
    try:
        while queue.active or (queue.waiting and queue.control.command() != "stop"):
            yield from queue.submit()
            yield from queue.poll_all()
            yield from queue.nodes()
            yield from queue.pauses()
            if queue.idle:
                yield Happened(next(iter((*queue.active, *queue.waiting, *folders))), None)
                time.sleep(_POLL_SECONDS)
    finally:
        queue.cancel()
    if queue.failure is not None:
        raise queue.failure from queue.failure.reason


class _StopAll:
    """A control that can also be stopped from here."""

    def __init__(self, control: Control) -> None:
        self._control = control
        self.stopped = False

    def command(self) -> RunCommand:
        return "stop" if self.stopped else self._control.command()


class _Active:
    """A submitted run: how far its log was read, and what is known of it."""

    def __init__(self, folder: Path) -> None:
        self.log = RunFolder(folder).log
        self.offset = self.log.end_offset()
        self.last = RunPoll(state="waiting")
        self.paused = False


class _Queue:
    """The runs that wait, and those that are submitted."""

    def __init__(self, folders: Sequence[Path], runner: Runner, control: Control) -> None:
        self.waiting, self.active = deque(folders), dict[Path, _Active]()
        self.control = _StopAll(control)
        self.failure: RunFailedError | None = None
        self.idle = True
        self._runner, self._paused = runner, False
        self._nodes: tuple[Node, ...] = ()

    def submit(self) -> Generator[RunnerEvent]:
        """Submit as many runs as there are free slots."""
        while (
            self.waiting
            and len(self.active) < self._runner.slots
            and self.control.command() == "run"
        ):
            folder = self.waiting.popleft()
            yield Began(folder)
            try:
                followed = _Active(folder)
                self._runner.submit(folder, self.control)
            except MusicrelError as reason:
                self._fail(folder, reason)
            else:
                self.active[folder] = followed

    def poll_all(self) -> Generator[RunnerEvent]:
        """Poll each submitted run once."""
        self.idle = True
        for folder in [*self.active]:
            try:
                yield from self._poll(folder, self.active[folder])
            except MusicrelError as reason:
                self._fail(folder, reason)

    def nodes(self) -> Generator[RunnerEvent]:
        """Yield an event if the machines of the cluster are others than before."""
        found = self._runner.nodes()
        if found != self._nodes:
            self._nodes = found
            yield NodesFound(found)

    def pauses(self) -> Generator[RunnerEvent]:
        """Yield an event if all are paused now, or no longer."""
        requested = self.control.command() == "pause"
        submitted = [
            active.paused or (requested and active.last.state == "waiting")
            for active in self.active.values()
        ]
        paused = all(submitted) if submitted else requested
        if paused != self._paused:
            self._paused = paused
            yield Paused() if paused else Resumed()

    def cancel(self) -> None:
        """Cancel all submitted runs; they end side by side."""
        for folder in self.active:
            with suppress(MusicrelError):  # its folder was deleted
                run_control.send_request(folder, "cancel")
        while self.active:
            folder, _ = self.active.popitem()
            with suppress(MusicrelError):
                self._runner.cancel(folder)

    def _poll(self, folder: Path, active: _Active) -> Generator[RunnerEvent]:
        found, before = self._runner.poll(folder), active.last  # before the last events are read
        active.last = found
        if found.losses > before.losses:
            self.idle = False
            yield Lost(folder, before.node)
        if found.node not in ("", before.node):
            yield Placed(folder, found.node)
        yield from self._events(folder, active)
        if found.state == "ended":
            self.idle = False
            self._runner.collect(folder)
            del self.active[folder]
            yield from self._events(folder, active)
            if RunFolder(folder).result() is None:  # stopped on request, and so are the others
                self.control.stopped = True
            yield Ended(folder)

    def _events(self, folder: Path, active: _Active) -> Generator[RunnerEvent]:
        """Yield the events since the last time."""
        while True:
            lines, active.offset = active.log.follow(active.offset)
            if not lines:
                return
            self.idle = False
            for event in map(from_json, lines):
                if isinstance(event, _CHANGES):
                    active.paused = isinstance(event, TrainPaused)
                if event is not None:
                    yield Happened(folder, event)

    def _fail(self, folder: Path, reason: MusicrelError) -> None:
        self.control.stopped = True
        if self.active.pop(folder, None):
            with suppress(MusicrelError):
                self._runner.cancel(folder)
        if self.failure is None:
            self.failure = RunFailedError(folder, reason)
