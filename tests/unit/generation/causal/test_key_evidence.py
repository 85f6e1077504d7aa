"""Evidence of notes for a key."""
# ruff: noqa: N806  # shape suffixes: pitches_KT4

from __future__ import annotations

import numpy as np
import pytest

from musicrel.chorale import REST, Key
from musicrel.corpus import bundled
from musicrel.generation.causal import key_evidence
from training.comparisons.key_evidence import KEYS, SCALES, degrees, losses

G_MAJOR = Key.parse("G major")
RNG = np.random.default_rng(3)
PIECES = RNG.integers(48, 80, (3, 24, 4))


def test_the_probabilities_are_those_of_bayes_rule() -> None:
    """Each key has the same prior; a rest counts for nothing."""
    pitches_KT4 = PIECES.copy()
    pitches_KT4[1, 4:9, 2] = REST
    for piece, pitches_T4 in enumerate(pitches_KT4):
        likelihood = {}
        for key in KEYS:
            shares = key_evidence.DEGREES[key.mode]
            notes = [pitch for pitch in pitches_T4.ravel().tolist() if pitch != REST]
            logs = [np.log(shares[(pitch - key.pitch_class) % 12]) for pitch in notes]
            likelihood[key] = np.exp(key_evidence.PER_QUARTER * sum(logs) / 4)
        for key in KEYS:
            found = key_evidence.log_posterior(pitches_KT4, key)[piece]
            assert found == pytest.approx(np.log(likelihood[key] / sum(likelihood.values())))


def test_without_notes_all_keys_are_equally_likely() -> None:
    """Also in a piece of rests."""
    for pitches_KT4 in (PIECES[:, :0], np.full((3, 8, 4), REST)):
        found_K = key_evidence.log_posterior(pitches_KT4, G_MAJOR)
        np.testing.assert_allclose(found_K, np.log(1 / 24))


def test_a_transposed_piece_is_in_the_transposed_key() -> None:
    """By the same probability."""
    here_K = key_evidence.log_posterior(PIECES, G_MAJOR)
    up_K = key_evidence.log_posterior(PIECES + 3, Key.parse("Bb major"))
    np.testing.assert_allclose(here_K, up_K)


def test_the_degrees_are_those_of_the_training_chorales() -> None:
    """They stand in the code, since counting takes longer than reading."""
    chorales = bundled.load("train")
    for mode, shares in key_evidence.DEGREES.items():
        np.testing.assert_allclose(degrees(chorales, mode), shares, atol=6e-5)


def test_the_scale_is_calibrated_after_eight_bars() -> None:
    """The keys of the validation chorales are likeliest with it."""
    chorales = bundled.load("valid")
    nats = {scale: losses(chorales, scale, 128)[0] for scale in SCALES}
    assert min(nats, key=nats.__getitem__) == key_evidence.PER_QUARTER
