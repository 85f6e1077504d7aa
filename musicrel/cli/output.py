"""How the command line speaks.

Results go to standard output, as one JSON object or plain lines; progress and messages to standard
error.

This file knows streams; it knows nothing of what is said.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from tqdm import tqdm


def say(text: str) -> None:
    """Print for the user to read or pipe."""
    print(text)


def say_json(values: Mapping[str, Any]) -> None:
    """Print exactly one JSON object."""
    print(json.dumps(values, indent=2, ensure_ascii=False, allow_nan=False))


def note(text: str) -> None:
    """Tell something beside the result."""
    print(text, file=sys.stderr)


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Columns of text, as wide as their longest entry; numbers to the right."""
    cells = [list(head)] + [[str(entry) for entry in row] for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    is_number = [
        bool(rows) and all(isinstance(row[column], (int, float)) for row in rows)
        for column in range(len(head))
    ]
    lines = []
    for row in cells:
        padded = [
            entry.rjust(width) if right else entry.ljust(width)
            for entry, width, right in zip(row, widths, is_number, strict=True)
        ]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


class Progress:
    """A progress bar on a terminal, nothing elsewhere.

    Args:
        what: what is being done.
        total: how much there is to do.
        unit: of what.
    """

    def __init__(self, what: str, total: float, unit: str) -> None:
        self._bar = tqdm(
            desc=what,
            total=total,
            unit=f" {unit}",
            file=sys.stderr,
            disable=not sys.stderr.isatty(),
            leave=False,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.close()

    def expect(self, total: float) -> None:
        """Say how much there is to do, where it was not known at first."""
        self._bar.total = total

    def reach(self, done: float, remark: str = "") -> None:
        """Show how much is done in all."""
        if remark:
            self._bar.set_postfix_str(remark, refresh=False)
        self._bar.update(done - self._bar.n)
