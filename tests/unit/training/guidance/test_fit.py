"""The regression between Bach and a model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("sklearn")

from musicrel.chorale import REST, Chorale, Voice
from musicrel.generation.discriminator.features import counts
from tests.helpers.music import random_chorale
from training.guidance.fit import fit


def pieces(first_seed: int, number: int) -> list[Chorale]:
    """Return random pieces without a pickup."""
    seeds = range(first_seed, first_seed + number)
    return [replace(random_chorale(seed, 64), pickup=0) for seed in seeds]


def in_thirds(piece: Chorale) -> Chorale:
    """Return the piece with the alto a third below the soprano."""
    pitches = piece.pitches.copy()
    soprano = pitches[:, Voice.SOPRANO]
    pitches[:, Voice.ALTO] = np.where(soprano == REST, REST, soprano - 3)
    return Chorale.of(pitches)


def test_what_only_one_side_does_has_the_largest_weights() -> None:
    """Log-odds are positive for Bach's side."""
    found = fit([in_thirds(piece) for piece in pieces(0, 24)], pieces(100, 24))

    assert found.held_out.area > 0.95
    assert found.sizes == (24, 24)
    parallel = "parallel thirds or sixths of SA: {}"
    assert found.weights[parallel.format(True)] > 0 > found.weights[parallel.format(False)]


def test_two_samples_of_one_kind_are_not_told_apart() -> None:
    """Held-out tunes are guessed, and calibrated log-odds are small."""
    found = fit(pieces(0, 24), pieces(100, 24))

    assert 0.2 < found.held_out.area < 0.8
    assert found.held_out.log_loss == pytest.approx(np.log(2), abs=0.06)


def test_features_of_few_crops_are_left_out() -> None:
    bach, others = pieces(0, 8), pieces(100, 8)

    found = fit(bach, others)

    of_samples = [counts(piece) for piece in (*bach, *others)]
    expected = {
        name
        for name in set().union(*of_samples)
        if sum(name in sample for sample in of_samples) >= 5
    }
    assert set(found.weights) == expected
