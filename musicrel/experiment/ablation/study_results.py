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
    """A rank correlation of each note, its mean over notes.

    Attributes:
        parts: "heads" or "sources", those that are correlated.
        measure: name in ``head_weights.HEAD_WEIGHTS`` or ``measures.CORRELATIONS``; of heads with
            "_size" for the correlation with the size of the effect without its sign.
        mean: over notes.
        notes: number of notes that have one.
    """

    parts: str
    measure: str
    mean: Estimate
    notes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadResult:
    """The means of one head over notes.

    Attributes:
        head: the head.
        weights: by ``head_weights.HEAD_WEIGHTS``.
        effect: of the head, in nats.
        correlation: rank correlation of its weights on sources with their effects; None where no
            note has one.
    """

    head: Head
    weights: dict[str, Estimate]
    effect: Estimate
    correlation: Estimate | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Removal:
    """Sources that are removed together; effects in nats, means over notes.

    Attributes:
        number: of sources.
        strongest: effect of those of largest weight.
        nearest: effect of the latest ones.
        random: effect of random others.
        difference: of the strongest minus the random ones.
        hurts_more: share of pairs of the strongest and a random group in which the strongest have
            the larger effect; ties count half.
        notes: number of notes.
    """

    number: int
    strongest: Estimate
    nearest: Estimate
    random: Estimate
    difference: Estimate
    hurts_more: Estimate
    notes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RankEffect:
    """The sources of some ranks of weight, removed one at a time.

    Attributes:
        first: rank of the largest weight, from 1; 0 for random sources after the strongest.
        last: rank of the smallest weight.
        weight: mean weight.
        effect: mean effect in nats.
        size: mean effect without its sign.
    """

    first: int
    last: int
    weight: Estimate
    effect: Estimate
    size: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrier:
    """A set of heads, replaced together, that may carry a pattern.

    Attributes:
        pattern: its name.
        by: the means of the choice on the first half of the pieces.
        heads: those of the set.
        with_pattern: effect on notes, weighted by their score of the pattern.
        without: effect on notes, weighted by 1 - score.
        contrast: their difference.
        excess: the contrast minus the mean of that of the random sets.
        comparison: the contrast among those of the random sets.
    """

    pattern: str
    by: Choice
    heads: tuple[Head, ...]
    with_pattern: Estimate
    without: Estimate
    contrast: Estimate
    excess: Estimate
    comparison: SetComparison


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelResults:
    """The results of one model.

    Attributes:
        model: its name.
        sha256: of its weights.
        scheme: its positional scheme.
        infills: whether it is an infilling model, whose sources are steps.
        layers: number of layers.
        heads: of a layer.
        nats: -log p of the notes without ablation.
        correlations: of weight and effect.
        by_head: of all heads, layer by layer.
        removals: by number of sources.
        ranks: of single sources, the strongest first.
        carriers: by pattern; empty where no note decides.
    """

    model: str
    sha256: str
    scheme: str
    infills: bool
    layers: int
    heads: int
    nats: Estimate
    correlations: tuple[Correlation, ...]
    by_head: tuple[HeadResult, ...]
    removals: tuple[Removal, ...]
    ranks: tuple[RankEffect, ...]
    carriers: tuple[Carrier, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The second model minus the first, on the same notes.

    Attributes:
        first: name of the first model.
        second: name of the second.
        measure: "heads NAME" or "sources NAME" for a correlation, "strongest NUMBER" for the effect
            of the strongest sources minus that of random ones.
        change: the difference of the means.
    """

    first: str
    second: str
    measure: str
    change: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteRow:
    """A note in the table of all notes; figures by column, empty where it has none.

    Attributes:
        model: name of the model.
        piece: its title.
        note: its name, as in "alto:5.2".
        figures: by column.
    """

    model: str
    piece: str
    note: str
    figures: dict[str, float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyResults:
    """The result of the study.

    Attributes:
        pieces: number of pieces.
        notes: number of notes of each model.
        seed: of all random choices.
        by: what replaced the output of a head.
        machine: the versions and hardware, see ``environment.machine``.
        models: in the order given.
        differences: of every later model to the first.
        rows: all notes of all models.
    """

    pieces: int
    notes: int
    seed: int
    by: Replacement
    machine: dict[str, Any]
    models: tuple[ModelResults, ...]
    differences: tuple[Difference, ...]
    rows: tuple[NoteRow, ...]

    def to_json(self) -> dict[str, Any]:
        """Return all values but the notes; heads count from 0, intervals are value, low, high."""
        values = asdict(self)  # an Estimate remains a tuple, written as a list
        del values["rows"]
        return {"format": FORMAT, "interval": "95 % bootstrap over pieces"} | values
