"""The command that fits the discriminator of a model."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("sklearn")

from musicrel.generation.discriminator import discriminator, network
from musicrel.generation.loaded_model import load_model
from musicrel.model.companions import DISCRIMINATOR, NETWORKS
from tests.helpers.models import random_network, tiny_model_directory
from tests.helpers.music import random_chorale
from training.examination import material
from training.guidance import __main__ as command
from training.guidance import network_fit
from training.guidance.network_fit import NetworkFit


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a model's folder; Bach's side are random pieces."""
    pieces = [replace(random_chorale(seed, 64), pickup=0) for seed in range(8)]
    monkeypatch.setattr(material, "bach", lambda split: pieces[:4] if split == "train" else [])
    return tiny_model_directory(tmp_path / "tiny")


def run(model: Path, folder: Path, *options: str) -> int:
    """Run the command with two pieces."""
    return command.main([str(model), "--pieces", str(folder), "--number", "6", *options])


def store_both(model: Path, sha256: str) -> None:
    """Write both parts of a discriminator beside a model."""
    judge = discriminator.Discriminator({"crossing": 5.0}, sha256)
    (model / DISCRIMINATOR).write_text(judge.to_json())
    (model / NETWORKS).write_bytes(network.content([random_network(1, scale=20.0)], sha256))


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """Return a folder with six pieces that could be the model's."""
    folder = tmp_path / "pieces"
    folder.mkdir()
    for seed in range(20, 26):
        piece = replace(random_chorale(seed, 64), pickup=0)
        piece.write(folder / f"{seed}.json")
    return folder


def test_a_fit_is_reported_and_not_stored(
    model: Path, written: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("training.guidance.fit._FOLDS", 2)

    assert run(model, written) == 0

    assert "4 crops of Bach, 6 of the model" in capsys.readouterr().out
    assert not (model / DISCRIMINATOR).exists()


def test_the_strength_multiplies_what_is_stored(
    model: Path, written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.guidance.fit._FOLDS", 2)
    weights = []
    for strength in ("1", "2"):
        assert run(model, written, "--store", "--strength", strength) == 0
        found = discriminator.known(load_model(str(model)))
        assert found is not None
        weights.append(found.weights)

    once, twice = weights
    assert once.keys() == twice.keys()
    assert [twice[name] for name in once] == pytest.approx([2 * w for w in once.values()], abs=2e-3)


def test_another_number_of_pieces_is_refused(
    model: Path, written: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main([str(model), "--pieces", str(written), "--number", "7"]) == 1

    assert "holds 6 pieces: expected 7; remove it, or give --number" in capsys.readouterr().err


def test_pieces_are_written_without_the_discriminator(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are the same with one beside the model as without."""
    monkeypatch.setattr(material, "bach", lambda _: [replace(random_chorale(0, 16), pickup=0)])
    plain = command.pieces_without(command.COUNTS, model, tmp_path / "without", 2)
    sha256 = load_model(str(model)).sha256
    store_both(model, sha256)

    again = command.pieces_without(command.COUNTS, model, tmp_path / "with", 2)

    assert [piece.pitches.tolist() for piece in again] == [p.pitches.tolist() for p in plain]


def test_networks_are_trained_on_pieces_with_the_counts_alone(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(material, "bach", lambda _: [replace(random_chorale(0, 16), pickup=0)])
    sha256 = load_model(str(model)).sha256
    store_both(model, sha256)

    found = command.pieces_without(command.NETWORK, model, tmp_path / "both", 2)

    (model / NETWORKS).unlink()
    again = command.pieces_without(command.NETWORK, model, tmp_path / "counts", 2)
    without = command.pieces_without(command.COUNTS, model, tmp_path / "none", 2)
    first, second, plain = (
        [piece.pitches.tolist() for piece in p] for p in (found, again, without)
    )
    assert first == second
    assert first != plain


def test_networks_are_stored_with_their_strength(
    model: Path, written: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    store_both(model, load_model(str(model)).sha256)
    monkeypatch.setattr(
        network_fit,
        "fit",
        lambda bach, _: NetworkFit((random_network(len(bach)),), 0.9, 0.4, 0.5),
    )

    assert run(model, written, "--networks", "--store", "--strength", "3") == 0

    assert "1 networks, held out: area 0.900, log loss 0.4000" in capsys.readouterr().out
    loaded = load_model(str(model))
    (stored,) = network.known(loaded)
    assert stored.odds_1H == pytest.approx(3 * random_network(4).odds_1H, rel=1e-3)
    assert discriminator.known(loaded) is not None


def test_networks_need_the_counts_that_they_complete(
    model: Path, written: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(model, written, "--networks") == 1
    assert "has no discriminator.json of its weights" in capsys.readouterr().err


def test_new_counts_take_the_networks_of_the_old_ones_away(
    model: Path, written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.guidance.fit._FOLDS", 2)
    store_both(model, load_model(str(model)).sha256)

    assert run(model, written) == 0
    assert (model / NETWORKS).exists()
    assert run(model, written, "--store") == 0
    assert not (model / NETWORKS).exists()
