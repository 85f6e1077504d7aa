"""Potentials of a search, by the kind of its window."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from musicrel import jobs
from musicrel.analysis import cadences
from musicrel.chorale import Key
from musicrel.generation.causal import potentials
from musicrel.generation.causal.causal_generator import generate
from musicrel.generation.constraints.locks import Locks
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from tests.helpers.music import random_chorale

REQUEST = GenerationRequest(
    length=48, bars=3, fermatas=((16, 20),), key=Key("A", "minor"), pickup=0
)


def stable_ends(model: LoadedModel) -> int:
    """Return how many of eight pieces rest on a triad in root position under their fermata."""
    pieces = [jobs.run(generate(model, replace(REQUEST, seed=seed))).chorale for seed in range(8)]
    return sum(cadences.is_root_position(piece.pitches[19]) for piece in pieces)


def test_particles_that_rest_on_a_triad_are_kept(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The weights of the model are random."""
    monkeypatch.setattr(potentials, "_MISSED_DRAWN", 0.0)
    found = []
    for loss in (50.0, -50.0):
        monkeypatch.setattr(potentials, "_UNSTABLE", loss)
        found.append(stable_ends(model))
    assert found[0] < found[1]


@pytest.mark.parametrize("is_locked", [False, True])
def test_the_key_of_a_melody_needs_no_more_evidence(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch, *, is_locked: bool
) -> None:
    """Windows with locked notes ahead are not open."""
    found: set[bool] = set()

    def in_key(ids_KN: Any, *_: Any, is_open: bool) -> Any:  # noqa: N803
        found.add(is_open)
        return np.zeros(len(ids_KN))

    monkeypatch.setattr(potentials, "in_key", in_key)
    soprano = np.zeros((48, 4), dtype=bool)
    soprano[:, 0] = is_locked
    locks = Locks.of(random_chorale(4, 48), soprano) if is_locked else None
    jobs.run(generate(model, replace(REQUEST, locks=locks, rules=())))
    assert found == {not is_locked}
