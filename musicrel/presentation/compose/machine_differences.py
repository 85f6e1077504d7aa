"""Differences between the machine that wrote a piece and this one, in words.

The same seed gives the same notes where all of them agree; rounding differs where they do not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_FACTS: Final = ("kernel", "precision", "device", "musicrel")
_FACTS_OF_TORCH: Final = ("torch", "threads")
"""Facts that matter where torch computes on both."""
_EARLIER: Final[Mapping[str, str]] = {"kernel": "torch", "precision": "single"}
"""Facts of pieces from before there was a choice."""
_DIFFERENCE: Final = "{fact} {made} (here {here})"


def describe(made: Mapping[str, Any], here: Mapping[str, Any]) -> str:
    """Describe what differs, as "kernel torch (here compiled), device cuda:0 (here cpu)"."""
    if not made or not here:
        return ""
    before, now = {**_EARLIER, **made}, {**_EARLIER, **here}
    by_torch = before["kernel"] == now["kernel"] == "torch"
    facts = _FACTS + (_FACTS_OF_TORCH if by_torch else ())
    return ", ".join(
        _DIFFERENCE.format(fact=fact, made=before[fact], here=now[fact])
        for fact in facts
        if before.get(fact) and now.get(fact) and str(before[fact]) != str(now[fact])
    )
