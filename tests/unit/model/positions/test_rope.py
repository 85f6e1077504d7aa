"""Rotary positions beyond the trained length, and errors in a book about them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import numpy as np
import pytest
import torch

from musicrel.errors import ModelError
from musicrel.model.positions.rope import RotaryAttention, speeds
from tests.helpers.models import tiny_config, tiny_ids, tiny_model, tiny_rows
from tests.helpers.naive_schemes import rotated

WIDTH, TRAINED = 8, 16


def _interpolated(theta: float, stretch: float) -> float:
    return theta / stretch


def _yarn(theta: float, stretch: float) -> float:
    turns = TRAINED * theta / (2 * math.pi)
    kept = min(max((turns - 1) / 31, 0.0), 1.0)
    return (1 - kept) * theta / stretch + kept * theta


SPEEDS: Mapping[str, Callable[[int, float], float]] = {
    "none": lambda c, _: 10000 ** (-2 * c / WIDTH),
    "interpolate": lambda c, s: _interpolated(10000 ** (-2 * c / WIDTH), s),
    "ntk": lambda c, s: (10000 * s ** (WIDTH / (WIDTH - 2))) ** (-2 * c / WIDTH),
    "yarn": lambda c, s: _yarn(10000 ** (-2 * c / WIDTH), s),
}
"""theta_c by pair and stretch, as published."""

every_scaling = pytest.mark.parametrize("scaling", SPEEDS)


@every_scaling
@pytest.mark.parametrize("planned_length", [7, 16, 24, 100])
@pytest.mark.parametrize("first", [0, 11])
def test_scores_are_those_of_the_formula(scaling: str, planned_length: int, first: int) -> None:
    """Within the trained length without stretch; beyond it by the rule of the scaling."""
    rope = RotaryAttention(WIDTH, trained_length=TRAINED, scaling=scaling)
    q, k = (torch.randn(1, 1, 5, WIDTH, dtype=torch.float64) for _ in range(2))

    found = rope.scores(
        rope.rotate_qk(q, first, planned_length),
        rope.rotate_qk(k, first, planned_length),
        causal=False,
    )

    stretch = max(1.0, planned_length / TRAINED)
    thetas = [SPEEDS[scaling](c, stretch) for c in range(WIDTH // 2)]
    sharpened = (0.1 * math.log(stretch) + 1) ** 2 if scaling == "yarn" else 1.0
    for i, j in np.ndindex(5, 5):
        turned_q = rotated(q[0, 0, i].numpy(), first + i, thetas)
        turned_k = rotated(k[0, 0, j].numpy(), first + j, thetas)
        expected = sharpened * float(turned_q @ turned_k) / math.sqrt(WIDTH)
        assert float(found[0, 0, i, j]) == pytest.approx(expected, abs=1e-10)


@every_scaling
def test_a_stretched_sequence_is_decoded_as_in_one_pass(scaling: str) -> None:
    """Cached keys stay valid: the stretch is that of the planned length."""
    config = tiny_config("rope", options={"scaling": scaling}, trained_length=TRAINED)
    model = tiny_model(config, dtype=torch.float64)
    ids, rows = tiny_ids(config, 2, 100), tiny_rows(config, 2, 100)
    cache = model.new_cache(2, 100)

    with torch.inference_mode():
        parts = [
            model(ids[:, part], rows[:, part], cache=cache).logits_BTV
            for part in (slice(0, 10), *(slice(t, t + 1) for t in range(10, 100)))
        ]
        full = model(ids, rows).logits_BTV

    torch.testing.assert_close(torch.cat(parts, dim=1), full, atol=1e-10, rtol=0)


def test_scaling_matters_past_the_trained_length_only() -> None:
    """All four agree up to it, no two agree beyond it."""
    models = [
        tiny_model(tiny_config("rope", options={"scaling": name}, trained_length=TRAINED))
        for name in SPEEDS
    ]
    ids, rows = tiny_ids(models[0].config, 1, 60), tiny_rows(models[0].config, 1, 60)

    near = [model(ids[:, :TRAINED], rows[:, :TRAINED]).logits_BTV for model in models]
    far = [model(ids, rows).logits_BTV for model in models]

    assert all(torch.equal(one, near[0]) for one in near)
    for index, one in enumerate(far):
        assert all((one - other).abs().max() > 1e-3 for other in far[:index])


def test_the_printed_rule_of_ntk_is_not_the_published_one() -> None:
    """The aim of the published exponent, and what the printed one does instead.

    Published: B s^(d/(d-2)). The slowest pair, c = d/2 - 1, then turns exactly s times slower, as
    if its positions were interpolated, while the first pair keeps its speed. A book prints
    s^(2/(d-2)) with the example d = 64, s = 5000/4096: a factor of 1.0065, B = 10,065. With it the
    slowest pair turns 1.0063 times slower where 1.22 times are needed: past the trained length it
    stands at angles that were never seen, so that it changes next to nothing.
    """
    width, stretch = 64, 5000 / 4096
    plain = speeds(width, 4096, 1.0, "none")
    published = speeds(width, 4096, stretch, "ntk")
    printed_factor = stretch ** (2 / (width - 2))

    assert printed_factor == pytest.approx(1.0065, abs=5e-5)
    assert stretch ** (width / (width - 2)) == pytest.approx(1.2286, abs=5e-5)
    assert float(plain[0] / published[0]) == 1.0
    assert float(plain[-1] / published[-1]) == pytest.approx(stretch, rel=1e-12)
    slower_as_printed = printed_factor ** ((width - 2) / width)
    assert slower_as_printed == pytest.approx(1.0063, abs=5e-5)
    assert 4999 * float(plain[-1]) / slower_as_printed > 1.2 * 4095 * float(plain[-1])
    assert 4999 * float(published[-1]) <= 4096 * float(plain[-1])


def test_interpolated_positions_are_not_rounded() -> None:
    """A book rounds down, which would give neighbours the same position."""
    rope = RotaryAttention(WIDTH, trained_length=4, scaling="interpolate")
    same = torch.randn(1, 1, 1, WIDTH, dtype=torch.float64).expand(1, 1, 8, WIDTH)

    rotated = rope.rotate_qk(same, 0, 8)

    assert (rotated[:, :, 1:] - rotated[:, :, :-1]).abs().amax(-1).min() > 1e-3


@pytest.mark.parametrize(
    ("width", "scaling", "sentence"),
    [
        (5, "none", "a head has width 5: rope with scaling 'none' rotates pairs of dimensions"),
        (2, "ntk", "a head has width 2: rope with scaling 'ntk' .* an even width of at least 4"),
    ],
)
def test_a_width_without_pairs_is_refused(width: int, scaling: str, sentence: str) -> None:
    """The error is raised when the model is built."""
    with pytest.raises(ModelError, match=sentence):
        RotaryAttention(width, trained_length=TRAINED, scaling=scaling)
