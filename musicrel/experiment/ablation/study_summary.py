"""The results of a study from the measures of all models.

Dimensions: N notes, R replicates, U pieces.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from musicrel.analysis.claims import intervals
from musicrel.chorale import Chorale
from musicrel.experiment.ablation import summary
from musicrel.experiment.ablation.carriers import ChosenSet
from musicrel.experiment.ablation.measures import GROUPS, REMOVED, Floats, Measures, SetEffects
from musicrel.experiment.ablation.study_results import (
    Carrier,
    Difference,
    ModelResults,
    NoteRow,
    StudyResults,
)
from musicrel.experiment.ablation.summary import NoteMeans
from musicrel.generation.ablation import cell_names
from musicrel.generation.heads.mutes import Replacement
from musicrel.generation.loaded_model import LoadedModel

_BOOTSTRAP_SEED: Final = 0


@dataclass(frozen=True, eq=False, slots=True)
class Observed:
    """The measures of one model."""

    model: LoadedModel
    parts: tuple[Measures, ...]  # measures of the notes of each piece
    chosen: tuple[ChosenSet, ...]  # the sets of heads chosen for patterns; empty without a choice
    second: tuple[int, ...]  # numbers of the pieces of the second half
    sets: tuple[SetEffects, ...]  # effects of the sets on their notes; empty without a choice


def results(
    observed: Sequence[Observed],
    pieces: Sequence[Chorale],
    *,
    seed: int,
    by: Replacement,
    machine: Mapping[str, Any],
) -> StudyResults:
    means = _means(observed[0].parts)
    joined = [Measures.joined(one.parts) for one in observed]
    of_notes = [summary.of_each_note(measures) for measures in joined]
    return StudyResults(
        pieces=len(pieces),
        notes=len(means.pieces_N),
        seed=seed,
        by=by,
        machine=dict(machine),
        models=tuple(
            _model_results(*one, means) for one in zip(observed, joined, of_notes, strict=True)
        ),
        differences=tuple(_differences(observed, joined, of_notes, means)),
        rows=tuple(
            row
            for one, of_note in zip(observed, of_notes, strict=True)
            for row in _rows(one, of_note, pieces, means)
        ),
    )


def _means(parts: Sequence[Measures]) -> NoteMeans:
    """Return means over the notes of some pieces, numbered from 0."""
    counts = [len(part.cells_N) for part in parts]
    draws_RU = intervals.draws(len(parts), np.random.default_rng(_BOOTSTRAP_SEED))
    return NoteMeans(np.repeat(np.arange(len(parts)), counts), draws_RU)


def _model_results(
    observed: Observed, measures: Measures, of_notes: Mapping[str, Floats], means: NoteMeans
) -> ModelResults:
    model, config = observed.model, observed.model.config
    return ModelResults(
        model=model.name,
        sha256=model.sha256,
        scheme=config.scheme,
        infills=config.family == "infill",
        layers=config.layers,
        heads=config.heads,
        nats=means.known(measures.nats_N),
        correlations=tuple(summary.correlations(of_notes, means)),
        by_head=tuple(summary.by_head(measures, means, config.heads)),
        removals=tuple(summary.removals(measures, means)),
        ranks=tuple(summary.ranks(measures, means)),
        carriers=tuple(_carriers(observed)),
    )


def _carriers(observed: Observed) -> Iterator[Carrier]:
    if observed.sets:
        parts = [observed.parts[piece] for piece in observed.second]
        effects = SetEffects(
            sets_DH=observed.sets[0].sets_DH,
            effects_ND=np.concatenate([one.effects_ND for one in observed.sets]),
        )
        yield from summary.carriers_of(
            observed.chosen,
            Measures.joined(parts),
            effects,
            _means(parts),
            observed.model.config.heads,
        )


def _differences(
    observed: Sequence[Observed],
    joined: Sequence[Measures],
    of_notes: Sequence[Mapping[str, Floats]],
    means: NoteMeans,
) -> Iterator[Difference]:
    """Yield the differences of every later model to the first, of notes that both have."""
    values = [
        {**of_note, **_more_than_random(measures)}
        for of_note, measures in zip(of_notes, joined, strict=True)
    ]
    for one, of_model in zip(observed[1:], values[1:], strict=True):
        for name in of_model:
            change = means.mean(of_model[name] - values[0][name])
            if change is not None:
                yield Difference(
                    first=observed[0].model.name,
                    second=one.model.name,
                    measure=name,
                    change=change,
                )


def _more_than_random(measures: Measures) -> dict[str, Floats]:
    """Return the effect of the strongest sources minus that of random ones, of each note."""
    strongest, random = GROUPS.index("strongest"), GROUPS.index("random")
    removed_NKG = measures.removed_NKG
    return {
        f"strongest {number}": removed_NKG[:, row, strongest] - removed_NKG[:, row, random]
        for row, number in enumerate(REMOVED)
    }


def _rows(
    observed: Observed, of_notes: Mapping[str, Floats], pieces: Sequence[Chorale], means: NoteMeans
) -> Iterator[NoteRow]:
    """Yield the figures of all notes of a model."""
    measures = Measures.joined(observed.parts)
    columns = {"nats": measures.nats_N, **of_notes}
    for row, number in enumerate(REMOVED):
        for place, group in enumerate(GROUPS):
            columns[f"{group} {number}"] = measures.removed_NKG[:, row, place]
    for row, (piece, cell) in enumerate(
        zip(means.pieces_N.tolist(), measures.cells_N.tolist(), strict=True)
    ):
        figures = {name: float(values_N[row]) for name, values_N in columns.items()}
        yield NoteRow(
            model=observed.model.name,
            piece=pieces[piece].title,
            note=cell_names.name(cell, pieces[piece]),
            figures={name: None if np.isnan(v) else v for name, v in figures.items()},
        )
