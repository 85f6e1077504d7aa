"""The model that predicts hidden notes from both sides."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from musicrel.errors import ModelError
from musicrel.model import checkpoint
from musicrel.model.config import ModelConfig
from musicrel.model.families.infiller import Infiller
from musicrel.model.families.model_families import build
from musicrel.model.families.transformer import Transformer
from musicrel.model.features.places import Cells
from musicrel.model.positions.table import SCHEMES
from musicrel.tokens.vocabulary import MASK, PITCHES
from tests.helpers.models import enlarge_weights, tiny_card, tiny_config, tiny_ids, tiny_rows

TOLD = ("beat", "key", "ending")


def infiller(scheme: str = "relative", seed: int = 0) -> tuple[Transformer, ModelConfig]:
    """Return an infiller of width 16 with large weights and logit biases, in float64."""
    torch.manual_seed(seed)
    config = tiny_config(scheme, conditions=TOLD, family="infill", counterpoint=PITCHES)
    model = build(config)
    enlarge_weights(model)
    return model.double().eval(), config


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_cell_has_a_distribution_in_every_scheme(scheme: str) -> None:
    """Four tokens per step in, four distributions per step out, in raster order."""
    model, config = infiller(scheme)
    logits = model(tiny_ids(config, 2, 24), tiny_rows(config, 2, 24)).logits_BTV
    assert isinstance(model, Infiller)
    assert logits.shape == (2, 24, config.tokens)
    assert torch.isfinite(logits).all()


@pytest.mark.parametrize("scheme", ["relative", "sinusoidal"])
def test_the_logits_of_some_steps_are_those_of_all(scheme: str) -> None:
    """Also in a piece that begins later."""
    model, config = infiller(scheme)
    assert isinstance(model, Infiller)
    ids, rows = tiny_ids(config, 2, 40), tiny_rows(config, 2, 40)
    steps = torch.tensor([1, 5, 9])
    whole = model(ids, rows, starts_B=8).logits_BTV.unflatten(1, (-1, 4))
    torch.testing.assert_close(model.logits_at(ids, rows, steps, starts_B=8), whole[:, steps])


@pytest.mark.parametrize("scheme", ["relative", "sinusoidal"])
def test_the_logits_of_some_cells_are_those_of_all(scheme: str) -> None:
    """Each has its own row, voice by voice, also in a piece that begins later."""
    model, config = infiller(scheme)
    assert isinstance(model, Infiller)
    ids, rows = tiny_ids(config, 2, 40), tiny_rows(config, 2, 40)
    wanted_BT4 = torch.rand(2, 10, 4, generator=torch.Generator().manual_seed(0)) < 0.3
    wanted_BT4[..., 2] = False
    cells = Cells.of(wanted_BT4)
    whole = model(ids, rows, starts_B=8).logits_BTV.unflatten(1, (-1, 4))
    some = model.logits_of(
        ids, rows, cells, lambda x, steps: model.run_blocks(x).out_BTD[:, steps], starts_B=8
    )
    torch.testing.assert_close(some, whole[cells.row_N, cells.step_N, cells.voice_N])
    assert torch.equal(cells.voice_N, cells.voice_N.sort().values)
    assert cells.counts == tuple(wanted_BT4.sum((0, 1)).tolist())


def test_a_hidden_note_depends_on_both_sides() -> None:
    """A token changed long before or long after changes its logits."""
    model, config = infiller()
    ids, rows = tiny_ids(config, 1, 40), tiny_rows(config, 1, 40)
    ids[0, 20] = MASK
    whole_logits = model(ids, rows).logits_BTV[0, 20]
    for place in (0, 39):
        other = ids.clone()
        other[0, place] = (ids[0, place] + 1) % 90 + 5
        assert not torch.allclose(model(other, rows).logits_BTV[0, 20], whole_logits)


def test_padding_behind_a_piece_changes_nothing() -> None:
    """In a batch of pieces of different lengths each has the logits it has alone."""
    model, config = infiller()
    ids, rows = tiny_ids(config, 1, 24).clamp(min=5), tiny_rows(config, 1, 24)
    longer = torch.nn.functional.pad(ids, (0, 8))
    longer_rows = torch.nn.functional.pad(rows, (0, 0, 0, 8))
    alone = model(ids, rows).logits_BTV
    beside = model(longer, longer_rows, mask=(longer != 0)[:, None, None]).logits_BTV[:, :24]
    torch.testing.assert_close(alone, beside)


def test_half_a_step_is_refused() -> None:
    """Only whole steps are accepted."""
    model, config = infiller()
    with pytest.raises(ModelError, match="7 tokens: expected whole steps of 4"):
        model(tiny_ids(config, 1, 7), tiny_rows(config, 1, 7))


def test_it_is_stored_and_read_back(tmp_path: Path) -> None:
    """Tables that follow from the vocabulary are not stored; the logits are equal."""
    double, config = infiller()
    model = double.float()
    checkpoint.save(tmp_path, model, tiny_card(model))
    again = checkpoint.load(tmp_path).model
    ids, rows = tiny_ids(config, 1, 16), tiny_rows(config, 1, 16)
    torch.testing.assert_close(again(ids, rows).logits_BTV, model(ids, rows).logits_BTV)
    assert not any("pitch_V" in name for name in model.state_dict())


def test_every_weight_learns() -> None:
    """Every weight gets a gradient."""
    model, config = infiller()
    logits = model(tiny_ids(config, 2, 24), tiny_rows(config, 2, 24)).logits_BTV
    logits.logsumexp(-1).sum().backward()
    unmoved = [
        name
        for name, weight in model.named_parameters()
        if weight.grad is None or not weight.grad.abs().sum()
    ]
    assert unmoved == []
