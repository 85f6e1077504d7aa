"""How surprising each note of a piece is to a model: -log p, in nats.

This file knows logits and cells; it knows nothing of colours or scales.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Chorale, Voice
from musicrel.generation.loaded_model import LoadedModel
from musicrel.tokens import conditions


def surprisal(
    model: LoadedModel,
    chorale: Chorale,
    given: Iterable[str] = conditions.FROM_PLACE_ALONE,
) -> npt.NDArray[np.float32]:
    """-log p of every cell: float32 (T, 4), in nats; the mean of all is the piece's nats/note.

    Args:
        model: a causal model.
        chorale: the piece.
        given: the conditions the model is told.
    """
    ids = model.encode(chorale)
    logits_NV = model.logits(ids, model.condition_rows(chorale, tuple(given))).astype(np.float64)
    log_p_NV = logits_NV - np.logaddexp.reduce(logits_NV, axis=-1, keepdims=True)
    nats_N = -log_p_NV[np.arange(len(ids) - 2), ids[1:-1]]
    cells: npt.NDArray[np.float32] = nats_N.reshape(-1, len(Voice)).astype(np.float32)
    return cells
