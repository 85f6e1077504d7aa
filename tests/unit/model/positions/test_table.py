"""The table of schemes: options, errors and descriptions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
import torch

from musicrel.errors import ModelError
from musicrel.model.networks import build
from musicrel.model.positions.base import Tokens
from musicrel.model.positions.rope import RotaryAttention, speeds
from musicrel.model.positions.sinusoidal import sinusoids
from musicrel.model.positions.table import SCHEMES, positional_attention
from tests.helpers.models import tiny_config, tiny_ids, tiny_model, tiny_rows
from tests.helpers.naive_schemes import rotated

ELEVEN = (
    "none", "sinusoidal", "sinusoidal_concat", "learned", "learned_sinusoidal", "shaw",
    "relative", "bias", "transformer_xl", "rope", "alibi",
)  # fmt: skip


def of_positions(scheme: str, **fields: Any) -> int:
    """Return the parameters that the scheme adds to one layer of width 16 with two heads."""
    bare, model = (build(tiny_config(key, layers=1, **(fields if key == scheme else {})))
                   for key in ("none", scheme))  # fmt: skip
    return model.parameter_count - bare.parameter_count


def test_the_first_eleven_schemes_keep_their_names() -> None:
    """Their names are those of recipes and cards; a new scheme comes after them."""
    assert tuple(SCHEMES)[:11] == ELEVEN
    assert all(scheme.summary for scheme in SCHEMES.values())


@pytest.mark.parametrize(
    ("scheme", "options", "causal", "bidirectional"),
    [
        ("none", {}, 0, 0),
        ("sinusoidal", {}, 0, 0),
        ("sinusoidal_concat", {}, 2 * 16 * 16 + 16, 2 * 16 * 16 + 16),
        ("learned", {"max_length": 50}, 50 * 16, 50 * 16),
        ("learned_sinusoidal", {"max_length": 50}, 50 * 16, 50 * 16),
        ("shaw", {"max_distance": 9}, 2 * 10 * 8, 2 * 19 * 8),
        ("shaw", {"max_distance": 9, "values": False}, 10 * 8, 19 * 8),
        ("relative", {"max_distance": 9}, 2 * 10 * 8, 2 * 19 * 8),
        ("relative", {"max_distance": 9, "shared": True}, 10 * 8, 19 * 8),
        ("bias", {"max_distance": 9}, 10 * 2, 19 * 2),
        ("transformer_xl", {}, 16 * 16 + 2 * 16, 16 * 16 + 2 * 16),
        ("rope", {}, 0, 0),
        ("alibi", {}, 0, 0),
        ("rope_decay", {}, 2, 2),
        ("hope", {}, 0, 0),
        ("darope", {}, 2 * (16 + 1), 2 * (16 + 1)),
        ("pope", {}, 2 * 8, 2 * 8),
        ("pope_decay", {}, 2 * 8 + 2, 2 * 8 + 2),
        ("musical", {}, 0, 0),
        ("kerple", {}, 2 * 2, 2 * 2),
        ("fire", {}, 32 * (2 + 2) + 2, 32 * (2 + 2) + 2),
        ("fox", {}, 2 * (16 + 1), 2 * (16 + 1)),
    ],
)
def test_a_scheme_has_the_parameters_of_its_formula(
    scheme: str, options: dict[str, Any], causal: int, bidirectional: int
) -> None:
    """[-R, R] has 2R + 1 rows, not 2R - 1; a causal model has no rows for the future."""
    assert of_positions(scheme, options=options) == causal
    assert of_positions(scheme, options=options, family="masked") == bidirectional


def test_a_table_may_begin_as_the_sinusoids() -> None:
    """It is then learned; the other table is small and random at first."""
    learned, sinusoidal = (
        build(tiny_config(key, options={"max_length": 50})).state_dict()["positions.table_PD"]
        for key in ("learned", "learned_sinusoidal")
    )

    assert torch.equal(sinusoidal, sinusoids(torch.arange(50), 16).float())
    assert float(learned.std()) == pytest.approx(0.02, rel=0.1)


def test_the_bias_begins_at_zero() -> None:
    torch.manual_seed(0)
    bias = build(tiny_config("bias")).eval()
    torch.manual_seed(0)
    none = build(tiny_config("none")).eval()
    ids, rows = tiny_ids(bias.config, 1, 20), tiny_rows(bias.config, 1, 20)

    torch.testing.assert_close(bias(ids, rows).logits_BTV, none(ids, rows).logits_BTV)


def test_kerple_fire_and_fox_begin_as_published() -> None:
    """Uniform in [0, 2] and [0, 1]; c 0.1, L 512 and torch's linear layers; gates half open."""
    torch.manual_seed(0)
    kerple, fire, fox = (
        positional_attention(tiny_config(key, heads=64, width=128))
        for key in ("kerple", "fire", "fox")
    )

    power, rate = kerple.state_dict().values()
    for part, most in ((power, 2.0), (rate, 1.0)):
        assert 0 <= float(part.min()) < 0.1 * most
        assert 0.9 * most < float(part.max()) <= most
    c, factor, slope, offset, out = fire.state_dict().values()
    assert c.item() == pytest.approx(0.1)
    assert factor.item() == 1
    assert SCHEMES["fire"].options == {"threshold": 512}
    for part, most in ((slope, 1), (offset, 1), (out, 32**-0.5)):
        assert 0.8 * most < float(part.abs().max()) <= most
    weight, opened = fox.state_dict().values()
    assert float(weight.std()) == pytest.approx(0.02, rel=0.1)
    assert not opened.any()


def test_the_slopes_are_the_published_ones() -> None:
    """For eight heads 1/2, 1/4 ... 1/256, subtracted: distant keys count less."""
    scheme = positional_attention(tiny_config("alibi", heads=8, width=64))
    zeros = torch.zeros(1, 8, 4, 8)

    scores = scheme.scores(zeros, zeros, causal=False)[0]

    assert scores[0].tolist() == [
        [-0.0, -0.5, -1.0, -1.5],
        [-0.5, -0.0, -0.5, -1.0],
        [-1.0, -0.5, -0.0, -0.5],
        [-1.5, -1.0, -0.5, -0.0],
    ]
    assert [-float(of_head[0, 1]) for of_head in scores] == [2.0**-a for a in range(1, 9)]


@pytest.mark.parametrize(
    ("scheme", "options", "sentence"),
    [
        ("rope", {"scaling": "magic"}, "scaling of scheme rope is 'magic': expected one of none, "),
        ("rope", {"scaling": 3}, "option scaling of scheme rope is 3: expected str"),
        ("learned", {"max_length": 0}, "max_length of scheme learned is 0: expected 1 to 16384"),
        ("shaw", {"values": 1}, "option values of scheme shaw is 1: expected bool"),
        ("pope", {"initial_phase": "x"}, "initial_phase of scheme pope is 'x': expected one of u"),
        ("alibi", {"slope": 1}, "scheme alibi has no option slope: it takes none"),
        ("sundial", {}, "unknown positional scheme 'sundial': expected one of none, sinusoidal, "),
    ],
)
def test_impossible_options_are_refused(
    scheme: str, options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ModelError, match=sentence):
        build(tiny_config(scheme, options=options))


@pytest.mark.parametrize("scheme", [key for key in SCHEMES if SCHEMES[key].supports_dropout])
def test_dropout_on_positions_acts_in_training_only(scheme: str) -> None:
    torch.manual_seed(0)
    model = build(tiny_config(scheme, position_dropout=0.5))
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    ids, rows = tiny_ids(model.config, 1, 20), tiny_rows(model.config, 1, 20)

    learning = [model.train()(ids, rows).logits_BTV for _ in range(2)]
    using = [model.eval()(ids, rows).logits_BTV for _ in range(2)]

    assert (learning[0] - learning[1]).abs().max() > 1e-3
    assert torch.equal(*using)


@pytest.mark.parametrize("scheme", [key for key in SCHEMES if not SCHEMES[key].supports_dropout])
def test_dropout_of_a_scheme_without_learned_positions_is_refused(scheme: str) -> None:
    sentence = rf"position_dropout is 0.5, but scheme {scheme} adds nothing .*: set it to 0, or"
    with pytest.raises(ModelError, match=sentence):
        build(tiny_config(scheme, position_dropout=0.5))


def test_attention_that_is_written_out_is_the_same_in_tiles(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("musicrel.model.positions.base._TILE", 7)
    biased = ("bias", "alibi", "rope_decay", "pope_decay", "kerple", "fire", "fox")
    for scheme in ("shaw", "transformer_xl", *biased):
        for family in ("causal", "masked"):
            model = build(tiny_config(scheme, family=family)).double().eval()
            for parameter in model.parameters():
                torch.nn.init.normal_(parameter, std=0.3)
            ids, rows = tiny_ids(model.config, 2, 33), tiny_rows(model.config, 2, 33)
            mask = (torch.arange(33) < torch.tensor([[33], [20]]))[:, None, None]
            at_once = model(ids, rows, mask=mask).logits_BTV
            with torch.inference_mode():
                in_tiles = model(ids, rows, mask=mask).logits_BTV
            torch.testing.assert_close(in_tiles, at_once, atol=1e-10, rtol=0)
            assert math.isfinite(float(in_tiles.abs().max()))


WIDTH, TRAINED = 8, 16
NO_STATES = torch.empty(1, 0, 0)


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
        rope.rotate_q(q, Tokens(first, planned_length, NO_STATES)),
        rope.rotate_k(k, Tokens(first, planned_length, NO_STATES)),
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

    rotated = rope.rotate_q(same, Tokens(0, 8, NO_STATES))

    assert (rotated[:, :, 1:] - rotated[:, :, :-1]).abs().amax(-1).min() > 1e-3


@pytest.mark.parametrize(
    ("width", "scaling", "sentence"),
    [
        (5, "none", "a head has width 5: rope with scaling 'none' rotates pairs of dimensions"),
        (2, "ntk", "a head has width 2: rope with scaling 'ntk' .* an even width of at least 4"),
    ],
)
def test_a_width_without_pairs_is_refused(width: int, scaling: str, sentence: str) -> None:
    with pytest.raises(ModelError, match=sentence):
        RotaryAttention(width, trained_length=TRAINED, scaling=scaling)
