"""Writing in view of what is given: what is heard, from where, and decoding as in one pass."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from musicrel.errors import ModelError
from musicrel.model.config import ModelConfig
from musicrel.model.encoder_decoder import EncoderDecoder
from musicrel.model.positions.table import SCHEMES
from musicrel.model.step import Stepper
from musicrel.model.transformer import Transformer
from musicrel.tokens.vocabulary import PITCHES, REST_TOKEN
from tests.helpers.models import tiny_config, tiny_ids, tiny_model, tiny_rows

TOLD = ("voice", "key", "given")
LENGTH = 41  # ten steps and END
every_scheme = pytest.mark.parametrize("scheme", SCHEMES)


def shape(scheme: str = "relative", **fields: Any) -> ModelConfig:
    """Tiny, with two layers on either side."""
    return tiny_config(
        scheme, told=TOLD, family="encoder_decoder", encoder_layers=2, pitches=PITCHES, **fields
    )


def nothing_given(config: ModelConfig, batch: int = 1) -> Tensor:
    """Conditions by chance, no cell given."""
    rows_BTC = tiny_rows(config, batch, LENGTH)
    rows_BTC[..., -1] = 0
    return rows_BTC


def logits(model: Transformer, ids_BT: Tensor, rows_BTC: Tensor, **more: Any) -> Tensor:
    """Of one pass."""
    with torch.inference_mode():
        said: Tensor = model(ids_BT, rows_BTC, **more).logits_BTV
    return said


@every_scheme
def test_what_is_given_late_is_heard_from_the_first_token_on(scheme: str) -> None:
    """A note of the last step, in any voice."""
    config = shape(scheme)
    model, ids_BT, rows_BTC = tiny_model(config), tiny_ids(config, 1, LENGTH), nothing_given(config)
    before = logits(model, ids_BT, rows_BTC)
    for voice in range(4):
        given_BTC = rows_BTC.clone()
        given_BTC[0, 36 + voice, -1] = REST_TOKEN + 20
        assert (logits(model, ids_BT, given_BTC)[0, 0] - before[0, 0]).abs().max() > 1e-4


@every_scheme
def test_what_is_written_later_is_not_heard(scheme: str) -> None:
    """The decoder looks back alone, whatever is given."""
    config = shape(scheme)
    model, ids_BT, rows_BTC = tiny_model(config), tiny_ids(config, 1, LENGTH), nothing_given(config)
    rows_BTC[0, 20, -1] = REST_TOKEN + 3
    others_BT = ids_BT.clone()
    others_BT[0, 30:] = 7
    first, second = (logits(model, ids, rows_BTC)[0, :30] for ids in (ids_BT, others_BT))
    torch.testing.assert_close(first, second, atol=1e-6, rtol=0)


@every_scheme
def test_decoding_says_what_one_pass_says(scheme: str) -> None:
    """A prompt, then a token at a time; sequences that are given different things."""
    config = shape(scheme)
    model, ids_BT = tiny_model(config, dtype=torch.float64), tiny_ids(config, 2, LENGTH)
    rows_BTC = tiny_rows(config, 2, LENGTH)
    whole = logits(model, ids_BT, rows_BTC)
    stepper = Stepper(model, rows_BTC)
    stepper.prefill(ids_BT[:, :10])
    for place in range(10, LENGTH):
        said = stepper.read(ids_BT[:, place]).logits_BV
        torch.testing.assert_close(said, whole[:, place], atol=1e-9, rtol=1e-9)


def test_padding_changes_nothing() -> None:
    """A short piece beside a long one, told where it ends."""
    config = shape()
    model, ids_BT, rows_BTC = tiny_model(config), tiny_ids(config, 1, 25), tiny_rows(config, 1, 25)
    alone = logits(model, ids_BT, rows_BTC)
    longer_BT = torch.nn.functional.pad(ids_BT, (0, 16))
    mask = (torch.arange(LENGTH) < 25)[None, None, None]
    padded_BTC = torch.nn.functional.pad(rows_BTC, (0, 0, 0, 16))
    beside = logits(model, longer_BT, padded_BTC, mask=mask)[:, :25]
    torch.testing.assert_close(beside, alone, atol=1e-5, rtol=1e-5)


def test_intervals_to_what_is_given_are_heard_not_pitches_alone() -> None:
    """Fifth and octave between two given notes reach the decoder by a row of their own."""
    model = tiny_model(shape())
    assert isinstance(model, EncoderDecoder)
    given_BT4 = torch.zeros(1, 3, 4, dtype=torch.int64)
    given_BT4[0, 1, 0], given_BT4[0, 1, 3] = REST_TOKEN + 1 + 31, REST_TOKEN + 1 + 12
    key_BTC = torch.zeros(1, 3, len(TOLD), dtype=torch.int64)
    rows = [model.around.inputs(given_BT4 + up * (given_BT4 > 0), key_BTC)[0, 1] for up in (0, 2)]
    same = rows[0] == rows[1]
    assert 0 < int((~same).sum()) <= 2  # the two pitches themselves, and nothing else


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"encoder_layers": 0}, "encoder_layers is 0 in family encoder_decoder: expected 1 to 24"),
        ({"told": ("voice",)}, "'given' is for family encoder_decoder, which needs it"),
        ({"family": "causal"}, "encoder_layers is 2 in family causal: expected 0"),
    ],
    ids=["no encoder", "hears nothing", "causal"],
)
def test_a_shape_that_cannot_be_is_refused(fields: dict[str, Any], sentence: str) -> None:
    """With what would be right."""
    right: dict[str, Any] = {"told": TOLD, "family": "encoder_decoder", "encoder_layers": 2}
    with pytest.raises(ModelError, match=sentence):
        tiny_config("relative", **right | fields)
