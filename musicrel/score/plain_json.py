"""JSON of untrusted origin: every failure is a ``DataError`` of one sentence.

Only standard JSON is accepted: no NaN, no infinity, no nesting beyond Python's recursion limit.
"""

from __future__ import annotations

import json
import math
from typing import Never

from musicrel.errors import DataError


def loads(text: str) -> object:
    """Parse ``text``.

    Raises:
        DataError: the text is not standard JSON.
    """
    try:
        value: object = json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except json.JSONDecodeError as reason:
        raise DataError(
            f"it is not valid JSON: {reason.msg} in line {reason.lineno}, column {reason.colno}"
        ) from reason
    except RecursionError as reason:
        raise DataError("it is not valid JSON here: it is nested too deeply") from reason
    except ValueError as reason:  # a number of thousands of digits
        raise DataError("it is not valid JSON here: a number has too many digits") from reason
    return value


def dumps(value: object, *, ascii_only: bool = False) -> str:
    """Format ``value`` as JSON on one line.

    Raises:
        DataError: the value cannot be represented in standard JSON (NaN, an object, a cycle).
    """
    try:
        return json.dumps(value, allow_nan=False, ensure_ascii=ascii_only)
    except (TypeError, ValueError, RecursionError) as reason:
        raise DataError(f"cannot be written as JSON: {reason}") from reason


def _refuse(name: str) -> Never:
    raise DataError(f"it is not valid JSON: {name} is not a JSON number")


def _finite(digits: str) -> float:
    """Parse a float; refuse a number too large for a finite one."""
    number = float(digits)
    return number if math.isfinite(number) else _refuse(digits[:20])
