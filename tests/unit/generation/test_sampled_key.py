"""The sampled key of a piece without a requested one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from musicrel import jobs
from musicrel.chorale import Key
from musicrel.corpus import bundled
from musicrel.generation import sampled_key
from musicrel.generation.candidates.candidate_job import generate_candidates
from musicrel.generation.causal.causal_generator import generate
from musicrel.generation.constraints.locks import Cell, Locks
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest

OPEN = GenerationRequest(bars=1, seed=3)


def test_the_table_is_that_of_the_training_chorales() -> None:
    """It holds the number of chorales in each key."""
    assert Counter(str(piece.key) for piece in bundled.load("train")) == sampled_key.OCCURRENCES


def test_keys_are_sampled_by_their_frequency() -> None:
    """In two thousand seeds, frequent keys are within a fifth of their share."""
    found = Counter(str(sampled_key.sample_key(seed)) for seed in range(2000))
    total = sum(sampled_key.OCCURRENCES.values())
    assert set(found) <= set(sampled_key.OCCURRENCES)
    for key in ("G major", "A minor", "G minor"):
        share = sampled_key.OCCURRENCES[key] / total
        assert abs(found[key] / 2000 - share) < share / 5


def test_a_requested_key_or_locks_prevent_sampling(model: LoadedModel) -> None:
    """A request with a key or with locks is unchanged."""
    named = replace(OPEN, key=Key("E", "minor"))
    assert named.with_sampled_key(model.conditions) is named
    given = replace(OPEN, locks=Locks(steps=16, cells=(Cell(step=0, voice=0, pitch=67),)))
    assert given.with_sampled_key(model.conditions) is given
    assert OPEN.with_sampled_key(model.conditions).key == sampled_key.sample_key(3)
    assert OPEN.with_sampled_key(()) is OPEN


def test_a_candidate_has_the_key_and_the_notes_of_its_seed(model: LoadedModel) -> None:
    """It equals the piece generated alone with that seed."""
    made = jobs.run(generate_candidates(model, OPEN, 3))
    for one in made.ranked:
        assert one.seed is not None
        alone = jobs.run(generate(model, replace(OPEN, seed=one.seed))).chorale
        assert one.chorale.key == alone.key == sampled_key.sample_key(one.seed)
        assert np.array_equal(one.chorale.pitches, alone.pitches)
