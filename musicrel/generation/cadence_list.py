"""Requested cadences as text: one kind for all phrases, or one for each as in "half,,authentic"."""

from __future__ import annotations

from collections.abc import Sequence

from musicrel.analysis import cadences
from musicrel.errors import UsageError


def parse(text: str) -> tuple[str, ...]:
    """Return the kinds in ``text``, at least one; "" stands for any.

    Raises:
        UsageError: a kind is unknown.
    """
    kinds = tuple(part.strip() for part in text.split(","))
    for kind in kinds:
        if kind not in ("", *cadences.KINDS):
            raise UsageError(
                f"cadence is {kind!r}: expected {', '.join(cadences.KINDS)}, or none; one for all "
                "phrases or one for each, as in half,,authentic"
            )
    return kinds


def of_phrases(text: str, phrases: int) -> tuple[str, ...]:
    """Return the kind of each of ``phrases`` phrases.

    Raises:
        UsageError: a kind is unknown, or there are neither one nor as many as phrases.
    """
    kinds = parse(text)
    if len(kinds) == 1:
        return kinds * phrases
    if len(kinds) != phrases:
        raise UsageError(
            f"there are {len(kinds)} cadences for {phrases} phrases: expected one for all, or one "
            "for each phrase"
        )
    return kinds


def to_text(kinds: Sequence[str]) -> str:
    """Return kinds as text that ``parse`` reads: one if all are the same."""
    return kinds[0] if len(set(kinds)) == 1 else ",".join(kinds)
