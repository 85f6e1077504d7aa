"""The discriminator and its file."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from musicrel.errors import DataError
from musicrel.generation.discriminator import discriminator, features
from musicrel.generation.discriminator.discriminator import LARGEST, Discriminator
from musicrel.generation.discriminator.features import beats
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.model.companions import DISCRIMINATOR
from tests.helpers.models import tiny_model_directory
from tests.helpers.music import random_chorale

close = partial(np.testing.assert_allclose, rtol=1e-4, atol=1e-5)


@pytest.fixture
def model(tmp_path: Path) -> LoadedModel:
    return load_model(str(tiny_model_directory(tmp_path / "tiny")))


def store(model: LoadedModel, text: str) -> None:
    assert model.directory is not None
    (model.directory / DISCRIMINATOR).write_text(text)


def test_the_log_odds_of_beats_add_up_over_the_features_with_a_weight() -> None:
    piece = random_chorale(1, 64)
    weights = {name: 0.001 * place for place, name in enumerate(features.counts(piece))}
    found = sum(Discriminator(weights, "").log_odds(beat) for beat in beats(piece))

    expected = sum(weights[name] * number for name, number in features.counts(piece).items())
    assert found == pytest.approx(expected)

    (beat,) = beats(replace(random_chorale(1, 4), pickup=0))
    assert Discriminator({}, "").log_odds(beat) == 0


@pytest.mark.parametrize("weight", [-50.0, 50.0])
def test_a_single_beat_does_not_decide(weight: float) -> None:
    piece = replace(random_chorale(1, 4), pickup=0)
    weights = dict.fromkeys(features.counts(piece), weight)
    (beat,) = beats(piece)

    assert abs(Discriminator(weights, "").log_odds(beat)) == LARGEST


def test_a_model_has_the_discriminator_beside_its_weights(model: LoadedModel) -> None:
    stored = Discriminator({"rests: 1": 0.5, "crossing": -1.25}, model.sha256)
    store(model, stored.to_json())

    found = discriminator.known(model)

    assert found is not None
    assert found.weights == stored.weights
    assert found.sha256 == model.sha256


def test_what_is_of_other_weights_is_ignored(
    model: LoadedModel, caplog: pytest.LogCaptureFixture
) -> None:
    store(model, Discriminator({"crossing": 1.0}, "0" * 64).to_json())

    with caplog.at_level(logging.WARNING):
        assert discriminator.known(model) is None

    assert "is not of these weights of tiny and is ignored" in caplog.text


HEAD = '{"format": "musicrel-discriminator", "version": 1, "weights_sha256": "0", '


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "not valid JSON"),
        ("[]", r"it is \[\]: expected a table"),
        (HEAD.replace("1", "2") + '"weights": {}}', "version 2 is unknown: expected 1"),
        (
            HEAD + '"weights": {"crossing": "much"}}',
            "weights is .*'much'}: expected a number",
        ),
        (HEAD + '"weights": {"crossing": NaN}}', "not valid JSON"),
    ],
)
def test_a_damaged_file_is_refused_and_the_model_writes_without_it(
    model: LoadedModel, content: str, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    store(model, content)
    assert model.directory is not None

    with pytest.raises(DataError, match=message):
        discriminator.read(model.directory / DISCRIMINATOR)
    with caplog.at_level(logging.WARNING):
        assert discriminator.known(model) is None
    assert "is damaged and is ignored" in caplog.text
