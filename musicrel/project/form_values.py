"""The Compose form as plain JSON values, for all fields but the muted heads, which are not kept.

Values are read leniently, because a form is no reason to refuse a piece: unknown entries are
ignored; a missing entry, one of the wrong type or one out of bounds gets its default.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, get_type_hints

from musicrel.chorale import Key, Meter
from musicrel.errors import UsageError
from musicrel.generation.quality import QUALITIES
from musicrel.generation.request import MAX_BARS
from musicrel.presentation.compose.form import MAX_SEED, Form

_MAX_TEXT: Final = 10_000
_MAX_NUMBER: Final = 2**63 - 1

_BOUNDS: Final[Mapping[str, tuple[float, float]]] = MappingProxyType(
    {
        "bars": (1, MAX_BARS),
        "pickup": (-1, 512),
        "temperature": (0, 10),
        "top_p": (0, 1),
        "seed": (0, MAX_SEED),
        "candidates": (1, 1000),
    }
)
"""Lowest and highest number of an entry; other numbers are only finite."""


def to_plain(form: Form) -> dict[str, Any]:
    """Convert ``form`` to plain JSON values."""
    return {name: _plain(getattr(form, name)) for name in _readers()}


def from_plain(values: object) -> Form:
    """Build a form from plain JSON values; anything unusable gets its default."""
    if not isinstance(values, dict):
        return Form()
    known: dict[str, Any] = {}
    for name, read in _readers().items():
        try:
            found = read(values[name])
        except (KeyError, TypeError, ValueError, OverflowError, UsageError):
            continue
        if _is_in_bounds(name, found):
            known[name] = found
    return Form(**known)


def _plain(value: object) -> object:
    if isinstance(value, Meter | Key):
        return str(value)
    return list(value) if isinstance(value, tuple) else value


def _is_in_bounds(name: str, value: object) -> bool:
    if name == "quality":
        return value in QUALITIES
    low, high = _BOUNDS.get(name, (-_MAX_NUMBER, _MAX_NUMBER))
    return not isinstance(value, int | float) or low <= value <= high


@lru_cache(maxsize=1)
def _readers() -> Mapping[str, Callable[[Any], object]]:
    """Return the reader of every field that is kept by the type of the field."""
    return {name: _READERS[hint] for name, hint in get_type_hints(Form).items() if name != "muted"}


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > _MAX_TEXT:
        raise TypeError
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError
    return tuple(map(_text, value))


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _integer(value: object) -> int:
    # JSON's true is an int in Python, but not a number
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError
    return value


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError
    return float(value)


def _key(value: object) -> Key | None:
    return None if value is None else Key.parse(_text(value))


def _meter(value: object) -> Meter:
    return Meter.parse(_text(value))


_READERS: Final[Mapping[object, Callable[[Any], object]]] = {
    str: _text,
    tuple[str, ...]: _texts,
    bool: _flag,
    int: _integer,
    float: _number,
    Key | None: _key,
    Meter: _meter,
}
"""Type of a field -> reader of its plain value; it raises an error for a value of another type."""
