"""The interface of all runners, and what happens to the runs they are given.

A runner runs the training runs that are queued in folders. Whatever the runner, a run leaves the
same files in its folder: its events are read from there, and requests reach it through the control
file there. So results do not depend on the runner, and a study that was started with one can be
finished with another.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from musicrel.experiment.runs import run_control
from musicrel.jobs import Control

RunnerState = Literal["waiting", "running", "ended"]
"""Waiting for a free machine, running, or ended: finished, stopped or failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPoll:
    state: RunnerState
    node: str = ""  # name of the machine it runs on; "" for this one, or while it waits
    losses: int = 0  # how often the machine it ran on was lost


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A machine of a cluster."""

    name: str  # its name, distinct in its cluster
    cpus: int  # number of its processors
    gpus: int = 0
    alive: bool = True  # False once it is lost


class Runner(Protocol):
    """A way to run the training runs queued in folders."""

    @property
    def slots(self) -> int:
        """Return the number of runs that may be submitted at a time."""
        ...

    def nodes(self) -> tuple[Node, ...]:
        """Return the machines of the cluster, lost ones, too; empty if runs are on this one."""
        ...

    def submit(self, folder: Path, control: Control) -> None:
        """Start or resume the run in ``folder``; a run that is already running is joined."""
        ...

    def poll(self, folder: Path) -> RunPoll:
        """Pass on new requests and return the state of a submitted run.

        The events that led to this state are in the folder when this returns.
        """
        ...

    def cancel(self, folder: Path) -> None:
        """End a run without saving; no process of it is left when this returns.

        A run that is not submitted is ignored.
        """
        ...

    def collect(self, folder: Path) -> None:
        """Complete the folder of a run that has ended, and forget the run."""
        ...


class Requests:
    """The requests of a control, forwarded to the control file of a run as they change."""

    def __init__(self, folder: Path, control: Control) -> None:
        self._folder, self._control = folder, control
        self._sent = "run"

    @property
    def stopped(self) -> bool:
        return self._control.command() == "stop"

    def forward(self) -> None:
        """Write the current request to the control file unless it is the last one written."""
        command = self._control.command()
        if command != self._sent:
            run_control.send_request(self._folder, "resume" if command == "run" else command)
            self._sent = command

    def start_again(self) -> None:
        """Forward a request once more, to a new process that knows of none."""
        self._sent = "run"
