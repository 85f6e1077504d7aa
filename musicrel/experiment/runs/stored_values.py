"""Checks of plain values from a file against the types of the dataclass they are read into."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import UnionType
from typing import Any, Final, TypeAlias, Union, get_args, get_origin, get_type_hints

_Check: TypeAlias = Callable[[object], bool]

_MAX_INTEGER: Final = 2**53
"""Size up to which a float holds every whole number."""


def fits(kind: Any, values: Mapping[str, object]) -> bool:
    """Return True if all values are of the types of the fields of ``kind`` that have their names.

    A whole number fits a float, a list fits a tuple. Missing fields are not looked for.
    """
    checks = _checks(kind)
    for name, value in values.items():  # a loop: logs have many thousands of lines
        check = checks.get(name)
        if check is not None and not check(value):
            return False
    return True


@cache
def _checks(kind: Any) -> Mapping[str, _Check]:
    return {name: _check(hint) for name, hint in get_type_hints(kind).items()}


def _check(hint: Any) -> _Check:
    """Return the check of a type, of the few that stored classes have."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _either([_check(one) for one in inner])
    if origin is Mapping:
        of_entry = _check(inner[1])
        return lambda value: isinstance(value, Mapping) and all(map(of_entry, value.values()))
    if origin is tuple:
        of_item = _check(inner[0])
        return lambda value: isinstance(value, tuple | list) and all(map(of_item, value))
    return _NUMBERS.get(hint, lambda value: type(value) is hint)


def _either(checks: Sequence[_Check]) -> _Check:
    """Return a check that one of two or more checks is passed."""
    first, rest = checks[0], checks[1] if len(checks) == 2 else _either(checks[1:])  # noqa: PLR2004
    return lambda value: first(value) or rest(value)


def _is_whole(value: object) -> bool:
    return type(value) is int and -_MAX_INTEGER <= value <= _MAX_INTEGER


def _is_float(value: object) -> bool:
    return type(value) is float or _is_whole(value)


_NUMBERS: Final[Mapping[type, _Check]] = {int: _is_whole, float: _is_float}
