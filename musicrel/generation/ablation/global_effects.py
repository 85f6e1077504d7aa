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
from musicrel.generation.infill import cell_nats, masked_reader
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.scoring.teacher_forcing import conditions_of, piece_nats
from musicrel.jobs import Job


@dataclass(frozen=True, slots=True)
class GlobalProgress:
    """A head that is done.

    Attributes:
        head: the head; None for the reading without ablation.
        effect: its mean effect on all cells, in nats.
        done: number of heads done.
        total: number of heads.
    """

    head: Head | None
    effect: float
    done: int
    total: int


def global_effects(
    model: LoadedModel,
    chorale: Chorale,
    heads: Mutes | None = None,
    by: Replacement = "mean",
    given: Iterable[str] | None = None,
) -> Job[GlobalProgress, GlobalEffects]:
    """Replace heads one at a time at all positions of a piece; yields an event for each.

    Args:
        model: a model that predicts notes.
        chorale: the piece.
        heads: the heads; None: all.
        by: what replaces their output.
        given: names of the conditions; None: those under which the piece was generated.

    Raises:
        ModelError: the means are asked for and not known; see ``means.prepare``.
        UsageError: the model has no such head.
    """
    config, names = model.config, conditions_of(chorale) if given is None else tuple(given)
    chosen = (heads or _all(config.layers)).expanded(config.layers, config.heads)
    nats_T4 = _nats(model, chorale, names, Mutes())
    yield GlobalProgress(None, 0.0, 0, len(chosen))
    cells_LHT4 = np.full((config.layers, config.heads, *nats_T4.shape), np.nan)
    for number, head in enumerate(chosen):
        muted_T4 = _nats(model, chorale, names, Mutes((head,), by))
        cells_LHT4[head] = muted_T4 - nats_T4
        yield GlobalProgress(head, float(cells_LHT4[head].mean()), number + 1, len(chosen))
    return GlobalEffects(by, nats_T4, cells_LHT4.mean(axis=(2, 3)), cells_LHT4)


def _nats(model: LoadedModel, chorale: Chorale, names: tuple[str, ...], mutes: Mutes) -> Floats:
    """Return -log p of every cell with some heads muted at all positions, (T, 4).

    An infilling model sees all cells except the neighbours in the same voice.
    """
    replaced = replacement.replaced_heads(model, mutes)
    if model.config.family == "infill":
        reader = masked_reader.open_masked_reader(model, "single", replaced)
        return cell_nats.of_piece(reader, model, chorale, names)
    return piece_nats(model, chorale, names, replaced=replaced)


def _all(layers: int) -> Mutes:
    return Mutes(tuple(Head(layer, WHOLE) for layer in range(layers)))
