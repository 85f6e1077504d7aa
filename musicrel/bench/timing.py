"""What all parts of ``musicrel bench`` share: a row of the table, and fair timing.

This file knows figures; it knows nothing of what is measured.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Final

REPEATS: Final = 3

Row = dict[str, Any]


def row(
    name: str, value: float, unit: str, ratio_to: str | None = None, ratio: float | None = None
) -> Row:
    """One figure, with its ratio to another one of the same run where there is one."""
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
    """The fewest seconds each needs; they take turns, so that what disturbs one disturbs all."""
    seconds = dict.fromkeys(contenders, float("inf"))
    for _ in range(repeats):
        for name, work in contenders.items():
            began = time.perf_counter()
            work()
            seconds[name] = min(seconds[name], time.perf_counter() - began)
    return seconds
