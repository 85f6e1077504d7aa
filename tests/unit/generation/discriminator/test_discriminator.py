"""The discriminator and its file."""

from __future__ import annotations

import json
import logging
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from musicrel.errors import DataError
from musicrel.generation.discriminator import discriminator, features
from musicrel.generation.discriminator.beat import beats
from musicrel.generation.discriminator.discriminator import LARGEST, Discriminator
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.model.companions import DISCRIMINATOR
from tests.helpers.models import tiny_model_directory
from tests.helpers.music import random_chorale


@pytest.fixture
def model(tmp_path: Path) -> LoadedModel:
    """Return a model in a folder of its own."""
    return load_model(str(tiny_model_directory(tmp_path / "tiny")))


def store(model: LoadedModel, text: str) -> None:
    """Write a discriminator beside the weights of a model."""
    assert model.weights.directory is not None
    (model.weights.directory / DISCRIMINATOR).write_text(text)


def test_the_log_odds_of_beats_add_up_over_the_features() -> None:
    piece = random_chorale(1, 64)
    weights = {name: 0.001 * place for place, name in enumerate(features.counts(piece))}
    found = sum(Discriminator(weights, "").log_odds(beat) for beat in beats(piece))

    expected = sum(weights[name] * number for name, number in features.counts(piece).items())
    assert found == pytest.approx(expected)


def test_a_feature_without_a_weight_counts_nothing() -> None:
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


def test_a_model_without_one_has_none(model: LoadedModel) -> None:
    assert discriminator.known(model) is None


def test_one_of_other_weights_is_ignored(
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
        ("[]", "no discriminator: expected the format 'musicrel-discriminator'"),
        ('{"format": "musicrel-discriminator", "version": 2}', "version 2 is unknown: expected 1"),
        (HEAD + '"weights": {"crossing": "much"}}', "'weights' as finite numbers"),
        (HEAD + '"weights": {"crossing": NaN}}', "not valid JSON"),
    ],
)
def test_a_damaged_file_is_refused_and_the_model_writes_without_it(
    model: LoadedModel, content: str, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    store(model, content)
    assert model.weights.directory is not None

    with pytest.raises(DataError, match=message):
        discriminator.read(model.weights.directory / DISCRIMINATOR)
    with caplog.at_level(logging.WARNING):
        assert discriminator.known(model) is None
    assert "is damaged and is ignored" in caplog.text


def test_the_file_is_the_same_for_the_same_weights() -> None:
    """Whatever the order in which the features were found."""
    one = Discriminator({"b": 1.0, "a": 0.12345}, "0")
    other = Discriminator({"a": 0.1234, "b": 1.0}, "0")

    assert one.to_json() == other.to_json().replace("0.1234", "0.123")
    assert list(json.loads(one.to_json())["weights"]) == ["a", "b"]


def test_a_copy_of_the_folder_keeps_it(model: LoadedModel, tmp_path: Path) -> None:
    store(model, Discriminator({"crossing": 1.0}, model.sha256).to_json())
    assert model.weights.directory is not None
    shutil.copytree(model.weights.directory, tmp_path / "copy")

    assert discriminator.known(load_model(str(tmp_path / "copy"))) is not None
