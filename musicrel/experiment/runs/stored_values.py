"""Checks of plain values from a file against the types of the dataclass they are read into."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

_MAX_INTEGER: Final = 2**53
"""Size up to which a float holds every whole number."""


def fits(kind: Any, values: Mapping[str, object]) -> bool:
    """Return True if all values are of the types of the fields of ``kind`` that have their names.

    A whole number fits a float, a list fits a tuple. Missing fields are not looked for.
    """
    hints = _hints(kind)
    return all(_is(value, hints[name]) for name, value in values.items() if name in hints)


@cache
def _hints(kind: Any) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _is(value: object, hint: Any) -> bool:
    """Return True if ``value`` is of the type ``hint``, of the few that stored classes have."""
    inner = get_args(hint)
    if get_origin(hint) in (Union, UnionType):
        return any(_is(value, one) for one in inner)
    if type(value) is int:
        return hint in (int, float) and abs(value) <= _MAX_INTEGER
    if isinstance(value, Mapping):
        return get_origin(hint) is Mapping and all(_is(one, inner[1]) for one in value.values())
    if isinstance(value, tuple | list):
        return get_origin(hint) is tuple and all(_is(one, inner[0]) for one in value)
    return type(value) is hint
