"""The results of the study of ablations, and their JSON form."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

from musicrel.analysis.claims.intervals import Estimate
from musicrel.analysis.heads.head_sets import SetComparison
from musicrel.experiment.ablation.carriers import Choice
from musicrel.generation.heads.mutes import Head, Replacement

FORMAT: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlation:
    """A rank correlation of each note, its mean over notes."""

    parts: str  # "heads" or "sources", those that are correlated
    # name in ``head_weights.HEAD_WEIGHTS`` or ``measures.CORRELATIONS``; of heads with "_size"
    # for the correlation with the size of the effect without its sign
    measure: str
    mean: Estimate  # over notes
    notes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadResult:
    """The means of one head over notes."""

    head: Head
    weights: dict[str, Estimate]
    effect: Estimate  # of the head, in nats
    # rank correlation of its weights on sources with their effects; None where no note has one
    correlation: Estimate | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """Sources that are removed together; effects in nats, means over notes."""

    number: int
    strongest: Estimate  # effect of those of largest weight
    nearest: Estimate  # effect of the latest ones
    random: Estimate  # effect of random others
    difference: Estimate  # of the strongest minus the random ones
    # share of pairs of the strongest and a random group in which the strongest have the larger
    # effect; ties count half
    hurts_more: Estimate
    notes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RankEffect:
    """The sources of some ranks of weight, removed one at a time."""

    first: int  # rank of the largest weight, from 1; 0 for random sources after the strongest
    last: int  # rank of the smallest weight
    weight: Estimate
    effect: Estimate  # mean effect in nats
    size: Estimate  # mean effect without its sign


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrier:
    """A set of heads, replaced together, that may carry a pattern."""

    pattern: str
    by: Choice  # the means of the choice on the first half of the pieces
    heads: tuple[Head, ...]
    with_pattern: Estimate  # effect on notes, weighted by their score of the pattern
    without: Estimate  # effect on notes, weighted by 1 - score
    contrast: Estimate
    excess: Estimate  # the contrast minus the mean of that of the random sets
    comparison: SetComparison  # the contrast among those of the random sets


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelResults:
    model: str
    sha256: str
    scheme: str
    infills: bool  # whether it is an infilling model, whose sources are steps
    layers: int
    heads: int
    nats: Estimate  # -log p of the notes without ablation
    correlations: tuple[Correlation, ...]  # of weight and effect
    by_head: tuple[HeadResult, ...]
    removals: tuple[Removal, ...]  # by number of sources
    ranks: tuple[RankEffect, ...]  # of single sources, the strongest first
    carriers: tuple[Carrier, ...]  # by pattern; empty where no note decides


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The second model minus the first, on the same notes."""

    first: str  # name of the first model
    second: str  # name of the second
    # "heads NAME" or "sources NAME" for a correlation, "strongest NUMBER" for the effect of the
    # strongest sources minus that of random ones
    measure: str
    change: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteRow:
    """A note in the table of all notes; figures by column, empty where it has none."""

    model: str
    piece: str
    note: str  # its name, as in "alto:5.2"
    figures: dict[str, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyResults:
    pieces: int
    notes: int  # number of notes of each model
    seed: int  # of all random choices
    by: Replacement  # what replaced the output of a head
    machine: dict[str, Any]  # the versions and hardware, see ``environment.machine``
    models: tuple[ModelResults, ...]
    differences: tuple[Difference, ...]  # of every later model to the first
    rows: tuple[NoteRow, ...]

    def to_json(self) -> dict[str, Any]:
        """Return all values but the notes; heads count from 0, intervals are value, low, high."""
        values = asdict(self)  # an Estimate remains a tuple, written as a list
        del values["rows"]
        return {"format": FORMAT, "interval": "95 % bootstrap over pieces"} | values
