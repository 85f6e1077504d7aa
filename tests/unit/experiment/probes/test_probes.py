"""The probes: nothing is wrong with a sound model, and each finds what it is there for."""

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
from musicrel.experiment.probes import probes
from musicrel.experiment.probes.diagnosis import diagnose, subject
from musicrel.experiment.probes.examined import Probe, Subject
from musicrel.experiment.probes.probes import PROBES
from musicrel.model.checkpoint import Loaded
from musicrel.model.config import Family
from musicrel.model.families.model_families import build
from musicrel.model.families.transformer import Block, Transformer
from musicrel.model.positions.base import PositionalAttention
from musicrel.model.positions.table import SCHEMES
from tests.helpers.models import make_loud, tiny_card, tiny_config, tiny_model_directory
from tests.helpers.music import random_chorale

_TOLD: dict[str, tuple[str, ...]] = {"classifier": (), "infill": ("beat",)}
PIECES = [random_chorale(seed, steps) for seed, steps in enumerate([40, 36, 20, 18, 16])]


def examined(scheme: str, family: Family = "causal", **fields: Any) -> Subject:
    """A tiny model by chance with its sequences; it was trained on 64 tokens."""
    config = tiny_config(scheme, told=_TOLD.get(family, ("voice",)))
    more = {"tokens": 257, "classes": 2} if family == "classifier" else {}
    config = replace(config, family=family, **more | fields)
    torch.manual_seed(0)
    model = build(config).eval()
    make_loud(model)
    return subject(Loaded(model=model, card=tiny_card(model), sha256=""), PIECES)


def schemes_of(model: Transformer) -> list[PositionalAttention]:
    """The positional arithmetic of every layer."""
    return [block.attention.positional for block in model.blocks if isinstance(block, Block)]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("family", ["causal", "masked", "classifier", "infill"])
def test_nothing_is_wrong_with_a_sound_model(scheme: str, family: Family) -> None:
    """Of any scheme and family."""
    one = examined(scheme, family)

    found = [probe(one) for probe in PROBES.values()]

    assert [probe.name for probe in found] == list(PROBES)
    assert [probe.says for probe in found if probe.verdict == "wrong"] == []


@pytest.mark.parametrize("family", ["masked", "classifier"])
def test_without_positions_a_model_that_sees_both_ways_is_blind_to_order(family: Family) -> None:
    """Which is how it was built; with positions it would be wrong."""
    found = probes.order(examined("none", family))

    assert found.verdict == "notable"
    assert found.figure == pytest.approx(0, abs=1e-4)
    assert found.says.endswith("the model is blind to order")


def test_a_causal_model_sees_order_through_its_mask() -> None:
    """Even with no positions at all."""
    found = probes.order(examined("none"))

    assert found.verdict == "ok"
    assert found.says.endswith("the model knows order, through its mask alone")


def test_a_slope_both_ways_knows_no_direction() -> None:
    """ALiBi takes off the same on either side, so a reversed input gives reversed output."""
    found = probes.order(examined("alibi", "masked"))

    assert found.verdict == "notable"
    assert found.figure == pytest.approx(0, abs=1e-4)
    assert found.says.endswith("knows distance, but not forwards from backwards")


def test_a_model_of_steps_is_shuffled_by_steps() -> None:
    """It hears the notes around each, so it knows order even without positions."""
    one = examined("none", "infill")

    found = probes.order(one)

    assert one.each == 4
    assert found.verdict == "ok"
    assert probes.padding(one).says.startswith("real tokens give padding at most 0")


def test_positions_that_do_nothing_are_found() -> None:
    """A relative table of zeros, in a model that sees both ways."""
    one = examined("relative", "masked")
    for scheme in schemes_of(one.network):
        for parameter in scheme.parameters():
            parameter.data.zero_()

    assert probes.order(one).verdict == "wrong"


def test_what_tells_classes_apart_without_order_is_notable_alone() -> None:
    """The task may have none; changes too small for three decimals are told with more digits."""
    one = examined("relative", "classifier")
    for scheme in schemes_of(one.network):
        for parameter in scheme.parameters():
            parameter.data.zero_()

    found = probes.order(one)

    assert found.verdict == "notable"
    assert found.says.endswith("the answer does not hang on order, as where the task has none")
    assert "0.000" not in found.says


def test_the_same_prediction_everywhere_is_found() -> None:
    """A head that looks at nothing, with a favourite."""
    one = examined("relative")
    one.network.head.weight.data.zero_()
    one.network.head.bias.data[7] = 5.0

    found = probes.flat(one)

    assert found.verdict == "wrong"
    assert found.figure == pytest.approx(0, abs=1e-6)
    assert found.says.endswith("all the same")


def test_nearly_even_predictions_are_told() -> None:
    """As a model has them that was never trained."""
    one = examined("relative")
    one.network.head.weight.data.mul_(0.05)

    assert probes.flat(one).verdict == "notable"


def test_attention_to_padding_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that is not told what is padding."""
    one = examined("relative", "masked")
    forward = one.network.forward

    def deaf(*words: Any, mask: Tensor | None = None, **more: Any) -> Any:
        del mask
        return forward(*words, **more)

    assert probes.padding(one).figure == 0
    monkeypatch.setattr(one.network, "forward", deaf)

    found = probes.padding(one)

    assert found.verdict == "wrong"
    assert found.figure is not None
    assert found.figure > 0


def test_heads_that_do_the_same_are_told() -> None:
    """Queries and keys of both heads made equal in the second layer."""
    one = examined("sinusoidal")
    block = one.network.blocks[1]
    assert isinstance(block, Block)
    weight = block.attention.project_in.weight.data.view(3, 2, 8, 16)
    weight[:, 1] = weight[:, 0]

    found = probes.collapse(one)

    assert found.verdict == "notable"
    assert found.figure == pytest.approx(0, abs=1e-6)
    assert "in layer 2: they do nearly the same" in found.says
    assert len(found.details) == 2 * (1 + 2)


def test_one_head_cannot_collapse() -> None:
    """There is no other."""
    found = probes.collapse(examined("sinusoidal", heads=1))

    assert (found.verdict, found.figure) == ("ok", None)


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


def test_the_loss_is_told_by_position() -> None:
    """By quarters of the trained length, and beyond it."""
    found = probes.length(examined("alibi"))

    assert [name for name, _ in found.details] == [
        f"{first}:{first + 16}" for first in range(0, 128, 16)
    ]
    assert found.figure is not None
    assert "beyond the trained 64 tokens" in found.says


def test_a_table_refuses_longer_sequences() -> None:
    """In words, without an error."""
    found = probes.length(examined("learned", options={"max_length": 64}))

    assert found.verdict == "notable"
    assert found.says.startswith("longer sequences are refused: ")


def test_a_glimpse_of_the_future_is_found() -> None:
    """Blocks that forget to be causal; the cache then says something else too."""
    one = examined("sinusoidal")
    for block in one.network.blocks:
        assert isinstance(block, Block)
        block.causal = False

    assert probes.mask(one).verdict == "wrong"
    assert probes.cache(one).verdict == "wrong"


def test_a_diagnosis_tells_each_probe_as_it_is_made(tmp_path: Path) -> None:
    """And gives all of them."""
    told: list[Probe] = []

    found = jobs.run(diagnose(str(tiny_model_directory(tmp_path / "tiny"))), told.append)

    assert told == found
    assert [probe.name for probe in found] == list(PROBES)


def test_the_command_prints_a_table_or_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same probes in both."""
    model = str(tiny_model_directory(tmp_path / "tiny"))

    assert main(["diagnose", "--model", model, "--device", "cpu"]) == 0
    table = capsys.readouterr().out.splitlines()
    assert main(["diagnose", "--model", model, "--device", "cpu", "--json"]) == 0
    values = json.loads(capsys.readouterr().out)

    assert table[0].split() == ["probe", "verdict", "what", "was", "found"]
    assert [line.split()[0] for line in table[1:]] == list(PROBES)
    assert [probe["name"] for probe in values["probes"]] == list(PROBES)
    assert values["probes"][-1]["figure"] == 0
    assert "layer 1 distance" in values["probes"][3]["details"]


def test_a_model_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """In one sentence."""
    assert main(["diagnose", "--model", "nobody"]) == 1
    assert "no model 'nobody'" in capsys.readouterr().err
