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
    """The result of a check that could be tried.

    Attributes:
        finding: what was found, in words.
        figure: what was measured, less is better; None where there is only a yes or no.
        limit: largest figure that passes.
        holds: whether all that has no figure is as it should be.
    """

    finding: str
    figure: float | None = None
    limit: float = 0.0
    holds: bool = True

    @property
    def passed(self) -> bool:
        """Return whether it is as it should be; a figure that is no number is not."""
        return self.holds and (self.figure is None or self.figure <= self.limit)


Work: TypeAlias = Callable[[Subject], Outcome]
"""Tries something with a subject; raises ``NotTriedError`` where that makes no sense."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Something to try.

    Attributes:
        subject: what it is tried with, mostly the name of a model.
        name: what is tried.
        work: tries it; raises ``NotTriedError`` where that makes no sense.
    """

    subject: str
    name: str
    work: Callable[[], Outcome]


@dataclass(frozen=True, slots=True, kw_only=True)
class Checking:
    """A check begins.

    Attributes:
        number: counted from 1.
        total: number of all checks.
        subject: what it is tried with.
        name: what is tried.
    """

    number: int
    total: int
    subject: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A check has ended.

    Attributes:
        subject: what it was tried with.
        name: what was tried.
        verdict: whether it passed.
        finding: what was found, or why it was not tried.
        figure: what was measured; None where nothing was.
        limit: largest figure that passes; None without a figure.
        seconds: time it took.
    """

    subject: str
    name: str
    verdict: Verdict
    finding: str
    figure: float | None
    limit: float | None
    seconds: float

    def to_json(self) -> dict[str, Any]:
        """Return the values; a figure that is not finite becomes null."""
        values = asdict(self)
        if self.figure is not None and not math.isfinite(self.figure):
            values["figure"] = None
        return values
