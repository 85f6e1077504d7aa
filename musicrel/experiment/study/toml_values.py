"""Checks of the values in a study's TOML.

Each function takes a value and, as ``where``, its name in error messages, and raises a UsageError
if the value is not allowed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from musicrel import bounds
from musicrel.bounds import BOUNDS
from musicrel.errors import UsageError

BUDGETS: Final = ("steps", "tokens", "minutes")

_RANGE: Final = re.compile(r"(\d{1,9})-(\d{1,9})")
_MAX_SEEDS: Final = 200
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


def budget(budget: object, where: str) -> dict[str, Any]:
    """Return the three budgets of a recipe, one of them above 0."""
    if not isinstance(budget, dict) or len(budget) != 1 or set(budget) - set(BUDGETS):
        raise UsageError(f"{where}: [budget] is {budget!r}: expected one of {', '.join(BUDGETS)}")
    ((unit, amount),) = budget.items()
    allowed = replace(BOUNDS[unit], above=True)
    if amount not in allowed:
        kind = ", a whole number" if allowed.whole else ""
        raise UsageError(f"{where}: the budget is {amount!r} {unit}: expected {allowed}{kind}")
    return {"steps": 0, "tokens": 0, "minutes": 0.0, unit: amount}


def pairs(pairs: object, arms: Sequence[str], where: str) -> tuple[tuple[str, str], ...]:
    """Return the pairs of arms to compare; by default the first arm with each other one."""
    if pairs is None:
        return tuple((arms[0], other) for other in arms[1:])
    found = []
    for pair in pairs if isinstance(pairs, list) else [pairs]:
        if not isinstance(pair, list) or len({*arms} & {*map(str, pair)}) != 2 or len(pair) != 2:  # noqa: PLR2004
            raise UsageError(
                f"{where}: pairs has {pair!r}: expected two different arms of {', '.join(arms)}"
            )
        found.append((str(pair[0]), str(pair[1])))
    if not found:
        raise UsageError(f"{where}: pairs is empty: omit it or name two arms")
    return tuple(found)


def seeds(seeds: object, where: str) -> tuple[int, ...]:
    """Return the seeds: distinct integers, at least one; or those of a range, as in ``"0-4"``."""
    if isinstance(seeds, str) and (ends := _RANGE.fullmatch(seeds)):
        first, last = int(ends[1]), int(ends[2])
        if first <= last < first + _MAX_SEEDS:
            return tuple(range(first, last + 1))
    numbers = seeds if isinstance(seeds, list) else []
    ok = numbers and all(type(seed) is int for seed in numbers)
    if not ok or len(set(numbers)) != len(numbers):
        raise UsageError(
            f"{where}: seeds is {seeds!r}: expected distinct whole numbers, as in [0, 1, 2], "
            f'or a range of at most {_MAX_SEEDS}, as in "0-4"'
        )
    for seed in numbers:
        if sentence := bounds.problem("run seed", seed, "a seed"):
            raise UsageError(f"{where}: {sentence}")
    return tuple(numbers)


def learning_rates(rates: object, where: str) -> tuple[float, ...]:
    """Return the learning rates to try, ascending: at least two, all different."""
    numbers = rates if isinstance(rates, list) else []
    allowed = BOUNDS["learning_rate"]
    ok = all(rate in allowed for rate in numbers)
    if not ok or not len({f"{rate:g}" for rate in numbers}) == len(numbers) >= 2:  # noqa: PLR2004
        raise UsageError(
            f"{where}: learning_rates is {rates!r}: expected at least two different numbers, "
            f"{allowed}, as in [1e-3, 2e-3, 4e-3]"
        )
    return tuple(sorted(map(float, numbers)))


def share(share: object, where: str) -> float:
    """Return the share of the budget that each trial of a search has."""
    if sentence := bounds.problem("share", share, "share of [search]"):
        raise UsageError(f"{where}: {sentence}")
    return cast("float", share)


def folder_name(name: object, where: str) -> str:
    """Return ``name`` if it is allowed as the name of a folder."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise UsageError(
            f"{where}: name is {name!r}: expected up to 40 letters, digits, dots and dashes"
        )
    return name


def check_keys(table: Mapping[str, Any], known: Sequence[str], where: str) -> None:
    """Check that a table has only ``known`` entries."""
    for key in table:
        if key not in known:
            raise UsageError(f"{where} has unknown entry {key!r}: expected {', '.join(known)}")


def table(tables: Mapping[str, Any], name: str, where: str) -> Mapping[str, Any]:
    """Return the table ``name``, empty if it is missing."""
    found = tables.get(name, {})
    if not isinstance(found, dict):
        raise UsageError(f"{where}: [{name}] is {found!r}: expected a table")
    return found
