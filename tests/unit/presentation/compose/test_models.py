"""The models one can choose from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from musicrel import paths
from musicrel.model.card import Card
from musicrel.model.config import ModelConfig
from musicrel.presentation.compose import models

SHAPE: dict[str, Any] = {"tokens": 97, "conditions": {"voice": 5, "key": 25}, "layers": 5}


def card(scheme: str = "relative", **fields: Any) -> Card:
    config = ModelConfig(scheme=scheme, **SHAPE)
    known: dict[str, Any] = {"vocabulary": {"name": "articulated"}, "parameters": 1_180_000}
    return Card(**{"name": "any", "config": config, **known, **fields})


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MUSICREL_HOME", str(tmp_path))
    monkeypatch.setattr(paths, "assets", lambda: tmp_path / "nothing")
    return tmp_path


def test_choice_names_scheme_and_size() -> None:
    """In one line; vanilla is what people call sinusoidal."""
    assert models.choice("bach", card("sinusoidal")).title == "bach · Vanilla · 1.2 M"


def test_the_scheme_is_not_repeated() -> None:
    """A name that includes the scheme is enough."""
    assert models.choice("bach-relative", card()).title == "bach-relative · 1.2 M"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, "5 layers, 4 heads"),
        ({"valid_nats_per_note": 0.5}, "5 layers, 4 heads  ·  0.500 nats/note on validation"),
        (
            {"valid_nats_per_note": 0.5, "test_nats_per_note": 0.52},
            "5 layers, 4 heads  ·  0.520 nats/note on test",
        ),
    ],
)
def test_the_detail_has_the_best_available_loss(fields: dict[str, Any], expected: str) -> None:
    """Test comes before validation."""
    assert models.choice("bach", card(**fields)).detail == expected


@pytest.mark.parametrize(
    ("parameters", "expected"), [(900, "900"), (706_611, "707 k"), (4_520_000, "4.5 M")]
)
def test_size_is_rounded_for_reading(parameters: int, expected: str) -> None:
    """Millions, thousands, or all of it."""
    assert models.size(parameters) == expected


def test_the_family_decides_whether_a_model_sees_both_sides() -> None:
    """The messages about lookahead depend on it."""
    config = ModelConfig(scheme="relative", family="infill", **SHAPE)
    both = models.choice("both", card(config=config, test_nats_per_note=1.25))
    assert both.sees_both_sides
    assert both.detail.endswith("1.250 nats/hidden note on test")
    assert not models.choice("bach", card()).sees_both_sides


def test_installed_lists_good_cards_and_explains_bad_ones(home: Path) -> None:
    """A damaged folder hides no other."""
    for name, text in (("good", card().to_json()), ("bad", "{}")):
        (home / "models" / name).mkdir(parents=True)
        (home / "models" / name / "card.json").write_text(text)

    choices, problems = models.installed()

    assert [choice.name for choice in choices] == ["good"]
    assert choices[0].conditions == {"voice", "key"}
    assert len(problems) == 1
    assert "bad" in problems[0]


def test_a_critic_is_not_offered_for_writing(home: Path) -> None:
    """It knows no notes to come; that is no problem of its folder either."""
    config = ModelConfig(scheme="relative", family="critic", classes=2, **SHAPE)
    (home / "models" / "critic").mkdir(parents=True)
    (home / "models" / "critic" / "card.json").write_text(card(config=config).to_json())
    assert models.installed() == ((), ())


def test_an_arm_of_the_published_comparison_is_left_out_in_one_sentence(home: Path) -> None:
    """Its windows of one beat are no pieces."""
    config = ModelConfig(scheme="learned", family="published", **SHAPE)
    (home / "models" / "bert").mkdir(parents=True)
    (home / "models" / "bert" / "card.json").write_text(card(config=config).to_json())
    choices, (problem,) = models.installed()

    assert choices == ()
    assert problem.startswith("bert is an arm of the published comparison")
    assert problem.endswith("of family causal, encoder_decoder or infill")
