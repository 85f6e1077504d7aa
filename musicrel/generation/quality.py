"""Quality levels: amount of work per piece, in one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """A row of the table.

    Attributes:
        meaning: description for users.
        phrase_end_samples: number of samples of each phrase ending from which a causal model takes
            the most probable.
        fill_passes: number of forward passes in which an infill model fills a block.
        gibbs_sweeps: number of sweeps in which it then resamples the pitch of every free note
            (blocked Gibbs sampling).
    """

    meaning: str
    phrase_end_samples: int
    fill_passes: int
    gibbs_sweeps: int


QUALITIES: Final[Mapping[str, Quality]] = MappingProxyType(
    {
        "draft": Quality(
            meaning="A first try: notes are resampled twice, and phrase ends are sampled once",
            phrase_end_samples=1,
            fill_passes=2,
            gibbs_sweeps=2,
        ),
        "normal": Quality(
            meaning="Notes are resampled several times, or several ends of each phrase are tried",
            phrase_end_samples=8,
            fill_passes=8,
            gibbs_sweeps=8,
        ),
        "high": Quality(
            meaning="Notes are resampled many times, or many ends are tried: the slowest",
            phrase_end_samples=24,
            fill_passes=8,
            gibbs_sweeps=24,
        ),
    }
)
"""Levels by name, the fastest first."""

NORMAL: Final = "normal"
"""The default level."""

DESCRIPTION: Final = (
    "Number of times an infill model, such as relative-infill, resamples its notes, and number of "
    "phrase endings among which a causal model, such as relative, chooses the likeliest"
)
"""Description for users, in the form and on the command line."""
