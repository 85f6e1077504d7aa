"""The provenance of a chorale as plain values that every file format can carry."""

from __future__ import annotations

from typing import Any

from musicrel.chorale import Provenance
from musicrel.errors import DataError


def to_plain(provenance: Provenance | None) -> dict[str, Any] | None:
    """Convert ``provenance`` to plain JSON values; None stays None."""
    if provenance is None:
        return None
    plain = {
        "model": provenance.model,
        "sha256": provenance.sha256,
        "seed": int(provenance.seed),
        "settings": dict(provenance.settings),
    }
    return plain | ({"machine": dict(provenance.machine)} if provenance.machine else {})


def from_plain(value: object) -> Provenance | None:
    """Build a provenance from plain values: the inverse of ``to_plain``.

    Raises:
        DataError: an entry is missing or of the wrong kind.
    """
    if value is None:
        return None
    if not isinstance(value, dict):
        raise DataError(f"its provenance is a {type(value).__name__}, expected an object or null")
    for name, kind in (("model", str), ("sha256", str), ("seed", int), ("settings", dict)):
        if not isinstance(value.get(name), kind) or isinstance(value[name], bool):
            raise DataError(f"its provenance lacks {name}, expected as {kind.__name__}")
    machine = value.get("machine", {})
    if not isinstance(machine, dict):
        raise DataError(f"its provenance has a machine {machine!r}, expected an object")
    return Provenance(
        model=value["model"],
        sha256=value["sha256"],
        seed=value["seed"],
        settings=value["settings"],
        machine=machine,
    )
