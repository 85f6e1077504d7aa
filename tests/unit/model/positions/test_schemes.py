"""Every positional scheme of the table against its formula, written out in ``naive_schemes``.

A scheme is tested by being listed in the table; without an entry in ``NAIVE`` the tests fail.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from musicrel.errors import ModelError
from musicrel.model import checkpoint
from musicrel.model.blocks.attention import SelfAttention
from musicrel.model.config import ModelConfig
from musicrel.model.families.transformer import Transformer
from musicrel.model.positions.base import softmax_of_seen
from musicrel.model.positions.table import SCHEMES
from tests.helpers import naive_schemes
from tests.helpers.models import (
    make_loud,
    tiny_card,
    tiny_config,
    tiny_ids,
    tiny_model,
    tiny_rows,
)
from tests.helpers.naive_schemes import NAIVE, Head

BATCH = 3
TRIED = [
    pytest.param(key, options, id=f"{key}-{number}")
    for key in SCHEMES
    for number, options in enumerate(NAIVE[key].options if key in NAIVE else ({},))
]
every_scheme = pytest.mark.parametrize(("scheme", "options"), TRIED)
kinds = pytest.mark.parametrize("causal", [True, False], ids=["causal", "bidirectional"])
lengths = pytest.mark.parametrize("length", [1, 2, 7, 33])


@pytest.fixture(autouse=True)
def _float64() -> Any:
    """All of this is compared in double precision."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(before)


def attention_of(
    scheme: str, options: Mapping[str, Any], *, causal: bool
) -> tuple[SelfAttention, Tensor]:
    """One layer's attention with loud weights, and embeddings of 33 tokens for it."""
    config = tiny_config(scheme, options=options)
    object.__setattr__(config, "family", "causal" if causal else "masked")
    torch.manual_seed(5)
    listed = SCHEMES[scheme]
    positional = listed.attention(config, {**listed.options, **options})
    layer = SelfAttention(config.width, config.heads, positional)
    make_loud(layer)
    return layer, torch.randn(BATCH, 33, config.width)


def assert_close(found: Tensor, expected: Tensor, tolerance: float = 1e-10) -> None:
    """Every entry, by its difference."""
    torch.testing.assert_close(found, expected, atol=tolerance, rtol=0)


def padding(length: int) -> Tensor:
    """One sequence whole, one that begins and ends with padding, one that is nothing else."""
    mask = torch.ones(BATCH, 1, 1, length, dtype=torch.bool)
    mask[1, ..., : length // 4] = False
    mask[1, ..., length // 2 + 1 :] = False
    mask[2] = False
    return mask


def turned_heads(layer: SelfAttention, x_BTD: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values as the scheme's scores want them."""
    q, k, v = layer._heads(x_BTD)
    turned = layer.positional.turned
    return turned(q, 0, x_BTD.shape[1]), turned(k, 0, x_BTD.shape[1]), v


def naive_heads(
    scheme: str, layer: SelfAttention, x_BTD: Tensor, mask: Tensor, *, causal: bool
) -> list[list[Head]]:
    """Every head of every sequence by the formula."""
    q, k, v = (part.detach().numpy() for part in layer._heads(x_BTD))
    naive, positional = NAIVE[scheme], layer.positional
    return [
        [
            naive_schemes.attend(
                naive,
                positional,
                (q[b, h], k[b, h], v[b, h]),
                head=h,
                seen_TS=naive_schemes.seen(x_BTD.shape[1], mask[b, 0, 0].numpy(), causal=causal),
            )
            for h in range(layer.heads)
        ]
        for b in range(len(x_BTD))
    ]


def stacked(heads: list[list[Head]], name: str) -> Tensor:
    """One attribute of all heads as a tensor (B, H, ...)."""
    return torch.tensor(np.array([[getattr(head, name) for head in row] for row in heads]))


@pytest.mark.parametrize("key", SCHEMES)
def test_every_scheme_has_its_formula(key: str) -> None:
    """A new scheme is written down a second time before it is trusted."""
    assert key in NAIVE


def test_no_formula_is_left_over() -> None:
    """A formula without a scheme tests nothing."""
    assert set(NAIVE) == set(SCHEMES)


@every_scheme
@kinds
@lengths
@pytest.mark.parametrize("padded", [False, True], ids=["whole", "padded"])
def test_attention_is_that_of_the_formula(
    scheme: str, options: Mapping[str, Any], causal: bool, length: int, padded: bool
) -> None:
    """Scores, weights, and the output with weights and without; padding gives zeros, no NaN."""
    layer, x_BTD = attention_of(scheme, options, causal=causal)
    x_BTD = x_BTD[:, :length]
    mask = padding(length) if padded else None
    everywhere = torch.ones(BATCH, 1, 1, length, dtype=torch.bool)
    heads = naive_heads(scheme, layer, x_BTD, everywhere if mask is None else mask, causal=causal)

    q, k, v = turned_heads(layer, x_BTD)
    scores = layer.positional.scores(q, k, causal=causal)
    fused = layer.positional.fused(q, k, v, causal=causal, mask=mask)
    explicit = layer(x_BTD, causal=causal, mask=mask, record=True)
    unrecorded = layer(x_BTD, causal=causal, mask=mask)

    seen = stacked(heads, "weights_TS") > 0
    assert_close(scores.where(seen, 0.0), stacked(heads, "scores_TS").where(seen, 0.0))
    assert_close(fused, stacked(heads, "out_Td"))
    assert_close(explicit.weights_BHTS, stacked(heads, "weights_TS"))
    out_BTD = layer._joined(stacked(heads, "out_Td"))
    assert_close(explicit.out_BTD, out_BTD)
    assert_close(unrecorded.out_BTD, out_BTD)


@every_scheme
@kinds
@pytest.mark.parametrize("length", [7, 33])
def test_single_precision_is_near_the_formula(
    scheme: str, options: Mapping[str, Any], causal: bool, length: int
) -> None:
    """As the product computes, queries, keys and values of unit variance: to 1e-5."""
    layer, _ = attention_of(scheme, options, causal=causal)
    heads = torch.randn(3, BATCH, layer.heads, length, layer.project_out.in_features // 2)
    mask = padding(length)
    seen = [naive_schemes.seen(length, row.numpy(), causal=causal) for row in mask[:, 0, 0]]
    expected = torch.tensor(
        np.array(
            [
                [
                    naive_schemes.attend(
                        NAIVE[scheme],
                        layer.positional,
                        (heads[0, b, h].numpy(), heads[1, b, h].numpy(), heads[2, b, h].numpy()),
                        head=h,
                        seen_TS=seen[b],
                    ).out_Td
                    for h in range(layer.heads)
                ]
                for b in range(BATCH)
            ]
        )
    )

    positional = layer.positional.float()
    q, k, v = heads.float()
    q, k = positional.turned(q, 0, length), positional.turned(k, 0, length)
    fused = positional.fused(q, k, v, causal=causal, mask=mask)
    scores = positional.scores(q, k, causal=causal)
    explicit = positional.mix(softmax_of_seen(scores, causal=causal, mask=mask), v)

    assert fused.dtype == explicit.dtype == torch.float32
    assert_close(fused.double(), expected, 1e-5)
    assert_close(explicit.double(), expected, 1e-5)


@every_scheme
@kinds
@pytest.mark.parametrize("queries", [1, 2, 7])
def test_the_last_queries_alone_score_the_same(
    scheme: str, options: Mapping[str, Any], causal: bool, queries: int
) -> None:
    """As when keys come from a cache: the queries are the last of the positions."""
    layer, x_BTD = attention_of(scheme, options, causal=causal)
    q, k, _ = turned_heads(layer, x_BTD)
    seen = torch.ones(33, 33).tril().bool() if causal else torch.ones(33, 33).bool()

    whole = layer.positional.scores(q, k, causal=causal).where(seen, 0.0)
    part = layer.positional.scores(q[:, :, -queries:], k, causal=causal)

    assert_close(part.where(seen[-queries:], 0.0), whole[:, :, -queries:])


@every_scheme
@kinds
@pytest.mark.parametrize("padded", [False, True], ids=["whole", "padded"])
def test_fused_gradients_are_those_of_the_explicit_path(
    scheme: str, options: Mapping[str, Any], causal: bool, padded: bool
) -> None:
    """Training runs through the one, the tests of formulas through the other."""
    layer, x_BTD = attention_of(scheme, options, causal=causal)
    mask = padding(x_BTD.shape[1]) if padded else None
    x_BTD.requires_grad_(True)
    leaves = [x_BTD, *layer.parameters()]
    towards = torch.randn_like(x_BTD)

    found, expected = (
        torch.autograd.grad(
            layer(x_BTD, causal=causal, mask=mask, record=record).out_BTD, leaves, towards
        )
        for record in (False, True)
    )

    for one, other in zip(found, expected, strict=True):
        assert_close(one, other)


@every_scheme
@lengths
@pytest.mark.parametrize("start", [0, 3, 290])
def test_embeddings_are_those_of_the_formula(
    scheme: str, options: Mapping[str, Any], length: int, start: int
) -> None:
    """For one start of all sequences, and for one of each; also past the trained length."""
    config = tiny_config(scheme, options=options, trained_length=64)
    module = SCHEMES[scheme].embedding(config, {**SCHEMES[scheme].options, **options})
    x_BTD = torch.randn(2, length, config.width)
    formula = NAIVE[scheme].embedding
    starts = [start, 5]
    expected = [
        torch.from_numpy(formula(module, x_TD.numpy(), first))
        for x_TD, first in zip(x_BTD, starts, strict=True)
    ]

    assert_close(module(x_BTD, torch.tensor(starts)), torch.stack(expected))
    assert_close(module(x_BTD, start)[0], expected[0])


def bare_model(scheme: str, options: Mapping[str, Any], **fields: Any) -> Transformer:
    """A model that knows of places only what the scheme tells it."""
    return tiny_model(tiny_config(scheme, options=options, **fields))


def nothing_told(ids_BT: Tensor) -> Tensor:
    """The conditions of a model that has none."""
    return torch.zeros(*ids_BT.shape, 0, dtype=torch.int64)


@every_scheme
def test_a_piece_begun_later_is_told_apart_only_by_absolute_schemes(
    scheme: str, options: Mapping[str, Any]
) -> None:
    """Without conditions nothing but the scheme can know where a sequence starts."""
    model = bare_model(scheme, options)
    ids_BT = tiny_ids(model.config, 2, 20)

    at_zero = model(ids_BT, nothing_told(ids_BT)).logits_BTV
    later = model(ids_BT, nothing_told(ids_BT), starts_B=torch.tensor([0, 17])).logits_BTV

    assert_close(later[0], at_zero[0])
    difference = float((later[1] - at_zero[1]).abs().max().detach())
    assert (difference > 1e-3) if NAIVE[scheme].moves else (difference < 1e-10)


@every_scheme
def test_the_future_changes_no_earlier_logit(scheme: str, options: Mapping[str, Any]) -> None:
    """Not by a bit more than rounding, wherever the change begins."""
    model = bare_model(scheme, options)
    ids_BT = tiny_ids(model.config, 1, 33)
    before = model(ids_BT, nothing_told(ids_BT)).logits_BTV

    for place in (1, 16, 32):
        changed_BT = ids_BT.clone()
        changed_BT[:, place:] = (ids_BT[:, place:] + 1) % model.config.tokens
        after = model(changed_BT, nothing_told(changed_BT)).logits_BTV

        assert_close(after[:, :place], before[:, :place])
        assert (after[:, place] - before[:, place]).abs().max() > 1e-3


def check_extends(scheme: str, options: Mapping[str, Any]) -> None:
    """A model of a short trained length says the same as one of a long one."""
    short = bare_model(scheme, options, trained_length=16)
    long = bare_model(scheme, options, trained_length=256)
    long.load_state_dict(short.state_dict())
    ids_BT = tiny_ids(short.config, 1, 100)

    assert_close(
        short(ids_BT, nothing_told(ids_BT)).logits_BTV,
        long(ids_BT, nothing_told(ids_BT)).logits_BTV,
    )


def check_clips(scheme: str, options: Mapping[str, Any]) -> None:
    """As ``check_extends``; the formula, tried beyond its farthest distance, says how."""
    assert min(options["max_distance"] for options in NAIVE[scheme].options) < 32
    check_extends(scheme, options)


def check_refuses(scheme: str, options: Mapping[str, Any]) -> None:
    """One sentence with the length and the limit, also in the middle of decoding; no IndexError."""
    model = bare_model(scheme, {**options, "max_length": 20})
    ids_BT = tiny_ids(model.config, 2, 21)
    sentence = "the sequence has 21 tokens, but the model learned positions for 20 only: shorten it"

    model(ids_BT[:, :20], nothing_told(ids_BT[:, :20]))
    with pytest.raises(ModelError, match=sentence):
        model(ids_BT, nothing_told(ids_BT))
    with pytest.raises(ModelError, match=r"has 24 tokens, but .* for 20 only"):
        model(ids_BT[:, :4], nothing_told(ids_BT[:, :4]), starts_B=torch.tensor([0, 20]))
    cache = model.new_cache(2, 30)
    model(ids_BT[:, :20], nothing_told(ids_BT[:, :20]), cache=cache)
    with pytest.raises(ModelError, match=sentence):
        model(ids_BT[:, 20:], nothing_told(ids_BT[:, 20:]), cache=cache)


BEYOND = {"extends": check_extends, "clips": check_clips, "refuses": check_refuses}


@every_scheme
def test_past_the_trained_length_a_scheme_does_as_it_says(
    scheme: str, options: Mapping[str, Any]
) -> None:
    """What the table says of it is what happens."""
    BEYOND[SCHEMES[scheme].beyond](scheme, options)


@every_scheme
def test_parameters_are_learned_and_survive(
    scheme: str, options: Mapping[str, Any], tmp_path: Path
) -> None:
    """They stand in parameters() and state_dict(), receive gradient, are saved and loaded."""
    with torch.random.fork_rng():
        torch.set_default_dtype(torch.float32)
        model = bare_model(scheme, options)
    ids_BT = tiny_ids(model.config, 2, 33)
    model(ids_BT, nothing_told(ids_BT)).logits_BTV.square().sum().backward()
    checkpoint.save(tmp_path, model, tiny_card(model))
    loaded = checkpoint.load(tmp_path).model

    assert {name for name, _ in model.named_parameters()} <= set(model.state_dict())
    assert all(
        parameter.grad is not None and parameter.grad.abs().max() > 0
        for parameter in model.parameters()
    )
    for name, value in model.state_dict().items():
        assert torch.equal(loaded.state_dict()[name], value)
    assert torch.equal(
        loaded(ids_BT, nothing_told(ids_BT)).logits_BTV,
        model(ids_BT, nothing_told(ids_BT)).logits_BTV,
    )


def greedy(model: Transformer, prompt_BT: Tensor, rows_BTC: Tensor) -> tuple[Tensor, Tensor]:
    """Ids and logits of the likeliest tokens: the prompt at once, then one token at a time."""
    length = rows_BTC.shape[1]
    cache = model.new_cache(len(prompt_BT), length)
    ids_BT, logits, place = prompt_BT, [], 0
    while place < length:
        new_BT = ids_BT[:, place:]
        stop = ids_BT.shape[1]
        logits.append(model(new_BT, rows_BTC[:, place:stop], cache=cache).logits_BTV)
        place = stop
        if stop < length:
            ids_BT = torch.cat([ids_BT, logits[-1][:, -1:].argmax(-1)], dim=1)
    return ids_BT, torch.cat(logits, dim=1)


def check_decoding(config: ModelConfig, length: int, prompt: int, tolerance: float) -> None:
    """Decoding with the cache against one full pass over what it wrote."""
    model = tiny_model(config)
    rows_BTC = tiny_rows(config, 2, length)

    with torch.inference_mode():
        ids_BT, cached = greedy(model, tiny_ids(config, 2, prompt), rows_BTC)
        full = model(ids_BT, rows_BTC).logits_BTV

    assert_close(cached, full, tolerance)
    assert torch.equal(full[:, prompt - 1 : -1].argmax(-1), ids_BT[:, prompt:])


@every_scheme
@pytest.mark.parametrize("prompt", [1, 2, 50])
def test_decoding_with_the_cache_is_the_full_pass(
    scheme: str, options: Mapping[str, Any], prompt: int
) -> None:
    """A prompt in one pass, then token by token, far past the trained length."""
    config = tiny_config(scheme, options=options, told=("voice", "beat"))
    check_decoding(config, 300, prompt, 1e-10)


@every_scheme
def test_decoding_in_single_precision_is_the_full_pass(
    scheme: str, options: Mapping[str, Any]
) -> None:
    """As the product computes."""
    torch.set_default_dtype(torch.float32)
    check_decoding(tiny_config(scheme, options=options), 300, 8, 1e-4)


@pytest.mark.slow
@every_scheme
def test_decoding_a_long_piece_is_the_full_pass(scheme: str, options: Mapping[str, Any]) -> None:
    """2,048 tokens: 32 bars."""
    check_decoding(tiny_config(scheme, options=options), 2048, 1, 1e-10)


@every_scheme
def test_tokens_may_be_read_in_parts(scheme: str, options: Mapping[str, Any]) -> None:
    """Several new tokens after a cache that holds some, as when a user changes a prompt."""
    model = bare_model(scheme, options)
    ids_BT = tiny_ids(model.config, 2, 40)
    cache = model.new_cache(2, 40)

    with torch.inference_mode():
        parts = [
            model(ids_BT[:, part], nothing_told(ids_BT[:, part]), cache=cache).logits_BTV
            for part in (slice(0, 11), slice(11, 12), slice(12, 40))
        ]
        full = model(ids_BT, nothing_told(ids_BT)).logits_BTV

    assert_close(torch.cat(parts, dim=1), full)
