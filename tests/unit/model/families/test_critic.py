"""The critic, which separates Bach from other music."""

from __future__ import annotations

import pytest
import torch

from musicrel.errors import ModelError
from musicrel.model.config import ModelConfig
from musicrel.model.families.critic import Critic
from musicrel.model.families.model_families import build
from musicrel.model.families.transformer import Transformer
from musicrel.model.positions.table import SCHEMES
from musicrel.tokens.vocabulary import PAD
from tests.helpers.models import enlarge_weights, tiny_config, tiny_ids, tiny_rows


def critic(scheme: str = "relative") -> tuple[Transformer, ModelConfig]:
    """Return a critic of width 16 with large weights, in float64."""
    torch.manual_seed(0)
    config = tiny_config(scheme, conditions=("beat",), family="critic", classes=2)
    model = build(config)
    enlarge_weights(model)
    return model.double().eval(), config


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_whole_piece_has_two_logits_in_every_scheme(scheme: str) -> None:
    """Four tokens per step in, two logits out."""
    model, config = critic(scheme)
    logits = model(tiny_ids(config, 3, 24), tiny_rows(config, 3, 24)).logits_BTV
    assert isinstance(model, Critic)
    assert logits.shape == (3, 1, 2)
    assert torch.isfinite(logits).all()


@torch.no_grad()
def test_padding_behind_a_piece_changes_nothing() -> None:
    """In a batch of pieces of different lengths each has the logits it has alone."""
    model, config = critic()
    ids, rows = tiny_ids(config, 2, 24).clamp(min=5), tiny_rows(config, 2, 24)
    longer = torch.nn.functional.pad(ids, (0, 8))
    longer[1] = 7
    longer_rows = torch.nn.functional.pad(rows, (0, 0, 0, 8))
    mask = (longer != PAD)[:, None, None]
    alone = model(ids[:1], rows[:1]).logits_BTV
    torch.testing.assert_close(model(longer, longer_rows, mask=mask).logits_BTV[:1], alone)


@torch.no_grad()
def test_the_order_of_steps_matters() -> None:
    """A reversed piece has other logits."""
    model, config = critic()
    ids, rows = tiny_ids(config, 1, 24), tiny_rows(config, 1, 24)
    backwards = ids.view(1, -1, 4).flip(1).reshape(1, -1)
    assert not torch.allclose(model(backwards, rows).logits_BTV, model(ids, rows).logits_BTV)


def test_tokens_that_make_no_whole_steps_are_refused() -> None:
    """The error names their number."""
    model, config = critic()
    with pytest.raises(ModelError, match=r"^22 tokens: expected whole steps of 4"):
        model(tiny_ids(config, 1, 22), tiny_rows(config, 1, 22))
