"""Quality levels: amount of work per piece, in one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from musicrel.language import tr


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """A row of the table."""

    meaning: str
    particles: int  # versions of each phrase that a causal model writes side by side
    fill_passes: int  # forward passes in which an infill model fills a block
    gibbs_sweeps: int  # sweeps in which it then resamples the pitch of every free note
    span_sweeps: tuple[int, ...] = ()  # numbers of those, from 0, before which it rewrites beats
    repairs: int = 0  # attempts to draw missed cadences, parallels and 6-4 chords again


QUALITIES: Final[Mapping[str, Quality]] = MappingProxyType(
    {
        "draft": Quality(
            meaning=tr("A first try: notes are resampled twice, or written once"),
            particles=1,
            fill_passes=2,
            gibbs_sweeps=2,
        ),
        "normal": Quality(
            meaning=tr("Notes are resampled several times, or chosen from 8 versions of a phrase"),
            particles=8,
            fill_passes=8,
            gibbs_sweeps=8,
            repairs=4,
        ),
        "high": Quality(
            meaning=tr("Notes are resampled many times, or chosen from 32 versions: the slowest"),
            particles=32,
            fill_passes=8,
            gibbs_sweeps=24,
            span_sweeps=(3, 7, 11, 15, 19),
            repairs=8,
        ),
    }
)
"""Levels by name, the fastest first."""

NORMAL: Final = "normal"  # the default level

DESCRIPTION: Final = tr(
    "Number of times an infill model, such as relative-infill, resamples its notes and repairs "
    "missed cadences, parallels and 6-4 chords, and number of versions of each phrase that a "
    "causal model, such as relative, writes side by side to choose from"
)
"""Description for users, in the form and on the command line."""


def searches(quality: str, temperature: float) -> bool:
    """Return True where a model searches for cadences, a causal one also towards locked notes."""
    return QUALITIES[quality].particles > 1 and temperature > 0
