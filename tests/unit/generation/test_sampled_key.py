"""The key of a piece whose key was left open."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from musicrel import jobs
from musicrel.chorale import Key
from musicrel.corpus import bundled
from musicrel.generation import sampled_key
from musicrel.generation.candidates.candidate_job import propose
from musicrel.generation.causal.causal_generator import generate
from musicrel.generation.constraints.locks import Cell, Locks
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest

OPEN = GenerationRequest(bars=1, seed=3)


def test_the_table_is_that_of_the_training_chorales() -> None:
    """Every key as often as it occurs there."""
    assert Counter(str(piece.key) for piece in bundled.load("train")) == sampled_key.OCCURRENCES


def test_keys_are_drawn_as_often_as_they_occur() -> None:
    """Two thousand seeds; the most frequent key within a fifth of its share."""
    found = Counter(str(sampled_key.drawn(seed)) for seed in range(2000))
    total = sum(sampled_key.OCCURRENCES.values())
    assert set(found) <= set(sampled_key.OCCURRENCES)
    for key in ("G major", "A minor", "G minor"):
        share = sampled_key.OCCURRENCES[key] / total
        assert abs(found[key] / 2000 - share) < share / 5


def test_what_is_asked_for_or_given_is_left_alone(model: LoadedModel) -> None:
    """A key that was named; notes that have one already."""
    named = replace(OPEN, key=Key("E", "minor"))
    assert sampled_key.settled(named, model) is named
    given = replace(OPEN, locks=Locks(steps=16, cells=(Cell(step=0, voice=0, pitch=67),)))
    assert sampled_key.settled(given, model) is given
    assert sampled_key.settled(OPEN, model).key == sampled_key.drawn(3)


def test_a_proposal_has_the_key_and_the_notes_of_its_seed(model: LoadedModel) -> None:
    """The same as the piece that is written alone with that seed."""
    made = jobs.run(propose(model, OPEN, 3))
    for one in made.ranked:
        assert one.seed is not None
        alone = jobs.run(generate(model, replace(OPEN, seed=one.seed))).chorale
        assert one.chorale.key == alone.key == sampled_key.drawn(one.seed)
        assert np.array_equal(one.chorale.pitches, alone.pitches)
