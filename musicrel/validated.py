"""Plain values of files and forms, converted to typed ones; each problem is one sentence.

``msgspec`` compares them with the annotations of a dataclass or ``Struct``: a whole number fits a
float and a list a tuple, nothing else is converted. Rules that join several fields belong in
``__post_init__`` and raise a ``UsageError``. Numbers have their bounds in ``bounds``; ``untrusted``
parses the text before, and refuses what no parser should read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import is_dataclass
from functools import cache
from types import UnionType
from typing import Any, Final, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from musicrel import bounds
from musicrel.errors import MusicrelError, UsageError
from musicrel.language import tr

T = TypeVar("T")

_PATH: Final = re.compile(r" - at `\$(.*)`$")
_STEP: Final = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")
_EXPECTED: Final = re.compile(r"Expected `(.+?)`(.*)")
_MISSING: Final = re.compile(r"Object missing required field `(.+?)`")
_MAX_SHOWN: Final = 100


def convert(
    values: object,
    kind: type[T],
    where: str,
    *,
    error: type[MusicrelError] = UsageError,
    exact: bool = False,
) -> T:
    """Convert plain values to a dataclass, a ``msgspec.Struct`` or another annotation.

    Errors begin with ``where``, the name of the values. Entries that ``kind`` does not have are
    ignored, or refused if they are to be ``exact``.
    """
    try:
        if exact:
            _refuse_unknown(values, kind, where)
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as reason:
        raise error(_sentence(str(reason), values, kind, where)) from reason
    except MusicrelError as reason:
        text = str(reason)
        raise error(text if text.startswith(where) else f"{where}: {text}") from reason


def _sentence(message: str, values: object, kind: Any, where: str) -> str:
    """Return a message of ``msgspec`` with the name of the entry, its value and what it takes."""
    found = _PATH.search(message)
    path, value, hint = found[1] if found else "", values, kind
    for key, number in _STEP.findall(path):
        if number == "..." or (isinstance(value, Mapping) and key not in value):
            break
        value = value[key or int(number)]  # type: ignore[index]
        hint = _inner(hint, key)
    name = path.removeprefix(".").replace("[...]", "") or tr("it")
    if missing := _MISSING.match(message):
        return tr("{where}: {name} lacks {entry!r}", where=where, name=name, entry=missing[1])
    shown = bounds.shown(value)
    shown = shown if len(shown) <= _MAX_SHOWN else f"{shown[:_MAX_SHOWN]}..."
    known = _expected(message, hint)
    problem = tr("{name} is {value}: expected {known}", name=name, value=shown, known=known)
    return f"{where}: {problem}"


def _expected(message: str, hint: Any) -> str:
    if words := _words(hint):
        return words
    found = _EXPECTED.match(_PATH.sub("", message))
    if found is None:
        return tr("another value ({problem})", problem=_PATH.sub("", message))
    kinds = found[1].replace("int | float", "float").split(" | ")
    types = {
        "int": tr("a whole number"), "float": tr("a number"), "str": tr("a text"),
        "bool": tr("true or false"), "array": tr("a list"), "object": tr("a table"),
        "null": tr("nothing"),
    }  # fmt: skip
    return tr(" or ").join(types.get(one, one) for one in kinds) + found[2].partition(", got")[0]


def _words(hint: Any) -> str:
    """Return the words that an annotation of literals allows, as in ``'a', 'b' or 'c'``."""
    options = [one for one in _options(hint) if one is not type(None)]
    if not options or any(get_origin(one) is not Literal for one in options):
        return ""
    *first, last = (repr(word) for one in options for word in get_args(one))
    return tr(" or ").join((", ".join(first), last)) if first else last


def _refuse_unknown(values: object, hint: Any, where: str, name: str = "") -> None:
    """Refuse entries of tables, at any depth, for which there is no field."""
    if isinstance(values, Mapping):
        known = next((found for one in _options(hint) if (found := _fields(one))), {})
        for key, value in values.items():
            if known and key not in known:
                text = tr("{name} has unknown entry {key!r}: it takes {known}",
                          name=name or tr("it"), key=key, known=", ".join(known))  # fmt: skip
                raise UsageError(f"{where}: {text}")
            _refuse_unknown(value, _inner(hint, key), where, f"{name}.{key}".lstrip("."))
    elif isinstance(values, list | tuple):
        for number, value in enumerate(values):
            _refuse_unknown(value, _inner(hint, ""), where, f"{name}[{number}]")


def _inner(hint: Any, key: str) -> Any:
    """Return the annotation of the entry ``key``, or of all entries of a mapping or a list."""
    for one in _options(hint):
        kind, inner = get_origin(one), get_args(one)
        if kind in (tuple, list):
            return inner[0]
        if kind in (dict, Mapping):
            return inner[1]
        if key in _fields(one):
            return _fields(one)[key]
    return object


def _options(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


@cache
def _fields(kind: Any) -> Mapping[str, Any]:
    """Return the annotations of the fields of a class; none for other types."""
    structured = isinstance(kind, type) and (is_dataclass(kind) or issubclass(kind, msgspec.Struct))
    return get_type_hints(kind) if structured else {}
