"""A whole run: what it yields and writes, how it stops and goes on."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
import torch

from musicrel import jobs
from musicrel.errors import DataError, FileError, ModelError, UsageError
from musicrel.experiment.data import dataset
from musicrel.experiment.objectives.evaluation import evaluate
from musicrel.experiment.recipe.recipe import Recipe
from musicrel.experiment.runs import environment, run_control
from musicrel.experiment.runs.run_folder import RunFolder
from musicrel.experiment.training.schedule import rate
from musicrel.experiment.training.train import (
    TrainEvaluated,
    TrainEvent,
    TrainFinished,
    TrainPaused,
    TrainResult,
    TrainResumed,
    TrainSaved,
    TrainStarted,
    TrainStep,
    TrainStopped,
    train,
)
from musicrel.generation.loaded_model import load_model
from musicrel.jobs import Wish
from musicrel.model.card import read_card
from tests.helpers.music import jsb_file, random_chorale, tiny_data
from tests.helpers.recipes import StopAfter, tiny_recipe

both = pytest.mark.parametrize("scheme", ["sinusoidal", "relative"])


def run(
    recipe: Recipe, folder: Path, *, stop_at: int | None = None, **how: Any
) -> tuple[TrainResult, list[TrainEvent]]:
    """The result and all events; with ``stop_at`` a stop is asked for after that step."""
    events: list[TrainEvent] = []

    def note(event: TrainEvent) -> None:
        events.append(event)
        if isinstance(event, TrainStep) and event.step == stop_at:
            run_control.ask(folder, "stop")

    return jobs.run(train(recipe, folder, **how), note), events


def story(folder: Path) -> list[tuple[Any, ...]]:
    """What a run wrote of its steps and evaluations, without times."""
    return [
        (event["event"], event["step"], event["tokens"], event.get("nats"), event.get("valid"),
         event.get("gradient_norm"), event.get("rate"))
        for event in RunFolder(folder).events()
        if event["event"] in ("TrainStep", "TrainEvaluated")
    ]  # fmt: skip


def assert_same(one: Path, other: Path) -> None:
    """Two finished runs agree to the last bit."""
    assert story(one) == story(other)
    for part in ("model/model.safetensors", "checkpoints/step-00000012.safetensors"):
        assert (one / part).read_bytes() == (other / part).read_bytes()


@pytest.fixture
def whole(source: str, tmp_path: Path) -> Path:
    """The folder of a run of twelve steps without interruption."""
    run(tiny_recipe(source), tmp_path / "whole")
    return tmp_path / "whole"


def test_a_run_tells_what_it_does(source: str, tmp_path: Path) -> None:
    """It starts, makes steps, evaluates every four and saves every three, ends with a save."""
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
    """In the same order, with its name."""
    _, events = run(tiny_recipe(source), tmp_path / "run")

    written = list(RunFolder(tmp_path / "run").events())

    expected = [{"event": type(event).__name__, **asdict(event)} for event in events]
    assert written == json.loads(json.dumps(expected))


def test_the_rate_is_that_of_the_schedule(source: str, tmp_path: Path) -> None:
    """Progress is what was used before the step."""
    recipe = tiny_recipe(source)
    _, events = run(recipe, tmp_path / "run")

    found = [event.rate for event in events if isinstance(event, TrainStep)]

    assert found == [rate(recipe.training, step, step / 12) for step in range(12)]


def test_a_budget_may_be_given_in_tokens(source: str, tmp_path: Path) -> None:
    """It ends with the step that reaches it."""
    result, events = run(tiny_recipe(source, steps=0, tokens=200), tmp_path / "run")

    steps = [event for event in events if isinstance(event, TrainStep)]
    assert result.finished
    assert steps[-1].tokens >= 200 > steps[-2].tokens
    assert steps[-1].progress == 1.0


def test_the_best_averaged_weights_are_kept(source: str, tmp_path: Path) -> None:
    """Not the last ones: with far too high a rate every step makes it worse."""
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
    """The card says what it is, what it learned from and how well; the figures hold."""
    model = load_model(str(whole / "model"))
    card = model.card
    recipe = tiny_recipe(source)

    assert (card.name, card.parameters) == ("tiny", model.network.parameter_count)
    assert card.data["pieces"] == {"train": 6, "valid": 2, "test": 2}
    assert len(card.data["sha256"]) == 64
    assert card.recipe == json.loads(json.dumps(asdict(recipe)))
    assert card.vocabulary["symbols"] == list(model.vocabulary.symbols())
    assert (card.training["step"], card.training["machine"]["threads"]) == (12, 1)
    assert set(card.figures) == {"voice+beat", "voice+beat+bar+fermata+key+ending"}
    assert card.figures["voice+beat"] == {
        "valid": card.valid_nats_per_note, "test": card.test_nats_per_note,
    }  # fmt: skip

    pieces = dataset.load(source).pieces["test"]
    found = jobs.run(evaluate(model.network, pieces, model.vocabulary)).nats_per_note
    assert found == pytest.approx(card.test_nats_per_note)


def test_the_card_says_how_the_curve_ended(source: str, tmp_path: Path) -> None:
    """The slope over the last quarter, in nats/note a million tokens; none from a single point."""
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
    """The same numbers as the job returns and the card shows."""
    result, _ = run(tiny_recipe(source), tmp_path / "run")

    written = json.loads((tmp_path / "run" / "result.json").read_text())
    card = read_card(tmp_path / "run" / "model")
    assert written | {"further": {}} == json.loads(json.dumps(asdict(result)))
    assert "further" not in written
    assert TrainResult.from_json(written) == result
    assert (result.valid, result.test) == (card.valid_nats_per_note, card.test_nats_per_note)


def test_the_same_recipe_is_the_same_run(whole: Path, source: str, tmp_path: Path) -> None:
    """To the last bit; another seed is another one."""
    run(tiny_recipe(source), tmp_path / "again")
    run(tiny_recipe(source, seed=1), tmp_path / "other")

    assert_same(whole, tmp_path / "again")
    assert story(whole) != story(tmp_path / "other")


@both
def test_a_run_stopped_twice_is_the_run_that_was_not(
    source: str, tmp_path: Path, scheme: str
) -> None:
    """After 5 and after 9 of 12 steps; losses and weights agree to the last bit."""
    recipe = tiny_recipe(source, scheme)
    run(recipe, tmp_path / "whole")

    stops = [
        run(recipe, tmp_path / "parts", resume=resume, stop_at=step)[0]
        for resume, step in ((False, 5), (True, 9))
    ]
    result, events = run(recipe, tmp_path / "parts", resume=True)

    assert [(stop.finished, stop.step, stop.test) for stop in stops] == [
        (False, 5, None), (False, 9, None),
    ]  # fmt: skip
    assert result.finished
    assert isinstance(events[0], TrainStarted)
    assert (events[0].step, events[0].tokens, events[0].notes) == (9, stops[1].tokens, ())
    assert_same(tmp_path / "whole", tmp_path / "parts")


def test_a_stop_saves_and_ends(source: str, tmp_path: Path) -> None:
    """No model and no result yet; the checkpoint is at the step it stopped."""
    result, events = run(tiny_recipe(source), tmp_path / "run", control=StopAfter(2))

    assert (result.finished, result.step, result.valid) == (False, 2, None)
    assert events[-2:] == [TrainSaved(step=2), TrainStopped(step=2, saved=True)]
    assert not (tmp_path / "run" / "model").exists()
    assert not (tmp_path / "run" / "result.json").exists()


def test_a_run_that_was_cancelled_goes_on_from_its_last_checkpoint(
    whole: Path, source: str, tmp_path: Path
) -> None:
    """Closed after the seventh step: the checkpoint of the sixth is taken, the seventh redone."""
    recipe = tiny_recipe(source)
    job = train(recipe, tmp_path / "run")
    for event in job:
        if isinstance(event, TrainStep) and event.step == 7:
            break
    job.close()

    _, events = run(recipe, tmp_path / "run", resume=True)

    assert events[0].step == 6
    assert_same(whole, tmp_path / "run")


def damage(folder: Path, step: int) -> None:
    """Cut the tensors of a checkpoint off."""
    path = folder / "checkpoints" / f"step-{step:08d}.safetensors"
    path.write_bytes(path.read_bytes()[:1000])


def test_a_damaged_checkpoint_costs_only_its_own_steps(
    whole: Path, source: str, tmp_path: Path
) -> None:
    """The one before is taken; the run is still the same."""
    recipe = tiny_recipe(source)
    run(recipe, tmp_path / "run", stop_at=8)
    damage(tmp_path / "run", 8)

    _, events = run(recipe, tmp_path / "run", resume=True)

    assert events[0].step == 6
    assert_same(whole, tmp_path / "run")


def test_without_a_checkpoint_the_run_starts_anew(whole: Path, source: str, tmp_path: Path) -> None:
    """And says so."""
    recipe = tiny_recipe(source)
    run(recipe, tmp_path / "run", control=StopAfter(2))
    damage(tmp_path / "run", 2)

    _, events = run(recipe, tmp_path / "run", resume=True)

    assert isinstance(events[0], TrainStarted)
    assert events[0].step == 0
    assert "the run starts anew" in events[0].notes[0]
    assert_same(whole, tmp_path / "run")


def test_a_resumed_run_on_another_machine_says_that_it_may_differ(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last bits depend on versions, device and threads."""
    recipe = tiny_recipe(source)
    run(recipe, tmp_path / "run", control=StopAfter(2))
    monkeypatch.setattr(environment, "machine", lambda *_: {"torch": "9.9"})

    _, events = run(recipe, tmp_path / "run", resume=True)

    assert isinstance(events[0], TrainStarted)
    assert "now it is {'torch': '9.9'}: it goes on, but not to the same" in events[0].notes[0]


def test_a_finished_run_may_be_resumed(whole: Path, source: str) -> None:
    """There is nothing left to learn; the result is the same."""
    before = (whole / "model" / "model.safetensors").read_bytes()

    result, events = run(tiny_recipe(source), whole, resume=True)

    assert not any(isinstance(event, TrainStep) for event in events)
    assert (result.finished, result.step) == (True, 12)
    assert (whole / "model" / "model.safetensors").read_bytes() == before


class PauseOnce:
    """Pauses before the third step until it was asked four times."""

    def __init__(self) -> None:
        self.asked = 0

    def wish(self) -> Wish:
        """See ``musicrel.jobs.Control``."""
        self.asked += 1
        return "pause" if 3 <= self.asked <= 6 else "run"


def test_a_pause_holds_the_run(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It tells so, looks again and again, and then goes on as if nothing had been."""
    waits: list[float] = []
    monkeypatch.setattr(time, "sleep", waits.append)

    result, events = run(tiny_recipe(source), tmp_path / "run", control=PauseOnce())

    told = [e for e in events if isinstance(e, (TrainStep, TrainPaused, TrainResumed))]
    assert result.finished
    assert len(waits) == 3
    assert [type(event).__name__ for event in told[:5]] == [
        "TrainStep", "TrainStep", "TrainPaused", "TrainResumed", "TrainStep",
    ]  # fmt: skip


def test_a_folder_with_another_run_is_refused(whole: Path, source: str) -> None:
    """Whether it is to be resumed or begun."""
    with pytest.raises(UsageError, match="holds a run already"):
        run(tiny_recipe(source), whole)
    with pytest.raises(
        UsageError, match="holds a run of recipe 'tiny' with other values than 'tiny' has now"
    ):
        run(tiny_recipe(source, seed=1), whole, resume=True)


def test_a_folder_without_a_run_cannot_be_resumed(source: str, tmp_path: Path) -> None:
    """Nothing is made."""
    with pytest.raises(UsageError, match="holds no run to resume"):
        run(tiny_recipe(source), tmp_path / "run", resume=True)
    assert not (tmp_path / "run").exists()


def test_a_folder_that_cannot_be_written_is_named(source: str, tmp_path: Path) -> None:
    """Here a file stands in its place."""
    (tmp_path / "file").touch()

    with pytest.raises(FileError, match=r"cannot write .*; choose a folder you may write to"):
        run(tiny_recipe(source), tmp_path / "file" / "run")


def test_a_recipe_that_cannot_be_followed_leaves_no_folder(source: str, tmp_path: Path) -> None:
    """So that it can be mended and tried again with the same folder."""
    good = tiny_recipe(source)
    bad = [
        (tiny_recipe(source, "astrology"), "unknown positional scheme 'astrology'"),
        (replace(good, model=replace(good.model, heads=5)), "width 16 is no multiple of heads 5"),
        (replace(good, model=replace(good.model, options={"colour": 1})), "no option colour"),
    ]
    for recipe, sentence in bad:
        with pytest.raises(ModelError, match=sentence):
            run(recipe, tmp_path / "run")
    with pytest.raises(UsageError, match="unknown data 'bach'"):
        run(tiny_recipe("bach"), tmp_path / "run")
    with pytest.raises(UsageError, match="threads is 0: expected 1 to 256"):
        run(good, tmp_path / "run", threads=0)

    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("split", ["train", "valid", "test"])
def test_an_empty_split_is_refused_before_work_begins(tmp_path: Path, split: str) -> None:
    """Not when it is needed, hours later."""
    pieces = {name: [random_chorale(1)] for name in ("train", "valid", "test")} | {split: []}
    source = f"jsb:{jsb_file(tmp_path / 'dataset.json', pieces)}"

    with pytest.raises(DataError, match=f"the {split} split of 'jsb' is empty"):
        run(tiny_recipe(source), tmp_path / "run")


def test_a_learner_that_diverges_ends_the_run_with_a_sentence(source: str, tmp_path: Path) -> None:
    """What was saved before is still there."""
    recipe = tiny_recipe(source, steps=500, learning_rate=1e30, warmup_steps=0, clip=1e30)

    with pytest.raises(ModelError, match="lower the learning rate"):
        run(recipe, tmp_path / "run")


def test_the_published_grid_is_learned_too(tmp_path: Path) -> None:
    """Another vocabulary, no conditions, whole pieces, no transposition, steps of one sequence."""
    recipe = tiny_recipe(tiny_data(tmp_path / "data.json"), "sinusoidal", steps=3, batch=1)
    plain = replace(recipe.data, vocabulary="pitch", conditions=(), window=512, transpose=False)

    result, _ = run(replace(recipe, data=plain), tmp_path / "run")

    model = load_model(str(tmp_path / "run" / "model"))
    assert result.finished
    assert (model.vocabulary.name, model.conditions) == ("pitch", ())
    assert torch.isfinite(torch.tensor(result.test))
