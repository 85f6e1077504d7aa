"""How surprising each note is."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel import jobs
from musicrel.experiment.objectives.evaluation import evaluate
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.scoring.surprisal import surprisal
from musicrel.tokens.conditions import CONDITIONS
from tests.helpers.music import random_chorale


@pytest.mark.parametrize("given", [("voice", "beat"), tuple(CONDITIONS)])
def test_the_mean_is_the_pieces_nats_per_note(
    any_model: LoadedModel, given: tuple[str, ...]
) -> None:
    """The same figure as the evaluation's, spread over the cells."""
    piece = random_chorale(4, 20)
    result = jobs.run(evaluate(any_model.network, [piece], any_model.vocabulary, given))

    nats = surprisal(any_model, piece, given)

    assert nats.shape == (20, 4)
    assert nats.dtype == np.float32
    assert float(nats.mean()) == pytest.approx(result.nats_per_note, rel=1e-5)


def test_a_cell_has_the_surprisal_of_its_own_token(model: LoadedModel) -> None:
    """Another note there changes it; the cells before stay."""
    piece = random_chorale(4, 12)
    other = random_chorale(5, 12)
    mixed = other.pitches.copy()
    mixed[:6] = piece.pitches[:6]
    one, two = (type(piece).of(pitches) for pitches in (piece.pitches, mixed))

    np.testing.assert_allclose(surprisal(model, one)[:6], surprisal(model, two)[:6], atol=1e-4)
    assert np.abs(surprisal(model, one)[6] - surprisal(model, two)[6]).max() > 0.1
