"""The measures behind the claims of 2018, in one table: names, claims and units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

Unit = Literal["share", "rate", "quarters"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A measure and the claim that it tests."""

    name: str
    title: str
    claim: str
    rises: bool  # whether the claim is that it is larger with relative attention
    alone: bool = False  # whether the claim is instead that it is above 0 with relative attention
    unit: Unit = "share"  # of its values: a share of attention, a rate of notes, or quarter notes


MEASURES: Final[Mapping[str, Measure]] = MappingProxyType(
    {
        measure.name: measure
        for measure in (
            Measure(
                name="step_before",
                title="All voices of the step before",
                claim="With relative attention, more weight is on the voices of the step before.",
                rises=True,
            ),
            Measure(
                name="every_voice",
                title="Shared by these four voices alike",
                claim="With relative attention, all four voices of the step before get weight.",
                rises=True,
            ),
            Measure(
                name="phrase_start",
                title="Phrase beginning, at cadences",
                claim="At cadences, relative attention puts more weight on the phrase beginning.",
                rises=True,
            ),
            Measure(
                name="phrase_start_excess",
                title="Phrase beginning above its second quarter",
                claim="At cadences, relative attention prefers the phrase beginning to the "
                "quarter after it.",
                rises=True,
                alone=True,
            ),
            Measure(
                name="last_events",
                title="The last three events",
                claim="Without relative attention, weight shrinks to the last three events.",
                rises=False,
            ),
            Measure(
                name="last_events_growth",
                title="Growth of the last three events' share",
                claim="Without relative attention, weight shrinks to the last three events in the "
                "course of a piece.",
                rises=False,
            ),
            Measure(
                name="repeated_notes",
                title="Repeated notes",
                claim="Without relative attention, more notes repeat the pitch before.",
                rises=False,
                unit="rate",
            ),
            Measure(
                name="longest_pitch",
                title="Longest stay on one pitch",
                claim="Without relative attention, a voice stays longer on one pitch.",
                rises=False,
                unit="quarters",
            ),
        )
    }
)
OF_PIECES: Final = ("repeated_notes", "longest_pitch")
"""Measures of pieces, which Bach's have, too; the others are of attention."""
