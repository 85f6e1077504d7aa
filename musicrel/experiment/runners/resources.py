"""The resources that a run takes, and how many runs this machine has room for."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

import psutil

from musicrel.experiment.recipe.recipe import Recipe

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
        cpus=max(recipe.resources.cpus, threads), gpus=gpus, memory=memory_bytes(recipe, parameters)
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
