"""A whole run: its events, files and figures."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, replace
from pathlib import Path

import msgspec
import pytest
import torch

from musicrel import jobs
from musicrel.errors import FileError
from musicrel.experiment.data import dataset
from musicrel.experiment.objectives.evaluation import evaluate
from musicrel.experiment.runs.events import (
    TrainCalibrated,
    TrainEvaluated,
    TrainFinished,
    TrainSaved,
    TrainStarted,
    TrainStep,
    read,
)
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.generation.loaded_model import load_model
from musicrel.model.card import read_card
from tests.helpers.music import tiny_data
from tests.helpers.recipes import tiny_recipe
from tests.helpers.runs import run


def test_a_run_yields_events(source: str, tmp_path: Path) -> None:
    result, events = run(tiny_recipe(source), tmp_path / "run")

    steps = [event for event in events if isinstance(event, TrainStep)]
    assert isinstance(events[0], TrainStarted)
    assert [event.step for event in steps] == list(range(1, 13))
    assert [e.step for e in events if isinstance(e, TrainEvaluated)] == [4, 8, 12]
    assert [e.step for e in events if isinstance(e, TrainSaved)] == [3, 6, 9, 12]
    assert events[-1] == TrainFinished(
        step=12,
        tokens=result.tokens,
        seconds=result.seconds,
        valid=result.valid or 0.0,
        test=result.test or 0.0,
    )
    assert [event.progress for event in steps] == pytest.approx([n / 12 for n in range(1, 13)])
    assert (result.finished, result.step, result.tokens) == (True, 12, steps[-1].tokens)


def test_every_event_stands_in_the_folder_too(source: str, tmp_path: Path) -> None:
    _, events = run(tiny_recipe(source), tmp_path / "run")

    written = list(RunFolder(tmp_path / "run").events())

    expected = msgspec.to_builtins(events)
    assert written == json.loads(json.dumps(expected))


def test_events_of_calibration_are_read_by_their_names_in_version_1_too() -> None:
    event = TrainCalibrated(step=3, round=1, rounds=2, divergence={"rhythm_WG": 0.5})

    assert read({
        "event": "TrainWeighed", "step": 3, "round": 1, "rounds": 2, "astray": {"pace_WG": 0.5},
    }) == event  # fmt: skip
    assert read(msgspec.to_builtins(event)) == event


def test_a_budget_may_be_given_in_tokens(source: str, tmp_path: Path) -> None:
    result, events = run(tiny_recipe(source, steps=0, tokens=200), tmp_path / "run")

    steps = [event for event in events if isinstance(event, TrainStep)]
    assert result.finished
    assert steps[-1].tokens >= 200 > steps[-2].tokens
    assert steps[-1].progress == 1.0


def test_the_best_averaged_weights_are_kept(source: str, tmp_path: Path) -> None:
    recipe = tiny_recipe(source, evaluate_every=1, learning_rate=0.3, ema=0.0)
    _, events = run(recipe, tmp_path / "run")
    evaluated = [event for event in events if isinstance(event, TrainEvaluated)]
    best = min(evaluated, key=lambda event: event.valid)

    model = load_model(str(tmp_path / "run" / "model"))

    assert best.step < 12
    assert model.card.training["best_step"] == best.step
    assert model.card.valid_nats_per_note == best.valid == evaluated[-1].best
    pieces = dataset.load(source).pieces["valid"]
    found = jobs.run(evaluate(model.network, pieces, model.vocabulary)).nats_per_note
    assert found == pytest.approx(best.valid)


def test_a_finished_run_is_a_model_with_all_its_figures(whole: Path, source: str) -> None:
    model = load_model(str(whole / "model"))
    card = model.card
    recipe = tiny_recipe(source)

    assert (card.name, card.parameters) == ("tiny", model.network.parameter_count)
    assert card.data["pieces"] == {"train": 6, "valid": 2, "test": 2}
    assert len(card.data["sha256"]) == 64
    assert card.recipe == json.loads(json.dumps(recipe.to_tables()))
    assert card.vocabulary["symbols"] == list(model.vocabulary.symbols())
    assert (card.training["step"], card.training["machine"]["threads"]) == (12, 1)
    assert set(card.figures) == {"voice+beat", "voice+beat+bar+fermata+key+ending"}
    assert card.figures["voice+beat"] == {
        "valid": card.valid_nats_per_note, "test": card.test_nats_per_note,
    }  # fmt: skip

    pieces = dataset.load(source).pieces["test"]
    found = jobs.run(evaluate(model.network, pieces, model.vocabulary)).nats_per_note
    assert found == pytest.approx(card.test_nats_per_note)


def test_the_card_has_the_final_slope_of_the_curve(source: str, tmp_path: Path) -> None:
    run(tiny_recipe(source, evaluate_every=1), tmp_path / "run")
    run(tiny_recipe(source, evaluate_every=12), tmp_path / "once")
    points = [
        (event["tokens"] / 1e6, event["valid"])
        for event in RunFolder(tmp_path / "run").events()
        if event["event"] == "TrainEvaluated"
    ]
    late = [point for point in points if point[0] >= 0.75 * points[-1][0]]

    ended = read_card(tmp_path / "run" / "model").training
    once = read_card(tmp_path / "once" / "model").training

    rise, way = late[-1][1] - late[0][1], late[-1][0] - late[0][0]
    assert ended["final_slope_nats_per_million_tokens"] == pytest.approx(rise / way, abs=1e-5)
    assert "final_slope_nats_per_million_tokens" not in once


def test_a_finished_run_has_a_result(source: str, tmp_path: Path) -> None:
    result, _ = run(tiny_recipe(source), tmp_path / "run")

    written = json.loads((tmp_path / "run" / "result.json").read_text())
    card = read_card(tmp_path / "run" / "model")
    unused = {"further": {}, "stopped": ""}
    assert written | unused == json.loads(json.dumps(asdict(result)))
    assert not {*unused} & {*written}
    assert RunFolder(tmp_path / "run").result() == result
    assert (result.valid, result.test) == (card.valid_nats_per_note, card.test_nats_per_note)


@pytest.mark.parametrize(
    "damage",
    [{"seconds": math.nan}, {"seconds": "9"}, {"test_pieces": ["piece"]}, {"test_pieces": 4}],
)
def test_a_damaged_result_is_refused(damage: dict[str, object], tmp_path: Path) -> None:
    whole = {
        "finished": True, "step": 1, "tokens": 9, "seconds": 9.0, "valid": 1.0, "test": 2.0,
        "test_pieces": [],
    }  # fmt: skip
    (tmp_path / "result.json").write_text(json.dumps(whole | damage))

    with pytest.raises(FileError, match=rf"result.json is damaged: {next(iter(damage))}"):
        RunFolder(tmp_path).result()


def test_a_sample_is_generated_at_each_evaluation(source: str, tmp_path: Path) -> None:
    from musicrel.score import files

    run(tiny_recipe(source, samples=True, evaluate_every=6), tmp_path / "run")

    written = sorted(path.name for path in (tmp_path / "run" / "samples").iterdir())
    assert written == ["step-12.json", "step-6.json"]
    piece = files.read(tmp_path / "run" / "samples" / "step-6.json")
    assert (piece.bars, piece.title) == (8, "Chorale 0")


def test_the_published_grid_is_learned_too(tmp_path: Path) -> None:
    recipe = tiny_recipe(tiny_data(tmp_path / "data.json"), "sinusoidal", steps=3, batch=1)
    plain = replace(recipe.data, vocabulary="pitch", conditions=(), window=512, transpose=False)

    result, _ = run(replace(recipe, data=plain), tmp_path / "run")

    model = load_model(str(tmp_path / "run" / "model"))
    assert result.finished
    assert (model.vocabulary.name, model.conditions) == ("pitch", ())
    assert torch.isfinite(torch.tensor(result.test))
