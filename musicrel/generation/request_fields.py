"""Fields of a request from options of the Python interface, where text is accepted, too."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path
from types import NoneType
from typing import Any, Final

from musicrel import legacy
from musicrel.bounds import shown
from musicrel.chorale import Chorale, Key, Meter
from musicrel.errors import UsageError
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.heads.mutes import Mutes

_AUTO: Final = "auto"
_NAMES: Final = (str, list, tuple, set, frozenset)
_TYPES: Final[Mapping[str, tuple[type, ...]]] = {
    "key": (Key, str, NoneType),
    "meter": (Meter, str),
    "phrases": (tuple, str),
    "pickup": (int, str),
    "locks": (Locks, str, Path, NoneType),
    "ranges": (tuple, str, NoneType),
    **dict.fromkeys(("rules", "keep", "rewrite", "given"), _NAMES),
    **dict.fromkeys(("quality", "cadence", "mute", "mute_by", "voice", "voices"), (str,)),
    **dict.fromkeys(("source", "split", "reference"), (str,)),
    **dict.fromkeys(("melody", "piece"), (Chorale, str, Path)),
    "original": (Chorale, NoneType),
    "chorale": (Chorale,),
    "steps": (tuple, list, NoneType),
    "weights": (Mapping, NoneType),
}
"""Types of keywords that are used before ``GenerationRequest`` or ``bounds`` can check them."""


def check_types(**values: object) -> None:
    """Check the types of keywords, and of the names in a collection of names.

    Raises:
        UsageError: one is of another type.
    """
    for name, value in values.items():
        kinds = _TYPES.get(name, (object,))
        is_valid = isinstance(value, kinds)
        if kinds is _NAMES and isinstance(value, Collection):
            is_valid = is_valid and all(isinstance(each, str) for each in value)
        if not is_valid:
            named = " or ".join("None" if kind is NoneType else kind.__name__ for kind in kinds)
            raise UsageError(f"{name} is {shown(value)}: expected {named}")


def parsed(options: dict[str, Any]) -> dict[str, Any]:
    """Return options as fields of a request: names of version 1 translated, text parsed.

    Raises:
        UsageError: a text cannot be parsed, or a value is of another type.
        FileError, DataError: a file of locks cannot be read.
    """
    fields = legacy.translate(options, legacy.PROVENANCE_KEYS)
    check_types(**fields)
    if "quality" in fields:
        fields["quality"] = legacy.quality(fields["quality"])
    if isinstance(fields.get("meter"), str):
        fields["meter"] = Meter.parse(fields["meter"])
    if isinstance(fields.get("key"), str):
        fields["key"] = Key.parse(fields["key"])
    if isinstance(fields.get("locks"), str | Path):
        fields["locks"] = Locks.read(Path(fields["locks"]))
    if "rules" in fields:
        fields["rules"] = names_of(fields["rules"])
    if "mute" in fields or "mute_by" in fields:
        fields["mutes"] = Mutes.parse(fields.pop("mute", ""), fields.pop("mute_by", "mean"))
    if fields.get("phrases") == "none":
        fields["phrases"] = ()
    return fields


def pop_auto(fields: dict[str, Any], name: str) -> bool:
    """Return True if a field is drawn, and remove it then."""
    if fields.get(name, _AUTO) != _AUTO:
        return False
    fields.pop(name, None)
    return True


def names_of(names: str | Collection[str]) -> tuple[str, ...]:
    """Return one name or several as a tuple."""
    return (names,) if isinstance(names, str) else tuple(names)


def span_of(steps: tuple[int, int] | None, whole: int) -> tuple[int, int]:
    """Return ``steps``, or all of a piece of ``whole`` steps for None.

    Raises:
        UsageError: they are not two.
    """
    try:
        first, stop = (0, whole) if steps is None else steps
    except ValueError:
        raise UsageError(
            f"steps are {shown(steps)}: expected two, the first and the one after the last"
        ) from None
    return first, stop
