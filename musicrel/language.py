"""The language on the screen: texts are written in English, and looked up in a translation.

Many texts are looked up while their module is imported, so the app chooses its language before it
imports its window. The command line and the Python interface never choose one, and are English, as
is what is written into files.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, TypeAlias

Lookup: TypeAlias = Callable[[str, str], str]
"""Takes a text and its sense, returns the translation, or ``""`` where there is none."""

_SWAPPED: Final = str.maketrans(".,", ",.")
_NARROW_SPACE: Final = "\u202f"
_installed: list[tuple[Lookup, bool]] = []  # the lookup and whether decimals have a comma; or none
_is_english: Final = ContextVar("is_english", default=False)


def install(lookup: Lookup, *, decimal_comma: bool = False) -> None:
    """Translate all texts from now on; import the modules that have them afterwards."""
    _installed[:] = [(lookup, decimal_comma)]


def installed() -> bool:
    """Return True if texts are translated."""
    return bool(_installed)


def tr(text: str, sense: str = "", /, **values: object) -> str:
    """Return the translation of a text, with its fields filled in.

    ``packaging/translations.py`` finds the texts by the name of this function: they are literals.

    Args:
        text: the English text. Without ``values`` its fields are left to ``format`` of the result.
        sense: the difference between texts that are equal only in English.
        values: the values of the fields, as for ``str.format``.
    """
    text = _translation(text, sense)
    return text.format(**values) if values else text


def count(number: int, noun: str) -> str:
    """Return a number with its noun, a literal, as '1 bar', '16 bars', '1,024 notes'."""
    return f"{decimal(number, ',')} {_translation(noun if number == 1 else f'{noun}s')}"


def decimal(value: float, spec: str) -> str:
    """Return a number in the format ``spec``, as the language writes numbers."""
    text = format(value, spec)
    if _installed and _installed[0][1] and not _is_english.get():
        return text.translate(_SWAPPED).replace("%", f"{_NARROW_SPACE}%")
    return text


@contextmanager
def english() -> Iterator[None]:
    """Look up no text during the block, in this thread: what it makes is written into a file."""
    before = _is_english.set(True)
    try:
        yield
    finally:
        _is_english.reset(before)


def _translation(text: str, sense: str = "") -> str:
    if _installed and not _is_english.get():
        lookup, _ = _installed[0]
        text = _Text(lookup(text, sense) or text)
    return text


class _Text(str):
    """A translated text, whose numbers are written as the language does."""

    __slots__ = ()

    def format(self, *values: object, **named: object) -> str:
        return _Filled().vformat(self, values, named)


class _Filled(string.Formatter):
    def format_field(self, value: Any, spec: str) -> str:
        is_number = isinstance(value, int | float) and bool(spec)
        return decimal(value, spec) if is_number else format(value, spec)
