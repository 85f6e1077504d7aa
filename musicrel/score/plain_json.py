"""Standard JSON to write: no NaN, no infinity. ``gate.parse_json`` reads it."""

from __future__ import annotations

import json

from musicrel.errors import DataError


def dumps(value: object, *, ascii_only: bool = False) -> str:
    """Format ``value`` as JSON on one line.

    Raises:
        DataError: the value cannot be represented in standard JSON (NaN, an object, a cycle).
    """
    try:
        return json.dumps(value, allow_nan=False, ensure_ascii=ascii_only)
    except (TypeError, ValueError, RecursionError) as reason:
        raise DataError(f"cannot be written as JSON: {reason}") from reason
