"""Import of a model with files that belong to its weights."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy

from musicrel import jobs
from musicrel.generation.discriminator import network
from musicrel.model import catalogue, checkpoint, importing
from musicrel.model.companions import DISCRIMINATOR, MEANS, NETWORKS, WEIGHTS_HASH
from tests.helpers.models import random_network, tiny_model_directory


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test an empty folder of the user."""
    monkeypatch.setenv("MUSICREL_HOME", str(tmp_path / "home"))


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """Return a model folder outside of the user's models."""
    return tiny_model_directory(tmp_path / "downloads" / "tiny")


def imported(path: Path) -> None:
    """Import the model at ``path`` as "mine"."""
    jobs.run(importing.import_model(importing.inspect(path), "mine", replaces=False))


def store_means(folder: Path, sha256: str) -> None:
    """Write means of its heads beside the weights of a model."""
    means = {"means_5LHd": np.ones((5, 1, 1, 1), dtype=np.float32)}
    safetensors.numpy.save_file(means, folder / MEANS, {WEIGHTS_HASH: sha256})


def files() -> list[str]:
    """Return the files of the imported model."""
    return sorted(file.name for file in (catalogue.user_models() / "mine").iterdir())


@pytest.mark.parametrize("packed", [False, True])
def test_the_means_of_its_heads_are_copied_as_well(
    model: Path, tmp_path: Path, *, packed: bool
) -> None:
    store_means(model, checkpoint.weights_sha256(model))

    if packed:
        shutil.make_archive(str(tmp_path / "tiny"), "zip", model)
    imported(tmp_path / "tiny.zip" if packed else model)

    copied = catalogue.user_models() / "mine" / MEANS
    assert copied.read_bytes() == (model / MEANS).read_bytes()


def test_means_of_other_weights_stay_behind(model: Path) -> None:
    """The model is imported without them."""
    store_means(model, "0" * 64)

    imported(model)

    assert files() == ["card.json", "model.safetensors"]


@pytest.mark.parametrize("content", [b"", b"no safetensors", b"0" * (16_000_000 + 1)])
def test_damaged_or_endless_means_stay_behind(model: Path, content: bytes) -> None:
    (model / MEANS).write_bytes(content)

    imported(model)

    assert files() == ["card.json", "model.safetensors"]


def test_means_outside_of_the_folder_stay_there(model: Path, tmp_path: Path) -> None:
    store_means(model, checkpoint.weights_sha256(model))
    (model / MEANS).rename(tmp_path / "elsewhere")
    (model / MEANS).symlink_to(tmp_path / "elsewhere")

    imported(model)

    assert files() == ["card.json", "model.safetensors"]


def test_its_discriminator_is_copied_as_well(model: Path) -> None:
    text = json.dumps({WEIGHTS_HASH: checkpoint.weights_sha256(model), "weights": {}})
    (model / DISCRIMINATOR).write_text(text)

    imported(model)

    assert (catalogue.user_models() / "mine" / DISCRIMINATOR).read_text() == text


@pytest.mark.parametrize(("sha256", "is_copied"), [("", True), ("0" * 64, False)])
def test_its_networks_are_copied_if_they_are_of_its_weights(
    model: Path, sha256: str, *, is_copied: bool
) -> None:
    found = network.content([random_network(1)], sha256 or checkpoint.weights_sha256(model))
    (model / NETWORKS).write_bytes(found)

    imported(model)

    copied = catalogue.user_models() / "mine" / NETWORKS
    assert copied.exists() == is_copied
    assert not is_copied or copied.read_bytes() == found


@pytest.mark.parametrize("content", ["", "[]", json.dumps({WEIGHTS_HASH: "0" * 64})])
def test_a_discriminator_of_other_weights_or_a_damaged_one_stays_behind(
    model: Path, content: str
) -> None:
    (model / DISCRIMINATOR).write_text(content)

    imported(model)

    assert files() == ["card.json", "model.safetensors"]
