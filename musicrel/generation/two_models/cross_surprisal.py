"""Surprisal of two pieces under two models, each under itself and under the other.

Dimensions: T steps, 4 voices.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from musicrel.chorale import Chorale
from musicrel.generation.infill import masked_reader
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.scoring.teacher_forcing import conditions_of, piece_nats
from musicrel.generation.two_models.lockstep import SIDES, Side
from musicrel.jobs import Job

Nats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingProgress:
    """Progress of a reading.

    Attributes:
        share: of all pieces, 0 to 1.
    """

    share: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossSurprisal:
    """Surprisal of the pieces of A and B under the models A and B.

    Attributes:
        nats: -log p of the cells by piece and model, (T, 4).
    """

    nats: Mapping[tuple[Side, Side], Nats]

    def mean(self, piece: Side, model: Side) -> float:
        """Return the surprisal of a piece under a model in nats per note."""
        return float(self.nats[piece, model].mean())


def cross_surprisal(
    models: tuple[LoadedModel, LoadedModel], pieces: tuple[Chorale, Chorale]
) -> Job[ReadingProgress, CrossSurprisal]:
    """Read both pieces with both models.

    A causal model reads each cell given those before it, an infilling one given all but its
    neighbours in the same voice. Conditions are those under which the piece was generated.

    Args:
        models: A and B, two causal ones or two infilling ones.

    Raises:
        DataError: a piece has notes outside the vocabulary of a model.
    """
    nats: dict[tuple[Side, Side], Nats] = {}
    for reader, model in zip(SIDES, models, strict=True):
        for writer, piece in zip(SIDES, pieces, strict=True):
            nats[writer, reader] = _read(model, piece)
            yield ReadingProgress(share=len(nats) / len(SIDES) ** 2)
    return CrossSurprisal(nats=MappingProxyType(nats))


def _read(model: LoadedModel, piece: Chorale) -> Nats:
    """Return -log p of the cells of ``piece`` under ``model``, (T, 4)."""
    given = conditions_of(piece)
    if model.config.is_causal:
        return piece_nats(model, piece, given)
    return masked_reader.piece_nats(masked_reader.open_masked_reader(model), model, piece, given)
