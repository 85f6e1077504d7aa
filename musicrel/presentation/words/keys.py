"""The keys of commands in texts, as they are now: users may change them.

A text names a key in parentheses, as in ``"New random seed ({key[new_seed]})"``, so that it reads
well without: a command may have none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

_FIELD: Final = "{key["
_now: Final[defaultdict[str, str]] = defaultdict(str)  # name of a command -> its key
# what is or was on the screen -> its text and the values of the other fields
_filled: Final[dict[str, tuple[str, Mapping[str, object]]]] = {}


def use(keys: Mapping[str, str]) -> None:
    """Take the keys of all commands, by name, as the system writes them; ``""`` for none."""
    _now.update(keys)


def with_keys(text: str, /, **values: object) -> str:
    """Return a text with its fields filled in: those of keys, and those that ``values`` names.

    Without either it is not read as a format: braces in it stay.
    """
    if not values and _FIELD not in text:
        return text
    filled = text.format(key=_now, **values).replace(" ()", "")
    if filled != text:
        _filled[filled] = (text, values)
    return filled


def renewed(shown: str) -> str:
    """Return what ``with_keys`` has returned with the keys of now, and any other text as it is."""
    text, values = _filled.get(shown, (shown, None))
    return shown if values is None else with_keys(text, **values)
