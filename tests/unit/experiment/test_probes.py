"""Probes: a sound model passes, and each probe detects its fault."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from musicrel import jobs
from musicrel.cli.main import main
from musicrel.experiment import probes
from musicrel.experiment.probes import PROBES, Probe, Subject, diagnose, subject
from musicrel.model.checkpoint import LoadedWeights
from musicrel.model.config import Family
from musicrel.model.families.transformer import Block, Transformer
from musicrel.model.networks import build
from musicrel.model.positions.base import PositionalAttention
from musicrel.model.positions.table import SCHEMES
from tests.helpers.known import known
from tests.helpers.models import enlarge_weights, tiny_card, tiny_config, tiny_model_directory
from tests.helpers.music import random_chorale

_CONDITIONS: dict[str, tuple[str, ...]] = {"classifier": (), "infill": ("beat",)}
PIECES = [random_chorale(seed, steps) for seed, steps in enumerate([40, 36, 20, 18, 16])]


def examined(scheme: str, family: Family = "causal", **fields: Any) -> Subject:
    """Return a tiny random model, trained for 64 tokens, with its input."""
    config = tiny_config(scheme, conditions=_CONDITIONS.get(family, ("voice",)))
    more = {"tokens": 257, "classes": 2} if family == "classifier" else {}
    config = replace(config, family=family, **more | fields)
    torch.manual_seed(0)
    model = build(config).eval()
    enlarge_weights(model)
    return subject(LoadedWeights.of(model, tiny_card(model)), PIECES)


def schemes_of(model: Transformer) -> list[PositionalAttention]:
    return [block.attention.positional for block in model.blocks if isinstance(block, Block)]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("family", ["causal", "masked", "classifier", "infill"])
def test_nothing_is_wrong_with_a_sound_model(scheme: str, family: Family) -> None:
    one = examined(scheme, family)

    found = [probe(one) for probe in PROBES.values()]

    assert [probe.name for probe in found] == list(PROBES)
    assert [probe.finding for probe in found if probe.verdict == "wrong"] == []


@pytest.mark.parametrize(
    ("scheme", "family", "finding"),
    [
        ("none", "masked", "predictions do not depend on order: "),
        ("none", "classifier", "predictions do not depend on order: "),
        ("alibi", "masked", "predictions depend on distances, but not on direction: "),
    ],
)
def test_a_bidirectional_model_ignores_what_its_positions_do_not_tell(
    scheme: str, family: Family, finding: str
) -> None:
    """That is the design of no positions, and of a symmetric slope; else it would be a fault."""
    found = probes.order(examined(scheme, family))

    assert found.verdict == "notable"
    assert found.figure == pytest.approx(0, abs=1e-4)
    assert found.finding.startswith(finding)


def test_a_causal_model_sees_order_through_its_mask() -> None:
    found = probes.order(examined("none"))

    assert found.verdict == "ok"
    assert found.finding.startswith("predictions depend on order, through its mask alone: ")


def test_a_model_of_steps_is_shuffled_by_steps() -> None:
    one = examined("none", "infill")

    found = probes.order(one)

    assert one.tokens_per_position == 4
    assert found.verdict == "ok"
    assert probes.padding(one).finding.startswith(
        "tokens attend to padding with a weight of at most 0;"
    )


def test_positions_that_do_nothing_are_found() -> None:
    one = examined("relative", "masked")
    for scheme in schemes_of(one.network):
        for parameter in scheme.parameters():
            parameter.data.zero_()

    assert probes.order(one).verdict == "wrong"


def test_a_classifier_that_ignores_order_is_only_notable() -> None:
    one = examined("relative", "classifier")
    for scheme in schemes_of(one.network):
        for parameter in scheme.parameters():
            parameter.data.zero_()

    found = probes.order(one)

    assert found.verdict == "notable"
    assert found.finding.startswith(
        "the class does not depend on order, as the task may not either"
    )
    assert "0.000" not in found.finding


def test_the_same_prediction_everywhere_is_found() -> None:
    one = examined("relative")
    one.network.head.weight.data.zero_()
    one.network.head.bias.data[7] = 5.0

    found = probes.flat(one)

    assert found.verdict == "wrong"
    assert found.figure == pytest.approx(0, abs=1e-6)
    assert found.finding.startswith("predictions are the same everywhere: ")


def test_nearly_uniform_predictions_are_notable() -> None:
    one = examined("relative")
    one.network.head.weight.data.mul_(0.05)

    assert probes.flat(one).verdict == "notable"


def test_attention_to_padding_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    one = examined("relative", "masked")
    forward = one.network.forward

    def deaf(*words: Any, mask: Tensor | None = None, **more: Any) -> Any:
        del mask
        return forward(*words, **more)

    assert probes.padding(one).figure == 0
    monkeypatch.setattr(one.network, "forward", deaf)

    found = probes.padding(one)

    assert found.verdict == "wrong"
    assert known(found.figure) > 0


def test_redundant_heads_are_notable() -> None:
    one = examined("sinusoidal")
    block = one.network.blocks[1]
    assert isinstance(block, Block)
    weight = block.attention.project_in.weight.data.view(3, 2, 8, 16)
    weight[:, 1] = weight[:, 0]

    found = probes.collapse(one)

    assert found.verdict == "notable"
    assert found.figure == pytest.approx(0, abs=1e-6)
    assert found.finding.startswith("the heads of layer 2 are the most alike, nearly the same: ")
    assert len(found.details) == 2 * (1 + 2)


def test_scores_without_their_root_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Heads of 16 numbers give a variance of 16."""
    one = examined("sinusoidal", width=32)

    def unscaled(queries: Tensor, keys: Tensor, **_: Any) -> Tensor:
        return queries @ keys.transpose(-1, -2)

    monkeypatch.setattr(schemes_of(one.network)[1], "scores", unscaled)

    found = probes.scale(one)

    assert found.verdict == "wrong"
    assert found.figure == pytest.approx(16, rel=0.1)
    assert dict(found.details)["layer 1"] == pytest.approx(1, rel=0.1)


def test_the_loss_is_reported_by_position() -> None:
    found = probes.length(examined("alibi"))

    assert [name for name, _ in found.details] == [
        f"{first}:{first + 16}" for first in range(0, 128, 16)
    ]
    assert found.figure is not None
    assert "beyond the trained 64 tokens" in found.finding


def test_a_table_refuses_longer_sequences() -> None:
    found = probes.length(examined("learned", options={"max_length": 64}))

    assert found.verdict == "notable"
    assert found.finding.startswith("longer sequences are refused: ")


def test_a_glimpse_of_the_future_is_found() -> None:
    one = examined("sinusoidal")
    for block in one.network.blocks:
        assert isinstance(block, Block)
        block.causal = False

    assert probes.mask(one).verdict == "wrong"
    assert probes.cache(one).verdict == "wrong"


def test_a_diagnosis_yields_each_probe(tmp_path: Path) -> None:
    noted: list[Probe] = []

    found = jobs.run(diagnose(str(tiny_model_directory(tmp_path / "tiny"))), noted.append)

    assert noted == found
    assert [probe.name for probe in found] == list(PROBES)


def test_the_command_prints_a_table_or_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = str(tiny_model_directory(tmp_path / "tiny"))

    assert main(["diagnose", "--model", model, "--device", "cpu"]) == 0
    table = capsys.readouterr().out.splitlines()
    assert main(["diagnose", "--model", model, "--device", "cpu", "--json"]) == 0
    values = json.loads(capsys.readouterr().out)

    assert table[0].split() == ["probe", "verdict", "finding"]
    assert [line.split()[0] for line in table[1:]] == list(PROBES)
    assert [probe["name"] for probe in values["probes"]] == list(PROBES)
    assert values["probes"][-1]["figure"] == 0
    assert "layer 1 distance" in values["probes"][3]["details"]


def test_a_model_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diagnose", "--model", "nobody"]) == 1
    assert "no model 'nobody'" in capsys.readouterr().err
