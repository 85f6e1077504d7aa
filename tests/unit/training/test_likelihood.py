"""The likelihood profile: its numbers on small inputs, and set L of the examination."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch

import musicrel
from musicrel.chorale import REST, Chorale, Meter
from musicrel.generation.loaded_model import LoadedModel
from musicrel.model import checkpoint
from musicrel.model.tokens.conditions import POSITIONAL
from musicrel.model.tokens.vocabulary import PITCH
from tests.helpers.models import tiny_card, tiny_config, tiny_model
from tests.helpers.music import random_chorale
from training import discriminator
from training.examination import examination, likelihood, material
from training.examination.likelihood import Surprise, numbers, surprise

PITCHES = [
    (72, 67, 64, 48), (72, 67, 64, 48), (71, 67, 62, 43), (71, 67, 62, 43),
    (72, 67, REST, 48), (72, 67, REST, 48), (74, 67, 59, 43),
]  # fmt: skip
PIECE = Chorale.of(PITCHES, meter=Meter(3, 4), pickup=2)
NATS = np.random.default_rng(5).exponential(2.0, (7, 4))
ENTROPY = np.random.default_rng(6).exponential(1.0, (7, 4))
PLACES = [10, 11, 0, 1, 2, 3, 4]
"""Sixteenths since the last bar line."""


def cells() -> list[tuple[int, int]]:
    return [(t, v) for t in range(7) for v in range(4) if PITCHES[t][v] != REST]


def nats_where(is_in: Callable[[int, int], bool]) -> list[float]:
    return [float(NATS[t, v]) for t, v in cells() if is_in(t, v)]


def is_moving(t: int, v: int) -> bool:
    return t > 0 and PITCHES[t][v] != PITCHES[t - 1][v]


def is_voice(voice: int, _: int, v: int) -> bool:
    return v == voice


def share_above(level: float, nats: list[float]) -> float:
    return sum(one > level for one in nats) / len(nats)


@pytest.fixture
def model(tmp_path: Path) -> LoadedModel:
    network = tiny_model(tiny_config("relative", conditions=POSITIONAL, vocabulary=PITCH), 3)
    checkpoint.save(tmp_path / "model", network, tiny_card(network, PITCH))
    return musicrel.load_model(str(tmp_path / "model"))


def test_means_levels_and_quantiles_are_those_of_all_sounding_notes() -> None:
    found, nats = numbers(PIECE, Surprise(NATS, ENTROPY)), nats_where(lambda *_: True)
    assert len(nats) == 26
    assert found["mean"] == pytest.approx(sum(nats) / 26)
    assert found["sd"] == pytest.approx(statistics.pstdev(nats))
    assert found["quantile 50"] == pytest.approx(statistics.median(nats))
    for level in range(1, 7):
        assert found[f"above {level}"] == pytest.approx(share_above(level, nats))


def test_voices_have_their_own_numbers_and_entropy_is_taken_away() -> None:
    found = numbers(PIECE, Surprise(NATS, ENTROPY))
    for voice, name in enumerate(("Soprano", "Alto", "Tenor", "Bass")):
        nats = nats_where(partial(is_voice, voice))
        less = [float(NATS[t, v] - ENTROPY[t, v]) for t, v in cells() if v == voice]
        assert found[name] == pytest.approx(sum(nats) / len(nats))
        assert found[f"{name}, less entropy"] == pytest.approx(sum(less) / len(less))
        assert found[f"{name}, above 3"] == pytest.approx(share_above(3, nats))


@pytest.mark.parametrize(
    ("name", "is_in"),
    [
        ("beat 1", lambda t, _: PLACES[t] == 0),
        ("beat 2", lambda t, _: PLACES[t] == 4),
        ("eighths", lambda t, _: PLACES[t] in {2, 6, 10}),
        ("sixteenths", lambda t, _: PLACES[t] % 2 == 1),
        ("moving", is_moving),
        ("held", lambda t, v: not is_moving(t, v)),
    ],
)
def test_places_and_moves_have_their_own_means(
    name: str, is_in: Callable[[int, int], bool]
) -> None:
    nats = nats_where(is_in)
    assert numbers(PIECE, Surprise(NATS, ENTROPY))[name] == pytest.approx(sum(nats) / len(nats))


def test_a_place_that_does_not_occur_has_no_number_and_steps_add_up_their_voices() -> None:
    found = numbers(PIECE, Surprise(NATS, ENTROPY))
    assert [name for name, value in found.items() if math.isnan(value)] == ["beat 3", "beat 4"]
    sums = [sum(NATS[t].tolist()) for t in range(7)]
    assert found["sd of steps"] == pytest.approx(statistics.pstdev(sums))


def test_surprise_and_entropy_are_those_of_the_model_s_probabilities(model: LoadedModel) -> None:
    piece = random_chorale(4, 9)
    ids = model.encode(piece)
    rows = torch.from_numpy(model.condition_rows(piece, POSITIONAL)[: len(ids) - 1])
    with torch.inference_mode():
        output = model.network.double()(torch.from_numpy(ids[:-1])[None], rows[None])
    likely = output.logits_BTV[0].softmax(-1).tolist()

    found = surprise(model, piece)

    for n, token in enumerate(ids[1:-1].tolist()):
        t, v = divmod(n, 4)
        assert found.nats_T4[t, v] == pytest.approx(-math.log(likely[n][token]), abs=1e-4)
        entropy = -sum(p * math.log(p) for p in likely[n])
        assert found.entropy_T4[t, v] == pytest.approx(entropy, abs=1e-4)


def test_set_l_puts_bach_s_other_split_first(
    model: LoadedModel, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:  # fmt: skip
    pieces = {
        split: [p.cropped(0, 32) for p in material.bach(split)[:6]] for split in ("valid", "test")
    }
    for number, piece in enumerate(material.bach("train")[:5]):
        piece.cropped(0, 32).write(tmp_path / "pieces" / f"{number}.json")
    monkeypatch.setattr(likelihood, "_model", lambda: model)
    monkeypatch.setattr(examination, "_TREES", 10)
    monkeypatch.setattr(discriminator, "bundled", SimpleNamespace(load=pieces.__getitem__))

    assert discriminator.main(["--set", "L", str(tmp_path / "pieces")]) == 0

    table = capsys.readouterr().out.split("\n\n")[0].splitlines()
    assert table[0] == "|  | logistic regression | random forest | samples | Bach's |"
    assert [row.split(" | ")[0] for row in table[2:]] == ["| Bach", "| pieces"]
    assert [row.split(" | ")[-2:] for row in table[2:]] == [["6", "6 |"], ["5", "6 |"]]
