"""Searches of a window that is searched again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from musicrel.chorale import Key
from musicrel.generation.causal import particle_search, potentials
from musicrel.generation.causal.causal_generator import generate
from musicrel.generation.causal.particle_search import ParticleSearch
from musicrel.generation.causal.search_windows import Window
from musicrel.generation.events import PhraseEndTrial
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.request import GenerationRequest
from musicrel.generation.sampling import Floats
from musicrel.tokens import codec
from musicrel.tokens.vocabulary import REST_TOKEN

PHRASES = GenerationRequest(length=48, bars=3, fermatas=((16, 20),), pickup=0)
"""Twelve quarters; a phrase ends after five, another with the piece."""


@pytest.mark.parametrize("seed", range(3))
def test_a_phrase_that_misses_its_cadence_is_searched_again(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """Three times at most; the best search is the last one, so it may be repeated."""
    request = replace(PHRASES, seed=seed, cadence="authentic")
    found: dict[int, list[float]] = {}
    measured = ParticleSearch._loss

    def loss(search: ParticleSearch, ids: codec.Ids, window: Window, key: Key | None) -> float:
        losses = found.setdefault(window.first, [])
        losses.append(measured(search, ids, window, key))
        return losses[-1]

    monkeypatch.setattr(ParticleSearch, "_loss", loss)
    trials = sum(type(event) is PhraseEndTrial for event in generate(model, request))

    first, second = found.values()
    for losses in (first, second):
        assert losses[-1] == max(losses)
        assert len(losses) == (losses.index(0) + 1 if 0 in losses else len(losses))
        assert len(losses) <= 4
    assert trials == (20 * len(first) + 28 * len(second)) * codec.VOICES


@pytest.mark.parametrize(
    ("losses", "attempts"),
    [
        ([0], [0]),
        ([-5, 0], [0, 1]),
        ([-5, -5, -5], [0, 1, 2]),
        ([-12, -12, -5], [0, 1, 2]),
        ([-17, -5, -12, -5], [0, 1, 2, 1]),
    ],
)
def test_the_best_of_three_searches_is_kept(losses: list[float], attempts: list[int]) -> None:
    """It is repeated with its own random numbers where a worse one came last."""
    so_far, found = list[float](), list[int]()
    following: int | None = 0
    while following is not None:
        found.append(following)
        so_far.append(losses[len(so_far)])
        following = particle_search._next_attempt(so_far)
    assert found == attempts
    assert so_far == losses


@pytest.mark.parametrize(
    ("written", "locked", "searches"), [(-5.0, 0.0, 3), (-5.0, -5.0, 1), (0.0, 0.0, 1)]
)
def test_a_window_with_parallels_is_searched_again(
    model: LoadedModel,
    monkeypatch: pytest.MonkeyPatch,
    written: float,
    locked: float,
    searches: int,
) -> None:
    """Three times at most, although every cadence is met; not for those of locked voices."""

    def found(ids: codec.Ids, _: object) -> Floats:
        return np.full(len(ids), written if (ids[:, 1:] != REST_TOKEN).any() else locked)

    monkeypatch.setattr(potentials, "parallels", found)
    monkeypatch.setattr(potentials, "closing", lambda ids, *_: np.zeros(len(ids)))
    trials = sum(type(event) is PhraseEndTrial for event in generate(model, PHRASES))
    assert trials == searches * 48 * codec.VOICES
