"""Attention of an infill model when one note is hidden."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from musicrel.chorale import Chorale
from musicrel.generation.ablation import sources
from musicrel.generation.infill.masked_attention import MaskedAttention
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.tokens.vocabulary import MASK
from tests.helpers.models import tiny_infill_directory
from tests.helpers.music import random_chorale

PIECE = random_chorale(4, 12)
GIVEN = ("beat", "key")


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    """Return a tiny infilling model."""
    folder: Path = tmp_path_factory.mktemp("models")
    return load_model(str(tiny_infill_directory(folder / "both")))


@pytest.mark.parametrize("cell", [0, 22, 47])
def test_weights_are_those_of_the_whole_piece_with_the_note_hidden(
    model: LoadedModel, cell: int
) -> None:
    """The reference reads all cells with the output layers."""
    ids = torch.from_numpy(model.encode(PIECE)[1:-1])[None]
    rows = torch.from_numpy(model.condition_rows(PIECE, GIVEN)[:48])[None]
    notes = sources.note_numbers(PIECE)
    cells = np.flatnonzero(notes == notes[cell])
    ids[0, cells] = MASK
    with torch.inference_mode():
        weights = model.network(ids, rows, record=True).weights
    places, found = MaskedAttention(model, PIECE, GIVEN, notes).rows(cell)

    assert places.tolist() == cells.tolist()
    expected = np.stack([[layer[0, :, at // 4].numpy() for layer in weights] for at in cells])
    assert found.shape == (len(cells), 2, 2, 12)
    np.testing.assert_allclose(found, expected, atol=1e-6)
    np.testing.assert_allclose(found.sum(axis=-1), 1, atol=1e-5)


def test_hidden_note_is_seen_nowhere(model: LoadedModel) -> None:
    """Another pitch there leaves the weights as they are; those of other notes change."""
    pitches = np.tile(np.array([[72, 67, 64, 48]], dtype=np.int16), (12, 1))
    other = pitches.copy()
    other[:, 2] += 1
    before, after = (
        MaskedAttention(model, one, (), sources.note_numbers(one))
        for one in (Chorale.of(pitches), Chorale.of(other))
    )

    np.testing.assert_array_equal(before.rows(22)[1], after.rows(22)[1])
    assert np.abs(before.rows(23)[1] - after.rows(23)[1]).max() > 1e-4
