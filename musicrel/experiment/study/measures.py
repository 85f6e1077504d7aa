"""Units and definitions of a study's losses, by the family of its models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from musicrel.experiment.recipe.recipe import DataPart
from musicrel.language import tr


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    unit: str
    basis: str  # what the loss is measured on, and how it is weighted
    observations: str = "pieces"  # name of the units that the bootstrap resamples, in the plural
    # title of the table of the other figures measured at the end
    further_title: str = "Nats/note on whole pieces"

    @property
    def per(self) -> str:
        return self.unit.partition("/")[2]


MEASURES: Final[Mapping[str, Measure]] = MappingProxyType(
    {
        "causal": Measure(
            unit="nats/note", basis="whole pieces, conditioned on voice and beat; weighted by notes"
        ),
        "masked": Measure(
            unit="nats/note",
            basis="the masked notes of whole pieces, with the same masks in all runs and "
            "evaluations, conditioned on voice and beat; weighted by notes",
        ),
        "infill": Measure(
            unit="nats/note",
            basis="the masked notes of whole pieces, with the same masks in all runs and "
            "evaluations, conditioned on the beat; weighted by notes",
            further_title="Nats/note by task, test",
        ),
        "encoder_decoder": Measure(
            unit="nats/note",
            basis="the notes to be generated of whole pieces, with the same given notes in all "
            "runs and evaluations, conditioned on the beat; weighted by notes",
            further_title="Nats/note by task, test",
        ),
        "classifier": Measure(
            unit="nats/sequence",
            basis="byte sequences of 8 to 400 bytes; accuracies at other lengths on 64 sequences "
            "each",
            observations="sequences",
            further_title="Accuracy",
        ),
        "published": Measure(
            unit="nats/token",
            basis="the masked tokens of windows, with the same masks in all runs and evaluations; "
            "weighted by tokens",
            further_title="Nats/token as published: new masks at every evaluation, mean of batch "
            "means",
        ),
    }
)


_READ: Final[Mapping[str, str]] = {
    "window": "pieces read in windows of the training length that overlap by half",
    "opening": "the openings of pieces, as many notes as the window, without the first",
}


_CONDITIONED: Final = ", conditioned on voice and beat"


def read_as(measure: Measure, data: DataPart) -> Measure:
    """Return ``measure`` for what the evaluations of a recipe read."""
    basis = measure.basis.replace("whole pieces", _READ.get(data.measured, "whole pieces"))
    return replace(measure, basis=basis if data.conditions else basis.replace(_CONDITIONED, ""))


def shown(unit: str) -> str:
    """Return a unit in the language on the screen."""
    units = {"nats/note": tr("nats/note"), "nats/sequence": tr("nats/sequence"),
             "nats/token": tr("nats/token")}  # fmt: skip
    return units.get(unit, unit)


def things(observations: str) -> str:
    """Return ``Measure.observations`` in the language on the screen."""
    return {"pieces": tr("pieces"), "sequences": tr("sequences")}.get(observations, observations)
