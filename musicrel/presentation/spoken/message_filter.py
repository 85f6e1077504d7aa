"""The choice of messages that are announced: all results, and progress by quarters.

The status bar shows progress up to thirty times a second. Announced are the first message of its
kind and each further quarter of the work.
"""

from __future__ import annotations

import re
from typing import Final

_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_PERCENT: Final = re.compile(r"(\d+)\s?%$")
_PART: Final = re.compile(r"^(?!Stopped).*\b(?:bar|candidate) (\d+) of (\d+)$")
_SEARCH: Final = "Searching"
_QUARTERS: Final = 4


class MessageFilter:
    """A filter of the messages of one window, which remembers what was announced."""

    def __init__(self) -> None:
        self._announced: set[tuple[str, int]] = set()

    def is_due(self, text: str) -> bool:
        """Return whether ``text`` is to be announced, and remember it as announced if so."""
        if not text:
            return False
        quarter = quarter_of(text)
        if quarter is None:
            self._announced.clear()
            return True
        kind = (_NUMBER.sub("", text), quarter)
        if kind in self._announced:
            return False
        self._announced.add(kind)
        return True


def quarter_of(text: str) -> int | None:
    """Return the quarter, 0 to 4, that a message of progress has reached; None for any other."""
    if percent := _PERCENT.search(text):
        return int(percent[1]) * _QUARTERS // 100
    if part := _PART.search(text):
        return (int(part[1]) - 1) * _QUARTERS // max(int(part[2]), 1)
    return 0 if text.startswith(_SEARCH) else None
