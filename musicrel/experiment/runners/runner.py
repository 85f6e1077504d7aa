"""The interface of all runners, and the resources that a run takes.

A runner runs the training runs that are queued in folders. Whatever the runner, a run leaves the
same files in its folder: its events are read from there, and requests reach it through the control
file there. So results do not depend on the runner, and a study that was started with one can be
finished with another.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Final, Literal, Protocol

import psutil

from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.runs.events import Node
from musicrel.jobs import Control

RunnerState = Literal["waiting", "running", "ended"]
"""Waiting for a free machine, running, or ended: finished, stopped or failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPoll:
    state: RunnerState
    node: str = ""  # name of the machine it runs on; "" for this one, or while it waits
    losses: int = 0  # how often the machine it ran on was lost


class Runner(Protocol):
    """A way to run the training runs queued in folders."""

    slots: int  # runs side by side at most

    def nodes(self) -> tuple[Node, ...]:
        """Return the machines of the cluster, lost ones, too; empty if runs are on this one."""
        return ()

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


_GIGABYTE: Final = 1e9
_PROGRAM_BYTES: Final = 500_000_000
"""A process with torch and the data, before it trains."""
_BYTES_PER_PARAMETER: Final = 24
"""Weight, gradient, two moments, average and best weights, in single precision."""
_BYTES_PER_VALUE: Final = 4
_WIDTHS, _FEEDFORWARDS, _SQUARES = 16, 3, 6
"""Tensors that a layer keeps for its gradients: as wide as the model, as its feed-forward layer,
and a number for each head and pair of positions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    cpus: int  # processor cores
    gpus: float
    memory: int  # main memory in bytes


def needs(recipe: Recipe, parameters: int, *, threads: int, gpus: float) -> Resources:
    return Resources(
        cpus=max(recipe.resources.cpus, threads),
        gpus=gpus,
        memory=memory_bytes(recipe, parameters),
    )


def memory_bytes(recipe: Recipe, parameters: int) -> int:
    """Return the memory of a run in bytes: that of its recipe, else an estimate from above."""
    if recipe.resources.memory:
        return round(recipe.resources.memory * _GIGABYTE)
    model, tokens = recipe.model, recipe.training.batch * recipe.data.window
    values = (
        _WIDTHS * model.width
        + _FEEDFORWARDS * model.feedforward
        + _SQUARES * model.heads * recipe.data.window
    )
    activations = _BYTES_PER_VALUE * tokens * model.layers * values
    return _PROGRAM_BYTES + _BYTES_PER_PARAMETER * parameters + activations


def local_slots(memory: Iterable[int], threads: int, device: str) -> int:
    """Return how many runs this machine has room for, at least one.

    Args:
        memory: what each run takes, in bytes; the largest count.
        device: the kind of device; on another than the CPU runs are not put side by side, since
            they would share its memory.
    """
    if device != "cpu":
        return 1
    most = psutil.virtual_memory().available
    fitting = sum(taken <= most for taken in accumulate(sorted(memory, reverse=True)))
    return max(1, min(fitting, cores() // threads))


def cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
