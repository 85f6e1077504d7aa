"""Rows of the table of ``musicrel bench``, and fair timing."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Final

REPEATS: Final = 3

Row = dict[str, Any]


def row(
    name: str, value: float, unit: str, ratio_to: str | None = None, ratio: float | None = None
) -> Row:
    """Return a figure, with its ratio to another one of the same run if there is one."""
    return {
        "name": name,
        "value": round(value, 3),
        "unit": unit,
        "ratio_to": ratio_to,
        "ratio": None if ratio is None else round(ratio, 3),
    }


def best(
    contenders: Mapping[str, Callable[[], object]], repeats: int = REPEATS
) -> dict[str, float]:
    """Return the fewest seconds of each; they take turns, so that a disturbance affects all."""
    seconds = dict.fromkeys(contenders, float("inf"))
    for _ in range(repeats):
        for name, work in contenders.items():
            start = time.perf_counter()
            work()
            seconds[name] = min(seconds[name], time.perf_counter() - start)
    return seconds
