"""A resumed run is the run that was never interrupted; tampered checkpoints are refused."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
import safetensors.torch
from torch import Tensor

from musicrel import jobs
from musicrel.errors import DataError, ModelError, UsageError
from musicrel.experiment.runs import environment, run_control
from musicrel.experiment.runs.events import TrainStarted, TrainStep
from musicrel.experiment.runs.run_folder import Checkpoints
from musicrel.experiment.training.train import train
from musicrel.model import checkpoint
from musicrel.model.card import read_card
from tests.helpers.music import jsb_file, random_chorale
from tests.helpers.recipes import StopAfter, tiny_recipe
from tests.helpers.runs import assert_same_run, run, story

both = pytest.mark.parametrize("scheme", ["sinusoidal", "relative"])
Tensors = dict[str, Tensor]


def test_the_same_recipe_is_the_same_run(whole: Path, source: str, tmp_path: Path) -> None:
    run(tiny_recipe(source), tmp_path / "again")
    run(tiny_recipe(source, seed=1), tmp_path / "other")

    assert_same_run(whole, tmp_path / "again")
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
    assert_same_run(tmp_path / "whole", tmp_path / "parts")


def test_a_cancelled_run_resumes_from_its_last_checkpoint(
    whole: Path, source: str, tmp_path: Path
) -> None:
    recipe = tiny_recipe(source)
    job = train(recipe, tmp_path / "run")
    for event in job:
        if isinstance(event, TrainStep) and event.step == 7:
            break
    job.close()

    _, events = run(recipe, tmp_path / "run", resume=True)

    assert events[0].step == 6
    assert_same_run(whole, tmp_path / "run")


def damage(folder: Path, step: int) -> None:
    path = folder / "checkpoints" / f"step-{step:08d}.safetensors"
    path.write_bytes(path.read_bytes()[:1000])


def test_a_damaged_checkpoint_costs_only_its_own_steps(
    whole: Path, source: str, tmp_path: Path
) -> None:
    recipe = tiny_recipe(source)
    run(recipe, tmp_path / "run", stop_at=8)
    damage(tmp_path / "run", 8)

    _, events = run(recipe, tmp_path / "run", resume=True)

    assert events[0].step == 6
    assert_same_run(whole, tmp_path / "run")


def test_without_a_checkpoint_the_run_starts_from_the_beginning(
    whole: Path, source: str, tmp_path: Path
) -> None:
    recipe = tiny_recipe(source)
    run(recipe, tmp_path / "run", control=StopAfter(2))
    damage(tmp_path / "run", 2)

    _, events = run(recipe, tmp_path / "run", resume=True)

    assert isinstance(events[0], TrainStarted)
    assert events[0].step == 0
    assert "the run starts from the beginning" in events[0].notes[0]
    assert_same_run(whole, tmp_path / "run")


def test_half_written_files_are_removed(source: str, tmp_path: Path) -> None:
    recipe = tiny_recipe(source)
    run(recipe, tmp_path / "run", lambda _: run_control.send_request(tmp_path / "run", "stop"))
    states = tmp_path / "run" / "checkpoints"
    (states / ".step-00000003.safetensors.ab12").write_bytes(b"half")
    (states / "step-00000003.safetensors").write_bytes(b"no counters yet")

    next(train(recipe, tmp_path / "run", resume=True))

    names = sorted(path.name for path in states.iterdir())
    assert names == ["step-00000000.json", "step-00000000.safetensors"]


def test_a_run_resumed_on_another_machine_reports_that_it_may_differ(
    source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = tiny_recipe(source)
    run(recipe, tmp_path / "run", control=StopAfter(2))
    monkeypatch.setattr(environment, "machine", lambda *_: {"torch": "9.9"})

    _, events = run(recipe, tmp_path / "run", resume=True)

    assert isinstance(events[0], TrainStarted)
    assert "now it is {'torch': '9.9'}: it continues, but not bit-exactly" in events[0].notes[0]


def test_a_finished_run_may_be_resumed(whole: Path, source: str) -> None:
    before = (whole / "model" / "model.safetensors").read_bytes()

    result, events = run(tiny_recipe(source), whole, resume=True)

    assert not any(isinstance(event, TrainStep) for event in events)
    assert (result.finished, result.step) == (True, 12)
    assert (whole / "model" / "model.safetensors").read_bytes() == before


def test_a_run_of_an_older_format_is_refused(source: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run(tiny_recipe(source), folder)
    (folder / "run.json").unlink()
    with pytest.raises(UsageError, match="is of format version 1, this program reads 2: start it"):
        run(tiny_recipe(source), folder, resume=True)
    (folder / "run.json").write_text(json.dumps({"format": "musicrel-run", "version": 3}))
    with pytest.raises(UsageError, match="is of format version 3, this program reads 2: update"):
        run(tiny_recipe(source), folder, resume=True)


def test_a_run_whose_data_have_changed_is_refused(tmp_path: Path) -> None:
    pieces = {name: [random_chorale(1)] for name in ("train", "valid", "test")}
    recipe = tiny_recipe(f"jsb:{jsb_file(tmp_path / 'data.json', pieces)}")
    run(recipe, tmp_path / "run", lambda _: run_control.send_request(tmp_path / "run", "stop"))
    jsb_file(tmp_path / "data.json", {**pieces, "train": [random_chorale(2)]})

    with pytest.raises(DataError, match=r"the data 'jsb:.*' are not those the run started with"):
        run(recipe, tmp_path / "run", resume=True)


def test_a_run_resumes_only_with_the_model_it_was_initialised_from(
    source: str, tmp_path: Path
) -> None:
    """Its card has their checksum; with other weights it cannot be resumed."""
    base, folder = tmp_path / "base", tmp_path / "run"
    recipe = tiny_recipe(source)
    run(recipe, base)
    upper = recipe.changed(
        model={"counterpoint": True}, training={"init_from": str(base / "model")}
    )

    run(upper, folder, lambda _: run_control.send_request(folder, "stop"))
    result, _ = run(upper, folder, resume=True)

    assert result.finished
    known = read_card(folder / "model")
    assert known.training["begun_with_sha256"] == checkpoint.weights_sha256(base / "model")
    stopped = tmp_path / "stopped"
    run(upper, stopped, lambda _: run_control.send_request(stopped, "stop"))
    run(recipe.changed(training={"seed": 1}), tmp_path / "other")
    shutil.copytree(tmp_path / "other" / "model", base / "model", dirs_exist_ok=True)
    with pytest.raises(DataError, match=r"the model '.*' is not the one the run started with"):
        run(upper, stopped, resume=True)


@pytest.fixture
def folder(source: str, tmp_path: Path) -> Path:
    run(tiny_recipe(source), tmp_path / "run", stop_at=6)
    return tmp_path / "run"


def tamper(
    folder: Path, change: Callable[[Tensors], object], counters: Mapping[str, object] | None = None
) -> None:
    for path in (folder / "checkpoints").glob("*.safetensors"):
        tensors = safetensors.torch.load(path.read_bytes())
        change(tensors)
        path.write_bytes(safetensors.torch.save(tensors))
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        entry = path.with_suffix(".json")
        values = json.loads(entry.read_text()) | dict(counters or {}) | {"sha256": digest}
        entry.write_text(json.dumps(values))


def changed(suffix: str, change: Callable[[Tensor], Tensor]) -> Callable[[Tensors], object]:
    def apply(tensors: Tensors) -> None:
        name = next(name for name in tensors if name.endswith(suffix))
        tensors[name] = change(tensors[name])

    return apply


def _repeated(tensor: Tensor) -> Tensor:
    return tensor.reshape(-1).repeat(3)


CHANGES: Final[Mapping[str, Callable[[Tensors], object]]] = {
    "no tensors": lambda tensors: tensors.clear(),
    "a moment is missing": lambda tensors: tensors.pop(
        next(name for name in tensors if name.endswith("exp_avg_sq"))
    ),
    "a moment of another shape": changed("exp_avg", _repeated),
    "several steps": changed("step", _repeated),
    "weights of another shape": changed("bias", _repeated),
    "a moment in double precision": changed("exp_avg", Tensor.double),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_run_does_not_resume_from_tensors_of_another_model(
    source: str, folder: Path, change: Callable[[Tensors], object]
) -> None:
    tamper(folder, change)

    with pytest.raises(ModelError, match="the checkpoint is of another model"):
        jobs.run(train(tiny_recipe(source), folder, resume=True))


def test_a_checkpoint_with_weights_that_are_not_finite_is_damaged(
    source: str, folder: Path
) -> None:
    tamper(folder, changed("bias", lambda tensor: tensor.fill_(float("nan"))))

    problems = Checkpoints(folder / "checkpoints").problems()
    assert problems
    assert all("non-finite" in problem for problem in problems)
    _, events = run(tiny_recipe(source), folder, resume=True)
    assert events[0].step == 0


@pytest.mark.parametrize(
    "counters",
    [
        {"step": "6"}, {"step": -1}, {"tokens": None}, {"seconds": "x"},
        {"seconds": float("nan")}, {"rate_factor": 0}, {"rate_factor": 1e300}, {"parts": 0},
        {"parts": 10**9}, {"best": "x"}, {"best_sha256": 3}, {"smooth": []}, {"step": 2**60},
    ],
    ids=str,
)  # fmt: skip
def test_a_run_does_not_resume_from_impossible_counters(
    source: str, folder: Path, counters: dict[str, Any]
) -> None:
    tamper(folder, id, counters)

    with pytest.raises(DataError, match="the counters of the newest checkpoint are damaged"):
        jobs.run(train(tiny_recipe(source), folder, resume=True))
