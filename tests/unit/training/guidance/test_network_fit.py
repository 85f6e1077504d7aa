"""The training of the networks of the discriminator."""
# ruff: noqa: N806

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("sklearn")

import torch

from musicrel.chorale import Chorale
from musicrel.generation.discriminator import beat_notes, network
from tests.helpers.music import random_chorale
from training.guidance import network_fit
from training.guidance.network_fit import BeatNetwork, NetworkFit


def pieces(first_seed: int, raised: int = 0) -> list[Chorale]:
    """Return six pieces, raised by so many semitones."""
    found = [replace(random_chorale(first_seed + n, 64), pickup=0) for n in range(6)]
    return [replace(piece, pitches=np.where(piece.pitches < 0, -1, piece.pitches + raised))
            for piece in found]  # fmt: skip


@pytest.fixture(scope="module")
def fitted() -> NetworkFit:
    """Return networks between low pieces and those that are two octaves higher."""
    return network_fit.fit(pieces(0, -12), pieces(20, 12), epochs=30)


def newest(found: Sequence[network.Network], piece: Chorale) -> float:
    """Return the mean log-odds of the last beat of a piece."""
    return float(network.log_odds(found, beat_notes.of_piece(piece))[0])


def test_the_exported_network_judges_as_the_trained_one() -> None:
    """Each beat with those before it; the trained one reads pieces of two lengths at once."""
    torch.manual_seed(0)
    trained = BeatNetwork().eval()
    long, short = (beat_notes.of_piece(random_chorale(seed, 32 + 16 * seed)) for seed in (2, 0))
    with torch.no_grad():
        odds_SB = trained(network_fit.batch_of([long, short])).numpy()
    exported = trained.exported(3.0)
    for row, notes in enumerate((long, short)):
        for beats in range(1, len(notes.numbers_B) + 1):
            known = notes.part(slice(beats))
            expected = 3 * odds_SB[row, beats - 1]
            np.testing.assert_allclose(exported.log_odds(known), expected, rtol=1e-4, atol=1e-5)


def test_networks_learn_a_plain_difference(fitted: NetworkFit) -> None:
    assert fitted.area == 1.0
    assert newest(fitted.networks, pieces(40, -12)[0]) > 0
    assert newest(fitted.networks, pieces(40, 12)[0]) < 0


def test_there_are_several_that_differ(fitted: NetworkFit) -> None:
    assert len(fitted.networks) == network_fit.NETWORKS
    assert len({float(each.odds_bias_1[0]) for each in fitted.networks}) == network_fit.NETWORKS


def test_training_again_gives_the_same_networks() -> None:
    one, other = (network_fit.fit(pieces(0), pieces(20), epochs=1) for _ in range(2))
    for name in network.Network._fields:
        for first, second in zip(one.networks, other.networks, strict=True):
            np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
