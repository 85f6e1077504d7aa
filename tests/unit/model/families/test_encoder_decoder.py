"""Writing in view of what is given: what is heard, from where, and decoding as in one pass."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from musicrel.errors import ModelError
from musicrel.model.config import ModelConfig
from musicrel.model.decoding.step import Stepper
from musicrel.model.families.encoder_decoder import EncoderDecoder
from musicrel.model.families.transformer import Transformer
from musicrel.model.positions.table import SCHEMES
from musicrel.tokens.vocabulary import PITCHES, REST_TOKEN
from tests.helpers.models import tiny_config, tiny_ids, tiny_model, tiny_rows

TOLD = ("voice", "key", "given")
LENGTH = 41  # ten steps and END
every_scheme = pytest.mark.parametrize("scheme", SCHEMES)
whether_across = pytest.mark.parametrize("cross", [False, True], ids=["beside", "across"])


def shape(scheme: str = "relative", **fields: Any) -> ModelConfig:
    """Tiny, with two layers on either side."""
    with_all: dict[str, Any] = {"told": TOLD, "encoder_layers": 2, "pitches": PITCHES}
    return tiny_config(scheme, family="encoder_decoder", **with_all | fields)


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
@whether_across
def test_what_is_given_late_is_heard_from_the_first_token_on(scheme: str, cross: bool) -> None:
    """A note of the last step, in any voice."""
    config = shape(scheme, cross=cross)
    model, ids_BT, rows_BTC = tiny_model(config), tiny_ids(config, 1, LENGTH), nothing_given(config)
    before = logits(model, ids_BT, rows_BTC)
    for voice in range(4):
        given_BTC = rows_BTC.clone()
        given_BTC[0, 36 + voice, -1] = REST_TOKEN + 20
        assert (logits(model, ids_BT, given_BTC)[0, 0] - before[0, 0]).abs().max() > 1e-4


@every_scheme
@whether_across
def test_what_is_written_later_is_not_heard(scheme: str, cross: bool) -> None:
    """The decoder looks back alone, whatever is given."""
    config = shape(scheme, cross=cross)
    model, ids_BT, rows_BTC = tiny_model(config), tiny_ids(config, 1, LENGTH), nothing_given(config)
    rows_BTC[0, 20, -1] = REST_TOKEN + 3
    others_BT = ids_BT.clone()
    others_BT[0, 30:] = 7
    first, second = (logits(model, ids, rows_BTC)[0, :30] for ids in (ids_BT, others_BT))
    torch.testing.assert_close(first, second, atol=1e-6, rtol=0)


@every_scheme
@whether_across
@pytest.mark.parametrize("norm", ["pre", "post"])
def test_decoding_says_what_one_pass_says(scheme: str, cross: bool, norm: str) -> None:
    """A prompt, then a token at a time; sequences that are given different things."""
    config = shape(scheme, cross=cross, norm=norm)
    model, ids_BT = tiny_model(config, dtype=torch.float64), tiny_ids(config, 2, LENGTH)
    rows_BTC = tiny_rows(config, 2, LENGTH)
    whole = logits(model, ids_BT, rows_BTC)
    stepper = Stepper(model, rows_BTC)
    stepper.prefill(ids_BT[:, :10])
    for place in range(10, LENGTH):
        said = stepper.read(ids_BT[:, place]).logits_BV
        torch.testing.assert_close(said, whole[:, place], atol=1e-9, rtol=1e-9)


@whether_across
def test_padding_changes_nothing(cross: bool) -> None:
    """A short piece beside a long one, told where it ends."""
    config = shape(cross=cross)
    model, ids_BT, rows_BTC = tiny_model(config), tiny_ids(config, 1, 25), tiny_rows(config, 1, 25)
    alone = logits(model, ids_BT, rows_BTC)
    longer_BT = torch.nn.functional.pad(ids_BT, (0, 16))
    mask = (torch.arange(LENGTH) < 25)[None, None, None]
    padded_BTC = torch.nn.functional.pad(rows_BTC, (0, 0, 0, 16))
    beside = logits(model, longer_BT, padded_BTC, mask=mask)[:, :25]
    torch.testing.assert_close(beside, alone, atol=1e-5, rtol=1e-5)


@every_scheme
def test_looking_across_a_note_is_found_without_being_told(scheme: str) -> None:
    """What the encoder tells at the same pace is taken away; nothing but the look is left."""
    for cross in (False, True):
        config = shape(scheme, cross=cross, pitches=0)
        model, ids_BT = tiny_model(config), tiny_ids(config, 1, LENGTH)
        assert isinstance(model, EncoderDecoder)
        torch.nn.init.zeros_(model.tell.weight)
        rows_BTC = nothing_given(config)
        given_BTC = rows_BTC.clone()
        given_BTC[0, 37, -1] = REST_TOKEN + 20
        before, after = (logits(model, ids_BT, rows)[0, 0] for rows in (rows_BTC, given_BTC))
        assert ((after - before).abs().max() > 1e-4) == cross


@every_scheme
def test_a_piece_read_in_parts_is_looked_at_as_in_one(scheme: str) -> None:
    """The memory is made once; parts that begin and end within a step, with their weights."""
    config = shape(scheme, cross=True)
    model, ids_BT = tiny_model(config, dtype=torch.float64), tiny_ids(config, 2, LENGTH)
    with torch.inference_mode():
        whole = model(ids_BT, tiny_rows(config, 2, LENGTH), record=True)
        rows_BTC = model.widened(tiny_rows(config, 2, LENGTH))
        told, cache = model.told(rows_BTC), model.new_cache(2, LENGTH)
        for first, stop in ((0, 7), (7, 8), (8, 22), (22, LENGTH)):
            part = slice(first, stop)
            said = model(
                ids_BT[:, part], rows_BTC[:, part], cache=cache, told=told.at(part), record=True
            )
            pairs = [(said.logits_BTV, whole.logits_BTV[:, part])]
            pairs += [
                (seen, expected[:, :, part])
                for seen, expected in zip(said.across, whole.across, strict=True)
            ]
            for seen, expected in pairs:
                torch.testing.assert_close(seen, expected, atol=1e-9, rtol=1e-9)
    assert [tuple(weights.shape) for weights in whole.across] == [(2, 2, LENGTH, 11)] * 2


@every_scheme
@pytest.mark.parametrize(("width", "heads"), [(18, 3), (256, 4)], ids=["alone", "packed"])
def test_looking_across_is_the_same_in_every_batch(scheme: str, width: int, heads: int) -> None:
    """To the bit, in single precision, whether all are told the same or each something else."""
    config = shape(scheme, cross=True, width=width, heads=heads)
    model, ids_BT = tiny_model(config), tiny_ids(config, 9, 12)
    each_BTC = tiny_rows(config, 9, LENGTH)
    same_BTC = each_BTC[:1].expand(9, -1, -1)
    for rows_BTC in (each_BTC, same_BTC):
        alone = [decoded(model, ids_BT[n : n + 1], rows_BTC[n : n + 1]) for n in range(9)]
        for batch in (2, 8, 9):
            together = decoded(model, ids_BT[:batch], rows_BTC[:batch])
            assert torch.equal(together, torch.cat(alone[:batch]))


def test_a_step_of_fixed_shape_looks_across_too() -> None:
    """As a graph records it, the place a tensor, for many told alike and each told for himself."""
    config = shape(cross=True)
    model, ids_BT = tiny_model(config, dtype=torch.float64), tiny_ids(config, 2, LENGTH)
    for rows_BTC in (tiny_rows(config, 2, LENGTH), tiny_rows(config, 1, LENGTH).repeat(2, 1, 1)):
        plain, fixed = Stepper(model, rows_BTC), Stepper(model, rows_BTC)
        assert fixed.replays
        for place, ids_B in enumerate(ids_BT.unbind(1)):
            seen = fixed.replay(ids_B, torch.tensor([place]), LENGTH).logits_BV
            torch.testing.assert_close(seen, plain.read(ids_B).logits_BV, atol=1e-10, rtol=0)


def decoded(model: Transformer, ids_BT: Tensor, rows_BTC: Tensor) -> Tensor:
    """The logits of every token but a prompt of four, one step a token: (B, T - 4, V)."""
    stepper = Stepper(model, rows_BTC)
    stepper.prefill(ids_BT[:, :4])
    return torch.stack([stepper.read(ids_B).logits_BV for ids_B in ids_BT[:, 4:].unbind(1)], dim=1)


def test_a_config_from_before_looks_nowhere_across() -> None:
    """Cards that were written when there was no such entry."""
    config = shape()
    values = config.to_json()
    del values["cross"]
    assert ModelConfig.from_json(values) == config


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
        ({"cross": 1}, "cross is 1 in family encoder_decoder: expected true or false"),
        (
            {"family": "causal", "encoder_layers": 0, "told": ("voice",), "cross": True},
            "cross is True in family causal: expected true or false in family encoder_decoder",
        ),
    ],
    ids=["no encoder", "hears nothing", "causal", "no word of cross", "nothing to look at"],
)
def test_a_shape_that_cannot_be_is_refused(fields: dict[str, Any], sentence: str) -> None:
    """With what would be right."""
    right: dict[str, Any] = {"told": TOLD, "family": "encoder_decoder", "encoder_layers": 2}
    with pytest.raises(ModelError, match=sentence):
        tiny_config("relative", **right | fields)
