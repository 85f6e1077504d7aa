"""Single values of a study as TOML gives them, each checked.

Every function takes what was read and, as ``where``, what it is called in messages; each raises a
UsageError where the value is not allowed.

This file knows single values; how they make a study stands in ``study``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from musicrel.errors import UsageError

MOST_RUNS: Final = 200
BUDGETS: Final = ("steps", "tokens", "minutes")

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


def budget(budget: object, where: str) -> dict[str, Any]:
    """The three budgets of a recipe, one of them above 0."""
    if not isinstance(budget, dict) or len(budget) != 1 or set(budget) - set(BUDGETS):
        raise UsageError(f"{where}: [budget] is {budget!r}: expected one of {', '.join(BUDGETS)}")
    ((unit, amount),) = budget.items()
    if isinstance(amount, bool) or not isinstance(amount, (int, float)) or not amount > 0:
        raise UsageError(f"{where}: the budget is {amount!r} {unit}: expected more than 0")
    return {"steps": 0, "tokens": 0, "minutes": 0.0, unit: amount}


def pairs(pairs: object, arms: Sequence[str], where: str) -> tuple[tuple[str, str], ...]:
    """The pairs of arms whose verdicts are wanted; without any, the first with each other."""
    if pairs is None:
        return tuple((arms[0], other) for other in arms[1:])
    found = []
    for pair in pairs if isinstance(pairs, list) else [pairs]:
        if not isinstance(pair, list) or len({*arms} & {*map(str, pair)}) != 2 or len(pair) != 2:  # noqa: PLR2004
            raise UsageError(f"{where}: {pair!r} in pairs is no pair of arms: {', '.join(arms)}")
        found.append((str(pair[0]), str(pair[1])))
    if not found:
        raise UsageError(f"{where}: pairs is empty: leave it out or name two arms")
    return tuple(found)


def seeds(seeds: object, where: str) -> tuple[int, ...]:
    """Whole numbers that differ, at least one."""
    ok = isinstance(seeds, list) and seeds and all(type(seed) is int for seed in seeds)
    if not ok or not isinstance(seeds, list) or len(set(seeds)) != len(seeds):
        raise UsageError(f"{where}: seeds is {seeds!r}: expected whole numbers that differ")
    return tuple(seeds)


def named(name: object, where: str) -> str:
    """A name that may be one of a folder."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise UsageError(
            f"{where}: name is {name!r}: expected up to 40 letters, digits, dots and dashes"
        )
    return name


def check_keys(table: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    """See that a table has no entry but the ``known`` ones."""
    for key in table:
        if key not in known:
            raise UsageError(f"{where} has unknown entry {key!r}: it takes {', '.join(known)}")


def check_number(runs: int, where: str) -> None:
    """See that a study has not too many runs."""
    if runs > MOST_RUNS:
        raise UsageError(
            f"{where} asks for {runs:,} runs: expected at most {MOST_RUNS}, fewer arms or seeds"
        )
