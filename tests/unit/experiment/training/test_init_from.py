"""Runs that are initialised from a base run within their folder."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from musicrel import paths
from musicrel.errors import FileError, ModelError, UsageError
from musicrel.experiment.recipe.recipe import MaskingPart, Recipe
from musicrel.experiment.runs import run_control
from musicrel.experiment.runs.events import (
    TrainCalibrated,
    TrainCalibrating,
    TrainPaused,
    TrainStarted,
    TrainStopped,
)
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.training import calibration
from musicrel.experiment.training.train import train
from musicrel.generation.infill import infill_generator
from musicrel.generation.quality import QUALITIES
from musicrel.model import checkpoint
from musicrel.model.card import read_card
from tests.helpers.recipes import StopAfter, tiny_recipe
from tests.helpers.runs import events_of, run

_ASKS_OF_THE_FIRST = 33
"""Number of times the base run asks whether to continue."""


@pytest.fixture(autouse=True)
def few_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "PIECES", 4)
    monkeypatch.setattr(calibration, "_RAREST_ROW", 1)


@pytest.fixture
def upper(source: str, tmp_path: Path) -> Recipe:
    base = tiny_recipe(source)
    paths.write_text(tmp_path / "lower.toml", replace(base, name="lower").to_toml())
    return base.changed(
        model={"counterpoint": True}, training={"init_from": str(tmp_path / "lower.toml")}
    )


def test_the_base_run_is_made_within_the_folder(upper: Recipe, tmp_path: Path) -> None:
    result, events = run(upper, tmp_path / "run")

    base = tmp_path / "run" / "base"
    known = checkpoint.load(tmp_path / "run" / "model")
    assert result.finished
    assert len(events_of(TrainStarted, events)) == 3  # this one, its base, this one
    assert read_card(base / "model").name == "lower"
    assert known.card.training["begun_with_sha256"] == checkpoint.weights_sha256(base / "model")
    assert known.network.counterpoint is not None
    assert known.card.training["trained_further"] is False


def test_a_finished_run_is_trained_further_on_other_data_which_its_card_names(
    source: str, tmp_path: Path
) -> None:
    """A file of the same pieces under another name: the first data are on the second card."""
    other = tmp_path / "other.json"
    other.write_bytes(Path(source.removeprefix("jsb:")).read_bytes() + b"\n")
    run(tiny_recipe(f"jsb:{other}"), tmp_path / "first")
    begun = tiny_recipe(source, init_from=str(tmp_path / "first"), seed=1)
    run(begun, tmp_path / "second")
    run(begun.changed(training={"init_from": str(tmp_path / "second")}), tmp_path / "third")

    cards = [read_card(tmp_path / name / "model").training for name in ("second", "third")]
    assert [card["data_before"] for card in cards] == [["jsb"], ["jsb"]]
    assert [card["trained_further"] for card in cards] == [True, True]
    assert cards[0]["begun_with_sha256"] == checkpoint.weights_sha256(tmp_path / "first" / "model")


def test_lines_are_trained_and_calibrated_on_top_of_the_base(upper: Recipe, tmp_path: Path) -> None:
    wanted = upper.changed(model={"lines": True}, training={"calibration_rounds": 1})

    result, events = run(wanted, tmp_path / "run")

    assert result.finished
    (calibrated,) = events_of(TrainCalibrated, events)
    assert "line_LJ" in calibrated.divergence
    best, known = (checkpoint.load(tmp_path / "run" / name).network for name in ("best", "model"))
    tables = [model.counterpoint for model in (best, known)]
    assert tables[0] is not None
    assert tables[1] is not None
    assert tables[0].line_LJ.any()
    assert not torch.equal(tables[0].line_LJ, tables[1].line_LJ)


@pytest.mark.parametrize("asked", [5, 45])
def test_a_stop_in_either_run_loses_nothing(upper: Recipe, tmp_path: Path, asked: int) -> None:
    run(upper, tmp_path / "whole")
    stopped, _ = run(upper, tmp_path / "run", control=StopAfter(asked))
    assert (tmp_path / "run" / "base" / "result.json").exists() is (asked > _ASKS_OF_THE_FIRST)
    assert RunFolder(tmp_path / "run").state() == "stopped"
    result, _ = run(upper, tmp_path / "run", resume=True)

    assert not stopped.finished
    assert result.finished
    sums = {checkpoint.weights_sha256(tmp_path / name / "model") for name in ("whole", "run")}
    assert len(sums) == 1


def test_requests_to_the_run_apply_to_its_base(upper: Recipe, tmp_path: Path) -> None:
    folder = tmp_path / "run"

    result, _ = run(upper, folder, stop_at=1)

    assert not result.finished
    assert RunFolder(folder).state() == RunFolder(folder / "base").state() == "stopped"
    assert RunFolder(folder / "base").events()[-1]["step"] == 1


def test_an_invalid_base_is_refused_before_a_folder_isrun(upper: Recipe, tmp_path: Path) -> None:
    wider = upper.changed(model={"width": 24})
    paths.write_text(tmp_path / "tables.toml", replace(upper, name="tables").to_toml())
    none = upper.changed(
        model={"counterpoint": False}, training={"init_from": str(tmp_path / "tables.toml")}
    )
    elsewhere = upper.changed(data={"source": "jsb:nowhere.json"})
    for recipe, sentence in (
        (wider, "of recipe 'lower': its width is 16 and not"),
        (none, "of recipe 'tables': it has other counterpoint tables"),
        (elsewhere, r"nowhere\.json"),
    ):
        with pytest.raises((ModelError, FileError), match=sentence):
            run(recipe, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_finished_base_is_not_made_again(upper: Recipe, tmp_path: Path) -> None:
    run(upper, tmp_path / "other")
    (tmp_path / "run").mkdir()
    (tmp_path / "other" / "base").rename(tmp_path / "run" / "base")

    result, events = run(upper, tmp_path / "run")

    assert result.finished
    assert len(events_of(TrainStarted, events)) == 1


def test_a_base_with_other_values_is_refused(upper: Recipe, source: str, tmp_path: Path) -> None:
    run(tiny_recipe(source, seed=5), tmp_path / "run" / "base")

    with pytest.raises(UsageError, match=r"base, made before 'tiny', holds a run of recipe 'tiny'"):
        run(upper, tmp_path / "run")


def test_what_a_run_or_its_base_needs_is_refused_at_once_if_it_is_nothing(
    upper: Recipe, tmp_path: Path
) -> None:
    middle = tmp_path / "middle.toml"
    wrong = upper.changed(training={"init_from": "nowhere"})
    paths.write_text(middle, wrong.to_toml())
    taught = replace(upper.training, init_from="", teachers=("nowhere",), distil=0.5)
    for training in (wrong.training, replace(upper.training, init_from=str(middle)), taught):
        with pytest.raises(ModelError, match=r"'nowhere', which is neither the folder of a model"):
            run(replace(upper, training=training), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_recipe_that_needs_its_own_model_is_refused(upper: Recipe, tmp_path: Path) -> None:
    """Directly, by way of another, or as its own teacher; no folder is made."""

    def begun_with(source: str) -> Recipe:
        return upper.changed(training={"init_from": source})

    one, other = (str(tmp_path / name) for name in ("one.toml", "other.toml"))
    taught = upper.changed(training={"init_from": "", "teachers": (one,), "distil": 0.5})
    for stored, asked, way in (
        ({one: begun_with(other), other: begun_with(one)}, begun_with(other), "'.*one.toml'"),
        ({one: begun_with(one)}, begun_with(one), "no other"),
        ({one: taught}, taught, "no other"),
    ):
        for name, each in stored.items():
            paths.write_text(Path(name), each.to_toml())
        with pytest.raises(UsageError, match=f"toml' needs its own model, by way of {way}"):
            run(asked, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_tables_are_calibrated_before_the_final_evaluation(upper: Recipe, tmp_path: Path) -> None:
    wanted = upper.changed(training={"calibration_rounds": 2})

    result, events = run(wanted, tmp_path / "run")

    known = read_card(tmp_path / "run" / "model")
    best = read_card(tmp_path / "run" / "best")
    assert [event.round for event in events_of(TrainCalibrated, events)] == [1, 2]
    assert events_of(TrainCalibrating, events)
    calibrated = events_of(TrainCalibrated, events)
    assert all(math.isfinite(nats) for event in calibrated for nats in event.divergence.values())
    assert known.valid_nats_per_note == result.valid == known.figures["voice+beat"]["valid"]
    assert best.valid_nats_per_note != known.valid_nats_per_note


def test_an_infilling_model_is_initialised_calibrated_and_evaluated(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = replace(QUALITIES["normal"], fill_passes=2, gibbs_sweeps=0)
    monkeypatch.setattr(infill_generator, "QUALITIES", {"normal": quick})
    tiny = tiny_recipe(source, averaged="sequences")
    base = replace(
        tiny,
        name="lower",
        model=replace(tiny.model, family="infill"),
        data=replace(tiny.data, conditions=("beat", "key", "ending")),
        masking=MaskingPart(mode="mixture", mixed=False),
    )
    paths.write_text(tmp_path / "lower.toml", base.to_toml())
    wanted = base.changed(
        model={"counterpoint": True},
        training={"init_from": str(tmp_path / "lower.toml"), "calibration_rounds": 1},
    )

    result, events = run(wanted, tmp_path / "run")

    assert result.finished
    (calibrated,) = events_of(TrainCalibrated, events)
    assert set(calibrated.divergence) == {"voice_leading_MS", "rhythm_WG", "cadence_HD"}
    known = checkpoint.load(tmp_path / "run" / "model")
    assert known.network.counterpoint is not None
    best = checkpoint.load(tmp_path / "run" / "best").network.state_dict()
    now = known.network.state_dict()
    moved = {name for name, value in now.items() if not torch.equal(value, best[name])}
    assert moved == {
        "counterpoint.voice_leading_MS",
        "counterpoint.rhythm_WG",
    }  # these pieces have no keys


def test_a_stop_during_calibration_keeps_finished_rounds(upper: Recipe, tmp_path: Path) -> None:
    wanted = upper.changed(training={"calibration_rounds": 2})
    run(wanted, tmp_path / "whole")
    stops: list[tuple[type[TrainCalibrating | TrainCalibrated], int, list[int]]] = [
        (TrainCalibrating, 1, [1, 2]),
        (TrainCalibrating, 2, [2]),
        (TrainCalibrated, 2, []),
    ]
    for number, (kind, round_, left) in enumerate(stops):
        folder = tmp_path / f"run-{number}"
        before = []
        for event in train(wanted, folder):
            before.append(event)
            if isinstance(event, kind) and event.round == round_:
                run_control.send_request(folder, "stop")
        assert isinstance(before[-1], TrainStopped)
        assert not (folder / "model").exists()

        result, events = run(wanted, folder, resume=True)
        assert result.finished
        assert [event.round for event in events_of(TrainCalibrated, events)] == left
        rounds = [event["round"] for event in RunFolder(folder).events() if "divergence" in event]
        assert rounds == [1, 2]
        sums = {checkpoint.weights_sha256(one / "model") for one in (tmp_path / "whole", folder)}
        assert len(sums) == 1


def test_tables_calibrated_for_other_weights_are_ignored(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.create("")
    for number in (7, 8):
        folder.save_calibration(number, {"rhythm_WG": torch.ones(2)}, "aa")
    assert folder.latest_calibration("aa")[1] == 8
    assert folder.latest_calibration("bb") == ({}, 0)

    folder.save_calibration(1, {"rhythm_WG": torch.zeros(2)}, "bb")
    tables, number = folder.latest_calibration("bb")
    assert (tables["rhythm_WG"].tolist(), number) == ([0, 0], 1)


def test_a_damaged_round_is_ignored_and_removed(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.create("")
    for number in (1, 2):
        folder.save_calibration(number, {"rhythm_WG": torch.ones(2)}, "aa")
    damaged = tmp_path / "weighed" / "step-00000002.safetensors"
    damaged.write_bytes(damaged.read_bytes()[:-1])

    assert folder.latest_calibration("aa")[1] == 1
    assert not damaged.exists()


def test_a_pause_holds_during_calibration(upper: Recipe, tmp_path: Path) -> None:
    wanted = upper.changed(training={"calibration_rounds": 1})
    folder = tmp_path / "run"
    job, kinds = train(wanted, folder), []
    for event in job:
        kinds.append(type(event))
        if kinds[-1] is TrainCalibrating and TrainPaused not in kinds:
            run_control.send_request(folder, "pause")
        if isinstance(event, TrainPaused):
            run_control.send_request(folder, "resume")

    assert kinds[kinds.index(TrainCalibrating) + 1] is TrainPaused
    assert RunFolder(folder).state() == "finished"
