"""Effects of heads that are replaced at all positions of a piece.

Dimensions: L layers, H heads, T steps, 4 voices.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from musicrel.chorale import Chorale
from musicrel.generation.ablation.results import Floats, GlobalEffects
from musicrel.generation.heads import replacement
from musicrel.generation.heads.mutes import WHOLE, Head, Mutes, Replacement
from musicrel.generation.infill import masked_reader
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.scoring.teacher_forcing import conditions_of, piece_nats
from musicrel.jobs import Job


@dataclass(frozen=True, eq=False, slots=True)
class GlobalProgress:
    """The effects known after a head; the first event comes after the reading without ablation."""

    effects_LH: Floats  # mean effect of each head on all cells, in nats; nan where not known yet
    done: int
    total: int

    @property
    def share(self) -> float:
        """Return the share of the heads that is done, 0 to 1."""
        return self.done / self.total


def global_effects(
    model: LoadedModel,
    chorale: Chorale,
    heads: Mutes | None = None,
    by: Replacement = "mean",
    given: Iterable[str] | None = None,
) -> Job[GlobalProgress, GlobalEffects]:
    """Replace heads one at a time at all positions of a piece; yields an event for each.

    Args:
        heads: the heads; None: all.
        given: names of the conditions; None: those under which the piece was generated.

    Raises:
        ModelError: the means are asked for and not known; see ``means.prepare``.
        UsageError: the model has no such head.
    """
    config, names = model.config, conditions_of(chorale) if given is None else tuple(given)
    chosen = (heads or _all(config.layers)).expanded(config.layers, config.heads)
    nats_T4 = _nats(model, chorale, names, Mutes())
    cells_LHT4 = np.full((config.layers, config.heads, *nats_T4.shape), np.nan)
    yield GlobalProgress(cells_LHT4.mean(axis=(2, 3)), 0, len(chosen))
    for number, head in enumerate(chosen):
        muted_T4 = _nats(model, chorale, names, Mutes((head,), by))
        cells_LHT4[head] = muted_T4 - nats_T4
        yield GlobalProgress(cells_LHT4.mean(axis=(2, 3)), number + 1, len(chosen))
    return GlobalEffects(by, nats_T4, cells_LHT4.mean(axis=(2, 3)), cells_LHT4)


def _nats(model: LoadedModel, chorale: Chorale, names: tuple[str, ...], mutes: Mutes) -> Floats:
    """Return -log p of every cell with some heads muted at all positions, (T, 4).

    An infilling model sees all cells except the neighbours in the same voice.
    """
    replaced = replacement.replaced_heads(model, mutes)
    if model.config.family == "infill":
        reader = masked_reader.open_masked_reader(model, "single", replaced)
        return masked_reader.piece_nats(reader, model, chorale, names)
    return piece_nats(model, chorale, names, replaced=replaced)


def _all(layers: int) -> Mutes:
    return Mutes(tuple(Head(layer, WHOLE) for layer in range(layers)))
