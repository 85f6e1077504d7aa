"""Reading a piece that is there, as if it were being written: weights and surprise of every cell.

The rows come in order and a few at a time, so that the reader of a long piece can be stopped and
the weights of all heads never exist at once.

Dimensions: L layers, H heads, T rows, S keys.

This file knows ids and weights; it knows nothing of what is made of them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from musicrel.chorale import Chorale, Voice
from musicrel.errors import UsageError
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.jobs import Job
from musicrel.tokens import codec, conditions

ROWS_AT_ONCE: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """The rows of some cells.

    Attributes:
        first: the first of these cells; cell 0 is the soprano of step 0.
        weights: float32 (L, H, T, S): row t is cell ``first`` + t looking at START and the cells
            before, zeros after that; None where they were not asked for.
        nats: float32 (T,): how surprising each cell is, -log p.
    """

    first: int
    weights: npt.NDArray[np.float32] | None
    nats: npt.NDArray[np.float32]


def told_of(chorale: Chorale) -> tuple[str, ...]:
    """The conditions its writer was told, as far as they still hold; else those of the grid."""
    settings = dict(chorale.provenance.settings) if chorale.provenance else {}
    try:
        told = GenerationRequest.from_json(settings).told()
    except UsageError:
        return tuple(conditions.FROM_PLACE_ALONE)
    return tuple(name for name in told if name != "ending" or "written_steps" not in settings)


def attend(
    model: LoadedModel,
    chorale: Chorale,
    given: Iterable[str],
    fixed: codec.Ids | None = None,
    *,
    record: bool = True,
) -> Job[Rows, None]:
    """Read ``chorale`` with ``model``; yields its rows in order.

    Args:
        model: a causal model.
        chorale: the piece.
        given: the conditions the model is told.
        fixed: the tokens it is told beforehand; see ``LoadedModel.condition_rows``.
        record: whether the weights are wanted.
    """
    ids = model.encode(chorale)
    cells = chorale.steps * len(Voice)
    told = model.condition_rows(chorale, tuple(given), fixed)[None, :cells]
    with torch.inference_mode():
        told_1TC = model.network.widened(torch.from_numpy(told).to(model.device))
        told_1TD = model.network.told(told_1TC)
    cache = model.network.new_cache(1, cells)
    for first in range(0, cells, ROWS_AT_ONCE):
        part = slice(first, min(first + ROWS_AT_ONCE, cells))
        with torch.inference_mode():
            output = model.network(
                torch.from_numpy(ids[part])[None].to(model.device),
                told_1TC[:, part],
                cache=cache,
                told_BTD=told_1TD[:, part],
                record=record,
            )
            log_p_TV = output.logits_BTV[0].double().log_softmax(-1).cpu().numpy()
            weights = _stacked(output.weights) if record else None
        chosen = ids[part.start + 1 : part.stop + 1]
        nats = -log_p_TV[np.arange(len(chosen)), chosen]
        yield Rows(first=first, weights=weights, nats=nats.astype(np.float32))


def _stacked(weights: tuple[Tensor, ...]) -> npt.NDArray[np.float32]:
    """The weights of all layers as one array on the CPU."""
    return torch.stack([layer_BHTS[0] for layer_BHTS in weights]).float().cpu().numpy()
