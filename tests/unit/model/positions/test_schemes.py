"""Every positional scheme of the table against its explicit formula in ``naive_schemes``.

A scheme in the table is tested; without an entry in ``NAIVE`` the tests fail.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from musicrel.errors import ModelError
from musicrel.model import checkpoint
from musicrel.model.blocks.attention import Recording
from musicrel.model.families.transformer import Transformer
from musicrel.model.positions.base import Tokens, masked_softmax
from musicrel.model.positions.table import SCHEMES
from tests.helpers import naive_schemes
from tests.helpers.models import tiny_card, tiny_config, tiny_ids
from tests.helpers.naive_schemes import NAIVE
from tests.unit.model.positions.scheme_cases import (
    BATCH,
    assert_close,
    attention_of,
    bare_model,
    every_scheme,
    kinds,
    lengths,
    naive_heads,
    no_conditions,
    padding,
    rotated_heads,
    stacked,
)

pytestmark = pytest.mark.usefixtures("float64")


def test_every_scheme_has_its_formula() -> None:
    assert set(NAIVE) == set(SCHEMES)


@every_scheme
@kinds
@lengths
@pytest.mark.parametrize("padded", [False, True], ids=["whole", "padded"])
def test_attention_is_that_of_the_formula(
    scheme: str, options: Mapping[str, Any], causal: bool, length: int, padded: bool
) -> None:
    """Scores, weights, and output with and without weights; padding gives zeros, no NaN."""
    layer, x_BTD = attention_of(scheme, options, causal=causal)
    x_BTD = x_BTD[:, :length]
    mask = padding(length) if padded else None
    everywhere = torch.ones(BATCH, 1, 1, length, dtype=torch.bool)
    heads = naive_heads(scheme, layer, x_BTD, everywhere if mask is None else mask, causal=causal)

    q, k, v = rotated_heads(layer, x_BTD)
    scores = layer.positional.scores(q, k, causal=causal)
    fused = layer.positional.fused(q, k, v, causal=causal, mask=mask)
    recorded = Recording()
    explicit = layer(x_BTD, causal=causal, mask=mask, record=recorded)
    unrecorded = layer(x_BTD, causal=causal, mask=mask)

    seen = stacked(heads, "weights_TS") > 0
    assert_close(scores.where(seen, 0.0), stacked(heads, "scores_TS").where(seen, 0.0))
    assert_close(fused, stacked(heads, "out_Td"))
    assert_close(recorded.weights[0], stacked(heads, "weights_TS"))
    out_BTD = layer.project_out(stacked(heads, "out_Td").transpose(1, 2).flatten(-2))
    assert_close(explicit, out_BTD)
    assert_close(unrecorded, out_BTD)


@every_scheme
@kinds
@pytest.mark.parametrize("length", [7, 33])
def test_single_precision_is_near_the_formula(
    scheme: str, options: Mapping[str, Any], causal: bool, length: int
) -> None:
    """For queries, keys and values of unit variance the difference is at most 1e-5."""
    layer, _ = attention_of(scheme, options, causal=causal)
    width = layer.project_out.in_features
    heads = torch.randn(3, BATCH, layer.heads, length, width // 2)
    x_BTD = torch.randn(BATCH, length, width)
    mask = padding(length)
    seen = [naive_schemes.visible_keys(length, row.numpy(), causal=causal) for row in mask[:, 0, 0]]
    expected = torch.tensor(
        np.array(
            [
                [
                    naive_schemes.attend(
                        NAIVE[scheme],
                        layer.positional,
                        (heads[0, b, h].numpy(), heads[1, b, h].numpy(), heads[2, b, h].numpy()),
                        x_BTD[b].numpy(),
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
    at = Tokens(0, length, x_BTD.float())
    q, k = positional.rotate_q(q, at), positional.rotate_k(k, at)
    fused = positional.fused(q, k, v, causal=causal, mask=mask)
    scores = positional.scores(q, k, causal=causal)
    explicit = positional.mix(masked_softmax(scores, causal=causal, mask=mask), v)

    assert fused.dtype == explicit.dtype == torch.float32
    assert_close(fused.double(), expected, 1e-5)
    assert_close(explicit.double(), expected, 1e-5)


@every_scheme
@kinds
@pytest.mark.parametrize("queries", [1, 2, 7])
def test_the_last_queries_alone_score_the_same(
    scheme: str, options: Mapping[str, Any], causal: bool, queries: int
) -> None:
    layer, x_BTD = attention_of(scheme, options, causal=causal)
    q, k, _ = rotated_heads(layer, x_BTD)
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
    """Training uses the fused path, the formula tests the explicit one."""
    layer, x_BTD = attention_of(scheme, options, causal=causal)
    mask = padding(x_BTD.shape[1]) if padded else None
    x_BTD.requires_grad_(True)
    leaves = [x_BTD, *layer.parameters()]
    towards = torch.randn_like(x_BTD)

    found, expected = (
        torch.autograd.grad(layer(x_BTD, causal=causal, mask=mask, record=record), leaves, towards)
        for record in (None, Recording())
    )

    for one, other in zip(found, expected, strict=True):
        assert_close(one, other)


@every_scheme
@lengths
@pytest.mark.parametrize("start", [0, 3, 290])
def test_embeddings_are_those_of_the_formula(
    scheme: str, options: Mapping[str, Any], length: int, start: int
) -> None:
    """For one start and for one of each sequence; also beyond the trained length."""
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


@every_scheme
def test_a_shifted_piece_has_other_logits_in_absolute_schemes_only(
    scheme: str, options: Mapping[str, Any]
) -> None:
    model = bare_model(scheme, options)
    ids_BT = tiny_ids(model.config, 2, 20)

    at_zero = model(ids_BT, no_conditions(ids_BT)).logits_BTV
    later = model(ids_BT, no_conditions(ids_BT), starts_B=torch.tensor([0, 17])).logits_BTV

    assert_close(later[0], at_zero[0])
    difference = float((later[1] - at_zero[1]).abs().max().detach())
    assert (difference > 1e-3) if NAIVE[scheme].moves else (difference < 1e-10)


@every_scheme
def test_the_future_changes_no_earlier_logit(scheme: str, options: Mapping[str, Any]) -> None:
    model = bare_model(scheme, options)
    ids_BT = tiny_ids(model.config, 1, 33)
    before = model(ids_BT, no_conditions(ids_BT)).logits_BTV

    for place in (1, 16, 32):
        changed_BT = ids_BT.clone()
        changed_BT[:, place:] = (ids_BT[:, place:] + 1) % model.config.tokens
        after = model(changed_BT, no_conditions(changed_BT)).logits_BTV

        assert_close(after[:, :place], before[:, :place])
        assert (after[:, place] - before[:, place]).abs().max() > 1e-3


def check_extends(scheme: str, options: Mapping[str, Any]) -> None:
    """Check that the trained length changes nothing, or that pieces beyond it can be read.

    The formula of a scheme that contains it is tested beyond the window of one layer.
    """
    short = bare_model(scheme, options, trained_length=16)
    if NAIVE[scheme].knows_window:
        check_reads_on(short)
        return
    long = bare_model(scheme, options, trained_length=256)
    long.load_state_dict(short.state_dict())
    ids_BT = tiny_ids(short.config, 1, 100)

    assert_close(
        short(ids_BT, no_conditions(ids_BT)).logits_BTV,
        long(ids_BT, no_conditions(ids_BT)).logits_BTV,
    )


def check_reads_on(short: Transformer) -> None:
    ids_BT = tiny_ids(short.config, 1, 100)
    beyond = short(ids_BT, no_conditions(ids_BT)).logits_BTV
    within = short(ids_BT[:, :16], no_conditions(ids_BT[:, :16])).logits_BTV
    assert bool(beyond.isfinite().all())
    assert_close(beyond[:, :16], within)


def check_clips(scheme: str, options: Mapping[str, Any]) -> None:
    """Check as ``check_extends``; the formula covers larger distances than the table."""
    assert min(options["max_distance"] for options in NAIVE[scheme].options) < 32
    check_extends(scheme, options)


def check_refuses(scheme: str, options: Mapping[str, Any]) -> None:
    model = bare_model(scheme, {**options, "max_length": 20})
    ids_BT = tiny_ids(model.config, 2, 21)
    sentence = "the sequence has 21 tokens, but the model learned positions for 20 only: shorten it"

    model(ids_BT[:, :20], no_conditions(ids_BT[:, :20]))
    with pytest.raises(ModelError, match=sentence):
        model(ids_BT, no_conditions(ids_BT))
    with pytest.raises(ModelError, match=r"has 24 tokens, but .* for 20 only"):
        model(ids_BT[:, :4], no_conditions(ids_BT[:, :4]), starts_B=torch.tensor([0, 20]))
    cache = model.new_cache(2, 30)
    model(ids_BT[:, :20], no_conditions(ids_BT[:, :20]), cache=cache)
    with pytest.raises(ModelError, match=sentence):
        model(ids_BT[:, 20:], no_conditions(ids_BT[:, 20:]), cache=cache)


BEYOND = {"extends": check_extends, "clips": check_clips, "refuses": check_refuses}


@every_scheme
def test_beyond_the_trained_length_a_scheme_does_as_the_table_says(
    scheme: str, options: Mapping[str, Any]
) -> None:
    BEYOND[SCHEMES[scheme].extrapolation](scheme, options)


@every_scheme
def test_parameters_are_learned_and_survive(
    scheme: str, options: Mapping[str, Any], tmp_path: Path
) -> None:
    with torch.random.fork_rng():
        torch.set_default_dtype(torch.float32)
        model = bare_model(scheme, options)
    ids_BT = tiny_ids(model.config, 2, 33)
    model(ids_BT, no_conditions(ids_BT)).logits_BTV.square().sum().backward()
    checkpoint.save(tmp_path, model, tiny_card(model))
    loaded = checkpoint.load(tmp_path).network

    assert {name for name, _ in model.named_parameters()} <= set(model.state_dict())
    assert all(
        parameter.grad is not None and parameter.grad.abs().max() > 0
        for parameter in model.parameters()
    )
    for name, value in model.state_dict().items():
        assert torch.equal(loaded.state_dict()[name], value)
    assert torch.equal(
        loaded(ids_BT, no_conditions(ids_BT)).logits_BTV,
        model(ids_BT, no_conditions(ids_BT)).logits_BTV,
    )
