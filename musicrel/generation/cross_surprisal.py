"""Surprisal of two pieces under two models, each under itself and under the other."""

from __future__ import annotations

from musicrel.chorale import Chorale
from musicrel.generation.infill import masked_reader
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.scoring.teacher_forcing import conditions_of, piece_nats
from musicrel.jobs import Job

Pair = tuple[float, float]


def cross_surprisal(
    models: tuple[LoadedModel, LoadedModel], pieces: tuple[Chorale, Chorale]
) -> Job[float, tuple[Pair, Pair]]:
    """Read both pieces with both models.

    A causal model reads each cell given those before it, an infilling one given all but its
    neighbours in the same voice. Conditions are those under which the piece was generated.

    Args:
        models: A and B, two causal ones or two infilling ones.

    Yields:
        The share of the readings that are done, 0 to 1.

    Returns:
        The surprisal in nats per note of the pieces of A and B, each under A and under B.

    Raises:
        DataError: a piece has notes outside the vocabulary of a model.
    """
    means: list[float] = []
    for piece in pieces:
        for model in models:
            means.append(_read(model, piece))
            yield len(means) / (len(models) * len(pieces))
    return (means[0], means[1]), (means[2], means[3])


def _read(model: LoadedModel, piece: Chorale) -> float:
    given = conditions_of(piece)
    if model.config.is_causal:
        return float(piece_nats(model, piece, given).mean())
    reader = masked_reader.open_masked_reader(model)
    return float(masked_reader.piece_nats(reader, model, piece, given).mean())
