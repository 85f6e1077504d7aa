"""Values that a test expects to be there."""

from __future__ import annotations

from typing import TypeVar

Value = TypeVar("Value")


def known(value: Value | None) -> Value:
    assert value is not None
    return value
