"""The Python interface to attention and what it does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import musicrel
from musicrel.chorale import Meter
from musicrel.errors import UsageError
from musicrel.generation.loaded_model import LoadedModel, load_model
from tests.helpers.models import tiny_model_directory
from tests.helpers.music import random_chorale

PIECE = replace(random_chorale(0, steps=16), pickup=0, meter=Meter())


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    """Load a tiny model."""
    return load_model(str(tiny_model_directory(tmp_path_factory.mktemp("models") / "tiny")))


def test_attention_of_a_note_is_a_row_of_that_of_the_piece(model: LoadedModel) -> None:
    whole = musicrel.attention(PIECE, model)
    one = musicrel.attention(PIECE, model, note="alto:1.2")
    assert whole.weights_CLHK.shape == (64, 2, 2, 64)
    assert one.cells_C.tolist() == [17]
    np.testing.assert_allclose(one.weights_CLHK[0], whole.weights_CLHK[17, :, :, :18], atol=1e-6)
    assert len(whole.axes["weights_CLHK"]) == whole.weights_CLHK.ndim


def test_a_note_is_ablated_head_by_head(model: LoadedModel) -> None:
    found = musicrel.ablate(PIECE, model, note="alto:1.2", by="zero")
    assert found.effects_LH.shape == (2, 2)
    assert found.voices_4.shape == (4,)


def test_a_piece_is_ablated_by_the_heads_that_are_named(model: LoadedModel) -> None:
    found = musicrel.ablate(PIECE, model, heads="2", by="zero")
    assert np.isnan(found.effects_LH[0]).all()
    assert np.isfinite(found.effects_LH[1]).all()
    assert found.nats_T4.shape == (16, 4)


def test_sources_and_the_lens_of_a_note(model: LoadedModel) -> None:
    found = musicrel.sources(PIECE, model, note="bass:1.4", strongest=2, random=1)
    assert len(found.sources) == len(found.effects_S) == 3
    lens = musicrel.lens(PIECE, model, note="bass:1.4")
    assert lens.log_p_NV.shape == (3, model.vocabulary.size)


def test_a_piece_is_read_from_a_file(model: LoadedModel, tmp_path: Path) -> None:
    PIECE.write(tmp_path / "piece.json")
    found = musicrel.ablate(str(tmp_path / "piece.json"), model, note="alto:1.2", by="zero")
    assert found.effects_LH.any()


def test_heads_are_refused_for_a_note(model: LoadedModel) -> None:
    """All heads are ablated there; a choice would be ignored."""
    expected = "heads is '2' for the note 'alto:1.2': expected no heads"
    with pytest.raises(UsageError, match=expected):
        musicrel.ablate(PIECE, model, note="alto:1.2", heads="2", by="zero")
