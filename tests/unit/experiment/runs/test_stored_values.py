"""Values from files against the types of the fields they are read into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from musicrel.experiment.runs.stored_values import fits


@dataclass(frozen=True)
class _Stored:
    step: int
    nats: float
    name: str
    saved: bool
    valid: float | None
    notes: tuple[str, ...]
    beside: Mapping[str, float]


GOOD: Mapping[str, object] = {
    "step": 1, "nats": 2.5, "name": "a", "saved": True, "valid": None, "notes": ["b"],
    "beside": {"c": 1},
}  # fmt: skip


def test_values_of_all_types_fit() -> None:
    """A whole number is a float, too; unknown and missing entries do not matter."""
    assert fits(_Stored, GOOD)
    assert fits(_Stored, {**GOOD, "nats": 2, "valid": 3, "notes": (), "unknown": object()})
    assert fits(_Stored, {})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("step", True), ("step", 1.0), ("step", "1"), ("step", 2**60), ("nats", "x"),
        ("nats", None), ("nats", 10**400), ("name", 1), ("saved", 1), ("valid", "x"),
        ("notes", "ab"), ("notes", [1]), ("notes", {}), ("beside", []), ("beside", {"c": "d"}),
    ],
)  # fmt: skip
def test_a_value_of_another_type_does_not_fit(name: str, value: object) -> None:
    assert not fits(_Stored, {**GOOD, name: value})
