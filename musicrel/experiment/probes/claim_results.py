"""The results of the claims of 2018: findings by model, differences, and their JSON form."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, TypeAlias

from musicrel.analysis.claims.intervals import Estimate
from musicrel.analysis.claims.measures import MEASURES

Source: TypeAlias = Literal["test", "own"]
"""Pieces: Bach's of the test split, or the model's own."""
Verdict: TypeAlias = Literal["holds", "open", "opposite"]

_RELATIVE: Final = "relative"
_FORMAT: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadShare:
    layer: int
    head: int
    share: Estimate

    @property
    def code(self) -> str:
        return f"{self.layer + 1}.{self.head + 1}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A measure of one model, or of Bach's pieces."""

    measure: str
    source: Source
    mean: Estimate  # of all heads together; for measures of pieces, the value
    even: float | None = None  # of equal weights; None for measures of pieces
    # the share of each head by layer; empty for measures of pieces
    heads: tuple[tuple[float, ...], ...] = ()
    # the head with the largest share; None for measures of pieces
    strongest: HeadShare | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelClaims:
    model: str
    sha256: str
    scheme: str
    findings: tuple[Finding, ...]  # those on test pieces first, then those on its own

    def find(self, measure: str, source: Source) -> Finding | None:
        """Return a finding; None where the measure does not apply to the model."""
        wanted = (measure, source)
        return next((one for one in self.findings if (one.measure, one.source) == wanted), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The second model minus the first, on the same pieces or, for their own, the same requests."""

    first: str  # name of the first model
    second: str  # name of the second
    measure: str
    source: Source
    change: Estimate
    # whether the claim holds; None unless exactly one model has relative attention
    verdict: Verdict | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimResults:
    pieces: int  # number of test pieces, and of pieces that each model wrote
    first_seed: int
    models: tuple[ModelClaims, ...]
    bach: tuple[Finding, ...]  # the measures of pieces for the test pieces
    differences: tuple[Difference, ...]  # of every later model to the first

    def of_bach(self, measure: str) -> Finding | None:
        """Return the finding of Bach's pieces; None for measures of attention."""
        return next((finding for finding in self.bach if finding.measure == measure), None)

    def to_json(self) -> dict[str, Any]:
        """Return all values; heads count from 0, intervals are value, low and high."""
        values = asdict(self)  # an Estimate remains a tuple, written as a list
        return {"format": _FORMAT, "interval": "95 % bootstrap over pieces"} | values


def verdict(
    measure: str, change: Estimate, values: tuple[Estimate, Estimate], schemes: tuple[str, str]
) -> Verdict | None:
    """Return whether a claim holds for a pair of models.

    Args:
        change: the second model minus the first.
    """
    is_relative = [scheme == _RELATIVE for scheme in schemes]
    if is_relative[0] == is_relative[1]:
        return None
    claim = MEASURES[measure]
    found = values[is_relative.index(True)] if claim.alone else change
    if not (found.above_zero or found.below_zero):
        return "open"
    expected = claim.alone or claim.rises == is_relative[1]
    return "holds" if found.above_zero == expected else "opposite"
