"""The encoder of the published comparison against explicit formulas, including its faults."""

from __future__ import annotations

import math

import pytest
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from musicrel.errors import ModelError
from musicrel.model.config import ModelConfig
from musicrel.model.families.published import ARMS, PublishedEncoder, incorrect_skew
from musicrel.model.families.transformer import Transformer
from musicrel.model.networks import build
from musicrel.model.positions.skew import skew

SIZES = {
    "learned": 437_045,
    "relative_as_published": 469_813,
    "relative_of_spread_1": 453_493,
    "relative": 453_493,
}


def config(scheme: str, **values: object) -> ModelConfig:
    """Return the published config; ``values`` override."""
    shape = {
        "tokens": 53, "width": 128, "layers": 2, "heads": 4, "feedforward": 512, "dropout": 0.1,
        "attention_dropout": 0.1, "norm": "post", "trained_length": 16, "family": "published",
    }  # fmt: skip
    return ModelConfig(scheme=scheme, **{**shape, **values})  # type: ignore[arg-type]


def logits_of(model: Transformer, ids_BT: Tensor) -> Tensor:
    mask = (ids_BT != 0)[:, None, None]
    logits: Tensor = model(ids_BT, torch.zeros(*ids_BT.shape, 0), mask=mask).logits_BTV
    return logits


@pytest.mark.parametrize("scheme", SIZES)
def test_every_arm_has_the_published_number_of_parameters(scheme: str) -> None:
    assert build(config(scheme)).parameter_count == SIZES[scheme]


def test_the_published_difference_is_two_tables_of_which_one_is_read() -> None:
    """16,448 parameters are used; 16,320 are not and never have a gradient."""
    model = build(config("relative_as_published"))
    held = dict(model.named_parameters())
    torch.autograd.backward(logits_of(model, torch.randint(2, 53, (3, 16))).sum())

    unused = {name: values.numel() for name, values in held.items() if values.grad is None}
    dead = {name: size for name, size in unused.items() if "never_read" in name}
    assert SIZES["relative_as_published"] - SIZES["learned"] == 32_768
    assert sum(dead.values()) == 16_320
    assert {name: size for name, size in unused.items() if name not in dead} == {
        "positions.table_PD": 16_384
    }


@pytest.mark.parametrize("tokens", [2, 4, 8])
def test_no_entry_of_the_published_skew_is_at_its_place(tokens: int) -> None:
    """Row i of its result holds rows L/2 + i // 2."""
    distance = torch.arange(2 * tokens - 1) - (tokens - 1)
    row = torch.arange(tokens)[:, None].expand(-1, 2 * tokens - 1)
    columns = torch.stack([row + 1, distance.expand(tokens, -1)])[None]

    rows, distances = incorrect_skew(columns)[0]

    rows = rows - 1  # -1 where a row begins with the column that was put in
    place = torch.arange(tokens)
    right = (rows == place[:, None]) & (distances == place - place[:, None])
    assert not right.any()
    assert (rows[::2, 0] == -1).all()
    inner = rows[:, 1:]
    assert torch.equal(inner, (tokens // 2 + place // 2)[:, None].expand_as(inner))


def test_the_exact_skew_puts_every_logit_at_its_pair() -> None:
    tokens = 5
    distance = torch.arange(2 * tokens) - (tokens - 1)
    columns = distance.expand(1, 1, tokens, -1).contiguous()

    place = torch.arange(tokens)

    assert torch.equal(skew(columns, tokens)[0, 0], place - place[:, None])


@pytest.mark.parametrize("scheme", ARMS)
def test_the_encoder_is_bert(scheme: str) -> None:
    """In float64, with padding, with and without recorded weights."""
    torch.manual_seed(0)
    model = build(config(scheme)).double().eval()
    for parameter in model.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    ids = torch.randint(1, 53, (3, 16))
    ids[1, 9:] = 0

    found = logits_of(model, ids)

    real = ids != 0
    expected = bert(model, ids)
    assert (found - expected)[real].abs().max() < 1e-10
    model.train()
    assert (logits_of(model, ids) - expected)[real].abs().max() > 0.1


def bert(model: Transformer, ids: Tensor) -> Tensor:
    """Compute BERT's equations (Devlin et al. 2019) with the report's relative logits."""
    assert isinstance(model, PublishedEncoder)
    held = dict(model.named_parameters())

    def norm(x: Tensor, name: str) -> Tensor:
        centred = x - x.mean(-1, keepdim=True)
        spread = (centred.pow(2).mean(-1, keepdim=True) + 1e-12).sqrt()
        return centred / spread * held[f"{name}.weight"] + held[f"{name}.bias"]

    def dense(x: Tensor, name: str) -> Tensor:
        return x @ held[f"{name}.weight"].T + held[f"{name}.bias"]

    x = held["embed_token.weight"][ids] + held["embed_type.weight"][0]
    if model.config.scheme == "learned":
        x = x + held["positions.table_PD"][: ids.shape[1]]
    x = norm(x, "norm_embedding")
    for index in range(2):
        block = f"blocks.{index}"
        heads = dense(x, f"{block}.attention.project_in").chunk(3, -1)
        q, k, v = (part.reshape(*ids.shape, 4, 32).transpose(1, 2) for part in heads)
        scores = q @ k.mT
        if model.config.scheme != "learned":
            table = held[f"{block}.attention.positional.table_HRd"][0]
            scores = scores + relative(q, table, model.config.scheme)
        scores = (scores / math.sqrt(32)).masked_fill((ids == 0)[:, None, None], -torch.inf)
        mixed = (scores.softmax(-1) @ v).transpose(1, 2).flatten(-2)
        x = norm(x + dense(mixed, f"{block}.attention.project_out"), f"{block}.norm_attention")
        wide = F.gelu(dense(x, f"{block}.feedforward.0"))
        x = norm(x + dense(wide, f"{block}.feedforward.2"), f"{block}.norm_feedforward")
    x = norm(F.gelu(dense(x, "dense")), "norm_head")
    return x @ held["embed_token.weight"].T + held["bias_V"]


def relative(q: Tensor, table: Tensor, scheme: str) -> Tensor:
    length = q.shape[2]
    if scheme == "relative_as_published":
        by_distance = q @ table[128 - length + 1 : 128 + length].T
        padded = F.pad(by_distance, (1, 0))
        reshaped = padded.reshape(*q.shape[:2], 2 * length, length)
        return reshaped[:, :, length:, :]
    place = torch.arange(length)
    return torch.einsum("bhid,ijd->bhij", q, table[place - place[:, None] + 128])


def test_the_arms_have_their_initial_weights() -> None:
    """One relative table from N(0, 1), the other from N(0, 0.02^2); PAD is 0."""
    torch.manual_seed(0)
    spreads = {}
    for scheme in ("relative_as_published", "relative_of_spread_1", "relative"):
        model = build(config(scheme))
        held = dict(model.named_parameters())
        spreads[scheme] = float(held["blocks.0.attention.positional.table_HRd"].detach().std())
        assert float(held["embed_token.weight"][1:].detach().std()) == pytest.approx(0.02, rel=0.1)
        assert not held["embed_token.weight"][0].any()

    assert spreads == pytest.approx(
        {"relative_as_published": 1, "relative_of_spread_1": 1, "relative": 0.02}, rel=0.1
    )


@pytest.mark.parametrize(
    ("scheme", "values", "sentence"),
    [
        ("rope", {}, "scheme 'rope' .* is not an arm of the published .* learned"),
        ("relative", {"options": {"shared": True}}, "without options"),
        ("learned", {"trained_length": 129}, "windows of 129 tokens are longer than the publish"),
    ],
)
def test_an_unknown_arm_is_refused(scheme: str, values: dict[str, object], sentence: str) -> None:
    with pytest.raises(ModelError, match=sentence):
        build(config(scheme, **values))
