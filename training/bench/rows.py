"""Rows of the table of ``musicrel bench``, and fair timing; no torch, for the start of the app."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

REPEATS: Final = 3
BARS: Final = 16

Row: TypeAlias = dict[str, Any]
Work: TypeAlias = Callable[[], object]


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


def best(contenders: Mapping[str, Work], repeats: int = REPEATS) -> dict[str, float]:
    """Return the fewest seconds of each; they take turns, so that a disturbance affects all."""
    seconds = dict.fromkeys(contenders, float("inf"))
    for _ in range(repeats):
        for name, work in contenders.items():
            start = time.perf_counter()
            work()
            seconds[name] = min(seconds[name], time.perf_counter() - start)
    return seconds


def milliseconds(works: Mapping[str, Work]) -> list[Row]:
    return [row(name, 1e3 * taken, "ms") for name, taken in best(works).items()]


def each_beside_the_last(works: Mapping[str, Work]) -> list[Row]:
    found: list[Row] = []
    last: tuple[str, float] | None = None
    for name, taken in best(works).items():
        found.append(row(name, taken, "s", *((last[0], taken / last[1]) if last else ())))
        last = name, taken
    return found


def speeds(works: Mapping[str, Work], tokens: Mapping[str, int]) -> list[Row]:
    found = {name: tokens[name] / taken for name, taken in best(works).items()}
    first, *others = found
    return [
        row(first, found[first], "tokens/s"),
        *(row(name, found[name], "tokens/s", first, found[name] / found[first]) for name in others),
    ]
