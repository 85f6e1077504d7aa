"""JSON text of strangers, read so that whatever it holds ends in one sentence.

Only plain JSON counts: no NaN, no infinity, nothing deeper than Python can follow.
This file knows nothing of what the values mean.
"""

from __future__ import annotations

import json
import math
from typing import Never

from musicrel.errors import DataError


def loads(text: str) -> object:
    """The value ``text`` holds.

    Raises:
        DataError: the text is not plain JSON.
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
    """``value`` as JSON on one line.

    Raises:
        DataError: the value is not plain JSON (NaN, an object, a loop).
    """
    try:
        return json.dumps(value, allow_nan=False, ensure_ascii=ascii_only)
    except (TypeError, ValueError, RecursionError) as reason:
        raise DataError(f"cannot be written as JSON: {reason}") from reason


def _refuse(name: str) -> Never:
    raise DataError(f"it is not valid JSON: {name} is not a number JSON knows")


def _finite(digits: str) -> float:
    """The number ``digits`` spell, refused where only infinity is as large."""
    number = float(digits)
    return number if math.isfinite(number) else _refuse(digits[:20])
