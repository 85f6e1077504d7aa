"""Teacher forcing: attention weights and surprisal of every cell of an existing piece.

Results come in order, a few cells at a time. A long job can be stopped, and the weights of all
heads over the whole piece never exist at once.

Dimensions: L layers, H heads, T rows, S keys, N steps of the piece.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Chorale, Voice
from musicrel.errors import UsageError
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.generation.sampling import log_softmax
from musicrel.jobs import Job
from musicrel.model.tokens import codec, conditions

if TYPE_CHECKING:
    from musicrel.model.replaced_heads import Ablations

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
    replaced: Ablations | None = None,
) -> Job[CellScores, None]:
    """Score a piece in order; ``locked_tokens`` as in ``LoadedModel.condition_rows``."""
    ids = model.encode(chorale)
    cells = chorale.steps * len(Voice)
    rows_NC = model.condition_rows(chorale, tuple(given), locked_tokens)[:cells]
    reader = model.reader(rows_NC[None], record=record, replaced=replaced)
    for first in range(0, cells, ROWS_AT_ONCE):
        stop = min(first + ROWS_AT_ONCE, cells)
        output = reader.read(ids[first:stop])
        log_p_TV = log_softmax(output.logits_TV.astype(np.float64))
        nats = -log_p_TV[np.arange(stop - first), ids[first + 1 : stop + 1]]
        yield CellScores(
            first=first,
            weights=output.weights_LHTS,
            nats=nats.astype(np.float32),
            cross_weights=output.weights_LHTN,
        )


def piece_nats(
    model: LoadedModel,
    chorale: Chorale,
    given: Iterable[str],
    *,
    replaced: Ablations | None = None,
) -> npt.NDArray[np.float64]:
    """Return the surprisal -log p of all cells of ``chorale``, (N, 4); see ``score_cells``."""
    parts = score_cells(model, chorale, given, record=False, replaced=replaced)
    nats = np.concatenate([part.nats for part in parts])
    return nats.astype(np.float64).reshape(-1, len(Voice))
