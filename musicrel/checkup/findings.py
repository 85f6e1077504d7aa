"""Checks, and the findings they end in."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias, TypeVar

Subject = TypeVar("Subject")
Verdict = Literal["passed", "failed", "not tried"]


class NotTriedError(Exception):
    """A check makes no sense here; the text gives the reason, as part of a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result of a check that could be tried."""

    finding: str  # what was found, in words
    # what was measured, less is better; None where there is only a yes or no
    figure: float | None = None
    limit: float = 0.0  # largest figure that passes
    holds: bool = True  # whether all that has no figure is as it should be

    @property
    def passed(self) -> bool:
        """Return whether it is as it should be; a figure that is no number is not."""
        return self.holds and (self.figure is None or self.figure <= self.limit)


Work: TypeAlias = Callable[[Subject], Outcome]
"""Tries something with a subject; raises ``NotTriedError`` where that makes no sense."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Something to try."""

    subject: str  # what it is tried with, mostly the name of a model
    name: str
    work: Callable[[], Outcome]  # tries it; raises ``NotTriedError`` where that makes no sense


@dataclass(frozen=True, slots=True, kw_only=True)
class Checking:
    number: int
    total: int
    subject: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A check has ended."""

    subject: str
    name: str
    verdict: Verdict
    finding: str  # what was found, or why it was not tried
    figure: float | None  # what was measured; None where nothing was
    limit: float | None  # largest figure that passes; None without a figure
    seconds: float  # time it took

    def to_json(self) -> dict[str, Any]:
        """Return the values; a figure that is not finite becomes null."""
        values = asdict(self)
        if self.figure is not None and not math.isfinite(self.figure):
            values["figure"] = None
        return values
