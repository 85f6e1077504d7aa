"""Reading a piece that is there, as if it were being written: weights and surprise of every cell.

The rows come in order and a few at a time, so that the reader of a long piece can be stopped and
the weights of all heads never exist at once.

Dimensions: L layers, H heads, T rows, S keys, N steps of the piece.

This file knows ids and weights; it knows nothing of what is made of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
        across: float32 (L, H, T, N): how much each cell looks at what an encoder read, step by
            step; None where the model does not look across, or where weights were not asked for.
    """

    first: int
    weights: npt.NDArray[np.float32] | None
    nats: npt.NDArray[np.float32]
    across: npt.NDArray[np.float32] | None = None


def told_of(chorale: Chorale) -> tuple[str, ...]:
    """The conditions its writer was told, as far as they still hold; else those of the grid."""
    settings = dict(chorale.provenance.settings) if chorale.provenance else {}
    try:
        told = GenerationRequest.from_json(settings).told()
    except UsageError:
        return tuple(conditions.FROM_PLACE_ALONE)
    return tuple(name for name in told if name != "ending" or "written_steps" not in settings)


def tokens_of(model: LoadedModel, chorale: Chorale, voices: Sequence[Voice]) -> codec.Ids:
    """The tokens of the cells of some voices, -1 elsewhere, as ``attend`` takes them: (4 T,)."""
    ids = model.encode(chorale)[1:-1]
    return np.where(np.isin(np.arange(len(ids)) % len(Voice), voices), ids, -1)


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
        known = model.network.told(told_1TC)
    cache = model.network.new_cache(1, cells)
    for first in range(0, cells, ROWS_AT_ONCE):
        part = slice(first, min(first + ROWS_AT_ONCE, cells))
        with torch.inference_mode():
            output = model.network(
                torch.from_numpy(ids[part])[None].to(model.device),
                told_1TC[:, part],
                cache=cache,
                told=known.at(part),
                record=record,
            )
            log_p_TV = output.logits_BTV[0].double().log_softmax(-1).cpu().numpy()
            weights, across = _stacked(output.weights), _stacked(output.across)
        chosen = ids[part.start + 1 : part.stop + 1]
        nats = -log_p_TV[np.arange(len(chosen)), chosen]
        yield Rows(first=first, weights=weights, nats=nats.astype(np.float32), across=across)


def _stacked(weights: tuple[Tensor, ...]) -> npt.NDArray[np.float32] | None:
    """The weights of all layers as one array on the CPU; None where there are none."""
    if not weights:
        return None
    return torch.stack([layer_BHTS[0] for layer_BHTS in weights]).float().cpu().numpy()
