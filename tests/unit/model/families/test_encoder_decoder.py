"""Decoding with an encoder of given notes: dependencies, and equality to one pass."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from musicrel.errors import ModelError
from musicrel.model.config import ModelConfig
from musicrel.model.families.encoder_decoder import EncoderDecoder
from musicrel.model.families.transformer import Transformer
from musicrel.model.positions.table import SCHEMES
from musicrel.model.tokens.vocabulary import PITCHES, REST_TOKEN
from tests.helpers.decoding import assert_decodes_as_in_one_pass
from tests.helpers.models import tiny_config, tiny_ids, tiny_model, tiny_rows

TOLD = ("voice", "key", "given")
LENGTH = 41  # ten steps and END
every_scheme = pytest.mark.parametrize("scheme", SCHEMES)
whether_across = pytest.mark.parametrize("cross", [False, True], ids=["beside", "across"])


def shape(scheme: str = "relative", **fields: Any) -> ModelConfig:
    with_all: dict[str, Any] = {"conditions": TOLD, "encoder_layers": 2, "pitches": PITCHES}
    return tiny_config(scheme, family="encoder_decoder", **with_all | fields)


def nothing_given(config: ModelConfig, batch: int = 1) -> Tensor:
    rows_BTC = tiny_rows(config, batch, LENGTH)
    rows_BTC[..., -1] = 0
    return rows_BTC


def logits_of(model: Transformer, ids_BT: Tensor, rows_BTC: Tensor, **more: Any) -> Tensor:
    with torch.inference_mode():
        output: Tensor = model(ids_BT, rows_BTC, **more).logits_BTV
    return output


@every_scheme
@whether_across
def test_late_given_notes_change_the_first_logits(scheme: str, cross: bool) -> None:
    config = shape(scheme, cross=cross)
    model, ids_BT, rows_BTC = tiny_model(config), tiny_ids(config, 1, LENGTH), nothing_given(config)
    before = logits_of(model, ids_BT, rows_BTC)
    for voice in range(4):
        given_BTC = rows_BTC.clone()
        given_BTC[0, 36 + voice, -1] = REST_TOKEN + 20
        assert (logits_of(model, ids_BT, given_BTC)[0, 0] - before[0, 0]).abs().max() > 1e-4


@every_scheme
@whether_across
def test_later_tokens_change_no_earlier_logits(scheme: str, cross: bool) -> None:
    config = shape(scheme, cross=cross)
    model, ids_BT, rows_BTC = tiny_model(config), tiny_ids(config, 1, LENGTH), nothing_given(config)
    rows_BTC[0, 20, -1] = REST_TOKEN + 3
    others_BT = ids_BT.clone()
    others_BT[0, 30:] = 7
    first, second = (logits_of(model, ids, rows_BTC)[0, :30] for ids in (ids_BT, others_BT))
    torch.testing.assert_close(first, second, atol=1e-6, rtol=0)


@every_scheme
@whether_across
@pytest.mark.parametrize("norm", ["pre", "post"])
def test_reading_is_the_full_pass(scheme: str, cross: bool, norm: str) -> None:
    config = shape(scheme, cross=cross, norm=norm)
    model, ids_BT = tiny_model(config, dtype=torch.float64), tiny_ids(config, 2, 21)
    assert_decodes_as_in_one_pass(model, ids_BT, tiny_rows(config, 2, 21), [10], 1e-5)


@whether_across
def test_padding_changes_nothing(cross: bool) -> None:
    config = shape(cross=cross)
    model, ids_BT, rows_BTC = tiny_model(config), tiny_ids(config, 1, 25), tiny_rows(config, 1, 25)
    alone = logits_of(model, ids_BT, rows_BTC)
    longer_BT = torch.nn.functional.pad(ids_BT, (0, 16))
    mask = (torch.arange(LENGTH) < 25)[None, None, None]
    padded_BTC = torch.nn.functional.pad(rows_BTC, (0, 0, 0, 16))
    beside = logits_of(model, longer_BT, padded_BTC, mask=mask)[:, :25]
    torch.testing.assert_close(beside, alone, atol=1e-5, rtol=1e-5)


@every_scheme
def test_cross_attention_alone_finds_a_given_note(scheme: str) -> None:
    """The state that is added at the same step is set to 0; cross-attention is left."""
    for cross in (False, True):
        config = shape(scheme, cross=cross, pitches=0)
        model, ids_BT = tiny_model(config), tiny_ids(config, 1, LENGTH)
        assert isinstance(model, EncoderDecoder)
        torch.nn.init.zeros_(model.project_given.weight)
        rows_BTC = nothing_given(config)
        given_BTC = rows_BTC.clone()
        given_BTC[0, 37, -1] = REST_TOKEN + 20
        before, after = (logits_of(model, ids_BT, rows)[0, 0] for rows in (rows_BTC, given_BTC))
        assert ((after - before).abs().max() > 1e-4) == cross


@every_scheme
def test_cross_attention_of_parts_is_that_of_the_whole_piece(scheme: str) -> None:
    """The memory is computed once; parts begin and end within a step."""
    config = shape(scheme, cross=True)
    model, ids_BT = tiny_model(config, dtype=torch.float64), tiny_ids(config, 2, LENGTH)
    with torch.inference_mode():
        whole = model(ids_BT, tiny_rows(config, 2, LENGTH), record=True)
        rows_BTC = model.with_lookahead(tiny_rows(config, 2, LENGTH))
        conditioning, cache = model.embed_conditions(rows_BTC), model.new_cache(2, LENGTH)
        for first, stop in ((0, 7), (7, 8), (8, 22), (22, LENGTH)):
            part = slice(first, stop)
            output = model(
                ids_BT[:, part],
                rows_BTC[:, part],
                cache=cache,
                conditioning=conditioning.at(part),
                record=True,
            )
            pairs = [(output.logits_BTV, whole.logits_BTV[:, part])]
            pairs += [
                (seen, expected[:, :, part])
                for seen, expected in zip(output.cross_weights, whole.cross_weights, strict=True)
            ]
            for seen, expected in pairs:
                torch.testing.assert_close(seen, expected, atol=1e-9, rtol=1e-9)
    assert [tuple(weights.shape) for weights in whole.cross_weights] == [(2, 2, LENGTH, 11)] * 2


def test_an_older_config_has_no_cross_attention() -> None:
    config = shape()
    values = config.to_json()
    del values["cross"]
    assert ModelConfig.from_json(values) == config


def test_the_encoder_has_features_of_intervals() -> None:
    model = tiny_model(shape())
    assert isinstance(model, EncoderDecoder)
    given_BT4 = torch.zeros(1, 3, 4, dtype=torch.int64)
    given_BT4[0, 1, 0], given_BT4[0, 1, 3] = REST_TOKEN + 1 + 31, REST_TOKEN + 1 + 12
    key_BTC = torch.zeros(1, 3, len(TOLD), dtype=torch.int64)
    rows = [
        model.context_features.inputs(given_BT4 + up * (given_BT4 > 0), key_BTC)[0, 1]
        for up in (0, 2)
    ]
    same = rows[0] == rows[1]
    assert 0 < int((~same).sum()) <= 2  # the two pitches themselves, and nothing else


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"encoder_layers": 0}, "encoder_layers is 0 in family encoder_decoder: expected 1 to 24"),
        ({"conditions": ("voice",)}, "'given' is for family encoder_decoder, which needs it"),
        ({"family": "causal"}, "encoder_layers is 2 in family causal: expected 0"),
        (
            {"family": "causal", "encoder_layers": 0, "conditions": ("voice",), "cross": True},
            "cross is true in family causal: expected false, or family encoder_decoder",
        ),
    ],
    ids=["no encoder", "hears nothing", "causal", "nothing to look at"],
)
def test_an_impossible_shape_is_refused(fields: dict[str, Any], sentence: str) -> None:
    right: dict[str, Any] = {"conditions": TOLD, "family": "encoder_decoder", "encoder_layers": 2}
    with pytest.raises(ModelError, match=sentence):
        tiny_config("relative", **right | fields)
