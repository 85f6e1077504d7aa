"""The models one can choose from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from musicrel import paths
from musicrel.chorale import Chorale
from musicrel.model.card import Card
from musicrel.model.config import ModelConfig
from musicrel.presentation.compose import models
from musicrel.presentation.compose.form import Form, RequestBuilder

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


def choices(**families: Any) -> tuple[models.ModelChoice, ...]:
    """Return models by name and family; those whose name begins with "test" are of test runs."""
    return tuple(
        models.choice(
            name,
            card(
                config=ModelConfig(scheme="relative", family=family, **SHAPE),
                training={"tokens": 80_000 if name.startswith("test") else 1_200_000},
            ),
        )
        for name, family in families.items()
    )


def test_each_task_has_its_default() -> None:
    """Rewriting takes a model that sees the notes ahead."""
    installed = choices(
        a="causal", **{"relative-infill": "infill", "relative": "causal", "z": "infill"}
    )
    assert models.default_for(models.WRITE, installed) == "relative"
    assert models.default_for(models.REWRITE, installed) == "relative-infill"
    assert models.default_for(models.WRITE, choices(b="infill", a="causal")) == "a"
    assert models.default_for(models.REWRITE, choices(a="causal", b="infill")) == "b"
    assert models.default_for(models.REWRITE, choices(a="causal")) == "a"


def test_a_chosen_model_is_kept_while_it_is_there() -> None:
    """Even one of a test run."""
    installed = choices(relative="causal", test="causal")
    assert models.default_for(models.WRITE, installed, "test") == "test"
    assert models.default_for(models.WRITE, installed, "gone") == "relative"


def test_a_model_of_a_test_run_is_marked_and_never_a_default() -> None:
    """A model without a record of its training is not taken for one."""
    (test,) = choices(test="causal")
    assert test.is_test_run
    assert test.title.endswith(" · test run")
    assert models.default_for(models.WRITE, [test]) == ""
    assert not models.choice("any", card()).is_test_run
    assert not models.choice("any", card(training={"tokens": "many"})).is_test_run


def test_no_bundled_model_is_of_a_test_run() -> None:
    """They were trained on a million tokens and more."""
    assert not any(choice.is_test_run for choice in models.installed()[0])


def test_a_request_has_the_model_of_its_task() -> None:
    """New pieces, continuations and whole voices that of the form, others the one for rewriting."""
    piece = Chorale.of([(72, 67, 64, 48)] * 16)
    form = Form(model="relative")
    new = RequestBuilder(form=form)
    longer = RequestBuilder(form=form, piece=piece, bars=2)
    again = RequestBuilder(form=form, piece=piece, free=piece.onsets)
    tenor = np.broadcast_to(np.arange(4) == 2, piece.pitches.shape)
    voice = RequestBuilder(form=form, piece=piece, free=tenor)
    everything = RequestBuilder(form=form, piece=piece, free=np.ones_like(tenor))
    builders = (new, longer, voice, again, everything)
    names = [models.with_model(builder, "infill").form.model for builder in builders]
    assert names == ["relative", "relative", "relative", "infill", "infill"]
    assert models.with_model(again, "") is again
