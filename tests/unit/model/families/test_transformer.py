"""The model as a whole; ``positions/test_schemes`` tests the schemes."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F  # noqa: N812  # the name everybody knows it by
from torch import Tensor

from musicrel.model.config import ModelConfig
from musicrel.model.families.transformer import Predictor, Transformer
from musicrel.model.positions.table import SCHEMES
from musicrel.model.tokens.conditions import CONDITIONS
from tests.helpers import naive_schemes
from tests.helpers.models import tiny_config, tiny_ids, tiny_model, tiny_rows
from tests.helpers.naive_schemes import NAIVE, Array

every_scheme = pytest.mark.parametrize("scheme", SCHEMES)
EVERYTHING = tuple(CONDITIONS)


def naive_attention(
    model: Transformer, layer: int, x_TD: Tensor, coordinates: Array | None
) -> Tensor:
    """Compute one attention layer by the scheme's formula."""
    attention: Any = model.blocks[layer].attention
    q, k, v = (
        part.unflatten(-1, (attention.heads, -1)).transpose(0, 1).numpy()
        for part in (x_TD @ attention.project_in.weight.T).chunk(3, dim=-1)
    )
    seen = naive_schemes.visible_keys(len(x_TD), np.ones(len(x_TD), dtype=np.bool_), causal=True)
    formula = NAIVE[model.config.scheme]
    heads = [
        naive_schemes.attend(
            formula,
            attention.positional,
            (q[h], k[h], v[h]),
            x_TD.numpy(),
            head=h,
            seen_TS=seen,
            coordinates=coordinates,
        ).out_Td
        for h in range(attention.heads)
    ]
    out_TD: Tensor = torch.from_numpy(np.concatenate(heads, axis=-1))
    return out_TD @ torch.as_tensor(attention.project_out.weight).T


def naive_logits(model: Transformer, ids_T: Tensor, rows_TC: Tensor) -> Tensor:
    """Compute the whole model as in Vaswani et al. 2017, with pre-norm."""
    width = model.config.width
    embeds: list[Any] = list(model.embed_condition)
    blocks: list[Any] = list(model.blocks)
    embedded = [embed.weight[rows_TC[:, c]] for c, embed in enumerate(embeds)]
    x_TD = (model.embed_token.weight[ids_T] + sum(embedded)) * math.sqrt(width)
    formula = NAIVE[model.config.scheme]
    x_TD = torch.from_numpy(formula.embedding(model.positions, x_TD.numpy(), 0))
    coordinates = None
    if formula.coordinates is not None:
        coordinates = formula.coordinates(model.config, ids_T.numpy(), rows_TC.numpy())
    for layer, block in enumerate(blocks):
        feed, bend = block.feedforward, F.relu if model.config.activation == "relu" else F.gelu

        def attend(x_TD: Tensor, layer: int = layer) -> Tensor:
            return naive_attention(model, layer, x_TD, coordinates)

        def transform(x_TD: Tensor, feed: Any = feed, bend: Any = bend) -> Tensor:
            inner = bend(x_TD @ feed[0].weight.T + feed[0].bias)
            outer: Tensor = inner @ feed[2].weight.T + feed[2].bias
            return outer

        for sublayer, norm in ((attend, block.norm_attention), (transform, block.norm_feedforward)):
            if model.config.norm == "pre":
                x_TD = x_TD + sublayer(F.layer_norm(x_TD, (width,), norm.weight, norm.bias))
            else:
                x_TD = F.layer_norm(x_TD + sublayer(x_TD), (width,), norm.weight, norm.bias)
    if model.config.norm == "pre":
        last = dict(model.named_parameters())
        x_TD = F.layer_norm(x_TD, (width,), last["norm.weight"], last["norm.bias"])
    return x_TD @ model.head.weight.T + model.head.bias


def assert_follows_the_formula(config: ModelConfig) -> None:
    """Check that the logits of a tiny model are those of ``naive_logits``, in float64."""
    model = tiny_model(config, dtype=torch.float64)
    ids, rows = tiny_ids(config, 1, 12), tiny_rows(config, 1, 12)

    logits = model(ids, rows).logits_BTV[0]

    torch.testing.assert_close(logits, naive_logits(model, ids[0], rows[0]), atol=1e-10, rtol=0)


@every_scheme
@torch.no_grad()
def test_the_model_is_the_published_one(scheme: str) -> None:
    """Every logit in float64 equals that of the explicit formula."""
    config = tiny_config(scheme, conditions=("voice", "key"))
    assert_follows_the_formula(config)


@pytest.mark.parametrize("norm", ["pre", "post"])
@pytest.mark.parametrize("activation", ["gelu", "relu"])
@torch.no_grad()
def test_post_norm_and_relu_are_the_published_model(norm: str, activation: str) -> None:
    """Every logit equals that of the explicit formula of Vaswani et al. 2017."""
    config = tiny_config("relative", conditions=("voice",), norm=norm, activation=activation)
    assert_follows_the_formula(config)


@every_scheme
def test_dropout_on_attention_acts_in_training_only(scheme: str) -> None:
    """Two passes differ in training and never in evaluation; gradients are finite."""
    model = tiny_model(tiny_config(scheme, attention_dropout=0.5))
    ids, rows = tiny_ids(model.config, 1, 10), tiny_rows(model.config, 1, 10)

    learning = [model.train()(ids, rows).logits_BTV for _ in range(2)]
    learning[0].square().mean().backward()
    using = [model.eval()(ids, rows).logits_BTV for _ in range(2)]
    without = tiny_model(tiny_config(scheme))(ids, rows).logits_BTV

    assert not torch.equal(*learning)
    assert torch.equal(*using)
    torch.testing.assert_close(using[0], without)
    assert all(torch.isfinite(parameter.grad).all() for parameter in model.parameters()
               if parameter.grad is not None)  # fmt: skip


@every_scheme
def test_a_masked_model_is_bidirectional(scheme: str) -> None:
    model = tiny_model(tiny_config(scheme, family="masked"), dtype=torch.float64)
    ids, rows = tiny_ids(model.config, 1, 20), tiny_rows(model.config, 1, 20)
    mask = (torch.arange(20) < 12)[None, None, None]
    changed = ids.clone()
    changed[:, 11] = (ids[:, 11] + 1) % model.config.tokens

    before = model(ids, rows, mask=mask).logits_BTV
    after = model(changed, rows, mask=mask).logits_BTV
    alone = model(ids[:, :12], rows[:, :12]).logits_BTV

    assert (after[:, 0] - before[:, 0]).abs().max() > 1e-6
    torch.testing.assert_close(before[:, :12], alone, atol=1e-10, rtol=0)


@every_scheme
def test_mixed_precision_is_near_single(scheme: str) -> None:
    """Every scheme computes and learns in bfloat16; its gradients are finite."""
    for family in ("causal", "masked"):
        model = tiny_model(tiny_config(scheme, family=family))
        ids, rows = tiny_ids(model.config, 2, 20), tiny_rows(model.config, 2, 20)
        mask = (torch.arange(20) < torch.tensor([[20], [12]]))[:, None, None]
        single = model(ids, rows, mask=mask).logits_BTV.detach()
        with torch.autocast("cpu", torch.bfloat16):
            mixed = model(ids, rows, mask=mask).logits_BTV
        mixed.float().square().mean().backward()

        assert mixed.dtype == torch.bfloat16
        assert (mixed.detach().float() - single).abs().mean() < 0.05 * single.abs().mean()
        assert all(torch.isfinite(parameter.grad).all() for parameter in model.parameters()
                   if parameter.grad is not None)  # fmt: skip


@every_scheme
def test_recording_changes_no_logit_and_returns_all_weights(scheme: str) -> None:
    """Weights of every layer and head; rows sum to 1 over the past."""
    config = tiny_config(scheme, conditions=EVERYTHING)
    model, ids, rows = tiny_model(config), tiny_ids(config, 2, 20), tiny_rows(config, 2, 20)

    with torch.inference_mode():
        recorded = model(ids, rows, record=True)
        plain = model(ids, rows)

    assert plain.weights == ()
    assert [weights.shape for weights in recorded.weights] == [(2, 2, 20, 20)] * config.layers
    for weights in recorded.weights:
        torch.testing.assert_close(weights.sum(-1), torch.ones(2, 2, 20), atol=1e-5, rtol=0)
        assert (weights.triu(1) == 0).all()
    torch.testing.assert_close(recorded.logits_BTV, plain.logits_BTV, atol=1e-5, rtol=1e-5)


@every_scheme
def test_padding_behind_a_sequence_changes_nothing(scheme: str) -> None:
    """A causal model needs no mask for it; with a mask the logits are equal."""
    config = tiny_config(scheme, conditions=("voice",))
    model = tiny_model(config, dtype=torch.float64)
    ids, rows = tiny_ids(config, 1, 20), tiny_rows(config, 1, 20)
    mask = (torch.arange(20) < 12)[None, None, None]

    with torch.inference_mode():
        alone = model(ids[:, :12], rows[:, :12]).logits_BTV
        padded = model(ids, rows).logits_BTV[:, :12]
        masked = model(ids, rows, mask=mask).logits_BTV[:, :12]

    torch.testing.assert_close(padded, alone, atol=1e-10, rtol=0)
    torch.testing.assert_close(masked, alone, atol=1e-10, rtol=0)


def test_every_condition_changes_the_logits() -> None:
    config = tiny_config("relative", conditions=EVERYTHING)
    model, ids, rows = tiny_model(config), tiny_ids(config, 1, 10), tiny_rows(config, 1, 10)
    before = model(ids, rows).logits_BTV

    for column, size in enumerate(config.conditions.values()):
        other = rows.clone()
        other[:, 5, column] = (rows[:, 5, column] + 1) % size
        after = model(ids, other).logits_BTV
        assert torch.equal(after[:, :5], before[:, :5])
        assert (after[:, 5] - before[:, 5]).abs().max() > 1e-3


def test_dropout_acts_in_training_only() -> None:
    config = tiny_config("relative", dropout=0.5)
    model, ids, rows = Predictor(config), tiny_ids(config, 1, 10), tiny_rows(config, 1, 10)

    learning = [model.train()(ids, rows).logits_BTV for _ in range(2)]
    using = [model.eval()(ids, rows).logits_BTV for _ in range(2)]

    assert not torch.equal(*learning)
    assert torch.equal(*using)


def test_arms_differ_in_their_scheme_alone() -> None:
    shapes = []
    for scheme in SCHEMES:
        state = Predictor(tiny_config(scheme)).state_dict()
        shapes.append({n: v.shape for n, v in state.items() if "position" not in n})

    assert all(of_scheme == shapes[0] for of_scheme in shapes)


def test_a_new_model_predicts_nearly_uniformly() -> None:
    for scheme in SCHEMES:
        config = dataclasses.replace(tiny_config(scheme), width=64, feedforward=128)
        torch.manual_seed(0)
        model = Predictor(config).eval()
        ids, rows = tiny_ids(config, 4, 50), tiny_rows(config, 4, 50)
        with torch.inference_mode():
            logits_BTV = model(ids, rows).logits_BTV
        nats = F.cross_entropy(logits_BTV[:, :-1].flatten(0, 1), ids[:, 1:].flatten())

        assert float(nats) == pytest.approx(math.log(config.tokens), abs=0.1)
