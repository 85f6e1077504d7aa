"""The table of schemes: options, errors and descriptions."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch

from musicrel.errors import ModelError
from musicrel.model.families.transformer import Transformer
from musicrel.model.positions.sinusoidal import sinusoids
from musicrel.model.positions.table import SCHEMES, positional_attention
from tests.helpers.models import tiny_config, tiny_ids, tiny_rows

ELEVEN = (
    "none", "sinusoidal", "sinusoidal_concat", "learned", "learned_sinusoidal", "shaw",
    "relative", "bias", "transformer_xl", "rope", "alibi",
)  # fmt: skip


def of_positions(scheme: str, **fields: Any) -> int:
    """Return the parameters that the scheme adds to one layer of width 16 with two heads."""
    bare, model = (Transformer(tiny_config(key, layers=1, **(fields if key == scheme else {})))
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
        Transformer(tiny_config(key, options={"max_length": 50})).state_dict()["positions.table_PD"]
        for key in ("learned", "learned_sinusoidal")
    )

    assert torch.equal(sinusoidal, sinusoids(50, 16).float())
    assert float(learned.std()) == pytest.approx(0.02, rel=0.1)


def test_the_bias_begins_at_zero() -> None:
    """A new model with it is one without positions."""
    torch.manual_seed(0)
    bias = Transformer(tiny_config("bias")).eval()
    torch.manual_seed(0)
    none = Transformer(tiny_config("none")).eval()
    ids, rows = tiny_ids(bias.config, 1, 20), tiny_rows(bias.config, 1, 20)

    torch.testing.assert_close(bias(ids, rows).logits_BTV, none(ids, rows).logits_BTV)


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
        ("alibi", {"slope": 1}, "scheme alibi has no option slope: it takes none"),
        ("sundial", {}, "unknown positional scheme 'sundial': expected one of none, sinusoidal, "),
    ],
)
def test_impossible_options_are_refused(
    scheme: str, options: dict[str, Any], sentence: str
) -> None:
    """The error states what was expected."""
    with pytest.raises(ModelError, match=sentence):
        Transformer(tiny_config(scheme, options=options))


@pytest.mark.parametrize("scheme", [key for key in SCHEMES if SCHEMES[key].supports_dropout])
def test_dropout_on_positions_acts_in_training_only(scheme: str) -> None:
    """Two passes differ, and by no other dropout."""
    torch.manual_seed(0)
    model = Transformer(tiny_config(scheme, position_dropout=0.5))
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    ids, rows = tiny_ids(model.config, 1, 20), tiny_rows(model.config, 1, 20)

    learning = [model.train()(ids, rows).logits_BTV for _ in range(2)]
    using = [model.eval()(ids, rows).logits_BTV for _ in range(2)]

    assert (learning[0] - learning[1]).abs().max() > 1e-3
    assert torch.equal(*using)


@pytest.mark.parametrize("scheme", [key for key in SCHEMES if not SCHEMES[key].supports_dropout])
def test_dropout_of_a_scheme_without_learned_positions_is_refused(scheme: str) -> None:
    """It is not ignored silently."""
    sentence = rf"position_dropout is 0.5, but scheme {scheme} adds nothing .*: set it to 0, or"
    with pytest.raises(ModelError, match=sentence):
        Transformer(tiny_config(scheme, position_dropout=0.5))


def test_attention_that_is_written_out_is_the_same_in_tiles(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Long sequences are computed in tiles of queries if no gradient is needed."""
    monkeypatch.setattr("musicrel.model.positions.explicit._TILE", 7)
    for scheme in ("shaw", "bias", "transformer_xl", "alibi"):
        for family in ("causal", "masked"):
            model = Transformer(tiny_config(scheme, family=family)).double().eval()
            for parameter in model.parameters():
                torch.nn.init.normal_(parameter, std=0.3)
            ids, rows = tiny_ids(model.config, 2, 33), tiny_rows(model.config, 2, 33)
            mask = (torch.arange(33) < torch.tensor([[33], [20]]))[:, None, None]
            at_once = model(ids, rows, mask=mask).logits_BTV
            with torch.inference_mode():
                in_tiles = model(ids, rows, mask=mask).logits_BTV
            torch.testing.assert_close(in_tiles, at_once, atol=1e-10, rtol=0)
            assert math.isfinite(float(in_tiles.abs().max()))
