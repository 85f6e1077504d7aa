"""Teacher forcing: attention weights and surprisal of every cell of an existing piece.

Results come in order, a few cells at a time. A long job can be stopped, and the weights of all
heads over the whole piece never exist at once.

Dimensions: L layers, H heads, T rows, S keys, N steps of the piece.
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
class CellScores:
    """Scores of consecutive cells.

    Attributes:
        first: number of the first cell; cell 0 is the soprano at step 0.
        weights: float32 (L, H, T, S), attention of cell ``first`` + t over START and the cells
            before, zero after; None unless recorded.
        nats: float32 (T,), surprisal -log p of each cell.
        cross_weights: float32 (L, H, T, N), attention over the steps that the encoder read; None
            without cross-attention or unless recorded.
    """

    first: int
    weights: npt.NDArray[np.float32] | None
    nats: npt.NDArray[np.float32]
    cross_weights: npt.NDArray[np.float32] | None = None


def conditions_of(chorale: Chorale) -> tuple[str, ...]:
    """Return the conditions under which ``chorale`` was generated, as far as they still hold.

    Without usable provenance they are the positional ones.
    """
    settings = dict(chorale.provenance.settings) if chorale.provenance else {}
    try:
        given = GenerationRequest.from_json(settings).given_conditions()
    except UsageError:
        return tuple(conditions.POSITIONAL)
    return tuple(name for name in given if name != "ending" or "written_steps" not in settings)


def tokens_of_voices(model: LoadedModel, chorale: Chorale, voices: Sequence[Voice]) -> codec.Ids:
    """Return the tokens of the cells of some voices, -1 elsewhere, int64 (4 T,).

    They are the argument ``locked_tokens`` of ``score_cells``.
    """
    ids = model.encode(chorale)[1:-1]
    return np.where(np.isin(np.arange(len(ids)) % len(Voice), voices), ids, -1)


def score_cells(
    model: LoadedModel,
    chorale: Chorale,
    given: Iterable[str],
    locked_tokens: codec.Ids | None = None,
    *,
    record: bool = True,
) -> Job[CellScores, None]:
    """Score ``chorale`` with ``model``; yields the scores in order.

    Args:
        model: a causal model.
        chorale: the piece.
        given: names of the conditions.
        locked_tokens: tokens of the locked cells; see ``LoadedModel.condition_rows``.
        record: record attention weights.
    """
    ids = model.encode(chorale)
    cells = chorale.steps * len(Voice)
    rows_NC = model.condition_rows(chorale, tuple(given), locked_tokens)[:cells]
    rows_1NC = torch.from_numpy(rows_NC)[None].to(model.device)
    with torch.inference_mode():
        conditions_1TC = model.network.with_lookahead(rows_1NC)
        conditioning = model.network.embed_conditions(conditions_1TC)
    cache = model.network.new_cache(1, cells)
    for first in range(0, cells, ROWS_AT_ONCE):
        part = slice(first, min(first + ROWS_AT_ONCE, cells))
        with torch.inference_mode():
            output = model.network(
                torch.from_numpy(ids[part])[None].to(model.device),
                conditions_1TC[:, part],
                cache=cache,
                conditioning=conditioning.at(part),
                record=record,
            )
            log_p_TV = output.logits_BTV[0].double().log_softmax(-1).cpu().numpy()
            weights, cross_weights = _stacked(output.weights), _stacked(output.cross_weights)
        chosen = ids[part.start + 1 : part.stop + 1]
        nats = -log_p_TV[np.arange(len(chosen)), chosen]
        yield CellScores(
            first=first, weights=weights, nats=nats.astype(np.float32), cross_weights=cross_weights
        )


def _stacked(weights: tuple[Tensor, ...]) -> npt.NDArray[np.float32] | None:
    """Return the weights of all layers as one array on the CPU, None where there are none."""
    if not weights:
        return None
    return torch.stack([layer_BHTS[0] for layer_BHTS in weights]).float().cpu().numpy()
