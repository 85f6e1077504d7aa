"""Corruptions of music: each changes something, in range, repeatably."""

from __future__ import annotations

import numpy as np
import pytest

from musicrel.analysis import voice_leading
from musicrel.chorale import RANGES, REST, Chorale
from musicrel.corpus import bundled
from musicrel.experiment.data.critic_data import CORRUPTIONS, corrupted, note_spans

PIECE = bundled.load("valid")[0].pitches[:128]

every_kind = pytest.mark.parametrize("kind", CORRUPTIONS)


def worse(kind: str, seed: int = 0) -> np.ndarray:
    return corrupted(PIECE, kind, np.random.default_rng(seed))


@every_kind
def test_something_is_worse_in_range_and_the_same_every_time(kind: str) -> None:
    before = PIECE.copy()
    found = worse(kind)
    assert (found != before).any()
    assert (before == PIECE).all()
    assert (worse(kind) == found).all()
    for voice, (low, high) in RANGES.items():
        pitches = found[:, voice]
        assert pitches.min() >= low
        assert pitches.max() <= high


@every_kind
def test_silence_stays_silence(kind: str) -> None:
    """Rests alone cannot be corrupted."""
    silence = np.full((32, 4), REST, dtype=np.int16)
    assert (corrupted(silence, kind, np.random.default_rng(0)) == REST).all()


@pytest.mark.parametrize("kind", ["a voice late", "a voice transposed"])
def test_of_one_voice_the_others_stay(kind: str) -> None:
    assert ((worse(kind) != PIECE).any(axis=0)).sum() == 1


def test_swapped_bars_are_the_same_bars() -> None:
    bars = [sorted(grid.reshape(-1, 64).tolist()) for grid in (PIECE, worse("bars swapped"))]
    assert bars[0] == bars[1]


def test_parallels_are_parallels() -> None:
    found = [Chorale.of(worse("parallels", seed)) for seed in range(20)]
    count = [voice_leading.rates(piece).parallels > 0 for piece in found]
    assert voice_leading.rates(Chorale.of(PIECE)).parallels == 0
    assert sum(count) >= 15


def test_note_spans_merge_repeated_notes() -> None:
    line = np.array([60, 60, REST, REST, 62, 60], dtype=np.int16)
    assert note_spans(line) == [(0, 2), (4, 5), (5, 6)]
