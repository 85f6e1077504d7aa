"""The models that read a whole sequence: hidden notes and classes."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from musicrel.errors import ModelError
from musicrel.model import checkpoint
from musicrel.model.config import ModelConfig
from musicrel.model.families.classifier import Classifier
from musicrel.model.families.infiller import Infiller
from musicrel.model.families.transformer import Transformer
from musicrel.model.networks import FAMILIES, build
from musicrel.model.positions.table import SCHEMES
from musicrel.model.tokens.vocabulary import MASK, PITCHES
from tests.helpers.models import enlarge_weights, tiny_card, tiny_config, tiny_ids, tiny_rows

TOLD = ("beat", "key", "ending")
every_scheme = pytest.mark.parametrize("scheme", SCHEMES)


def infiller(scheme: str = "relative", seed: int = 0) -> tuple[Transformer, ModelConfig]:
    """Return an infiller of width 16 with large weights and logit biases, in float64."""
    torch.manual_seed(seed)
    config = tiny_config(scheme, conditions=TOLD, family="infill", counterpoint=PITCHES)
    model = build(config)
    enlarge_weights(model)
    return model.double().eval(), config


def classifier(scheme: str = "bias", classes: int = 3) -> Transformer:
    """Return a classifier of width 16 with large weights, in float64."""
    torch.manual_seed(0)
    model = build(tiny_config(scheme, family="classifier", classes=classes))
    enlarge_weights(model)
    return model.double().eval()


def mask_of(*lengths: int) -> torch.Tensor:
    """Return a mask of real tokens followed by padding up to 20."""
    return (torch.arange(20) < torch.tensor(lengths)[:, None])[:, None, None]


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
    model, config = infiller(scheme)
    ids, rows, at_S = tiny_ids(config, 2, 40), tiny_rows(config, 2, 40), torch.tensor([1, 4, 7])
    whole = model(ids, rows, starts_B=8).logits_BTV.unflatten(1, (-1, 4))
    some = model(ids, rows, starts_B=8, at_S=at_S).logits_BTV.unflatten(1, (-1, 4))
    torch.testing.assert_close(some, whole[:, at_S])


def test_a_hidden_note_depends_on_both_sides() -> None:
    model, config = infiller()
    ids, rows = tiny_ids(config, 1, 40), tiny_rows(config, 1, 40)
    ids[0, 20] = MASK
    whole_logits = model(ids, rows).logits_BTV[0, 20]
    for place in (0, 39):
        other = ids.clone()
        other[0, place] = (ids[0, place] + 1) % 90 + 5
        assert not torch.allclose(model(other, rows).logits_BTV[0, 20], whole_logits)


def test_padding_behind_a_piece_changes_nothing() -> None:
    model, config = infiller()
    ids, rows = tiny_ids(config, 1, 24).clamp(min=5), tiny_rows(config, 1, 24)
    longer = torch.nn.functional.pad(ids, (0, 8))
    longer_rows = torch.nn.functional.pad(rows, (0, 0, 0, 8))
    alone = model(ids, rows).logits_BTV
    beside = model(longer, longer_rows, mask=(longer != 0)[:, None, None]).logits_BTV[:, :24]
    torch.testing.assert_close(alone, beside)


def test_half_a_step_is_refused() -> None:
    model, config = infiller()
    with pytest.raises(ModelError, match="7 tokens: expected whole steps of 4"):
        model(tiny_ids(config, 1, 7), tiny_rows(config, 1, 7))


def test_it_is_stored_and_read_back(tmp_path: Path) -> None:
    """Tables that follow from the vocabulary are not stored; the logits are equal."""
    double, config = infiller()
    model = double.float()
    checkpoint.save(tmp_path, model, tiny_card(model))
    again = checkpoint.load(tmp_path).network
    ids, rows = tiny_ids(config, 1, 16), tiny_rows(config, 1, 16)
    torch.testing.assert_close(again(ids, rows).logits_BTV, model(ids, rows).logits_BTV)
    assert not any("pitch_V" in name for name in model.state_dict())


def test_every_weight_learns() -> None:
    model, config = infiller()
    logits = model(tiny_ids(config, 2, 24), tiny_rows(config, 2, 24)).logits_BTV
    logits.logsumexp(-1).sum().backward()
    unmoved = [
        name
        for name, weight in model.named_parameters()
        if weight.grad is None or not weight.grad.abs().sum()
    ]
    assert unmoved == []


def test_every_family_has_its_class() -> None:
    assert isinstance(classifier(), Classifier)
    assert {family: made.__name__ for family, made in FAMILIES.items()} == {
        "causal": "Predictor", "encoder_decoder": "EncoderDecoder", "masked": "Predictor",
        "classifier": "Classifier", "published": "PublishedEncoder",
        "infill": "Infiller",
    }  # fmt: skip


@torch.no_grad()
def test_it_is_the_head_over_the_mean_of_real_states() -> None:
    """The sum over real tokens is divided by their number; padding only has a mean of 0."""
    model, states = classifier(), torch.randn(3, 20, 16).double()
    mask = mask_of(20, 7, 0)

    assert isinstance(model, Classifier)
    model.blocks = torch.nn.ModuleList()
    model.norm = torch.nn.Identity()
    found = model._classified(states, mask, record=False).logits_BTV

    means = [states[0].sum(0) / 20, states[1, :7].sum(0) / 7, torch.zeros_like(states[0, 0])]
    expected = torch.stack(means) @ model.head.weight.T + model.head.bias
    torch.testing.assert_close(found[:, 0], expected, atol=1e-12, rtol=0)
    alone = model._classified(states[:1], None, record=False).logits_BTV
    torch.testing.assert_close(alone, found[:1], atol=1e-12, rtol=0)


@every_scheme
@torch.no_grad()
def test_padding_changes_nothing(scheme: str) -> None:
    """Any amount of padding with any tokens; a sequence of padding only gives no NaN."""
    model = classifier(scheme)
    ids, rows = tiny_ids(model.config, 1, 20), tiny_rows(model.config, 1, 20)

    alone = model(ids[:, :7], rows[:, :7]).logits_BTV
    padded = model(ids, rows, mask=mask_of(7)).logits_BTV

    assert alone.shape == (1, 1, 3)
    torch.testing.assert_close(padded, alone, atol=1e-10, rtol=0)
    assert torch.isfinite(model(ids, rows, mask=mask_of(0)).logits_BTV).all()


@pytest.mark.parametrize(
    ("family", "classes", "sentence"),
    [
        ("classifier", 0, "classes is 0 in family classifier: expected 2 to 512"),
        ("classifier", 1, "classes is 1 in family classifier: expected 2 to 512"),
        ("classifier", 10**9, "classes is 1000000000 in family classifier: expected 2 to 512"),
        ("causal", 2, "classes is 2 in family causal: expected 0"),
        ("masked", True, "classes is True in family masked: expected 0"),
    ],
)
def test_classes_belong_to_classifiers(family: str, classes: int, sentence: str) -> None:
    with pytest.raises(ModelError, match=sentence):
        ModelConfig(scheme="bias", tokens=9, family=family, classes=classes)  # type: ignore[arg-type]
