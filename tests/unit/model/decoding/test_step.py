"""Incremental decoding against the plain forward pass, for every positional scheme."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
import torch
from torch import Tensor

from musicrel.errors import ModelError
from musicrel.model.config import ModelConfig
from musicrel.model.decoding.step import IncrementalDecoder
from musicrel.model.families.transformer import Transformer
from musicrel.model.positions.table import SCHEMES
from tests.helpers.models import tiny_config, tiny_ids, tiny_model, tiny_rows
from tests.helpers.naive_schemes import NAIVE

TOLD = ("voice", "beat", "key")
TRIED = [
    pytest.param(key, options, id=f"{key}-{number}")
    for key in SCHEMES
    for number, options in enumerate(NAIVE[key].options if key in NAIVE else ({},))
]
every_scheme = pytest.mark.parametrize(("scheme", "options"), TRIED)
precise = pytest.mark.usefixtures("float64")


def config_of(scheme: str, options: Mapping[str, Any], length: int, **fields: Any) -> ModelConfig:
    """Return the config of a tiny model for ``length`` positions."""
    return tiny_config(scheme, options=options, trained_length=length, conditions=TOLD, **fields)


def greedy(decoder: IncrementalDecoder, prompt_BT: Tensor) -> tuple[Tensor, Tensor]:
    """Return the most probable tokens after a prompt up to the capacity, and their logits."""
    decoder.prefill(prompt_BT[:, :-1])
    ids, logits = [*prompt_BT.unbind(1)], []
    while len(ids) <= decoder.capacity:
        logits.append(decoder.step(ids[-1]).logits_BV)
        ids.append(logits[-1].argmax(-1))
    return torch.stack(ids, dim=1), torch.stack(logits, dim=1)


def check_equals_full_pass(
    config: ModelConfig, length: int, prompt: int, tolerance: float, batch: int = 2
) -> None:
    """Compare the logits and tokens of decoding with those of a full pass."""
    model, rows_BTC = tiny_model(config), tiny_rows(config, batch, length)

    ids_BT, logits = greedy(IncrementalDecoder(model, rows_BTC), tiny_ids(config, batch, prompt))
    with torch.inference_mode():
        full = model(ids_BT[:, :-1], rows_BTC).logits_BTV[:, prompt - 1 :]

    torch.testing.assert_close(logits, full, atol=tolerance, rtol=tolerance)
    assert torch.equal(full.argmax(-1), ids_BT[:, prompt:])


@precise
@every_scheme
@pytest.mark.parametrize("prompt", [1, 2, 50])
def test_decoding_is_the_full_pass(scheme: str, options: Mapping[str, Any], prompt: int) -> None:
    """A prompt is read in one pass, then tokens one by one."""
    check_equals_full_pass(config_of(scheme, options, 150), 150, prompt, 1e-10)


@precise
@pytest.mark.slow
@every_scheme
def test_decoding_a_long_piece_is_the_full_pass(scheme: str, options: Mapping[str, Any]) -> None:
    """2,048 tokens are 32 bars."""
    check_equals_full_pass(config_of(scheme, options, 2048), 2048, 1, 1e-10)


@every_scheme
def test_decoding_in_single_precision_is_the_full_pass(
    scheme: str, options: Mapping[str, Any]
) -> None:
    """Single precision is what the program uses."""
    check_equals_full_pass(config_of(scheme, options, 200), 200, 8, 1e-4)


@precise
@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("activation", ["gelu", "relu"])
def test_every_kind_of_block_can_be_decoded(norm: str, activation: str) -> None:
    """Pre-norm and post-norm; a feed-forward width that is not a multiple of a vector."""
    config = config_of("relative", {}, 40, norm=norm, activation=activation, feedforward=37)
    check_equals_full_pass(config, 40, 3, 1e-10)


@precise
def test_a_model_without_conditions_can_be_decoded() -> None:
    """The rows of conditions have no column."""
    check_equals_full_pass(tiny_config("relative"), 40, 3, 1e-10)


@precise
def test_a_long_prompt_is_read_in_parts() -> None:
    """1,100 tokens are more than two parts."""
    check_equals_full_pass(config_of("relative", {}, 1110), 1110, 1100, 1e-10)


@every_scheme
@pytest.mark.parametrize(("width", "heads"), [(18, 3), (256, 4)], ids=["alone", "packed"])
def test_a_sequence_is_the_same_in_every_batch(
    scheme: str, options: Mapping[str, Any], width: int, heads: int
) -> None:
    """Tokens and logits are equal to the bit in single precision, for any prompt and conditions."""
    shape = {"width": width, "heads": heads, "feedforward": 2 * width + 5}
    config = config_of(scheme, options, 30, **shape)
    model, rows_BTC = tiny_model(config), tiny_rows(config, 9, 30)
    prompt_BT = tiny_ids(config, 9, 4)

    alone = [
        greedy(IncrementalDecoder(model, rows_BTC[n : n + 1]), prompt_BT[n : n + 1])[1]
        for n in range(9)
    ]
    for batch in (2, 3, 8, 9):
        _, together = greedy(IncrementalDecoder(model, rows_BTC[:batch]), prompt_BT[:batch])
        assert torch.equal(together, torch.cat(alone[:batch]))


@every_scheme
def test_recording_changes_no_logit_and_returns_the_weights_of_the_full_pass(
    scheme: str, options: Mapping[str, Any]
) -> None:
    """Logits are equal to the bit; the weights are those of all layers and heads."""
    config = config_of(scheme, options, 20)
    model, rows_BTC = tiny_model(config), tiny_rows(config, 2, 20)
    ids_BT = tiny_ids(config, 2, 20)
    plain, recording = (
        IncrementalDecoder(model, rows_BTC),
        IncrementalDecoder(model, rows_BTC, record=True),
    )

    with torch.inference_mode():
        whole = torch.stack(model(ids_BT, rows_BTC, record=True).weights, dim=1)
    for place, ids_B in enumerate(ids_BT.unbind(1)):
        bare, seen = plain.step(ids_B), recording.step(ids_B)
        assert bare.weights_BLHS is None
        assert seen.weights_BLHS is not None
        assert torch.equal(seen.logits_BV, bare.logits_BV)
        expected = whole[:, :, :, place, : place + 1]
        torch.testing.assert_close(seen.weights_BLHS, expected, atol=1e-5, rtol=0)


@precise
@every_scheme
def test_a_step_of_fixed_shape_is_the_same_step(scheme: str, options: Mapping[str, Any]) -> None:
    """It reads more keys than are written, and the position is a tensor, as in a graph."""
    config = config_of(scheme, options, 60)
    model, rows_BTC = tiny_model(config), tiny_rows(config, 2, 60)
    ids_BT = tiny_ids(config, 2, 60)
    plain, fixed = IncrementalDecoder(model, rows_BTC), IncrementalDecoder(model, rows_BTC)
    if not plain.graph_capturable:
        assert scheme not in {"sinusoidal", "relative"}
        return

    for place, ids_B in enumerate(ids_BT.unbind(1)):
        keys = 16 if place < 16 else 60
        seen = fixed.fixed_step(ids_B, torch.tensor([place]), keys).logits_BV
        torch.testing.assert_close(seen, plain.step(ids_B).logits_BV, atol=1e-10, rtol=0)


def test_equal_prompts_are_read_once() -> None:
    """Candidates with equal conditions share their prompt; others read it again."""
    config = config_of("relative", {}, 30)
    model, rows_BTC = tiny_model(config), tiny_rows(config, 1, 30).repeat(4, 1, 1)
    rows_BTC[3, 0, 0] += 1
    passes: list[int] = []
    model.register_forward_hook(lambda *_: passes.append(1))

    decoder = IncrementalDecoder(model, rows_BTC)
    decoder.prefill(tiny_ids(config, 1, 10).repeat(4, 1))
    logits = decoder.step(tiny_ids(config, 4, 1)[:, 0].fill_(7)).logits_BV

    assert len(passes) == 2
    assert torch.equal(logits[0], logits[1])
    assert not torch.equal(logits[0], logits[3])


def test_more_positions_than_the_scheme_has_are_refused_at_once() -> None:
    """The error is that of the scheme."""
    config = tiny_config("learned", options={"max_length": 16})

    with pytest.raises(ModelError, match="17 tokens, but the model learned positions for 16"):
        IncrementalDecoder(tiny_model(config), torch.zeros(1, 17, 0, dtype=torch.int64))


def test_no_more_is_decoded_than_the_capacity() -> None:
    """The error is that of the cache."""
    config = tiny_config("relative")
    decoder = IncrementalDecoder(tiny_model(config), torch.zeros(1, 2, 0, dtype=torch.int64))
    token = torch.tensor([5])
    decoder.step(token)
    decoder.step(token)

    with pytest.raises(ModelError, match="holds 2 of 2 tokens, 1 more do not fit"):
        decoder.step(token)


def test_the_model_itself_is_left_as_it_was() -> None:
    """It gets no gradient and keeps its weights; later changes of them have no effect."""
    config = tiny_config("relative")
    model: Transformer = tiny_model(config)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    IncrementalDecoder(model, tiny_rows(config, 1, 5)).step(torch.tensor([5]))

    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    assert not torch.is_inference_mode_enabled()
