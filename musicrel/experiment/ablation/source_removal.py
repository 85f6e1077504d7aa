"""Sources of a note removed one at a time and together: correlations and effects.

Dimensions: S sources, H heads of all layers, K numbers of removed sources, G groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final

import numpy as np

from musicrel.analysis.heads.rank_correlation import spearman
from musicrel.chorale import Voice
from musicrel.experiment.ablation.measures import CORRELATIONS, GROUPS, REMOVED, Floats
from musicrel.generation.ablation.note_reader import NoteReader
from musicrel.generation.ablation.results import Source, SourceEffects

FEWEST: Final = 8
"""Sources that a rank correlation needs; with fewer it takes few values."""
RANDOM_GROUPS: Final = 8
"""Random groups of each number."""


def correlations(found: SourceEffects) -> tuple[Floats, Floats]:
    """Return the rank correlations over the sources of a note."""
    sources, layers, heads = found.weights_SLH.shape
    if sources < FEWEST:
        return np.full(len(CORRELATIONS), np.nan), np.full(layers * heads, np.nan)
    effects_S, weights_HS = found.effects_S, found.weights_SLH.reshape(sources, -1).T
    closeness_S = -distances(found.sources, found.cell)
    pairs = product((found.weights_S, closeness_S), (effects_S, np.abs(effects_S)))
    of_note_C = np.array([float(spearman(x_S, y_S)) for x_S, y_S in pairs])
    return of_note_C, spearman(weights_HS, np.broadcast_to(effects_S, weights_HS.shape))


def distances(sources: Sequence[Source], cell: int) -> Floats:
    """Return the steps from the last step of each source to that of a cell, (S,); never negative.

    A source of an infilling model may come after the cell.
    """
    step = cell // len(Voice)
    return np.array([max(step - one.stop + 1, one.start - step) for one in sources], dtype=float)


def together(
    reader: NoteReader,
    cell: int,
    sources: Sequence[Source],
    weights_S: Floats,
    rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    """Remove sources together: the strongest, the nearest, and random ones of the rest."""
    effects_KG = np.full((len(REMOVED), len(GROUPS)), np.nan)
    smaller_K = np.full(len(REMOVED), np.nan)
    by_weight = np.argsort(-weights_S, kind="stable")
    by_distance = np.argsort(distances(sources, cell), kind="stable")
    for row, number in enumerate(REMOVED):
        if 2 * number > len(sources):
            continue
        rest = by_weight[number:]
        drawn = [rng.choice(rest, size=number, replace=False) for _ in range(RANDOM_GROUPS)]
        groups = [by_weight[:number], by_distance[:number], *drawn]
        chosen = [[sources[place] for place in group] for group in groups]
        strongest, nearest, *random = reader.without(cell, chosen) - reader.output(cell).nats
        effects_KG[row] = strongest, nearest, np.mean(random)
        smaller_K[row] = np.mean([(one < strongest) + 0.5 * (one == strongest) for one in random])
    return effects_KG, smaller_K
