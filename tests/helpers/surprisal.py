"""The surprisal of a piece computed at once: the reference for the readings made in parts."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Chorale, Voice
from musicrel.generation.loaded_model import LoadedModel
from musicrel.model.tokens import conditions


def surprisal(
    model: LoadedModel,
    chorale: Chorale,
    given: Iterable[str] = conditions.POSITIONAL,
) -> npt.NDArray[np.float32]:
    """Return -log p of every cell in nats, float32 (T, 4)."""
    ids = model.encode(chorale)
    logits = model.logits(ids, model.condition_rows(chorale, tuple(given))).astype(np.float64)
    log_p = logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True)
    nats = -log_p[np.arange(len(ids) - 2), ids[1:-1]]
    cells: npt.NDArray[np.float32] = nats.reshape(-1, len(Voice)).astype(np.float32)
    return cells
