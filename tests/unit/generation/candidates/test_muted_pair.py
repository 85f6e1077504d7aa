"""A piece without and with muted heads."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from musicrel import jobs
from musicrel.chorale import Chorale
from musicrel.generation import edit_requests
from musicrel.generation.candidates import candidate_job, muted_pair
from musicrel.generation.candidates.candidate_job import Candidate
from musicrel.generation.causal.batch import Progress
from musicrel.generation.heads.mutes import Mutes
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from tests.helpers.music import random_chorale

_MUTED = GenerationRequest(bars=1, seed=3, quality="draft", mutes=Mutes.parse("2.1,1", "zero"))


def alone(model: LoadedModel, request: GenerationRequest) -> Chorale:
    """Return the only candidate of a request."""
    return jobs.run(candidate_job.generate_candidates(model, request, 1)).ranked[0].chorale


def test_both_are_those_of_the_same_seed(model: LoadedModel) -> None:
    """Candidate 1 has all heads, candidate 2 the muted ones silenced."""
    events: list[Any] = []

    made = jobs.run(muted_pair.generate_pair(model, _MUTED), events.append)

    first, second = made.ranked
    assert (first.number, second.number) == (1, 2)
    assert (first.seed, second.seed) == (3, 3)
    assert first.chorale == alone(model, replace(_MUTED, mutes=Mutes()))
    assert second.chorale == alone(model, _MUTED)
    assert (first.chorale.pitches != second.chorale.pitches).any()
    assert [one.number for one in events if isinstance(one, Candidate)] == [1, 2]


def test_the_progress_is_that_of_both(model: LoadedModel) -> None:
    """It grows to the end once."""
    events: list[Any] = []

    jobs.run(muted_pair.generate_pair(model, _MUTED), events.append)

    shares = [event.done / event.total for event in events if isinstance(event, Progress)]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    assert 0.4 <= shares[len(shares) // 2] <= 0.6


def test_the_original_comes_once_and_its_kept_notes_stay(infill_model: LoadedModel) -> None:
    """It is candidate 0 of both."""
    piece = random_chorale(4, 32, margin=2)
    voices = edit_requests.parse_voices("A,T")
    request = edit_requests.infill_request(
        piece, voices, 8, 16, quality="draft", mutes=Mutes.parse("1", "zero")
    )
    events: list[Any] = []

    made = jobs.run(muted_pair.generate_pair(infill_model, request, original=piece), events.append)

    numbers = [one.number for one in events if isinstance(one, Candidate)]
    assert numbers == [0, 1, 2]
    for one in made.ranked:
        np.testing.assert_array_equal(one.chorale.pitches[:, [0, 3]], piece.pitches[:, [0, 3]])
