"""Calibration of counterpoint tables on a model's own samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from musicrel import jobs
from musicrel.chorale import Chorale, Key, Meter
from musicrel.errors import DataError, UsageError
from musicrel.experiment.recipe.recipe import TrainingPart
from musicrel.experiment.runs.events import TrainCalibrated, TrainCalibrating
from musicrel.experiment.training import calibration
from musicrel.experiment.training.calibration import calibrate
from musicrel.generation.causal import causal_generator
from musicrel.generation.cell_constraints import Constraints
from musicrel.generation.constraints import voice_ranges
from musicrel.generation.infill import infill_generator
from musicrel.generation.loaded_model import LoadedModel
from musicrel.generation.quality import QUALITIES
from musicrel.model.tokens.vocabulary import ARTICULATED, PITCHES
from tests.helpers.models import tiny_card, tiny_config, tiny_model

CONDITIONS = ("voice", "beat", "key", "ending")
_CHORDS = ((72, 67, 64, 48), (71, 67, 62, 43), (72, 69, 65, 53), (71, 67, 62, 55))


def _rounds(rounds: int, seed: int = 0) -> TrainingPart:
    return TrainingPart(steps=1, calibration_rounds=rounds, seed=seed)


def _real(chords: tuple[tuple[int, ...], ...], quarters: int = 12) -> Chorale:
    order = [chords[n % len(chords)] for n in range(quarters - 2)] + [chords[0]] * 2
    return Chorale.of(np.repeat(order, 4, axis=0), key=Key("C", "major"))


PIECES = [_real(_CHORDS), _real(_CHORDS[::-1])]


@pytest.fixture
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "PIECES", 32)
    monkeypatch.setattr(calibration, "_RAREST_ROW", 10)
    quick = replace(QUALITIES["normal"], particles=2)
    monkeypatch.setattr(causal_generator, "QUALITIES", {"normal": quick})


def _model(
    seed: int = 0, *, tables: bool = True, family: str = "causal", lines: int = 0
) -> LoadedModel:
    names = CONDITIONS if family == "causal" else CONDITIONS[1:]
    counterpoint = PITCHES if tables else 0
    config = tiny_config(
        "relative", conditions=names, counterpoint=counterpoint, family=family, lines=lines
    )
    network = tiny_model(config, seed).eval()
    if network.counterpoint is not None:
        for parameter in network.counterpoint.parameters():
            torch.nn.init.zeros_(parameter)
    return LoadedModel.unsaved(network, tiny_card(network), ARTICULATED)


def _calibrated(
    model: LoadedModel, rounds: int, seed: int = 0, pieces: Sequence[Chorale] = PIECES
) -> list[TrainCalibrated]:
    events: list[TrainCalibrating | TrainCalibrated] = []
    jobs.run(calibrate(model, pieces, _rounds(rounds, seed)), events.append)
    return [event for event in events if isinstance(event, TrainCalibrated)]


@pytest.mark.usefixtures("_few")
def test_samples_approach_the_real_pieces_round_by_round() -> None:
    rounds = _calibrated(_model(), 5)

    assert [each.round for each in rounds] == [1, 2, 3, 4, 5]
    for name in ("voice_leading_MS", "cadence_HD", "rhythm_WG"):
        first, *_, last = (each.divergence[name] for each in rounds)
        assert 0 <= last < 0.8 * first


@pytest.mark.usefixtures("_few")
def test_lines_approach_those_of_the_real_pieces() -> None:
    first, *_, last = _calibrated(_model(lines=PITCHES), 7)

    for name in ("line_LJ", "rhythm_WG"):
        assert 0 <= last.divergence[name] < 0.8 * first.divergence[name]


@pytest.mark.usefixtures("_few")
def test_samples_are_those_of_the_tables_as_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    biases: list[bytes] = []
    before = calibration._generate

    def spy(model: LoadedModel, *arguments: Any) -> Any:
        assert model.compiled is not None
        biases.append(model.compiled.tables.biases.rhythm_WG.tobytes())
        return before(model, *arguments)

    monkeypatch.setattr(calibration, "_generate", spy)
    _calibrated(_model(), 3)

    assert len(set(biases)) == 3


def test_an_infilling_model_is_calibrated_on_its_samples(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(calibration, "PIECES", 8)
    monkeypatch.setattr(calibration, "_RAREST_ROW", 4)
    quick = replace(QUALITIES["normal"], fill_passes=3, gibbs_sweeps=0)
    monkeypatch.setattr(infill_generator, "QUALITIES", {"normal": quick})
    model = _model(family="infill")
    for parameter in model.network.head.parameters():
        torch.nn.init.zeros_(parameter)
    before = {name: value.clone() for name, value in model.network.state_dict().items()}

    first, *_, last = _calibrated(model, 4, pieces=[_real(_CHORDS, 6), _real(_CHORDS[::-1], 6)])

    assert 0 <= last.divergence["rhythm_WG"] < 0.6 * first.divergence["rhythm_WG"]
    after = model.network.state_dict()
    moved = {name for name, value in before.items() if not torch.equal(value, after[name])}
    assert moved == {
        f"counterpoint.{name}" for name in ("voice_leading_MS", "cadence_HD", "rhythm_WG")
    }


@pytest.mark.usefixtures("_few")
def test_layers_are_unchanged_and_tables_follow_the_seed() -> None:
    models = [_model(), _model(), _model()]
    before = {name: value.clone() for name, value in models[0].network.state_dict().items()}
    for model, seed in zip(models, (1, 1, 2), strict=True):
        _calibrated(model, 1, seed)

    states = [model.network.state_dict() for model in models]
    moved = {name for name, value in before.items() if not torch.equal(value, states[0][name])}
    assert moved == {
        f"counterpoint.{name}" for name in ("voice_leading_MS", "cadence_HD", "rhythm_WG")
    }
    assert all(torch.equal(states[0][name], states[1][name]) for name in before)
    assert not torch.equal(states[0]["counterpoint.rhythm_WG"], states[2]["counterpoint.rhythm_WG"])


@pytest.mark.usefixtures("_few")
def test_calibration_reports_its_progress() -> None:
    events: list[TrainCalibrating | TrainCalibrated] = []
    jobs.run(calibrate(_model(), PIECES, _rounds(1)), events.append)

    done = [event.done for event in events if isinstance(event, TrainCalibrating)]
    assert done == sorted(done)
    assert set(done) == {*range(32)}
    assert len(done) > 320  # often enough to be stopped soon


def test_rare_entries_are_hardly_raised() -> None:
    """Of a thousand tokens one would be expected: none is little evidence, twenty are much."""
    real = torch.tensor([[99_900.0, 100.0]])
    none, many = (
        calibration._log_ratios(real, torch.tensor([[1000.0 - own, own]]))[0, 1]
        for own in (0.0, 20.0)
    )
    assert 0 < none < 0.5
    assert many < -1.5


def test_requests_are_those_of_users() -> None:
    holds = np.zeros(52, dtype=np.bool_)
    holds[-4:] = True
    plan = replace(_real(_CHORDS, 13), fermatas=holds, meter=Meter(3, 4), pickup=4)

    real, new, *_ = calibration._requests([plan, plan], 8, "causal", np.random.default_rng(0))

    assert (real.meter, real.pickup, real.steps) == (Meter(3, 4), 4, 52)
    assert np.array_equal(real.plan().fermatas, holds)
    assert (new.meter, new.steps, new.key) == (Meter(4, 4), 64, plan.key)
    assert new.plan().fermatas.any()


def test_infilling_models_harmonise_in_every_second_request() -> None:
    plan = PIECES[0]
    rng = np.random.default_rng(0)

    harmony, new, *_ = calibration._requests([plan, plan], 8, "infill", rng)

    assert harmony.locks is not None
    assert np.array_equal(harmony.locks.mask, np.arange(4) == np.zeros((plan.steps, 1)))
    assert np.array_equal(harmony.locks.applied(plan).pitches, plan.pitches)
    assert new.locks is None


def test_requests_have_the_ranges_of_a_choir() -> None:
    rng = np.random.default_rng(0)
    choir = voice_ranges.parse("choir")

    for semitones in (-16, 0, 9):
        moved = PIECES[0].transposed(semitones)
        harmony, new, *_ = calibration._requests([moved, moved], 8, "infill", rng)
        assert new.ranges == choir
        Constraints.of(harmony, ARTICULATED)  # refuses locked notes outside the ranges
        assert harmony.ranges == (((60, 81), *choir[1:]) if semitones == 9 else choir)


def test_models_and_pieces_unfit_for_calibration_are_refused() -> None:
    with pytest.raises(UsageError, match="has no counterpoint tables to calibrate"):
        jobs.run(calibrate(_model(tables=False), PIECES, _rounds(1)))
    long = _real(_CHORDS, quarters=calibration.MAX_FORM_STEPS // 4 + 1)
    with pytest.raises(DataError, match="none of 1 pieces has at most 512 sixteenths"):
        jobs.run(calibrate(_model(), [replace(long, title="long")], _rounds(1)))
