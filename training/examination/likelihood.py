"""The likelihood profile of a piece: how surprising its notes are to the benchmark model.

Music of a model is often just as surprising as a model expects, Bach's is not: sampling that cuts
off the tail, and a search, leave out the notes that would surprise it most. The model is
``relative-jsb``, which writes none of the pieces that are examined and read no validation or test
piece in training.

Dimensions: T steps, N cells that sound.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

import musicrel
from musicrel.chorale import REST, Chorale, Voice
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.sampling import log_softmax
from musicrel.model.tokens.conditions import POSITIONAL
from training.examination.reading import BEAT

MODEL: Final = "relative-jsb"
_QUANTILES: Final = (10, 25, 50, 75, 90, 95, 99)
_LEVELS: Final = (1, 2, 3, 4, 5, 6)
_BEATS: Final = 4
"""Beats of a bar that have a number of their own."""
_HIGH: Final = 3.0
_EXTREME: Final = 5.0

Nats = npt.NDArray[np.float64]


class Surprise(NamedTuple):
    """Of each cell of a piece -ln p of its token, and the mean of -ln p over all tokens there."""

    nats_T4: Nats
    entropy_T4: Nats


@cache
def _model() -> LoadedModel:
    return musicrel.load_model(MODEL)


def surprise(model: LoadedModel, piece: Chorale) -> Surprise:
    ids = model.encode(piece)
    rows = model.condition_rows(piece, POSITIONAL)[: len(ids) - 1]
    log_p_NV = log_softmax(model.logits(ids[:-1], rows).astype(np.float64))[:-1]  # END is no note
    nats_N = -log_p_NV[np.arange(len(log_p_NV)), ids[1:-1]]
    entropy_N = -(np.exp(log_p_NV) * log_p_NV).sum(axis=1)
    return Surprise(nats_N.reshape(-1, len(Voice)), entropy_N.reshape(-1, len(Voice)))


def profile(piece: Chorale) -> Mapping[str, float]:
    return numbers(piece, surprise(_model(), piece))


def numbers(piece: Chorale, found: Surprise) -> dict[str, float]:
    """Return the numbers of a profile by name; rests do not count, and NaN is a mean of nothing."""
    sounds_T4 = piece.pitches != REST
    places_T4 = np.tile(piece.bar_positions()[:, None], len(Voice))
    moves_T4 = np.diff(piece.pitches, axis=0, prepend=piece.pitches[:1]) != 0
    nats, surplus, place, moves, voice = (
        of_cells_T4[sounds_T4]
        for of_cells_T4 in (
            found.nats_T4,
            found.nats_T4 - found.entropy_T4,
            places_T4,
            moves_T4,
            np.tile(np.arange(len(Voice)), (piece.steps, 1)),
        )
    )
    of_steps_T = found.nats_T4.sum(axis=1)
    parts = {voice_.title: voice == voice_ for voice_ in Voice}
    places = {f"beat {n + 1}": place == n * BEAT for n in range(_BEATS)}
    places |= {"eighths": place % BEAT == BEAT // 2, "sixteenths": place % 2 == 1}
    values = {"mean": _mean(nats), "sd": float(nats.std()), "sd of steps": float(of_steps_T.std())}
    values |= {f"quantile {q}": float(np.percentile(nats, q)) for q in _QUANTILES}
    values |= {f"above {level}": _mean(nats > level) for level in _LEVELS}
    values |= {"less entropy": _mean(surplus), "less entropy, sd": float(surplus.std())}
    for name, part in parts.items():
        values |= {name: _mean(nats[part]), f"{name}, less entropy": _mean(surplus[part])}
        values[f"{name}, above {_HIGH:g}"] = _mean(nats[part] > _HIGH)
    values |= {name: _mean(nats[part]) for name, part in places.items()}
    values |= {"moving": _mean(nats[moves]), "held": _mean(nats[~moves])}
    is_on_beat = place % BEAT == 0
    for name, part in (("on the beat", is_on_beat), ("off the beat", ~is_on_beat)):
        values[f"{name}, above {_EXTREME:g}"] = _mean(nats[part] > _EXTREME)
    return values


def _mean(values: npt.NDArray[np.generic]) -> float:
    return float(values.mean()) if len(values) else float("nan")
