"""The places that the heads of a DaRoPE model learn: numbers, picture and table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from musicrel import jobs
from musicrel.chorale import Chorale
from musicrel.errors import ModelError
from musicrel.generation.heads.mutes import Head
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.generation.scoring.teacher_forcing import conditions_of
from musicrel.interpretability import analysis_job, places, view, views
from musicrel.interpretability.results import Places
from musicrel.interpretability.shown import Shown
from musicrel.presentation.words.palette import DARK, LIGHT
from tests.helpers.known import known
from tests.helpers.models import tiny_model_directory
from tests.helpers.naive_schemes import darope_coordinate

PIECE = Chorale.of(np.tile([[72, 67, 64, 48]], (36, 1)), title="Two bars", pickup=4)
OWN_TH4 = np.arange(36)[:, None, None] + np.arange(4) / 4 + np.zeros((1, 2, 1))
"""Steps of all cells, for each of two heads."""


@pytest.fixture(scope="module")
def darope(tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    folder = tmp_path_factory.mktemp("models") / "darope"
    return load_model(str(tiny_model_directory(folder, "darope")))


def drawn() -> Places:
    """Return places of one layer: head 1 is two bars late, head 2 puts all notes at bar 1."""
    steps_HT4 = OWN_TH4.transpose(1, 0, 2) * [[[1]], [[0]]] + [[[32]], [[4]]]
    return Places(1024, 4 * steps_HT4[None] + 1.5)


def test_places_are_those_of_the_formula(darope: LoadedModel, piece: Chorale) -> None:
    """In the first layer, whose states are the normalised embeddings."""
    found = places.find(darope, piece)

    network: Any = darope.network
    cells = 4 * piece.steps
    rows = torch.from_numpy(darope.condition_rows(piece, conditions_of(piece)))[None]
    ids = torch.from_numpy(darope.encode(piece))[None]
    block = network.blocks[0]
    with torch.no_grad():
        added = network.embed_conditions(rows).added_BND
        states = block.norm_attention(network.embed_token(ids) * network.scale + added)[0].numpy()
    expected = [
        [
            darope_coordinate(block.attention.positional, h, states[n], n)
            for n in range(1, cells + 1)
        ]
        for h in range(2)
    ]
    assert found.places_LHT4.shape == (2, 2, piece.steps, 4)
    assert found.axes["places_LHT4"] == ("layer", "head", "step", "voice")
    np.testing.assert_allclose(found.places_LHT4[0].reshape(2, -1), expected, atol=1e-3)
    assert found.window == darope.config.trained_length


def test_heads_that_learned_nothing_put_notes_where_they_are(
    tmp_path: Path, piece: Chorale
) -> None:
    model = load_model(str(tiny_model_directory(tmp_path / "plain", "darope")))
    network: Any = model.network
    for block in network.blocks:
        block.attention.positional.content_HD.data.zero_()
        block.attention.positional.prior_H.data.fill_(1.0)

    steps_LHT4 = places.find(model, piece).steps_LHT4

    expected = np.broadcast_to(OWN_TH4[: piece.steps].transpose(1, 0, 2), steps_LHT4.shape)
    np.testing.assert_allclose(steps_LHT4, expected, atol=1e-4)


def test_other_models_are_refused(model: LoadedModel, piece: Chorale) -> None:
    with pytest.raises(ModelError, match="tiny learn no places for notes: choose a causal model"):
        places.find(model, piece)


def test_an_analysis_has_places_if_the_heads_learn_them(
    darope: LoadedModel, piece: Chorale
) -> None:
    found = jobs.run(analysis_job.analyse(darope, piece))

    expected = places.find(darope, piece).places_LHT4
    np.testing.assert_allclose(known(found.places).places_LHT4, expected)
    assert jobs.run(analysis_job.analyse(darope, piece, weights=False)).places is None
    assert views.of(views.PLACES, Shown(found)) is not None
    found.places = None
    assert views.of(views.PLACES, Shown(found)) is None


@pytest.mark.usefixtures("qapp")
def test_a_line_is_read_where_it_is_pointed_at() -> None:
    """Bars on both axes; the nearest line is named, with the place of the note and the learned."""
    found = drawn()
    lines = views.of_places(found, PIECE, None).body(700, 300, LIGHT)
    voices = views.of_places(found, PIECE, Head(0, 0), cell=9).body(700, 300, DARK)

    top, bottom = (known(known(lines.at)(699, y)) for y in (1, 270))
    assert top.words == "Layer 1, head 1: bar 2, beat 4¾ is put at bar 4, beat 4¾"
    assert bottom.words == "Layer 1, head 2: bar 2, beat 4¾ is put at bar 1, beat 1"
    assert known(known(voices.at)(699, 270)).words.startswith("Layer 1, head 1, ")
    assert known(lines.at)(2, 1) is None
    assert lines.title == "Learned places, bar 1.0 to 5.0. Dotted: where the notes are."


@pytest.mark.usefixtures("qapp")
def test_places_are_written_as_a_picture_and_as_numbers(tmp_path: Path) -> None:
    found = views.of_places(drawn(), PIECE, Head(0, 1))
    assert found.title == "Two bars, where layer 1, head 2 puts the notes"
    for suffix in view.SUFFIXES:
        found.write(tmp_path / f"places{suffix}", LIGHT)

    header, first, *rows = (tmp_path / "places.csv").read_text().splitlines()
    assert header == 'step,voice,"Layer 1, head 1","Layer 1, head 2"'
    assert first == "0,S,129.5,17.5"
    assert len(rows) == 4 * PIECE.steps - 1


def test_a_piece_without_a_title_has_a_heading() -> None:
    found = views.of_places(drawn(), replace(PIECE, title=""), None)
    assert found.title == "where the heads put the notes"
    assert known(found.heading).heading == "Where the heads put the notes"
