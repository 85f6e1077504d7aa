"""The parts of ``musicrel bench`` that need no window: each returns its rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from musicrel.bench import (
    ablation,
    decoder,
    limit,
    lockstep,
    overhead,
    projects,
    rewriting,
    sound,
    training,
    writing,
)
from musicrel.bench.timing import Row

PARTS: Final[Mapping[str, Callable[[str, int], list[Row]]]] = {
    "writing": writing.rows,
    "rewriting": rewriting.rows,
    "lockstep": lockstep.rows,
    "ablation": ablation.rows,
    "decoder": decoder.rows,
    "limit": limit.rows,
    "training": training.rows,
    "overhead": overhead.rows,
    "sound": lambda _device, _threads: sound.rows(),
    "projects": lambda _device, _threads: projects.rows(),
}
"""By name, functions of the device and the number of threads."""
