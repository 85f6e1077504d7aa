"""The discriminator of a model: its regression, its networks, and the command that fits them."""
# ruff: noqa: N806

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sklearn")

import torch

from musicrel.chorale import REST, Chorale, Voice
from musicrel.generation.discriminator import discriminator, network
from musicrel.generation.discriminator.features import counts
from musicrel.generation.loaded_model import load_model
from musicrel.model.companions import DISCRIMINATOR, NETWORKS
from tests.helpers.models import random_network, tiny_model_directory
from tests.helpers.music import random_chorale
from training.examination import material
from training.guidance import __main__ as command
from training.guidance import network_fit
from training.guidance.fit import fit
from training.guidance.network_fit import BeatNetwork, NetworkFit


def pieces(first_seed: int, number: int, raised: int = 0) -> list[Chorale]:
    """Return random pieces without a pickup, raised by so many semitones."""
    found = [random_chorale(seed, 64) for seed in range(first_seed, first_seed + number)]
    return [
        replace(piece, pitches=np.where(piece.pitches < 0, REST, piece.pitches + raised), pickup=0)
        for piece in found
    ]


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a model's folder; Bach's side are random pieces."""
    bach = {"train": pieces(0, 4), "valid": []}
    monkeypatch.setattr(material, "bach", bach.__getitem__)
    monkeypatch.setattr("training.guidance.fit._FOLDS", 2)
    return tiny_model_directory(tmp_path / "tiny")


def run(model: Path, folder: Path, *options: str) -> int:
    return command.main([str(model), "--pieces", str(folder), "--number", "6", *options])


def store_both(model: Path, sha256: str) -> None:
    judge = discriminator.Discriminator({"crossing": 5.0}, sha256)
    (model / DISCRIMINATOR).write_text(judge.to_json())
    (model / NETWORKS).write_bytes(network.content([random_network(1, scale=20.0)], sha256))


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """Return a folder with six pieces that could be the model's."""
    folder = tmp_path / "pieces"
    folder.mkdir()
    for number, piece in enumerate(pieces(20, 6)):
        piece.write(folder / f"{number}.json")
    return folder


def test_a_fit_is_reported_and_not_stored(
    model: Path, written: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(model, written) == 0

    assert "4 real crops, 6 of the model" in capsys.readouterr().out
    assert not (model / DISCRIMINATOR).exists()


def test_the_strength_multiplies_what_is_stored(model: Path, written: Path) -> None:
    weights = []
    for strength in ("1", "2"):
        assert run(model, written, "--store", "--strength", strength) == 0
        found = discriminator.known(load_model(str(model)))
        assert found is not None
        weights.append(found.weights)

    once, twice = weights
    assert once.keys() == twice.keys()
    assert [twice[name] for name in once] == pytest.approx([2 * w for w in once.values()], abs=2e-3)


def test_a_later_fit_is_added_to_the_counts_and_leaves_the_networks(
    model: Path, written: Path
) -> None:
    store_both(model, load_model(str(model)).sha256)
    assert run(model, written, "--again", "--store") == 0

    loaded = load_model(str(model))
    again = discriminator.known(loaded)
    assert again is not None
    assert len(network.known(loaded)) == 1
    found = fit(pieces(0, 4), pieces(20, 6)).weights
    expected = {**found, "crossing": found.get("crossing", 0.0) + 5.0}
    assert again.weights == pytest.approx(expected, abs=1e-3)


def test_another_number_of_pieces_is_refused(
    model: Path, written: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main([str(model), "--pieces", str(written), "--number", "7"]) == 1

    assert "holds 6 pieces: expected 7; remove it, or give --number" in capsys.readouterr().err


def test_pieces_are_written_without_the_part_that_is_fitted(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of the counts without any, those of the networks with the counts alone."""
    monkeypatch.setattr(material, "bach", lambda _: [replace(random_chorale(0, 16), pickup=0)])

    def written_by(part: command.Part, place: str) -> list[object]:
        found = command.pieces_without(part, model, tmp_path / place, 2)
        return [piece.pitches.tolist() for piece in found]

    plain = written_by(command.COUNTS, "none")
    store_both(model, load_model(str(model)).sha256)
    assert written_by(command.COUNTS, "with both") == plain
    networks = written_by(command.NETWORK, "networks with both")
    (model / NETWORKS).unlink()
    assert written_by(command.NETWORK, "networks with counts") == networks != plain


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


@pytest.mark.parametrize("option", ["--networks", "--again"])
def test_what_completes_the_counts_needs_them(
    model: Path, written: Path, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(model, written, option) == 1
    assert "has no discriminator.json of its weights" in capsys.readouterr().err


def test_new_counts_take_the_networks_of_the_old_ones_away(model: Path, written: Path) -> None:
    store_both(model, load_model(str(model)).sha256)

    assert run(model, written) == 0
    assert (model / NETWORKS).exists()
    assert run(model, written, "--store") == 0
    assert not (model / NETWORKS).exists()


def in_thirds(piece: Chorale) -> Chorale:
    pitches = piece.pitches.copy()
    soprano = pitches[:, Voice.SOPRANO]
    pitches[:, Voice.ALTO] = np.where(soprano == REST, REST, soprano - 3)
    return Chorale.of(pitches)


def test_what_only_one_side_does_has_the_largest_weights() -> None:
    found = fit([in_thirds(piece) for piece in pieces(0, 24)], pieces(100, 24))

    assert found.held_out.area > 0.95
    assert found.sizes == (24, 24)
    parallel = "parallel thirds or sixths of SA: {}"
    assert found.weights[parallel.format(True)] > 0 > found.weights[parallel.format(False)]


def test_two_samples_of_one_kind_are_not_told_apart() -> None:
    """Held-out tunes are guessed, and calibrated log-odds are small."""
    found = fit(pieces(0, 24), pieces(100, 24))

    assert 0.2 < found.held_out.area < 0.8
    assert found.held_out.log_loss == pytest.approx(np.log(2), abs=0.06)


def test_features_of_few_crops_are_left_out() -> None:
    bach, others = pieces(0, 8), pieces(100, 8)

    found = fit(bach, others)

    of_samples = [counts(piece) for piece in (*bach, *others)]
    expected = {
        name
        for name in set().union(*of_samples)
        if sum(name in sample for sample in of_samples) >= 5
    }
    assert set(found.weights) == expected


@pytest.fixture(scope="module")
def fitted() -> NetworkFit:
    return network_fit.fit(pieces(0, 6, -12), pieces(20, 6, 12), epochs=30)


def test_the_exported_network_judges_as_the_trained_one() -> None:
    """Each beat with those before it; the trained one reads pieces of two lengths at once."""
    torch.manual_seed(0)
    trained = BeatNetwork().eval()
    long, short = (network.of_piece(random_chorale(seed, 32 + 16 * seed)) for seed in (2, 0))
    with torch.no_grad():
        odds_SB = trained(network_fit.batch_of([long, short])).numpy()
    exported = trained.exported(3.0)
    for row, notes in enumerate((long, short)):
        for beats in range(1, len(notes.numbers_B) + 1):
            known = notes.part(slice(beats))
            expected = 3 * odds_SB[row, beats - 1]
            np.testing.assert_allclose(exported.log_odds(known), expected, rtol=1e-4, atol=1e-5)


def test_networks_learn_a_plain_difference(fitted: NetworkFit) -> None:
    """There are several that differ."""
    assert fitted.area == 1.0
    for raised, sign in ((-12, 1), (12, -1)):
        (piece,) = pieces(40, 1, raised)
        assert sign * network.log_odds(fitted.networks, network.of_piece(piece))[0] > 0
    assert len(fitted.networks) == network_fit.NETWORKS
    assert len({float(each.odds_bias_1[0]) for each in fitted.networks}) == network_fit.NETWORKS


def test_training_again_gives_the_same_networks() -> None:
    one, other = (network_fit.fit(pieces(0, 6), pieces(20, 6), epochs=1) for _ in range(2))
    for name in network.Network._fields:
        for first, second in zip(one.networks, other.networks, strict=True):
            np.testing.assert_array_equal(getattr(first, name), getattr(second, name))
