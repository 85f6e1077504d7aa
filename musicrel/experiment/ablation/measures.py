"""The measures of a model on the drawn notes of a piece, as arrays.

Dimensions: N notes, W definitions of a head's weight, H heads of all layers, S sources (the
strongest, then random ones), C correlations, K numbers of removed sources, G groups of them, P
patterns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Final, Self

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]

STRONGEST: Final = 64
"""Sources of largest weight that are removed one at a time."""
RANDOM: Final = 64
"""Random ones of the rest."""
REMOVED: Final = (4, 16)
"""Numbers of sources that are removed together."""
GROUPS: Final = ("strongest", "nearest", "random")
"""The sources that are removed together: of largest weight, latest, and others than the first."""
CORRELATIONS: Final = ("weight", "weight_size", "closeness", "closeness_size")
"""Rank correlations over sources: of weight and effect, of weight and the size of the effect
without its sign, and the same of closeness in time."""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Measures:
    """The measures of some notes; all arrays have a row for each.

    Attributes:
        cells_N: where the notes begin, four times the step plus the voice.
        nats_N: -log p without ablation.
        weights_NWH: weights of the heads, by ``head_weights.HEAD_WEIGHTS``.
        effects_NH: local effects of the heads.
        source_weights_NS: weights of the removed sources, mean over heads; nan where there are
            fewer.
        source_effects_NS: their effects.
        strongest_N: number of sources that are the strongest.
        correlations_NC: rank correlations over these sources, by ``CORRELATIONS``; nan where a
            note has too few.
        by_head_NH: that of the weights of one head with the effects.
        removed_NKG: effects of sources removed together; nan where there are too few.
        hurts_more_NK: share of the random groups that have a smaller effect than the strongest
            sources; ties count half.
        scores_NP: scores of the notes by pattern; nan where a pattern does not apply.
        excess_NPH: weight of each head on a pattern above that of equal weights; nan where no
            earlier note has the pattern, and for infilling models.
    """

    cells_N: Places
    nats_N: Floats
    weights_NWH: Floats
    effects_NH: Floats
    source_weights_NS: Floats
    source_effects_NS: Floats
    strongest_N: Places
    correlations_NC: Floats
    by_head_NH: Floats
    removed_NKG: Floats
    hurts_more_NK: Floats
    scores_NP: Floats
    excess_NPH: Floats

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return the notes of several parts, one after the other."""
        return cls(
            **{
                field.name: np.concatenate([getattr(part, field.name) for part in parts])
                for field in fields(cls)
            }
        )


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class SetEffects:
    """Effects of sets of heads that are replaced together."""

    sets_DH: npt.NDArray[np.bool_]
    effects_ND: Floats
