"""Fields of a request from options of the Python interface, where text is accepted, too."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any, Final

from musicrel import legacy
from musicrel.chorale import Key, Meter
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.heads.mutes import Mutes

_AUTO: Final = "auto"


def parsed(options: dict[str, Any]) -> dict[str, Any]:
    """Return options as fields of a request: names of version 1 translated, text parsed.

    Raises:
        UsageError: a text cannot be parsed.
        FileError, DataError: a file of locks cannot be read.
    """
    fields = legacy.translate(options, legacy.PROVENANCE_KEYS)
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
