"""In what a study's losses are counted and how they came about, by what its models learn.

This file knows words; the figures are ``results``' and ``statistics``'.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """How losses are spoken of.

    Attributes:
        unit: of a loss.
        on: what is measured, and how it is weighted.
        things: what is drawn anew in the bootstrap.
        further: what else is measured at the end, as the title of its table.
    """

    unit: str
    on: str
    things: str = "pieces"
    further: str = "Nats/note on whole pieces"

    @property
    def each(self) -> str:
        """What a loss is told for, as in ``note``."""
        return self.unit.partition("/")[2]


_WINDOWED: Final = "pieces read in windows as long as in training that slide by half"
MEASURES: Final[Mapping[str, Measure]] = MappingProxyType(
    {
        "causal": Measure(
            unit="nats/note", on="whole pieces, told voice and beat; weighted by notes"
        ),
        "masked": Measure(
            unit="nats/note",
            on="the hidden notes of whole pieces, the same ones in all runs and evaluations, told "
            "voice and beat; weighted by notes",
        ),
        "infill": Measure(
            unit="nats/note",
            on="the hidden notes of whole pieces, the same ones in all runs and evaluations, told "
            "the beat; weighted by notes",
            further="Nats/note of tasks, test",
        ),
        "encoder_decoder": Measure(
            unit="nats/note",
            on="the notes that are to be written of whole pieces, the same ones given in all runs "
            "and evaluations, told the beat; weighted by notes",
            further="Nats/note of tasks, test",
        ),
        "classifier": Measure(
            unit="nats/sequence",
            on="byte sequences of 8 to 400 bytes; accuracies at other lengths on 64 sequences each",
            things="sequences",
            further="Share right",
        ),
        "critic": Measure(
            unit="nats/window",
            on="windows of eight bars, half of them by Bach, the same ones in all evaluations",
            things="windows",
            further="Share right, by kind",
        ),
        "published": Measure(
            unit="nats/token",
            on="the hidden tokens of windows, the same ones in all runs and evaluations; weighted "
            "by tokens",
            further="Nats/token as published: other masks at every evaluation, the mean of the "
            "means of batches",
        ),
    }
)
"""By family of the models."""


def windowed(measure: Measure) -> Measure:
    """The measure where pieces are read through the windows of training, sliding by half."""
    return replace(measure, on=measure.on.replace("whole pieces", _WINDOWED))
