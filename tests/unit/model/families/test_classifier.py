"""Classification of a whole sequence."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from musicrel.errors import ModelError
from musicrel.model import checkpoint
from musicrel.model.config import ModelConfig
from musicrel.model.families.classifier import Classifier
from musicrel.model.families.model_families import FAMILIES, build
from musicrel.model.families.transformer import Transformer
from musicrel.model.positions.table import SCHEMES
from tests.helpers.models import enlarge_weights, tiny_card, tiny_config, tiny_ids, tiny_rows

every_scheme = pytest.mark.parametrize("scheme", SCHEMES)


def classifier(scheme: str = "bias", classes: int = 3) -> Transformer:
    """Return a classifier of width 16 with large weights, in float64."""
    torch.manual_seed(0)
    model = build(tiny_config(scheme, family="classifier", classes=classes))
    enlarge_weights(model)
    return model.double().eval()


def mask_of(*lengths: int) -> torch.Tensor:
    """Return a mask of real tokens followed by padding up to 20."""
    return (torch.arange(20) < torch.tensor(lengths)[:, None])[:, None, None]


def test_every_family_has_its_class() -> None:
    """The table covers all families."""
    assert isinstance(classifier(), Classifier)
    assert {family: made.__name__ for family, made in FAMILIES.items()} == {
        "causal": "Transformer", "encoder_decoder": "EncoderDecoder", "masked": "Transformer",
        "classifier": "Classifier", "critic": "Critic", "published": "PublishedEncoder",
        "infill": "Infiller",
    }  # fmt: skip


@torch.no_grad()
def test_it_is_the_head_over_the_mean_of_real_states() -> None:
    """The sum over real tokens is divided by their number; padding only has a mean of 0."""
    model, states = classifier(), torch.randn(3, 20, 16).double()
    mask = mask_of(20, 7, 0)

    found = model.logits(states, mask)

    means = [states[0].sum(0) / 20, states[1, :7].sum(0) / 7, torch.zeros_like(states[0, 0])]
    expected = torch.stack(means) @ model.head.weight.T + model.head.bias
    torch.testing.assert_close(found[:, 0], expected, atol=1e-12, rtol=0)
    torch.testing.assert_close(model.logits(states[:1], None), found[:1], atol=1e-12, rtol=0)


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


def test_a_classifier_comes_back_from_its_file(tmp_path: Path) -> None:
    """The loaded model has the same class."""
    model = classifier().float()
    checkpoint.save(tmp_path, model, tiny_card(model))

    loaded = checkpoint.load(tmp_path).model

    assert isinstance(loaded, Classifier)
    ids, rows = tiny_ids(model.config, 2, 9), tiny_rows(model.config, 2, 9)
    assert torch.equal(loaded(ids, rows).logits_BTV, model(ids, rows).logits_BTV)


@pytest.mark.parametrize(
    ("family", "classes", "sentence"),
    [
        ("classifier", 0, "classes is 0 in family classifier: expected 2 to 512"),
        ("classifier", 1, "classes is 1 in family classifier: expected 2 to 512"),
        ("classifier", 10**9, "classes is 1000000000 in family classifier: expected 2 to 512"),
        ("classifier", 2.0, r"classes is 2.0 in family classifier: expected 2 to 512"),
        ("causal", 2, "classes is 2 in family causal: expected 0"),
        ("masked", True, "classes is True in family masked: expected 0"),
    ],
)
def test_classes_belong_to_classifiers(family: str, classes: int, sentence: str) -> None:
    """A classifier has at least two classes, other families have none."""
    with pytest.raises(ModelError, match=sentence):
        ModelConfig(scheme="bias", tokens=9, family=family, classes=classes)  # type: ignore[arg-type]
