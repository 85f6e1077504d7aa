"""The means of the heads' outputs over the training pieces, computed once for a model.

A causal model reads every piece as it is. An infilling model reads it with every fourth note of one
voice hidden, so that the means are those at steps where a note of the voice is predicted; of the
four notes that this can begin with a piece gets two.

Dimensions: L layers, H heads, d head width, T steps or tokens, N cells, C conditions, B readings, 5
four voices and ``ANY``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from musicrel.analysis.corpus import bundled
from musicrel.chorale import Chorale, Voice
from musicrel.generation.events import MeansProgress
from musicrel.generation.heads import replacement
from musicrel.generation.heads.mutes import Mutes
from musicrel.generation.heads.replacement import HeadMeans
from musicrel.generation.loaded_model import LoadedModel
from musicrel.jobs import Job
from musicrel.model.replaced_heads import ANY, ROWS
from musicrel.model.tokens import codec
from musicrel.model.tokens.conditions import GIVEN
from musicrel.model.tokens.vocabulary import MASK

if TYPE_CHECKING:
    from musicrel.model.tokens.conditions import Rows

Floats = npt.NDArray[np.float64]

_VOICES: Final = len(Voice)
_EVERY: Final = 4  # notes of a voice of which an infilling model reads one as hidden
_READINGS: Final = 2  # readings of a piece for each voice


def note_numbers(chorale: Chorale) -> npt.NDArray[np.int64]:
    """Return the number of the note or rest of each cell, different for all, (N,)."""
    begins_T4 = chorale.onsets | (np.diff(chorale.pitches, axis=0, prepend=-2) != 0)
    number_4T = begins_T4.T.cumsum(axis=1)
    first_4 = np.append(0, number_4T[:-1, -1].cumsum())
    numbers_N: npt.NDArray[np.int64] = (number_4T + first_4[:, None]).T.reshape(-1)
    return numbers_N


def prepare(model: LoadedModel) -> Job[MeansProgress, HeadMeans]:
    """Return the means of a model; compute them and keep them in the user's cache if unknown."""
    means = replacement.known(model)
    if means is None:
        means = yield from compute(model, bundled.load("train"))
        replacement.write(replacement.cache_path(means.sha256), means)
    return means


def prepare_for(model: LoadedModel, mutes: Mutes) -> Job[MeansProgress, None]:
    """Prepare the means of a model if some of its heads are muted by them."""
    if mutes and mutes.by == "mean":
        yield from prepare(model)


def compute(model: LoadedModel, pieces: Sequence[Chorale]) -> Job[MeansProgress, HeadMeans]:
    """Compute the means over some pieces; torch reads."""
    config = model.config
    sums_5LHd = np.zeros((ROWS, config.layers, config.heads, config.head_width))
    counts_5 = np.zeros(ROWS, dtype=np.int64)
    for number, piece in enumerate(pieces):
        for row_T, mixed_LHTd in _readings(model, piece, number):
            for row in range(ROWS):
                sums_5LHd[row] += mixed_LHTd[:, :, row_T == row].sum(axis=2)
                counts_5[row] += (row_T == row).sum()
        yield MeansProgress(number + 1, len(pieces))
    means_5LHd = sums_5LHd / np.maximum(counts_5, 1)[:, None, None, None]
    if not counts_5[ANY]:
        means_5LHd[ANY] = means_5LHd[:ANY].mean(axis=0)
    return HeadMeans(means_5LHd.astype(np.float32), replacement.weights_hash(model))


def _readings(
    model: LoadedModel, piece: Chorale, number: int
) -> Iterator[tuple[npt.NDArray[np.int64], Floats]]:
    """Yield readings of a piece: the row of the means of each position, and all heads' outputs."""
    ids_N = model.encode(piece)[1:-1]
    names = tuple(name for name in model.conditions if name != GIVEN.name)
    rows_NC = model.condition_rows(piece, names)[: len(ids_N)]
    if model.config.family != "infill":
        ids_L = np.concatenate([model.encode(piece)[:1], ids_N[:-1]])
        yield np.arange(len(ids_L)) % _VOICES, _mixed(model, ids_L, rows_NC)
        return
    note_T4 = note_numbers(piece).reshape(-1, _VOICES)
    for voice in range(_VOICES):
        for reading in range(_READINGS):
            first = (number + reading * _EVERY // _READINGS) % _EVERY
            hidden_T = note_T4[:, voice] % _EVERY == first
            hidden_N, row_T = ids_N.copy(), np.where(hidden_T, voice, ANY)
            hidden_N[voice::_VOICES][hidden_T] = MASK
            yield row_T, _mixed(model, hidden_N, rows_NC)


def _mixed(model: LoadedModel, ids_N: codec.Ids, rows_NC: Rows) -> Floats:
    """Return the output of every head at every position, (L, H, T, d)."""
    import torch  # noqa: PLC0415  # it takes a second

    with torch.inference_mode():
        ids_1N = torch.from_numpy(ids_N)[None].to(model.device)
        conditions_1NC = torch.from_numpy(rows_NC)[None].to(model.device)
        output = model.network(ids_1N, conditions_1NC, record=True)
        layers = [mixed_1HTd[0].double().cpu().numpy() for mixed_1HTd in output.mixed]
    return np.stack(layers)
