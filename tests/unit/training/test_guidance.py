"""The discriminator of a model, and the command that fits it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sklearn")

from musicrel.chorale import REST, Chorale, Voice
from musicrel.generation.discriminator import discriminator
from musicrel.generation.discriminator.features import counts
from musicrel.generation.loaded_model import load_model
from musicrel.model.companions import DISCRIMINATOR
from tests.helpers.models import tiny_model_directory
from tests.helpers.music import random_chorale
from training.examination import material
from training.guidance import __main__ as command
from training.guidance.fit import fit


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


def store(model: Path) -> None:
    judge = discriminator.Discriminator({"crossing": 5.0}, load_model(str(model)).sha256)
    (model / DISCRIMINATOR).write_text(judge.to_json())


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


def test_a_later_fit_is_added_to_the_first(model: Path, written: Path) -> None:
    store(model)
    assert run(model, written, "--again", "--store") == 0

    again = discriminator.known(load_model(str(model)))
    assert again is not None
    found = fit(pieces(0, 4), pieces(20, 6)).weights
    expected = {**found, "crossing": found.get("crossing", 0.0) + 5.0}
    assert again.weights == pytest.approx(expected, abs=1e-3)


def test_another_number_of_pieces_is_refused(
    model: Path, written: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main([str(model), "--pieces", str(written), "--number", "7"]) == 1

    assert "holds 6 pieces: expected 7; remove it, or give --number" in capsys.readouterr().err


def test_the_first_fit_is_to_pieces_without_a_discriminator(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Later ones are to pieces with it."""
    monkeypatch.setattr(material, "bach", lambda _: [replace(random_chorale(0, 16), pickup=0)])

    def written_by(fitted: command.Round, place: str) -> list[object]:
        found = command.pieces_of(fitted, model, tmp_path / place, 2)
        return [piece.pitches.tolist() for piece in found]

    again = command.AGAIN._replace(first_seed=command.FIRST.first_seed)
    plain = written_by(command.FIRST, "first, without any")
    assert written_by(again, "again, without any") == plain
    store(model)
    assert written_by(command.FIRST, "first") == plain
    assert written_by(again, "again") != plain


def test_a_later_fit_needs_the_first(
    model: Path, written: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(model, written, "--again") == 1
    assert "has no discriminator.json of its weights" in capsys.readouterr().err


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
