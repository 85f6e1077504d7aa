"""Generation by a model with a table of lines: every state follows from the tokens so far."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from musicrel import jobs
from musicrel.generation.causal import particle_search
from musicrel.generation.causal.decode_sequence import DecodeSequence
from musicrel.generation.causal.decoder import Column, DecodingEvent
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.tokens import codec
from musicrel.tokens.conditions import CONDITIONS
from musicrel.tokens.vocabulary import ARTICULATED, PITCHES
from tests.helpers.models import tiny_card, tiny_config, tiny_model
from tests.helpers.music import random_chorale

PHRASES = GenerationRequest(length=48, bars=3, pickup=4, fermatas=((16, 20),), rules=())
"""Twelve quarters after a pickup; a phrase ends after five, another with the piece."""


@pytest.fixture(scope="module")
def lined() -> LoadedModel:
    """Return a causal model with large biases by line, in double precision."""
    names = tuple(CONDITIONS)
    config = tiny_config("relative", conditions=names, counterpoint=PITCHES, lines=PITCHES)
    network = tiny_model(config, dtype=torch.float64)
    return LoadedModel.unsaved(network, tiny_card(network), ARTICULATED)


@pytest.mark.parametrize("compiles", [True, False])
@pytest.mark.parametrize("has_melody", [False, True])
def test_searched_notes_have_the_probability_of_one_pass(
    lined: LoadedModel, *, has_melody: bool, compiles: bool
) -> None:
    """With a pickup, particles that are selected and branched, and locked notes."""
    model, request = replace(lined, may_compile=compiles), PHRASES
    if has_melody:
        soprano = np.zeros((request.steps, 4), dtype=bool)
        soprano[:, 0] = True
        request = replace(request, locks=Locks.of(random_chorale(4, request.steps), soprano))
    constraints = request.constraints(model.vocabulary)
    sequences = [
        DecodeSequence.of(model, replace(request, seed=seed), constraints.locked_tokens)
        for seed in range(2)
    ]
    events: list[DecodingEvent] = []
    job = particle_search.decode(
        model,
        constraints,
        request.sampler(),
        sequences,
        request.steps * codec.VOICES,
        quality="normal",
        cadence="",
    )

    written = jobs.run(job, events.append)

    ids = torch.from_numpy(np.stack(written))
    rows = torch.from_numpy(np.stack([sequence.conditions_NC for sequence in sequences]))
    with torch.inference_mode():
        logits = model.network(ids, rows[:, : ids.shape[1]]).logits_BTV
    log_p = logits[:, :-1].log_softmax(-1).gather(-1, ids[:, 1:, None])[..., 0]
    columns = [event for event in events if isinstance(event, Column)]
    found = np.stack([column.log_probability for column in columns], axis=1)
    np.testing.assert_allclose(found, log_p[:, columns[0].index - 1 :], atol=1e-3)
