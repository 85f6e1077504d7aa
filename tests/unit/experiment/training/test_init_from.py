"""Runs that begin with another run, made first within their own folder."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from musicrel import jobs, paths
from musicrel.errors import FileError, ModelError, UsageError
from musicrel.experiment.recipe.recipe import MaskingPart, Recipe
from musicrel.experiment.runs import run_control
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.training import calibration
from musicrel.experiment.training.train import (
    TrainPaused,
    TrainResult,
    TrainStarted,
    TrainStep,
    TrainStopped,
    TrainWeighed,
    TrainWriting,
    train,
)
from musicrel.generation.infill import infill_generator
from musicrel.jobs import Control
from musicrel.model import checkpoint
from musicrel.model.card import read_card
from tests.helpers.recipes import StopAfter, tiny_recipe

_ASKS_OF_THE_FIRST = 33
"""How often the first run asks whether it is to go on."""


@pytest.fixture
def upper(source: str, tmp_path: Path) -> Recipe:
    """A recipe of tables on top of another recipe, in a file."""
    base = tiny_recipe(source)
    paths.write_text(tmp_path / "lower.toml", replace(base, name="lower").to_toml())
    return replace(
        base,
        model=replace(base.model, counterpoint=True),
        training=replace(base.training, begins=str(tmp_path / "lower.toml")),
    )


def _made(
    recipe: Recipe, folder: Path, control: Control | None = None, *, resume: bool = False
) -> tuple[TrainResult, list[object]]:
    events: list[object] = []
    job = train(recipe, folder, control=control, resume=resume)
    return jobs.run(job, events.append), events


def _begun(events: list[object]) -> int:
    return sum(isinstance(event, TrainStarted) for event in events)


def test_the_run_that_comes_first_is_made_within_the_folder(upper: Recipe, tmp_path: Path) -> None:
    result, events = _made(upper, tmp_path / "run")

    base = tmp_path / "run" / "base"
    known = checkpoint.load(tmp_path / "run" / "model")
    assert result.finished
    assert _begun(events) == 3  # this run, the one that comes first, this one again
    assert read_card(base / "model").name == "lower"
    assert known.card.training["begun_with_sha256"] == checkpoint.weights_sha256(base / "model")
    assert known.model.counterpoint is not None


@pytest.mark.parametrize("asked", [5, 45])
def test_a_stop_in_either_run_loses_nothing(upper: Recipe, tmp_path: Path, asked: int) -> None:
    """What is missing is made when the run is taken up again, and nothing else."""
    _made(upper, tmp_path / "whole")
    stopped, _ = _made(upper, tmp_path / "run", StopAfter(asked))
    assert (tmp_path / "run" / "base" / "result.json").exists() is (asked > _ASKS_OF_THE_FIRST)
    assert RunFolder(tmp_path / "run").state() == "stopped"
    result, _ = _made(upper, tmp_path / "run", resume=True)

    assert not stopped.finished
    assert result.finished
    sums = {checkpoint.weights_sha256(tmp_path / name / "model") for name in ("whole", "run")}
    assert len(sums) == 1


def test_what_is_asked_of_the_run_holds_for_the_one_that_comes_first(
    upper: Recipe, tmp_path: Path
) -> None:
    """The window asks through the folder that it knows."""
    folder = tmp_path / "run"
    job = train(upper, folder)
    result = None
    while result is None:
        try:
            if isinstance(next(job), TrainStep):
                run_control.ask(folder, "stop")
        except StopIteration as end:
            result = end.value

    assert not result.finished
    assert RunFolder(folder).state() == RunFolder(folder / "base").state() == "stopped"
    assert RunFolder(folder / "base").events()[-1]["step"] == 1


def test_what_could_not_go_on_is_refused_before_anything_is_made(
    upper: Recipe, tmp_path: Path
) -> None:
    wider = replace(upper, model=replace(upper.model, width=24))
    with pytest.raises(
        ModelError, match=r"of recipe 'lower' and learn .*: its width is 16 and not"
    ):
        _made(wider, tmp_path / "run")
    none = replace(upper, model=replace(upper.model, counterpoint=False))
    with pytest.raises(ModelError, match=r"of recipe 'lower' and learn .*: it has all of that"):
        _made(none, tmp_path / "run")
    elsewhere = replace(upper, data=replace(upper.data, source="jsb:nowhere.json"))
    with pytest.raises(FileError, match=r"nowhere\.json"):
        _made(elsewhere, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_first_run_that_is_done_is_not_made_again(upper: Recipe, tmp_path: Path) -> None:
    _made(upper, tmp_path / "other")
    (tmp_path / "run").mkdir()
    (tmp_path / "other" / "base").rename(tmp_path / "run" / "base")

    result, events = _made(upper, tmp_path / "run")

    assert result.finished
    assert _begun(events) == 1


def test_a_first_run_of_other_values_is_refused(upper: Recipe, source: str, tmp_path: Path) -> None:
    _made(tiny_recipe(source, seed=5), tmp_path / "run" / "base")

    with pytest.raises(UsageError, match=r"base, made before 'tiny', holds a run of recipe 'tiny'"):
        _made(upper, tmp_path / "run")


def test_what_is_neither_model_nor_recipe_is_refused(upper: Recipe, tmp_path: Path) -> None:
    wrong = replace(upper, training=replace(upper.training, begins="nowhere"))
    with pytest.raises(ModelError, match=r"'nowhere', which is neither the folder of a model nor"):
        _made(wrong, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_run_on_a_run_on_a_run_is_refused(upper: Recipe, tmp_path: Path) -> None:
    paths.write_text(tmp_path / "middle.toml", upper.to_toml())
    top = replace(upper, training=replace(upper.training, begins=str(tmp_path / "middle.toml")))
    with pytest.raises(UsageError, match=r"expected one that begins from chance"):
        _made(top, tmp_path / "run")


def test_at_the_end_the_tables_are_weighed_and_measured_so(
    upper: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The card's figures are those of what is kept, not of the best before the weighing."""
    monkeypatch.setattr(calibration, "PIECES", {"causal": 4})
    monkeypatch.setattr(calibration, "_FEWEST", 1)
    wanted = replace(upper, training=replace(upper.training, weighed=2))

    result, events = _made(wanted, tmp_path / "run")

    known = read_card(tmp_path / "run" / "model")
    best = read_card(tmp_path / "run" / "best")
    assert [event.round for event in events if isinstance(event, TrainWeighed)] == [1, 2]
    assert any(isinstance(event, TrainWriting) for event in events)
    weighed = [event for event in events if isinstance(event, TrainWeighed)]
    assert all(math.isfinite(nats) for event in weighed for nats in event.astray.values())
    assert known.valid_nats_per_note == result.valid == known.figures["voice+beat"]["valid"]
    assert best.valid_nats_per_note != known.valid_nats_per_note


def test_a_model_that_settles_is_begun_weighed_and_measured_as_well(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibration, "PIECES", {"infill": 2})
    monkeypatch.setattr(calibration, "_FEWEST", 1)
    monkeypatch.setattr(infill_generator, "READINGS", {"normal": 2})
    monkeypatch.setattr(infill_generator, "RESUNG", {"normal": 0})
    tiny = tiny_recipe(source, averaged="sequences")
    base = replace(
        tiny,
        name="lower",
        model=replace(tiny.model, family="infill"),
        data=replace(tiny.data, conditions=("beat", "key", "ending")),
        masking=MaskingPart(mode="mixture", mixed=False),
    )
    paths.write_text(tmp_path / "lower.toml", base.to_toml())
    wanted = replace(
        base,
        model=replace(base.model, counterpoint=True),
        training=replace(base.training, begins=str(tmp_path / "lower.toml"), weighed=1),
    )

    result, events = _made(wanted, tmp_path / "run")

    assert result.finished
    (weighed,) = (event for event in events if isinstance(event, TrainWeighed))
    assert set(weighed.astray) == {"led_MS", "pace_WG", "home_HD"}
    known = checkpoint.load(tmp_path / "run" / "model")
    assert known.model.counterpoint is not None
    best = checkpoint.load(tmp_path / "run" / "best").model.state_dict()
    now = known.model.state_dict()
    moved = {name for name, value in now.items() if not torch.equal(value, best[name])}
    assert moved == {"counterpoint.led_MS", "counterpoint.pace_WG"}  # these pieces have no keys


@pytest.mark.parametrize(
    ("stopped_at", "left"),
    [((TrainWriting, 1), [1, 2]), ((TrainWriting, 2), [2]), ((TrainWeighed, 2), [])],
)
def test_a_stop_while_tables_are_weighed_loses_no_round_that_is_done(
    upper: Recipe,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    stopped_at: tuple[type[TrainWriting | TrainWeighed], int],
    left: list[int],
) -> None:
    """The round that was on its way is made again, and what comes of all is the same."""
    monkeypatch.setattr(calibration, "PIECES", {"causal": 4})
    monkeypatch.setattr(calibration, "_FEWEST", 1)
    wanted = replace(upper, training=replace(upper.training, weighed=2))
    folder = tmp_path / "run"
    before = []
    for event in train(wanted, folder):
        before.append(event)
        if isinstance(event, stopped_at[0]) and event.round == stopped_at[1]:
            run_control.ask(folder, "stop")
    assert isinstance(before[-1], TrainStopped)
    assert not (folder / "model").exists()

    result, events = _made(wanted, folder, resume=True)
    assert result.finished
    assert [event.round for event in events if isinstance(event, TrainWeighed)] == left
    told = [event["round"] for event in RunFolder(folder).events() if "astray" in event]
    assert told == [1, 2]
    _made(wanted, tmp_path / "whole")
    sums = {checkpoint.weights_sha256(tmp_path / name / "model") for name in ("whole", "run")}
    assert len(sums) == 1


def test_tables_that_were_weighed_of_other_weights_are_passed_over(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.begin("")
    for number in (7, 8):
        folder.save_round(number, {"pace_WG": torch.ones(2)}, "aa")
    assert folder.latest_round("aa")[1] == 8
    assert folder.latest_round("bb") == ({}, 0)

    folder.save_round(1, {"pace_WG": torch.zeros(2)}, "bb")
    tables, number = folder.latest_round("bb")
    assert (tables["pace_WG"].tolist(), number) == ([0, 0], 1)


def test_a_round_that_is_damaged_is_passed_over_and_taken_away(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.begin("")
    for number in (1, 2):
        folder.save_round(number, {"pace_WG": torch.ones(2)}, "aa")
    damaged = tmp_path / "weighed" / "step-00000002.safetensors"
    damaged.write_bytes(damaged.read_bytes()[:-1])

    assert folder.latest_round("aa")[1] == 1
    assert not damaged.exists()


def test_a_pause_holds_while_pieces_are_written(
    upper: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibration, "PIECES", {"causal": 4})
    wanted = replace(upper, training=replace(upper.training, weighed=1))
    folder = tmp_path / "run"
    job, kinds = train(wanted, folder), []
    for event in job:
        kinds.append(type(event))
        if kinds[-1] is TrainWriting and TrainPaused not in kinds:
            run_control.ask(folder, "pause")
        if isinstance(event, TrainPaused):
            run_control.ask(folder, "resume")

    assert kinds[kinds.index(TrainWriting) + 1] is TrainPaused
    assert RunFolder(folder).state() == "finished"
