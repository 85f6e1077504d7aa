"""Rotary schemes with pairs of their own: which of them turn, and by what."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from musicrel.chorale import REST, Meter
from musicrel.errors import ModelError
from musicrel.model.config import Family
from musicrel.model.networks import build
from musicrel.model.positions.base import Tokens
from musicrel.model.positions.darope import DataAwareRotation
from musicrel.model.positions.decay import LearnedDecay
from musicrel.model.positions.hope import HighFrequencyRotation
from musicrel.model.positions.musical import MusicalGrid
from musicrel.model.positions.rope import RotaryAttention, fast_pairs
from musicrel.model.positions.table import positional_attention
from musicrel.model.tokens import codec, conditions
from musicrel.model.tokens.vocabulary import ARTICULATED, PITCH, Vocabulary
from tests.helpers.models import tiny_config
from tests.helpers.music import random_chorale
from tests.helpers.naive_schemes import darope_coordinate

NO_STATES = torch.empty(1, 0, 0)


def test_half_of_32_dimensions_turn_in_a_window_of_512() -> None:
    """10,000^(-7/16) is 0.0178 radians a token, 2 pi / 512 is 0.0123, the next pair's 0.01."""
    assert fast_pairs(32, 512) == 8


def test_slow_pairs_of_hope_are_left_as_they_are() -> None:
    hope = HighFrequencyRotation(32, trained_length=512)
    rope = RotaryAttention(32, trained_length=512)
    x, at = torch.randn(1, 2, 900, 32), Tokens(0, 900, NO_STATES)

    found = hope.rotate_q(x, at)

    assert torch.equal(found[..., 16:], x[..., 16:])
    assert torch.equal(found[..., :16], rope.rotate_q(x, at)[..., :16])


def test_a_head_of_darope_without_content_is_rope_but_for_a_constant() -> None:
    """With w = 0 and alpha = 1 the coordinate of token m is m + 1/2 (the paper, 2.3)."""
    darope = DataAwareRotation(32, 1, trained_length=512).double()
    darope.content_HD.data.zero_()
    darope.prior_H.data.fill_(1.0)
    rope = RotaryAttention(32, trained_length=512)
    q, k = torch.randn(2, 1, 1, 512, 32, dtype=torch.float64)
    at = Tokens(0, 512, torch.randn(1, 512, 32, dtype=torch.float64))

    found, expected = (
        scheme.scores(scheme.rotate_q(q, at), scheme.rotate_k(k, at), causal=False)
        for scheme in (darope, rope)
    )

    torch.testing.assert_close(found, expected, atol=1e-9, rtol=0)


def test_coordinates_stay_within_the_window_however_long_the_piece_is() -> None:
    torch.manual_seed(0)
    darope = DataAwareRotation(16, 2, trained_length=64)
    states_BTD, place_T = torch.randn(3, 500, 16), torch.arange(500).double()

    found_BHT = darope.coordinates(states_BTD, place_T)

    assert found_BHT.shape == (3, 2, 500)
    assert 0 < float(found_BHT.detach().min()) < float(found_BHT.detach().max()) <= 64
    for b, head, place in ((0, 0, 0), (1, 1, 63), (2, 0, 499)):
        expected = darope_coordinate(darope, head, states_BTD[b, place].numpy(), place)
        assert float(found_BHT[b, head, place].detach()) == pytest.approx(expected, abs=1e-3)


def test_darope_starts_as_published() -> None:
    torch.manual_seed(0)
    darope = DataAwareRotation(256, 8, trained_length=512)

    assert float(darope.content_HD.detach().std()) == pytest.approx(0.1, rel=0.05)
    assert darope.prior_H.tolist() == [0.5] * 8


def test_a_learned_decay_starts_with_the_slopes_of_alibi() -> None:
    decay = LearnedDecay(RotaryAttention(8, trained_length=16), 8)

    by_distance = decay.by_distance(torch.tensor([-3, 0, 1, 2]))

    expected = [[-abs(back) * 2.0**-a for back in (-3, 0, 1, 2)] for a in range(1, 9)]
    torch.testing.assert_close(by_distance, torch.tensor(expected))


@pytest.mark.parametrize(
    ("scheme", "width", "sentence"),
    [
        ("hope", 9, "a head has width 9: hope rotates pairs of dimensions and needs an even"),
        ("darope", 9, "a head has width 9: darope rotates pairs of dimensions and needs an even"),
        ("musical", 12, "a head has width 6: musical .* needs an even width of at least 8"),
    ],
)
def test_a_head_without_enough_pairs_is_refused(scheme: str, width: int, sentence: str) -> None:
    with pytest.raises(ModelError, match=sentence):
        build(tiny_config(scheme, heads=width // 6, width=width))


@pytest.mark.parametrize("meter", [Meter(4, 4), Meter(3, 4)])
@pytest.mark.parametrize("vocabulary", [ARTICULATED, PITCH])
@pytest.mark.parametrize("family", ["causal", "masked"])
def test_coordinates_are_those_of_the_piece(
    meter: Meter, vocabulary: Vocabulary, family: Family
) -> None:
    """Bars are counted from the bar line that the condition has, after a pickup of a beat.

    A causal model looks from the cell that it predicts, the first of them soprano.
    """
    piece = replace(random_chorale(1, 60), meter=meter, pickup=4)
    config = tiny_config("musical", conditions=("beat", "bar"), family=family)
    ids = torch.from_numpy(codec.encode(piece, vocabulary))[None]
    rows_TC = conditions.rows(piece, ("beat", "bar"), ("bar",))
    if family == "masked":  # rows describe the token itself
        rows_TC = np.concatenate([np.zeros_like(rows_TC[:1]), rows_TC[:-1]])
    rows = torch.from_numpy(rows_TC)[None]
    grid = MusicalGrid(config)

    whole = grid.coordinates(ids, rows, 0)
    assert whole is not None
    first_bar = int(whole[0, 1, 1, 0])
    for step, voice in np.ndindex(60, 4):
        place = codec.index_of(step, voice)
        bar, beat, its_voice, pitch = whole[0, place, 1].tolist()
        bars, in_bar = divmod(step - piece.pickup, meter.steps)
        number = int(piece.pitches[step, voice])
        assert (bar - first_bar, beat, its_voice) == (bars + 1, in_bar, voice)
        assert pitch == (-12 if number == REST else number - 36)
        before = place - 1 if family == "causal" else place
        assert whole[0, before, 0, :3].tolist() == [bar, beat, its_voice]

    for place in (1, 7, 100):  # a token by itself, its position a number or on the device
        one = slice(place, place + 1)
        for start in (place, torch.tensor([place])):
            alone = grid.coordinates(ids[:, one], rows[:, one], start)
            assert alone is not None
            assert torch.equal(alone, whole[:, one])


def test_without_a_meter_bars_are_those_of_4_4() -> None:
    grid = MusicalGrid(tiny_config("musical"))
    ids = torch.full((1, 200), 5)

    found = grid.coordinates(ids, torch.zeros(1, 200, 0, dtype=torch.int64), 0)

    assert found is not None
    assert found[0, 4 * 37 + 2, 0].tolist() == [2, 37 % 16, 2, 0]
    assert found[0, 0, 1].tolist() == [-1, 15, 3, 0]


def test_pairs_of_musical_heads_turn_by_one_coordinate_each() -> None:
    """A bar later only bars differ: pairs 0, 4, 8 ... turn, a quarter turn and less."""
    scheme = positional_attention(tiny_config("musical", width=32, heads=1))
    x = torch.ones(1, 1, 1, 32)
    later = torch.zeros(1, 1, 2, 4, dtype=torch.int64)
    later[..., 0] = 1
    at = Tokens(0, 1, torch.empty(1, 1, 0), later)

    found = torch.view_as_complex(scheme.rotate_q(x, at).view(1, 1, 1, 16, 2))[0, 0, 0]

    still = torch.view_as_complex(x.view(1, 1, 1, 16, 2))[0, 0, 0]
    angles = torch.angle(found / still).tolist()
    expected = [math.pi / 2 * 32 ** (-number / 3) for number in range(4)]
    assert angles[0::4] == pytest.approx(expected, abs=1e-6)
    assert all(abs(angle) < 1e-6 for c, angle in enumerate(angles) if c % 4)
