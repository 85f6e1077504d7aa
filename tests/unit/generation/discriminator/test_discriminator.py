"""The discriminator, its networks and their files."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy

from musicrel.chorale import REST, Chorale, Key, Voice
from musicrel.errors import DataError, FileError
from musicrel.generation.discriminator import discriminator, features, network
from musicrel.generation.discriminator.discriminator import LARGEST, Discriminator
from musicrel.generation.discriminator.features import beats
from musicrel.generation.discriminator.network import (
    CELLS,
    CONTEXT_BEATS,
    DEGREES,
    INTERVALS,
    BeatNotes,
    Network,
)
from musicrel.generation.loaded_model import LoadedModel, load_model
from musicrel.model.companions import DISCRIMINATOR, NETWORKS
from tests.helpers.models import random_network, tiny_model_directory
from tests.helpers.music import random_chorale

close = partial(np.testing.assert_allclose, rtol=1e-4, atol=1e-5)


@pytest.fixture
def model(tmp_path: Path) -> LoadedModel:
    return load_model(str(tiny_model_directory(tmp_path / "tiny")))


def store(model: LoadedModel, text: str) -> None:
    assert model.directory is not None
    (model.directory / DISCRIMINATOR).write_text(text)


def store_networks(model: LoadedModel, content: bytes) -> Path:
    assert model.directory is not None
    path = model.directory / NETWORKS
    path.write_bytes(content)
    return path


def beats_of(seed: int, beats: int) -> BeatNotes:
    """Return the first beats of a random piece."""
    return network.of_piece(replace(random_chorale(seed, 4 * beats), pickup=0))


def naive(net: Network, notes: BeatNotes, newest: int) -> float:
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
    store_networks(model, network.content([random_network(1)], "0" * 64))

    with caplog.at_level(logging.WARNING):
        assert discriminator.known(model) is None
        assert network.known(model) == ()

    assert caplog.text.count("is not of these weights of tiny and is ignored") == 2


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


@pytest.mark.parametrize("beats", [1, 2, 4, 7])
def test_the_log_odds_are_those_of_the_formula(beats: int) -> None:
    net, notes = random_network(1), beats_of(beats, beats)
    close(net.log_odds(notes), [naive(net, notes, beats - 1)])


def test_only_the_newest_four_beats_are_read() -> None:
    net, notes = random_network(2), beats_of(5, 9)
    newest = notes.part(slice(-4, None))
    close(net.log_odds(notes), net.log_odds(newest))


def test_a_single_beat_does_not_decide_for_networks() -> None:
    one, notes = random_network(1), beats_of(5, 4)
    of_bach = float(np.sign(one.log_odds(notes)[0]))
    for sign in (-1, 1):
        found = network.log_odds([one.multiplied(sign * of_bach * 1e4)], notes)
        assert found.tolist() == [sign * LARGEST]


def test_a_model_has_the_networks_beside_its_weights(model: LoadedModel) -> None:
    stored = (random_network(1), random_network(2))
    store_networks(model, network.content(stored, model.sha256))

    found = network.known(model)

    assert len(found) == 2
    notes = beats_of(5, 4)
    for one, other in zip(found, stored, strict=True):
        np.testing.assert_allclose(one.log_odds(notes), other.log_odds(notes), rtol=0.01)


def file_with(**changed: np.ndarray | None) -> bytes:
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
def test_damaged_networks_are_refused_and_the_model_writes_without_them(
    model: LoadedModel, content: bytes, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    path = store_networks(model, content)

    with pytest.raises((DataError, FileError), match=message):
        network.read(path)
    with caplog.at_level(logging.WARNING):
        assert network.known(model) == ()
    assert "is damaged and is ignored" in caplog.text


REST_DEGREE = DEGREES - 1


NO_MOTION = INTERVALS // 2


def two_beats(first: int, second: int, key: Key | None = None) -> network.BeatNotes:
    """Return a quarter of one soprano pitch, then one of another; the other voices rest."""
    table = np.full((8, 4), REST)
    table[:4, Voice.SOPRANO], table[4:, Voice.SOPRANO] = first, second
    return network.of_piece(replace(Chorale.of(table), key=key))


def test_pitches_are_degrees_of_the_key_or_pitch_classes_and_rests_have_their_own() -> None:
    notes = two_beats(62, 73, Key("D", "minor"))
    assert notes.degrees_KBC[0, :, 0].tolist() == [0, 11]
    assert notes.modes_B.tolist() == [1, 1]

    notes = two_beats(62, 73)
    assert notes.degrees_KBC[0, :, 0].tolist() == [2, 1]
    assert notes.modes_B.tolist() == [0, 0]

    notes = two_beats(REST, 72)
    assert notes.degrees_KBC[0, 0].tolist() == [REST_DEGREE] * 16
    assert notes.heights_KBC[0, :, 0].tolist() == [0, 1]


@pytest.mark.parametrize(("before", "after", "motion"), [(60, 62, 2), (60, 48, -8), (REST, 60, 0)])
def test_intervals_are_those_from_the_step_before(before: int, after: int, motion: int) -> None:
    notes = two_beats(before, after)
    assert notes.intervals_KBC[0, 1, ::4].tolist() == [NO_MOTION + motion, *[NO_MOTION] * 3]


def test_a_piece_is_read_from_its_first_quarter_on() -> None:
    piece = replace(random_chorale(4, 34), pickup=10)
    notes = network.of_piece(piece)
    assert notes.numbers_B.tolist() == [2, 3, 0, 1, 2, 3, 0, 1]
    np.testing.assert_array_equal(notes.onsets_KBC.reshape(-1, 4), piece.onsets[2:])
    assert notes.fermatas_B.tolist() == piece.fermatas[2::4].astype(int).tolist()


@pytest.mark.parametrize(("steps", "pickup"), [(3, 0), (2, 3), (5, 6)])
def test_a_piece_without_a_whole_beat_has_none(steps: int, pickup: int) -> None:
    piece = Chorale.of(np.full((steps, 4), 60), pickup=pickup)
    assert len(network.of_piece(piece).numbers_B) == 0
