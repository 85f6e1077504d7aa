"""The networks of the discriminator and their file."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy

from musicrel.errors import DataError, FileError
from musicrel.generation.discriminator import beat_notes, network
from musicrel.generation.discriminator.beat_notes import CELLS, BeatNotes
from musicrel.generation.discriminator.discriminator import LARGEST
from musicrel.generation.discriminator.network import CONTEXT_BEATS, Network
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.model.companions import NETWORKS
from tests.helpers.models import random_network, tiny_model_directory
from tests.helpers.music import random_chorale

close = partial(np.testing.assert_allclose, rtol=1e-4, atol=1e-5)


@pytest.fixture
def model(tmp_path: Path) -> LoadedModel:
    """Return a model in a folder of its own."""
    return load_model(str(tiny_model_directory(tmp_path / "tiny")))


def store(model: LoadedModel, content: bytes) -> Path:
    """Write networks beside the weights of a model."""
    assert model.weights.directory is not None
    path = model.weights.directory / NETWORKS
    path.write_bytes(content)
    return path


def beats_of(seed: int, beats: int) -> BeatNotes:
    """Return the first beats of a random piece."""
    return beat_notes.of_piece(replace(random_chorale(seed, 4 * beats), pickup=0))


def naive(net: Network, notes: BeatNotes, newest: int) -> float:
    """Return the log-odds of a beat in double precision, cell by cell."""

    def hidden(beat: int) -> list[float]:
        if beat < 0:
            return [0.0] * len(net.inner_bias_H)
        inputs: list[float] = []
        for cell in range(CELLS):
            inputs += net.degrees_DE[notes.degrees_KBC[0, beat, cell]].tolist()
            inputs += net.intervals_DE[notes.intervals_KBC[0, beat, cell]].tolist()
            inputs += net.onsets_2E[notes.onsets_KBC[0, beat, cell]].tolist()
            inputs.append(float(notes.heights_KBC[0, beat, cell]))
        inputs += net.numbers_BE[notes.numbers_B[beat]].tolist()
        inputs += net.fermatas_2E[notes.fermatas_B[beat]].tolist()
        inputs += net.modes_2E[notes.modes_B[beat]].tolist()
        return layer(inputs, net.inner_HI, net.inner_bias_H)

    def layer(inputs: list[float], weight: np.ndarray, bias: np.ndarray) -> list[float]:
        sums = weight.astype(np.float64) @ np.array(inputs) + bias
        return [max(float(each), 0.0) for each in sums]

    read = [unit for back in range(CONTEXT_BEATS) for unit in hidden(newest - back)]
    outer = layer(read, net.outer_HM, net.outer_bias_H)
    return float(net.odds_1H.astype(np.float64)[0] @ np.array(outer) + net.odds_bias_1[0])


@pytest.mark.parametrize("beats", [1, 2, 4, 7])
def test_the_log_odds_are_those_of_the_formula(beats: int) -> None:
    net, notes = random_network(1), beats_of(beats, beats)
    close(net.log_odds(notes), [naive(net, notes, beats - 1)])


def test_only_the_newest_four_beats_are_read() -> None:
    net, notes = random_network(2), beats_of(5, 9)
    newest = notes.part(slice(-4, None))
    close(net.log_odds(notes), net.log_odds(newest))


def test_networks_are_averaged() -> None:
    one, other, notes = random_network(1), random_network(2), beats_of(5, 4)
    both = network.log_odds([one, other], notes)
    np.testing.assert_allclose(both, (one.log_odds(notes) + other.log_odds(notes)) / 2)


def test_a_single_beat_does_not_decide() -> None:
    one, notes = random_network(1), beats_of(5, 4)
    of_bach = float(np.sign(one.log_odds(notes)[0]))
    for sign in (-1, 1):
        found = network.log_odds([one.multiplied(sign * of_bach * 1e4)], notes)
        assert found.tolist() == [sign * LARGEST]


def test_a_model_has_the_networks_beside_its_weights(model: LoadedModel) -> None:
    stored = (random_network(1), random_network(2))
    store(model, network.content(stored, model.sha256))

    found = network.known(model)

    assert len(found) == 2
    notes = beats_of(5, 4)
    for one, other in zip(found, stored, strict=True):
        np.testing.assert_allclose(one.log_odds(notes), other.log_odds(notes), rtol=0.01)


def test_a_model_without_networks_has_none(model: LoadedModel) -> None:
    assert network.known(model) == ()


def test_networks_of_other_weights_are_ignored(
    model: LoadedModel, caplog: pytest.LogCaptureFixture
) -> None:
    store(model, network.content([random_network(1)], "0" * 64))

    with caplog.at_level(logging.WARNING):
        assert network.known(model) == ()

    assert "is not of these weights of tiny and is ignored" in caplog.text


def file_with(**changed: np.ndarray | None) -> bytes:
    """Return a file with one network of which tensors are exchanged, or left out (None)."""
    tensors = {f"0.{name}": tensor for name, tensor in random_network(1)._asdict().items()}
    for name, tensor in changed.items():
        tensors[f"0.{name}"] = tensor
    return bytes(safetensors.numpy.save({name: t for name, t in tensors.items() if t is not None}))


HEADER = b'{"0.degrees_DE":{"dtype":"BF16","shape":[1],"data_offsets":[0,2]}}'
BFLOAT16 = len(HEADER).to_bytes(8, "little") + HEADER + b"00"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "does not hold networks"),
        (b"0" * 4_000_001, "4,000,001 bytes, but at most 4,000,000"),
        (safetensors.numpy.save({}), "no tensor degrees_DE"),
        (file_with(inner_HI=None), "no tensor inner_HI"),
        (file_with(odds_bias_1=np.array([np.nan])), "not finite or too large"),
        (file_with(inner_HI=np.full((5, 134), 1e38, np.float32)), "not finite or too large"),
        (file_with(modes_2E=np.zeros((3, 2))), "tensors of other shapes"),
        (file_with(modes_2E=np.zeros(2)), "tensors of other shapes"),
        (file_with(degrees_DE=np.zeros((13, 2, 2))), "tensors of other shapes"),
        (file_with(degrees_DE=np.zeros(())), "tensors of other shapes"),
        (file_with(inner_bias_H=np.zeros((5, 3))), "tensors of other shapes"),
        (file_with(inner_bias_H=np.zeros(0)), "tensors of other shapes"),
        (file_with(outer_HM=np.zeros((5, 19))), "tensors of other shapes"),
        (BFLOAT16, "BF16"),
    ],
)
def test_a_damaged_file_is_refused_and_the_model_writes_without_it(
    model: LoadedModel, content: bytes, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = store(model, content)

    with pytest.raises((DataError, FileError), match=message):
        network.read(path)
    with caplog.at_level(logging.WARNING):
        assert network.known(model) == ()
    assert "is damaged and is ignored" in caplog.text
